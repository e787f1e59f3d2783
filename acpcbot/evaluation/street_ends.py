"""What is known when a street's betting ends and cards are still to come, as numbers to weigh.

With S the share of the pot that a hand wins if all who are still in check down, n how many
they are, and paid what the hero has put in, the hand is worth

    pot S - paid + room (weights . features)

to him: what he would win without further bets, and what these bring. ``room`` is how much
further bets can move, the pot or what the stacks leave of it. ``FEATURES`` are by his and
the others' hands, by who raised last on the street, and by who will act later on the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from acpcbot.arrays import Floats
from acpcbot.poker.betting import BettingState
from acpcbot.poker.rules import RAISE

NUM_RAISE_CLASSES = 3
"""Streets without a raise, with one, and with more have weights of their own."""
NUM_FEATURES = 8
MEAN_STRENGTH = 0.4
"""About what E[HS2] is in hands that go on, so that features say different things."""


@dataclass(frozen=True, slots=True)
class StreetEnd:
    """The betting when *street* is over, for every seat that is still in; chips.

    ``initiative`` and ``position`` are by seat and add up to nothing over those *staying*:
    who raised last on the street, and who acts later on the next one.
    """

    street: int
    raises: int
    staying: tuple[int, ...]
    pot: float
    room: float
    paid: tuple[int, ...]
    initiative: tuple[float, ...]
    position: tuple[float, ...]


def street_end(betting: BettingState) -> StreetEnd:
    """What *betting*, with which a street has begun whose cards are still to come, says of the one before."""
    street = betting.street - 1
    stacks = betting.game.definition.stacks
    staying = tuple([seat for seat, has_folded in enumerate(betting.folded) if not has_folded])
    raisers = [
        before.actor for before, action in betting.decisions() if before.street == street and action.kind == RAISE
    ]
    behind = sum([stacks[seat] - betting.spent[seat] for seat in staying])
    return StreetEnd(
        street,
        min(len(raisers), NUM_RAISE_CLASSES - 1),
        staying,
        float(betting.pot),
        float(min(betting.pot, behind)),
        betting.spent,
        _initiative(len(stacks), staying, raisers[-1:]),
        _position(len(stacks), staying, betting.game.definition.first_seats[betting.street]),
    )


def _initiative(num_seats: int, staying: Sequence[int], raiser: Sequence[int]) -> tuple[float, ...]:
    """1 for the last raiser if he is still in, shared as a loss by the others."""
    if not raiser or raiser[0] not in staying:
        return (0.0,) * num_seats
    return tuple([1.0 if seat == raiser[0] else -1.0 / (len(staying) - 1) for seat in range(num_seats)])


def _position(num_seats: int, staying: Sequence[int], first: int) -> tuple[float, ...]:
    """From -1 for who acts first to 1 for who acts last."""
    order = sorted(staying, key=lambda seat: (seat - first) % num_seats)
    places = {seat: 2.0 * place / (len(order) - 1) - 1.0 for place, seat in enumerate(order)}
    return tuple([places.get(seat, 0.0) for seat in range(num_seats)])


def features(end: StreetEnd, hero: int, share: Any, own: Any, rivals: Any) -> list[Any]:
    """The features of *hero*, who wins *share* of the pot with a hand of strength *own* against *rivals*' mean.

    Strengths are E[HS2] on the street's board; all three are numbers or arrays of one shape.
    """
    above, ahead, level = share - 1 / len(end.staying), own - rivals, own + rivals - 2 * MEAN_STRENGTH
    initiative, position = end.initiative[hero], end.position[hero]
    return [
        above,
        ahead,
        above * level,
        ahead * level,
        initiative * level,
        position * level,
        initiative + 0 * level,
        position + 0 * level,
    ]


def end_value(end: StreetEnd, hero: int, share: Any, own: Any, rivals: Any, weights: Floats) -> Any:
    """What the hand is worth to *hero*, chips; *weights* are [street, raise class, feature], the rest as above."""
    found = features(end, hero, share, own, rivals)
    further = sum(weight * feature for weight, feature in zip(weights[end.street, end.raises], found, strict=True))
    return end.pot * share - end.paid[hero] + end.room * further
