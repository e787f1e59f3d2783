"""A report as one self-contained HTML page: style, script, plots and hands are within it.

Its sections are the result, a hand replayer, the biggest pots and one for each player. The page's
content security policy allows the style and the script that are in it, by their hashes, and nothing
else. All text of others is escaped. The replayer has the first hands, as many as the caller says,
and the biggest pots.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import Template
from typing import Any

from acpcbot.arrays import Floats
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hand_classes import has_chart
from acpcbot.reports.hand_grid import embedded_json, winnings_data
from acpcbot.reports.hands import HandTable
from acpcbot.reports.markup import (
    Markup,
    element,
    escaped,
    head_cell,
    joined,
    number_cell,
    page_table,
)
from acpcbot.reports.page_files import page_file, page_script, page_style, source_hash
from acpcbot.reports.plots import curve_plot, range_plot, range_scale
from acpcbot.reports.replay import replay_data
from acpcbot.reports.statistics import Rate
from acpcbot.reports.summary import CHIPS, Columns, PlayerSummary, Pot, Summary
from acpcbot.reports.tables import NOTHING, chips_text, headline, mean_text, rate_text, winners_text

CHART = "hand"
NUM_REPLAYED = 5_000


def report_page(
    summary: Summary,
    table: HandTable,
    num_replayed: int = NUM_REPLAYED,
    further: Mapping[str, Floats] | None = None,
) -> str:
    """Return the page of *summary*; its replayer has the first *num_replayed* hands of *table*.

    Hands of the biggest pots come on top. At its end each hand shows the result of every seat, in
    chips and by *further*, which are ``seat_columns``.
    """
    style, script = page_style("page.css"), page_script("page.js")
    hands = sorted(
        {*range(min(num_replayed, table.num_hands)), *[pot.hand for pot in summary.pots]}
    )
    return Template(page_file("page.html")).substitute(
        title=escaped(headline(summary)),
        style=style,
        style_hash=source_hash(style),
        script=script,
        script_hash=source_hash(script),
        summary=header(summary),
        choice=player_options(summary),
        players=joined(
            *[
                player_section(number, summary, table.definition)
                for number in range(len(summary.players))
            ]
        ),
        pots=pot_section(summary),
        replayed=escaped(_replayed_text(len(hands), table.num_hands)),
        data=embedded_json(
            replay_data(table, hands, further or {}) | {"grids": _grids(summary, table.definition)}
        ),
    )


def _grids(summary: Summary, definition: GameDefinition) -> list[dict[str, Any]]:
    """Return the grid of starting hands of each player, in the order of their sections."""
    if not has_chart(definition):
        return []
    return [
        winnings_data({label: columns[CHIPS] for label, columns in player.groups[CHART].items()})
        for player in summary.players
    ]


def _replayed_text(num_shown: int, num_hands: int) -> str:
    if num_shown == num_hands:
        return f"All {num_hands:,} hands are on this page."
    return (
        f"{num_shown:,} of {num_hands:,} hands are on this page:"
        " the first ones, and the biggest pots."
    )


def header(summary: Summary) -> Markup:
    """Return the head of the page: the game, the logs and the result."""
    words = [f"{summary.num_hands:,} hands", f"big blind {summary.unit_chips:,}"]
    if summary.is_duplicate:
        words.insert(1, f"{summary.num_deals:,} deals of a duplicate match")
    logs = element(
        "details", element("summary", escaped(_logs_text(summary))), _list(summary.sources)
    )
    notes = [element("p", escaped(note), class_="note") for note in summary.notes]
    title = element("h1", escaped(summary.game_name))
    return joined(
        title,
        element("p", escaped(" · ".join(words)), class_="lead"),
        logs,
        _result(summary),
        *notes,
    )


def _logs_text(summary: Summary) -> str:
    return "1 log" if len(summary.sources) == 1 else f"{len(summary.sources):,} logs"


def _list(names: tuple[str, ...]) -> Markup:
    return element("ul", *[element("li", escaped(name)) for name in names])


def _result(summary: Summary) -> Markup:
    rows = {player.name: player.total for player in summary.players}
    return _winnings_table("player", rows, summary.columns)


def player_options(summary: Summary) -> Markup:
    """Return the options of the player filter: everybody, or one player's section."""
    everybody = element("option", escaped("everybody"), value="")
    names = [
        element("option", escaped(player.name), value=str(number))
        for number, player in enumerate(summary.players)
    ]
    return joined(everybody, *names)


