"""States of targets: a weighted sample represents all of them."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.games.game import Game, Target, make_target
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.liars_dice import LiarsDice
from acpcbot.random_kernels import seed_state
from acpcbot.tree_search import target_states
from acpcbot.tree_search.is_mcts import InfosetSearch
from acpcbot.tree_search.selection.uct import UCT
from acpcbot.tree_search.target_states import drawn_states, root_states, states_of

HIDDEN = Goofspiel(6, hides_bids=True, is_ascending=True, lowest_point=0)
DICE = LiarsDice(2, 3)


def targets() -> list[tuple[Game, Target]]:
    return [
        (HIDDEN, make_target(HIDDEN, [3, 2, 4, 0, 0, 3], 0)),
        (HIDDEN, make_target(HIDDEN, [3, 2, 4, 0], 2)),
        (DICE, make_target(DICE, [0, 1, 0, 0, 1], 1)),
    ]


@pytest.mark.parametrize("by_chance", [False, True])
@pytest.mark.parametrize("which", range(3))
def test_a_weighted_sample_has_the_probabilities_of_all_states(
    which: int, *, by_chance: bool
) -> None:
    """Catches walks that favour states behind few choices, and chance that is forgotten."""
    game, target = targets()[which]
    states, chances = states_of(game, target)
    exact = chances / chances.sum() if by_chance else np.full(len(states), 1 / len(states))
    drawn, weights = drawn_states(game, target, 40_000, seed_state(1), by_chance=by_chance)
    # Histories may lead to the same state: probabilities are added up.
    differences: dict[tuple[int, ...], float] = defaultdict(float)
    plain: dict[tuple[int, ...], float] = defaultdict(float)
    for found, shares in ((states, -exact), (drawn, weights / weights.sum())):
        for state, share in zip(found.tolist(), shares.tolist(), strict=True):
            differences[tuple(state)] += share
            plain[tuple(state)] += share if share < 0 else 1 / len(drawn)
    assert len(differences) > 5
    assert sum(map(abs, differences.values())) < 0.08
    if which == 0 and not by_chance:
        # Without weights it is not so.
        assert sum(map(abs, plain.values())) > 0.1


def test_targets_with_many_states_are_searched_from_a_sample(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    target = make_target(HIDDEN, [3, 2, 4, 0, 0, 3], 0)
    number = len(states_of(HIDDEN, target)[0])
    monkeypatch.setattr(target_states, "NUM_DRAWN", 3000)
    sizes = []
    for most in (number, number - 1):
        monkeypatch.setattr(target_states, "MOST_LISTED", most)
        states, limits = root_states(HIDDEN, target, seed_state(1), by_chance=False)
        assert (np.diff(limits) >= 0).all()
        assert limits[-1] == pytest.approx(1.0)
        sizes.append(len(states))
    assert sizes == [number, 3000]
    strategies = []
    for most in (number, number - 1):
        monkeypatch.setattr(target_states, "MOST_LISTED", most)
        search = InfosetSearch(HIDDEN, UCT(2.0), 1)
        search.begin(target)
        search.simulate(50_000)
        strategies.append(search.strategy(target.key))
    assert strategies[0] == pytest.approx(strategies[1], abs=0.15)
    with pytest.raises(UsageError, match=f"more than {number - 1:,} states"):
        states_of(HIDDEN, target, number - 1)
