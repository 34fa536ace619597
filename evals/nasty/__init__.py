"""What nasty databases must show: one assertion per entry of a manifest."""
