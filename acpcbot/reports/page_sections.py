"""The sections of the page: the result, what is known of each player, the biggest pots."""

from __future__ import annotations

from collections.abc import Iterator

from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hand_classes import has_chart
from acpcbot.reports.markup import Markup, element, escaped, joined
from acpcbot.reports.page_tables import head_cell, number_cell, page_table
from acpcbot.reports.plots import chart_plot, curve_plot, range_plot, range_scale
from acpcbot.reports.statistics import Rate
from acpcbot.reports.summary import CHIPS, Columns, PlayerSummary, Pot, Summary
from acpcbot.reports.tables import NOTHING, chips_text, mean_text, rate_text, winners_text

CHART = "hand"


def header(summary: Summary) -> Markup:
    """What was played, and the result."""
    words = [f"{summary.num_hands:,} hands", f"big blind {summary.unit_chips:,}"]
    if summary.is_duplicate:
        words.insert(1, f"{summary.num_deals:,} deals of a duplicate match")
    logs = element("details", element("summary", escaped(_logs_text(summary))), _list(summary.sources))
    notes = [element("p", escaped(note), class_="note") for note in summary.notes]
    title = element("h1", escaped(summary.game_name))
    return joined(title, element("p", escaped(" · ".join(words)), class_="lead"), logs, _result(summary), *notes)


def _logs_text(summary: Summary) -> str:
    return "1 log" if len(summary.sources) == 1 else f"{len(summary.sources):,} logs"


def _list(names: tuple[str, ...]) -> Markup:
    return element("ul", *[element("li", escaped(name)) for name in names])


def _result(summary: Summary) -> Markup:
    rows = {player.name: player.total for player in summary.players}
    return _winnings_table("player", rows, summary.columns)


def _winnings_table(title: str, rows: dict[str, Columns], columns: tuple[str, ...]) -> Markup:
    """Winnings with their intervals drawn on one scale."""
    scale = range_scale([row[columns[-1]] for row in rows.values()])
    means = ["mbb/hand" if name == CHIPS else name for name in columns]
    heading = [head_cell(title), *[head_cell(name, "number") for name in ("hands", "chips", *means)], head_cell("")]
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


def player_options(summary: Summary) -> Markup:
    """What the filter offers: everybody, or a section by its place."""
    everybody = element("option", escaped("everybody"), value="")
    names = [
        element("option", escaped(player.name), value=str(number)) for number, player in enumerate(summary.players)
    ]
    return joined(everybody, *names)


def player_section(player: PlayerSummary, summary: Summary, definition: GameDefinition) -> Markup:
    """Everything about one player."""
    won = f"{mean_text(player.total[CHIPS])} mbb/hand over {player.num_hands:,} hands"
    return element(
        "section",
        element("h2", escaped(player.name)),
        element("p", escaped(won), class_="lead"),
        *_curves(player, summary),
        element("h3", escaped("Statistics")),
        _rates(player.rates),
        *_groups(player, summary, definition),
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
    yield element("figure", curve_plot(player.curves, summary.unit_chips), element("figcaption", *key))


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
    heading = [head_cell(""), head_cell("rate", "number"), head_cell("count", "number"), head_cell("")]
    return page_table(heading, lines)


def _groups(player: PlayerSummary, summary: Summary, definition: GameDefinition) -> Iterator[Markup]:
    for title, groups in player.groups.items():
        yield element("h3", escaped(f"By {title}"))
        if title == CHART and has_chart(definition):
            yield element("figure", chart_plot({label: columns[CHIPS] for label, columns in groups.items()}))
            caption = "Big blinds won in a hand; suited hands stand above the diagonal."
            yield element("p", escaped(caption), class_="note")
        else:
            yield _winnings_table(title, groups, summary.columns)


def pot_section(summary: Summary) -> Markup:
    """The biggest pots, with links into the replayer."""
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
