"""Builds a knowledge base: seven stages, each from declared files to declared files."""

VERSION = "0.1.0"
