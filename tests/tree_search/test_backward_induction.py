"""Goofspiel by backward induction: against linear programmes, and taken up again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.games.game import CHANCE, OVER, State, new_state
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.sequence_form import sequence_form
from acpcbot.tree_search import backward_induction
from acpcbot.tree_search.backward_induction import GoofspielValues, announcement, count_positions
from acpcbot.tree_search.matrix_games import value_of
from tests.support.sequence_lp import value_by_lp


def by_lp(payoffs: Floats) -> float:
    from scipy.optimize import linprog

    rows, columns = payoffs.shape
    result = linprog(
        [0] * rows + [-1],
        A_ub=np.hstack([-payoffs.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[1] * rows + [0]],
        b_eq=[1],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return -float(result.fun)


def test_matrix_games_have_the_value_of_a_linear_programme() -> None:
    """Small whole numbers have ties and equal rows, at which a simplex method can go in circles."""
    random = np.random.default_rng(1)
    for number in range(300):
        shape = tuple(random.integers(1, 12, 2))
        payoffs = random.normal(size=shape) * 50
        if number % 2:
            payoffs = random.integers(-3, 4, shape).astype(float)
        assert value_of(payoffs) == pytest.approx(by_lp(payoffs), abs=1e-9)


def solved(num_cards: int, folder: Path | None = None) -> GoofspielValues:
    values = GoofspielValues(num_cards, folder, "float64")
    values.solve()
    assert values.is_solved
    return values


def after(game: Goofspiel, *actions: int) -> State:
    state = new_state(game)
    for action in actions:
        game.apply(state, action)
    return state


def test_values_of_goofspiel_are_the_published_ones() -> None:
    """PD-Goof(4) after 4 against 3 on the upcard 4 (published: -1.383333), PD-Goof(5) after 5
    against 4 on the 5; what is won already counts as well.
    """
    four, five = Goofspiel(4, pays_points=True), Goofspiel(5, pays_points=True)
    assert solved(4).value(after(four, 3, 3, 2)) == pytest.approx(4 - 83 / 60, abs=1e-9)
    assert solved(5).value(after(five, 4, 4, 3)) == pytest.approx(5 - 1.601256767, abs=1e-9)


def test_values_are_those_of_linear_programmes_over_sequences() -> None:
    """Every upcard and every pair of bids at the beginning of PD-Goof(4)."""
    game, values = Goofspiel(4, pays_points=True), solved(4)
    assert values.value(new_state(game)) == 0
    for upcard in range(4):
        assert values.value(after(game, upcard)) == pytest.approx(0, abs=1e-9)
        for bids in ((0, 3), (1, 2), (3, 0), (2, 2), (2, 3)):
            state = after(game, upcard, *bids)
            value = value_by_lp(sequence_form(game, state))
            assert values.value(state) == pytest.approx(value, abs=1e-9)
            game.apply(state, 1)
            value = value_by_lp(sequence_form(game, state))
            assert values.value(state) == pytest.approx(value, abs=1e-9)


def test_the_end_is_worth_what_it_pays() -> None:
    game, values = Goofspiel(3, pays_points=True), solved(3)
    state = new_state(game)
    while game.actor(state) != OVER:
        assert game.actor(state) in (CHANCE, 0)
        for _ in range(1 if game.actor(state) == CHANCE else 2):
            game.apply(state, game.num_actions(state) - 1)
    assert values.value(state) == game.payoff(state, 0)


def test_exchanged_hands_change_the_sign_and_float32_is_close() -> None:
    exact, short = solved(6), GoofspielValues(6)
    short.solve()
    for ours, coarse in zip(exact.values, short.values, strict=True):
        assert (ours == -ours.transpose(1, 0, 2)).all()
        assert coarse.dtype == np.float32
        np.testing.assert_allclose(coarse, ours, atol=1e-4)


def test_values_are_the_same_at_any_number_of_threads() -> None:
    alone, together = GoofspielValues(6), GoofspielValues(6)
    alone.solve(num_threads=1)
    together.solve(num_threads=3)
    for ours, theirs in zip(alone.values, together.values, strict=True):
        assert (ours == theirs).all()


class Interrupted(Exception):
    pass


def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path) -> None:
    def interrupt(num_solved: int, num_games: int) -> None:
        if num_solved > num_games / 2:
            raise Interrupted

    values = GoofspielValues(6, tmp_path, "float64")
    with pytest.raises(Interrupted):
        values.solve(interrupt)
    assert not values.is_solved

    again = GoofspielValues(6, tmp_path, "float64")
    begun: list[int] = []
    again.solve(lambda num_solved, num_games: begun.append(num_solved))
    assert begun[0] > begun[-1] / 2
    assert begun[-1] == backward_induction.count_matrix_games(6)
    for ours, theirs in zip(again.values, solved(6).values, strict=True):
        assert (ours == theirs).all()

    kept = GoofspielValues(6, tmp_path, "float64")
    assert kept.is_solved


KILLED_PROGRAM = """
import sys
from pathlib import Path
from acpcbot.tree_search.backward_induction import GoofspielValues

def wait_to_be_killed(num_solved, num_games):
    if num_solved > num_games / 2:
        print(num_solved, flush=True)
        sys.stdin.read()

GoofspielValues(6, Path(sys.argv[1]), "float64").solve(wait_to_be_killed, num_threads=1)
"""


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    """Killed by its process id, so that nothing of it is tidied up, with more than half done."""
    run = subprocess.Popen(
        [sys.executable, "-c", KILLED_PROGRAM, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert run.stdout is not None
    num_solved = int(run.stdout.readline())
    os.kill(run.pid, signal.SIGKILL)
    assert run.wait() == -signal.SIGKILL
    run.communicate()

    again = GoofspielValues(6, tmp_path, "float64")
    assert not again.is_solved
    counts: list[int] = []
    again.solve(lambda num_solved, num_games: counts.append(num_solved), num_threads=1)
    assert counts[0] > num_solved
    assert counts[-1] == backward_induction.count_matrix_games(6)
    for ours, theirs in zip(again.values, solved(6).values, strict=True):
        assert (ours == theirs).all()


def test_the_memory_of_all_values_is_announced_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backward_induction, "available_bytes", lambda: 2_000_000_000)
    assert announcement(11) == (
        "Goofspiel(11): 278,415,920 positions, 763,703,842 matrix games;"
        " memory: values 1.1 GB of 2.0 GB free"
    )
    monkeypatch.setattr(backward_induction, "available_bytes", lambda: 1_000_000_000)
    with pytest.raises(UsageError, match=r"would take 1\.1 GB .* 1\.0 GB are free"):
        GoofspielValues(11)


def test_too_many_cards_are_refused_with_the_number_of_positions() -> None:
    with pytest.raises(UsageError, match=r"13 cards have 15,148,345,760 positions \(60\.6 GB\)"):
        GoofspielValues(13)
    with pytest.raises(UsageError, match="0 cards"):
        GoofspielValues(0)
    assert count_positions(13) == 15_148_345_760


def test_a_folder_of_other_values_is_refused(tmp_path: Path) -> None:
    solved(3, tmp_path)
    with pytest.raises(UsageError, match=r"values_1\.npy: expected float64 \[4, 4, 4\]"):
        GoofspielValues(4, tmp_path, "float64")


def test_a_state_between_two_bids_has_no_value_here() -> None:
    with pytest.raises(UsageError, match="seat 1 is to bid"):
        solved(3).value(after(Goofspiel(3, pays_points=True), 0, 0))
