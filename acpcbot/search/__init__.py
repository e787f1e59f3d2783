"""Search at the table: subgames solved at each decision, beliefs about hands, and the strategy that comes of it."""
