"""Game definitions: what is accepted with which meaning, what is refused and why, and the
normal form.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.cards.deck import format_cards
from acpcbot.errors import BadDefinition
from acpcbot.poker.definition import (
    UNLIMITED_STACK,
    GameDefinition,
    format_definition,
    load_definition,
    parse_definition,
)

OWN_DATA = Path(__file__).parent / "data"
GOLD = Path(__file__).parents[3] / "shared" / "gold"

LIMIT = {
    "limit": "",
    "numPlayers": "2",
    "numRounds": "4",
    "blind": "10 5",
    "raiseSize": "10 10 20 20",
    "firstPlayer": "2 1 1 1",
    "maxRaises": "3 4 4 4",
    "numSuits": "4",
    "numRanks": "13",
    "numHoleCards": "2",
    "numBoardCards": "0 3 1 1",
}


def text_of(**changes: str | None) -> str:
    """The heads-up limit game with *changes*; None leaves a line out."""
    return "".join(
        f"{key} = {value}\n" for key, value in {**LIMIT, **changes}.items() if value is not None
    )


def reason_of(text: str) -> str:
    with pytest.raises(BadDefinition) as caught:
        parse_definition(text)
    return caught.value.reason


def recorded(folder: Path) -> Path:
    if not folder.exists():
        pytest.skip(f"no recordings of the official dealer at {folder}")
    return folder


# Known values: the official parser's own verdicts and prints.


@pytest.mark.parametrize(
    "path", [OWN_DATA / "gamedef.jsonl", GOLD / "unit" / "gamedef.jsonl"], ids=["own", "gold"]
)
def test_every_recorded_verdict_and_normal_form_is_repeated(path: Path) -> None:
    rows = [json.loads(line) for line in recorded(path).read_text().splitlines()]
    assert len(rows) >= 50
    for row in rows:
        if row["accepted"]:
            assert format_definition(parse_definition(row["gamedef"])) == row["normalised"], row[
                "name"
            ]
        else:
            assert reason_of(row["gamedef"]) + "\n" == row["stderr"], row["name"]


@pytest.mark.parametrize("folder", [OWN_DATA / "games", GOLD / "games"], ids=["own", "gold"])
def test_every_circulating_game_file_is_accepted(folder: Path) -> None:
    definitions = [load_definition(path) for path in recorded(folder).glob("*.game")]
    assert len(definitions) >= 10
    assert all(
        parse_definition(format_definition(definition)) == definition for definition in definitions
    )


def test_a_file_that_takes_every_liberty_means_what_the_official_parser_makes_of_it() -> None:
    assert load_definition(OWN_DATA / "games" / "test.lenient.syntax.game") == GameDefinition(
        is_limit=False,
        num_players=2,
        num_streets=2,
        stacks=(400, 400),
        blinds=(10, 5),
        raise_sizes=(),
        first_seats=(0, 1),
        max_raises=(255, 255),
        num_suits=4,
        num_ranks=13,
        num_hole_cards=2,
        num_board_cards=(0, 3),
    )


# Refusals.


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"numRounds": "0"}, "invalid number of rounds: 0"),
        ({"numRounds": "5"}, "invalid number of rounds: 5"),
        ({"numPlayers": "1"}, "invalid number of players: 1"),
        ({"numPlayers": "11"}, "invalid number of players: 11"),
        ({"stack": "100"}, "only read 1 stack sizes, need 2"),
        ({"numPlayers": "5", "blind": "1 1 1 1 1"}, "only read 4 stack sizes, need 5"),
        ({"blind": "10"}, "only read 1 blinds, need 2"),
        ({"stack": "100 4"}, "blind for player 2 is greater than stack size"),
        ({"raiseSize": "10 10"}, "only read 2 raise sizes, need 4"),
        ({"firstPlayer": "1 2 0 1"}, "invalid first player 0 on round 3"),
        ({"firstPlayer": "1 3"}, "invalid first player 3 on round 2"),
        ({"numSuits": "5"}, "invalid number of suits: 5"),
        ({"numRanks": "14"}, "invalid number of ranks: 14"),
        ({"numHoleCards": "4"}, "invalid number of hole cards: 4"),
        ({"numBoardCards": "0 3 1"}, "only read 3 board card numbers, need 4"),
        ({"numSuits": "1", "numRanks": "8"}, "too many hole and board cards for specified deck"),
    ],
)
def test_each_official_refusal_keeps_its_words(changes: dict[str, str], reason: str) -> None:
    assert reason_of(text_of(**changes)) == reason


def test_faults_are_reported_in_the_official_order() -> None:
    """Each line mends the fault of the reason before it, so any two checks in the wrong order
    show.
    """
    steps = [
        ("stack = 9 9", "invalid number of rounds: 0"),
        ("numRounds = 2", "invalid number of players: 0"),
        ("numPlayers = 3\nfirstPlayer = 4", "only read 2 stack sizes, need 3"),
        ("stack = 9 9 9", "only read 0 blinds, need 3"),
        ("blind = 10 5 0", "blind for player 1 is greater than stack size"),
        ("stack = 10 10 10", "only read 0 raise sizes, need 2"),
        ("raiseSize = 10 10", "invalid first player 4 on round 1"),
        ("firstPlayer = 3", "invalid number of suits: 0"),
        ("numSuits = 1", "invalid number of ranks: 0"),
        ("numRanks = 6", "invalid number of hole cards: 0"),
        ("numHoleCards = 2", "only read 0 board card numbers, need 2"),
        ("numBoardCards = 0 1", "too many hole and board cards for specified deck"),
    ]
    text = ""
    for line, reason in steps:
        text += line + "\n"
        assert reason_of(text) == reason
    assert parse_definition(text + "numRanks = 7\n").cards_per_hand == 7


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"raiseSize": "10 10 20 20 20"}, "read 5 raise sizes, only 4 are possible"),
        ({"nolimit": "", "raiseSize": "1 2 3 4 5"}, "read 5 raise sizes, only 4 are possible"),
        ({"stack": "0 100", "blind": "0 5"}, "stack of player 1 is not positive"),
        ({"stack": "100 -20", "blind": "10 -30"}, "stack of player 2 is not positive"),
        ({"blind": "10 -5"}, "blind for player 2 is negative"),
        ({"raiseSize": "10 -10 20 20"}, "raise size on round 2 is negative"),
        ({"stack": "10 5"}, "every player is all-in from the blinds"),
        ({"blind": "0 0"}, "no blinds, so that a hand can end without any chips in the pot"),
        ({"numBoardCards": "0 3 1 4"}, "more than 7 board cards"),
    ],
)
def test_definitions_that_crash_the_official_programs_are_refused(
    changes: dict[str, str], reason: str
) -> None:
    assert reason_of(text_of(**changes)) == reason


def test_an_official_refusal_comes_before_one_of_ours() -> None:
    assert reason_of(text_of(blind="0 0", numSuits="0")) == "invalid number of suits: 0"


@pytest.mark.parametrize(
    "changes",
    [
        {"stack": "10 6"},
        {"stack": "10 100"},
        {"blind": "0 1"},
        {"raiseSize": "0 0 0 0"},
        {"numBoardCards": "1 3 1 2"},
        {"numRounds": "1", "firstPlayer": "1 9 9 9", "numBoardCards": "0 99 99 99"},
        {"nolimit": "", "raiseSize": "-1 -1"},
    ],
)
def test_odd_games_that_can_be_played_are_not_refused(changes: dict[str, str]) -> None:
    parse_definition(text_of(**changes))


# Derived facts.


def test_the_file_counts_first_players_from_one_and_the_definition_from_zero() -> None:
    assert parse_definition(text_of()).first_seats == (1, 0, 0, 0)


def test_a_stack_that_no_file_names_is_unlimited() -> None:
    definition = parse_definition(text_of())
    assert definition.stacks == (UNLIMITED_STACK, UNLIMITED_STACK)
    assert not definition.has_stacks


def test_a_stack_of_one_seat_makes_the_normal_form_print_all() -> None:
    assert "stack = 100 2147483647\n" in format_definition(
        parse_definition(text_of(stack="100 2147483647"))
    )


def test_board_sizes_add_up_over_the_streets() -> None:
    definition = parse_definition(text_of())
    assert [definition.board_size(street) for street in range(4)] == [0, 3, 4, 5]
    assert definition.cards_per_hand == 9


def test_the_big_blind_is_the_largest_wherever_it_sits() -> None:
    assert parse_definition(text_of(blind="5 10")).big_blind == 10


def test_a_small_deck_has_the_highest_cards_and_the_older_convention_the_lowest() -> None:
    leduc = parse_definition(
        text_of(numRounds="1", numSuits="2", numRanks="3", numHoleCards="1", numBoardCards="0")
    )
    assert format_cards(leduc.deck) == "QhKhAhQsKsAs"
    assert format_cards(leduc.lowest_deck) == "2c3c4c2d3d4d"


def test_the_fingerprint_stands_for_the_rules_and_not_for_the_spelling() -> None:
    definition = parse_definition(text_of())
    spelt_otherwise = "# the same game\n" + text_of(numPlayers="2 players").upper()
    assert parse_definition(spelt_otherwise).fingerprint == definition.fingerprint
    assert replace(definition, max_raises=(3, 4, 4, 5)).fingerprint != definition.fingerprint


def test_the_fingerprint_never_changes_because_saved_files_carry_it() -> None:
    assert parse_definition(text_of()).fingerprint == "1ab4f0ea5032"


# Laws.


@st.composite
def playable_definitions(draw: st.DrawFn) -> GameDefinition:
    players = draw(st.integers(2, 10))
    streets = draw(st.integers(1, 4))
    most_chips = UNLIMITED_STACK - (players > 4)
    stacks = draw(
        st.lists(st.integers(1, 300) | st.just(most_chips), min_size=players, max_size=players)
    )
    blinds = [draw(st.integers(0, min(stack, 200))) for stack in stacks]
    if not any(blinds):
        blinds[0] = 1
    if blinds == stacks:
        blinds[0] -= 1
    is_limit = draw(st.booleans())
    per_street = st.lists(st.integers(0, 255), min_size=streets, max_size=streets).map(tuple)
    return GameDefinition(
        is_limit=is_limit,
        num_players=players,
        num_streets=streets,
        stacks=tuple(stacks),
        blinds=tuple(blinds),
        raise_sizes=draw(per_street) if is_limit else (),
        first_seats=tuple([first % players for first in draw(per_street)]),
        max_raises=draw(per_street),
        num_suits=draw(st.integers(3, 4)),
        num_ranks=13,
        num_hole_cards=draw(st.integers(1, 3)),
        num_board_cards=draw(st.sampled_from([(0, 3, 1, 1), (7, 0, 0, 0), (0, 1, 2, 3)]))[:streets],
    )


@given(definition=playable_definitions())
def test_the_normal_form_reads_back_as_the_same_game(definition: GameDefinition) -> None:
    assert parse_definition(format_definition(definition)) == definition


def noisy_lines() -> st.SearchStrategy[list[str]]:
    noise = st.text(
        st.sampled_from("=0123456789+- \t\0\x85\xa0\xff#") | st.characters(max_codepoint=255),
        max_size=12,
    )
    line = st.builds(
        lambda key, rest: key + rest + "\n",
        st.sampled_from([*LIMIT, "stack", "END GAMEDEF", ""]),
        noise,
    )
    return st.lists(line, max_size=8)


def lengths(definition: GameDefinition) -> Iterator[tuple[int, int]]:
    for per_seat in (definition.stacks, definition.blinds):
        yield len(per_seat), definition.num_players
    for per_street in (definition.first_seats, definition.max_raises, definition.num_board_cards):
        yield len(per_street), definition.num_streets
    yield len(definition.raise_sizes), definition.num_streets * definition.is_limit


@given(before=noisy_lines(), after=noisy_lines())
def test_any_text_is_either_a_whole_game_or_refused(before: list[str], after: list[str]) -> None:
    try:
        definition = parse_definition("".join(before) + text_of() + "".join(after))
    except BadDefinition:
        return
    assert all(length == needed for length, needed in lengths(definition))
    assert definition.cards_per_hand <= len(definition.deck)
    assert parse_definition(format_definition(definition)) == definition


@given(text=st.text(max_size=200))
def test_no_text_at_all_escapes_with_another_error(text: str) -> None:
    with pytest.raises(BadDefinition):
        parse_definition(text)
