"""Small games: the known numbers of hands and deals, both decks, and every deal exactly as
often as it should be.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from acpcbot.abstraction.card_abstraction import ExactAbstraction, all_deals, merge_deals
from acpcbot.cards.deck import parse_cards
from acpcbot.errors import BadCards, UsageError
from acpcbot.poker.definition import GameDefinition, parse_definition
from tests.support.games import KUHN, LEDUC, LEDUC_NOLIMIT, LIMIT_2P, definition_of

KUHN_3P = "kuhn.limit.3p"


def game(*, suits: int, ranks: int, hole: int, board: str, players: int = 2) -> GameDefinition:
    """A limit game with these cards."""
    num_streets = len(board.split())
    per_street = {"raiseSize": "1 " * num_streets, "numBoardCards": board}
    per_seat = {"blind": "1 " * players, "stack": "9 " * players}
    numbers = {
        "numPlayers": players,
        "numRounds": num_streets,
        "numSuits": suits,
        "numRanks": ranks,
    }
    entries = {**numbers, **per_street, **per_seat, "numHoleCards": hole}
    lines = [f"{key} = {value}" for key, value in entries.items()]
    return parse_definition("\n".join(["GAMEDEF", "limit", *lines, "END GAMEDEF", ""]))


@pytest.mark.parametrize(
    ("name", "num_buckets", "num_deals", "num_different"),
    [
        (KUHN, (3,), 6, 6),
        (KUHN_3P, (4,), 24, 24),
        (LEDUC, (3, 9), 120, 24),
        (LEDUC_NOLIMIT, (3, 9), 120, 24),
    ],
)
def test_the_known_games_have_as_many_hands_and_deals_as_they_should(
    name: str, num_buckets: tuple[int, ...], num_deals: int, num_different: int
) -> None:
    """Catches suits that are told apart, hands that are not, and deals that are forgotten."""
    definition = definition_of(name)
    abstraction = ExactAbstraction(definition)
    deals = all_deals(definition, abstraction)
    assert abstraction.num_buckets == num_buckets
    assert deals.shape == (num_deals, definition.num_streets * definition.num_players + 1)
    assert len(merge_deals(deals)[0]) == num_different


def test_leduc_deals_are_those_of_a_plain_enumeration() -> None:
    """Catches columns of the wrong street or seat, and an ordering the wrong way round."""
    expected: Counter[tuple[int, ...]] = Counter()
    for first, second, board in permutations([0, 0, 1, 1, 2, 2], 3):
        # A pair with the board beats everything, or else the higher rank does.
        worth = [3 if rank == board else rank for rank in (first, second)]
        ordering = int(np.sign(worth[0] - worth[1])) + 1
        expected[first, second, 3 * first + board, 3 * second + board, ordering] += 1
    leduc = definition_of(LEDUC)
    found = Counter(map(tuple, all_deals(leduc, ExactAbstraction(leduc)).tolist()))
    assert found == expected


def test_merged_deals_keep_their_probabilities() -> None:
    """Catches weights that do not sum to one or belong to other rows."""
    leduc = definition_of(LEDUC)
    deals = all_deals(leduc, ExactAbstraction(leduc))
    rows, weights = merge_deals(deals)
    counts = Counter(map(tuple, deals.tolist()))
    assert weights.sum() == pytest.approx(1)
    assert {
        tuple(row): round(weight * 120) for row, weight in zip(rows.tolist(), weights, strict=True)
    } == counts


def test_three_seats_have_their_ordering() -> None:
    """Catches an ordering that only works for two."""
    kuhn = definition_of(KUHN_3P)
    deals = all_deals(kuhn, ExactAbstraction(kuhn))
    by_order = {tuple(np.argsort(deal[:3]).tolist()): set() for deal in deals.tolist()}  # type: ignore[var-annotated]
    for deal in deals.tolist():
        by_order[tuple(np.argsort(deal[:3]).tolist())].add(deal[3])
    assert sorted(map(len, by_order.values())) == [1] * 6
    assert len(set.union(*by_order.values())) == 6


def test_the_lowest_deck_has_the_same_buckets() -> None:
    """Catches a bot that is lost at a dealer with twos, threes and fours."""
    definition = definition_of(LEDUC)
    abstraction = ExactAbstraction(definition)
    pairs = list(zip(definition.deck, definition.lowest_deck, strict=True))
    for (card, low_card), (board, low_board) in permutations(pairs, 2):
        assert abstraction.bucket(0, [card], []) == abstraction.bucket(0, [low_card], [])
        assert abstraction.bucket(1, [card], [board]) == abstraction.bucket(
            1, [low_card], [low_board]
        )


@pytest.mark.parametrize(("hole_cards", "board"), [("7s", ""), ("As", "2c"), ("Ac", "")])
def test_cards_of_no_deck_are_refused(hole_cards: str, board: str) -> None:
    """Catches a look-up that fails with a KeyError."""
    with pytest.raises(BadCards):
        ExactAbstraction(definition_of(LEDUC)).bucket(
            1, parse_cards(hole_cards), parse_cards(board)
        )


def test_hole_cards_have_no_order_and_streets_have_one() -> None:
    """Catches hands that forget what came first, and hands that remember what nobody can."""
    definition = game(suits=2, ranks=4, hole=2, board="0 1 1")
    abstraction = ExactAbstraction(definition)
    ace, king, queen, jack = parse_cards("AsKsQsJs")
    assert abstraction.bucket(0, [ace, king], []) == abstraction.bucket(0, [king, ace], [])
    assert abstraction.bucket(2, [ace, king], [queen, jack]) != abstraction.bucket(
        2, [ace, king], [jack, queen]
    )
    assert abstraction.num_buckets[0] == 10


def test_board_cards_of_one_street_have_no_order() -> None:
    """Catches two buckets for one flop."""
    abstraction = ExactAbstraction(game(suits=2, ranks=3, hole=1, board="0 2"))
    ace, king, queen = parse_cards("AsKsQs")
    assert abstraction.bucket(1, [ace], [king, queen]) == abstraction.bucket(
        1, [ace], [queen, king]
    )


@pytest.mark.parametrize(
    ("definition", "reason"),
    [
        (definition_of(LIMIT_2P), "fewer than five cards"),
        (game(suits=4, ranks=13, hole=2, board="0 1"), "deals"),
        (game(suits=2, ranks=8, hole=1, board="0 1 1", players=8), "8 players are too many"),
    ],
    ids=["holdem", "big", "crowded"],
)
def test_exact_buckets_refuse_large_games(definition: GameDefinition, reason: str) -> None:
    """Catches an enumeration that does not end."""
    with pytest.raises(UsageError, match=reason):
        ExactAbstraction(definition)
