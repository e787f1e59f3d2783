"""CFR over sequences: equilibria of games that are no poker, and the laws of learning.

That its iterations are those of vector CFR is tested in tests/games/test_betting_engine.py.
"""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.arrays import Floats
from acpcbot.games.game import Game
from acpcbot.games.generic_poker import LEDUC
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.kuhn import Kuhn
from acpcbot.games.liars_dice import LiarsDice
from acpcbot.games.solvers.sequence_cfr import SequenceCFR
from acpcbot.regret_matching import CFR, CFR_PLUS, DCFR, LINEAR_CFR, DiscountSettings
from tests.support.research_games import form_of, respond, uniform

PRESETS = {"cfr": CFR, "cfr+": CFR_PLUS, "linear": LINEAR_CFR, "dcfr": DCFR}

BOUNDS: list[tuple[Game, str, int, float]] = [
    (Kuhn(2), "cfr+", 10_000, 1e-4),
    (Kuhn(3), "dcfr", 10_000, 1e-6),
    (LEDUC, "dcfr", 3_000, 1e-4),
    (LEDUC, "cfr", 3_000, 5e-2),
    (LiarsDice(1, 4), "cfr+", 2_000, 1e-4),
    (LiarsDice(1, 4), "linear", 2_000, 1e-3),
    (Goofspiel(4, hides_bids=True, is_ascending=True), "dcfr", 3_000, 1e-6),
    (Goofspiel(4, pays_points=True), "dcfr", 1_000, 1e-2),
]
"""A game, a learner, its iterations, and the NashConv that it promises to have reached."""


def learnt(game: Game, settings: DiscountSettings, num_iterations: int) -> Floats:
    solver = SequenceCFR(form_of(game), settings)
    solver.step(num_iterations)
    return solver.average_strategy()


@pytest.mark.parametrize(("game", "name", "num_iterations", "bound"), BOUNDS, ids=str)
def test_no_equilibrium_is_missed_nor_found_by_hardly_learning(
    game: Game, name: str, num_iterations: int, bound: float
) -> None:
    assert respond(game, learnt(game, PRESETS[name], num_iterations)).nash_conv <= bound
    assert respond(game, learnt(game, PRESETS[name], num_iterations // 100)).nash_conv > bound
    assert respond(game, uniform(form_of(game))).nash_conv > 2 * bound


@pytest.mark.parametrize("name", PRESETS)
def test_learning_in_pieces_is_learning_at_once(name: str) -> None:
    pieces, again = (SequenceCFR(form_of(LEDUC), PRESETS[name]) for _ in range(2))
    pieces.step(7)
    for array, values in pieces.arrays.items():
        again.arrays[array][:] = values
    again.step(13)
    assert again.average_strategy().tolist() == learnt(LEDUC, PRESETS[name], 20).tolist()


@pytest.mark.parametrize("name", PRESETS)
def test_strategies_are_probabilities_before_and_after_learning(name: str) -> None:
    form = form_of(LEDUC)
    solver = SequenceCFR(form, PRESETS[name])
    assert (solver.average_strategy() == uniform(form)).all()
    solver.step(50)
    for policy in (solver.average_strategy(), solver.current_strategy()):
        assert policy.min() >= 0
        assert np.add.reduceat(policy, form.first_slots[:-1]) == pytest.approx(1, abs=1e-12)
        assert policy[:2].tolist() == [1, 1]


def test_the_average_is_weighted_with_what_the_seat_itself_does() -> None:
    # After two iterations of plain CFR: the sum of both strategies, each with the seat's own reach.
    form = form_of(LEDUC)
    solver, expected = SequenceCFR(form, CFR), np.zeros(form.num_slots)
    for _ in range(2):
        reaches = solver.current_strategy()
        for infoset, parent in enumerate(form.parent_slots):
            reaches[form.first_slots[infoset] : form.first_slots[infoset + 1]] *= reaches[parent]
        expected += reaches
        solver.step(1)
    assert solver.average_strategy() == pytest.approx(form.normalised(expected), abs=1e-12)


def test_payoffs_in_other_units_teach_the_same() -> None:
    form = form_of(LEDUC)
    scaled = form._replace(end_payoffs=1000 * form.end_payoffs)
    solver = SequenceCFR(scaled, CFR)
    solver.step(20)
    assert solver.average_strategy() == pytest.approx(learnt(LEDUC, CFR, 20), abs=1e-9)
