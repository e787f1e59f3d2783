"""Hands in PokerStars' format: our text read back, by us and by pokerkit, and files of others."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from acpcbot.cards.deck import format_cards
from acpcbot.errors import UsageError
from acpcbot.logs.match_log import HandRecord
from acpcbot.logs.pokerstars import (
    pokerstars_text,
    read_pokerstars,
    write_pokerstars,
)
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition
from tests.protocol.log_making import hands, match_lines, match_log
from tests.support.games import (
    KUHN,
    LEDUC,
    LIMIT_2P,
    LIMIT_3P,
    NOLIMIT_2P,
    NOLIMIT_3P,
    NOLIMIT_6P,
    NOLIMIT_10P,
    SHORT_LIMIT_3P,
    UNEVEN_3P,
    definition_of,
)

GAMES = (LIMIT_2P, LIMIT_3P, NOLIMIT_2P, NOLIMIT_3P, NOLIMIT_6P, NOLIMIT_10P, UNEVEN_3P)
TWO_POTS = "STATE:3:r301cc/cr601cf/cc/cc:2c3d|2d3c|7h8h/AsKsQs/Js/Ts:-301|150.5|150.5:A|B|C"
DUEL = "STATE:4:cr300r20000c///:5d5c|9hQd/8dAs8s/4h/6d:20000|-20000:Big|Button"
LIMIT_HAND = "STATE:2:cc/rrrrc/crrc/rf:Ah8s|2h4c/Qd7h6c/4s/Jc:90|-90:A|B"


def one_hand(line: str, name: str = NOLIMIT_2P) -> HandRecord:
    return hands([line], definition_of(name))[0]


def read_text(text: str, folder: Path, name: str | None = None) -> list[HandRecord]:
    path = folder / "hands.txt"
    path.write_text(text, encoding="utf-8")
    return list(read_pokerstars(path, None if name is None else definition_of(name)))


def played_by(definition: GameDefinition, num_hands: int, seed: int) -> list[HandRecord]:
    """Hands of random play in a game that no file defines."""
    return hands(match_lines(BettingRules(definition), num_hands, seed), definition)


def verify_round_trip(name: str, num_hands: int, seed: int, folder: Path) -> None:
    played = hands(match_log(name, num_hands, seed), definition_of(name))
    path = folder / f"{name}.txt"
    assert write_pokerstars(played, path) == num_hands
    found = list(read_pokerstars(path, definition_of(name)))
    assert [hand.text for hand in found] == [hand.text for hand in played]
    assert [hand.values for hand in found] == [hand.values for hand in played]


# Our own text


@pytest.mark.parametrize("name", GAMES)
def test_hundreds_of_hands_come_back_as_they_were(name: str, tmp_path: Path) -> None:
    """Catches cards, actions, seats and chips that are lost or changed on either way."""
    verify_round_trip(name, 200, 8, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_ten_thousand_hands_come_back_as_they_were(name: str, tmp_path: Path) -> None:
    """The rarer ones too: many side pots, and pots shared by three."""
    verify_round_trip(name, 10_000, 9, tmp_path)


def test_a_hand_is_written_as_pokerstars_does() -> None:
    """Catches blinds turned round, amounts of the whole hand, and pots with what came back."""
    text = pokerstars_text(one_hand("STATE:7:r300f:QcKc|4d2h:-100|100:Alice|Bob"))
    assert text.splitlines() == [
        "PokerStars Hand #7: Hold'em No Limit (50/100) - 1970/01/01 00:00:00 UTC",
        "Table 'acpcbot' 2-max (Play Money) Seat #2 is the button",
        "Seat 1: Alice (20000 in chips)",
        "Seat 2: Bob (20000 in chips)",
        "Bob: posts small blind 50",
        "Alice: posts big blind 100",
        "*** HOLE CARDS ***",
        "Dealt to Alice [Qc Kc]",
        "Dealt to Bob [4d 2h]",
        "Bob: raises 200 to 300",
        "Alice: folds",
        "Uncalled bet (200) returned to Bob",
        "Bob collected 200 from pot",
        "Bob: doesn't show hand",
        "*** SUMMARY ***",
        "Total pot 200 | Rake 0",
        "Seat 1: Alice (big blind) folded before Flop",
        "Seat 2: Bob (button) (small blind) collected (200)",
    ]


def test_an_all_in_is_run_out_and_shown() -> None:
    text = pokerstars_text(one_hand(DUEL))
    expected = [
        "Button: calls 50",
        "Big: raises 200 to 300",
        "Button: raises 19700 to 20000 and is all-in",
        "Big: calls 19700 and is all-in",
        "*** FLOP *** [8d As 8s]",
        "*** TURN *** [8d As 8s] [4h]",
        "*** RIVER *** [8d As 8s 4h] [6d]",
        "*** SHOW DOWN ***",
        "Big: shows [5d 5c] (two pair)",
        "Button: shows [9h Qd] (a pair)",
        "Big collected 40000 from pot",
    ]
    lines = text.splitlines()
    assert lines[lines.index(expected[0]) :][: len(expected)] == expected
    assert "Board [8d As 8s 4h 6d]" in lines


def test_bets_of_limit_games_count_within_the_street() -> None:
    text = pokerstars_text(one_hand(LIMIT_HAND, LIMIT_2P))
    plays = [line for line in text.splitlines() if "raises" in line or "bets" in line]
    assert plays == [
        *("A: bets 10", "B: raises 10 to 20", "A: raises 10 to 30", "B: raises 10 to 40"),
        *("B: bets 20", "A: raises 20 to 40", "A: bets 20"),
    ]
    assert "Hold'em Limit (10/20)" in text


def test_a_time_is_kept_and_halves_of_chips_are_written() -> None:
    hand = one_hand(f"{TWO_POTS} # 1700000000", NOLIMIT_3P)
    text = pokerstars_text(hand)
    assert " - 2023/11/14 22:13:20 UTC" in text
    collected = [line for line in text.splitlines() if "collected" in line and "Seat" not in line]
    assert collected == ["B collected 751.5 from pot", "C collected 751.5 from pot"]


def test_players_keep_their_seats_and_the_button_moves(tmp_path: Path) -> None:
    """Catches seats that go round with the positions, which readers take for other players."""
    played = hands(match_log(NOLIMIT_3P, 4, 2), definition_of(NOLIMIT_3P))
    write_pokerstars(played, tmp_path / "x.txt")
    lines = (tmp_path / "x.txt").read_text(encoding="utf-8").splitlines()
    seats = [line for line in lines if line.startswith("Seat ") and "in chips" in line]
    assert len(set(seats)) == 3
    buttons = [line.partition("Seat #")[2][0] for line in lines if "is the button" in line]
    assert len(set(buttons)) == 3


@pytest.mark.parametrize(
    ("name", "blinds"),
    [(NOLIMIT_3P, (60, 110, 10)), (NOLIMIT_3P, (100, 100, 100)), (NOLIMIT_2P, (100, 100))],
)
def test_antes_are_written_as_such(name: str, blinds: tuple[int, ...], tmp_path: Path) -> None:
    """Catches bets that count the ante, and blinds that nobody posts."""
    seats = (0,) * 4 if len(set(blinds)) == 1 else definition_of(name).first_seats
    definition = replace(definition_of(name), blinds=blinds, first_seats=seats)
    played = played_by(definition, 200, 4)
    write_pokerstars(played, tmp_path / "x.txt")
    text = (tmp_path / "x.txt").read_text(encoding="utf-8")
    assert text.count("posts the ante") == 200 * len(blinds)
    assert ("posts small blind" in text) == (len(set(blinds)) > 1)
    found = list(read_pokerstars(tmp_path / "x.txt", definition))
    assert [hand.text for hand in found] == [hand.text for hand in played]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"blinds": (50, 100, 200), "first_seats": (0, 0, 0, 0)}, "more than two blinds"),
        ({"blinds": (100, 50, 0), "first_seats": (1, 0, 0, 0)}, "the small blind is larger"),
        ({"first_seats": (0, 0, 0, 0)}, "players act in another order"),
    ],
)
def test_blinds_without_a_word_are_refused(changes: dict[str, Any], words: str) -> None:
    definition = replace(definition_of(NOLIMIT_3P), **changes)
    with pytest.raises(UsageError, match=words):
        pokerstars_text(played_by(definition, 1, 1)[0])


# pokerkit as another reader


def kit_histories(text: str) -> list[Any]:
    notation = pytest.importorskip("pokerkit.notation")
    with warnings.catch_warnings(action="ignore"):  # of fields that it fills itself
        return list(notation.PokerStarsParser()(text))


@pytest.mark.parametrize("name", [NOLIMIT_2P, NOLIMIT_3P, NOLIMIT_6P])
def test_pokerkit_reads_the_same_hands(name: str, tmp_path: Path) -> None:
    """Catches a text that only we understand: another reader finds the same cards and chips."""
    played = [
        hand
        for hand in hands(match_log(name, 60, 4), definition_of(name))
        if all(value.is_integer() for value in hand.values)
    ]
    write_pokerstars(played, tmp_path / "x.txt")
    found = kit_histories((tmp_path / "x.txt").read_text(encoding="utf-8"))
    assert len(found) == len(played) > 50
    for history, hand in zip(found, played, strict=True):
        *_, state = history
        won = dict(zip(history.players, state.payoffs, strict=True))
        assert won == dict(zip(hand.names, hand.values, strict=True)), hand.text
        board = "".join(map(repr, [card for cards in state.board_cards for card in cards]))
        assert board == format_cards(hand.board)


# Files of others

REAL = """\
PokerStars Hand #200000000001:  Hold'em No Limit (50/100) - 2024/05/01 12:00:00 ET
Table 'Aludra IV' 6-max (Play Money) Seat #4 is the button
Seat 2: it's me: you (20000 in chips)
Seat 4: it's me (20000 in chips)
Seat 5: gone (900 in chips) is sitting out
it's me: posts small blind 50
it's me: you: posts big blind 100
*** HOLE CARDS ***
Dealt to it's me [Ah Kd]
it's me: calls 50
it's me: you: checks
*** FLOP *** [2c 7d 9s]
it's me said, "it's me: folds"
it's me: you: bets 101
it's me: calls 101
*** TURN *** [2c 7d 9s] [Tc]
visitor joins the table at seat #1
it's me: you: checks
it's me: checks
*** RIVER *** [2c 7d 9s Tc] [Jh]
it's me: you: checks
it's me: checks
*** SHOW DOWN ***
it's me: you: shows [As Kc] (high card Ace)
it's me: mucks hand
it's me: you collected 201 from pot
it's me collected 201 from pot
*** SUMMARY ***
Total pot 402 | Rake 0
Board [2c 7d 9s Tc Jh]
Seat 2: it's me: you (big blind) showed [As Kc] and won (201) with high card Ace
Seat 4: it's me (button) (small blind) mucked [Ah Kd]
"""


def test_a_file_of_pokerstars_is_read(tmp_path: Path) -> None:
    """Catches names that hold a colon or begin another name, talk taken for play, and long numbers
    of hands.
    """
    (hand,) = read_text(f"\ufeff{REAL}", tmp_path)
    assert hand.text == ("STATE:0:cc/r201c/cc/cc:AsKc|AhKd/2c7d9s/Tc/Jh:0|0:it's me: you|it's me")
    (again,) = read_text(REAL.replace("\n", "\r\n"), tmp_path, NOLIMIT_2P)
    assert again.text == hand.text


def test_the_game_of_a_file_is_found(tmp_path: Path) -> None:
    """Catches blinds, stacks, bets and the first player of another game."""
    for name in (LIMIT_2P, NOLIMIT_2P, NOLIMIT_3P, NOLIMIT_6P, UNEVEN_3P):
        definition = definition_of(name)
        played = hands(match_log(name, 3, 1), definition)
        write_pokerstars(played, tmp_path / "x.txt")
        found = list(read_pokerstars(tmp_path / "x.txt"))
        assert [hand.text for hand in found] == [hand.text for hand in played]
        if definition.first_seats[1] == 0:
            assert found[0].game.definition == definition


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("Dealt to it's me [Ah Kd]\n", "", None),
        ("mucked [Ah Kd]", "lost", None),
        ("calls 101", "calls 100", "other chips than the rules say"),
        ("bets 101", "raises 101 to 201", "other chips than the rules say"),
        ("bets 101", "bets 20", "is illegal"),
        ("it's me: calls 50\n", "", "out of turn"),
        ("(50/100)", "($0.50/$1.00)", None),
        ("big blind 100", "big blind $1.00", "no number of whole chips"),
        ("big blind 100", "big blind 200", "the blinds"),
        ("big blind 100", "small & big blinds 150", "posts small & big blinds"),
        ("me: you (20000 in", "me: you (300 in", "the stacks"),
        ("it's me: mucks hand", "it's me: dances", "is no known action"),
        ("me collected 201", "me collected 199", "by our rules"),
        ("it's me: you collected", "it's me collected", "by our rules"),
        ("me collected 201", "me collected 200", "by our rules"),
        ("*** HOLE CARDS", "it's me: posts the ante 5\n*** HOLE CARDS", "the antes"),
        ("[Jh]", "[Ah]", "cannot be converted"),
        ("*** RIVER *** [2c 7d 9s Tc] [Jh]\n", "", "a board of 4 cards"),
        ("Hold'em No Limit", "Omaha Pot Limit", "the game"),
        ("Hold'em No Limit", "6+ Hold'em No Limit", "the game"),
        ("Seat #4 is the button", "", "the button"),
        ("[As Kc] (high", "[As Qc] (high", "two different hands"),
        ("it's me: you collected", "nobody collected", "by our rules"),
        ("it's me: checks\n*** SHOW", "*** SHOW", "the betting is not over"),
    ],
)
def test_texts_that_cannot_be_right_are_refused(
    old: str, new: str, words: str | None, tmp_path: Path
) -> None:
    """Catches a check that is made and not heeded; the first cases are harmless."""
    assert old in REAL
    text = REAL.replace(old, new, 1)
    if words is None:
        read_text(text, tmp_path, NOLIMIT_2P)
        return
    with pytest.raises(UsageError, match=words):
        read_text(text, tmp_path, NOLIMIT_2P)


def test_limit_hands_with_other_bets_are_refused(tmp_path: Path) -> None:
    """Catches a header that nobody looks at: what was bet says the same, but for its size."""
    text = pokerstars_text(one_hand("STATE:0:f:Ah8s|2h4c:5|-5:A|B", LIMIT_2P))
    assert len(read_text(text, tmp_path, LIMIT_2P)) == 1
    with pytest.raises(UsageError, match="the bets"):
        read_text(text.replace("(10/20)", "(10/30)"), tmp_path, LIMIT_2P)


def test_unknown_hole_cards_are_refused(tmp_path: Path) -> None:
    text = REAL.replace("Dealt to it's me [Ah Kd]\n", "").replace("mucked [Ah Kd]", "lost")
    with pytest.raises(UsageError, match="everybody's hole cards"):
        read_text(text, tmp_path)


def test_odd_chips_may_go_to_one_player(tmp_path: Path) -> None:
    """Catches a file of a card room that is refused for the half chip which it does not have."""
    text = pokerstars_text(one_hand(TWO_POTS, NOLIMIT_3P))
    halves = [line for line in text.splitlines() if " collected " in line and ".5" in line]
    assert len(halves) == 2
    odd = text.replace(".5 from", " from", 1)
    first = halves[1].partition(" collected ")[2].split()[0]
    odd = odd.replace(f"{first} from", f"{int(float(first) + 0.5)} from", 1)
    (hand,) = read_text(odd, tmp_path, NOLIMIT_3P)
    assert hand.values == (-301.0, 150.5, 150.5)


def test_files_without_hands_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no hand"):
        read_text("no hand at all\n", tmp_path)
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="UTF-8"):
        list(read_pokerstars(tmp_path / "bytes.txt"))


@pytest.mark.parametrize("name", [KUHN, LEDUC, SHORT_LIMIT_3P])
def test_games_without_a_form_are_refused_or_come_back(name: str, tmp_path: Path) -> None:
    played = hands(match_log(name, 20, 1), definition_of(name))
    if name == SHORT_LIMIT_3P:
        verify_round_trip(name, 50, 1, tmp_path)
        return
    with pytest.raises(UsageError, match="PokerStars has no form"):
        pokerstars_text(played[0])


@pytest.mark.parametrize("names", [("A", "A"), ("A", " B"), ("A", "B\x07")])
def test_names_that_would_be_misread_are_refused(names: tuple[str, str]) -> None:
    played = hands(match_log(NOLIMIT_2P, 1, names=names), definition_of(NOLIMIT_2P))
    with pytest.raises(UsageError, match=r"called alike|cannot be written"):
        pokerstars_text(played[0])
