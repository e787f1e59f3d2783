"""A hand's place among the opponent's, against counting hand by hand with the slow evaluator."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acpcbot.agents.tight import hand_percentile
from acpcbot.cards.any_strength import strength
from acpcbot.cards.deck import parse_cards
from acpcbot.poker.definition import GameDefinition, parse_definition
from tests.support.games import KUHN, LEDUC, LIMIT_2P, definition_of


def game_of(
    num_suits: int, num_ranks: int, num_hole_cards: int, *num_board_cards: int
) -> GameDefinition:
    """A two-player game with this deck and these cards."""
    boards = " ".join(map(str, num_board_cards))
    return parse_definition(
        f"nolimit\nnumPlayers = 2\nnumRounds = {len(num_board_cards)}\nstack = 50 50\nblind = 1 2\n"
        f"numSuits = {num_suits}\nnumRanks = {num_ranks}\nnumHoleCards = {num_hole_cards}\nnumBoardCards = {boards}\n"
    )


def counted(definition: GameDefinition, own: tuple[int, ...], board: tuple[int, ...]) -> float:
    """The percentile by the definition of the word."""
    unseen = sorted(set(definition.deck) - set(own) - set(board))
    mine = strength((*own, *board))
    rivals = [strength((*held, *board)) for held in combinations(unseen, len(own))]
    return sum(1.0 if rival < mine else 0.5 if rival == mine else 0.0 for rival in rivals) / len(
        rivals
    )


@pytest.mark.parametrize(
    ("game", "cards", "board", "percentile"),
    [
        (KUHN, "Qs", "", 0.0),
        (KUHN, "Ks", "", 0.5),
        (KUHN, "As", "", 1.0),
        (LEDUC, "Qh", "", 0.1),
        (LEDUC, "Ah", "", 0.9),
        (LEDUC, "Qh", "Qs", 1.0),
        (LEDUC, "Ah", "Ks", 0.625),
        (LIMIT_2P, "2c3d", "AsKsQsJsTs", 0.5),
        (LIMIT_2P, "AsTs", "KsQsJs2c3d", 1.0),
        (LIMIT_2P, "AcAd", "", (1224 + 0.5) / 1225),
    ],
)
def test_percentiles_of_hands_are_those_counted_by_hand(
    game: str, cards: str, board: str, percentile: float
) -> None:
    assert hand_percentile(
        definition_of(game), parse_cards(cards), parse_cards(board)
    ) == pytest.approx(percentile)


@settings(max_examples=15)
@given(
    cards=st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True),
    board_size=st.sampled_from([3, 4, 5]),
)
def test_two_hole_cards_on_a_board_agree_with_counting(cards: list[int], board_size: int) -> None:
    """Would catch opponents that hold our cards, and ties counted as wins."""
    own, board = (cards[0], cards[1]), tuple(cards[2 : 2 + board_size])
    definition = definition_of(LIMIT_2P)
    assert hand_percentile(definition, own, board) == pytest.approx(counted(definition, own, board))


@pytest.mark.parametrize(
    "definition",
    [
        game_of(2, 8, 2, 0, 3),
        game_of(4, 6, 2, 0, 1),
        game_of(3, 5, 2, 0),
        game_of(2, 6, 3, 0, 2, 4),
    ],
)
def test_small_decks_and_odd_boards_agree_with_counting(definition: GameDefinition) -> None:
    """Would catch opponents dealt cards that the small deck does not have."""
    size = definition.num_hole_cards
    own, rest = definition.deck[1 : 1 + size], definition.deck[1 + size :]
    board = rest[: definition.board_size(definition.num_streets - 1)]
    assert hand_percentile(definition, own, board) == pytest.approx(counted(definition, own, board))


def test_a_selection_of_very_many_hands_comes_close_to_all_of_them() -> None:
    definition = game_of(4, 13, 3, 0, 3)
    own, board = parse_cards("QsQd8c"), parse_cards("Jh8d2s")
    assert hand_percentile(definition, own, board) == pytest.approx(
        counted(definition, own, board), abs=0.05
    )
