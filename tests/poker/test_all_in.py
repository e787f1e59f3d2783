"""All-in values: known equities, other evaluators, every board dealt in plain Python, and laws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb
from random import Random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acpcbot.cards.deck import format_card, parse_cards
from acpcbot.errors import BadCards
from acpcbot.poker.all_in import all_in_payoffs, all_in_street
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.dealing import Deal, Dealing
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.payoffs import payoffs
from tests.support.games import (
    ALL_GAMES,
    KUHN,
    LEDUC_NOLIMIT,
    NOLIMIT_2P,
    NOLIMIT_3P,
    NOLIMIT_6P,
    NOLIMIT_10P,
    SHORT_LIMIT_3P,
    UNEVEN_3P,
    definition_of,
    rules_of,
)
from tests.support.playouts import play, random_action

STACK = 20_000
MAX_BOARDS = 1500
Cards = tuple[int, ...]


def holes(text: str) -> tuple[Cards, ...]:
    return tuple(map(parse_cards, text.split("|")))


def preflop(hands: str) -> tuple[float, ...]:
    """Return the value to each of two players of an all-in before the flop."""
    return all_in_payoffs(rules_of(NOLIMIT_2P).parse("r20000c///"), holes(hands), ())


def dealt_out(
    betting: BettingState, hole_cards: Sequence[Cards], board: Cards, deck: Cards | None = None
) -> list[float]:
    """The mean of the payoffs over every board, one after another."""
    definition = betting.game.definition
    rest = [card for card in deck or definition.deck if card not in (*sum(hole_cards, ()), *board)]
    missing = definition.board_size(definition.num_streets - 1) - len(board)
    found = [payoffs(betting, hole_cards, (*board, *more)) for more in combinations(rest, missing)]
    return [fmean(values) for values in zip(*found, strict=True)]


def num_boards(definition: GameDefinition, board: Cards) -> int:
    """Return the number of boards that begin with *board*, everybody's cards known."""
    size = definition.board_size(definition.num_streets - 1)
    num_known = definition.num_players * definition.num_hole_cards + len(board)
    return comb(len(definition.deck) - num_known, size - len(board))


def all_ins(
    definition: GameDefinition, num_hands: int, seed: int = 1
) -> Iterator[tuple[BettingState, Deal]]:
    """Hands of random play that end all-in, with the board so far, where there are few boards
    to come.
    """
    random, game, dealing = Random(seed), BettingRules(definition), Dealing(definition, seed)
    for _ in range(num_hands):
        end, deal = played_out(random, game), dealing.next_deal()
        street = all_in_street(end)
        if street is not None:
            board = deal.board[: definition.board_size(street)]
            if num_boards(definition, board) <= MAX_BOARDS:
                yield end, Deal(deal.hole_cards, board)


def played_out(random: Random, game: BettingRules) -> BettingState:
    """The end of a random hand; few fold, however many play."""
    betting = game.start
    while not betting.is_over:
        betting = betting.apply(random_action(random, betting.legal_actions(), 2))
    return betting


def eval7_equity(hands: str, flop: str) -> float:
    """The share of the first of two *hands* over all boards that begin with *flop*, by eval7."""
    eval7 = pytest.importorskip("eval7")
    first, second, board = (
        [eval7.Card(format_card(card)) for card in part]
        for part in (*holes(hands), parse_cards(flop))
    )
    rest = [card for card in eval7.Deck().cards if card not in (*first, *second, *board)]
    shares = []
    for more in combinations(rest, 5 - len(board)):
        ours, theirs = (eval7.evaluate([*hand, *board, *more]) for hand in (first, second))
        shares.append(0.5 * (1 + (ours > theirs) - (ours < theirs)))
    return fmean(shares)


# Which hands.


@pytest.mark.parametrize(
    ("name", "betting", "street"),
    [
        (NOLIMIT_2P, "r20000c///", 0),
        (NOLIMIT_2P, "cr300c/cr20000c//", 1),
        (NOLIMIT_2P, "cc/cc/r20000c/", 2),
        (NOLIMIT_2P, "cc/cc/cc/r20000c", None),
        (NOLIMIT_2P, "cc/cc/cc/cc", None),
        (NOLIMIT_2P, "r20000f", None),
        (NOLIMIT_2P, "cc/r20000f", None),
        (NOLIMIT_3P, "r20000fc///", 0),
        (UNEVEN_3P, "r330cc/r1000f//", 1),
        (SHORT_LIMIT_3P, "rrrcc/rrrcc//", 1),
        (KUHN, "rc", None),
        (LEDUC_NOLIMIT, "r1200c/", 0),
        (LEDUC_NOLIMIT, "cc/r1200c", None),
    ],
)
def test_the_street_of_an_all_in_is_that_of_the_last_action(
    name: str, betting: str, street: int | None
) -> None:
    """Caught: river all-ins averaged, folds taken for all-ins, one street too many or too few."""
    assert all_in_street(rules_of(name).parse(betting)) == street


