"""A solved game as a person reads it: values, and one decision with the whole range of who acts."""

from __future__ import annotations

from collections.abc import Iterator

from acpcbot.agents.range_text import chart_lines
from acpcbot.cards.deck import format_cards
from acpcbot.poker import rules
from acpcbot.poker.actions import Action
from acpcbot.poker.definition import STREET_NAMES
from acpcbot.poker.hand_classes import has_chart
from acpcbot.poker.hands import all_hands
from acpcbot.solvers.decision_classes import class_rows
from acpcbot.solvers.range_decisions import Decision, Solution

KINDS = {"fold": rules.FOLD, "check": rules.CALL, "call": rules.CALL}


def solution_text(solution: Solution, label: str, *, with_hands: bool = False, with_mbb: bool = False) -> str:
    """The values, and the first decision: a chart in hold'em, hand by hand in small games or where it is wished."""
    decision = solution.decisions[0]
    is_listed = with_hands or not has_chart(solution.game.definition)
    found = _hand_lines(decision) if is_listed else _chart(decision)
    lines = [label, *_value_lines(solution, with_mbb=with_mbb), "", *_heading(decision), "", *found]
    return "".join([f"{line}\n" for line in lines])


def _value_lines(solution: Solution, *, with_mbb: bool) -> Iterator[str]:
    progress, big_blind = solution.progress, solution.game.definition.big_blind
    found = f"{solution.exploitability_percent:.2g} % of the pot, {progress.exploitability:.2g} chips"
    yield f"{progress.num_iterations} iterations: exploitable for {found}"
    for seat, won in enumerate(solution.values_chips, 1):
        mbb = f", {_signed(1000 * won / big_blind)} mbb" if with_mbb else ""
        yield f"  seat {seat}  wins {_signed(won)} chips, {_signed(100 * won / solution.pot_chips)} % of the pot{mbb}"


def _signed(number: float) -> str:
    """Two decimals with a sign; nothing has a plus, whichever side of it rounding fell on."""
    return f"{round(number, 2) + 0.0:+.2f}"


def _heading(decision: Decision) -> Iterator[str]:
    place = decision.place
    board = f", board {format_cards(place.board)}" if place.board else ""
    if place.words:
        yield f"after {', '.join(place.words)}"
    to_call = f", {place.betting.to_call} to call" if place.betting.to_call else ""
    street, pot = STREET_NAMES[place.betting.street], f", pot {place.betting.pot}"
    yield f"{street}, seat {decision.seat + 1} to act{board}{pot}{to_call}"
    yield "  ".join(
        [f"{word} {100 * share:.1f} %" for word, share in zip(decision.choices, decision.frequencies, strict=True)]
    )


def _chart(decision: Decision) -> Iterator[str]:
    """The chart of hold'em, all bets and raises as one."""
    kinds = [KINDS.get(word, rules.RAISE) for word in decision.choices]
    first = decision.choices[kinds.index(rules.CALL)]
    names = {rules.FOLD: "fold", rules.CALL: first, rules.RAISE: "bet" if first == "check" else "raise"}
    found = {name: row.probabilities for name, row in class_rows(decision).items()}
    yield from (line.plain for line in chart_lines(found, list(map(Action, kinds)), names))


def _hand_lines(decision: Decision) -> Iterator[str]:
    """Each hand that may be held: how likely it is, what is done with it, what it brings in."""
    cards = all_hands(decision.place.betting.game.definition)[decision.hands].tolist()
    width = 2 * len(cards[0])
    yield "  ".join([f"{'hand':{max(4, width)}}", "    held", *[f"{word:>8}" for word in decision.choices], "      EV"])
    weights, ev_chips = decision.weights[decision.seat], decision.ev_chips[decision.seat]
    for hand, weight, row, ev in zip(cards, weights, decision.probabilities, ev_chips, strict=True):
        if weight:
            shares = [f"{share:{max(8, len(word))}.4f}" for word, share in zip(decision.choices, row, strict=True)]
            yield "  ".join([f"{format_cards(hand):{max(4, width)}}", f"{weight:8.6f}", *shares, f"{ev:+8.2f}"])
    yield "EV: the chips that a hand brings in from here on; folding brings 0"
