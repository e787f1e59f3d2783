"""Guesses from self-play: what must hold of them whatever the strategy, and that they take luck away."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from acpcbot.abstraction.dealing import HoldemDeals
from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat import AIVAT, CHIPS, PlayedHand, View, estimate
from acpcbot.evaluation.self_play_values import SelfPlayValues
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING
from acpcbot.poker.dealing import Deal, Dealing
from acpcbot.poker.hands import hand_number
from acpcbot.rng import Stream
from acpcbot.snapshots.public_play import SnapshotStrategy
from acpcbot.snapshots.snapshot import Snapshot
from tests.snapshots.making import saved
from tests.support.games import LEDUC, LIMIT_2P, definition_of, rules_of

ACES, RAGS = (51, 50), (0, 21)
NUM_HANDS = 400_000


@pytest.fixture(scope="module")
def guesses(tmp_path_factory: pytest.TempPathFactory) -> tuple[SnapshotStrategy, SelfPlayValues]:
    snapshot = saved(tmp_path_factory.mktemp("x") / "x", LIMIT_2P)
    deals = deals_of(snapshot)
    return SnapshotStrategy(snapshot, tables=deals.tables), SelfPlayValues(snapshot, deals, num_hands=NUM_HANDS, seed=3)


def deals_of(snapshot: Snapshot) -> HoldemDeals:
    assert isinstance(snapshot.abstraction, HoldemAbstraction)
    return HoldemDeals(snapshot.definition, snapshot.abstraction)


def view(hero: int, others: tuple[int, ...]) -> View:
    return View(hero, ((), others) if hero == 0 else (others, ()))


def test_what_one_seat_wins_the_other_loses(guesses: tuple[SnapshotStrategy, SelfPlayValues]) -> None:
    means = [guesses[1].start(view(hero, ACES))[0] for hero in range(2)]
    assert sum(means) == pytest.approx(0, abs=0.5)


def test_good_cards_of_the_opponent_are_bad_news(guesses: tuple[SnapshotStrategy, SelfPlayValues]) -> None:
    for hero in range(2):
        mean, against_aces = guesses[1].start(view(hero, ACES))
        against_rags = guesses[1].start(view(hero, RAGS))[1]
        assert against_aces[0] < mean < against_rags[0]


def test_a_fold_is_worth_what_was_paid_in(guesses: tuple[SnapshotStrategy, SelfPlayValues]) -> None:
    """Catches a slot, a seat or a sign that is taken for another: nothing else has so sure a value."""
    betting = rules_of(LIMIT_2P).parse("rr")
    for others in (ACES, RAGS):
        found = guesses[1].after_actions(view(betting.actor, others), betting, (), (FOLDING, CALLING, LIMIT_RAISING))
        assert found.shape == (1, 3)
        assert found[0, 0] == pytest.approx(-betting.spent[betting.actor], rel=1e-5)
        found = guesses[1].after_actions(view(1 - betting.actor, others), betting, (), (FOLDING,))
        assert found[0, 0] == pytest.approx(betting.spent[betting.actor], rel=1e-5)


def test_every_card_that_can_come_has_a_value_and_no_other(guesses: tuple[SnapshotStrategy, SelfPlayValues]) -> None:
    betting, board = rules_of(LIMIT_2P).parse("cc/cc/"), (3, 17, 40)
    ways, values = guesses[1].after_deals(view(0, ACES), betting, board)
    assert ways[:, 0].tolist() == [card for card in range(52) if card not in (*ACES, *board)]
    assert values.shape == (47, 1)
    assert values.std() > 0


def test_the_same_seed_guesses_the_same(tmp_path: Path) -> None:
    snapshot = saved(tmp_path / "x", LIMIT_2P)
    deals = deals_of(snapshot)
    values = [SelfPlayValues(snapshot, deals, num_hands=3000, seed=seed) for seed in (1, 1, 2)]
    first, again, other = [value.start(view(0, ACES))[0] for value in values]
    assert first == again != other


def test_much_of_the_luck_in_self_play_is_gone(guesses: tuple[SnapshotStrategy, SelfPlayValues]) -> None:
    strategy, values = guesses
    dealing, found = Dealing(definition_of(LIMIT_2P), 5), []
    for number in range(150):
        hand = played(strategy, dealing.next_deal(), Stream(9, number))
        hero = number % 2
        both = [estimate(hand, hero, {hero: strategy}, values, estimator) for estimator in (CHIPS, AIVAT)]
        found.append(both)
    chips, without_luck = np.std(found, axis=0)
    assert without_luck < 0.65 * chips


def played(strategy: SnapshotStrategy, deal: Deal, stream: Stream) -> PlayedHand:
    """A hand of *strategy* against itself."""
    definition, betting = definition_of(LIMIT_2P), rules_of(LIMIT_2P).start
    while not betting.is_over:
        board = deal.board[: definition.board_size(betting.street)]
        table = strategy.table(betting, board)
        ends = np.cumsum(table.probabilities[hand_number(definition, deal.hole_cards[betting.actor])])
        betting = betting.apply(table.actions[int(np.searchsorted(ends, stream.unit() * ends[-1], "right"))])
    return PlayedHand(betting, deal.hole_cards, deal.board[: definition.board_size(betting.street)])


def test_other_games_are_refused(tmp_path: Path) -> None:
    deals = deals_of(saved(tmp_path / "x", LIMIT_2P))
    with pytest.raises(UsageError):
        SelfPlayValues(saved(tmp_path / "y", LEDUC), deals)
