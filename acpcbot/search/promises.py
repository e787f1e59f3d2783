"""What the opponent is promised in a subgame: what he had in the solution before."""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.search.solution import Solution, Step
from acpcbot.search.subgame import Spot, board_at


def promised(solution: Solution, root: Spot, seat: int, own_range: Floats, *, with_gifts: bool) -> Floats | None:
    """Counterfactual values of the opponent's hands at *root*, [hand], in chips, against the *own_range* of *seat*.

    Where his last bet is not in the *solution*, they are those of the decision before it. *with_gifts* he
    may win back what he gave away since. None where the solution does not get there, as where it ended with a street:
    what a hand was worth over all cards that could follow says little of one of them.
    """
    other, steps = 1 - seat, list(solution.steps(root.betting))
    node, betting = solution.node(root.betting), root.betting
    if node < 0 and steps and steps[-1].before.actor == other and steps[-1].before.street == root.betting.street:
        node, betting = steps[-1].node, steps[-1].before
    if node < 0:
        return None
    board = board_at(betting, root.board)
    reach = solution.reach(node, board, seat).sum()
    if reach == 0:
        return None
    values = solution.values(node, board, other)
    if with_gifts:
        values = values + _gifts(solution, steps, root, other)
    found: Floats = values * (own_range.sum() / reach)
    return found


def _gifts(solution: Solution, steps: list[Step], root: Spot, other: int) -> Floats:
    """What each hand of *other* lost by what was done, beside going on as the solution does, [hand]."""
    given = np.zeros(solution.ranges.shape[1])
    for step in steps:
        if step.before.actor == other and step.node >= 0:
            given += np.maximum(_lost(solution, step, root, other), 0.0)
    return given


def _lost(solution: Solution, step: Step, root: Spot, other: int) -> Floats:
    board, after = board_at(step.before, root.board), step.before.apply(step.action)
    node = solution.node(after)
    if node < 0 or after.street != step.before.street:
        return np.zeros(solution.ranges.shape[1])
    lost: Floats = solution.values(step.node, board, other) - solution.values(node, board, other)
    return lost
