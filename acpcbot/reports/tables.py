"""A report as text for the terminal, and its tables and numbers as text for other pages.

``report_text`` prints all of it; ``Table`` holds a title, a heading for each column and rows of
text before they are printed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from math import isfinite

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from acpcbot.errors import UsageError
from acpcbot.protocol.records import format_value
from acpcbot.reports.statistics import Rate
from acpcbot.reports.summary import CHIPS, PlayerSummary, Pot, Summary, Winnings

NOTHING = "–"
MILLI = 1000
WIDTH = 110
# Statistics of so many players fit on a line; tables of groups are long, so by default there are
# those of one player.
NUM_COMPARED, NUM_DETAILED = 3, 1
# The chart has 169 rows: it is for the page and for data.
MAX_GROUPS = 15


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text: rows have a name, then numbers, but for the columns in *words*."""

    title: str
    headings: tuple[str, ...]
    rows: list[tuple[str, ...]]
    words: frozenset[str] = frozenset()


def report_text(summary: Summary, names: Sequence[str] = ()) -> str:
    """Return the report, with details for the players *names*, else for those with most hands."""
    console = Console(file=StringIO(), width=WIDTH, color_system=None, highlight=False)
    with console.capture() as capture:
        for part in _parts(summary, names):
            console.print(part if isinstance(part, str) else _rich(part), markup=False)
    return "".join([f"{printable(line.rstrip())}\n" for line in capture.get().split("\n")[:-1]])


def _parts(summary: Summary, names: Sequence[str]) -> Iterator[Table | str]:
    yield f"{headline(summary)}\n"
    yield result_table(summary)
    yield rate_table(chosen_players(summary, names, NUM_COMPARED))
    detailed = chosen_players(summary, names, NUM_DETAILED)
    for player in detailed:
        titles = [title for title, groups in player.groups.items() if len(groups) <= MAX_GROUPS]
        yield from group_tables(player, titles, summary.columns)
    yield pot_table(summary.pots, summary.unit_chips)
    yield "\n".join(["± is a 95 % confidence interval", *summary.notes])
    if len(detailed) < len(summary.players) and not names:
        yield f"--player NAME shows the tables of others than {detailed[0].name}"


def _rich(table: Table) -> RichTable:
    found = RichTable(
        title=Text(table.title), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD
    )
    for number, heading in enumerate(table.headings):
        found.add_column(
            Text(heading),
            justify="right" if number and heading not in table.words else "left",
            overflow="fold",
        )
    for row in table.rows:
        found.add_row(*map(Text, row))
    return found


def printable(line: str) -> str:
    """Return *line* without control characters, which a terminal would obey."""
    return "".join([letter if letter.isprintable() else "�" for letter in line])


def chosen_players(summary: Summary, names: Sequence[str], default: int) -> list[PlayerSummary]:
    """Return the players *names*, or without names the first *default* ones.

    Raises ``UsageError`` for a name that is not in the logs.
    """
    by_name = {player.name: player for player in summary.players}
    for name in names:
        if name not in by_name:
            raise UsageError(
                f"no player {name!r} in these logs", f"players in them: {', '.join(by_name)}"
            )
    return [by_name[name] for name in names] or summary.players[:default]


def headline(summary: Summary) -> str:
    """Return one line about the report: the game and the numbers of hands, deals and logs."""
    logs = "1 log" if len(summary.sources) == 1 else f"{len(summary.sources):,} logs"
    kind = f", {summary.num_deals:,} deals of a duplicate match" if summary.is_duplicate else ""
    return f"{summary.game_name}: {summary.num_hands:,} hands{kind}, {logs}"


def result_table(summary: Summary) -> Table:
    """Return the winnings of all players, a column for each estimator."""
    means = [f"{name}, mbb/hand" if name != CHIPS else "mbb/hand" for name in summary.columns]
    rows = [
        (
            player.name,
            f"{player.num_hands:,}",
            chips_text(player.total[CHIPS].chips),
            *[mean_text(player.total[name]) for name in summary.columns],
        )
        for player in summary.players
    ]
    return Table("Result", ("player", "hands", "chips", *means), rows)


def group_tables(
    player: PlayerSummary, titles: Sequence[str], columns: Sequence[str]
) -> Iterator[Table]:
    """Yield the winnings of *player* by each grouping of *titles*."""
    means = [f"{name}, mbb/hand" if name != CHIPS else "mbb/hand" for name in columns]
    for title in titles:
        rows = [
            (
                label,
                f"{found[CHIPS].num_hands:,}",
                chips_text(found[CHIPS].chips),
                *[mean_text(found[name]) for name in columns],
            )
            for label, found in player.groups[title].items()
        ]
        yield Table(f"{player.name} by {title}", (title, "hands", "chips", *means), rows)


def rate_table(players: Sequence[PlayerSummary]) -> Table:
    """Return the statistics of *players*, a column each, with the counts."""
    rows = []
    for rates in zip(*[player.rates for player in players], strict=True):
        cells = [
            f"{rate_text(rate)}  {rate.count:,}/{rate.chances:,}" if rate.chances else NOTHING
            for rate in rates
        ]
        rows.append((rates[0].name, *cells))
    return Table(
        "Statistics", ("count of opportunities", *[player.name for player in players]), rows
    )


def pot_table(pots: Sequence[Pot], unit_chips: int) -> Table:
    """Return the biggest pots and who won them."""
    rows: list[tuple[str, ...]] = [
        (
            f"hand {pot.hand_id}",
            f"{pot.chips:,}",
            f"{pot.chips / unit_chips:,.1f}",
            winners_text(pot),
            f"{pot.source}:{pot.line_number}",
        )
        for pot in pots
    ]
    return Table(
        "Biggest pots",
        ("", "chips", "big blinds", "won", "line"),
        rows,
        words=frozenset(("won", "line")),
    )


def winners_text(pot: Pot) -> str:
    """Return the winners in the hand of *pot* and their winnings."""
    return (
        ", ".join(
            f"{name} {chips_text(chips)}" for name, chips in pot.won_chips.items() if chips > 0
        )
        or "split"
    )


def mean_text(found: Winnings) -> str:
    """Return a mean and its interval in mbb a hand."""
    if not found.num_hands:
        return NOTHING
    spread = f" ± {found.half_width_mbb:,.1f}" if isfinite(found.half_width_mbb) else ""
    return f"{found.mean_mbb:+,.1f}{spread}"


def chips_text(chips: float) -> str:
    """Return chips won or lost, to the hundredth.

    >>> chips_text(1500.5), chips_text(-20 / 3), chips_text(0)
    ('+1,500.5', '-6.67', '0')
    """
    whole, point, part = format_value(round(abs(chips), 2)).partition(".")
    sign = "+" if chips > 0 else "-" if chips < 0 else ""
    return f"{sign}{int(whole):,}{point}{part}"


def rate_text(rate: Rate) -> str:
    """Return a rate as text: a percentage, or a ratio with two decimals."""
    if rate.value is None:
        return NOTHING
    return f"{rate.value:.2f}" if rate.is_factor else f"{100 * rate.value:.1f} %"
