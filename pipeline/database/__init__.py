"""The one door to databases: where they are, how they are opened, read and guarded."""