def player_section(number: int, summary: Summary, definition: GameDefinition) -> Markup:
    """Return the section of player *number*: curves, statistics and winnings by group."""
    player = summary.players[number]
    won = f"{mean_text(player.total[CHIPS])} mbb/hand over {player.num_hands:,} hands"
    return element(
        "section",
        element("h2", escaped(player.name)),
        element("p", escaped(won), class_="lead"),
        *_curves(player, summary),
        element("h3", escaped("Statistics")),
        _rates(player.rates),
        *_groups(number, summary, definition),
        class_="player",
        data_player=player.name,
    )


def _curves(player: PlayerSummary, summary: Summary) -> Iterator[Markup]:
    key = [
        joined(element("span", class_=f"key curve{number}"), escaped(f" {name} "))
        for number, name in enumerate(player.curves)
    ]
    yield element("h3", escaped("Big blinds won, over hands"))
    key.append(joined(element("span", class_="key band"), escaped(f" 95 % interval of {CHIPS}")))
    yield element(
        "figure", curve_plot(player.curves, summary.unit_chips), element("figcaption", *key)
    )


def _rates(rates: list[Rate]) -> Markup:
    lines = [
        element(
            "tr",
            element("th", escaped(rate.name), scope="row", title=rate.meaning),
            number_cell(rate_text(rate)),
            number_cell(f"{rate.count:,}/{rate.chances:,}" if rate.chances else NOTHING),
            element("td", escaped(rate.meaning), class_="meaning"),
        )
        for rate in rates
    ]
    heading = [
        head_cell(""),
        head_cell("rate", "number"),
        head_cell("count", "number"),
        head_cell(""),
    ]
    return page_table(heading, lines)


def _groups(number: int, summary: Summary, definition: GameDefinition) -> Iterator[Markup]:
    for title, groups in summary.players[number].groups.items():
        yield element("h3", escaped(f"By {title}"))
        if title == CHART and has_chart(definition):
            yield element("figure", data_grid=str(number))
        else:
            yield _winnings_table(title, groups, summary.columns)


def pot_section(summary: Summary) -> Markup:
    """Return the table of the biggest pots, with links into the replayer."""
    numbers = [head_cell(name, "number") for name in ("chips", "big blinds")]
    heading = [head_cell("hand"), *numbers, head_cell("won"), head_cell("line")]
    return page_table(heading, [_pot(pot, summary.unit_chips) for pot in summary.pots])


def _pot(pot: Pot, unit_chips: int) -> Markup:
    link = element("a", escaped(f"hand {pot.hand_id}"), href=f"#hand-{pot.hand}")
    return element(
        "tr",
        element("th", link, scope="row"),
        number_cell(f"{pot.chips:,}"),
        number_cell(f"{pot.chips / unit_chips:,.1f}"),
        element("td", escaped(winners_text(pot))),
        element("td", escaped(f"{pot.source}:{pot.line_number}"), class_="meaning"),
    )


def _winnings_table(title: str, rows: dict[str, Columns], columns: tuple[str, ...]) -> Markup:
    """Return a table of winnings, their intervals drawn on one scale."""
    scale = range_scale([row[columns[-1]] for row in rows.values()])
    means = ["mbb/hand" if name == CHIPS else name for name in columns]
    heading = [
        head_cell(title),
        *[head_cell(name, "number") for name in ("hands", "chips", *means)],
        head_cell(""),
    ]
    lines = [
        element(
            "tr",
            element("th", escaped(label), scope="row"),
            number_cell(f"{row[CHIPS].num_hands:,}"),
            number_cell(chips_text(row[CHIPS].chips)),
            *[number_cell(mean_text(row[name])) for name in columns],
            element("td", range_plot(row[columns[-1]], scale), class_="drawn"),
        )
        for label, row in rows.items()
    ]
    return page_table(heading, lines)
