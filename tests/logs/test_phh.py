"""PHH files: what pokerkit makes of our hands, and what we make of its files."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from acpcbot.errors import AcpcbotError, UsageError
from acpcbot.logs.match_log import HandRecord, ScoreRecord, read_match_log
from acpcbot.logs.phh import (
    hand_history,
    hand_record,
    history_definition,
    read_phh,
    table_of,
    with_score,
    write_phh,
)
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition, load_definition
from acpcbot.poker.shipped import recognise
from tests.protocol.log_making import SHARED, hands, match_lines, match_log, shared_files
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

if TYPE_CHECKING:
    from pokerkit import HandHistory

HOLDEM = (LIMIT_2P, LIMIT_3P, NOLIMIT_2P, NOLIMIT_3P, NOLIMIT_6P, "holdem.limit.2p")
DUEL = "STATE:4:cr300r20000c///:5d5c|9hQd/8dAs8s/4h/6d:20000|-20000:Big|Button"


def one_hand(line: str, game_name: str = NOLIMIT_2P) -> HandRecord:
    return hands([line], definition_of(game_name))[0]


def changed(history: HandHistory, **fields: object) -> HandHistory:
    for name, value in fields.items():
        setattr(history, name, value)
    return history


# Our hands as PHH.


def test_a_hand_is_told_in_phhs_terms() -> None:
    """Caught: the blinds of a heads-up game turned round, sizes counted over the hand, cards of
    the wrong player.
    """
    history = hand_history(one_hand(DUEL))
    assert history.blinds_or_straddles == [50, 100]
    assert history.players == ["Big", "Button"]
    assert history.starting_stacks == [20000, 20000]
    assert history.finishing_stacks == [40000, 0]
    assert history.actions == [
        *("d dh p1 5d5c", "d dh p2 9hQd", "p2 cc", "p1 cbr 300", "p2 cbr 20000", "p1 cc"),
        *("p1 sm 5d5c", "p2 sm 9hQd", "d db 8dAs8s", "d db 4h", "d db 6d"),
    ]


def test_sizes_count_within_the_street() -> None:
    """Caught: raise_to of the whole hand written as a bet of the street."""
    line = "STATE:0:r300c/cr900c/cc/r3000f:QcKc|4d2h/2c3c8d/Ks/Kd:900|-900:A|B"
    history = hand_history(one_hand(line))
    assert [action for action in history.actions if "cbr" in action] == [
        "p2 cbr 300",
        "p2 cbr 600",
        "p1 cbr 2100",
    ]


def test_limit_sizes_are_spelt_out() -> None:
    """Caught: limit raises without the amounts that PHH wants."""
    history = hand_history(
        one_hand("STATE:2:cc/rrrrc/crrc/rf:Ah8s|2h4c/Qd7h6c/4s/Jc:90|-90:A|B", LIMIT_2P)
    )
    sizes = [int(action.split()[-1]) for action in history.actions if "cbr" in action]
    assert sizes == [10, 20, 30, 40, 20, 40, 20]


def test_a_button_that_sits_first_becomes_the_second_player() -> None:
    """Caught: games with the usual order of blinds converted as if they had the reverse one."""
    definition = definition_of("holdem.limit.2p")
    assert (definition.blinds, definition.first_seats) == ((50, 100), (0, 1, 1, 1))
    history = hand_history(hands(["STATE:0:rf:Ah8s|2h4c:100|-100:Button|Big"], definition)[0])
    assert (history.players, history.blinds_or_straddles) == (["Big", "Button"], [50, 100])
    assert history.actions == ["d dh p1 2h4c", "d dh p2 Ah8s", "p2 cbr 200", "p1 f"]


def test_halves_of_chips_are_kept() -> None:
    """Caught: odd chips given to somebody, as card rooms do."""
    line = "STATE:0:r301cc/cr601cf/cc/cc:2c3d|2d3c|7h8h/AsKsQs/Js/Ts:-301|150.5|150.5:A|B|C"
    history = hand_history(one_hand(line, NOLIMIT_3P))
    assert history.finishing_stacks == [19699, 20150.5, 20150.5]
    assert "20150.5" in history.dumps()


@pytest.mark.parametrize("name", HOLDEM)
def test_every_hand_of_a_match_comes_back_as_it_was(name: str, tmp_path: Path) -> None:
    """Caught: payoffs that pokerkit finds otherwise, actions lost or added on either way."""
    played = hands(match_log(name, 25, 8), definition_of(name))
    for target in (tmp_path / "match.phhs", tmp_path / "folder"):
        assert write_phh(played, target) == 25
        found = list(read_phh(target, definition_of(name)))
        assert [hand.text for hand in found] == [hand.text for hand in played]


@pytest.mark.slow
@pytest.mark.parametrize("name", HOLDEM)
def test_ten_thousand_hands_come_back_as_they_were(name: str, tmp_path: Path) -> None:
    """Caught: the rarer ones, 10,200 in the six games: side pots, and pots shared by three."""
    assert len(HOLDEM) == 6
    played = hands(match_log(name, 1700, 9), definition_of(name))
    assert write_phh(played, tmp_path / "match.phhs") == 1700
    found = list(read_phh(tmp_path / "match.phhs", definition_of(name)))
    assert [hand.text for hand in found] == [hand.text for hand in played]
    assert [hand.values for hand in found] == [hand.values for hand in played]


def test_names_may_hold_anything_that_toml_can(tmp_path: Path) -> None:
    """Caught: names that end the string they stand in, or are written in other bytes."""
    names = ["it's", "Łódź\\"]
    played = hands(match_log(NOLIMIT_2P, 4, names=names), definition_of(NOLIMIT_2P))
    assert write_phh(played, tmp_path / "x.phhs") == 4
    assert "Łódź" in (tmp_path / "x.phhs").read_text(encoding="utf-8")
    assert [hand.text for hand in read_phh(tmp_path / "x.phhs")] == [hand.text for hand in played]
    for name in ("two''quotes", "a\x07bell"):
        played = hands(match_log(NOLIMIT_2P, 1, names=(name, "B")), definition_of(NOLIMIT_2P))
        with pytest.raises(UsageError, match="cannot be written in PHH"):
            hand_history(played[0])


@pytest.mark.parametrize("name", [LEDUC, KUHN, FEW_RAISES_2P, "test.limit.4p.split"])
def test_games_without_a_phh_form_are_refused(name: str) -> None:
    """Caught: a game written as hold'em that is none."""
    with pytest.raises(UsageError, match="no form for this game"):
        hand_history(hands(match_log(name, 1), definition_of(name))[0])


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        (NOLIMIT_3P, {"first_seats": (0, 0, 0, 0)}, "another order"),
        (NOLIMIT_3P, {"first_seats": (2, 0, 1, 0)}, "another order"),
        (LIMIT_2P, {"first_seats": (0, 0, 0, 0)}, "another order"),
        (LIMIT_2P, {"raise_sizes": (10, 20, 20, 20)}, "the bet"),
        (LIMIT_2P, {"max_raises": (3, 4, 5, 4)}, "more than 4 raises"),
        (NOLIMIT_2P, {"num_board_cards": (0, 3, 1, 0)}, "not hold'em"),
    ],
)
def test_games_that_phh_cannot_say_are_refused(
    name: str, change: dict[str, object], reason: str
) -> None:
    """Caught: a rule that is lost on the way."""
    with pytest.raises(UsageError, match=reason):
        table_of(replace(definition_of(name), **change))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        (
            UNEVEN_3P,
            "STATE:12:r200r300r330cr400r470c/r1000c//:5hTc|8d9d|AcJc/Td4sAs/3h/9s:-1000|-330|1330:A|B|C",
        ),
        (SHORT_LIMIT_3P, "STATE:1:rrcrcc/ccrrcrrf//:5s6s|7d9c|Jh7s/4s3sAc/4c/3h:30|-60|30:A|B|C"),
    ],
)
def test_hands_that_pokerkit_plays_otherwise_are_refused(name: str, line: str) -> None:
    """Caught: files that no reader of PHH could replay: the ACPC lets raises follow a short
    all-in.
    """
    with pytest.raises(
        UsageError, match=r"hand 1.* cannot be converted: its betting breaks the rules of pokerkit"
    ):
        hand_history(one_hand(line, name))


