"""Betting by known values: what the official rules say in the situations where programs go
wrong.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import cast

import pytest

from acpcbot.errors import IllegalAction, ProtocolError
from acpcbot.poker import rules
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, Action, raising
from acpcbot.poker.betting import BettingRules, BettingState
from tests.support.games import (
    FEW_RAISES_2P,
    KUHN,
    LEDUC,
    LIMIT_2P,
    LIMIT_3P,
    NOLIMIT_2P,
    NOLIMIT_3P,
    NOLIMIT_6P,
    SHORT_LIMIT_3P,
    UNEVEN_3P,
    definition_of,
    rules_of,
)


def after(name: str, text: str) -> BettingState:
    return rules_of(name).parse(text)


def letters(state: BettingState) -> str:
    """The kinds of legal actions."""
    return "".join(sorted({action.text[0] for action in state.legal_actions()}))


# Who acts.


@pytest.mark.parametrize(
    ("name", "text", "actor"),
    [
        (LIMIT_2P, "", 1),
        (LIMIT_2P, "c", 0),
        (LIMIT_2P, "cc/", 0),
        (LIMIT_3P, "", 2),
        (LIMIT_3P, "ccc/", 0),
        (LIMIT_3P, "cfc/", 1),
        (LIMIT_3P, "fcc/c", 1),
        (NOLIMIT_6P, "ffffc", 1),
        (NOLIMIT_6P, "ffffcc/", 0),
        (NOLIMIT_6P, "cfcffc/", 1),
        (KUHN, "cr", 0),
    ],
)
def test_the_button_acts_first_before_the_flop_and_last_after_it(
    name: str, text: str, actor: int
) -> None:
    assert after(name, text).actor == actor


def test_the_big_blind_may_still_raise_when_everybody_has_called() -> None:
    state = after(LIMIT_3P, "cc")
    assert (state.actor, state.street, letters(state)) == (1, 0, "cr")


def test_a_raise_opens_the_betting_again_for_those_who_called() -> None:
    assert after(LIMIT_3P, "ccr").actor == 2
    assert after(LIMIT_3P, "ccrc").actor == 0
    assert after(LIMIT_3P, "ccrcc/").street == 1


def test_players_who_are_all_in_are_not_asked_again() -> None:
    state = after(NOLIMIT_3P, "r20000c")
    assert (state.actor, letters(state)) == (1, "cf")
    assert after(NOLIMIT_3P, "r300r20000c").actor == 2


# How hands end.


def test_all_but_one_folding_ends_the_hand_on_its_street() -> None:
    state = after(LIMIT_3P, "crcc/rff")
    assert (state.is_over, state.street, state.is_showdown, state.folded) == (
        True,
        1,
        False,
        (False, True, True),
    )


def test_betting_that_is_over_early_runs_to_the_last_street() -> None:
    state = after(NOLIMIT_2P, "r20000c///")
    assert (state.is_over, state.street, state.is_showdown) == (True, 3, True)
    assert after(NOLIMIT_3P, "r300fc/r20000c//").street == 3


def test_an_all_in_player_and_one_with_chips_left_need_no_more_betting() -> None:
    state = after(UNEVEN_3P, "fr500c///")
    assert (state.is_over, state.spent) == (True, (500, 330, 0))


def test_the_last_street_ends_the_hand_at_a_showdown() -> None:
    assert after(LEDUC, "cc/cc").is_showdown
    assert not after(LEDUC, "cc/c").is_over


# Folding and calling.


def test_folding_for_free_is_illegal() -> None:
    for name, text in ((LIMIT_2P, "c"), (LIMIT_2P, "cc/"), (LEDUC, ""), (NOLIMIT_3P, "cc")):
        state = after(name, text)
        assert not state.can_act(FOLDING)
        with pytest.raises(IllegalAction, match="there is nothing to call"):
            state.apply(FOLDING)


def test_an_action_of_no_known_kind_is_refused_with_what_was_found_and_expected() -> None:
    """Catches "? is illegal", which tells a bot's author nothing."""
    with pytest.raises(IllegalAction) as raised:
        after(LIMIT_2P, "c").apply(Action(7))
    assert str(raised.value) == (
        "an action of the kind 7 is illegal after c: expected the kind FOLD, CALL or RAISE"
        " (0, 1 or 2)"
    )


def test_a_call_for_more_than_the_stack_is_all_in() -> None:
    state = after(UNEVEN_3P, "r1000cc///")
    assert state.spent == (1000, 330, 1000)


@pytest.mark.parametrize(
    ("name", "text", "to_call"),
    [(LIMIT_2P, "", 5), (LIMIT_2P, "c", 0), (NOLIMIT_2P, "r300", 200), (UNEVEN_3P, "r1000c", 230)],
)
def test_the_price_of_a_call_is_what_the_actor_adds(name: str, text: str, to_call: int) -> None:
    assert after(name, text).to_call == to_call


