"""Guesses from a hold'em strategy's self-play: against plain enumeration, and laws whatever is
bet.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest

from acpcbot.abstraction.buckets import Lossless169
from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.abstraction.hand_strengths import HandStrengths
from acpcbot.agents.public_strategies import find_strategy
from acpcbot.cache_folders import cache_root
from acpcbot.cards.combos import NUM_COMBOS, combo_index
from acpcbot.cards.deck import parse_cards
from acpcbot.evaluation.aivat import self_play_values
from acpcbot.evaluation.aivat import self_play_values as self_play_fit
from acpcbot.evaluation.aivat.estimator import View, estimate
from acpcbot.evaluation.aivat.estimator_kinds import AIVAT
from acpcbot.evaluation.aivat.self_play_hands import SelfPlayHands, fill_shares
from acpcbot.evaluation.aivat.self_play_values import (
    SelfPlayValues,
    SelfPlayWeights,
    fit_weights,
    play_hands,
)
from acpcbot.evaluation.aivat.showdowns import pot_shares
from acpcbot.evaluation.aivat.strength_values import (
    NUM_FEATURES,
    NUM_RAISE_CLASSES,
    StrengthValues,
    end_value,
    features,
    street_end,
)
from acpcbot.poker.betting import BettingState
from acpcbot.poker.dealing import Dealing
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import hand_number
from acpcbot.poker.payoffs import payoffs
from acpcbot.random_kernels import seed_state
from acpcbot.rng import Stream
from acpcbot.strategies.public_play import SnapshotStrategy
from tests.evaluation.aivat.test_strength_values import played
from tests.strategies.menu_snapshots import saved_menu_snapshot
from tests.support.games import LIMIT_2P, LIMIT_3P, NOLIMIT_2P, definition_of, rules_of
from tests.support.playouts import play

FLOP = "flop_holdem.limit.2p"
STRATEGY = f"strategies/{FLOP}/external_sampling"
HOLE_CARDS = tuple([parse_cards(cards) for cards in ("AsAh", "7c2d", "KdQd")])
BOARD = parse_cards("QsJs2c3c9d")
NUM_DEALS = 1 << 16


@cache
def flop_strategy() -> SnapshotStrategy:
    strategy = find_strategy(STRATEGY, dealer())
    assert isinstance(strategy, SnapshotStrategy)
    return strategy


@cache
def dealer() -> DealSources:
    return DealSources(definition_of(FLOP))


@cache
def flop_hands() -> SelfPlayHands:
    return play_hands(flop_strategy(), dealer(), NUM_DEALS)


@cache
def flop_values() -> SelfPlayValues:
    return SelfPlayValues(flop_strategy(), fit_weights(definition_of(FLOP), flop_hands()))


def view(hero: int, num_seats: int = 2) -> View:
    return View(
        hero, tuple([() if seat == hero else HOLE_CARDS[seat] for seat in range(num_seats)])
    )


def some_weights(definition: GameDefinition, seed: int = 1) -> SelfPlayWeights:
    """Any numbers, as large as real ones."""
    draw, seats = np.random.default_rng(seed), definition.num_players
    return SelfPlayWeights(
        np.zeros(seats),
        np.zeros((seats, seats, Lossless169.num_buckets)),
        draw.normal(size=(NUM_RAISE_CLASSES, 2)),
        draw.normal(size=(definition.num_streets - 1, NUM_RAISE_CLASSES, NUM_FEATURES)),
    )


@pytest.mark.parametrize("betting", ["rc/", "rc/c", "rc/rr", "crc/cr"])
def test_on_the_last_street_a_hand_is_worth_what_playing_on_brings(betting: str) -> None:
    """Catches a seat, an action or a bucket that is taken for another's."""
    state, board = rules_of(FLOP).parse(betting), BOARD[:3]
    for hero in range(2):
        for action in state.legal_actions():
            found = flop_values().after_actions(view(hero), state, board, (action,))
            expected = plainly_played_out(state.apply(action), board)[hero]
            own = hand_number(definition_of(FLOP), HOLE_CARDS[hero])
            assert found[own, 0] == pytest.approx(expected, abs=1e-6)


def plainly_played_out(state: BettingState, board: Sequence[int]) -> tuple[float, ...]:
    if state.is_over:
        return payoffs(state, HOLE_CARDS[:2], board)
    table = flop_strategy().table(state, board)
    row = table.probabilities[hand_number(definition_of(FLOP), HOLE_CARDS[state.actor])]
    parts = [plainly_played_out(state.apply(action), board) for action in table.actions]
    return tuple([float(row @ column) for column in np.array(parts).T])


