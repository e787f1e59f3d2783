"""Equities of hands that are checked down, against counting boards one by one."""

from __future__ import annotations

from itertools import chain, combinations

import pytest

from acpcbot.cards.combos import NUM_COMBOS, combo_cards, combo_index, parse_combo
from acpcbot.cards.deck import parse_cards
from acpcbot.cards.strength import strength7
from acpcbot.evaluation.aivat.showdowns import hand_equities, pot_shares


@pytest.mark.parametrize(
    ("own", "board"),
    [("AsKs", "QsJs2d"), ("7c2d", "7h7s2c"), ("AsKs", "QsJs2d3c"), ("9c9d", "AhKh2s2d4c")],
)
@pytest.mark.parametrize("other", ["AcKc", "9h9s", "Ts3s"])
def test_no_board_and_no_tie_is_counted_wrongly(own: str, board: str, other: str) -> None:
    cards = parse_cards(own), parse_cards(other)
    known = parse_cards(board)
    rest = [card for card in range(52) if card not in (*cards[0], *cards[1], *known)]
    points = []
    for way in combinations(rest, 5 - len(known)):
        first, second = (strength7(*hand, *known, *way) for hand in cards)
        points.append((first > second) + 0.5 * (first == second))
    found = hand_equities(cards[0], known)
    assert found[parse_combo(other)] == pytest.approx(sum(points) / len(points), abs=1e-5)


def test_hands_that_cannot_be_held_win_and_lose_nothing() -> None:
    own, board = parse_cards("AsKs"), parse_cards("QsJs2d")
    found = hand_equities(own, board)
    for combo in range(NUM_COMBOS):
        if set(combo_cards(combo)) & {*own, *board}:
            assert found[combo] == 0


def test_before_the_flop_a_pair_of_aces_is_as_good_as_everybody_knows() -> None:
    """Against kings and against 7-6 suited, by going through all boards."""
    found = hand_equities(parse_cards("AsAh"), ())
    assert found[parse_combo("KdKc")] == pytest.approx(0.81255, abs=0.01)
    assert found[parse_combo("7d6d")] == pytest.approx(0.76967, abs=0.01)


def test_three_who_are_equal_share_the_pot() -> None:
    """Catches a share of ties that forgets a rival, and one of rivals who are beaten."""
    rivals, board = (
        [parse_cards(cards) for cards in ("AcKc", "AdKd", "3h3s")],
        parse_cards("QsJsTd"),
    )
    dead = parse_cards("8h8s")
    rest = [card for card in range(52) if card not in (*chain.from_iterable(rivals), *board, *dead)]
    for own in (parse_cards("AsKs"), parse_cards("9s9c"), parse_cards("3d3c")):
        shares = []
        for way in combinations([card for card in rest if card not in own], 2):
            values = [strength7(*[*hand, *board, *way]) for hand in (own, *rivals)]
            shares.append((values[0] == max(values)) / values.count(values[0]))
        found = pot_shares(rivals, board, dead)
        assert found[combo_index(*own)] == pytest.approx(sum(shares) / len(shares), abs=1e-5)
        assert found[combo_index(own[0], dead[0])] == 0


@pytest.mark.parametrize("board_cards", [3, 4])
def test_a_board_may_be_whole_before_the_river(board_cards: int) -> None:
    rivals, board = [parse_cards("AcKc")], parse_cards("QsJs2d3c")[:board_cards]
    found = pot_shares(rivals, board, board_cards=board_cards)
    assert found[parse_combo("AsKs")] == 0.5
    assert found[parse_combo("Qd2c")] == 1
    assert found[parse_combo("7d5c")] == 0


def test_the_shares_of_all_who_stay_are_the_whole_pot() -> None:
    hands = [parse_cards(cards) for cards in ("AcKc", "9h9s", "7d2c", "QhJh")]
    board = parse_cards("QsJs2d")
    shares = [
        pot_shares([*hands[:own], *hands[own + 1 :]], board)[combo_index(*hands[own])]
        for own in range(4)
    ]
    assert sum(shares) == pytest.approx(1, abs=1e-5)
