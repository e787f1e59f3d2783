"""The official dealer's recorded matches, played again at our table: same bytes, lines,
warnings and end.
"""

from __future__ import annotations

import pytest

from dealer_tests.gold import SHARED, SHIPPED, Recording, check_outcome, recordings, replay

SHIPPED_RECORDINGS = recordings(SHIPPED)
SHARED_RECORDINGS = recordings(SHARED)
PLAYED_OUT = [recording for recording in SHIPPED_RECORDINGS if recording.case["exit_code"] == 0]


def check(recording: Recording, piece: int) -> None:
    if recording.case["name"].startswith("start_timeout_seat"):
        pytest.skip("nobody connects: a matter of sockets, see test_gold_sockets.py")
    check_outcome(recording, replay(recording, piece=piece))


@pytest.mark.parametrize("recording", SHIPPED_RECORDINGS, ids=lambda recording: recording.name)
@pytest.mark.parametrize("piece", [0, 1, 7])
def test_shipped_recordings_come_out_the_same(recording: Recording, piece: int) -> None:
    check(recording, piece)


@pytest.mark.parametrize("recording", PLAYED_OUT, ids=lambda recording: recording.name)
@pytest.mark.parametrize("tail", [b"MATCHSTATE:0:0::|:c\r\n", b"# more\n", b"half a line"])
def test_bytes_after_the_last_reply_change_nothing(recording: Recording, tail: bytes) -> None:
    check_outcome(recording, replay(recording, tail=tail))


@pytest.mark.skipif(
    not SHARED_RECORDINGS, reason=f"the complete set of recordings is not at {SHARED}"
)
@pytest.mark.parametrize("recording", SHARED_RECORDINGS, ids=lambda recording: recording.name)
def test_every_recording_comes_out_the_same(recording: Recording) -> None:
    check(recording, 0)
