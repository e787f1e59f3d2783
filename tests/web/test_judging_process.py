"""Hands of hold'em are judged by another process: the same figures, and an end that is said."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from acpcbot.errors import AcpcbotError, UsageError
from acpcbot.evaluation.aivat.estimator import PlayedHand
from acpcbot.evaluation.decisions.judged_hands import Judge
from acpcbot.poker.actions import CALLING, FOLDING
from acpcbot.web.bots import stored_strategy
from acpcbot.web.judging_process import Judges, judge_orders, make_order
from tests.evaluation.decisions.plain_values import drawn_hand
from tests.support.games import KUHN, LIMIT_2P, definition_of

STRATEGY = "strategies/holdem.limit.2p.reverse_blinds/smooth_uct"


@pytest.fixture(scope="module")
def judges() -> Iterator[Judges]:
    """Judges with a process that has begun."""
    found = Judges()
    yield found
    found.close()


@cache
def river_hand() -> PlayedHand:
    """A hand of limit hold'em that was played to the river."""
    random = Random(1)
    while True:
        hand = drawn_hand(stored_strategy(STRATEGY), definition_of(LIMIT_2P), random)
        if hand.betting.street == 3:
            return hand


def test_another_process_finds_the_same_figures(judges: Judges) -> None:
    """Catches random numbers that depend on the process, and parts of a hand that are not sent."""
    hand, definition = river_hand(), definition_of(LIMIT_2P)
    judge, num_uncertain = Judge(stored_strategy(STRATEGY)), 0
    for place, (betting, _) in enumerate(hand.betting.decisions()):
        if betting.street >= 2:
            (answer,) = judges.judged(make_order(STRATEGY, hand, 0, place, CALLING), definition)
            assert answer == judge.judge_action(hand, place, CALLING)
            num_uncertain += not answer.is_exact
    assert num_uncertain


def test_faults_of_an_order_are_told(judges: Judges) -> None:
    """Catches a fault that ends the process, or that nobody hears of."""
    hand, definition = river_hand(), definition_of(LIMIT_2P)
    with pytest.raises(AcpcbotError, match="nosuch"):
        judges.judged(make_order("nosuch", hand, 0), definition)
    place = next(
        place for place, (betting, _) in enumerate(hand.betting.decisions()) if not betting.to_call
    )
    with pytest.raises(AcpcbotError, match="nothing to call"):
        judges.judged(make_order(STRATEGY, hand, 0, place, FOLDING), definition)


def test_a_process_that_ends_is_said_and_another_begins() -> None:
    """Catches a thread that waits for ever, and a table that never judges again."""
    hand, definition, found = river_hand(), definition_of(LIMIT_2P), Judges()
    try:
        with pytest.raises(AcpcbotError):
            found.judged(make_order("nosuch", hand, 0), definition)
        worker: Any = found._worker
        worker.process.kill()
        worker.process.is_alive = lambda: True  # it ends between the look and the order
        with pytest.raises(UsageError, match="has ended"):
            found.judged(make_order(STRATEGY, hand, 0), definition)
        del worker.process.is_alive
        worker.process.join()
        with pytest.raises(AcpcbotError, match="nosuch"):
            found.judged(make_order("nosuch", hand, 0), definition)
        assert found._worker is not worker
    finally:
        found.close()
    last: Any = found._worker
    last.process.join(10)
    assert not last.process.is_alive()


def test_small_games_need_no_process() -> None:
    """Catches seconds of start for milliseconds of work."""
    found = Judges()
    hand = drawn_hand(
        stored_strategy("strategies/kuhn.limit.2p/dcfr"), definition_of(KUHN), Random(1)
    )
    order = make_order("strategies/kuhn.limit.2p/dcfr", hand, 0)
    assert found.judged(order, definition_of(KUHN))
    assert found._worker is None


def test_a_closed_pipe_ends_the_process() -> None:
    """Catches a process that outlives the table."""
    from multiprocessing import Pipe

    ours, theirs = Pipe()
    ours.close()
    judge_orders(theirs)
