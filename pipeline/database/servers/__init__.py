"""Databases behind SQLAlchemy URLs: one connection's life, and what differs between servers."""