# Raising in limit games.


def test_limit_raises_are_capped_street_by_street_with_the_blind_as_the_first_bet() -> None:
    assert letters(after(LIMIT_2P, "rr")) == "cfr"
    assert letters(after(LIMIT_2P, "rrr")) == "cf"
    assert letters(after(LIMIT_2P, "rrrc/rrr")) == "cfr"
    assert letters(after(LIMIT_2P, "rrrc/rrrr")) == "cf"


def test_limit_raises_double_on_the_turn() -> None:
    assert [
        after(LIMIT_2P, text).max_spent for text in ("r", "rc/r", "rc/rc/r", "rc/rc/rc/rr")
    ] == [20, 30, 50, 90]


def test_a_limit_raise_beyond_the_stack_puts_in_the_stack() -> None:
    state = after(SHORT_LIMIT_3P, "rrrcc/rrcc/r")
    assert (state.max_spent, state.spent) == (65, (65, 60, 60))


# Raising in no-limit games.


@pytest.mark.parametrize(
    ("name", "text", "legal"),
    [
        (NOLIMIT_2P, "", (200, 20000)),
        (NOLIMIT_2P, "c", (200, 20000)),
        (NOLIMIT_2P, "r300", (500, 20000)),
        (NOLIMIT_2P, "r300r1000", (1700, 20000)),
        (NOLIMIT_2P, "r300c/", (400, 20000)),
        (NOLIMIT_2P, "r300c/c", (400, 20000)),
        (NOLIMIT_2P, "r300c/r400", (500, 20000)),
        (NOLIMIT_2P, "r19950", (20000, 20000)),
        (NOLIMIT_2P, "r20000", None),
        (NOLIMIT_3P, "r20000", None),
        (UNEVEN_3P, "r300c", (330, 330)),
        (UNEVEN_3P, "r300cr330", (500, 5000)),
        (UNEVEN_3P, "r200", (300, 1000)),
        (UNEVEN_3P, "r200c", (300, 330)),
        (UNEVEN_3P, "r310c", (330, 330)),
        (UNEVEN_3P, "r330c", None),
        (UNEVEN_3P, "r900", (1000, 1000)),
        (LIMIT_2P, "", (0, 0)),
        (LIMIT_2P, "rrr", None),
        (KUHN, "r", None),
        (KUHN, "cc", None),
    ],
)
def test_the_smallest_and_the_largest_raise(
    name: str, text: str, legal: tuple[int, int] | None
) -> None:
    assert after(name, text).raise_range == legal


def test_a_short_all_in_keeps_the_smallest_raise_that_stood_and_opens_the_betting_again() -> None:
    game = BettingRules(replace(definition_of(NOLIMIT_3P), stacks=(350, 20000, 20000)))
    state = game.parse("r300r350")
    assert (state.actor, state.raise_range) == (1, (500, 20000))
    assert game.parse("r300r350c").raise_range == (500, 20000)


def test_nobody_raises_against_players_who_are_all_all_in() -> None:
    assert after(NOLIMIT_2P, "r20000").raise_range is None
    state = after(UNEVEN_3P, "cfr330")
    assert (state.actor, state.raise_range) == (2, None)


def test_a_limit_on_raises_counts_in_no_limit_games_too() -> None:
    assert after(FEW_RAISES_2P, "r40r60").raise_range is None
    assert after(FEW_RAISES_2P, "cc/r40").raise_range is None
    assert after(FEW_RAISES_2P, "cc/cc/").raise_range is None
    assert not after(FEW_RAISES_2P, "cc/cc/").is_stopped_by_guard


@pytest.mark.parametrize(("name", "most"), [(NOLIMIT_2P, 63), (NOLIMIT_3P, 62), (NOLIMIT_6P, 59)])
def test_raising_stops_close_to_64_actions_on_one_street(name: str, most: int) -> None:
    state = rules_of(name).start
    for number in range(most):
        assert (state.vector[rules.NUM_ACTIONS], state.is_stopped_by_guard) == (number, False)
        state = state.apply(raising((state.raise_range or (0, 0))[0]))
    assert (state.raise_range, state.is_stopped_by_guard) == (None, True)
    with pytest.raises(IllegalAction, match="no raise is left to make"):
        state.apply(raising(20000))
    while state.street == 0:
        state = state.apply(CALLING)
    assert state.raise_range is not None


# Refusals.


