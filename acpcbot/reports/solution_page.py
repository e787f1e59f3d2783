"""A solved game as one HTML page that asks nobody for anything, and needs no script.

Every decision of the street is a section; links lead from action to action, and the style shows the
section that was followed to. All text is escaped, and the page's policy allows its own style only.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import Template

from acpcbot.cards.deck import format_cards
from acpcbot.poker.definition import STREET_NAMES
from acpcbot.poker.hand_classes import has_chart
from acpcbot.reports.markup import Markup, element, escaped, joined
from acpcbot.reports.page import page_file, source_hash
from acpcbot.reports.page_tables import head_cell, number_cell, page_table
from acpcbot.reports.solution_chart import action_styles, solution_chart
from acpcbot.solvers.decision_classes import ClassRow, class_rows
from acpcbot.solvers.range_decisions import Decision, Solution

Words = tuple[str, ...]


def solution_page(solution: Solution, label: str) -> str:
    """The page."""
    style = page_file("page.css") + page_file("solution.css")
    names = {decision.place.words: f"d{number}" for number, decision in enumerate(solution.decisions)}
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
    heading = [head_cell(""), head_cell("wins, in chips", "number"), head_cell("in % of the pot", "number")]
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
        element("h1", escaped(label)), element("p", escaped(words), class_="lead"), page_table(heading, lines)
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
        element("figure", solution_chart(rows, decision.choices)) if is_chart else _classes(rows, decision.choices),
        class_="decision",
        id=names[decision.place.words],
    )


def _path(words: Words, names: dict[Words, str]) -> list[Markup]:
    """The way to a decision, each step of it that is on the page a link."""
    steps = [_link("start", names.get(()))]
    for length, word in enumerate(words, 1):
        steps += [escaped(" › "), _link(word, names.get(words[:length]))]
    return steps


def _link(text: str, name: str | None) -> Markup:
    return escaped(text) if name is None else element("a", escaped(text), href=f"#{name}")


def _actions(decision: Decision, names: dict[Words, str]) -> Markup:
    """What is done how often with all hands together, with links to what follows."""
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
    return element("div", page_table([head_cell("action"), head_cell("all hands", "number")], lines), class_="actions")


def _classes(rows: dict[str, ClassRow], choices: Sequence[str]) -> Markup:
    """A line for each class of a game without a chart."""
    heading = [head_cell("hand"), head_cell("held", "number"), *[head_cell(word, "number") for word in choices]]
    lines = [
        element(
            "tr",
            element("th", escaped(name), scope="row"),
            number_cell(f"{100 * row.weight:.1f} %"),
            *[number_cell(f"{100 * share:.1f} %") for share in row.probabilities.tolist()],
            number_cell(f"{row.ev_chips:+.2f}"),
        )
        for name, row in rows.items()
    ]
    return page_table([*heading, head_cell("EV", "number")], lines)
