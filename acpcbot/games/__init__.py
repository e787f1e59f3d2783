"""Research games as compiled rules over a small integer vector."""
