"""Sums of costs: every decision once in each grouping, errors as of independent ones."""

from __future__ import annotations

import pytest

from acpcbot.evaluation.decisions.decision_costs import MOST_EXPENSIVE, sum_costs
from acpcbot.evaluation.decisions.judged_hands import NO_ANSWER, JudgedAction
from acpcbot.poker.actions import CALLING, FOLDING, Action, raising


def action(
    cost: float, *, street: int = 0, seat: int = 0, taken: Action = CALLING, half_width: float = 0
) -> JudgedAction:
    """A decision with this cost: the strategy folds, which is worth nothing."""
    return JudgedAction(
        0, street, seat, 3, 1, taken, (FOLDING,), (1.0,), (0.0,), -cost, half_width, half_width
    )


def test_every_decision_counts_once_in_each_grouping() -> None:
    """Catches costs that are counted twice or lost, and sizes of raises that are told apart."""
    hands = [
        [action(0.5), action(0.25, street=2, taken=raising(300))],
        [],
        [action(1.0, street=2, seat=1, taken=raising(700)), action(-0.5, seat=1)],
    ]
    found = sum_costs(hands)
    assert (found.total.num_decisions, found.total.cost_bb) == (4, 1.25)
    assert [(one.key, one.num_decisions, one.cost_bb) for one in found.by_street] == [
        (0, 2, 0.0),
        (2, 2, 1.25),
    ]
    assert [(one.key, one.cost_bb) for one in found.by_seat] == [(0, 0.75), (1, 0.5)]
    assert [(one.key, one.cost_bb) for one in found.by_kind] == [(1, 0.0), (2, 1.25)]
    assert [(one.hand_place, one.action.cost_bb) for one in found.most_expensive] == [
        (2, 1.0),
        (0, 0.5),
        (0, 0.25),
    ]


def test_only_costs_are_expensive() -> None:
    """Catches a list of spots that cost nothing, and one that is too long."""
    found = sum_costs([[action(cost / 10) for cost in range(-3, 9)]])
    assert len(found.most_expensive) == MOST_EXPENSIVE == 5
    assert [one.action.cost_bb for one in found.most_expensive] == [0.8, 0.7, 0.6, 0.5, 0.4]
    assert sum_costs([[action(0.0), action(-1.0)]]).most_expensive == ()


def test_errors_of_independent_decisions_add_up_in_squares() -> None:
    """Catches half widths that are added."""
    found = sum_costs([[action(1, half_width=3.0)], [action(1, half_width=4.0)]])
    assert found.total.half_width_bb == pytest.approx(5.0)


def test_decisions_without_an_answer_are_counted_apart() -> None:
    """Catches an unknown cost that counts as none."""
    silent = JudgedAction(0, 0, 0, 3, 1, CALLING, note=NO_ANSWER)
    found = sum_costs([[silent, action(0.5)]])
    assert (found.total.num_decisions, found.num_unjudged) == (1, 1)
