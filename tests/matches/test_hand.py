"""A hand as the dealer knows it: who sits where, who sees what, and what is written down at the
end.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.cards.deck import format_cards
from acpcbot.errors import IllegalAction
from acpcbot.matches.hand import Hand
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING
from acpcbot.poker.dealing import Dealing
from acpcbot.protocol.grammar import Grammar
from tests.support.games import KUHN, LIMIT_2P, LIMIT_3P, NOLIMIT_3P, rules_of
from tests.support.lines import SentState
from tests.support.playouts import game_names, play, random_action
from tests.support.tables import settings_of


def hand_of(name: str, hand_id: int = 0, seed: int = 5, *, is_fixed: bool = False) -> Hand:
    settings = settings_of(name, is_fixed=is_fixed)
    return Hand(
        settings, hand_id, Dealing(settings.definition, seed).next_deal(), rules_of(name).start
    )


hands = st.builds(
    hand_of, game_names, st.integers(0, 2**32 - 1), st.integers(0, 99), is_fixed=st.booleans()
)


# Seats and positions.


def test_seats_move_one_position_back_with_every_hand() -> None:
    assert [hand_of(LIMIT_3P, hand_id).positions for hand_id in range(4)] == [
        [0, 1, 2],
        [2, 0, 1],
        [1, 2, 0],
        [0, 1, 2],
    ]


def test_seats_that_are_fixed_keep_their_positions() -> None:
    assert [hand_of(LIMIT_3P, hand_id, is_fixed=True).positions for hand_id in range(3)] == [
        [0, 1, 2]
    ] * 3


@given(hands)
def test_seats_and_positions_are_each_others_inverse(hand: Hand) -> None:
    settings, hand_id = hand.settings, hand.hand_id
    assert sorted(hand.positions) == list(range(len(hand.positions)))
    for seat, position in enumerate(hand.positions):
        assert settings.position(seat, hand_id) == position
        assert settings.seat(position, hand_id) == seat


def test_the_actor_is_named_by_its_seat_in_the_match() -> None:
    assert [hand_of(LIMIT_2P, hand_id).actor_seat for hand_id in range(3)] == [1, 0, 1]


# What is sent and what is known.


@given(hands, st.integers(0, 2**32))
def test_every_position_is_sent_its_own_view_at_every_moment(hand: Hand, seed: int) -> None:
    random = Random(seed)
    while True:
        for position in hand.positions:
            sent = SentState(position, hand.hand_id, hand.betting, hand.deal)
            assert hand.text(position) == sent.line
            assert hand.line(position) == f"{sent.line}\r\n".encode()
        if hand.betting.is_over:
            break
        hand.apply(random_action(random, hand.betting.legal_actions(), len(hand.positions)))


@given(hands, st.integers(0, 2**32))
def test_the_view_that_agents_get_is_what_a_client_reads_from_the_line(
    hand: Hand, seed: int
) -> None:
    for action in play(Random(seed), hand.betting.game).actions:
        for position in hand.positions:
            assert hand.view(position) == Grammar(hand.betting.game).read(hand.text(position))
        hand.apply(action)


def test_an_illegal_action_changes_nothing() -> None:
    hand = hand_of(LIMIT_2P)
    hand.apply(CALLING)
    before = hand.text(0)
    with pytest.raises(IllegalAction):
        hand.apply(FOLDING)
    assert hand.text(0) == before


# The end.


def test_a_record_names_the_players_by_position() -> None:
    hand = hand_of(NOLIMIT_3P, hand_id=1)
    hand.apply(FOLDING)
    hand.apply(FOLDING)
    assert hand.values == (-50, 50, 0)
    assert hand.record().startswith("STATE:1:ff:")
    assert hand.record().endswith(":-50|50|0:Bob|Cyd|Ann")


def test_a_record_shows_the_cards_of_those_who_folded() -> None:
    hand = hand_of(KUHN)
    for action in (CALLING, LIMIT_RAISING, FOLDING):
        hand.apply(action)
    held = [format_cards(cards) for cards in hand.deal.hole_cards]
    assert hand.record() == f"STATE:0:crf:{held[0]}|{held[1]}:-1|1:Ann|Bob"


def test_the_header_says_what_the_official_dealer_says() -> None:
    assert settings_of(LIMIT_2P, num_hands=10).header == (
        f"# name/game/hands/seed match {LIMIT_2P}.game 10 5",
        "#--t_response 600000",
        "#--t_hand 600000",
        "#--t_per_hand 7000",
    )
