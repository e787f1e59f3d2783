"""Gains of one strategy over another: against the enumeration of all hands, and by known values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.evaluation.strategy_gains import Gain, GainRun, Players, gains, hand_gain, mean_gain
from acpcbot.poker.actions import CALLING, FOLDING, Action, raising
from acpcbot.poker.betting import BettingState
from acpcbot.poker.dealing import Dealing
from acpcbot.poker.hands import all_hands, hand_number
from acpcbot.rng import Stream
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy
from tests.evaluation.every_hand import RandomStrategy, all_played, summary
from tests.support.games import LEDUC, LEDUC_NOLIMIT, NOLIMIT_2P, definition_of


class Changing:
    """Plays as one strategy before a street, and as another from it on."""

    def __init__(self, before: PublicStrategy, later: PublicStrategy, street: int) -> None:
        self.before, self.later, self.street = before, later, street

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        own = self.before if betting.street < self.street else self.later
        return own.table(betting, board)


class Always:
    """Takes the first legal one of its *actions*, whatever it has."""

    def __init__(self, *actions: Action) -> None:
        self.actions = actions

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        action = next(action for action in self.actions if betting.can_act(action))
        return ActionTable((action,), np.ones((len(all_hands(betting.game.definition)), 1)))


class Limping(Always):
    """Calls the blind, and folds to whatever comes."""

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        self.actions = (FOLDING if betting.to_call > 50 else CALLING,)
        return super().table(betting, board)


def players(game: str, street: int, seed: int = 2) -> Players:
    """Players at random before *street*; from there on one calls, and the other folds to bets."""
    before, opponent = (RandomStrategy(definition_of(game), own) for own in (seed, 3))
    first, second = (
        Changing(before, Always(*actions), street) for actions in ([CALLING], [FOLDING, CALLING])
    )
    return Players(first, second, opponent, street)


def exact(game: str, found: Players, seat: int) -> float:
    """The gain in a seat, by every hand that can come."""
    values = []
    for own in (found.first, found.second):
        seats = (own, found.opponent) if seat == 0 else (found.opponent, own)
        hands = all_played(definition_of(game), seats, suits_matter=True)
        values.append(summary(hands, [hand.chips[seat] for hand in hands])[0])
    return values[0] - values[1]


def drawn(game: str, found: Players, seat: int, seed: int) -> Gain:
    definition, stream = definition_of(game), Stream(seed, 0)
    deal = Dealing(definition, stream.below(1 << 32)).next_deal()
    held = [hand_number(definition, cards) for cards in deal.hole_cards]
    return hand_gain(definition, found, seat, held, deal.board, stream)


@pytest.mark.parametrize(
    ("game", "seed", "seat"),
    [(LEDUC, 2, 0), (LEDUC, 2, 1), (LEDUC_NOLIMIT, 1, 0), (LEDUC_NOLIMIT, 4, 1)],
)
def test_the_mean_gain_is_that_of_all_hands(game: str, seed: int, seat: int) -> None:
    """Catches reaches, chances or chips of another seat or state, and hands that share a card."""
    found = players(game, street=1, seed=seed)
    samples = np.array([drawn(game, found, seat, number).later for number in range(1500)])
    wanted, error = exact(game, found, seat), samples.std() / np.sqrt(len(samples))
    assert error < abs(wanted) / 5
    assert abs(samples.mean() - wanted) < 4 * error


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("game", [LEDUC, LEDUC_NOLIMIT])
def test_from_the_first_street_on_a_gain_depends_on_the_board_alone(game: str, seat: int) -> None:
    """Catches boards that weigh too little, for they rule out hands, and cards drawn twice."""
    found = replace(players(game, street=0), street=0)
    values = {round(drawn(game, found, seat, seed).later, 7) for seed in range(100)}
    assert len(values) == len(definition_of(game).deck)
    assert np.mean(list(values)) == pytest.approx(exact(game, found, seat), abs=1e-5)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_call_of_any_two_cards_saves_the_blind(seat: int) -> None:
    """Catches equities, prices and seats: by symmetry such calls win nothing, folds lose the blind."""
    shover = Always(raising(20_000), CALLING)
    caller, folder = Always(CALLING), Limping()
    found = Players(caller, folder, shover, street=3)
    gain = drawn(NOLIMIT_2P, found, seat, 1)
    assert gain.later == 0
    assert gain.answers == pytest.approx(100, abs=0.1)


def test_other_differences_are_refused() -> None:
    """Catches a figure of which a part is left out."""
    one, other, opponent = (RandomStrategy(definition_of(LEDUC), seed) for seed in (1, 2, 3))
    found = Players(one, other, opponent, street=1)
    with pytest.raises(UsageError, match="the strategies differ after ''"):
        drawn(LEDUC, found, 0, 1)


def test_equal_strategies_gain_nothing() -> None:
    one = RandomStrategy(definition_of(LEDUC), 1)
    found = Players(one, one, RandomStrategy(definition_of(LEDUC), 2), street=1)
    assert {drawn(LEDUC, found, seat, 5) for seat in range(2)} == {Gain()}


def test_seats_of_a_deal_are_one_sample() -> None:
    """Catches an interval by single seats, and chips that are not mbb."""
    found = mean_gain(
        [(Gain(later=3), Gain()), (Gain(), Gain(later=1)), (Gain(answers=4), Gain())],
        definition_of(LEDUC),
    )
    assert found.shares == (1 / 6, 2 / 6)
    assert (found.answers, found.later) == pytest.approx((4 / 6 * 1000, 4 / 6 * 1000))
    assert found.mbb == pytest.approx(8 / 6 * 1000)
    assert found.half_width > 0


def test_workers_change_nothing() -> None:
    name = "strategies/leduc.limit.2p/dcfr"
    run = GainRun(definition_of(LEDUC), f"{name}?play=purified", name, "random", street=0, seed=3)
    run.verify()
    one = gains(run, 6, 1)
    assert gains(run, 6, 2) == one
    assert any(gain.later for both in one for gain in both)


def test_streets_that_a_game_lacks_are_refused() -> None:
    with pytest.raises(UsageError, match="no street number 3"):
        GainRun(definition_of(LEDUC), "a", "b", "c", street=2, seed=0).verify()
