"""Matches of players: the same at any number of processes, resumed after a kill, fair, measured."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from math import inf
from pathlib import Path

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.evaluation.searches.players import (
    ISMCTSPlayer,
    MoveBudget,
    OOSPlayer,
    PolicyPlayer,
    RandomPlayer,
    SearchPlayer,
)
from acpcbot.evaluation.searches.search_matches import (
    GAMES_FILE,
    GameResult,
    Pairing,
    play_game,
    play_games,
    play_pairings,
    round_robin,
    score_pairing,
)
from acpcbot.games.game import Game
from acpcbot.games.kuhn import Kuhn
from acpcbot.games.sequence_form import sequence_form
from acpcbot.games.solvers.best_response import sequence_best_response
from acpcbot.tree_search.oos import OOSSettings
from acpcbot.tree_search.selection.uct import UCT

KUHN = Kuhn()
FEW = MoveBudget(simulations=30)


def players(game: Game = KUHN) -> list[SearchPlayer]:
    return [
        OOSPlayer(game, OOSSettings(), "public"),
        ISMCTSPlayer(game, UCT(2.0), name="UCT"),
        RandomPlayer(game),
    ]


def pairings(budget: MoveBudget = FEW) -> list[Pairing]:
    return round_robin(KUHN, players(), budget)


def test_mean_payoffs_tend_to_the_value_of_the_policies() -> None:
    """Catches payoffs of the other seat, and chance that is not fair: values are exact."""
    form = sequence_form(KUHN)
    rng = np.random.default_rng(1)
    policies = [form.normalised(rng.random(form.num_slots)) for _ in range(2)]
    one, two = (PolicyPlayer(KUHN, form, policy, str(n)) for n, policy in enumerate(policies))
    # The exact mean over both seats, of policies whose slots belong to one seat each.
    is_first = np.append([True, False], np.repeat(form.infoset_seats == 0, 2))
    by_seat = [
        sequence_best_response(form, np.where(is_first, policies[a], policies[b]))
        for a, b in ((0, 1), (1, 0))
    ]
    exact = [by_seat[0].policy_values[0], by_seat[1].policy_values[1]]
    swapped = Pairing("swapped", KUHN, (one, two), FEW)
    score = score_pairing(swapped, list(play_games(swapped, range(6000), 1)))
    assert abs(score.payoff - np.mean(exact)) < 1.5 * score.payoff_half_width < 0.08
    fixed = Pairing("fixed", KUHN, (one, two), FEW, swaps_seats=False)
    results = list(play_games(fixed, range(3000), 1))
    score = score_pairing(fixed, results)
    assert abs(score.payoff - exact[0]) < 1.5 * score.payoff_half_width < 0.1
    assert {result.seat for result in results} == {0}


def test_seats_are_swapped_and_chance_is_shared_in_a_pair() -> None:
    """Two players that always pass: the higher card wins, so a pair of games cancels out."""
    form = sequence_form(KUHN)
    passing = np.tile([1.0, 0.0], form.num_slots // 2)
    passing[:2] = 1
    one, two = (PolicyPlayer(KUHN, form, passing, name) for name in ("one", "two"))
    pairing = Pairing("passing", KUHN, (one, two), FEW)
    results = list(play_games(pairing, range(40), 3))
    assert [result.seat for result in results] == [0, 1] * 20
    assert all(a.payoff == -b.payoff for a, b in zip(results[::2], results[1::2], strict=True))
    assert {result.payoff for result in results} == {-1.0, 1.0}
    score = score_pairing(pairing, results)
    assert (score.win_share, score.payoff) == (0.5, 0.0)


def test_players_have_a_budget_each_at_both_seats() -> None:
    """Caught: budgets that stay with the seats when the players change them."""
    one, two = players()[:2]
    pairing = Pairing("c", KUHN, (one, two), FEW, second_budget=MoveBudget(simulations=7))
    assert FEW.simulations is not None
    for result in play_games(pairing, range(4), 1):
        assert result.simulations == FEW.simulations
        assert result.opponent_simulations == 7
    assert pairing.description()["budget"] == f"{FEW} and 7 simulations a move"
    assert Pairing("c", KUHN, (one, two), FEW).description()["budget"] == str(FEW)


def test_the_score_counts_ties_as_halves_and_takes_pairs_as_samples() -> None:
    one, two = players()[:2]
    pairing = Pairing("a", KUHN, (one, two), FEW)
    payoffs = [3.0, 0.0, -1.0, 1.0, 2.0, 0.0]
    results = [GameResult(n, payoff, n % 2, 30.0, 20.0) for n, payoff in enumerate(payoffs)]
    score = score_pairing(pairing, results)
    assert score.win_share == pytest.approx((3 + 2 / 2) / 6)
    assert score.payoff == pytest.approx(5 / 6)
    assert (score.simulations, score.opponent_simulations) == (30.0, 20.0)
    assert 0.1 < score.win_half_width < 1
    assert score_pairing(pairing, results[:2]).win_half_width == inf
    # Payoffs of a pair that always cancel out leave no spread: games are not independent.
    cancelling = [GameResult(n, (-1.0) ** n, n % 2, 1.0, 1.0) for n in range(200)]
    each = Pairing("b", KUHN, (one, two), FEW, swaps_seats=False)
    narrow, wide = (score_pairing(p, cancelling).win_half_width for p in (pairing, each))
    assert narrow < 0.2 * wide
    assert wide == pytest.approx(1.96 * 0.5 / 200**0.5, rel=0.03)
    with pytest.raises(UsageError, match="no finished game"):
        score_pairing(pairing, [])


def test_round_robins_by_pair_and_by_seat() -> None:
    assert [pairing.name for pairing in pairings()] == ["OOS - UCT", "OOS - random", "UCT - random"]
    by_seat = round_robin(KUHN, players(), FEW, by_seat=True)
    assert len(by_seat) == 9
    assert not any(pairing.swaps_seats for pairing in by_seat)
    # A player against itself sits there twice, with a memory for each seat.
    itself = by_seat[0]
    assert itself.players[0] is itself.players[1]
    assert len(list(play_games(itself, range(3), 1))) == 3
    with pytest.raises(UsageError, match="one player at both seats"):
        play_game(itself, 0, 1)
    with pytest.raises(UsageError, match="one name"):
        round_robin(KUHN, [RandomPlayer(KUHN), RandomPlayer(KUHN)], FEW)


def test_games_depend_on_nothing_but_their_number(tmp_path: Path) -> None:
    """Catches players that remember earlier games, and work that depends on the processes."""
    folders = [tmp_path / str(number) for number in (1, 2)]
    found = [
        play_pairings(pairings(), 6, 4, folder, num_processes)
        for folder, num_processes in zip(folders, (1, 2), strict=True)
    ]
    assert found[0] == found[1]
    assert {len(results) for results in found[0].values()} == {6}
    for pairing in pairings():
        assert list(play_games(pairing, [5, 2], 4)) == [found[0][pairing.name][n] for n in (5, 2)]
    assert len({result.payoff for results in found[0].values() for result in results}) > 1
    other_seed = list(play_games(pairings()[0], range(6), 5))
    assert other_seed != found[0][pairings()[0].name]


def test_more_games_are_added_to_those_in_the_folder(tmp_path: Path) -> None:
    played: list[tuple[str, int]] = []

    def note(pairing: Pairing, result: GameResult) -> None:
        played.append((pairing.name, result.number))

    first = play_pairings(pairings()[:2], 2, 4, tmp_path, 1, note)
    more = play_pairings(pairings()[:2], 4, 4, tmp_path, 1, note)
    assert sorted(played) == sorted((name, number) for name in first for number in range(4))
    assert all(more[name][:2] == first[name] for name in first)
    assert more == play_pairings(pairings()[:2], 4, 4, tmp_path, 1, note)
    assert len(played) == 8
    for wrong, seed in ((pairings(), 4), (pairings(MoveBudget(simulations=31))[:2], 4)):
        with pytest.raises(UsageError, match="other matches"):
            play_pairings(wrong, 4, seed, tmp_path, 1)
    with pytest.raises(UsageError, match="other matches"):
        play_pairings(pairings()[:2], 4, 5, tmp_path, 1)


def test_games_without_a_whole_line_are_played_again(tmp_path: Path) -> None:
    """As a kill in the middle of a line leaves them."""
    pairing = pairings()[:1]
    whole = play_pairings(pairing, 3, 4, tmp_path, 1)
    lines = (tmp_path / GAMES_FILE).read_bytes().splitlines(keepends=True)
    (tmp_path / GAMES_FILE).write_bytes(lines[2] + lines[0] + lines[1][:20])
    played = list[int]()
    found = play_pairings(
        pairing, 3, 4, tmp_path, 1, lambda _, result: played.append(result.number)
    )
    assert found == whole
    assert played == [1]
    assert (tmp_path / GAMES_FILE).read_bytes() == lines[2] + lines[0] + lines[1]


PROGRAM = """
import sys
from pathlib import Path
from acpcbot.evaluation.searches.search_matches import play_pairings
from tests.evaluation.searches.test_search_matches import SLOW, pairings
if __name__ == "__main__":
    play_pairings(pairings(SLOW), 8, 4, Path(sys.argv[1]), 2)
