"""Records of a match: STATE, SCORE and transaction lines as the official dealer prints and
reads them.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.cards.deck import parse_cards
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, Action, raising
from acpcbot.poker.dealing import Deal
from acpcbot.poker.payoffs import payoffs
from acpcbot.protocol.records import (
    Transaction,
    format_score_record,
    format_state_record,
    format_time,
    format_transaction,
    format_value,
    parse_transaction,
)
from tests.support.games import KUHN, LIMIT_3P, NOLIMIT_2P, rules_of

# Numbers.


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-5.0, "-5"),
        (7.5, "7.5"),
        (10 / 3, "3.333333"),
        (-2 / 3, "-0.666667"),
        (100.0, "100"),
        (63178.5, "63178.5"),
        (1e9, "1000000000"),
        (-1e-9, "-0"),
        (0.1 + 0.2, "0.3"),
    ],
)
def test_values_are_printed_as_the_official_dealer_prints_them(value: float, text: str) -> None:
    assert format_value(value) == text


@given(st.floats(-1e9, 1e9))
def test_values_keep_six_decimals_and_no_zero_at_the_end(value: float) -> None:
    text = format_value(value)
    assert float(text) == pytest.approx(value, abs=6e-7)
    assert re.fullmatch(r"-?[0-9]+(\.[0-9]{0,5}[1-9])?", text)


@given(st.integers(-(2**60), 2**60))
def test_whole_values_have_no_point(value: int) -> None:
    assert format_value(float(value)) == f"{int(float(value))}"


@pytest.mark.parametrize(
    ("time_us", "text"), [(0, "0.000000"), (1, "0.000001"), (1_234_500_000, "1234.500000")]
)
def test_times_have_all_six_decimals(time_us: int, text: str) -> None:
    assert format_time(time_us) == text


# STATE and SCORE.


@pytest.mark.parametrize(
    ("name", "betting", "hole_cards", "board", "record"),
    [
        (KUHN, "crf", ("Ks", "As"), "", "STATE:7:crf:Ks|As:-1|1:Ann|Bob"),
        (
            LIMIT_3P,
            "rff",
            ("AsAh", "KsKh", "2c3d"),
            "4c5d6h7s8s",
            "STATE:7:rff:AsAh|KsKh|2c3d:-5|-10|15:Ann|Bob|C|c",
        ),
        (
            NOLIMIT_2P,
            "r300c/r20000c//",
            ("AsAh", "KsKh"),
            "4c5d6h7s8s",
            "STATE:7:r300c/r20000c//:AsAh|KsKh/4c5d6h/7s/8s:0|0:Ann|Bob",
        ),
    ],
)
def test_a_state_record_shows_every_hand_and_the_board_as_far_as_it_went(
    name: str, betting: str, hole_cards: tuple[str, ...], board: str, record: str
) -> None:
    deal = Deal(tuple(map(parse_cards, hole_cards)), parse_cards(board))
    state = rules_of(name).parse(betting)
    values = payoffs(state, deal.hole_cards, deal.board)
    names = ("Ann", "Bob", "C|c")[: len(hole_cards)]
    assert format_state_record(7, state, deal, values, names) == record


def test_a_score_record_escapes_nothing() -> None:
    assert format_score_record((1.5, -1.5), ("a:b", "c|d")) == "SCORE:1.5|-1.5:a:b|c|d"


# Transactions.

times = st.integers(0, 2**52)


@given(
    st.sampled_from([FOLDING, CALLING, raising(300), LIMIT_RAISING]),
    st.integers(0, 2**32 - 1),
    times,
    times,
)
def test_a_transaction_is_read_back_from_its_line(
    action: Action, hand_id: int, sent_us: int, received_us: int
) -> None:
    transaction = Transaction(action, hand_id, sent_us, received_us)
    assert (
        parse_transaction(format_transaction(transaction), is_limit=action == LIMIT_RAISING)
        == transaction
    )


def test_a_transaction_line_is_the_official_dealers() -> None:
    line = format_transaction(Transaction(raising(300), 12, 1_000_001, 1_250_000))
    assert line == "r300 12 1.000001 1.250000"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "c",
        "c 0",
        "c 0 1.0",
        "c 0 1.000001 ",
        "c 0 1 2",
        "c x 1.000001 1.000002",
        "x 0 1.000001 1.000002",
        "r 0 1.000001 1.000002",
        "c -1 1.000001 1.000002",
        "STATE:0",
    ],
)
def test_a_damaged_transaction_is_none(line: str) -> None:
    assert parse_transaction(line, is_limit=False) is None


@pytest.mark.parametrize("line", ["c 12.000001 12.000002", "c 1234.5 6.7", "c 0 12345.678901.5"])
def test_a_transaction_without_its_hand_number_is_not_read_from_the_digits_of_its_times(
    line: str,
) -> None:
    """A number ends where its digits do: the official reader never gives digits back."""
    assert parse_transaction(line, is_limit=True) is None


@given(st.text(st.sampled_from("cfr 0123456789.\t\nx"), max_size=40))
def test_any_transaction_line_is_read_or_none(line: str) -> None:
    for is_limit in (True, False):
        transaction = parse_transaction(line, is_limit=is_limit)
        assert transaction is None or transaction.hand_id < 2**32


def test_a_transaction_with_an_endless_number_is_none_or_read_but_no_crash() -> None:
    parse_transaction("c " + "9" * 5000 + " 1.000001 1.000002", is_limit=True)
    parse_transaction("r" + "9" * 5000 + " 0 1.000001 1.000002", is_limit=False)
