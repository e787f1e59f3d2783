"""A report for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from acpcbot.errors import UsageError
from acpcbot.reports.summary import PlayerSummary, Summary
from acpcbot.reports.tables import Table, group_tables, headline, pot_table, rate_table, result_table

WIDTH = 110
# Statistics fit on a line for so many players, tables of groups are long: one player's are enough to begin with.
NUM_COMPARED, NUM_DETAILED = 3, 1
# The chart has 169 rows: it is for the page and for data.
MAX_GROUPS = 15


def report_text(summary: Summary, names: Sequence[str] = ()) -> str:
    """The report, with details for the players *names*, else for those who played most."""
    console = Console(file=StringIO(), width=WIDTH, color_system=None, highlight=False)
    with console.capture() as capture:
        for part in _parts(summary, names):
            console.print(part if isinstance(part, str) else _rich(part), markup=False)
    return "".join([f"{printable(line.rstrip())}\n" for line in capture.get().split("\n")[:-1]])


def printable(line: str) -> str:
    """*line* without the control characters that a name may hold, which a terminal would obey."""
    return "".join([letter if letter.isprintable() else "�" for letter in line])


def chosen_players(summary: Summary, names: Sequence[str], default: int) -> list[PlayerSummary]:
    """The players *names*, without any the first *default*; raises ``UsageError`` for one who is not there."""
    by_name = {player.name: player for player in summary.players}
    for name in names:
        if name not in by_name:
            raise UsageError(f"no player {name!r} in these logs", f"there are: {', '.join(by_name)}")
    return [by_name[name] for name in names] or summary.players[:default]


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
    found = RichTable(title=Text(table.title), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
    for number, heading in enumerate(table.headings):
        found.add_column(
            Text(heading), justify="right" if number and heading not in table.words else "left", overflow="fold"
        )
    for row in table.rows:
        found.add_row(*map(Text, row))
    return found
