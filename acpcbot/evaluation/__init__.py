"""Evaluation: variance reduction, costs of decisions, exploitability, and matches in memory.

``arena.py`` plays millions of hands between stored strategies. Exact best responses over ranges
stand beside the solver whose traversal they share, in ``subgames/best_response.py``. ``searches/``
measures what searches of research games would play, and ``elo.py`` rates players.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.evaluation.arena import ArenaResult as ArenaResult
    from acpcbot.evaluation.arena import ArenaScore as ArenaScore
    from acpcbot.evaluation.arena import play as play

export(
    __name__,
    {
        "ArenaResult": "arena",
        "ArenaScore": "arena",
        "play": "arena",
    },
)
