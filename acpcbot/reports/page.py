"""A report as one self-contained HTML page: style, script, plots and hands are within it.

Its sections are the result, the hands with a replayer, the players, and the biggest pots.
Its script shows one player at a time, and counts again over the hands that a reader chooses
(``page_data.py``); without it the page shows those with the most hands, over all hands. The page's content
security policy allows the style and the script that are in it, by their hashes, and nothing else.
All text of others is escaped. The first hands can be replayed, as many as the caller says, and the
biggest pots.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import Template

from acpcbot.arrays import Floats
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hand_classes import has_chart
from acpcbot.reports.groupings import CHART
from acpcbot.reports.hand_grid import embedded_json
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
from acpcbot.reports.page_data import hand_link, needs_line, page_data, replayed_hands
from acpcbot.reports.page_files import page_file, page_script, page_style, source_hash
from acpcbot.reports.plots import curve_plot, range_plot, range_scale
from acpcbot.reports.statistics import Rate
from acpcbot.reports.summary import CHIPS, Columns, PlayerSummary, Pot, Summary
from acpcbot.reports.tables import NOTHING, chips_text, headline, mean_text, rate_text, winners_text

SCRIPTS = (
    "texts.js",
    "columns.js",
    "view.js",
    "estimates.js",
    "drawing.js",
    "sections.js",
    "hand_list.js",
    "replayer.js",
    "stars.js",
    "page.js",
)
NUM_REPLAYED = 100_000
# Their drawings would make pages of many players large.
NUM_WITHOUT_SCRIPT = 4


def report_page(
    summary: Summary,
    table: HandTable,
    num_replayed: int = NUM_REPLAYED,
    further: Mapping[str, Floats] | None = None,
) -> str:
    """Return the page of *summary*; the first *num_replayed* hands of *table* can be replayed.

    Hands of the biggest pots come on top. At its end each hand shows the result of every seat, in
    chips and by *further*, which are ``seat_columns``.
    """
    style, script = page_style("page.css", "report.css"), page_script(*SCRIPTS)
    hands = replayed_hands(summary, table, num_replayed)
    return Template(page_file("page.html")).substitute(
        title=escaped(headline(summary)),
        style=style,
        style_hash=source_hash(style),
        script=script,
        script_hash=source_hash(script),
        summary=header(summary),
        players=joined(
            *[
                player_section(number, summary, table.definition)
                for number in range(min(NUM_WITHOUT_SCRIPT, len(summary.players)))
            ]
        ),
        pots=pot_section(summary, table),
        unseen=escaped(_unseen_text(len(summary.players))),
        replayed=escaped(_replayed_text(len(hands), table.num_hands)),
        data=embedded_json(page_data(summary, table, hands, further or {})),
    )


def _replayed_text(num_shown: int, num_hands: int) -> str:
    if num_shown == num_hands:
        return ""
    return (
        f"{num_shown:,} of {num_hands:,} hands can be replayed:"
        " the first ones, and the biggest pots."
    )


def _unseen_text(num_players: int) -> str:
    if num_players <= NUM_WITHOUT_SCRIPT:
        return "Without its script the page has no hands."
    return (
        f"Without its script the page has no hands, and only {NUM_WITHOUT_SCRIPT} of"
        f" {num_players} players."
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


def player_section(number: int, summary: Summary, definition: GameDefinition) -> Markup:
    """Return the section of player *number*: curves, statistics and winnings by group."""
    player = summary.players[number]
    won = f"{mean_text(player.total[CHIPS])} mbb/hand over {player.num_hands:,} hands"
    return element(
        "section",
        element("h2", escaped(player.name)),
        element("p", escaped(won), class_="lead won-over"),
        element(
            "div",
            _block("Big blinds won, over hands", _curves(player, summary), "curves"),
            _block("Statistics", _rates(player.rates), "rates"),
            *_groups(number, summary, definition),
            class_="blocks wide" if len(summary.columns) > 1 else "blocks",
        ),
        class_="player",
    )


def _block(title: str, content: Markup, kind: str) -> Markup:
    return element("div", element("h3", escaped(title)), content, class_=f"block {kind}")


def _curves(player: PlayerSummary, summary: Summary) -> Markup:
    key = [
        joined(element("span", class_=f"key curve{number}"), escaped(f" {name} "))
        for number, name in enumerate(player.curves)
    ]
    key.append(joined(element("span", class_="key band"), escaped(f" 95 % interval of {CHIPS}")))
    return element(
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
        if title == CHART and has_chart(definition):
            yield _block(f"By {title}", element("figure"), "group")
        else:
            yield _block(f"By {title}", _winnings_table(title, groups, summary.columns), "group")


def pot_section(summary: Summary, table: HandTable) -> Markup:
    """Return the table of the biggest pots, with links into the replayer."""
    numbers = [head_cell(name, "number") for name in ("chips", "big blinds")]
    heading = [head_cell("hand"), *numbers, head_cell("won"), head_cell("line", "meaning")]
    by_line = needs_line(table)
    links = [hand_link(table, pot.hand, by_line=by_line) for pot in summary.pots]
    rows = [
        _pot(pot, link, summary.unit_chips) for pot, link in zip(summary.pots, links, strict=True)
    ]
    return page_table(heading, rows)


def _pot(pot: Pot, link: str, unit_chips: int) -> Markup:
    return element(
        "tr",
        element("th", element("a", escaped(f"hand {pot.hand_id}"), href=link), scope="row"),
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
        head_cell("hands", "number"),
        head_cell("chips", "number chips"),
        *[head_cell(name, "number") for name in means],
        head_cell(""),
    ]
    lines = [
        element(
            "tr",
            element("th", escaped(label), scope="row"),
            number_cell(f"{row[CHIPS].num_hands:,}"),
            element("td", escaped(chips_text(row[CHIPS].chips)), class_="number chips"),
            *[number_cell(mean_text(row[name])) for name in columns],
            element("td", range_plot(row[columns[-1]], scale), class_="drawn"),
        )
        for label, row in rows.items()
    ]
    return page_table(heading, lines)
