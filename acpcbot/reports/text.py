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

NUM_DETAILED = 2
WIDTH = 110
# The chart has 169 rows: it is for the page and for JSON.
MAX_GROUPS = 15


def report_text(summary: Summary, names: Sequence[str] = ()) -> str:
    """The report, details for the players *names*, else for those who played most."""
    console = Console(file=StringIO(), width=WIDTH, color_system=None, highlight=False)
    with console.capture() as capture:
        console.print(headline(summary), markup=False)
        for part in _parts(summary, chosen_players(summary, names)):
            console.print(part if isinstance(part, str) else _rich(part), markup=False)
        console.print("± is a 95 % confidence interval", *summary.notes, sep="\n", markup=False)
    return "\n".join([line.rstrip() for line in capture.get().splitlines()]) + "\n"


def chosen_players(summary: Summary, names: Sequence[str]) -> list[PlayerSummary]:
    """The players *names*, or the first few; raises ``UsageError`` for one who is not there."""
    by_name = {player.name: player for player in summary.players}
    for name in names:
        if name not in by_name:
            raise UsageError(f"no player {name!r} in these logs", f"there are: {', '.join(by_name)}")
    return [by_name[name] for name in names] or summary.players[:NUM_DETAILED]


def _parts(summary: Summary, players: Sequence[PlayerSummary]) -> Iterator[Table | str]:
    yield result_table(summary)
    yield rate_table(players)
    for player in players:
        yield f"{player.name}\n"
        titles = [title for title, groups in player.groups.items() if len(groups) <= MAX_GROUPS]
        yield from group_tables(player, titles, summary.columns)
    yield pot_table(summary.pots, summary.unit_chips)


def _rich(table: Table) -> RichTable:
    found = RichTable(title=Text(table.title), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
    for number, heading in enumerate(table.headings):
        found.add_column(Text(heading), justify="right" if number else "left", overflow="fold")
    for row in table.rows:
        found.add_row(*map(Text, row))
    return found
