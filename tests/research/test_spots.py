"""``acpcbot.solve`` against a game whose equilibrium is known in closed form, and its errors."""

from __future__ import annotations

from functools import cache
from xml.etree import ElementTree

import pytest

import acpcbot
from acpcbot.errors import AcpcbotError, BadCards, UsageError
from acpcbot.research import SolvedSpot
from acpcbot.subgames.solver import Progress

RIVER = "KsTd9h4s2c"


@cache
def bluffing() -> SolvedSpot:
    """Seat 0 holds the nuts or nothing, seat 1 a hand between, and a bet is as large as the pot."""
    return acpcbot.solve(
        RIVER, pot=100, stack=100, ranges=("QcJc,6h5h", "AcAd"), bets="all-in", target_percent=0.01
    )


def test_a_spot_has_the_equilibrium_of_the_textbook() -> None:
    """Catches seats, chips or probabilities that are mixed up.

    With a bet of the pot one bluff stands for two good hands, the caller calls every second time,
    and the better wins three quarters of the pot.
    """
    spot = bluffing()
    assert spot["QcJc"]["all-in"] == pytest.approx(1, abs=0.01)
    assert spot["6h5h"]["all-in"] == pytest.approx(0.5, abs=0.02)
    assert spot.after("all-in")["AcAd"]["call"] == pytest.approx(0.5, abs=0.02)
    assert spot.values_chips == pytest.approx((25, -25), abs=0.1)
    assert spot["QcJc"].ev_chips == pytest.approx(150, abs=1)
    assert spot["6h5h"].ev_chips == pytest.approx(0, abs=1)
    assert spot["QcJc"].weight == spot["6h5h"].weight == 0.5
    assert spot.exploitability_percent <= 0.01
    assert spot.exploitability_chips == pytest.approx(spot.exploitability_percent)


def test_of_two_stacks_the_smaller_one_can_be_bet() -> None:
    ranges, bets = ("QcJc,6h5h", "AcAd"), "all-in"
    spots = [
        acpcbot.solve(RIVER, 100, stack, ranges=ranges, bets=bets, iterations=20)
        for stack in (60, (60, 400), (400, 60))
    ]
    assert [spot.stack_chips for spot in spots] == [60, 60, 60]
    assert spots[0].values_chips == spots[1].values_chips == spots[2].values_chips
    with pytest.raises(UsageError, match="3 stacks behind a pot"):
        acpcbot.solve(RIVER, 100, (60, 60, 60), ranges=ranges, bets=bets)


def test_cards_of_a_combo_come_in_any_order_and_classes_are_means() -> None:
    """Catches a look-up by text, and a class that is not weighted by its combos."""
    spot = acpcbot.solve(RIVER, 100, 100, ranges=("AA:0.5,AcAd,QcJc", "TT+"), iterations=30)
    assert spot["AcAd"].probabilities == spot["AdAc"].probabilities
    decision = spot.first
    rows = [number for number, hand in enumerate(decision.hands) if hand[0] == hand[2] == "A"]
    weights = decision.weights[0, rows]
    assert weights.max() == pytest.approx(2 * weights.min())
    mean = weights @ decision.probabilities[rows] / weights.sum()
    assert spot["AA"].probabilities == pytest.approx(mean)
    assert spot["AA"].weight == pytest.approx(weights.sum())
    assert decision.frequencies == pytest.approx(decision.weights[0] @ decision.probabilities)


def test_decisions_of_later_streets_are_read_by_words_and_cards() -> None:
    """Catches a walk that ends with the first street."""
    spot = acpcbot.solve(
        "KsTd9h4s", 100, 100, ranges=("QcJc,AhKh", "AcAd"), bets="all-in", iterations=20
    )
    decision = spot.after("check", "check", "2c", "all-in")
    assert (decision.street, decision.board, decision.seat) == ("river", RIVER, 1)
    assert (decision.pot_chips, decision.to_call_chips) == (200, 100)
    assert decision.path == ("check", "check", "2c", "all-in")
    assert decision.actions == ("fold", "call")
    assert decision["AcAd"]["fold"] + decision["AcAd"]["call"] == pytest.approx(1)


def test_progress_is_told_and_iterations_are_kept_to() -> None:
    """Catches a solver that nobody hears of, or that goes on."""
    heard: list[Progress] = []
    spot = acpcbot.solve(
        RIVER,
        100,
        100,
        iterations=20,
        target_percent=0,
        threads=1,
        int16=True,
        bets="1",
        on_progress=heard.append,
    )
    assert [progress.num_iterations for progress in heard] == [10, 20]
    assert spot.num_iterations == 20
    assert spot.exploitability_chips == heard[-1].exploitability


def test_a_result_is_one_line_and_a_chart() -> None:
    """Catches a notebook that is filled with numbers, and markup that is not well-formed."""
    spot = bluffing()
    assert repr(spot) == (
        f"<SolvedSpot KsTd9h4s2c, pot 100, stacks 100: exploitable for"
        f" {spot.exploitability_percent:.2g} % of the pot after {spot.num_iterations} iterations>"
    )
    assert repr(spot.after("all-in")).startswith("<river KsTd9h4s2c, seat 1 to act: fold ")
    assert repr(spot["QcJc"]).startswith("<QcJc: check ")
    page = ElementTree.fromstring(spot._repr_html_())
    labels = [text.text for text in page.iter("text") if text.get("class") is None]
    assert len(set(labels)) == 169
    assert "all-in" in "".join(page.itertext())
    assert "<script" not in spot._repr_html_()


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"board": "KsTd"}, "a board of 2 cards"),
        ({"pot": 101}, "a pot of 101"),
        ({"ranges": "AA"}, "expected two ranges"),
        ({"ranges": ("AA", "nonsense")}, "nonsense"),
        ({"bets": "much"}, "much"),
        ({"iterations": 0}, "iterations=0"),
        ({"seconds": 0}, "seconds=0"),
        ({"threads": 0}, "threads=0"),
        ({"ranges": ("KsKh", "AA")}, "with these ranges"),
    ],
)
def test_a_spot_that_cannot_be_solved_is_refused_by_name(
    changes: dict[str, object], fault: str
) -> None:
    """Catches an error that does not say which argument was wrong."""
    arguments: dict[str, object] = {"board": RIVER, "pot": 100, "stack": 100, **changes}
    with pytest.raises(AcpcbotError) as caught:
        acpcbot.solve(**arguments)  # type: ignore[arg-type]
    assert fault in str(caught.value)


def test_a_spot_too_large_for_memory_is_refused_with_its_size() -> None:
    """Catches a flop that fills the memory before anybody hears of it."""
    with pytest.raises(UsageError, match=r"solving would take [\d.]+ GB") as caught:
        acpcbot.solve("KsTd9h", 100, 20_000, bets="0.5,1;0.5,1")
    assert "bets=" in caught.value.hint


def test_hands_and_actions_that_are_not_there_are_refused_with_those_that_are() -> None:
    """Catches a KeyError in place of a sentence."""
    spot = bluffing()
    with pytest.raises(UsageError, match="no hand 'KsKd' can be held on the board KsTd9h4s2c"):
        spot["KsKd"]
    with pytest.raises(UsageError, match="no hand 'nonsense'"):
        spot["nonsense"]
    with pytest.raises(UsageError, match="no action 'bet 50'") as caught:
        spot["QcJc"]["bet 50"]
    assert "check, all-in" in caught.value.hint
    with pytest.raises(UsageError, match="'raise'"):
        spot.after("raise")
    with pytest.raises(BadCards):
        acpcbot.solve("KsKsKs", 100, 100)