"""
SLOW = MoveBudget(simulations=50_000)
LONGEST_S = 120.0


@pytest.mark.slow
def test_a_killed_run_goes_on_without_losing_or_repeating_a_game(tmp_path: Path) -> None:
    """Killed for real, by kill -9 of the parent: its workers end as well."""
    folder, script = tmp_path / "games", tmp_path / "program.py"
    script.write_text(PROGRAM, encoding="utf-8")
    root = Path(__file__).parents[3]
    process = subprocess.Popen(
        [sys.executable, str(script), str(folder)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    file, deadline = folder / GAMES_FILE, time.monotonic() + LONGEST_S
    try:
        while not file.exists() or file.read_bytes().count(b"\n") < 3:
            assert process.poll() is None, "the program ended before it was killed"
            assert time.monotonic() < deadline
            time.sleep(0.01)
        workers = children_of(process.pid)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert workers
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < deadline, "workers outlive the process that started them"
        time.sleep(0.01)
    before = file.read_bytes()
    assert 3 <= before.count(b"\n") < 24
    # As if the kill had come in the middle of a line.
    file.write_bytes(before + b'{"pairing": "OOS')
    found = play_pairings(pairings(SLOW), 8, 4, folder, 2)
    after = file.read_bytes()
    assert after.startswith(before)
    records = [json.loads(line) for line in after.splitlines()]
    names = [(record["pairing"], record["number"]) for record in records]
    assert sorted(names) == [(p.name, n) for p in pairings() for n in range(8)]
    # And the same as if nothing had happened.
    assert found["OOS - UCT"][:4] == list(play_games(pairings(SLOW)[0], range(4), 4))


def children_of(process: int) -> list[int]:
    """The ids of the child processes of *process*."""
    found = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8")
    return [int(word) for word in found.split()]


def test_two_runs_in_one_folder_are_refused(tmp_path: Path) -> None:
    def play_again(pairing: Pairing, result: GameResult) -> None:
        play_pairings(pairings()[:1], 1, 4, tmp_path, 1)

    with pytest.raises(UsageError, match="another process"):
        play_pairings(pairings()[:1], 1, 4, tmp_path, 1, play_again)


def test_a_player_that_fails_ends_the_run_and_says_which_game(tmp_path: Path) -> None:
    small = OOSPlayer(KUHN, OOSSettings(), memory_bytes=100)
    pairing = Pairing("too small", KUHN, (small, RandomPlayer(KUHN)), FEW)
    with pytest.raises(UsageError, match=r"too small, game 0: memory of 100 bytes"):
        play_pairings([pairing], 1, 4, tmp_path, 1)


def test_games_at_equal_seconds_say_how_many_simulations_there_were() -> None:
    budget = MoveBudget(seconds=0.002)
    pairing = round_robin(KUHN, players()[:2], budget)[0]
    (result,) = play_games(pairing, [0], 1)
    assert result.simulations > 32
    assert result.opponent_simulations > 32


def test_names_of_pairings_part_their_random_numbers() -> None:
    """Catches cells of a table that all play the same games."""
    one, two = players()[1:]
    found = [
        [result.payoff for result in play_games(Pairing(name, KUHN, (one, two), FEW), range(30), 1)]
        for name in ("a", "b")
    ]
    assert found[0] != found[1]
