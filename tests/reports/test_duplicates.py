"""Hands that are one deal."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from acpcbot.matches.score import score_match
from acpcbot.reports.duplicates import MIN_SHARED, deal_numbers
from acpcbot.reports.hands import find_logs, read_hands
from acpcbot.reports.summary import CHIPS, summarise
from tests.protocol.log_making import match_log
from tests.reports.logs import write_log
from tests.support.games import KUHN, LEDUC, NOLIMIT_2P, NOLIMIT_3P, definition_of
from tests.support.matches import plan_of, play

Lines = list[str]


def numbers_of(folder: Path, *logs: Lines, game: str | None = None) -> list[int]:
    paths = [write_log(folder, lines, f"{number}.log") for number, lines in enumerate(logs)]
    numbers: list[int] = deal_numbers(
        read_hands(paths, definition_of(game) if game else None)
    ).tolist()
    return numbers


def headless(lines: Lines) -> Lines:
    return [line for line in lines if not line.startswith("#")]


def test_exchanged_seats_are_one_match(tmp_path: Path) -> None:
    """Catches two halves of a duplicate match taken for two matches."""
    halves = match_log(LEDUC, 4), match_log(LEDUC, 4, names=("Bob", "Alice"))
    assert numbers_of(tmp_path, *halves) == [0, 1, 2, 3, 0, 1, 2, 3]


def test_all_orders_of_three_are_one_match(tmp_path: Path) -> None:
    """Catches partners looked for in pairs only."""
    logs = [match_log(NOLIMIT_3P, 3, names=names) for names in permutations(("Ann", "Bob", "Cat"))]
    assert numbers_of(tmp_path, *logs) == [0, 1, 2] * 6


def test_a_half_that_ends_early_leaves_deals_of_one_hand(tmp_path: Path) -> None:
    """Catches hands paired by their place instead of their number."""
    long, short = match_log(LEDUC, 4)[:-1], match_log(LEDUC, 2, names=("Bob", "Alice"))
    assert numbers_of(tmp_path, short, long) == [0, 1, 0, 1, 2, 3]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(match_log(LEDUC, 4), id="same seats"),
        pytest.param(match_log(LEDUC, 4, names=("Bob", "Eve")), id="other players"),
        pytest.param(match_log(LEDUC, 4, seed=2, names=("Bob", "Alice")), id="other cards"),
    ],
)
def test_matches_of_other_cards_share_no_deal(tmp_path: Path, other: Lines) -> None:
    """Catches matches whose luck does not cancel, counted as if it did."""
    assert numbers_of(tmp_path, match_log(LEDUC, 4), other) == list(range(8))


@pytest.mark.parametrize(("num_hands", "is_sure"), [(MIN_SHARED - 1, False), (MIN_SHARED, True)])
def test_without_a_seed_few_equal_hands_may_be_a_coincidence(
    tmp_path: Path, num_hands: int, is_sure: bool
) -> None:
    """Catches short logs of small games paired by accident."""
    halves = match_log(KUHN, num_hands), match_log(KUHN, num_hands, names=("Bob", "Alice"))
    numbers = numbers_of(tmp_path, *map(headless, halves), game=KUHN)
    assert numbers == [*range(num_hands)] * 2 if is_sure else [*range(2 * num_hands)]


def test_hands_of_one_log_are_never_partners(tmp_path: Path) -> None:
    """Catches a log that gives every hand the same number: one half then seems to answer the
    other.
    """
    hands = ["STATE:0:cc:Ks|Qs:1|-1:A|B", "STATE:0:cc:Ks|Qs:1|-1:B|A"] * 20
    assert numbers_of(tmp_path, hands, game=KUHN) == list(range(40))


@pytest.mark.parametrize(
    ("game", "strategies"),
    [(NOLIMIT_2P, ("random", "call")), (NOLIMIT_3P, ("tight", "call", "raise"))],
)
def test_the_result_of_a_match_is_its_score(
    tmp_path: Path, game: str, strategies: tuple[str, ...]
) -> None:
    """Catches a report that disagrees with what ``acpcbot match`` said."""
    plan = plan_of(*strategies, game=game, is_duplicate=True, num_seeds=2)
    plan.save(tmp_path)
    play(plan, tmp_path)
    summary = summarise(read_hands(*find_logs([tmp_path])))
    assert summary.num_deals == 40
    for score in score_match(plan, tmp_path):
        total = next(player.total[CHIPS] for player in summary.players if player.name == score.name)
        assert total.num_hands == score.num_hands
        assert total.chips == pytest.approx(score.chips)
        assert total.mean_mbb == pytest.approx(score.mean_mbb)
        assert total.half_width_mbb == pytest.approx(score.half_width_mbb)
