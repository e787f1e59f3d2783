"""subgames."""
