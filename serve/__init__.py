"""Serves a built knowledge base: retrieval, context, CLI, MCP. Never writes an artifact."""
