"""Logs as columns: what is in them is what the reader says, and what cannot be one table is
refused.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from acpcbot.cards.deck import parse_cards
from acpcbot.errors import BadLogLine, UsageError
from acpcbot.reports.hands import read_hands
from tests.protocol.log_making import hands, match_log
from tests.reports.logs import NOLIMIT_HEADER, table_of, write_log
from tests.support.games import ALL_GAMES, KUHN, LEDUC, NOLIMIT_2P, NOLIMIT_6P, definition_of


@pytest.mark.parametrize("game_name", ALL_GAMES)
def test_columns_are_what_the_records_say(game_name: str, tmp_path: Path) -> None:
    """Catches seats, players or cards that changed places between a record and its row."""
    lines = match_log(game_name)
    table = table_of(tmp_path, lines, game_name)
    records = hands(lines, definition_of(game_name))
    assert table.num_hands == len(records)
    for row, hand in enumerate(records):
        assert (table.hand_id[row], table.line_number[row]) == (hand.hand_id, hand.line_number)
        assert tuple(table.players[player] for player in table.player[row]) == hand.names
        assert tuple(table.chips[row]) == hand.values
        assert tuple(map(tuple, table.hole_cards[row])) == hand.hole_cards
        assert parse_cards(table.board_text(row).replace("/", "")) == hand.board
        assert tuple(table.facts.spent[row]) == hand.betting.spent
    assert list(table.records()) == records


def test_chips_sum_to_zero_in_every_hand(tmp_path: Path) -> None:
    """Catches columns cut at the wrong seat."""
    table = table_of(tmp_path, match_log(NOLIMIT_6P, num_hands=100), NOLIMIT_6P)
    assert np.abs(table.chips.sum(axis=1)).max() == pytest.approx(0, abs=1e-5)


def test_pots_leave_out_what_nobody_called(tmp_path: Path) -> None:
    """Catches an all-in bet that everybody folds to among the biggest pots."""
    lines = [
        NOLIMIT_HEADER,
        "STATE:0:r20000f:5d5c|9hQd:-100|100:A|B",
        "STATE:1:r300c/r20000f:5d5c|9hQd/8dAs8s:300|-300:A|B",
    ]
    assert table_of(tmp_path, lines).pot_chips.tolist() == [200, 600]


def test_a_data_frame_has_a_row_for_each_hand_and_seat(tmp_path: Path) -> None:
    """Catches numbers of a hand that stand beside the next one, and seats of the match."""
    pytest.importorskip("polars", reason="the extra frames is not installed")
    lines = [
        NOLIMIT_HEADER,
        "STATE:0:r20000f:5d5c|9hQd:-100|100:A|B",
        "STATE:1:r300c/r20000f:5d5c|9hQd/8dAs8s:300|-300:B|A",
    ]
    frame = table_of(tmp_path, lines).to_dataframe()
    assert {name: frame[name].to_list() for name in frame.columns} == {
        "log": ["match.log"] * 4,
        "line": [2, 2, 3, 3],
        "hand": [0, 0, 1, 1],
        "seat": [1, 2, 1, 2],
        "player": ["A", "B", "B", "A"],
        "hole_cards": ["5d5c", "9hQd"] * 2,
        "board": ["", "", "/8dAs8s", "/8dAs8s"],
        "betting": ["r20000f"] * 2 + ["r300c/r20000f"] * 2,
        "pot_chips": [200, 200, 600, 600],
        "chips": [-100, 100, 300, -300],
    }


def test_logs_of_several_files_are_one_table(tmp_path: Path) -> None:
    """Catches players or seeds of one log taken for those of another."""
    first = write_log(tmp_path, match_log(LEDUC, 5, seed=1), "a.log")
    second = write_log(tmp_path, match_log(LEDUC, 6, seed=2, names=("Bob", "Eve")), "b.log")
    table = read_hands([first, second])
    assert table.source.tolist() == [0] * 5 + [1] * 6
    assert table.seed.tolist() == [1] * 5 + [2] * 6
    assert table.players == ("Alice", "Bob", "Eve")
    assert table.source_names == ("a.log", "b.log")


def test_times_behind_names_are_no_part_of_them(tmp_path: Path) -> None:
    """Catches a new player in every hand of a log with times."""
    lines = [
        f"STATE:{number}:f:QcKc|4d2h:50|-50:Ann|Bob # 14791315{number}" for number in range(10, 13)
    ]
    assert table_of(tmp_path, lines, NOLIMIT_2P).players == ("Ann", "Bob")


def test_a_file_that_is_no_hand_table_is_refused(tmp_path: Path) -> None:
    """Catches numbers from logs that have none, from different games, or from a hand that
    cannot have happened.
    """
    empty = write_log(tmp_path, [NOLIMIT_HEADER], "empty.log")
    with pytest.raises(UsageError, match="no hands"):
        read_hands([empty])
    kuhn, leduc = (write_log(tmp_path, match_log(game), f"{game}.log") for game in (KUHN, LEDUC))
    with pytest.raises(UsageError, match="different games"):
        read_hands([kuhn, leduc])
    with pytest.raises(BadLogLine):
        table_of(tmp_path, [NOLIMIT_HEADER, "STATE:0:r300f:QcKc|4d2h:-100|200:A|B"])
    with pytest.raises(UsageError, match="expected 2 names with bars"):
        table_of(tmp_path, [NOLIMIT_HEADER, "STATE:0:r300f:QcKc|4d2h:-100|100:A|B|C"])


def test_chosen_hands_keep_their_logs_and_players(tmp_path: Path) -> None:
    """Catches a column that is not cut with the others."""
    table = table_of(tmp_path, match_log(NOLIMIT_6P, num_hands=40), NOLIMIT_6P)
    flags = table.pot_chips > np.median(table.pot_chips)
    chosen, places = table.chosen(flags), np.flatnonzero(flags).tolist()
    records = list(table.records())
    assert list(chosen.records()) == [records[place] for place in places]
    assert (chosen.players, chosen.sources) == (table.players, table.sources)
    np.testing.assert_array_equal(chosen.facts.marks, table.facts.marks[flags])
    np.testing.assert_array_equal(chosen.seed, table.seed[flags])
    assert table.chosen(np.zeros(40, np.bool_)).num_hands == 0


def test_times_are_those_of_the_hands(tmp_path: Path) -> None:
    """Catches the time of another hand, and a name with a time behind it."""
    hand = "STATE:{}:r300f:QcKc|4d2h:-100|100:A|B{}"
    lines = [
        NOLIMIT_HEADER,
        hand.format(0, " # 1700438400"),
        hand.format(1, ""),
        hand.format(2, " # "),
    ]
    table = table_of(tmp_path, lines)
    assert table.unix_time.tolist() == [1_700_438_400, -1, -1]
    assert table.players == ("A", "B")
    assert table.chosen(np.array([True, False, True])).unix_time.tolist() == [1_700_438_400, -1]
    untimed = replace(table, unix_time=np.zeros(0, np.int64))
    assert untimed.chosen(np.array([True, False, True])).hand_id.tolist() == [0, 2]
