"""The dialog with a person, as transcripts of what the screen shows."""

from __future__ import annotations

import re
import time
from io import StringIO

import pytest

from acpcbot.agents.human import HumanAgent, parse_answer, time_left_text
from acpcbot.cards.deck import parse_cards
from acpcbot.errors import AgentLeft, IllegalAction
from acpcbot.poker.actions import CALLING, FOLDING
from acpcbot.protocol.messages import MatchState
from tests.agents.keyboard import Keyboard
from tests.agents.playing import NO_DEADLINE, decision
from tests.support.games import KUHN, LIMIT_2P, NOLIMIT_2P, definition_of, rules_of

FACING_A_BET = decision(NOLIMIT_2P, "r300c/r600", "AsKs", "Qh7d2c", hand_id=7)

TABLE = """
hand 7: you are seat 2 of 2
  board         Qh 7d 2c
  you hold      As Ks
  seat 1        600 in, 19400 behind
  seat 2 (you)  300 in, 19700 behind
  preflop       seat 2 raises to 300, seat 1 calls 200
  flop          seat 1 raises to 600
  pot           900, 300 to call
  you may       f (fold), c (call 300), r900 to r20000 (raise to so many chips)
"""
PROMPT = "your action (no time limit, ? for help): "


def seat_of(typed: str) -> tuple[HumanAgent, StringIO]:
    """A person who has typed all this already, and the screen."""
    screen = StringIO()
    return HumanAgent(definition_of(NOLIMIT_2P), 1, StringIO(typed), screen), screen


def test_a_decision_shows_the_table_and_asks_until_the_answer_is_legal() -> None:
    human, screen = seat_of("r700\ncheck\nwhat\nr 900\n")
    assert human.act(FACING_A_BET, NO_DEADLINE).text == "r900"
    assert screen.getvalue() == (
        f"{TABLE}{PROMPT}not possible: raises go from 900 to 20000\n"
        f"{PROMPT}not possible: there are 300 chips to call\n"
        f"{PROMPT}not possible: 'what' is no action\n{PROMPT}"
    )


def test_a_question_mark_brings_help_and_the_question_again() -> None:
    human, screen = seat_of("?\nf\n")
    assert human.act(FACING_A_BET, NO_DEADLINE) == FOLDING
    told = screen.getvalue().split(PROMPT)
    assert len(told) == 3
    assert {"fold", "call", "raise", "q"} <= set(re.findall(r"\w+", told[1]))


@pytest.mark.parametrize("typed", ["q\n", " QUIT\n", ""])
def test_quitting_and_the_end_of_the_input_end_the_match(typed: str) -> None:
    """Would catch an end of input that is asked again for ever."""
    human, _ = seat_of(typed)
    with pytest.raises(AgentLeft):
        human.act(FACING_A_BET, NO_DEADLINE)


@pytest.mark.parametrize(
    ("game", "betting", "answer", "action"),
    [
        (NOLIMIT_2P, "", "f", "f"),
        (NOLIMIT_2P, "", "fold", "f"),
        (NOLIMIT_2P, "", "c", "c"),
        (NOLIMIT_2P, "", "call", "c"),
        (NOLIMIT_2P, "c", "check", "c"),
        (NOLIMIT_2P, "", "r300", "r300"),
        (NOLIMIT_2P, "", "raise 300", "r300"),
        (NOLIMIT_2P, "", "raise to 300", "r300"),
        (NOLIMIT_2P, "cc/", "bet 300", "r300"),
        (LIMIT_2P, "", "r", "r"),
        (LIMIT_2P, "cc/", "bet", "r"),
    ],
)
def test_answers_are_letters_or_plain_words(
    game: str, betting: str, answer: str, action: str
) -> None:
    assert parse_answer(answer, rules_of(game).parse(betting)).text == action


