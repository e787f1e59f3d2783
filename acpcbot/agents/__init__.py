"""Those who decide: simple opponents, a rule player, a human at the terminal; found by their names."""
