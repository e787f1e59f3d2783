"""Answers to an all-in before the first board card: who calls, and against whom."""

from __future__ import annotations

import time

import numpy as np
import pytest

from acpcbot.abstraction.pair_equities import pair_equities
from acpcbot.arrays import Floats
from acpcbot.cards.range_notation import parse_range
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hand_classes import game_classes
from acpcbot.poker.hands import hand_masks
from acpcbot.search.all_in_answers import AllIn, all_in_of, calling_hands, is_last_answer
from acpcbot.search.blueprint import blueprint_values
from acpcbot.search.settings import ALL
from acpcbot.search.strategy import Fallback, SearchStrategy
from acpcbot.search.subgame import Spot
from tests.search.test_preflop_search import leduc, leduc_leaves, leduc_search
from tests.support.games import (
    LEDUC_NOLIMIT,
    LIMIT_2P,
    NOLIMIT_2P,
    NOLIMIT_3P,
    definition_of,
    rules_of,
)

LEDUC_GAME, HOLDEM_GAME = definition_of(LEDUC_NOLIMIT), definition_of(NOLIMIT_2P)
DEEP = AllIn(called=20_000.0, folded=300.0, scale=50.0)


def reaches(seed: int) -> tuple[Floats, Floats, Floats]:
    """Both reaches and alternative values in Leduc, alike for the suits of a rank."""
    rng = np.random.default_rng(seed)
    own, other, wanted = rng.random((3, 3))[:, game_classes(LEDUC_GAME)]
    return own, other, 300 * (wanted - 0.5)


def values_and_gains(
    all_in: AllIn, own: Floats, other: Floats, wanted: Floats, calls: Floats
) -> tuple[Floats, Floats]:
    """The costs of the all-in with each hand, in scales, and the gains of a call, hand by hand."""
    equities, masks = pair_equities(LEDUC_GAME, ()), hand_masks(LEDUC_GAME)
    hands = range(len(masks))
    costs, gains = np.zeros(len(masks)), np.zeros(len(masks))
    for theirs in hands:
        value = weight = 0.0
        for mine in hands:
            if masks[mine] & masks[theirs] == 0:
                won = all_in.called * equities[theirs, mine]
                value += own[mine] * (calls[mine] * won + (1 - calls[mine]) * all_in.folded)
                weight += own[mine]
        costs[theirs] = (wanted[theirs] - value) / weight / all_in.scale
    errors = other * np.exp(-(costs - costs.min()))
    for mine in hands:
        for theirs in hands:
            if masks[mine] & masks[theirs] == 0:
                called = -all_in.called * equities[theirs, mine]
                gains[mine] += errors[theirs] * (called + all_in.folded)
    return costs, gains / errors.sum() / all_in.called


@pytest.mark.parametrize("scale", [20.0, 100.0, 1000.0])
@pytest.mark.parametrize("seed", range(8))
def test_hands_call_that_win_by_it_against_the_errors_that_their_calls_leave(
    seed: int, scale: float
) -> None:
    own, other, wanted = reaches(seed)
    all_in = AllIn(1200.0, 100.0, scale)
    calls = calling_hands(LEDUC_GAME, all_in, own, other, wanted)
    assert ((calls >= 0) & (calls <= 1)).all()
    _, gains = values_and_gains(all_in, own, other, wanted, calls)
    assert (calls[gains > 0.02] > 0.98).all()
    assert (calls[gains < -0.02] < 0.02).all()
    # What calls now and then is neither good nor bad.
    assert (np.abs(gains[(calls > 0.02) & (calls < 0.98)]) < 0.02).all()


