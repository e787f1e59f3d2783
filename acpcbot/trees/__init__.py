"""The public betting tree of a limit game as flat arrays, and where its information sets are stored."""
