"""Groupings of (hand, seat) rows: by seat, street, showdown, hole cards and pot.

A grouping has a number for each row and a label for each number, so that groups of one grouping add
up to all rows. Hands of two cards from a full deck are grouped twice: by the 169 classes of the
starting-hand chart, and by the nine coarse ``GROUPS`` of these classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from acpcbot.arrays import Ints
from acpcbot.cards.deck import NUM_RANKS, RANKS
from acpcbot.poker.definition import STREET_NAMES, GameDefinition
from acpcbot.poker.hand_classes import NUM_CELLS, class_name, class_numbers, has_chart, num_classes
from acpcbot.poker.positions import names_blinds, position_names
from acpcbot.reports.betting_replay import Mark
from acpcbot.reports.hands import HandTable

CHART = "hand"
"""The title of the grouping by classes of hands, in hold'em those of the chart."""
POT_BOUNDS = (3, 6, 12, 25, 50, 100, 200)
GROUPS = (
    "pairs AA-TT",
    "pairs 99-22",
    "suited aces",
    "suited K-T",
    "suited neighbours",
    "suited others",
    "offsuit aces",
    "offsuit K-T",
    "offsuit others",
)
_TEN, _ACE = RANKS.index("T"), RANKS.index("A")


@dataclass(frozen=True, slots=True)
class Grouping:
    """A grouping of rows: *number* int64 [hand, seat] is the place in *labels* of each row."""

    title: str
    number: Ints
    labels: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Grouping(by {self.title}: {len(self.labels)} groups, {self.number.size:,} rows)"


def groupings(table: HandTable) -> list[Grouping]:
    """Return every grouping of the rows of *table*."""
    found = [_by_seat(table), _by_street(table), _by_showdown(table), *_by_cards(table)]
    return [*found, _by_pot(table)] if table.definition.has_blinds else found


def _by_seat(table: HandTable) -> Grouping:
    seats = np.arange(table.definition.num_players)
    return Grouping(
        "seat", np.broadcast_to(seats, table.chips.shape), seat_labels(table.definition)
    )


def seat_labels(definition: GameDefinition) -> tuple[str, ...]:
    """Return the seats' numbers, with the names of their positions where blinds make them."""
    labels = [str(seat + 1) for seat in range(definition.num_players)]
    if not names_blinds(definition):
        return tuple(labels)
    names = position_names(definition)
    return tuple([f"{label} {name}" for label, name in zip(labels, names, strict=True)])


def _by_street(table: HandTable) -> Grouping:
    labels = STREET_NAMES[: table.definition.num_streets]
    return Grouping("last street", table.facts.reached.astype(np.int64), labels)


def _by_showdown(table: HandTable) -> Grouping:
    shown = table.facts.marks[:, :, Mark.SHOWED_DOWN]
    return Grouping("showdown", np.where(shown, 0, 1), ("showdown", "no showdown"))


def _by_cards(table: HandTable) -> list[Grouping]:
    classes, size = class_numbers(table.hole_cards), table.definition.num_hole_cards
    by_class = Grouping(
        CHART, classes, tuple([class_name(number, size) for number in range(num_classes(size))])
    )
    if not has_chart(table.definition):
        return [by_class]
    return [Grouping("hand group", group_numbers(classes), GROUPS), by_class]


def _by_pot(table: HandTable) -> Grouping:
    number = np.searchsorted(np.array(POT_BOUNDS) * table.unit_chips, table.pot_chips, side="right")
    rows = np.broadcast_to(number[:, None], table.chips.shape)
    between = [f"{low} to {high} bb" for low, high in pairwise(POT_BOUNDS)]
    return Grouping(
        "pot", rows, (f"under {POT_BOUNDS[0]} bb", *between, f"{POT_BOUNDS[-1]} bb and more")
    )


def group_numbers(classes: Ints) -> Ints:
    """Return the group in ``GROUPS`` of each chart class."""
    group_of = np.array([_group(*divmod(number, NUM_RANKS)) for number in range(NUM_CELLS)])
    numbers: Ints = group_of[classes]
    return numbers


def _group(first: int, second: int) -> int:
    high, low = max(first, second), min(first, second)
    if first == second:
        return 0 if high >= _TEN else 1
    if first < second:
        return 6 if high == _ACE else 7 if low >= _TEN else 8
    if high == _ACE:
        return 2
    if low >= _TEN:
        return 3
    return 4 if high - low == 1 else 5
