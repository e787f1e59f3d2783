"""Match logs turned into numbers: winnings with intervals, statistics of play, tables and a page to read."""
