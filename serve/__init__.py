"""Serves a built knowledge base: retrieval, context, CLI and MCP. Reads artifacts, never writes them."""
