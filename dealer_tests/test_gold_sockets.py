"""The official dealer's recorded matches, played again over real sockets and with real files."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from acpcbot.net.event_loop import run
from dealer_tests.gold import SHARED, SHIPPED, Recording, check_outcome, recordings
from dealer_tests.gold_sockets import replay_over_sockets

SHARED_RECORDINGS = recordings(SHARED)


@pytest.mark.parametrize("is_in_loop", [False, True], ids=["alone", "in a loop"])
@pytest.mark.parametrize("recording", recordings(SHIPPED), ids=lambda recording: recording.name)
def test_shipped_recordings_come_out_the_same_over_sockets(
    recording: Recording, is_in_loop: bool, tmp_path: Path
) -> None:
    check_outcome(
        recording,
        run(replay_over_sockets(recording, tmp_path, is_in_loop=is_in_loop)),
        in_real_time=True,
    )


@pytest.mark.skipif(
    not SHARED_RECORDINGS, reason=f"the complete set of recordings is not at {SHARED}"
)
@pytest.mark.parametrize("recording", SHARED_RECORDINGS, ids=lambda recording: recording.name)
def test_every_recording_comes_out_the_same_over_sockets(
    recording: Recording, tmp_path: Path
) -> None:
    check_outcome(recording, run(replay_over_sockets(recording, tmp_path)), in_real_time=True)


def test_the_dealer_plays_on_asyncio_s_own_loop_too(tmp_path: Path) -> None:
    recording = next(
        recording
        for recording in recordings(SHIPPED)
        if recording.name == "clean_leduc_limit_2p_s1"
    )
    check_outcome(
        recording,
        asyncio.run(replay_over_sockets(recording, tmp_path, is_in_loop=True)),
        in_real_time=True,
    )
