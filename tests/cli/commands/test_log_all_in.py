"""``acpcbot log all-in``: the official tool's output byte for byte, and the logs that it gets
wrong.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from acpcbot.errors import BadLogLine, UsageError
from tests.cli.commands.test_log import run, written
from tests.protocol.log_making import LOG, as_bytes, match_log
from tests.support.games import FOLDER, LEDUC, LEDUC_NOLIMIT, NOLIMIT_2P, NOLIMIT_6P, UNEVEN_3P
from tests.support.gold import COMPLETE_SET, OWN_SET

OWN_CASES = {
    "quirk_odd_sizes_nolimit_2p_s63": NOLIMIT_2P,
    "script_random_uneven_s28": FOLDER / f"{UNEVEN_3P}.game",
}
LEDUC_ALL_INS = (
    "STATE:0:r1200c/:Qh|Ks/Qs:1200|-1200:A|B",
    "STATE:1:cc/r1200c:Qh|Ks/Qs:1200|-1200:B|A",
)
SHORT_DECK = """GAMEDEF
nolimit
numPlayers = 2
numRounds = 2
stack = 100 100
blind = 1 1
firstPlayer = 1 1
numSuits = 4
numRanks = 9
numHoleCards = 1
numBoardCards = 3 1
END GAMEDEF
"""


def complete_cases() -> list[Any]:
    """The recorded cases: the log, the game, and what the official tool printed."""
    index = COMPLETE_SET / "all_in_expectation" / "INDEX.txt"
    if not index.exists():
        return [
            pytest.param(
                "",
                "",
                marks=pytest.mark.skip(reason=f"no recordings at {COMPLETE_SET}"),
                id="absent",
            )
        ]
    return [
        pytest.param(*line.split(), id=line.split()[0]) for line in index.read_text().splitlines()
    ]


def averaged(capsysbinary: pytest.CaptureFixture[bytes], path: Path, *words: object) -> bytes:
    """Return the output for the log at *path*."""
    assert run("all-in", path, *words) == 0
    return capsysbinary.readouterr().out


@pytest.mark.parametrize("case", OWN_CASES)
def test_recorded_output_is_reproduced(
    case: str, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Caught: a byte that differs: dead cards, side pots, decimals, comments, folds and river
    all-ins averaged.
    """
    folder = OWN_SET / "all_in"
    expected = (folder / f"{case}.out").read_bytes()
    assert averaged(capsysbinary, folder / f"{case}.log", "--game", OWN_CASES[case]) == expected


@pytest.mark.parametrize(("case", "game"), complete_cases())
def test_all_recorded_output_is_reproduced(
    case: str, game: str, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Caught: the same in many more hands, all-ins before the flop among them."""
    recordings = COMPLETE_SET.parent
    expected = (COMPLETE_SET / "all_in_expectation" / f"{case}.out").read_bytes()
    log, definition = recordings / case / "dealer.log", recordings / "games" / game
    assert averaged(capsysbinary, log, "--game", definition) == expected


def test_a_log_without_all_ins_keeps_its_hands(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Caught: values written anew, comments and totals left in, times behind names lost."""
    lines = [
        f"{line} # 1479131511" if line.startswith("STATE") else line
        for line in match_log(LEDUC, 20)
    ]
    hands = [line for line in lines if line.startswith("STATE")]
    assert averaged(capsysbinary, written(tmp_path / "a.log", lines)) == as_bytes(hands)


def test_small_decks_are_averaged_over_their_own_cards(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Caught: the official tool's mistake. Of the boards Qs, Kh, Ah and As only the first makes
    the queen win.
    """
    path = written(tmp_path / "a.log", LEDUC_ALL_INS)
    expected = [LEDUC_ALL_INS[0].replace("1200|-1200", "-600.000000|600.000000"), LEDUC_ALL_INS[1]]
    assert averaged(capsysbinary, path, "--game", LEDUC_NOLIMIT) == as_bytes(expected)


@pytest.mark.parametrize(
    ("later", "value"),
    [("2c|3d2h4h4s/5c", "54.838710"), ("Ac|KdAhQhQs/Jc", "80.645161"), (None, "80.645161")],
    ids=["lowest", "highest", "unknown"],
)
def test_a_hand_of_both_small_decks_waits_for_a_card_that_tells(
    later: str | None, value: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Caught: a hand lost, or averaged over the wrong deck: where there are fives, four more
    cards win for B.
    """
    (tmp_path / "short.game").write_text(SHORT_DECK)
    lines = ["STATE:0:r100c/:Tc|8d6h7s9d/8h:100|-100:A|B"]
    if later:
        lines.append(f"STATE:1:cc/cc:{later}:1|-1:B|A")
    found = averaged(
        capsysbinary, written(tmp_path / "a.log", lines), "--game", tmp_path / "short.game"
    )
    assert found == as_bytes([lines[0].replace("100|-100", f"{value}|-{value}"), *lines[1:]])


def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Caught: half a log behind a bad line, or the old file lost.

    The log itself as a target emptied first.
    """
    bad = written(tmp_path / "bad.log", [*LOG[:2], LOG[2].replace("300|-300", "301|-301")])
    target = written(tmp_path / "out.log", ["something else"])
    with pytest.raises(BadLogLine):
        run("all-in", bad, "-o", target)
    assert target.read_text() == "something else\n"
    log = written(tmp_path / "a.log", LOG)
    assert run("all-in", log, "-o", log) == 0
    assert capsys.readouterr().out == f"{log}: 3 hands\n"
    assert run("check", log, "--game", NOLIMIT_2P, "--any-values") == 0


def test_an_unknown_game_is_asked_for(tmp_path: Path) -> None:
    """Caught: a game made up."""
    with pytest.raises(UsageError):
        run("all-in", written(tmp_path / "a.log", match_log(UNEVEN_3P, 3)))


def test_several_matches_in_one_file_are_averaged_each_in_its_game(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Caught: the first match's deck or number of players taken for all."""
    header = "# name/game/hands/seed m leduc.nolimit.2p.game 2 7"
    lines = [*match_log(NOLIMIT_6P, 2), header, *LEDUC_ALL_INS, *LOG]
    found = averaged(capsysbinary, written(tmp_path / "a.log", lines)).decode().splitlines()
    assert len(found) == 7
    assert found[2].startswith("STATE:0:r1200c/:Qh|Ks/Qs:-600.000000|600.000000:")
    assert found[-1].startswith("STATE:2:r20000c///:5d5c|9hQd/8dAs8s/4h/6d:")
