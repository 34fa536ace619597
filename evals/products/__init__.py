"""Databases of two public products and two invented houses, made after what is known of them."""
