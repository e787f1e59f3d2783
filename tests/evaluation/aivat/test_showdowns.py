"""The values of ends with every hand, against the exact mean over all boards by the rules alone."""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.cards.deck import parse_cards
from acpcbot.evaluation.aivat.showdowns import end_values
from acpcbot.poker.all_in import all_in_payoffs
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import all_hands
from acpcbot.poker.payoffs import payoffs
from tests.support.games import LEDUC_NOLIMIT, NOLIMIT_2P, UNEVEN_3P, rules_of

BOARD = parse_cards("QsJs2d3c8h")
RIVALS = [parse_cards(cards) for cards in ("AcKc", "9h9s", "QdQc")]


def all_in(game: str, num_folds: int = 0) -> BettingState:
    """Everybody goes all-in, but for the first ones to act, who fold."""
    betting = rules_of(game).start
    while not betting.is_over:
        *others, largest = betting.legal_actions()
        betting = betting.apply(others[0] if num_folds > 0 else largest)
        num_folds -= 1
    return betting


@pytest.mark.parametrize("num_cards", [3, 4, 5])
@pytest.mark.parametrize(("game", "num_folds"), [(NOLIMIT_2P, 0), (UNEVEN_3P, 0), (UNEVEN_3P, 1)])
def test_no_layer_of_a_pot_goes_to_the_wrong_hands(
    game: str, num_folds: int, num_cards: int
) -> None:
    """Catches side pots, chips that come back, ties among three and the dead cards of who
    folded.
    """
    betting, board = all_in(game, num_folds), BOARD[:num_cards]
    for hero in range(len(betting.spent)):
        hole_cards = [*RIVALS[: len(betting.spent) - 1]]
        hole_cards.insert(hero, ())
        found = end_values(betting, hole_cards, hero, board)
        gone = {*board, *[card for cards in hole_cards for card in cards]}
        for hand, cards in list(enumerate(map(tuple, all_hands(betting.game.definition).tolist())))[
            ::97
        ]:
            if gone.isdisjoint(cards):
                hole_cards[hero] = cards
                expected = all_in_payoffs(betting, hole_cards, board)[hero]
                assert found[hand] == pytest.approx(expected, rel=1e-5, abs=betting.pot * 1e-5)


def test_boards_drawn_for_an_all_in_before_the_flop_stand_for_all() -> None:
    betting = all_in(NOLIMIT_2P)
    hole_cards = [(), parse_cards("KdKc")]
    expected = all_in_payoffs(betting, [parse_cards("AsAh"), hole_cards[1]], ())[0]
    aces = all_hands(betting.game.definition).tolist().index(list(parse_cards("AsAh")))
    assert end_values(betting, hole_cards, 0, ())[aces] == pytest.approx(
        expected, abs=0.01 * betting.pot
    )


def test_in_small_games_all_boards_are_gone_through() -> None:
    betting = all_in(LEDUC_NOLIMIT)
    definition = betting.game.definition
    found = end_values(betting, [(), (50,)], 0, ())
    for hand, (card,) in enumerate(all_hands(definition).tolist()):
        boards = [other for other in definition.deck if other not in (50, card)]
        if card != 50:
            means = np.mean([payoffs(betting, [(card,), (50,)], (other,))[0] for other in boards])
            assert found[hand] == pytest.approx(means)


def test_a_fold_loses_what_was_paid() -> None:
    betting = rules_of(NOLIMIT_2P).parse("r300r900f")
    for hero in range(2):
        chips = end_values(betting, [RIVALS[0]] * 2, hero, ())
        assert set(chips.tolist()) == {-300 if betting.folded[hero] else 300}
