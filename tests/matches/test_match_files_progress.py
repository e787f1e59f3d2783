"""Counting finished hands in a log that grows, however it grows."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from acpcbot.matches.match_files import LogProgress

LOG = (
    b"# name/game/hands/seed m g 3 1\n#--t STATE:\nSTATE:0:cc:a:0|0:A|B\n"
    b"STATE:1:cSTATE:c:\nSTATE:2::::\nSCORE:0|0:A|B\n"
)


def test_a_log_that_is_not_there_holds_no_hands(tmp_path: Path) -> None:
    progress = LogProgress(tmp_path / "m.log")
    assert progress.num_hands() == 0
    progress.path.write_bytes(LOG)
    assert progress.num_hands() == 3


def test_a_hand_counts_on_the_first_line_too(tmp_path: Path) -> None:
    (tmp_path / "m.log").write_bytes(b"STATE:0:cc:a:0|0:A|B\n")
    assert LogProgress(tmp_path / "m.log").num_hands() == 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cuts=st.lists(st.integers(0, len(LOG)), max_size=6).map(sorted))
def test_a_log_read_in_pieces_counts_the_same(cuts: list[int], tmp_path: Path) -> None:
    """Asked after each piece, the count never falls, and at the end it is that of the whole log."""
    path = tmp_path / "m.log"
    path.write_bytes(b"")
    progress, counts = LogProgress(path), []
    for start, end in zip([0, *cuts], [*cuts, len(LOG)], strict=True):
        with path.open("ab") as file:
            file.write(LOG[start:end])
        counts.append(progress.num_hands())
    assert counts == sorted(counts)
    assert counts[-1] == 3


def test_the_score_is_seen_once_its_line_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "m.log"
    path.write_bytes(LOG[:-1])
    progress = LogProgress(path)
    assert (progress.num_hands(), progress.is_scored) == (3, False)
    path.write_bytes(LOG)
    assert (progress.num_hands(), progress.is_scored) == (3, True)


def test_a_line_that_a_kill_left_unfinished_is_no_finished_hand(tmp_path: Path) -> None:
    """Taken for one, the match would seem complete and its last hand would never be played."""
    path = tmp_path / "m.log"
    path.write_bytes(b"STATE:0:cc:a:0|0:A|B\nSTATE:1:cc:a:0|")
    assert LogProgress(path).num_hands() == 1
