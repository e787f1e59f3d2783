"""A player whose strategy nobody can ask for: evaluation has its actions alone."""

from __future__ import annotations

from acpcbot.agents.tight import TightAgent


class Unknown(TightAgent):
    """Plays as the tight player does, under another name."""


UNKNOWN = f"{__file__}:{Unknown.__name__}"
"""Its name in the plan of a match, where it is called Unknown."""
