"""Whether the items that a changed database makes suspect are named: all of them, no others."""
