"""A solved game as one HTML page, and as JSON.

Page: every decision of the street is a section, and behind them those that lead there; links lead
from action to action, and the style shows the section that a link led to. All text is escaped, and
the page's content security policy allows its own style and script only. The script draws the study
of a decision when it is shown, from data in the page, so that a page with many grids stays small.

JSON: every decision of the street with its hands in one list, those that a seat may hold;
``weights``, ``ev_chips`` and ``equities`` are by seat and hand, ``probabilities`` by hand and
action. ``follows`` says by action what comes next: a ``decision`` of this list, ``cards`` of the
board, or the ``end``. Numbers are rounded to six decimals; missing values are null, and equities
are missing where too many boards can follow to deal them all.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import isnan
from string import Template
from typing import Any

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.cards.deck import format_cards
from acpcbot.poker.definition import STREET_NAMES
from acpcbot.poker.hand_classes import class_name, class_numbers, has_chart
from acpcbot.poker.hands import all_hands
from acpcbot.reports.hand_grid import embedded_json, significant, word_fills
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
from acpcbot.reports.study_data import REACH_HELD, ActionValues, RangeView, equity_note, study_data
from acpcbot.subgames.block_rows import NUM_SEATS
from acpcbot.subgames.equities import decision_equities, has_exact_equities, range_equities
from acpcbot.subgames.solution import (
    ClassRow,
    Decision,
    Place,
    Solution,
    class_rows,
    leads_to_cards,
)

Words = tuple[str, ...]
FORMAT = 1
DECIMALS = 6
EQUITY_SEED = 0
"""Seed of the boards that are drawn for equities before the flop."""


def solution_page(solution: Solution, label: str) -> str:
    """Return the HTML page of *solution*, titled *label*."""
    style = page_style("page.css", "solution.css", "study_view.css")
    script = page_script("study_view.js", "solution.js")
    decisions = (*solution.decisions, *solution.path)
    names = {decision.place.words: f"d{number}" for number, decision in enumerate(decisions)}
    return Template(page_file("solution.html")).substitute(
        title=escaped(label),
        style=style,
        style_hash=source_hash(style),
        script=script,
        script_hash=source_hash(script),
        summary=_summary(solution, label),
        decisions=joined(
            *[_section(number, decision, names) for number, decision in enumerate(decisions)]
        ),
        data=embedded_json([decision_study(decision) for decision in decisions]),
    )


def decision_study(decision: Decision) -> dict[str, Any]:
    """Return a decision of a solved game as the page's ``StudyData``."""
    definition, betting = decision.place.betting.game.definition, decision.place.betting
    reaches = np.zeros((NUM_SEATS, len(all_hands(definition))))
    reaches[:, decision.hands] = decision.reaches
    found = range_equities(
        definition, decision.place.board, reaches, np.random.default_rng(EQUITY_SEED)
    )
    ranges = [
        RangeView(
            _seat_name(seat),
            decision.weights[seat],
            found.shares[seat, decision.hands],
            decision.ev_chips[seat],
        )
        for seat in (decision.seat, 1 - decision.seat)
    ]
    is_known = bool(np.isfinite(decision.action_ev_chips).any())
    return study_data(
        definition,
        decision.hands,
        ranges,
        decision.probabilities,
        ActionValues(decision.action_ev_chips) if is_known else None,
        pot_chips=betting.pot,
        reach_words=REACH_HELD,
        is_chart=has_chart(definition),
        notes=equity_note(found),
    ) | {"strategy": strategy_data(decision, class_rows(decision), _title(decision))}


def _seat_name(seat: int) -> str:
    return f"Seat {seat + 1}"


def strategy_data(decision: Decision, rows: Mapping[str, ClassRow], label: str) -> dict[str, Any]:
    """Return a decision of a solved game as the page's ``StrategyData``.

    The table of actions above the grid is its legend. The reach of a class is the mean probability
    that the actor holds one of its hands.
    """
    choices = decision.choices
    reaches = class_reaches(decision)
    return {
        "label": label,
        "actions": [
            {"text": word, "fill": fill}
            for word, fill in zip(choices, word_fills(choices), strict=True)
        ],
        "rows": {
            name: [*significant([reaches[name]]), *significant(row.probabilities)]
            for name, row in rows.items()
        },
        "facts": {name: _facts(row) for name, row in rows.items()},
        "small": {name: short_chips(row.ev_chips) for name, row in rows.items()},
    }


def class_reaches(decision: Decision) -> dict[str, float]:
    """Return for each class the mean weight of its hands that the board allows."""
    definition = decision.place.betting.game.definition
    numbers = class_numbers(all_hands(definition)[decision.hands])
    weights = decision.weights[decision.seat]
    return {
        class_name(number, definition.num_hole_cards): float(weights[numbers == number].mean())
        for number in np.unique(numbers).tolist()
    }


