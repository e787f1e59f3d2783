"""Two agents against the same opponents on the same deals: the difference of what they win.

Each hand of one match is paired with the hand of the other that has the same cards and the same
seat. What luck both shared is in neither difference, and neither is what an opponent does in both.
The differences of a deal, which a duplicate match plays in several seatings, are one sample.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import eq

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat.estimates import MBB, SeatedHand
from acpcbot.matches.intervals import interval, root_mean_square

HandKey = tuple[int, int]
"""The number of the log among those of its match, and the dealer's number of the hand."""


@dataclass(frozen=True, slots=True)
class Side:
    """One agent's *hands* of a match, the *keys* of these, and its *chips* by estimator, [hand]."""

    hands: Sequence[SeatedHand]
    keys: Sequence[HandKey]
    chips: Mapping[str, Floats]


@dataclass(frozen=True, slots=True)
class Difference:
    """By one estimator what the first agent won beyond the second, mbb a hand.

    ``first_mbb`` and ``second_mbb`` are what either won in the *num_hands* that both played.
    """

    name: str
    mean_mbb: float
    half_width_mbb: float
    first_mbb: float
    second_mbb: float
    num_hands: int
    num_deals: int


def differences(first: Side, second: Side) -> list[Difference]:
    """Return the difference by each estimator that applies to both sides.

    Hands that one match alone has are left out. Raises UsageError if there are none in both, if
    cards, seats or opponents differ, or if the games do.
    """
    pairs = _pairs(first, second)
    definition = first.hands[0].hand.betting.game.definition
    to_mbb = MBB / (definition.big_blind or 1)
    samples = np.array([first.hands[own].sample for own, _ in pairs])
    found = []
    for name in first.chips:
        if name not in second.chips:
            continue
        own, other = (
            side.chips[name][[pair[number] for pair in pairs]] * to_mbb
            for number, side in enumerate((first, second))
        )
        gains = own - other
        hand_rms = root_mean_square(_chip_gains(first, second, pairs) * to_mbb)
        found.append(
            Difference(
                name,
                float(gains.mean()),
                interval(gains - gains.mean(), samples, hand_rms).half_width,
                float(own.mean()),
                float(other.mean()),
                len(pairs),
                len(np.unique(samples)),
            )
        )
    return found


def _chip_gains(first: Side, second: Side, pairs: list[tuple[int, int]]) -> Floats:
    """Return the differences in chips as the logs have them, [pair]."""
    return np.array([first.hands[own].chips - second.hands[other].chips for own, other in pairs])


def _pairs(first: Side, second: Side) -> list[tuple[int, int]]:
    """Return the places of each hand that both sides have, in the one and in the other."""
    if first.hands and second.hands:
        games = [side.hands[0].hand.betting.game.definition for side in (first, second)]
        if games[0] != games[1]:
            raise UsageError(
                "the two matches are of different games", "compare matches of one game"
            )
    places = {key: place for place, key in enumerate(second.keys)}
    pairs = [(place, places[key]) for place, key in enumerate(first.keys) if key in places]
    if not pairs:
        raise UsageError(
            "the two matches have no hands with the same numbers",
            "play them with the same --game, --hands, --seed and --duplicate",
        )
    for own, other in pairs:
        _verify(first.hands[own], second.hands[other])
    return pairs


def _verify(own: SeatedHand, other: SeatedHand) -> None:
    """Raise UsageError unless the agents have the same cards, seat and opponents."""
    where = f"hand {own.place} of the first match and hand {other.place} of the second"
    same_board = all(map(eq, own.hand.board, other.hand.board))  # as far as both were dealt
    same_cards = own.hand.hole_cards == other.hand.hole_cards and same_board
    if not same_cards or own.hero != other.hero:
        raise UsageError(
            f"{where} have other cards or seats",
            "play both matches with the same --seed and --duplicate, the agents in the same place",
        )
    mine, theirs = (
        [name for seat, name in enumerate(hand.names) if seat != hand.hero] for hand in (own, other)
    )
    if mine != theirs:
        raise UsageError(
            f"{where} have different opponents, {', '.join(mine)} and {', '.join(theirs)}",
            "compare agents against the same ones",
        )
