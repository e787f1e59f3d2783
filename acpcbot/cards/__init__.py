"""Cards: the deck, hole-card combos, showdown strength and suit isomorphism."""