def test_a_small_scale_leaves_no_hand_an_all_in_that_pays() -> None:
    """If every all-in costs much when nobody calls it, few calls are needed, and else many."""
    own, other = np.ones(6), np.ones(6)
    for wanted, pays in ((150.0, False), (0.0, True)):
        alternatives = np.full(6, wanted * 5)
        all_in = AllIn(1200.0, 100.0, 5.0)
        calls = calling_hands(LEDUC_GAME, all_in, own, other, alternatives)
        costs, _ = values_and_gains(all_in, own, other, alternatives, calls)
        # Kings win by it whatever is called; the others must not.
        kings = game_classes(LEDUC_GAME) == 2
        assert pays == (costs[kings] < -5).all()
        assert (costs[~kings] > -5).all()


def test_only_differences_between_hands_count() -> None:
    """If all hands could have had more, no answer changes: somebody did go all-in."""
    own, other, wanted = reaches(3)
    all_in = AllIn(1200.0, 100.0, 50.0)
    masks = hand_masks(LEDUC_GAME)
    weights = (masks[:, None] & masks == 0) @ own
    expected = calling_hands(LEDUC_GAME, all_in, own, other, wanted)
    found = calling_hands(LEDUC_GAME, all_in, own, other, wanted + 700 * weights)
    np.testing.assert_allclose(found, expected, atol=2e-3)


def test_hands_that_the_opponent_cannot_hold_count_for_nothing() -> None:
    own, other, wanted = reaches(5)
    kings = game_classes(LEDUC_GAME) == 2
    other[kings] = 0
    all_in = AllIn(1200.0, 100.0, 1.0)
    expected = calling_hands(LEDUC_GAME, all_in, own, other, wanted)
    found = calling_hands(LEDUC_GAME, all_in, own, other, wanted - 1e6 * kings)
    np.testing.assert_array_equal(found, expected)
    # Queens beat all that is left.
    assert (found[~kings & (game_classes(LEDUC_GAME) == 1)] > 0.98).all()


@pytest.mark.slow
def test_two_hundred_blinds_are_called_with_good_hands_alone() -> None:
    """Against errors of all hands alike, by a range of all hands: no seven-deuce, and no noise."""
    everything = np.ones(1326)
    # Each hand could have had what it wins where all is checked down.
    pot = 2 * DEEP.folded
    equities = pair_equities(HOLDEM_GAME, ()).astype(np.float64)
    wanted = pot / 2 * equities @ everything
    calls = calling_hands(HOLDEM_GAME, DEEP, everything, everything, wanted)
    best, good = parse_range("QQ+,AKs"), parse_range("77+,ATs+,KQs,AJo+")
    assert (calls[np.asarray(best) > 0] > 0.98).all()
    assert calls[np.asarray(good) == 0].max() < 0.02
    # Suits make no difference.
    classes = game_classes(HOLDEM_GAME)
    assert all(np.ptp(calls[classes == number]) == 0 for number in range(169))


@pytest.mark.slow
@pytest.mark.parametrize("hands", ["all", "TT+,AQs+,AKo"])
def test_nines_are_worth_more_than_ace_jack_suited(hands: str) -> None:
    """So they call first, though lists of hands worth two hundred blinds often leave them out."""
    against = np.asarray(parse_range(hands), np.float64)
    equities, masks = pair_equities(HOLDEM_GAME, ()).astype(np.float64), hand_masks(HOLDEM_GAME)
    met = (masks[:, None] & masks == 0) @ against
    won = equities @ against / np.maximum(met, 1e-9)
    nines, jack = (np.asarray(parse_range(text)) > 0 for text in ("99", "AJs"))
    assert won[nines].mean() > won[jack].mean() + 0.01


@pytest.mark.parametrize(
    ("game", "text", "expected"),
    [
        (NOLIMIT_2P, "r20000", True),
        (NOLIMIT_2P, "cr20000", True),
        (NOLIMIT_2P, "r300r20000", True),
        (NOLIMIT_2P, "", False),
        (NOLIMIT_2P, "r19999", False),
        (NOLIMIT_2P, "r300", False),
        (NOLIMIT_2P, "cc/r20000", False),
        (NOLIMIT_3P, "r20000", False),
        (LIMIT_2P, "rrr", False),
    ],
)
def test_only_the_last_answer_before_the_board_is_one(
    game: str, text: str, *, expected: bool
) -> None:
    assert is_last_answer(rules_of(game).parse(text)) is expected