@pytest.mark.slow
def test_the_deal_of_a_street_leads_to_what_its_first_decision_expects() -> None:
    """Values after the last card are means of those after the first actions, on every way."""
    strategy, seen = saved_strategy_of(LIMIT_2P), view(0)
    definition, state = definition_of(LIMIT_2P), rules_of(LIMIT_2P).parse("rc/rc/rc/")
    values = SelfPlayValues(strategy, some_weights(definition))
    ways, found = values.after_deals(seen, state, BOARD[:4])
    own = hand_number(definition, HOLE_CARDS[0])
    for way, worth in list(zip(ways.tolist(), found[:, own], strict=True))[::9]:
        board = (*BOARD[:4], *way)
        table = strategy.table(state, board)
        shares = table.probabilities[hand_number(definition, HOLE_CARDS[state.actor])]
        if not set(way) & set(HOLE_CARDS[0]):
            after = values.after_actions(seen, state, board, table.actions)[own]
            assert worth == pytest.approx(shares @ after, abs=1e-6)


@cache
def saved_strategy_of(game: str) -> SnapshotStrategy:
    folder = f"strategies/{game}/smooth_uct"
    strategy = find_strategy(f"{folder}?play=average", DealSources(definition_of(game)))
    assert isinstance(strategy, SnapshotStrategy)
    return strategy


@pytest.mark.parametrize("seed", range(6))
def test_self_play_values_of_both_players_cancel(seed: int, tmp_path: Path) -> None:
    """From the flop on, where shares of the pot are exact.

    With all-ins, and sizes beside the menu.
    """
    definition = definition_of(NOLIMIT_2P)
    strategy = SnapshotStrategy(saved_menu_snapshot(tmp_path / "x", NOLIMIT_2P))
    values = SelfPlayValues(strategy, some_weights(definition))
    for number in range(5):
        for state, action in play(Random(10 * seed + number), rules_of(NOLIMIT_2P)).end.decisions():
            if state.street:
                board = BOARD[: definition.board_size(state.street)]
                worth = [
                    values.after_actions(view(hero), state, board, (action,))[
                        combo_index(*HOLE_CARDS[hero]), 0
                    ]
                    for hero in range(2)
                ]
                assert sum(worth) == pytest.approx(0, abs=1e-2)


def test_before_the_cards_the_mean_is_said_exactly() -> None:
    """The one number that has to be right for estimates to be unbiased."""
    starts, classes = flop_values()._weights.starts, Lossless169().board_buckets()
    assert np.abs(starts[:, :, classes].mean(axis=2)).max() < 1e-12
    mean, worth = flop_values().start(view(0))
    assert mean == flop_hands().won[:, 0].mean()
    assert worth[combo_index(*HOLE_CARDS[0])] > mean + 5


@pytest.mark.parametrize(
    ("num_known", "staying"), [(3, (0, 1)), (4, (0, 1, 2)), (4, (0, 2)), (5, (1, 2))]
)
def test_shares_of_pots_are_those_of_the_equities_elsewhere(
    num_known: int, staying: tuple[int, ...]
) -> None:
    deal = np.array([[*[card for hand in HOLE_CARDS for card in hand], *BOARD]], np.uint8)
    shares = np.empty((1, len(staying)))
    fill_shares(deal, np.array(staying), num_known, 6, 10, seed_state(1), shares)
    for place, hero in enumerate(staying):
        rivals = [HOLE_CARDS[seat] for seat in staying if seat != hero]
        dead = [
            card for seat, hand in enumerate(HOLE_CARDS) if seat not in staying for card in hand
        ]
        expected = pot_shares(rivals, BOARD[:num_known], dead)[combo_index(*HOLE_CARDS[hero])]
        assert shares[0, place] == pytest.approx(expected, abs=1e-6)


def test_hands_of_self_play_are_the_strategys() -> None:
    """As often as it says, dealt alike, and nothing lost on the way."""
    hands, state = flop_hands(), rules_of(FLOP).start
    assert np.abs(hands.won.sum(axis=1)).max() < 1e-9
    play_there = flop_strategy().every_bucket(state)[Lossless169().board_buckets()]
    is_raised = np.zeros(NUM_DEALS, bool)
    for betting, own in hands.reached:
        is_raised[own] = betting.text.startswith("r")
    assert len({betting.text for betting, _ in hands.reached}) == len(hands.reached)
    again = play_hands(flop_strategy(), dealer(), NUM_DEALS)
    assert np.array_equal(again.won, hands.won)
    assert is_raised.mean() < play_there[:, -1].mean() + 4 / np.sqrt(NUM_DEALS)


