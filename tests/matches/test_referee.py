"""The dealer's judgement of replies: each liberty that the official dealer takes, and each that
it does not.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from acpcbot.matches.referee import (
    GUARD_WARNING,
    INVALID,
    NO_ACTION,
    UNREADABLE,
    UNREQUESTED,
    Referee,
    TableState,
    TableStates,
    Verdict,
    guard_warnings,
    is_same_state,
    repair,
)
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, Action, raising
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.dealing import Deal
from acpcbot.protocol.grammar import Grammar, format_reply
from acpcbot.protocol.messages import MatchState
from tests.support.games import LEDUC, LIMIT_2P, NOLIMIT_2P, NOLIMIT_3P, definition_of, rules_of
from tests.support.lines import SentState, damaged_lines, sent_states
from tests.support.playouts import generators, random_action

FLOP = "MATCHSTATE:0:2:cc/:AsKs|/2c3d4h"
THREE = "MATCHSTATE:2:7:ccc/cr400:||AsKs/2c3d4h"
RAISED = "MATCHSTATE:1:2:r300r900:|AsKs"


def verdict(name: str, wanted: str, reply: str) -> Verdict:
    """The verdict on *reply* where the state *wanted* was sent."""
    game = rules_of(name)
    return Referee(Grammar(game)).judge(reply.encode("latin-1"), Grammar(game).read(wanted))


CALLED = Verdict(CALLING)
INVALID_CALLED = Verdict(CALLING, (INVALID,))


# Good replies and their endings.


@pytest.mark.parametrize(
    "ending", ["\r\n", "\n", "", "\r", " \r\n", "all\r\n", ":r\r\n", "\0nonsense\r\n"]
)
def test_everything_behind_the_action_is_passed_over(ending: str) -> None:
    assert verdict(LIMIT_2P, FLOP, f"{FLOP}:c{ending}") == CALLED


@pytest.mark.parametrize(
    ("name", "wanted", "action", "taken"),
    [
        (LIMIT_2P, FLOP, "r", LIMIT_RAISING),
        (LIMIT_2P, FLOP, "R", LIMIT_RAISING),
        (LIMIT_2P, FLOP, "b", LIMIT_RAISING),
        (LIMIT_2P, FLOP, "rfold", LIMIT_RAISING),
        (LIMIT_2P, FLOP, "r300", LIMIT_RAISING),
        (LIMIT_2P, FLOP, "k", CALLING),
        (LIMIT_2P, FLOP, "K", CALLING),
        (LIMIT_2P, FLOP, "call", CALLING),
        (NOLIMIT_2P, RAISED, "F", FOLDING),
        (NOLIMIT_2P, RAISED, "r1500", raising(1500)),
        (NOLIMIT_2P, RAISED, "B20000", raising(20000)),
        (NOLIMIT_2P, RAISED, "r +01500", raising(1500)),
        (NOLIMIT_2P, RAISED, "r1500.75", raising(1500)),
        (NOLIMIT_2P, RAISED, "r4294968796", raising(1500)),
    ],
)
def test_actions_are_taken_in_any_spelling(
    name: str, wanted: str, action: str, taken: Action
) -> None:
    assert verdict(name, wanted, f"{wanted}:{action}\r\n") == Verdict(taken)


# A wrong state is passed over, whatever the action.


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "\r\n",
        "c\r\n",
        ":c\r\n",
        f" {FLOP}:c\r\n",
        f"{FLOP.lower()}:c\r\n",
        "ATCHSTATE:0:2:cc/:AsKs|/2c3d4h:c\r\n",
        "MATCHSTATE:2:2:cc/:AsKs|/2c3d4h:c\r\n",
        "MATCHSTATE:0 :2:cc/:AsKs|/2c3d4h:c\r\n",
        "MATCHSTATE:0:2:cf/:AsKs|/2c3d4h:c\r\n",
        "MATCHSTATE:0:2:cx/:AsKs|/2c3d4h:c\r\n",
        "MATCHSTATE:0:2:rrrr:AsKs|:c\r\n",
        "MATCHSTATE:0:2:cc/:As|/2c3d4h:c\r\n",
        "MATCHSTATE:0:2:cc/:AsKs|/2c3d:c\r\n",
        "MATCHSTATE:0:2:cc/:AsKs|/2c3d4x:c\r\n",
        "MATCHSTATE\0:0:2:cc/:AsKs|/2c3d4h:c\r\n",
    ],
)
def test_a_line_that_is_no_state_of_the_game_is_passed_over(reply: str) -> None:
    assert verdict(LIMIT_2P, FLOP, reply) == UNREADABLE


def test_echoed_sizes_are_never_made_legal() -> None:
    assert verdict(NOLIMIT_2P, RAISED, "MATCHSTATE:1:2:r300r499:|AsKs:c") == UNREADABLE
    assert verdict(NOLIMIT_2P, RAISED, "MATCHSTATE:1:2:r300r20001:|AsKs:c") == UNREADABLE


@pytest.mark.parametrize(
    "reply",
    [
        "MATCHSTATE:1:2:cc/:AsKs|/2c3d4h:c\r\n",
        "MATCHSTATE:0:3:cc/:AsKs|/2c3d4h:c\r\n",
        "MATCHSTATE:0:2:cc/c:AsKs|/2c3d4h:c\r\n",
        "MATCHSTATE:0:2:crc/:AsKs|/2c3d4h:c\r\n",
        "MATCHSTATE:0:2:c:AsKs|:c\r\n",
        "MATCHSTATE:0:2:cc/:AsKd|/2c3d4h:c\r\n",
        "MATCHSTATE:0:2:cc/:KsAs|/2c3d4h:c\r\n",
        "MATCHSTATE:0:2:cc/:AsKs|/2c3d5h:c\r\n",
        "MATCHSTATE:0:2:cc/:|/2c3d4h:c\r\n",
        "MATCHSTATE:0:2:cc/:|AsKs/2c3d4h:c\r\n",
        "MATCHSTATE:0:2:cc/cc/:AsKs|/2c3d4h/5h:c\r\n",
    ],
)
def test_a_state_that_was_not_sent_is_passed_over(reply: str) -> None:
    assert verdict(LIMIT_2P, FLOP, reply) == UNREQUESTED


@pytest.mark.parametrize("end", ["", "\0", "\0:AsKs|:c\r\n"])
@pytest.mark.parametrize("betting", ["", "r", "rc", "crf"])
def test_a_state_that_ends_behind_the_betting_is_one_without_cards(betting: str, end: str) -> None:
    """So the official reader takes a reply that is cut off.

    One whose betting asks for a board is unreadable.
    """
    found = verdict(LIMIT_2P, "MATCHSTATE:1:2:c:|AsKs", f"MATCHSTATE:1:2:{betting}{end}")
    assert found == (UNREADABLE if betting == "rc" else UNREQUESTED)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_line_end_behind_the_betting_is_no_end_of_the_text(line_end: str) -> None:
    assert verdict(LIMIT_2P, "MATCHSTATE:1:2::|AsKs", f"MATCHSTATE:1:2:r{line_end}") == UNREADABLE


def test_a_size_that_differs_is_another_state() -> None:
    assert verdict(NOLIMIT_2P, RAISED, "MATCHSTATE:1:2:r300r901:|AsKs:c") == UNREQUESTED


# A right state in other spellings.


@pytest.mark.parametrize(
    "echo",
    [
        "MATCHSTATE:+2: 0007:ccc/cr400:||AsKs/2c3d4h",
        "MATCHSTATE:258:7:ccc/cr400:||AsKs/2c3d4h",
        "MATCHSTATE:2:4294967303:ccc/cr400:||AsKs/2c3d4h",
        "MATCHSTATE:2:7:CKcCB400:||AsKs/2c3d4h",
        "MATCHSTATE:2:7:/c/cc///cr400/:||AsKs/2c3d4h",
        "MATCHSTATE:2:7:ccc/cr +0400:||AsKs/2c3d4h",
        "MATCHSTATE:2:7:ccc/cr4294967696:||AsKs/2c3d4h",
        "MATCHSTATE:2:7:ccc/cr400:||aSkS/2C3D4H",
        "MATCHSTATE:2:7:ccc/cr400:||AsKs2c3d4h",
        "MATCHSTATE:2:7:ccc/cr400:2d2h|3c3h|AsKs/2c3d4h",
        "MATCHSTATE:2:7:ccc/cr400:AsKs|AsKs|AsKs/2c3d4h",
    ],
)
def test_a_right_state_is_known_in_any_spelling(echo: str) -> None:
    assert verdict(NOLIMIT_3P, THREE, f"{echo}:r1000\r\n") == Verdict(raising(1000))


def test_without_the_bar_cards_are_taken_for_the_next_player() -> None:
    assert verdict(LIMIT_2P, FLOP, "MATCHSTATE:0:2:cc/:AsKs2c3d4h:c") == UNREADABLE


def test_the_board_of_the_first_street_makes_echoes_unreadable_as_in_the_official_dealer() -> None:
    game = BettingRules(replace(definition_of(LEDUC), num_board_cards=(1, 1)))
    wanted = MatchState(0, 0, game.start, ((46,), ()), (42,), "MATCHSTATE:0:0::Kh|Qh")
    reply = b"MATCHSTATE:0:0::Kh|Qh:c\r\n"
    assert Referee(Grammar(game)).judge(reply, wanted) == UNREADABLE
    assert not Referee(Grammar(game)).echo_is_plain


# A right state with a bad action is a call.


@pytest.mark.parametrize("tail", ["", "\r\n", "c\r\n", " :c\r\n", "\0:c\r\n", "|:c\r\n"])
def test_no_colon_behind_the_state_is_a_call(tail: str) -> None:
    assert verdict(LIMIT_2P, FLOP, FLOP + tail) == NO_ACTION


@pytest.mark.parametrize("action", ["r", "r\r\n", "rx", "b-", "r +", "R:300"])
def test_a_no_limit_raise_without_a_size_is_a_call(action: str) -> None:
    assert verdict(NOLIMIT_2P, RAISED, f"{RAISED}:{action}") == NO_ACTION


@pytest.mark.parametrize("action", ["", "\r\n", "x", " c", "1", "/", "#", "\0c"])
def test_a_letter_that_means_nothing_is_a_call(action: str) -> None:
    assert verdict(NOLIMIT_2P, RAISED, f"{RAISED}:{action}") == INVALID_CALLED
    assert verdict(LIMIT_2P, FLOP, f"{FLOP}:{action}") == INVALID_CALLED


def test_folding_for_free_is_a_check() -> None:
    assert verdict(LIMIT_2P, FLOP, f"{FLOP}:f\r\n") == INVALID_CALLED


@pytest.mark.parametrize(
    ("name", "wanted", "action"),
    [
        (LIMIT_2P, "MATCHSTATE:0:0:rrrc/rrrr:AsKs|/2c3d4h", "r"),
        (NOLIMIT_2P, "MATCHSTATE:0:0:r20000:AsKs|", "r20000"),
    ],
)
def test_a_raise_where_none_is_left_is_a_call(name: str, wanted: str, action: str) -> None:
    assert verdict(name, wanted, f"{wanted}:{action}\r\n") == INVALID_CALLED


def test_a_raise_that_only_the_number_of_actions_forbids_says_so() -> None:
    state = rules_of(NOLIMIT_2P).start
    while state.raise_range is not None:
        state = state.apply(raising(state.raise_range[0]))
    assert guard_warnings(state) == (GUARD_WARNING,)
    assert repair(raising(20000), state) == Verdict(CALLING, (GUARD_WARNING, INVALID))
    assert repair(FOLDING, state) == Verdict(FOLDING)
    assert guard_warnings(rules_of(NOLIMIT_2P).parse("r20000")) == ()


# Sizes are moved into the legal range.


@pytest.mark.parametrize(
    ("size", "taken", "warning"),
    [
        ("r1499", 1500, "WARNING: raise of 1499 increased to 1500"),
        ("r20001", 20000, "WARNING: raise of 20001 decreased to 20000"),
        ("r0", 1500, "WARNING: raise of 0 increased to 1500"),
        ("r-5", 1500, "WARNING: raise of -5 increased to 1500"),
        ("r1e4", 1500, "WARNING: raise of 1 increased to 1500"),
        ("r0x2000", 1500, "WARNING: raise of 0 increased to 1500"),
        ("r2147483648", 1500, "WARNING: raise of -2147483648 increased to 1500"),
        ("r3000000000", 1500, "WARNING: raise of -1294967296 increased to 1500"),
        ("r99999999999", 20000, "WARNING: raise of 1215752191 decreased to 20000"),
        ("r99999999999999999999", 1500, "WARNING: raise of -1 increased to 1500"),
    ],
)
def test_a_size_outside_the_range_moves_to_its_nearer_end(
    size: str, taken: int, warning: str
) -> None:
    assert verdict(NOLIMIT_2P, RAISED, f"{RAISED}:{size}\r\n") == Verdict(
        raising(taken), (warning,)
    )


decisions = sent_states().filter(lambda sent: not sent.betting.is_over)


@given(decisions, st.integers(-(2**31), 2**31 - 1))
def test_a_repaired_action_is_always_legal(sent: SentState, size: int) -> None:
    sized = [] if sent.game.definition.is_limit else [raising(size)]
    for action in (FOLDING, CALLING, LIMIT_RAISING, None, *sized):
        found = repair(action, sent.betting)
        assert found.action is not None
        assert sent.betting.can_act(found.action)
        assert (found.warnings == ()) == (action is not None and sent.betting.can_act(action))


# Laws.


def view_of(sent: SentState) -> MatchState:
    """Return the state that the player to act was sent."""
    return Grammar(sent.game).read(sent._replace(viewer=sent.betting.actor).line)


def state_of(sent: SentState) -> TableState:
    return TableState(sent.betting.text.encode(), sent.betting.vector)


@given(decisions, generators)
def test_the_reply_of_a_good_client_is_taken_as_it_stands(sent: SentState, random: Random) -> None:
    wanted = view_of(sent)
    action = random_action(random, sent.betting.legal_actions(), 2)
    assert Referee(Grammar(sent.game)).judge(format_reply(wanted, action), wanted) == Verdict(
        action
    )


plain_replies = st.text(st.sampled_from(":fcrFCRkb0123456789 \r\n\0"), max_size=9).map(str.encode)


@given(
    decisions,
    plain_replies,
    st.sampled_from([b"", b":c", b":f", b":r", b":r300", b":r00300", b":r20000"]),
)
@example(
    SentState(0, 0, rules_of(NOLIMIT_2P).parse("c"), Deal(((51, 50), (0, 1)), ())),
    b"\r\n",
    b":r00300",
)
def test_the_quick_judgement_is_the_exact_one(sent: SentState, noise: bytes, action: bytes) -> None:
    wanted, states = view_of(sent), TableStates(sent.game)
    echo, here = wanted.line.encode(), state_of(sent)
    for tail in (action + noise, action + b"\r\n", action + b"\n"):
        for _ in range(3):  # judged, judged again and kept, looked up
            found = here.replies.get(tail) or states.learn(here, tail)
            assert found is None or Referee(Grammar(sent.game)).judge(
                echo + tail, wanted
            ) == Verdict(found.action)
            assert (
                found is None
                or states.betting(found).vector == sent.betting.apply(found.action).vector
            )


@given(decisions, generators)
def test_the_quick_judgement_knows_every_reply_of_a_good_client(
    sent: SentState, random: Random
) -> None:
    states, here = TableStates(sent.game), state_of(sent)
    action = random_action(random, sent.betting.legal_actions(), 2)
    for line_end in (b"\r\n", b"\n"):
        found = states.learn(here, f":{action.text}".encode() + line_end)
        assert found is not None
        assert found.action == action


@given(damaged_lines(), decisions)
def test_no_line_ever_leads_to_an_illegal_action(
    case: tuple[BettingRules, str], sent: SentState
) -> None:
    wanted, line = view_of(sent), case[1].encode("latin-1")
    for reply in (line, wanted.line.encode() + line, wanted.line.encode() + b":" + line):
        found = Referee(Grammar(sent.game)).judge(reply, wanted)
        assert found.action is None or sent.betting.can_act(found.action)
        assert found.action is not None or found.warnings


@given(decisions)
def test_nobody_elses_cards_are_compared(sent: SentState) -> None:
    wanted = view_of(sent)
    with_others = tuple([held or wanted.own_cards for held in wanted.hole_cards])
    assert is_same_state(replace(wanted, hole_cards=with_others), wanted)
    without_own = ((),) * len(with_others)
    assert not is_same_state(replace(wanted, hole_cards=without_own), wanted)