def test_side_pots_are_paid_as_by_pokerkit() -> None:
    """Caught: three unequal stacks all-in, where pokerkit and we share three pots."""
    definition = definition_of(UNEVEN_3P)
    lines = match_lines(BettingRules(definition), 150, 11)
    converted, num_all_in = 0, 0
    for hand in hands(lines, definition):
        if is_convertible(hand):
            converted += 1
            num_all_in += hand.betting.is_showdown and len(set(hand.betting.spent)) == 3
    assert converted > 50
    assert num_all_in > 3


def is_convertible(hand: HandRecord) -> bool:
    try:
        hand_history(hand)
    except UsageError as error:
        if "breaks the rules" not in str(error):
            raise
        return False
    return True


def test_antes_are_told_as_such() -> None:
    """Caught: sizes before the flop that count the ante, antes that turn into blinds."""
    definition = replace(definition_of(NOLIMIT_3P), blinds=(60, 110, 10))
    line = "STATE:0:r310fc/cc/cr420c/cc:2c3d|2d3c|7h8h/AsKsQs/Js/Ts:-60|30|30:A|B|C"
    history = hand_history(hands([line], definition)[0])
    assert (history.antes, history.blinds_or_straddles) == ([10, 10, 10], [50, 100, 0])
    assert [action for action in history.actions if "cbr" in action] == ["p3 cbr 300", "p3 cbr 110"]
    assert hand_record(history, 1, BettingRules(definition)).text == line


