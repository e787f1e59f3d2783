"""The rules of poker games: definitions, actions, betting and payoffs."""