def test_chips_are_those_of_the_shorter_stack() -> None:
    found = all_in_of(rules_of(NOLIMIT_2P).parse("r300r20000"), 50.0)
    assert found == DEEP


def test_the_answer_is_that_to_the_blueprint_s_alternatives() -> None:
    search, plain = leduc_search(all_in_scale=0.5), leduc_search()
    betting, blueprint = leduc("r1200"), search.blueprint
    table = search.table(betting, ())
    np.testing.assert_allclose(table.probabilities.sum(axis=1), 1)
    before = Spot(leduc(""), ())
    values = blueprint_values(
        blueprint,
        before,
        np.ones((2, 6)),
        0,
        4e6,
        lambda game: leduc_leaves()(game, 0, search.settings.streets[0], float("inf")),
    )
    assert values is not None
    all_in = all_in_of(betting, 0.5 * LEDUC_GAME.big_blind)
    expected = calling_hands(LEDUC_GAME, all_in, np.ones(6), np.ones(6), values)
    np.testing.assert_allclose(table.probabilities[:, 1], expected, atol=1e-9)
    assert not np.array_equal(table.probabilities, plain.table(betting, ()).probabilities)


@pytest.mark.parametrize("text", ["", "c", "r300", "r310", "r300r900"])
def test_other_decisions_stay_as_they_are(text: str) -> None:
    tables = [
        strategy.table(leduc(text), ())
        for strategy in (leduc_search(all_in_scale=0.5), leduc_search())
    ]
    np.testing.assert_array_equal(tables[0].probabilities, tables[1].probabilities)


@pytest.mark.parametrize("decisions", [ALL, "off_tree"])
@pytest.mark.parametrize("text", ["r1200", "cr1200", "r310r1200", "r300r1200", "cr310r1200"])
def test_answers_are_legal_after_any_bets(text: str, decisions: str) -> None:
    """Also where alternatives are those of the solution of the decision before."""
    search = leduc_search(all_in_scale=0.5, decisions=decisions)
    betting: BettingState = leduc(text)
    table = search.table(betting, ())
    assert [action.text for action in table.actions] == ["f", "c"]
    np.testing.assert_allclose(table.probabilities.sum(axis=1), 1)
    # Kings call, and jacks no more often than queens.
    jacks, queens, kings = (
        table.probabilities[game_classes(LEDUC_GAME) == rank, 1].mean() for rank in range(3)
    )
    assert kings > 0.98
    assert jacks <= queens + 0.02


def test_without_time_the_blueprint_answers_and_says_so() -> None:
    search = leduc_search(all_in_scale=0.5)
    reasons: list[Fallback] = []
    search.on_fallback = reasons.append
    table = search.table_by(leduc("r1200"), (), time.monotonic() + 0.01)
    blueprint = search.blueprint.table(leduc("r1200"), ())
    np.testing.assert_array_equal(table.probabilities, blueprint.probabilities)
    assert ["all-in" in fallback.reason for fallback in reasons] == [True]


def test_the_same_answer_comes_again() -> None:
    tables = [leduc_search(all_in_scale=0.5).table(leduc("r310r1200"), ()) for _ in range(2)]
    np.testing.assert_array_equal(tables[0].probabilities, tables[1].probabilities)


def test_searches_without_the_setting_answer_as_before() -> None:
    search: SearchStrategy = leduc_search()
    assert search.settings.streets[0].all_in_scale == 0
    blueprint = search.blueprint.table(leduc("r1200"), ())
    np.testing.assert_array_equal(
        search.table(leduc("r1200"), ()).probabilities, blueprint.probabilities
    )
