"""Databases of what is hard, one per engine, and a manifest of what each must show."""
