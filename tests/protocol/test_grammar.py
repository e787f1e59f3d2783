"""The grammar of state lines: the official reader's verdicts, exact writing, and nothing but
ProtocolError on noise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from acpcbot.cards.deck import format_cards, parse_cards
from acpcbot.errors import ProtocolError
from acpcbot.poker import rules
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, Action, raising
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.dealing import Deal
from acpcbot.protocol.grammar import (
    Grammar,
    format_board,
    format_reply,
    format_version,
    parse_version,
    scan_action,
    scan_cards,
)
from acpcbot.protocol.messages import MatchState
from tests.support.games import KUHN, LEDUC, LIMIT_2P, LIMIT_3P, NOLIMIT_2P, definition_of, rules_of
from tests.support.gold import BOTH_SETS, Row, gold_rows
from tests.support.lines import SentState, damaged_lines, sent_states, visible_text
from tests.support.playouts import game_names


def grammar_of(name: str) -> Grammar:
    return Grammar(rules_of(name))


def meaning(state: MatchState) -> tuple[object, ...]:
    """Return the meaning of *state*, without the spelling."""
    return (
        state.seat,
        state.hand_id,
        state.betting.text,
        state.betting.vector,
        state.hole_cards,
        state.board,
    )


def refusal(read: Callable[[str], object], line: str) -> ProtocolError | None:
    """Return the reason why *read* refuses *line*; None if it does not."""
    try:
        read(line)
    except ProtocolError as error:
        return error
    return None


# Known values: the official reader's verdicts.


def as_recorded(state: MatchState) -> Row:
    """*state* in the words of a recording."""
    betting, row = state.betting, {}
    if not betting.is_over:
        legal = betting.raise_range
        row = {
            "acting": betting.actor,
            "fold": int(betting.can_act(FOLDING)),
            "raise": legal and list(legal),
        }
    return row | {
        "position": state.seat,
        "hand": state.hand_id,
        "round": betting.street,
        "finished": int(betting.is_over),
        "spent": list(betting.spent),
        "folded": list(map(int, betting.folded)),
        "max_spent": betting.max_spent,
        "betting": betting.text,
    }


@BOTH_SETS
def test_recorded_lines_mean_what_the_official_reader_makes_of_them(gold: Path) -> None:
    for row in gold_rows(gold, "matchstate.jsonl"):
        grammar, line = grammar_of(row["game"]), row["in"]
        if row["consumed"] < 0:
            assert refusal(grammar.scan, f"{line}\n") is not None, (
                row
            )  # they were read with their line ends
            continue
        state, end = grammar.scan(f"{line}\n")
        found = as_recorded(state) | {
            "consumed": end,
            "rest": line[end:],
            "game": row["game"],
            "in": line,
        }
        assert found == row
        assert state.line == line[:end]


@BOTH_SETS
def test_the_quick_reader_never_says_anything_else_than_the_exact_one(gold: Path) -> None:
    num_quick = 0
    for row in gold_rows(gold, "matchstate.jsonl"):
        state = grammar_of(row["game"]).quick(row["in"])
        if state is not None:
            num_quick += 1
            assert row["consumed"] == len(row["in"]), row
            assert as_recorded(state).items() <= row.items(), row
    assert num_quick >= 100


# Laws: what is written is read back.


@given(sent_states())
def test_a_line_is_read_back_to_what_the_dealer_meant(sent: SentState) -> None:
    state = Grammar(sent.game).read(sent.line)
    assert (state.seat, state.hand_id, state.betting.text) == (
        sent.viewer,
        sent.hand_id,
        sent.betting.text,
    )
    assert (state.hole_cards, state.board, state.line) == (sent.hole_cards, sent.board, sent.line)
    assert state.own_cards == sent.deal.hole_cards[sent.viewer]
    assert state.is_my_turn == (sent.betting.actor == sent.viewer)


@given(
    game_names.flatmap(lambda name: st.lists(sent_states(st.just(name)), min_size=1, max_size=6))
)
def test_the_quick_reader_answers_for_every_line_that_a_dealer_writes(
    states: list[SentState],
) -> None:
    grammar = Grammar(states[0].game)
    for sent in states:
        exact, end = Grammar(sent.game).scan(sent.line)
        quick = grammar.quick(sent.line)
        assert end == len(sent.line)
        assert quick is not None
        assert (meaning(quick), quick.line) == (meaning(exact), exact.line)


LIBERTIES: dict[str, Callable[[str], str]] = {
    "capital betting letters": str.upper,
    "checks and bets": lambda betting: betting.replace("c", "k").replace("r", "b"),
    "no slashes": lambda betting: betting.replace("/", ""),
    "slashes everywhere": lambda betting: f"//{betting.replace('c', 'c/')}//",
    "blanks and signs before sizes": lambda betting: betting.replace("r", "r \t+0"),
}


@pytest.mark.parametrize("liberty", LIBERTIES)
@given(sent=sent_states(st.sampled_from((NOLIMIT_2P, "holdem.nolimit.6p", "leduc.nolimit.2p"))))
def test_spelling_liberties_in_the_betting_do_not_change_the_meaning(
    liberty: str, sent: SentState
) -> None:
    head, seat, hand_id, betting, cards = sent.line.split(":")
    line = ":".join(
        (head, f" +0{seat}", f"\t00{hand_id}", LIBERTIES[liberty](betting), cards.swapcase())
    )
    state, end = Grammar(sent.game).scan(line)
    assert end == len(line)
    assert meaning(state) == meaning(Grammar(sent.game).scan(sent.line)[0])


@given(sent_states(), st.sampled_from((":c", "\r\n", ":r300", "x", "\0:c")))
def test_the_reader_stops_behind_the_cards(sent: SentState, tail: str) -> None:
    state, end = Grammar(sent.game).scan(sent.line + tail)
    assert (state.line, end) == (sent.line, len(sent.line))
    error = refusal(Grammar(sent.game).read, sent.line + tail)
    assert error is not None
    assert error.column == len(sent.line)


@pytest.mark.parametrize("betting", ["", "r", "crf"])
def test_a_dealers_line_that_ends_behind_the_betting_is_refused_by_a_client(betting: str) -> None:
    """The official reader takes it for a state without cards.

    A player that acts on it would not know its own.
    """
    line = f"MATCHSTATE:1:2:{betting}"
    assert Grammar(rules_of(LIMIT_2P)).scan(line)[1] == len(line)
    error = refusal(Grammar(rules_of(LIMIT_2P)).read, line)
    assert error is not None
    assert error.column == len(line)


# Laws: any text.

WITHOUT_ALL_CARDS = (rules_of(LIMIT_2P), "MATCHSTATE:0:0::")


@given(st.one_of(damaged_lines(), st.tuples(st.builds(rules_of, st.just(LEDUC)), st.text())))
@example(WITHOUT_ALL_CARDS)
def test_both_readers_agree_on_any_text(case: tuple[BettingRules, str]) -> None:
    game, line = case
    exact_error = refusal(Grammar(game).scan, line)
    quick = Grammar(game).quick(line)
    if quick is not None:
        assert exact_error is None
        exact, end = Grammar(game).scan(line)
        assert (meaning(quick), end) == (meaning(exact), len(line))


@given(
    game_names.flatmap(lambda name: st.lists(sent_states(st.just(name)), min_size=2, max_size=3)),
    st.randoms(),
)
def test_earlier_lines_do_not_change_the_meaning_of_a_line(
    states: list[SentState], random: Random
) -> None:
    """The reader remembers parts of the last line.

    Here lines share parts with lines of other hands.
    """
    fields = [sent.line.split(":") for sent in states]
    grammar = Grammar(states[0].game)
    for _ in range(12):
        line = ":".join([random.choice(fields)[place] for place in range(5)])
        fresh = Grammar(states[0].game)
        assert (refusal(grammar.read, line) is None) == (refusal(fresh.read, line) is None)
        if refusal(fresh.read, line) is None:
            assert meaning(grammar.read(line)) == meaning(fresh.read(line))


@given(damaged_lines())
@example(WITHOUT_ALL_CARDS)
@example((rules_of(LIMIT_2P), "MATCHSTATE:0:" + "9" * 5000 + "::AsAd|"))
@example((rules_of(LIMIT_2P), "MATCHSTATE:" + "0" * 5000 + ":0::AsAd|"))
@example((rules_of(NOLIMIT_2P), "MATCHSTATE:0:0:r" + "9" * 5000 + ":AsAd|"))
def test_any_line_is_read_or_refused_with_a_column_inside(case: tuple[BettingRules, str]) -> None:
    game, line = case
    for read in (Grammar(game).read, Grammar(game).scan, Grammar(game).quick):
        error = refusal(read, line)
        assert error is None or 0 <= error.column <= len(line)


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        ("", 0, "MATCHSTATE:"),
        ("matchstate:0:0::AsKs|", 0, "MATCHSTATE:"),
        ("MATCHSTATE:x:0::AsKs|", 11, "a number"),
        ("MATCHSTATE:2:0::AsKs|", 11, "a position below 2"),
        ("MATCHSTATE:0 :0::AsKs|", 12, "':'"),
        ("MATCHSTATE:0:::AsKs|", 13, "a number"),
        ("MATCHSTATE:0:0", 14, "':'"),
        ("MATCHSTATE:0:0:cx:AsKs|", 16, "an action, '/' or ':'"),
        ("MATCHSTATE:0:0:cf:AsKs|", 16, "a legal action (there is nothing to call)"),
        ("MATCHSTATE:0:0:cc/:AsKs|", 24, "3 board cards"),
        ("MATCHSTATE:0:0:cc/:AsKs|/2c3dXx", 29, "3 board cards"),
        ("MATCHSTATE:0:0::As|", 18, "2 hole cards or none"),
        ("MATCHSTATE:0:0::AsKs|c", 21, "the end of the line"),
    ],
)
def test_refusals_name_the_column_and_what_was_expected(
    line: str, column: int, expected: str
) -> None:
    error = refusal(grammar_of(LIMIT_2P).read, line)
    assert error is not None
    assert (error.line, error.column, error.expected) == (line, column, expected)


# What a viewer may see.


def with_other_hidden_cards(sent: SentState, random: Random) -> Deal:
    """A deal in which everything that the viewer may not know is something else."""
    definition = sent.game.definition
    known = {card for held in sent.hole_cards for card in held} | set(sent.board)
    rest = [card for card in definition.deck if card not in known]
    random.shuffle(rest)
    hole_cards = tuple(
        [
            held or tuple([rest.pop() for _ in range(definition.num_hole_cards)])
            for held in sent.hole_cards
        ]
    )
    unseen = len(sent.deal.board) - len(sent.board)
    return Deal(hole_cards, sent.board + tuple(rest[:unseen]))


@given(sent_states(), st.randoms())
def test_a_line_gives_nothing_away_about_hidden_cards(sent: SentState, random: Random) -> None:
    other = with_other_hidden_cards(sent, random)
    assert visible_text(other, sent.betting, sent.viewer) == visible_text(
        sent.deal, sent.betting, sent.viewer
    )


@given(sent_states())
def test_a_line_shows_all_that_its_receiver_may_know(sent: SentState) -> None:
    hole, *_boards = visible_text(sent.deal, sent.betting, sent.viewer).split("/")
    assert hole.split("|") == [format_cards(held) for held in sent.hole_cards]


@pytest.mark.parametrize(
    ("name", "betting", "cards", "viewer", "visible"),
    [
        (LIMIT_3P, "", "AsAh|KsKh|QsQh/2c3d4c/5d/9h", 1, "|KsKh|"),
        (LIMIT_3P, "ccc/", "AsAh|KsKh|QsQh/2c3d4c/5d/9h", 0, "AsAh||/2c3d4c"),
        (LIMIT_3P, "ccc/rff", "AsAh|KsKh|QsQh/2c3d4c/5d/9h", 1, "|KsKh|/2c3d4c"),
        (LIMIT_3P, "fcc/cc/cc/cc", "AsAh|KsKh|QsQh/2c3d4c/5d/9h", 0, "AsAh|KsKh|/2c3d4c/5d/9h"),
        (LIMIT_3P, "fcc/cc/cc/cc", "AsAh|KsKh|QsQh/2c3d4c/5d/9h", 2, "AsAh|KsKh|QsQh/2c3d4c/5d/9h"),
        (NOLIMIT_2P, "r20000c///", "AsAh|KsKh/2c3d4c/5d/9h", 1, "AsAh|KsKh/2c3d4c/5d/9h"),
        (LEDUC, "cc/", "Qh|Ks/Ah", 1, "|Ks/Ah"),
        (KUHN, "rf", "Qs|Ks", 0, "Qs|"),
    ],
)
def test_known_texts_of_visible_cards(
    name: str, betting: str, cards: str, viewer: int, visible: str
) -> None:
    holes, *boards = cards.split("/")
    deal = Deal(tuple(map(parse_cards, holes.split("|"))), parse_cards("".join(boards)))
    assert visible_text(deal, rules_of(name).parse(betting), viewer) == visible


def test_board_cards_of_the_first_street_follow_the_hole_cards_directly() -> None:
    definition = replace(definition_of(LEDUC), num_board_cards=(1, 1))
    deal = Deal((parse_cards("Qh"), parse_cards("Ks")), parse_cards("AhAs"))
    assert format_board(deal.board, definition.num_board_cards, 1) == "Ah/As"
    assert visible_text(deal, BettingRules(definition).parse("cc/"), 0) == "Qh|Ah/As"


# Small readers.


@pytest.mark.parametrize(
    ("text", "is_limit", "found"),
    [
        ("f", True, (FOLDING, 1)),
        ("K", True, (CALLING, 1)),
        ("B300", True, (LIMIT_RAISING, 1)),
        ("r300.75", False, (raising(300), 4)),
        ("b 0300c", False, (raising(300), 6)),
        ("r1e4", False, (raising(1), 2)),
        ("r-5", False, (raising(-5), 3)),
        ("r", False, None),
        ("rx", False, None),
        ("x", False, (None, 1)),
        ("", False, (None, 0)),
    ],
)
def test_actions_are_read_with_every_liberty(
    text: str, is_limit: bool, found: tuple[Action | None, int] | None
) -> None:
    assert scan_action(text, 0, is_limit=is_limit) == found


def test_cards_are_read_up_to_the_first_thing_that_is_none() -> None:
    assert scan_cards("asKDXx", 0, 5) == parse_cards("AsKd")
    assert scan_cards("AsKd", 0, 1) == parse_cards("As")
    assert scan_cards("A", 0, 1) == ()


@pytest.mark.parametrize(
    ("line", "version"),
    [
        ("VERSION:2.0.0", (2, 0, 0)),
        ("VERSION: 2. 0. 1 and more", (2, 0, 1)),
        ("VERSION:-1.0.0", (2**32 - 1, 0, 0)),
        ("VERSION:2.0", None),
        ("version:2.0.0", None),
        (" VERSION:2.0.0", None),
        ("VERSION:2 .0.0", None),
        ("", None),
    ],
)
def test_versions_are_read_or_refused(line: str, version: tuple[int, int, int] | None) -> None:
    if version is None:
        assert refusal(parse_version, line) is not None
    else:
        assert parse_version(line) == version
        assert parse_version(format_version(version)) == version


def test_a_reply_is_the_states_own_text_with_the_action() -> None:
    state = grammar_of(NOLIMIT_2P).scan("MATCHSTATE:1:007:K:|asKD:x")[0]
    assert format_reply(state, raising(300)) == b"MATCHSTATE:1:007:K:|asKD:r300\r\n"
    assert state.betting.actor != rules.OVER


@pytest.mark.parametrize("head", [":", "0:", ":0", "0x:0", "0:1.0"])
def test_a_head_without_its_numbers_is_never_read_quickly(head: str) -> None:
    """Catches the seat and the hand of no line or of the last one, where this one does not name
    them.
    """
    grammar = Grammar(rules_of(LIMIT_2P))
    for _ in range(2):
        assert grammar.quick(f"MATCHSTATE:{head}::AsKd|") is None
        assert grammar.quick("MATCHSTATE:0:0::AsKd|") is not None
