"""Guesses by hand strength: what must hold of them in any hold'em game, and that they take luck
away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.agents.public_strategies import find_strategy
from acpcbot.cards.deck import parse_cards
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat.estimator import PlayedHand, View, estimate
from acpcbot.evaluation.aivat.estimator_kinds import AIVAT, CHIPS, Estimator
from acpcbot.evaluation.aivat.showdowns import end_values
from acpcbot.evaluation.aivat.strength_values import StrengthValues
from acpcbot.poker.actions import CALLING, FOLDING
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.dealing import Dealing
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import hand_number, hands_without
from acpcbot.rng import Stream
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.finding import find_folder
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.public_strategy import PublicStrategy
from tests.support.games import (
    KUHN,
    LEDUC,
    LIMIT_2P,
    LIMIT_3P,
    NOLIMIT_2P,
    NOLIMIT_6P,
    UNEVEN_3P,
    definition_of,
    rules_of,
)

HOLE_CARDS = tuple(
    [parse_cards(cards) for cards in ("AsAh", "7c2d", "KdQd", "9s8s", "6h6c", "JhTh")]
)
BOARD = parse_cards("QsJs2c3c9d")
GAMES = (LIMIT_2P, LIMIT_3P, NOLIMIT_2P, UNEVEN_3P, NOLIMIT_6P)


def view(
    definition: GameDefinition, hero: int, hole_cards: Sequence[tuple[int, ...]] = HOLE_CARDS
) -> View:
    seats = range(definition.num_players)
    return View(hero, tuple([() if seat == hero else hole_cards[seat] for seat in seats]))


def called_down(game: str) -> BettingState:
    betting = rules_of(game).start
    while not betting.is_over:
        betting = betting.apply(CALLING)
    return betting


@pytest.mark.parametrize("game", GAMES)
def test_the_luck_of_all_hole_cards_adds_up_to_nothing(game: str) -> None:
    """The mean over all deals is said to be 0, and is so only if it is 0 over the seats of each
    deal.
    """
    definition = definition_of(game)
    values = StrengthValues(definition)
    found = [values.start(view(definition, hero)) for hero in range(definition.num_players)]
    assert {mean for mean, _ in found} == {0.0}
    own = [
        float(worth[hand_number(definition, HOLE_CARDS[hero])])
        for hero, (_, worth) in enumerate(found)
    ]
    assert sum(own) == pytest.approx(0, abs=1e-6)
    assert own[0] > 0 > own[1]


@pytest.mark.parametrize("game", GAMES)
def test_the_last_call_is_worth_what_the_showdown_pays(game: str) -> None:
    """Catches a seat, a share or a payment that is taken for another's."""
    definition = definition_of(game)
    values, end = StrengthValues(definition), called_down(game)
    *_, (last, action) = end.decisions()
    for hero in range(definition.num_players):
        seen = view(definition, hero)
        free = hands_without(
            definition, [*BOARD, *[card for cards in seen.hole_cards for card in cards]]
        )
        found = values.after_actions(seen, last, BOARD, (action,))[:, 0]
        assert found[free] == pytest.approx(
            end_values(end, seen.hole_cards, hero, BOARD)[free], rel=1e-4, abs=1e-4
        )


def test_a_fold_is_worth_what_was_paid_in() -> None:
    definition, values = definition_of(LIMIT_2P), StrengthValues(definition_of(LIMIT_2P))
    betting = rules_of(LIMIT_2P).parse("rr")
    for hero, sign in ((betting.actor, -1), (1 - betting.actor, 1)):
        found = values.after_actions(view(definition, hero), betting, (), (FOLDING, CALLING))
        assert set(found[:, 0].tolist()) == {sign * betting.spent[betting.actor]}
        assert found[:, 1].std() > 0


