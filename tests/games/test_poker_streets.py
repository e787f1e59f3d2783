"""Generic poker's streets, held against the rules' own histories and against counting."""

from __future__ import annotations

from itertools import product

import pytest

from acpcbot.games.generic_poker import LEDUC, GenericPoker
from acpcbot.games.poker_streets import FOLD_END, STREET_END, poker_streets
from tests.support.research_games import form_of

GAMES = [LEDUC, GenericPoker(2, 3, 2, 2), GenericPoker(3, 1, 1, 2)]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_no_public_state_of_the_second_street_is_lost_or_counted_twice(game: GenericPoker) -> None:
    """Each end of the rules' enumeration is an end of the trees with hands and a board that can
    be dealt.
    """
    streets = poker_streets(game)
    deals, pairs = (
        int((streets.deal_probabilities > 0).sum()),
        int((streets.deal_probabilities.sum(axis=0) > 0).sum()),
    )
    folds = int((streets.first.kinds == FOLD_END).sum())
    beyond = int(
        (streets.second.kinds == FOLD_END).sum() + (streets.second.kinds == STREET_END).sum()
    )
    assert folds * pairs + streets.first.num_lines * beyond * deals == len(
        form_of(game).end_chances
    )


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_deals_are_not_weighed_wrongly(game: GenericPoker) -> None:
    streets, num_cards = poker_streets(game), game.num_ranks * game.num_copies
    for board, own, other in product(range(game.num_ranks), repeat=3):
        left = [game.num_copies] * game.num_ranks
        expected = 1.0
        for dealt, rank in enumerate((own, other, board)):
            expected *= max(0, left[rank]) / (num_cards - dealt)
            left[rank] -= 1
        assert streets.deal_probabilities[board, own, other] == pytest.approx(expected, abs=1e-15)
        sign = _sign(own, other, board)
        assert streets.showdowns[board, own, other] == pytest.approx(sign * expected, abs=1e-15)


def test_chips_of_the_second_street_are_not_those_of_the_first() -> None:
    """In Leduc a bet and a raise are 2 and 4 chips, then 4 and 8.

    Who folds leaves what it has put in.
    """
    streets = poker_streets(LEDUC)
    for street, expected in ((streets.first, {1, 3, 5}), (streets.second, {0, 4, 8})):
        assert set(street.stakes[street.kinds == STREET_END].tolist()) == expected
    assert sorted(streets.second.stakes[streets.second.kinds == FOLD_END].tolist()) == [0, 0, 4, 4]


def _sign(own: int, other: int, board: int) -> int:
    """Return the sign of the showdown by the rules: a pair wins, else the higher rank."""
    if own == other:
        return 0
    if board in (own, other):
        return 1 if own == board else -1
    return 1 if own > other else -1
