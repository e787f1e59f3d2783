"""A solved game as one HTML page without script, and as JSON.

Page: every decision of the street is a section; links lead from action to action, and the style
shows the section that a link led to. All text is escaped, and the page's content security policy
allows its own style only. A decision's chart is SVG: cells of starting hands, coloured by the
probability of each action. All that one action colours is one path, so that a page with many charts
stays small.

JSON: every decision of the street with its hands in one list, those that a seat may hold;
``weights`` and ``ev_chips`` are by seat and hand, ``probabilities`` by hand and action. Numbers are
rounded to six decimals; missing values are null.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import isnan
from string import Template
from typing import Any

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.cards.deck import NUM_RANKS, format_cards
from acpcbot.poker.definition import STREET_NAMES
from acpcbot.poker.hand_classes import PAIR_SIZE, chart_cell, class_name, has_chart
from acpcbot.poker.hands import all_hands
from acpcbot.reports.markup import (
    Markup,
    element,
    escaped,
    head_cell,
    joined,
    number_cell,
    page_table,
)
from acpcbot.reports.page import page_file, source_hash
from acpcbot.reports.plots import CELL, plot
from acpcbot.subgames.solution import ClassRow, Decision, Solution, class_rows

Words = tuple[str, ...]
STYLES = {"fold": "fold", "check": "call", "call": "call"}
NUM_RAISE_STYLES = 4
GAP = 1
LEAST_SHARE = 0.005
FORMAT = 1
DECIMALS = 6


def solution_page(solution: Solution, label: str) -> str:
    """Return the HTML page of *solution*, titled *label*."""
    style = page_file("page.css") + page_file("solution.css")
    names = {
        decision.place.words: f"d{number}" for number, decision in enumerate(solution.decisions)
    }
    return Template(page_file("solution.html")).substitute(
        title=escaped(label),
        style=style,
        style_hash=source_hash(style),
        summary=_summary(solution, label),
        decisions=joined(*[_section(decision, names) for decision in solution.decisions]),
    )


def _summary(solution: Solution, label: str) -> Markup:
    found = f"{solution.exploitability_percent:.2g} % of the pot"
    words = f"{solution.progress.num_iterations:,} iterations, exploitable for {found}"
    heading = [
        head_cell(""),
        head_cell("wins, in chips", "number"),
        head_cell("in % of the pot", "number"),
    ]
    lines = [
        element(
            "tr",
            element("th", escaped(f"seat {seat}"), scope="row"),
            number_cell(f"{won:+,.2f}"),
            number_cell(f"{100 * won / solution.pot_chips:+.2f}"),
        )
        for seat, won in enumerate(solution.values_chips, 1)
    ]
    return joined(
        element("h1", escaped(label)),
        element("p", escaped(words), class_="lead"),
        page_table(heading, lines),
    )


def _section(decision: Decision, names: dict[Words, str]) -> Markup:
    betting, board = decision.place.betting, decision.place.board
    facts = [STREET_NAMES[betting.street], format_cards(board), f"pot {betting.pot:,}"]
    facts += [f"{betting.to_call:,} to call"] if betting.to_call else []
    rows = class_rows(decision)
    is_chart = has_chart(betting.game.definition)
    return element(
        "section",
        element("p", *_path(decision.place.words, names), class_="path"),
        element("h2", escaped(f"Seat {decision.seat + 1} to act")),
        element("p", escaped(" · ".join([fact for fact in facts if fact])), class_="lead"),
        _actions(decision, names),
        element("figure", solution_chart(rows, decision.choices))
        if is_chart
        else class_table(rows, decision.choices),
        class_="decision",
        id=names[decision.place.words],
    )


def _path(words: Words, names: dict[Words, str]) -> list[Markup]:
    """Return the path to a decision; its steps are links if they are on the page."""
    steps = [_link("start", names.get(()))]
    for length, word in enumerate(words, 1):
        steps += [escaped(" › "), _link(word, names.get(words[:length]))]
    return steps


def _link(text: str, name: str | None) -> Markup:
    return escaped(text) if name is None else element("a", escaped(text), href=f"#{name}")


def _actions(decision: Decision, names: dict[Words, str]) -> Markup:
    """Return the frequency of each action over all hands, with links to the next decisions."""
    choices, styles = decision.choices, action_styles(decision.choices)
    lines = [
        element(
            "tr",
            element(
                "th",
                element("span", class_=f"sample {style}"),
                _link(word, names.get((*decision.place.words, word))),
                scope="row",
            ),
            number_cell(f"{100 * share:.1f} %"),
        )
        for word, style, share in zip(choices, styles, decision.frequencies.tolist(), strict=True)
    ]
    return element(
        "div",
        page_table([head_cell("action"), head_cell("all hands", "number")], lines),
        class_="actions",
    )


def class_table(rows: Mapping[str, ClassRow], choices: Sequence[str]) -> Markup:
    """Return a table with a line for each class, for games without a chart."""
    heading = [
        head_cell("hand"),
        head_cell("held", "number"),
        *[head_cell(word, "number") for word in choices],
    ]
    lines = [
        element(
            "tr",
            element("th", escaped(name), scope="row"),
            number_cell(f"{100 * row.weight:.1f} %"),
            *[number_cell(f"{100 * share:.1f} %") for share in row.probabilities.tolist()],
            number_cell("" if isnan(row.ev_chips) else f"{row.ev_chips:+.2f}"),
        )
        for name, row in rows.items()
    ]
    return page_table([*heading, head_cell("EV", "number")], lines)


def action_styles(choices: Sequence[str]) -> list[str]:
    """Return the CSS class of each action: fold, call, and deeper colours for larger raises."""
    num_passive = sum(word in STYLES for word in choices)
    return [
        STYLES.get(word, f"raise{min(number - num_passive, NUM_RAISE_STYLES - 1)}")
        for number, word in enumerate(choices)
    ]


def solution_chart(rows: Mapping[str, ClassRow], choices: Sequence[str]) -> Markup:
    """Return the chart of a decision: aces first, suited hands above the diagonal.

    Each cell's title, which browsers show on hover, has its numbers.
    """
    places = {
        class_name(
            chart_cell(row=NUM_RANKS - 1 - line, column=NUM_RANKS - 1 - column), PAIR_SIZE
        ): (
            column * CELL,
            line * CELL,
        )
        for line in range(NUM_RANKS)
        for column in range(NUM_RANKS)
    }
    bars = [
        element(
            "path",
            class_=style,
            d="".join([_bar(row, number, places[name]) for name, row in rows.items()]),
        )
        for number, style in enumerate(action_styles(choices))
    ]
    cells = [_cell(name, place, rows.get(name), choices) for name, place in places.items()]
    size = NUM_RANKS * CELL
    words = "Action frequencies by starting hand"
    return plot(words, *bars, *cells, width=size, height=size, class_="chart")


def _bar(row: ClassRow, number: int, place: tuple[int, int]) -> str:
    """Return the part of a cell that action *number* colours."""
    share = float(row.probabilities[number])
    if share < LEAST_SHARE:
        return ""
    width = CELL - 2 * GAP
    start = place[0] + GAP + width * float(row.probabilities[:number].sum())
    return f"M{start:.1f} {place[1] + GAP}h{width * share:.1f}v{width}h{-width * share:.1f}z"


def _cell(
    name: str, place: tuple[int, int], row: ClassRow | None, choices: Sequence[str]
) -> Markup:
    x, y = place
    box = {"x": x + GAP, "y": y + GAP, "width": CELL - 2 * GAP, "height": CELL - 2 * GAP}
    label = element("text", escaped(name), x=x + CELL / 2, y=y + CELL / 2, text_anchor="middle")
    if row is None:
        return element("g", element("rect", class_="none", **box), label)
    ev = element(
        "text",
        escaped(_short(row.ev_chips)),
        class_="small",
        x=x + CELL / 2,
        y=y + CELL - 9,
        text_anchor="middle",
    )
    shares = [
        f"{word} {100 * share:.1f} %"
        for word, share in zip(choices, row.probabilities.tolist(), strict=True)
    ]
    known_ev = [] if isnan(row.ev_chips) else [f"EV {row.ev_chips:+,.2f}"]
    words = ", ".join([f"{name}: held {100 * row.weight:.2f} %", *shares, *known_ev])
    return element(
        "g", label, ev, element("rect", element("title", escaped(words)), class_="point", **box)
    )


def _short(chips: float) -> str:
    """Return a number short enough for a cell; zero has no sign."""
    if isnan(chips):
        return ""
    return f"{round(chips, 1) + 0.0:.1f}" if abs(chips) < 100 else f"{chips:.0f}"


def solution_json(solution: Solution, label: str) -> str:
    """Return *solution* as JSON, one line."""
    return (
        json.dumps(solution_data(solution, label), ensure_ascii=False, separators=(",", ":")) + "\n"
    )


def solution_data(solution: Solution, label: str) -> dict[str, Any]:
    """Return the values of the JSON file."""
    return {
        "format": FORMAT,
        "game": label,
        "pot_chips": solution.pot_chips,
        "num_iterations": solution.progress.num_iterations,
        "exploitability_chips": round(solution.progress.exploitability, DECIMALS),
        "exploitability_percent": round(solution.exploitability_percent, DECIMALS),
        "values_chips": _rounded(np.array(solution.values_chips)),
        "decisions": [_decision_data(decision) for decision in solution.decisions],
    }


def _decision_data(decision: Decision) -> dict[str, Any]:
    place = decision.place
    held = decision.weights.any(axis=0)
    cards = all_hands(place.betting.game.definition)[decision.hands[held]].tolist()
    return {
        "after": list(place.words),
        "street": STREET_NAMES[place.betting.street],
        "board": format_cards(place.board),
        "seat": decision.seat + 1,
        "pot_chips": place.betting.pot,
        "to_call_chips": place.betting.to_call,
        "actions": list(decision.choices),
        "frequencies": _rounded(decision.frequencies),
        "hands": [format_cards(hand) for hand in cards],
        "weights": _rounded(decision.weights[:, held]),
        "probabilities": _rounded(decision.probabilities[held]),
        "ev_chips": _rounded(decision.ev_chips[:, held]),
    }


def _rounded(numbers: Floats) -> Any:
    """Return the numbers as lists, None for those that are not numbers; zero has no sign."""
    found = (np.round(numbers, DECIMALS) + 0.0).astype(object)
    found[np.isnan(numbers)] = None
    return found.tolist()
