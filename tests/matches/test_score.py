"""Scores: chips and mbb/hand by hand-made logs, and the laws of duplicate matches."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from acpcbot.logs.match_log import HandRecord, read_match_log
from acpcbot.matches.score import deals_needed, score_match, summarise
from tests.support.games import KUHN, LIMIT_3P, NOLIMIT_2P, definition_of
from tests.support.matches import plan_of, play


def write_log(folder: Path, table: str, *hands: str) -> None:
    (folder / f"{table}.log").write_text("".join(f"{hand}\n" for hand in hands))


def test_a_log_made_by_hand_is_added_up_by_name_not_by_position(tmp_path: Path) -> None:
    """Kuhn: the blind is 1; hand 1 has the names the other way round."""
    write_log(
        tmp_path, "table000", "STATE:0:cc:Ks|Qs:1|-1:call|fold", "STATE:1:rc:Ks|Qs:2|-2:fold|call"
    )
    first, second = score_match(plan_of("call", "fold", num_hands=2), tmp_path)
    assert (first.name, first.num_hands, first.chips, first.mean_mbb) == ("call", 2, -1.0, -500.0)
    assert (second.name, second.num_hands, second.chips, second.mean_mbb) == ("fold", 2, 1.0, 500.0)
    assert first.half_width_mbb > 12 * np.std([1000.0, -2000.0], ddof=1) / np.sqrt(
        2
    )  # two hands say next to nothing


def test_the_unit_of_a_duplicate_match_is_the_deal(tmp_path: Path) -> None:
    """Both seatings give the first entrant the mean 0.5 on deal 0, and on deal 1: no spread at
    all.
    """
    write_log(
        tmp_path, "table000", "STATE:0:cc:Ks|Qs:1|-1:call|fold", "STATE:1:cc:Ks|Qs:1|-1:fold|call"
    )
    write_log(
        tmp_path, "table001", "STATE:0:rf:Ks|Qs:1|-1:fold|call", "STATE:1:rc:Ks|Qs:2|-2:call|fold"
    )
    first, _ = score_match(plan_of("call", "fold", num_hands=2, is_duplicate=True), tmp_path)
    assert first.num_hands == 4
    assert first.mean_mbb == pytest.approx(1000.0 * np.mean([(1 - 1) / 2, (-1 + 2) / 2]))


def test_deals_that_only_some_seatings_have_played_are_left_out(tmp_path: Path) -> None:
    write_log(
        tmp_path, "table000", "STATE:0:cc:Ks|Qs:1|-1:call|fold", "STATE:1:rc:Ks|Qs:2|-2:call|fold"
    )
    write_log(tmp_path, "table001", "STATE:0:cc:Ks|Qs:1|-1:fold|call")
    first, _ = score_match(plan_of("call", "fold", num_hands=2, is_duplicate=True), tmp_path)
    assert (first.num_hands, first.chips) == (2, 0.0)


def test_a_hand_that_is_just_being_written_is_left_out(tmp_path: Path) -> None:
    """Caught: a score that cannot be asked for while the match goes on, or after a kill."""
    write_log(tmp_path, "table000", "STATE:0:cc:Ks|Qs:1|-1:call|fold")
    with (tmp_path / "table000.log").open("a") as log:
        log.write("STATE:1:rc:Ks|Qs:2|-2:fo")
    first, _ = score_match(plan_of("call", "fold", num_hands=2), tmp_path)
    assert (first.num_hands, first.chips) == (1, 1.0)


def test_a_match_that_has_not_begun_has_a_score_of_nothing(tmp_path: Path) -> None:
    for score in score_match(plan_of("call", "fold", is_duplicate=True), tmp_path):
        assert (score.num_hands, score.chips, score.mean_mbb) == (0, 0.0, 0.0)
        assert score.half_width_mbb == np.inf


def test_one_deal_has_no_interval() -> None:
    assert summarise("a", np.array([[3.0]]), 2) == replace(
        summarise("a", np.array([[3.0]]), 2), mean_mbb=1500.0, half_width_mbb=np.inf
    )


def test_intervals_shrink_with_the_root_of_the_number_of_deals() -> None:
    chips = np.random.default_rng(1).normal(size=(100, 2))
    once, often = (
        summarise("a", np.tile(chips, (times, 1)), 10).half_width_mbb for times in (1, 100)
    )
    assert 10.0 < once / often < 10.5  # a hundred deals say less of their spread, too


def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    """Coin tosses of one chip: of 400 matches 20 should miss the truth, give or take 4.4."""
    tosses = np.random.default_rng(2).choice([-1.0, 1.0], size=(400, 200, 1))
    scores = [summarise("a", chips, 1) for chips in tosses]
    misses = sum(abs(score.mean_mbb) > score.half_width_mbb for score in scores)
    assert 5 <= misses <= 40


@pytest.mark.parametrize("game", [KUHN, NOLIMIT_2P, LIMIT_3P])
def test_the_same_strategy_in_every_seat_of_a_duplicate_match_wins_nothing(
    game: str, tmp_path: Path
) -> None:
    """Callers have no choices, so every deal comes out even.

    That the next one would, too, the match does not show.
    """
    plan = plan_of(*["call"] * definition_of(game).num_players, game=game, is_duplicate=True)
    play(plan, tmp_path)
    for score in score_match(plan, tmp_path):
        assert score.chips == pytest.approx(0.0, abs=1e-6)
        assert score.mean_mbb == pytest.approx(0.0, abs=1e-6)
        assert 0 < score.half_width_mbb < np.inf


@pytest.mark.parametrize("game", [KUHN, NOLIMIT_2P, LIMIT_3P])
def test_scores_add_up_to_nothing(game: str, tmp_path: Path) -> None:
    players = ["random", "raise", "random"][: definition_of(game).num_players]
    plan = plan_of(*players, game=game, is_duplicate=True, num_seeds=2)
    play(plan, tmp_path)
    scores = score_match(plan, tmp_path)
    assert sum(score.chips for score in scores) == pytest.approx(0.0, abs=1e-4)
    assert sum(score.mean_mbb for score in scores) == pytest.approx(0.0, abs=1e-2)
    assert any(score.chips for score in scores)


def test_scores_are_the_sums_of_the_logs_own_values(tmp_path: Path) -> None:
    plan = plan_of("random", "call", game=NOLIMIT_2P, is_duplicate=True)
    play(plan, tmp_path)
    totals = dict.fromkeys(plan.names, 0.0)
    for table in plan.tables():
        for entry in read_match_log(tmp_path / f"{table.name}.log", plan.definition):
            if isinstance(entry, HandRecord):
                for name, value in zip(entry.names, entry.values, strict=True):
                    totals[name] += value
    assert {score.name: score.chips for score in score_match(plan, tmp_path)} == pytest.approx(
        totals
    )


def test_so_many_deals_give_the_interval_that_was_wanted() -> None:
    """Caught: a number that grows with the width and not with its square."""
    random = np.random.default_rng(1)
    first = summarise("a", random.normal(0, 3, (400, 2)), 1)
    wanted = first.half_width_mbb / 3
    second = summarise(
        "a", random.normal(0, 3, (deals_needed(400, first.half_width_mbb, wanted), 2)), 1
    )
    assert second.half_width_mbb == pytest.approx(wanted, rel=0.1)