def _facts(row: ClassRow) -> str:
    held = f"held {100 * row.weight:.2f} %"
    return held if isnan(row.ev_chips) else f"{held}, EV {row.ev_chips:+,.2f}"


def short_chips(chips: float) -> str:
    """Return a number short enough for a cell; zero has no sign."""
    if isnan(chips):
        return ""
    return f"{round(chips, 1) + 0.0:.1f}" if abs(chips) < 100 else f"{chips:.0f}"


def _title(decision: Decision) -> str:
    return f"{_seat_name(decision.seat)} to act"


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


def _section(number: int, decision: Decision, names: dict[Words, str]) -> Markup:
    betting, board = decision.place.betting, decision.place.board
    facts = [STREET_NAMES[betting.street], format_cards(board), f"pot {betting.pot:,}"]
    facts += [f"{betting.to_call:,} to call"] if betting.to_call else []
    return element(
        "section",
        element("nav", _line(decision, names), aria_label="Betting so far"),
        element("h2", escaped(_title(decision))),
        element("p", escaped(" · ".join([fact for fact in facts if fact])), class_="lead"),
        _actions(decision, names),
        element("figure", data_study=str(number)),
        class_="decision",
        id=names[decision.place.words],
    )


def _line(decision: Decision, names: dict[Words, str]) -> Markup:
    """Return the betting up to a decision, step by step.

    Steps are links to the decisions after them, if these are on the page.
    """
    words, actors = decision.place.words, _actors(decision.place)
    items = [element("li", _link("start", names.get(()), is_here=not words))]
    for length, word in enumerate(words, 1):
        who = [element("span", escaped(f"{actors[length - 1]} "), class_="who")]
        link = _link(word, names.get(words[:length]), is_here=length == len(words))
        items.append(element("li", *(who if actors[length - 1] else []), link))
    return element("ol", *items, class_="line-so-far")


def _actors(place: Place) -> list[str]:
    """Return who acted with each word of the way to *place*; nobody with board cards."""
    # The betting of the game's root comes before the first word.
    num_actions = sum(word[0].islower() for word in place.words)
    taken = [before.actor for before, _ in place.betting.decisions()]
    actors = iter(taken[len(taken) - num_actions :])
    return [_seat_name(next(actors)) if word[0].islower() else "" for word in place.words]


def _link(text: str, name: str | None, *, is_here: bool = False) -> Markup:
    here = "step" if is_here else None
    if name is None:
        return element("span", escaped(text), aria_current=here)
    return element("a", escaped(text), href=f"#{name}", aria_current=here)


def _actions(decision: Decision, names: dict[Words, str]) -> Markup:
    """Return the frequency of each action over all hands, with links to the next decisions."""
    choices, styles = decision.choices, word_fills(decision.choices)
    lines = [
        element(
            "tr",
            element(
                "th",
                element("span", class_=f"sample fill-{style}"),
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
        "decisions": [
            _decision_data(decision, equities, leads_to_cards(solution.game, decision.place))
            for decision, equities in zip(
                solution.decisions, _equities(solution.decisions), strict=True
            )
        ],
    }


def _equities(decisions: Sequence[Decision]) -> Floats:
    """Return the equities [decision, seat, hand] at *decisions*, which are on one board.

    They are NaN before a flop of hold'em.
    """
    place = decisions[0].place
    if has_exact_equities(place.betting.game.definition, place.board):
        return decision_equities(decisions, np.random.default_rng(EQUITY_SEED)).shares
    return np.full((len(decisions), *decisions[0].ev_chips.shape), np.nan)


def _decision_data(
    decision: Decision, equities: Floats, to_cards: Mapping[str, bool]
) -> dict[str, Any]:
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
        "follows": [
            "end" if word not in to_cards else "cards" if to_cards[word] else "decision"
            for word in decision.choices
        ],
        "frequencies": _rounded(decision.frequencies),
        "hands": [format_cards(hand) for hand in cards],
        "weights": _rounded(decision.weights[:, held]),
        "probabilities": _rounded(decision.probabilities[held]),
        "ev_chips": _rounded(decision.ev_chips[:, held]),
        "equities": _rounded(equities[:, held]),
    }


def _rounded(numbers: Floats) -> Any:
    """Return the numbers as lists, None for those that are not numbers; zero has no sign."""
    found = (np.round(numbers, DECIMALS) + 0.0).astype(object)
    found[np.isnan(numbers)] = None
    return found.tolist()