@pytest.mark.parametrize(
    ("game", "betting", "answer", "reason"),
    [
        (KUHN, "", "f", "there is nothing to call"),
        (KUHN, "r", "r", "no raise is left to make"),
        (KUHN, "r", "check", "there are 1 chips to call"),
        (LIMIT_2P, "", "r300", "only no-limit raises have a size"),
        (NOLIMIT_2P, "", "c50", "only no-limit raises have a size"),
        (NOLIMIT_2P, "", "r", "raises go from 200 to 20000"),
        (NOLIMIT_2P, "", "r199", "raises go from 200 to 20000"),
        (NOLIMIT_2P, "", "r20001", "raises go from 200 to 20000"),
        (NOLIMIT_2P, "", "", "'' is no action"),
        (NOLIMIT_2P, "", "r-300", "'r-300' is no action"),
        (NOLIMIT_2P, "", "r3٠0", "'r3٠0' is no action"),
        (NOLIMIT_2P, "", "fcr", "'fcr' is no action"),
    ],
)
def test_other_answers_are_refused_with_the_reason(
    game: str, betting: str, answer: str, reason: str
) -> None:
    with pytest.raises(IllegalAction) as caught:
        parse_answer(answer, rules_of(game).parse(betting))
    assert caught.value.reason == reason


def test_after_the_deadline_the_fallback_is_taken() -> None:
    """Would catch a seat that waits for its person for ever."""
    screen = StringIO()
    human = HumanAgent(definition_of(NOLIMIT_2P), 1, Keyboard(), screen)
    assert human.act(FACING_A_BET, time.monotonic() - 1) == FOLDING
    assert human.act(decision(NOLIMIT_2P, "c", "AsKs"), time.monotonic() - 1) == CALLING
    assert screen.getvalue().count("your action (0 s left, ? for help): \ntime is up\n") == 2


def test_a_late_answer_is_not_taken_for_the_next_question() -> None:
    """Would catch a late all-in that is taken as the next decision."""
    keyboard = Keyboard()

    class Screen(StringIO):
        def write(self, text: str, /) -> int:
            if PROMPT in text:
                keyboard.type("c")
            return super().write(text)

    human = HumanAgent(definition_of(NOLIMIT_2P), 1, keyboard, Screen())
    human.act(FACING_A_BET, time.monotonic() - 1)
    keyboard.asked.acquire()
    keyboard.type("r20000")
    keyboard.asked.acquire()
    assert human.act(FACING_A_BET, NO_DEADLINE) == CALLING


def test_the_time_left_is_told_in_whole_seconds() -> None:
    assert time_left_text(NO_DEADLINE) == "no time limit"
    assert time_left_text(time.monotonic() + 90.9) in ("90 s left", "89 s left")
    assert time_left_text(time.monotonic() - 5) == "0 s left"


def finished(betting: str, *hole_cards: str, board: str = "") -> MatchState:
    state = rules_of(NOLIMIT_2P).parse(betting)
    return MatchState(1, 8, state, tuple(map(parse_cards, hole_cards)), parse_cards(board), "")


def test_a_showdown_tells_the_cards_the_winnings_and_the_total() -> None:
    human, screen = seat_of("")
    human.observe(finished("r300c/cc/cc/cc", "QsQd", "AsAd", board="2c3c4d7h8h"))
    assert (
        screen.getvalue()
        == """
hand 8 is over
  board         2c 3c 4d 7h 8h
  preflop       seat 2 raises to 300, seat 1 calls 200
  flop          seat 1 checks, seat 2 checks
  turn          seat 1 checks, seat 2 checks
  river         seat 1 checks, seat 2 checks
  seat 1        shows Qs Qd, loses 300
  seat 2 (you)  shows As Ad, wins 300
  your total    300
"""
    )


def test_a_hand_without_a_showdown_is_told_without_the_hidden_cards() -> None:
    """Would catch payoffs that look at cards nobody showed, and a total that forgets."""
    human, screen = seat_of("")
    human.observe(finished("r300f", "", "AsAd"))
    human.observe(finished("f", "", "AsAd"))
    lines = screen.getvalue().splitlines()
    assert "  seat 1        folded, loses 100" in lines
    assert "  seat 2 (you)  takes the pot, wins 100" in lines
    assert lines[-1] == "  your total    50"