@pytest.mark.parametrize(
    ("name", "text", "action", "reason"),
    [
        (NOLIMIT_2P, "r300", raising(499), "raises go from 500 to 20000"),
        (NOLIMIT_2P, "r300", raising(20001), "raises go from 500 to 20000"),
        (NOLIMIT_2P, "r300", LIMIT_RAISING, "raises go from 500 to 20000"),
        (LIMIT_2P, "rrr", LIMIT_RAISING, "no raise is left to make"),
        (LIMIT_2P, "c", FOLDING, "there is nothing to call"),
        (LIMIT_2P, "f", CALLING, "the hand is over"),
    ],
)
def test_a_refused_action_says_why(name: str, text: str, action: Action, reason: str) -> None:
    state = after(name, text)
    assert not state.can_act(action)
    with pytest.raises(IllegalAction) as caught:
        state.verify_action(action)
    assert (caught.value.action, caught.value.betting, caught.value.reason) == (
        action.text,
        text,
        reason,
    )


def test_a_size_in_a_limit_raise_never_gets_into_the_betting_text() -> None:
    """Every reader of that text would refuse it.

    The agent that named a size means the one raise there is.
    """
    start = BettingRules(definition_of(LIMIT_2P)).start
    assert not start.can_act(raising(20)) or start.apply(raising(20)).text == "r"


def test_a_call_that_carries_a_size_is_never_taken_for_a_raise_to_that_size() -> None:
    game, odd = BettingRules(definition_of(NOLIMIT_2P)), Action(rules.CALL, 300)
    if game.start.can_act(odd):
        assert game.start.apply(odd).text == "c"
    assert game.parse("r300").max_spent == 300


@pytest.mark.parametrize(
    ("name", "text", "column"),
    [
        (NOLIMIT_2P, "x", 0),
        (NOLIMIT_2P, "r300x", 4),
        (NOLIMIT_2P, "r", 0),
        (NOLIMIT_2P, "r199", 0),
        (NOLIMIT_2P, "r300c", 5),
        (NOLIMIT_2P, "r300c/r399", 6),
        (NOLIMIT_2P, "r300cc", 5),
        (NOLIMIT_2P, "/", 0),
        (NOLIMIT_2P, "c/", 1),
        (NOLIMIT_2P, "r20000c", 7),
        (NOLIMIT_2P, "r20000c//", 9),
        (NOLIMIT_2P, "r20000c////", 10),
        (NOLIMIT_2P, "r0300", 0),
        (NOLIMIT_2P, "r300 ", 4),
        (NOLIMIT_2P, "c300", 0),
        (LIMIT_2P, "r20", 0),
        (LIMIT_2P, "rrrr", 3),
        (LIMIT_2P, "ff", 1),
        (LIMIT_2P, "cf", 1),
        (LIMIT_2P, "R", 0),
    ],
)
def test_betting_text_is_refused_at_the_first_character_that_cannot_stand(
    name: str, text: str, column: int
) -> None:
    with pytest.raises(ProtocolError) as caught:
        after(name, text)
    assert (caught.value.line, caught.value.column) == (text, column)


def test_a_number_too_long_to_be_one_is_refused_like_any_other() -> None:
    with pytest.raises(ProtocolError):
        after(NOLIMIT_2P, "r" + "9" * 5000)


# Texts that no game produces.


class CountedTexts(dict[str, BettingState]):
    """Known states; *length* adds up what is looked for."""

    length = 0

    def get(self, text: str, default: object = None) -> BettingState | None:  # type: ignore[override]
        self.length += len(text)
        return super().get(text)


@pytest.mark.parametrize("name", [LIMIT_2P, NOLIMIT_2P, NOLIMIT_6P])
@pytest.mark.parametrize("piece", ["c", "r", "f", "r300", "rf", "c/", "/", "x", "r0", "cr"])
def test_a_text_without_end_costs_what_is_legal_of_it(name: str, piece: str) -> None:
    """One line of 64 KB held up every bot of a process for 0.4 s: each of its beginnings was
    looked for.
    """
    game = BettingRules(definition_of(name))
    game._states, game._steps = CountedTexts(game._states), CountedTexts()
    text = piece * (65_536 // len(piece))
    with pytest.raises(ProtocolError):
        game.parse(text)
    assert game._states.length + game._steps.length < 5 * len(text)
    assert len(game._states) < 300


@pytest.mark.parametrize("odd", [300.0, Fraction(300), True, "300"])
def test_a_step_that_was_taken_before_is_legal_again_and_what_looks_like_it_is_not(
    odd: object,
) -> None:
    game = BettingRules(definition_of(NOLIMIT_2P))
    game.start.apply(raising(300))
    assert game.start.can_act(raising(300))
    assert not game.start.can_act(Action(rules.RAISE, cast(int, odd)))
    assert not game.start.can_act(Action(rules.CALL, 300))


def test_decisions_can_be_asked_for_from_a_state_on() -> None:
    game = BettingRules(definition_of(NOLIMIT_2P))
    end = game.parse("r300c/cr600c/")
    every = list(end.decisions())
    for number, (before, _) in enumerate(every):
        assert list(end.decisions(before)) == every[number:]
    assert list(end.decisions(end)) == []