def test_antes_beside_heads_up_blinds_are_understood() -> None:
    """Caught: sizes misread in files where the ante cannot be told from the blinds in our
    definition.
    """
    definition = replace(definition_of(NOLIMIT_2P), blinds=(110, 60))
    plain = hand_history(hands(["STATE:4:r310f:5d5c|9hQd:-110|110:A|B"], definition)[0])
    assert (plain.antes, plain.blinds_or_straddles) == ([0, 0], [60, 110])
    with_antes = changed(plain, antes=[10, 10], blinds_or_straddles=[50, 100])
    with_antes.actions[2] = "p2 cbr 300"
    assert hand_record(with_antes, 1, BettingRules(definition)).betting_text == "r310f"


# PHH into our hands.


def test_the_game_is_found_in_the_file() -> None:
    """Caught: shipped games that are not recognised, so that --game would be needed."""
    for name in (LIMIT_2P, LIMIT_3P, NOLIMIT_2P, NOLIMIT_3P, NOLIMIT_6P):
        history = hand_history(hands(match_log(name, 1), definition_of(name))[0])
        assert recognise(history_definition(history)) == name


def test_fields_that_a_phh_file_leaves_out_are_filled_in() -> None:
    """Caught: names, numbers or shown cards required that PHH does not require."""
    history = changed(hand_history(one_hand(DUEL)), players=None, hand=None, finishing_stacks=None)
    history.actions = [action for action in history.actions if " sm " not in action]
    assert hand_record(history, 8, rules_of(NOLIMIT_2P)).text == (
        "STATE:7:cr300r20000c///:5d5c|9hQd/8dAs8s/4h/6d:20000|-20000:p1|p2"
    )


def test_hidden_cards_that_are_shown_later_are_known() -> None:
    """Caught: question marks taken for the last word."""
    history = hand_history(one_hand(DUEL))
    history.actions[0] = "d dh p1 ????"
    assert hand_record(history, 5, rules_of(NOLIMIT_2P)).text == DUEL


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"starting_stacks": [20000, 10000]}, "another game"),
        ({"blinds_or_straddles": [100, 100]}, "another game"),
        ({"antes": [0, 5]}, "antes of different sizes"),
        ({"blinds_or_straddles": [0.5, 1]}, "whole numbers"),
        ({"variant": "PO"}, "no hold'em game"),
        ({"actions": ["d dh p1 ????", "d dh p2 9hQd", "p2 f"]}, "some are unknown"),
        ({"actions": ["d dh p1 5d5c", "d dh p2 9hQd", "p2 cc"]}, "betting is not over"),
        ({"actions": ["d dh p1 5d5c", "d dh p2 9hQd", "p1 cc"]}, "breaks the rules of pokerkit"),
        ({"actions": ["d dh p1 5d5c", "d dh p2 9hQd", "p2 cc", "p1 f"]}, "nothing to call"),
        ({"actions": ["d dh p1 5d5c", "d dh p2 5d5c", "p2 f"]}, "not dealt already"),
        ({"hand": -1}, "a hand number"),
        ({"players": ["A|B", "C"]}, "cannot be written in a match log"),
    ],
)
def test_hands_that_a_match_log_cannot_hold_are_refused(
    fields: dict[str, object], reason: str
) -> None:
    """Caught: a log that says something else than the file did."""
    with pytest.raises(AcpcbotError, match=reason):
        hand_record(changed(hand_history(one_hand(DUEL)), **fields), 1, rules_of(NOLIMIT_2P))


