"""Counts of the actions in finished hands, by seat and street.

``replay_facts`` takes the betting of verified hands, end to end in one text, and returns

* counts  uint8 [hand, seat, street, count], see ``Count``;
* marks   bool [hand, seat, mark], see ``Mark``;
* reached int8 [hand, seat], the street on which the seat folded, or the hand's last one;
* spent   int64 [hand, seat], chips put in over the whole hand.

Hands with the same betting are counted once. Up to ``PLAIN_HANDS`` different ones are counted by
``betting_replay.py`` in plain Python; for more it is compiled (``betting_replay_kernel.py``).
"""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import Ints
from acpcbot.poker.betting import game_vector
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.rules import STATE_LENGTH
from acpcbot.reports.betting_replay import MEMORY_SIZE, BettingFacts, empty_facts, replay_all

# About two seconds in plain Python, less than it takes to compile.
PLAIN_HANDS = 10_000


def replay_facts(text: bytes, ends: Ints, definition: GameDefinition) -> BettingFacts:
    """Return the facts of hands of one game: *text* is their verified betting, cut at *ends*."""
    places: dict[bytes, int] = {}
    starts = [0, *ends[:-1].tolist()]
    pieces = [text[start:end] for start, end in zip(starts, ends.tolist(), strict=True)]
    place = np.array([places.setdefault(piece, len(places)) for piece in pieces], np.int64)
    facts = _different_facts(list(places), definition)
    return BettingFacts(
        facts.counts[place], facts.marks[place], facts.reached[place], facts.spent[place]
    )


def _different_facts(pieces: list[bytes], definition: GameDefinition) -> BettingFacts:
    """Return the facts of hands with the betting *pieces*."""
    num_hands = len(pieces)
    facts = empty_facts(num_hands, definition.num_players)
    text, game = b"".join(pieces) + b"\n", game_vector(definition)
    blind_level = int(len(set(definition.blinds)) > 1)
    if num_hands <= PLAIN_HANDS:
        replay_all(text, game, blind_level, [0] * STATE_LENGTH, [0] * MEMORY_SIZE, facts)
    else:
        from acpcbot.reports.betting_replay_kernel import replay_compiled

        replay_compiled(text, game, blind_level, facts)
    return facts._replace(counts=facts.counts[:, :, : definition.num_streets])
