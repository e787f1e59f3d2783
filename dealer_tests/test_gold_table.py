"""The official dealer's recorded matches, played again at our table: same bytes, lines, warnings and end."""

from __future__ import annotations

import pytest

from acpcbot.matches.table import Phase
from dealer_tests.gold import SHARED, SHIPPED, Recording, recordings, replay, without_times

SHIPPED_RECORDINGS = recordings(SHIPPED)
SHARED_RECORDINGS = recordings(SHARED)


def agrees_up_to_the_end(ours: bytes, theirs: bytes) -> bool:
    return ours.startswith(theirs) or theirs.startswith(ours)


def check(recording: Recording, piece: int) -> None:
    result = replay(recording, piece=piece)
    log = recording.text("before.dealer.log") if "-a" in recording.case["flags"] else ""
    log += "".join(f"{line}\n" for line in result.logged)
    if recording.is_undefined:
        assert result.phase in (Phase.FINISHED, Phase.ABORTED, Phase.PLAYING)
        return
    if recording.case["os_error_end"]:
        assert all(map(agrees_up_to_the_end, result.sent, map(recording.sent_to, recording.seats())))
        return
    assert result.sent == [recording.sent_to(seat) for seat in recording.seats()]
    if "-l" not in recording.case["flags"] or "-L" in recording.case["flags"]:
        assert log.splitlines() == recording.text("dealer.log").splitlines()
    assert without_times(result.talk_text) == without_times(recording.text("dealer.stderr"))
    assert (result.phase is Phase.FINISHED) == (recording.case["exit_code"] == 0)


@pytest.mark.parametrize("recording", SHIPPED_RECORDINGS, ids=lambda recording: recording.name)
@pytest.mark.parametrize("piece", [0, 1, 7])
def test_shipped_recordings_come_out_the_same(recording: Recording, piece: int) -> None:
    check(recording, piece)


@pytest.mark.skipif(not SHARED_RECORDINGS, reason=f"the complete set of recordings is not at {SHARED}")
@pytest.mark.parametrize("recording", SHARED_RECORDINGS, ids=lambda recording: recording.name)
def test_every_recording_comes_out_the_same(recording: Recording) -> None:
    check(recording, 0)