@pytest.mark.parametrize(
    "text", ["", "no toml", "[1]\nvariant = 'NT'\n", "variant = 'XX'\nantes = []\n"]
)
def test_files_that_are_no_phh_are_refused(text: str, tmp_path: Path) -> None:
    """Caught: an exception of pokerkit's or Python's."""
    path = tmp_path / "x.phh"
    path.write_text(text)
    if text:
        with pytest.raises(UsageError, match="is no PHH file"):
            list(read_phh(path))
    else:
        assert list(read_phh(path)) == []


def test_a_phh_file_holds_one_hand() -> None:
    """Caught: a folder that is called like a file."""
    with pytest.raises(UsageError, match="one hand only"):
        write_phh([], Path("x.phh"))


def test_files_of_a_folder_are_read_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    """Caught: hand 10 before hand 2."""
    played = hands(match_log(NOLIMIT_2P, 12), definition_of(NOLIMIT_2P))
    write_phh(played, tmp_path)
    assert [hand.hand_id for hand in read_phh(tmp_path)] == list(range(12))


def test_a_whole_match_gets_its_score() -> None:
    """Caught: a score that is made up for part of a match, or missing."""
    log = match_log(NOLIMIT_3P, 9)
    played = hands(log, definition_of(NOLIMIT_3P))
    *_, score = with_score(played)
    assert isinstance(score, ScoreRecord)
    assert score.text == log[-1]
    assert list(with_score(played[1:])) == played[1:]
    assert len(list(with_score([*played, *played]))) == 18
    assert list(with_score([])) == []


def test_other_players_in_the_middle_are_refused() -> None:
    """Caught: a log that its own reader would refuse."""
    first, second = hands(match_log(NOLIMIT_3P, 2), definition_of(NOLIMIT_3P))
    with pytest.raises(UsageError, match="not the players of the hand before"):
        list(with_score([first, replace(second, names_text="X|Y|Z")]))


def test_pokerkit_is_asked_for_where_it_is_missing() -> None:
    """Caught: a traceback, and pokerkit loaded by commands that do not need it."""
    program = (
        "import sys; sys.modules['pokerkit'] = None\n"
        "from acpcbot.errors import UsageError\n"
        "from acpcbot.logs.phh import read_phh\n"
        "from pathlib import Path\n"
        "try:\n    list(read_phh(Path('x.phh')))\n"
        "except UsageError as error:\n    print(error.hint)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout == "./dev extras in a clone; elsewhere: pip install 'pokerkit>=0.6'\n"


# Recorded hands.


def holdem(path: Path) -> GameDefinition | None:
    case = json.loads((path.parent / "case.json").read_text())
    return (
        load_definition(SHARED / "gold" / "games" / case["game"])
        if case["game"].startswith("holdem")
        else None
    )


@pytest.mark.parametrize("path", shared_files("gold/[ms]*/dealer.log"))
def test_recorded_hands_come_back_as_they_were(path: Path, tmp_path: Path) -> None:
    """Caught: hands of people and scripts that random play does not reach."""
    definition = holdem(path)
    if definition is None:
        pytest.skip("not hold'em")
    played = [hand for hand in read_match_log(path, definition) if isinstance(hand, HandRecord)][
        :12
    ]
    write_phh(played, tmp_path / "x.phhs")
    assert [hand.text for hand in read_phh(tmp_path / "x.phhs", definition)] == [
        hand.text for hand in played
    ]


@pytest.mark.parametrize("path", shared_files("data/pluribus/sample_game_10*.log"))
def test_hands_of_pluribus_come_back_as_they_were(path: Path, tmp_path: Path) -> None:
    """Caught: six players with names of their own order and shorter stacks than the shipped
    game.
    """
    definition = replace(definition_of(NOLIMIT_6P), stacks=(10_000,) * 6)
    played = [hand for hand in read_match_log(path, definition) if isinstance(hand, HandRecord)][
        :15
    ]
    write_phh(played, tmp_path / "x.phhs")
    assert [hand.text for hand in read_phh(tmp_path / "x.phhs")] == [hand.text for hand in played]