# Known values.


@pytest.mark.parametrize(
    ("hands", "num_wins", "num_ties"),
    [
        ("AsAh|KsKh", 1_410_336, 9_308),
        ("AsAh|KdKc", 1_388_072, 6_538),
        ("AsKs|QhJh", 1_069_685, 8_518),
        ("AsKd|AhKc", 37_210, 1_637_884),
    ],
)
def test_preflop_equities_are_the_counted_ones(hands: str, num_wins: int, num_ties: int) -> None:
    """Caught: a share of the boards left out or counted twice, ties given away, flushes
    overlooked.
    """
    mean = STACK * (2 * (num_wins + num_ties / 2) / comb(48, 5) - 1)
    assert preflop(hands) == pytest.approx((mean, -mean), rel=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize("hands", ["AsAh|KdKc", "AsKs|QhJh", "7c2d|8h8s", "5h6h|ThJd"])
def test_preflop_equities_are_those_of_another_evaluator(hands: str) -> None:
    """Caught: what counts of our own could have in common: eval7 ranks every board."""
    assert preflop(hands)[0] == pytest.approx(STACK * (2 * eval7_equity(hands, "") - 1), abs=1e-7)


@pytest.mark.parametrize("hands", ["AsAh|KdKc", "AsKs|QhJh", "7c2d|8h8s", "5h6h|ThJd", "AdKd|AhKc"])
@pytest.mark.parametrize("flop", ["2h7h9s", "AcTd6s", "Qs8c8d", "3d4d5d"])
def test_equities_on_the_flop_are_those_of_another_evaluator(hands: str, flop: str) -> None:
    """Caught: straights, flushes and full houses ranked wrongly in the sum."""
    betting = rules_of(NOLIMIT_2P).parse("cc/r20000c//")
    found = all_in_payoffs(betting, holes(hands), parse_cards(flop))
    assert found[0] == pytest.approx(STACK * (2 * eval7_equity(hands, flop) - 1), abs=1e-7)


def test_a_side_pot_by_hand() -> None:
    """Caught: a side pot won by a player who is not in it.

    Of 42 rivers two queens and two jacks change who wins.
    """
    betting = rules_of(UNEVEN_3P).parse("r1000cc///")
    found = all_in_payoffs(betting, holes("QsQh|KsKh|JsJh"), parse_cards("2c3d7h8s"))
    queens = (38 * 340 + 2 * 1330 - 2 * 1000) / 42
    kings = (38 * 660 - 4 * 330) / 42
    jacks = (2 * 1330 - 40 * 1000) / 42
    assert found == pytest.approx((queens, kings, jacks), rel=1e-12)


# Every board in plain Python.


@pytest.mark.parametrize("name", ALL_GAMES)
def test_values_are_the_mean_over_every_board_dealt(name: str) -> None:
    """Caught: anything wrong in the compiled sum, in any game: side pots, splits, antes, short
    stacks, small decks.
    """
    for betting, deal in list(all_ins(definition_of(name), 400))[:10]:
        expected = dealt_out(betting, deal.hole_cards, deal.board)
        assert all_in_payoffs(betting, deal.hole_cards, deal.board) == pytest.approx(
            expected, abs=1e-7
        )


SIX = definition_of(NOLIMIT_6P)
ODD_GAMES = {
    "six uneven stacks": replace(SIX, stacks=(150, 400, 1000, 3000, 2000, 700)),
    "ten players": replace(definition_of(NOLIMIT_10P), stacks=tuple(range(200, 1200, 100))),
    "short deck": replace(definition_of(NOLIMIT_3P), num_ranks=9),
    "two suits": replace(definition_of(NOLIMIT_2P), num_suits=2),
    "one hole card": replace(definition_of(NOLIMIT_3P), num_hole_cards=1),
    "three hole cards": replace(
        definition_of(NOLIMIT_2P), num_hole_cards=3, num_board_cards=(0, 3, 2, 1)
    ),
    "ten cards": replace(definition_of(NOLIMIT_2P), num_hole_cards=3, num_board_cards=(0, 5, 1, 1)),
    "four cards": replace(definition_of(NOLIMIT_3P), num_board_cards=(0, 1, 1, 0)),
    "an empty last street": replace(definition_of(NOLIMIT_2P), num_board_cards=(0, 4, 1, 0)),
}


@pytest.mark.parametrize("name", ODD_GAMES)
def test_all_ins_of_odd_games_are_averaged(name: str) -> None:
    """Caught: 52 cards, two hole cards or five board cards taken for granted.

    Hands beyond the tables.
    """
    found = list(all_ins(ODD_GAMES[name], 400))
    assert len(found) >= 5
    for betting, deal in found[:10]:
        expected = dealt_out(betting, deal.hole_cards, deal.board)
        assert all_in_payoffs(betting, deal.hole_cards, deal.board) == pytest.approx(
            expected, abs=1e-7
        )


def test_the_lowest_deck_is_known_by_its_cards() -> None:
    """Caught: boards of kings for a hand that was dealt twos."""
    betting = rules_of(LEDUC_NOLIMIT).parse("r1200c/")
    highest, lowest = holes("Qh|Ks"), holes("2c|3d")
    values = all_in_payoffs(betting, highest, ())
    assert values == (-600, 600)
    assert all_in_payoffs(betting, lowest, ()) == values
    with pytest.raises(BadCards):
        all_in_payoffs(betting, holes("2c|Ks"), ())


def test_cards_of_both_decks_are_told_apart_by_the_deck_that_is_given() -> None:
    """Caught: the deck ignored."""
    definition = ODD_GAMES["short deck"]
    betting = BettingRules(definition).parse("cfc/cc/r20000c/")
    cards, board = holes("6c7d|TcTd|8c8d"), parse_cards("6h7s9d9s")
    highest = all_in_payoffs(betting, cards, board)
    assert highest == all_in_payoffs(betting, cards, board, deck=definition.deck)
    lowest = all_in_payoffs(betting, cards, board, deck=definition.lowest_deck)
    assert lowest != highest
    assert lowest == pytest.approx(dealt_out(betting, cards, board, definition.lowest_deck))


# Laws.

TURN = st.permutations(range(52)).map(
    lambda cards: (tuple(cards[:2]), tuple(cards[2:4]), tuple(cards[4:8]))
)


@given(TURN, st.permutations(range(4)))
@settings(max_examples=50)
def test_renamed_suits_change_no_all_in_value(
    cards: tuple[Cards, Cards, Cards], suits: list[int]
) -> None:
    """Caught: a flush seen in some suits only."""
    betting = rules_of(NOLIMIT_2P).parse("cc/cc/r20000c/")
    first, second, board = cards
    renamed = [tuple(card - card % 4 + suits[card % 4] for card in part) for part in cards]
    assert all_in_payoffs(betting, renamed[:2], renamed[2]) == all_in_payoffs(
        betting, (first, second), board
    )


@given(TURN)
@settings(max_examples=20)
def test_the_flop_is_the_mean_of_its_turns(cards: tuple[Cards, Cards, Cards]) -> None:
    """Caught: boards of unequal weight."""
    betting = rules_of(NOLIMIT_2P).parse("cc/r20000c//")
    first, second, (*flop, _) = cards
    rest = [card for card in range(52) if card not in (*first, *second, *flop)]
    turns = [all_in_payoffs(betting, (first, second), (*flop, card))[0] for card in rest]
    assert all_in_payoffs(betting, (first, second), flop)[0] == pytest.approx(
        fmean(turns), abs=1e-7
    )


@pytest.mark.parametrize("name", ALL_GAMES)
def test_a_whole_board_is_worth_its_payoffs(name: str) -> None:
    """Caught: pots cut otherwise than the dealer cuts them."""
    random, dealing = Random(name), Dealing(definition_of(name), 7)
    for _ in range(200):
        end, deal = play(random, rules_of(name)).end, dealing.next_deal()
        if end.is_showdown:
            expected = payoffs(end, deal.hole_cards, deal.board)
            assert all_in_payoffs(end, deal.hole_cards, deal.board) == pytest.approx(
                expected, abs=1e-9
            )


@pytest.mark.parametrize("name", [NOLIMIT_6P, NOLIMIT_10P, UNEVEN_3P])
def test_all_in_values_add_up_to_nothing(name: str) -> None:
    """Caught: chips that come from nowhere or go there."""
    for betting, deal in all_ins(definition_of(name), 200, seed=3):
        assert sum(all_in_payoffs(betting, deal.hole_cards, deal.board)) == pytest.approx(
            0, abs=1e-6
        )


def test_folded_cards_are_dead_where_they_are_known() -> None:
    """Caught: a board made of cards that a folded player held."""
    betting = rules_of(NOLIMIT_3P).parse("ccc/ccc/r20000cf/")
    cards, board = holes("AsAh|KsKh|KdKc"), parse_cards("2c7d9hJs")
    assert all_in_payoffs(betting, cards, board) == (20_100, -20_000, -100)
    unknown = all_in_payoffs(betting, (*cards[:2], ()), board)
    assert unknown == pytest.approx((20_100 - 2 / 44 * 40_100, -20_000 + 2 / 44 * 40_100, -100))
