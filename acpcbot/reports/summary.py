"""The summary of a report as values, from which its text, its JSON and its page are made.

Winnings come in columns: ``CHIPS`` as they were, ``ALL_IN`` with all-ins averaged over their boards
if that was computed, and the columns that the caller adds, such as AIVAT, each in chips and under
its own name. They are means with 95 % confidence intervals (``acpcbot.matches.intervals``).

The unit of an interval is the deal: hands of one deal are summed before anything is squared. For
deals of one size this is the interval of the mean over deals, as ``acpcbot.matches.score`` has it;
for others it is that of a ratio of two sums over deals.

A bankroll curve has its points after whole deals, so that in a duplicate match all seatings of a
deal count at once. The band around it is that of its mean: at the last point it is the interval of
the whole result, and before that the part that the deals so far contribute to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.matches.intervals import NUM_ADDED, interval, root_mean_square
from acpcbot.reports.duplicates import deal_numbers
from acpcbot.reports.groupings import Grouping, groupings
from acpcbot.reports.hands import HandTable
from acpcbot.reports.statistics import Measure, Rate, measures, rates

CHIPS, ALL_IN = "chips", "all-in adjusted"
MILLI = 1000.0
NUM_POTS = 10
MAX_POINTS = 300


@dataclass(frozen=True, slots=True)
class Winnings:
    """Winnings in some hands; *half_width_mbb* is infinite for a single deal."""

    num_hands: int
    chips: float
    mean_mbb: float
    half_width_mbb: float


Columns = dict[str, Winnings]


@dataclass(frozen=True, slots=True)
class Curve:
    """A bankroll curve: points from 0 to the last deal, thinned to ``MAX_POINTS``."""

    num_hands: tuple[int, ...]
    chips: tuple[float, ...]
    half_width_chips: tuple[float, ...]

    def __repr__(self) -> str:
        return (
            f"Curve({len(self.num_hands)} points, {self.num_hands[-1]:,} hands,"
            f" {self.chips[-1]:+,.10g} chips)"
        )


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """The results and statistics of one player.

    *total* and *curves* are by column, *groups* by grouping, group and column.
    """

    name: str
    total: Columns
    groups: dict[str, dict[str, Columns]]
    rates: list[Rate]
    curves: dict[str, Curve]

    def __repr__(self) -> str:
        found = self.total[CHIPS]
        return (
            f"PlayerSummary({self.name!r}: {found.num_hands:,} hands,"
            f" {found.mean_mbb:+,.1f} ± {found.half_width_mbb:,.1f} mbb a hand)"
        )

    @property
    def num_hands(self) -> int:
        """The number of hands played; a hand with two seats counts twice."""
        return self.total[CHIPS].num_hands


@dataclass(frozen=True, slots=True)
class Pot:
    """A pot of *chips*, uncalled ones left out, with its place in the logs and its winners."""

    hand: int
    source: str
    line_number: int
    hand_id: int
    chips: int
    won_chips: dict[str, float]


@dataclass(frozen=True, slots=True)
class Summary:
    """A whole report; players by falling number of hands, then of chips."""

    game_name: str
    unit_chips: int
    sources: tuple[str, ...]
    num_hands: int
    num_deals: int
    columns: tuple[str, ...]
    players: list[PlayerSummary]
    pots: list[Pot]
    notes: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        return (
            f"Summary({self.game_name}: {self.num_hands:,} hands, {self.num_deals:,} deals,"
            f" {len(self.players)} players, {len(self.sources)} logs)"
        )

    @property
    def is_duplicate(self) -> bool:
        """True if some deals were played more than once."""
        return self.num_deals < self.num_hands


def summarise(
    table: HandTable,
    *,
    all_in_chips: Floats | None = None,
    extra_columns: Mapping[str, Floats] | None = None,
    notes: list[str] | None = None,
) -> Summary:
    """Return the summary of *table*.

    *all_in_chips* is [hand, seat]. *extra_columns* are chips computed elsewhere, [hand, player] in
    the order of the table, NaN where there is no value.
    """
    columns = {CHIPS: table.chips, **seat_columns(table, all_in_chips, extra_columns or {})}
    deal = deal_numbers(table)
    ways, counted = groupings(table), measures(table)
    players = [
        _player(table, number, columns, deal, ways, counted) for number in range(len(table.players))
    ]
    return Summary(
        game_name=table.game_name,
        unit_chips=table.unit_chips,
        sources=table.source_names,
        num_hands=table.num_hands,
        num_deals=int(deal.max()) + 1,
        columns=tuple(columns),
        players=sorted(
            players, key=lambda player: (-player.num_hands, -player.total[CHIPS].chips, player.name)
        ),
        pots=_biggest_pots(table),
        notes=notes or [],
    )


def seat_columns(
    table: HandTable, all_in_chips: Floats | None, extra_columns: Mapping[str, Floats]
) -> dict[str, Floats]:
    """Return all columns but ``CHIPS``, [hand, seat], from what ``summarise`` takes."""
    found = {} if all_in_chips is None else {ALL_IN: all_in_chips}
    return found | {
        name: np.take_along_axis(values, table.player, axis=1)
        for name, values in extra_columns.items()
    }


def _player(
    table: HandTable,
    number: int,
    columns: Mapping[str, Floats],
    deal: Ints,
    ways: list[Grouping],
    counted: Mapping[str, Measure],
) -> PlayerSummary:
    rows = table.player == number
    deals = np.broadcast_to(deal[:, None], rows.shape)[rows]
    chips = {name: values[rows] for name, values in columns.items()}
    # A player with two seats of a hand wins the sum of both: nothing from itself.
    by_hand = np.where(rows, table.chips, 0.0).sum(axis=1)
    plain = np.broadcast_to(by_hand[:, None], rows.shape)[rows]
    return PlayerSummary(
        name=table.players[number],
        total={
            name: winnings(values, deals, table.unit_chips, plain) for name, values in chips.items()
        },
        groups={
            way.title: _groups(way, rows, chips, deals, table.unit_chips, plain) for way in ways
        },
        rates=rates(table, counted, rows),
        curves={name: bankroll_curve(values, deals, plain) for name, values in chips.items()},
    )


def _groups(
    way: Grouping,
    rows: np.ndarray,
    chips: Mapping[str, Floats],
    deals: Ints,
    unit_chips: int,
    plain: Floats,
) -> dict[str, Columns]:
    numbers = way.number[rows]
    by_column = {
        name: grouped_winnings(values, deals, numbers, unit_chips, plain)
        for name, values in chips.items()
    }
    return {
        way.labels[number]: {name: found[number] for name, found in by_column.items()}
        for number in by_column[CHIPS]
    }


def _biggest_pots(table: HandTable) -> list[Pot]:
    order = np.argsort(-table.pot_chips, kind="stable")[:NUM_POTS]
    return [_pot(table, hand) for hand in order.tolist()]


def _pot(table: HandTable, hand: int) -> Pot:
    won: dict[str, float] = {}
    for player, chips in zip(table.player[hand].tolist(), table.chips[hand].tolist(), strict=True):
        won[table.players[player]] = won.get(table.players[player], 0.0) + chips
    return Pot(
        hand=hand,
        source=table.source_names[int(table.source[hand])],
        line_number=int(table.line_number[hand]),
        hand_id=int(table.hand_id[hand]),
        chips=int(table.pot_chips[hand]),
        won_chips={name: chips for name, chips in won.items() if chips},
    )


def winnings(chips: Floats, deal: Ints, unit_chips: int, plain_chips: Floats) -> Winnings:
    """Return the winnings in rows of *chips*, each of a *deal*; rows that are NaN do not count.

    *plain_chips* are those that the player won in each row's hand, without variance reduction.
    """
    known = ~np.isnan(chips)
    chips, deal, hand_rms = chips[known], deal[known], root_mean_square(plain_chips[known])
    if not len(chips):
        return Winnings(0, 0.0, 0.0, np.inf)
    mean = chips.sum() / len(chips)
    to_mbb = MILLI / unit_chips
    half_width = interval(chips - mean, deal, hand_rms).half_width
    return Winnings(
        len(chips), float(chips.sum()), float(mean * to_mbb), float(half_width * to_mbb)
    )


def grouped_winnings(
    chips: Floats, deal: Ints, group: Ints, unit_chips: int, plain_chips: Floats
) -> dict[int, Winnings]:
    """Return the winnings in each *group* that occurs, by rising number."""
    order = np.argsort(group, kind="stable")
    numbers, starts = np.unique(group[order], return_index=True)
    parts = zip(numbers.tolist(), np.split(order, starts[1:]), strict=True)
    return {
        number: winnings(chips[rows], deal[rows], unit_chips, plain_chips[rows])
        for number, rows in parts
    }


def bankroll_curve(chips: Floats, deal: Ints, plain_chips: Floats) -> Curve:
    """Return the curve of rows of *chips*, each of a *deal*.

    Rows that are NaN do not count; *plain_chips* as in winnings.
    """
    known = ~np.isnan(chips)
    chips, deal, hand_rms = chips[known], deal[known], root_mean_square(plain_chips[known])
    _, place = np.unique(deal, return_inverse=True)
    sizes = np.bincount(place)
    mean = chips.mean() if len(chips) else 0.0
    # The interval of a single deal is not known: no band.
    whole = (
        interval(chips - mean, deal, hand_rms).half_width * len(chips) if len(sizes) > 1 else 0.0
    )
    # Without rows bincount returns whole numbers in spite of its weights.
    squares = np.cumsum(np.square(np.bincount(place, weights=chips - mean).astype(np.float64)))
    # The hand that intervals add to every sample belongs to all deals alike.
    squares += NUM_ADDED * hand_rms**2 * np.arange(1, len(sizes) + 1) / max(len(sizes), 1)
    half_width = whole * np.sqrt(squares / squares[-1]) if whole else np.zeros(len(sizes))
    at = np.unique(np.linspace(0, len(sizes), min(MAX_POINTS, len(sizes) + 1)).astype(np.int64))
    return Curve(
        tuple(_from_zero(np.cumsum(sizes))[at].astype(int).tolist()),
        tuple(_from_zero(np.cumsum(np.bincount(place, weights=chips)))[at].tolist()),
        tuple(_from_zero(half_width)[at].tolist()),
    )


def _from_zero(values: Floats) -> Floats:
    return np.concatenate(([0.0], values))
