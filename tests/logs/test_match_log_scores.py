"""The hands of a match and its SCORE line, where matches follow one another and names are odd."""

from __future__ import annotations

from collections import Counter

import pytest

from acpcbot.logs.match_log import ScoreRecord
from tests.protocol.log_making import (
    HANDS,
    HEADER,
    LOG,
    SCORE,
    entries,
    hands,
    match_lines,
    match_log,
    refused,
    renamed,
)
from tests.support.games import LEDUC, NOLIMIT_3P, definition_of, rules_of


def test_a_score_of_part_of_a_match_is_not_judged() -> None:
    """Caught: a resumed match whose first hands are in another file refused for its score."""
    assert len(entries([HEADER, *HANDS[1:], SCORE])) == 4
    assert len(entries([HEADER, HANDS[0], HANDS[2], SCORE])) == 4
    assert len(entries([HEADER, SCORE])) == 2


def test_matches_may_follow_one_another() -> None:
    """Caught: the totals of one match carried into the next."""
    other = renamed(LOG, "A", "C")
    assert len(entries([*LOG, *other, *LOG])) == 15
    broken_off = LOG[:3]
    assert len(entries([*broken_off, *other])) == 8
    assert refused([*LOG, *LOG[:4], "SCORE:1|-1:A|B"]).number == 10


def test_a_match_may_be_resumed_behind_another_header() -> None:
    """Caught: the score of a resumed match compared with its second part only."""
    resumed = [HEADER, *HANDS[:2], HEADER, HANDS[2]]
    assert len(entries([*resumed, SCORE])) == 6
    assert refused([*resumed, "SCORE:20000|-20000:A|B"]).number == 6


def test_other_players_may_come_behind_a_header_only() -> None:
    """Caught: a name that changes within a match, and two files joined where numbers happen to
    fit.
    """
    (second,) = renamed(HANDS[1:2], "A", "C")
    assert refused([HEADER, HANDS[0], second]).number == 3
    assert len(entries([HEADER, HANDS[0], HEADER, second])) == 4


@pytest.mark.parametrize("rotates", [True, False])
def test_scores_are_summed_by_name_wherever_players_sit(*, rotates: bool) -> None:
    """Caught: fixed seats, or sums by position."""
    log = list(match_lines(rules_of(NOLIMIT_3P), 30, 3, rotates=rotates))
    totals: Counter[str] = Counter()
    for hand in hands(log, definition_of(NOLIMIT_3P)):
        totals.update(dict(zip(hand.names, hand.values, strict=True)))
    *_, score = entries(log, definition_of(NOLIMIT_3P))
    assert isinstance(score, ScoreRecord)
    assert score.values == pytest.approx([totals[name] for name in score.names])


@pytest.mark.parametrize("names", [("x|y", "z", "w"), ("x", "y|z|", "w"), ("", "x", "|")])
@pytest.mark.parametrize("rotates", [True, False])
def test_scores_of_names_with_bars_are_judged_by_rotation(
    names: tuple[str, ...], *, rotates: bool
) -> None:
    """Caught: seats mixed up where names cannot be told apart."""
    log = list(match_lines(rules_of(NOLIMIT_3P), 30, 3, names, rotates=rotates))
    assert len(entries(log, definition_of(NOLIMIT_3P))) == 31


def test_the_score_of_two_players_of_one_name_is_not_judged() -> None:
    """Caught: a sum by name where the name stands for both."""
    log = match_log(LEDUC, 6, names=("Bot", "Bot"))
    assert len(entries([*log[:-1], "SCORE:1|-1:Bot|Bot"])) == len(log)


def test_values_and_scores_can_be_taken_as_they_stand() -> None:
    """Caught: logs with luck averaged out refused in spite of the setting."""
    averaged = [line.replace("20000|-20000", "8137.5|-8137.500000") for line in LOG]
    assert refused(averaged).number == 4
    assert [hand.values for hand in hands(averaged, check_values=False)][2] == (8137.5, -8137.5)
