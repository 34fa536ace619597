"""The MCP server: lends a knowledge base to agents."""
