"""``betting_replay.py`` as a kernel, for many hands."""

from __future__ import annotations

from typing import Any

import numpy as np

from acpcbot.jit import kernel
from acpcbot.poker.rules import STATE_LENGTH
from acpcbot.reports.betting_replay import MEMORY_SIZE, ActionTrace, BettingFacts, replay_all


def replay_compiled(
    text: bytes,
    game: tuple[int, ...],
    blind_level: int,
    facts: BettingFacts,
    trace: ActionTrace,
) -> None:
    """Fill *facts* and *trace* from *text*, hands end to end."""
    memory = np.zeros(MEMORY_SIZE, np.int64)
    state = np.zeros(STATE_LENGTH, np.int64)
    letters = np.frombuffer(text, np.uint8)
    _replay(letters, np.array(game, np.int64), blind_level, state, memory, facts, trace)


@kernel
def _replay(
    text: Any,
    game: Any,
    blind_level: int,
    state: Any,
    memory: Any,
    facts: BettingFacts,
    trace: ActionTrace,
) -> None:
    # The shared functions, compiled for arrays: text uint8 [character], all else int64.
    replay_all(text, game, blind_level, state, memory, facts, trace)
