"""The contract between stages, servers and people: typed models and JSON Schemas."""