def test_nobody_wins_more_than_the_stacks() -> None:
    """Catches growth of a pot in which all is already."""
    definition = definition_of(NOLIMIT_2P)
    betting, aces = rules_of(NOLIMIT_2P).parse("r20000"), hand_number(definition, HOLE_CARDS[0])
    hero = 1 - betting.actor
    others = (HOLE_CARDS[1],) * 2
    found = StrengthValues(definition).after_actions(
        view(definition, hero, others), betting, (), (CALLING,)
    )[aces, 0]
    assert 0.7 * 20_000 < found < 0.85 * 20_000


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("street", "num_ways"), [(1, 22_100), (2, 49), (3, 48)])
def test_every_card_that_can_come_has_a_value_and_no_other(
    game: str, street: int, num_ways: int
) -> None:
    definition = definition_of(game)
    betting = next(before for before, _ in called_down(game).decisions() if before.street == street)
    board, seen = BOARD[: definition.board_size(street - 1)], view(definition, 0)
    ways, found = StrengthValues(definition).after_deals(seen, betting, board)
    gone = [*board, *[card for cards in seen.hole_cards for card in cards]]
    assert not np.isin(ways, gone).any()
    num_left = 52 - len(gone)
    assert len(ways) == (
        num_left * (num_left - 1) * (num_left - 2) // 6 if street == 1 else num_left
    )
    assert len(found) == len(ways) <= num_ways
    assert found.std() > 0


def test_a_good_flop_for_the_others_is_bad_news() -> None:
    definition = definition_of(LIMIT_3P)
    betting = rules_of(LIMIT_3P).parse("ccc/")
    ways, found = StrengthValues(definition).after_deals(view(definition, 0), betting, ())
    flops = {
        text: found[(ways == sorted(parse_cards(text))).all(axis=1)].item()
        for text in ("7h7d2s", "AdTc5h")
    }
    assert flops["7h7d2s"] < found.mean() < flops["AdTc5h"]


def test_hold_em_may_end_before_the_river() -> None:
    definition = definition_of(LIMIT_2P)
    short = replace(
        definition,
        num_streets=2,
        num_board_cards=(0, 3),
        raise_sizes=definition.raise_sizes[:2],
        max_raises=definition.max_raises[:2],
        first_seats=definition.first_seats[:2],
    )
    betting = BettingRules(short).parse("cc/c")
    found = StrengthValues(short).after_actions(view(short, 0), betting, BOARD[:3], (CALLING,))
    assert set(np.unique(found)) == {-10.0, 0.0, 10.0}


@pytest.mark.parametrize("game", [KUHN, LEDUC])
def test_games_without_strength_values_are_refused(game: str) -> None:
    with pytest.raises(UsageError):
        StrengthValues(definition_of(game))


@pytest.mark.slow
def test_in_self_play_a_hand_by_aivat_is_worth_nine_by_chips() -> None:
    folder = find_folder("strategies/holdem.limit.2p.reverse_blinds/smooth_uct")
    assert folder is not None
    assert spread(LIMIT_2P, SnapshotStrategy(load_snapshot(folder)), AIVAT, 60) < 0.33


def test_even_of_play_at_random_the_luck_can_be_taken() -> None:
    """The guesses expect better players, and remain unbiased and worth three hands for one."""
    strategy = find_strategy("random", DealSources(definition_of(LIMIT_3P)))
    assert spread(LIMIT_3P, strategy, AIVAT, 50) < 0.58


def spread(game: str, strategy: PublicStrategy, estimator: Estimator, num_hands: int) -> float:
    """The standard deviation of *estimator*, in that of the chips, when everybody plays
    *strategy*.
    """
    definition = definition_of(game)
    values, dealing, found = StrengthValues(definition), Dealing(definition, 5), []
    known = dict.fromkeys(range(definition.num_players), strategy)
    for number in range(num_hands):
        hand = played(strategy, dealing, Stream(9, number))
        hero = number % definition.num_players
        found.append([estimate(hand, hero, known, values, wanted) for wanted in (CHIPS, estimator)])
    chips, without_luck = np.std(found, axis=0)
    return float(without_luck / chips)


def played(strategy: PublicStrategy, dealing: Dealing, stream: Stream) -> PlayedHand:
    """A hand of *strategy* against itself."""
    definition, deal = dealing.definition, dealing.next_deal()
    betting = BettingRules(definition).start
    while not betting.is_over:
        table = strategy.table(betting, deal.board[: definition.board_size(betting.street)])
        ends = np.cumsum(
            table.probabilities[hand_number(definition, deal.hole_cards[betting.actor])]
        )
        betting = betting.apply(
            table.actions[int(np.searchsorted(ends, stream.unit() * ends[-1], "right"))]
        )
    return PlayedHand(betting, deal.hole_cards, deal.board[: definition.board_size(betting.street)])