@pytest.mark.slow
def test_values_that_follow_a_rule_are_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chips that are worked out by known weights give these weights back."""
    monkeypatch.setattr(self_play_fit, "NUM_PRIOR", 1e-6)
    definition, hands = definition_of(FLOP), flop_hands()
    truth, won = some_weights(definition).ends, hands.won.copy()
    strengths = HandStrengths()
    for betting, own in hands.reached:
        end, cards = street_end(betting), hands.cards[own]
        shares, found = (
            self_play_fit._shares(definition, cards, end.staying, 0),
            strengths.of_hands(cards[:, :4], cards[:, 4:4]),
        )
        for hero in range(2):
            won[own, hero] = end_value(
                end, hero, shares[:, hero], found[:, hero], found[:, 1 - hero], truth
            )
    fitted = fit_weights(definition, SelfPlayHands(hands.cards, won, hands.reached)).ends
    met = sorted({street_end(betting).raises for betting, own in hands.reached if len(own) > 200})
    assert met
    for raises in met:
        ends = [
            (betting, own) for betting, own in hands.reached if street_end(betting).raises == raises
        ]
        end, own = street_end(ends[0][0]), ends[0][1][:50]
        shares = self_play_fit._shares(definition, hands.cards[own], end.staying, 0)
        found = strengths.of_hands(hands.cards[own][:, :4], hands.cards[own][:, 4:4])
        told = [
            end_value(end, 0, shares[:, 0], found[:, 0], found[:, 1], weights)
            for weights in (truth, fitted)
        ]
        assert told[1] == pytest.approx(told[0], abs=0.05)


def test_features_change_their_sign_with_the_player() -> None:
    end = street_end(rules_of(LIMIT_2P).parse("rrc/"))
    one, other = features(end, 0, 0.7, 0.6, 0.3), features(end, 1, 0.3, 0.3, 0.6)
    assert one == pytest.approx([-feature for feature in other], abs=1e-12)
    three = street_end(rules_of(LIMIT_3P).parse("rcc/"))
    assert sum(three.initiative) == pytest.approx(0)
    assert sorted(three.position) == [-1, 0, 1]


def test_in_self_play_they_leave_less_luck_than_the_formula() -> None:
    strategy, definition = flop_strategy(), definition_of(FLOP)
    dealing, found = Dealing(definition, 5), []
    guesses = StrengthValues(definition), flop_values()
    for number in range(80):
        hand = played(strategy, dealing, Stream(9, number))
        found.append(
            [
                estimate(hand, number % 2, dict.fromkeys(range(2), strategy), own, AIVAT)
                for own in guesses
            ]
        )
    formula, self_play = np.std(found, axis=0)
    assert self_play < 0.9 * formula


def cache_without_weights(folder: Path) -> None:
    """Let *folder* hold what the cache holds, so that kernels and tables need not be made
    again, but for weights.
    """
    (folder / "tables").mkdir()
    for path in (cache_root() / "tables").glob("*"):
        if not path.name.startswith("self_play"):
            (folder / "tables" / path.name).symlink_to(path)
    (folder / "kernels").symlink_to(cache_root() / "kernels")


def test_weights_are_kept_by_strategy_and_play(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Catches weights of another way to play, and hands that are played again."""
    cache_without_weights(tmp_path)
    monkeypatch.setenv("ACPCBOT_CACHE", str(tmp_path))
    monkeypatch.setattr(self_play_values, "NUM_DEALS", 1 << 10)
    first = self_play_values.self_play_values(flop_strategy(), dealer())._weights
    monkeypatch.setattr(self_play_values, "play_hands", None)
    again = self_play_values.self_play_values(flop_strategy(), dealer())._weights
    assert np.array_equal(first.starts, again.starts)
    assert np.array_equal(first.ends, again.ends)
    average = find_strategy(f"{STRATEGY}?play=purified", dealer())
    assert isinstance(average, SnapshotStrategy)
    with pytest.raises(TypeError):
        self_play_values.self_play_values(average, dealer())


@pytest.mark.slow
def test_three_players_have_values_too() -> None:
    definition, strategy = (
        definition_of(LIMIT_3P),
        find_strategy(f"strategies/{LIMIT_3P}/smooth_uct", DealSources(definition_of(LIMIT_3P))),
    )
    assert isinstance(strategy, SnapshotStrategy)
    values, state = (
        SelfPlayValues(strategy, some_weights(definition)),
        rules_of(LIMIT_3P).parse("rcc/ccc/cc"),
    )
    found = values.after_actions(view(0, 3), state, BOARD[:4], state.legal_actions())
    assert found.shape == (NUM_COMBOS, len(state.legal_actions()))
    assert np.isfinite(found).all()
