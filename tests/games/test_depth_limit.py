"""Games cut off at a depth limit: rock, paper, scissors as in the paper, and what must hold of
any.
"""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.arrays import Floats
from acpcbot.games.depth_limit import depth_limited_form
from acpcbot.games.generic_poker import LEDUC
from acpcbot.games.rock_paper_scissors import RPS_PLUS
from acpcbot.games.sequence_form import SequenceForm, sequence_form
from acpcbot.games.solvers.sequence_cfr import SequenceCFR
from tests.support.sequence_lp import value_by_lp

PAPER, SCISSORS = 1, 2
EQUILIBRIUM = np.array([0.4, 0.4, 0.2])


def rps() -> tuple[SequenceForm, np.ndarray]:
    """The game, and that seat 1's move lies behind the limit."""
    form = sequence_form(RPS_PLUS)
    return form, form.infoset_seats == 1


def replies(form: SequenceForm, *mixes: list[float] | np.ndarray) -> list[Floats]:
    """Strategies of seat 1."""
    found = []
    for mix in mixes:
        policy = form.normalised(np.zeros(form.num_slots))
        policy[form.first_slots[1] : form.first_slots[2]] = mix
        found.append(policy)
    return found


def solved(form: SequenceForm) -> Floats:
    """Return the strategy of seat 0's first decision in the solved game."""
    solver = SequenceCFR(form)
    solver.step(20_000)
    policy: Floats = solver.average_strategy()[form.first_slots[0] : form.first_slots[1]]
    return policy


def test_one_value_a_state_misses_the_equilibrium_and_values_to_choose_from_find_it() -> None:
    form, behind = rps()
    own = form.normalised(np.zeros(form.num_slots))
    single = depth_limited_form(form, behind, 1, replies(form, EQUILIBRIUM), own)
    # All of seat 0's moves are worth nothing: whatever it does is a solution, and it stays where it
    # began.
    assert np.abs(solved(single) - EQUILIBRIUM).max() > 0.1
    assert value_by_lp(single) == pytest.approx(0, abs=1e-9)
    choices = np.eye(3)
    multiple = depth_limited_form(form, behind, 1, replies(form, *choices), own)
    assert solved(multiple) == pytest.approx(EQUILIBRIUM, abs=1e-3)
    assert len(multiple.end_chances) == 9


def test_two_continuations_leave_a_way_open_that_a_third_closes() -> None:
    form, behind = rps()
    own = form.normalised(np.zeros(form.num_slots))
    two = depth_limited_form(form, behind, 1, replies(form, *np.eye(3)[:2]), own)
    assert value_by_lp(two) > 0.1
    three = depth_limited_form(form, behind, 1, replies(form, *np.eye(3)[:2], [0.2, 0.2, 0.6]), own)
    assert -1e-9 < value_by_lp(three) < value_by_lp(two)


def test_a_limit_behind_everything_changes_nothing() -> None:
    form = sequence_form(LEDUC)
    own = form.normalised(np.zeros(form.num_slots))
    nothing = np.zeros(len(form.infoset_keys), bool)
    for found, known in zip(depth_limited_form(form, nothing, 1, [own], own), form, strict=True):
        assert np.array_equal(found, known)


def test_with_an_equilibrium_as_the_only_continuation_the_value_is_still_the_games() -> None:
    """Catches chances or payoffs that are lost behind the limit: in Leduc, that of the flop."""
    form = sequence_form(LEDUC)
    solver = SequenceCFR(form)
    solver.step(3000)
    policy = solver.average_strategy()
    depth = np.zeros(len(form.infoset_keys), np.int64)
    for infoset in range(len(depth)):
        parent = form.parent_slots[infoset]
        if parent >= form.num_seats:
            depth[infoset] = depth[np.searchsorted(form.first_slots, parent, "right") - 1] + 1
    for least in (1, 2):
        cut = depth_limited_form(form, depth >= least, 1, [policy], policy)
        assert chance_of_all_ends(cut) == pytest.approx(1.0)
        assert value_by_lp(cut) == pytest.approx(-0.0856064241, abs=1e-3)


def chance_of_all_ends(form: SequenceForm) -> float:
    """If all actions are played alike."""
    policy, reach = form.normalised(np.zeros(form.num_slots)), np.ones(form.num_slots)
    for infoset in range(len(form.infoset_keys)):
        slots = slice(*form.first_slots[infoset : infoset + 2])
        reach[slots] = policy[slots] * reach[form.parent_slots[infoset]]
    return float((form.end_chances * reach[form.end_slots].prod(axis=1)).sum())
