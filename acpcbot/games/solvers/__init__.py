"""games/solvers."""
