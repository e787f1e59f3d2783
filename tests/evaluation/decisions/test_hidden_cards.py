"""Deals of the cards that a player does not see: all of them, and drawn ones."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.evaluation.decisions import hidden_cards as module
from acpcbot.evaluation.decisions.hidden_cards import HiddenCards, SeenCards, hidden_cards
from acpcbot.poker.hands import all_hands, hand_number
from tests.support.games import LEDUC, LIMIT_2P, LIMIT_3P, definition_of
from tests.support.small_games import KUHN_3P


def deals(found: HiddenCards) -> dict[tuple[int, ...], float]:
    """The probability of each deal, by all hands and cards of the board."""
    total: Counter[tuple[int, ...]] = Counter()
    for hands, board, weight in zip(
        found.hands.tolist(), found.boards.tolist(), found.weights.tolist(), strict=True
    ):
        total[(*hands, *board)] += weight
    return dict(total)


@pytest.mark.parametrize("is_drawn", [False, True])
def test_two_ranges_have_their_joint_distribution(
    is_drawn: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches a second hand drawn from what the first one leaves: that is another distribution."""
    definition = definition_of(KUHN_3P)
    weights = [np.array([0.1, 0.2, 0.3, 0.4]), np.ones(4), np.array([0.7, 0.1, 0.1, 0.1])]
    seen = SeenCards(definition, 1, 2, ())
    if is_drawn:
        monkeypatch.setattr(module, "MAX_LISTED", 0)
    found = hidden_cards(seen, weights, 40_000, np.random.default_rng(1))
    assert found.is_whole is not is_drawn
    products = {
        (first, 2, third): weights[0][first] * weights[2][third]
        for first, third in permutations((0, 1, 3), 2)
    }
    total = sum(products.values())
    expected = {held: float(product / total) for held, product in products.items()}
    assert deals(found) == pytest.approx(expected, abs=0.01 if is_drawn else 1e-12)


def test_every_board_card_is_as_probable() -> None:
    """Catches a board that holds a card of a player, and cards that are missing."""
    definition = definition_of(LEDUC)
    own = hand_number(definition, definition.deck[:1])
    ranges = [np.ones(len(all_hands(definition)))] * 2
    found = hidden_cards(SeenCards(definition, 0, own, ()), ranges, 10, np.random.default_rng(1))
    assert len(found.hands) == 5 * 4
    assert found.weights.tolist() == pytest.approx([1 / 20] * 20)
    for (_, other), (card,) in zip(found.hands.tolist(), found.boards.tolist(), strict=True):
        cards = {definition.deck[0], *all_hands(definition)[other].tolist(), card}
        assert len(cards) == 3


def test_drawn_cards_are_all_different() -> None:
    """Catches players that share cards, with each other or with the board."""
    definition = definition_of(LIMIT_3P)
    hands = all_hands(definition)
    seen = SeenCards(definition, 0, hand_number(definition, [51, 50]), (0, 1, 2))
    # Both others hold one of few hands, which often share a card.
    few = np.zeros(len(hands))
    for cards in ([49, 48], [49, 47], [48, 47], [46, 45], [51, 44]):
        few[hand_number(definition, cards)] = 1.0
    found = hidden_cards(seen, [few] * 3, 3000, np.random.default_rng(1))
    assert not found.is_whole
    for held, board in zip(found.hands.tolist(), found.boards.tolist(), strict=True):
        cards = [*hands[held].reshape(-1).tolist(), *board]
        assert len(set(cards)) == 3 * 2 + 5
        assert board[:3] == [0, 1, 2]
    turns = np.bincount(found.boards[:, 3], minlength=52)
    assert set(np.flatnonzero(turns).tolist()).isdisjoint({0, 1, 2, 50, 51})


def test_drawn_hands_and_cards_are_spread_evenly() -> None:
    """Catches independent draws: drawn hands and cards up to any rank are as many as expected.

    Hands are so but for one draw. The turn's place among the cards that are left is, too; up to
    which rank it is depends on the two cards of the opponent. Independent draws would be some 70 off
    of 10,000.
    """
    definition, num_deals = definition_of(LIMIT_2P), 10_000
    hands = all_hands(definition)
    seen = SeenCards(definition, 0, hand_number(definition, [51, 0]), (1, 25, 50))
    weights = np.arange(len(hands), dtype=np.float64)
    found = hidden_cards(seen, [weights] * 2, num_deals, np.random.default_rng(1))
    free = weights * ~np.isin(hands, seen.cards).any(axis=1)
    drawn = np.bincount(found.hands[:, 1], minlength=len(hands))
    assert np.abs(np.cumsum(drawn - num_deals * free / free.sum())).max() <= 1.001
    known = np.concatenate([hands[found.hands].reshape(num_deals, -1), found.boards], axis=1)
    for count in (7, 8):
        is_left = ~(known[:, :count, None] == np.arange(52)).any(axis=1)
        expected = (is_left / is_left.sum(axis=1, keepdims=True)).sum(axis=0)
        cards = np.bincount(known[:, count], minlength=52)
        assert np.abs(np.cumsum(cards - expected)).max() <= 30


def test_drawn_ones_of_listed_deals_have_their_probabilities() -> None:
    """Catches listed deals that are drawn alike, and weights that are applied twice."""
    definition = definition_of(KUHN_3P)
    ranges = [np.array([0.1, 0.2, 0.3, 0.4]), np.ones(4), np.array([0.7, 0.1, 0.1, 0.1])]
    generator = np.random.default_rng(1)
    listed = hidden_cards(SeenCards(definition, 1, 2, ()), ranges, 5, generator)
    drawn = listed.drawn(4000, generator)
    assert (listed.is_whole, drawn.is_whole, len(drawn.hands)) == (True, False, 4000)
    assert deals(drawn) == pytest.approx(deals(listed), abs=1.001 / 4000)


@pytest.mark.parametrize("most", [0, 2000])
def test_ranges_that_cannot_be_held_together_are_refused(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches an endless draw."""
    monkeypatch.setattr(module, "MAX_LISTED", most)
    monkeypatch.setattr(module, "MAX_DRAWS", 3)
    definition = definition_of(KUHN_3P)
    queen = np.array([1.0, 0.0, 0.0, 0.0])
    for ranges in ([queen] * 3, [np.zeros(4)] * 3):
        with pytest.raises(UsageError, match="no cards"):
            hidden_cards(SeenCards(definition, 1, 2, ()), ranges, 5, np.random.default_rng(1))
