"""Abstractions of hold'em: from settings, to a snapshot and back, and only for the games they
are for.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from acpcbot.abstraction.card_abstraction import (
    ExactAbstraction,
    make_abstraction,
    restore_abstraction,
)
from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction
from acpcbot.cards.combos import combo_index
from acpcbot.cards.deck import parse_cards
from acpcbot.errors import UsageError
from tests.abstraction.cheap_tables import use_cheap_tables
from tests.support.games import KUHN, LEDUC, LIMIT_2P, LIMIT_3P, NOLIMIT_6P, definition_of

PAPER = {
    "preflop": "lossless",
    "flop": {"grid": 1000},
    "turn": {"grid": 500},
    "river": {"grid": 200},
}
BOARD = parse_cards("KsTd9h4s2c")
STRATEGIES = Path(__file__).parents[2] / "strategies"

UNUSABLE = [
    ({}, "none"),
    ({"flop": {"grid": 10}}, "flop"),
    ({"preflop": "lossless", "turn": {"grid": 10}}, "turn"),
    ({"preflop": "lossless", "flip": {"grid": 10}}, "flip"),
    ({"preflop": {"grid": 10}}, "preflop"),
    ({"preflop": "lossless", "flop": "lossless"}, "flop"),
    ({"preflop": "lossless", "flop": {"grid": 0}}, "flop, grid"),
    ({"preflop": "lossless", "flop": {"grid": 65_537}}, "flop, grid"),
    ({"preflop": "lossless", "flop": {"grid": "many"}}, "flop, grid"),
    ({"preflop": "lossless", "flop": {"grid": True}}, "flop, grid"),
    ({"preflop": "lossless", "flop": {"percentile": 2.5}}, "flop, percentile"),
    ({"preflop": "lossless", "flop": {"grit": 10}}, "flop"),
    ({"preflop": "lossless", "flop": {"grid": 10, "percentile": 10}}, "flop"),
    ({"preflop": "lossless", "flop": 10}, "flop"),
]


def test_the_settings_of_the_paper_give_its_buckets() -> None:
    """Catches streets in another order."""
    assert HoldemAbstraction.from_settings(PAPER).num_buckets == (169, 1000, 500, 200)


@pytest.mark.parametrize(("settings", "key"), UNUSABLE)
def test_settings_that_make_no_sense_are_refused_by_their_key(
    settings: dict[str, object], key: str
) -> None:
    """Catches a slip in a recipe that is only found after hours of training, or never."""
    with pytest.raises(UsageError, match=key):
        HoldemAbstraction.from_settings(settings)


@pytest.mark.parametrize("settings", ["lossless", None, 7, ["exact"]])
def test_settings_that_are_no_table_are_refused(settings: object) -> None:
    """Catches a traceback where one line would do."""
    with pytest.raises(UsageError, match="exact"):
        make_abstraction(definition_of(LIMIT_2P), settings)


def test_later_board_cards_change_nothing() -> None:
    """Catches a player who knows on the flop what the river will be."""
    abstraction, hand = HoldemAbstraction.from_settings(PAPER), parse_cards("AhKd")
    for street, size in enumerate((0, 3, 4, 5)):
        bucket = abstraction.bucket(street, hand, BOARD)
        assert (
            bucket
            == abstraction.bucket(street, hand, BOARD[:size])
            < abstraction.num_buckets[street]
        )
        assert bucket == abstraction.board_buckets(street, BOARD)[combo_index(*hand)]


def test_an_abstraction_comes_back_from_json_and_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Catches streets whose arrays are mixed up, and specifications that JSON cannot hold."""
    use_cheap_tables(monkeypatch)
    settings = {
        "preflop": "lossless",
        "flop": {"percentile": 40},
        "turn": {"grid": 30},
        "river": {"grid": 20},
    }
    abstraction = HoldemAbstraction.from_settings(settings)
    spec = json.loads(json.dumps(abstraction.spec()))
    again = restore_abstraction(definition_of(LIMIT_2P), spec, abstraction.arrays())
    assert isinstance(again, HoldemAbstraction)
    assert again.num_buckets == abstraction.num_buckets == (169, 40, 30, 20)
    assert again.spec() == abstraction.spec()
    for street in range(4):
        assert np.array_equal(
            again.board_buckets(street, BOARD), abstraction.board_buckets(street, BOARD)
        )


def test_an_exact_abstraction_is_restored() -> None:
    """Catches a kind that only one of two readers knows."""
    leduc = definition_of(LEDUC)
    abstraction = make_abstraction(leduc, "exact")
    assert isinstance(
        restore_abstraction(leduc, abstraction.spec(), abstraction.arrays()), ExactAbstraction
    )


@pytest.mark.parametrize("name", [LIMIT_2P, LIMIT_3P, NOLIMIT_6P])
def test_holdem_of_any_number_of_seats_and_any_betting_fits(name: str) -> None:
    """Catches a test for more than the cards."""
    assert make_abstraction(definition_of(name), PAPER).num_buckets == (169, 1000, 500, 200)


@pytest.mark.parametrize("name", [KUHN, LEDUC])
def test_games_of_other_cards_are_refused(name: str) -> None:
    """Catches buckets for cards that the game does not have."""
    with pytest.raises(UsageError, match="hold'em of 4 streets"):
        make_abstraction(definition_of(name), PAPER)


def test_a_game_with_other_streets_does_not_fit() -> None:
    """Catches a street without buckets."""
    with pytest.raises(UsageError, match="hold'em of 2 streets"):
        make_abstraction(definition_of(LIMIT_2P), {"preflop": "lossless", "flop": {"grid": 10}})
