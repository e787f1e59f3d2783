"""The seats of each hand, and the header that every log opens with."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from acpcbot.matches.settings import TimeLimits
from tests.support.games import ALL_GAMES, LIMIT_2P, definition_of
from tests.support.tables import settings_of

games = st.sampled_from(ALL_GAMES)


@given(name=games, hand_id=st.integers(0, 2**32), is_fixed=st.booleans())
def test_seats_and_positions_are_each_others_inverse_in_every_hand(
    name: str, hand_id: int, is_fixed: bool
) -> None:
    settings = settings_of(name, is_fixed=is_fixed)
    seats = range(definition_of(name).num_players)
    assert [settings.seat(settings.position(seat, hand_id), hand_id) for seat in seats] == list(
        seats
    )
    assert sorted(settings.position(seat, hand_id) for seat in seats) == list(seats)


@given(name=games)
def test_everybody_is_once_in_each_position_before_the_first_comes_round_again(name: str) -> None:
    settings = settings_of(name)
    num_players = definition_of(name).num_players
    assert [settings.position(0, hand_id) for hand_id in range(num_players)] == [
        0,
        *range(num_players - 1, 0, -1),
    ]
    assert settings.position(0, num_players) == 0


def test_fixed_seats_are_positions() -> None:
    settings = settings_of(LIMIT_2P, is_fixed=True)
    assert [settings.position(1, hand_id) for hand_id in range(4)] == [1, 1, 1, 1]


def test_the_header_is_the_official_dealers() -> None:
    limits = TimeLimits.from_milliseconds(500, 600_000, 7_000, 10)
    settings = settings_of(LIMIT_2P, 10, seed=1, limits=limits)
    assert settings.header == (
        "# name/game/hands/seed match holdem.limit.2p.reverse_blinds.game 10 1",
        "#--t_response 500",
        "#--t_hand 600000",
        "#--t_per_hand 7000",
    )


def test_a_negative_limit_is_shown_as_the_official_dealer_shows_it() -> None:
    limits = TimeLimits.from_milliseconds(-5, 600_000, 7_000, 10)
    assert settings_of(LIMIT_2P, 10, limits=limits).header[1] == "#--t_response 18446744073709546"
