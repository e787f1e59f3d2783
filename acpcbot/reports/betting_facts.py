"""Counts of the actions in finished hands, by seat and street, and the actions one by one.

``replay_betting`` takes the betting of verified hands, end to end in one text, and returns the
actions of each different betting and these facts of each hand:

* counts  uint8 [hand, seat, street, count], see ``Count``;
* marks   bool [hand, seat, mark], see ``Mark``;
* reached int8 [hand, seat], the street on which the seat folded, or the hand's last one;
* spent   int64 [hand, seat], chips put in over the whole hand.

Hands with the same betting are counted once. Up to ``PLAIN_HANDS`` different ones are counted by
``betting_replay.py`` in plain Python; for more it is compiled (``betting_replay_kernel.py``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from acpcbot.arrays import Bytes, Ints
from acpcbot.poker.betting import game_vector
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.rules import STATE_LENGTH
from acpcbot.reports.betting_replay import (
    MEMORY_SIZE,
    NO_ACTION,
    ActionTrace,
    BettingFacts,
    empty_facts,
    empty_trace,
    replay_all,
)

# About two seconds in plain Python, less than it takes to compile.
PLAIN_HANDS = 10_000
STREET_CODE = 254
"""The code, among those of ``ActionTrace``, of a next street."""


@dataclass(frozen=True, slots=True)
class ReplayedBetting:
    """The betting of some hands, replayed: *facts* by hand, actions by different betting.

    *place* [hand] is the number of its betting. The steps of betting k are
    ``code[ends[k - 1]:ends[k]]``: actions as in ``ActionTrace``, or ``STREET_CODE``.
    """

    facts: BettingFacts
    place: Ints
    ends: Ints
    code: Bytes
    spent: Ints

    def __repr__(self) -> str:
        return f"ReplayedBetting({len(self.place):,} hands, {len(self.ends):,} different ones)"


def replay_betting(text: bytes, ends: Ints, definition: GameDefinition) -> ReplayedBetting:
    """Return the replayed hands of one game: *text* is their verified betting, cut at *ends*."""
    places: dict[bytes, int] = {}
    starts = [0, *ends.tolist()][:-1]
    pieces = [text[start:end] for start, end in zip(starts, ends.tolist(), strict=True)]
    place = np.array([places.setdefault(piece, len(places)) for piece in pieces], np.int64)
    facts, trace = _different_hands(list(places), definition)
    code = trace.code[:-1]
    code[np.frombuffer(b"".join(places), np.uint8) == ord("/")] = STREET_CODE
    kept = code != NO_ACTION
    sizes = np.array([len(piece) for piece in places], np.int64)
    return ReplayedBetting(
        BettingFacts(
            facts.counts[place], facts.marks[place], facts.reached[place], facts.spent[place]
        ),
        place,
        np.cumsum(kept)[np.cumsum(sizes) - 1],
        code[kept],
        trace.spent[:-1][kept],
    )


def _different_hands(
    pieces: list[bytes], definition: GameDefinition
) -> tuple[BettingFacts, ActionTrace]:
    """Return the facts and the actions of hands with the betting *pieces*."""
    num_hands = len(pieces)
    facts = empty_facts(num_hands, definition.num_players)
    text, game = b"".join(pieces) + b"\n", game_vector(definition)
    trace = empty_trace(len(text))
    blind_level = int(len(set(definition.blinds)) > 1)
    if num_hands <= PLAIN_HANDS:
        replay_all(text, game, blind_level, [0] * STATE_LENGTH, [0] * MEMORY_SIZE, facts, trace)
    else:
        from acpcbot.reports.betting_replay_kernel import replay_compiled

        replay_compiled(text, game, blind_level, facts, trace)
    return facts._replace(counts=facts.counts[:, :, : definition.num_streets]), trace
