"""``play``, ``startme`` and ``serve`` end to end: processes of their own at a dealer of ours."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from acpcbot.matches.table import Phase
from dealer_tests.adversity import HOST, LiveDealer, settings_with, tidily
from tests.cli.running import COMMAND, LONGEST_S, acpcbot
from tests.support.games import KUHN

SLOW = """\
import time
from acpcbot.agents.baseline import CallAgent


class Bot(CallAgent):
    is_instant = False

    def act(self, state, deadline_s):
        time.sleep(0.05)
        return super().act(state, deadline_s)
"""


@dataclass(frozen=True)
class Ended:
    """A process from outside."""

    status: int | None
    stdout: str
    stderr: str


async def run_process(folder: Path, *command: object) -> Ended:
    process = await asyncio.create_subprocess_exec(
        *map(str, command), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        stdout, stderr = await asyncio.wait_for(process.communicate(), LONGEST_S)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return Ended(process.returncode, stdout.decode(), stderr.decode())


def played_by(folder: Path, *command: object, num_hands: int = 10) -> tuple[Phase, Ended]:
    """A match of *command*, followed by HOST PORT, against one of ours."""

    async def main() -> tuple[Phase, Ended]:
        async with LiveDealer(settings_with(KUHN, num_hands), folder) as dealer:
            other = asyncio.create_task(dealer.honest(1))
            ended = await run_process(folder, *command, HOST, dealer.ports[0])
            if ended.status == 0:
                await other
                return (await dealer.end()).phase, ended
            other.cancel()
            await asyncio.gather(other, return_exceptions=True)
            return Phase.ABORTED, ended

    return tidily(main())


def test_play_plays_a_match_and_says_so_on_stderr_only(tmp_path: Path) -> None:
    phase, ended = played_by(tmp_path, *COMMAND, "play", "--game", KUHN, "random")
    assert phase is Phase.FINISHED
    assert (ended.status, ended.stdout) == (0, "")
    assert ended.stderr.startswith("10 hands, ")
    assert ended.stderr.endswith(" actions, 0 fallbacks\n")


def test_play_logs_each_line_as_json_when_asked(tmp_path: Path) -> None:
    ended = played_by(
        tmp_path, *COMMAND, "play", "--game", KUHN, "--log-level", "debug", "call", num_hands=2
    )[1]
    events = [json.loads(line) for line in ended.stderr.splitlines() if line.startswith("{")]
    assert {event["event"] for event in events} == {"<", ">"}
    assert all(event["line"].startswith("MATCHSTATE:") for event in events)


def test_play_of_another_game_than_the_dealers_is_one_fault_and_a_hint(tmp_path: Path) -> None:
    async def main() -> Ended:
        async with LiveDealer(settings_with(KUHN, 5), tmp_path) as dealer:
            other = asyncio.create_task(dealer.honest(1))
            game = "holdem.limit.2p.reverse_blinds"
            ended = await run_process(
                tmp_path, *COMMAND, "play", "call", HOST, dealer.ports[0], "--game", game
            )
            assert (await dealer.end()).phase is Phase.ABORTED
            await other
            return ended

    ended = tidily(main())
    assert (ended.status, ended.stdout) == (1, "")
    assert ended.stderr.startswith("error: ")
    assert "\nhint: " in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_the_script_that_startme_writes_plays(tmp_path: Path) -> None:
    written = acpcbot(tmp_path, "startme", "random", "--game", KUHN, "--seed", 7)
    assert (written.returncode, written.stdout, written.stderr) == (0, "startme.sh\n", "")
    phase, ended = played_by(tmp_path, tmp_path / "startme.sh")
    assert (phase, ended.status) == (Phase.FINISHED, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_the_script_holds_the_agent_to_the_limits_that_it_was_given(tmp_path: Path) -> None:
    """A limit that is used up from the start leaves no time to think: every decision is a
    fallback.
    """
    (tmp_path / "slow.py").write_text(SLOW)
    written = acpcbot(tmp_path, "startme", "slow.py:Bot", "--game", KUHN, "--response-s", 0.05)
    assert (written.returncode, written.stderr) == (0, "")
    phase, ended = played_by(tmp_path, tmp_path / "startme.sh", num_hands=2)
    assert (phase, ended.status) == (Phase.FINISHED, 0)
    assert '"reason": "late"' in ended.stderr
    assert not ended.stderr.endswith(" 0 fallbacks\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_the_script_plays_a_game_of_ones_own_from_any_folder(tmp_path: Path) -> None:
    """Its words are quoted and its paths whole: the folder has a blank in its name."""
    home = tmp_path / "my bots"
    home.mkdir()
    (home / "own.game").write_text(acpcbot(tmp_path, "games", KUHN).stdout)
    acpcbot(home, "startme", "call", "--game", "own.game", "-o", "start it.sh")
    phase, ended = played_by(tmp_path, home / "start it.sh")
    assert (phase, ended.status) == (Phase.FINISHED, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_the_script_plays_an_agent_of_ones_own_from_any_folder(tmp_path: Path) -> None:
    home = tmp_path / "bots"
    home.mkdir()
    (home / "mine.py").write_text(
        "from acpcbot.agents.baseline import CallAgent\n\n\nclass Bot(CallAgent): pass\n"
    )
    acpcbot(home, "startme", "mine.py:Bot", "--game", KUHN)
    phase, ended = played_by(tmp_path, home / "startme.sh")
    assert (phase, ended.status) == (Phase.FINISHED, 0), ended.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGINT")
def test_serve_plays_until_it_is_interrupted(tmp_path: Path) -> None:
    def bot(port: int) -> str:
        return f'[[bot]]\nstrategy = "call"\ngame = "{KUHN}"\nhost = "{HOST}"\nport = {port}\n'

    async def main() -> Ended:
        async with LiveDealer(settings_with(KUHN, 5), tmp_path) as dealer:
            (tmp_path / "bots.toml").write_text("".join(map(bot, dealer.ports)))
            process = await asyncio.create_subprocess_exec(
                *COMMAND,
                "serve",
                "bots.toml",
                cwd=tmp_path,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            try:
                assert (await dealer.end()).phase is Phase.FINISHED
                os.kill(process.pid, signal.SIGINT)
                stdout, stderr = await asyncio.wait_for(process.communicate(), LONGEST_S)
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
            return Ended(process.returncode, stdout.decode(), stderr.decode())

    ended = tidily(main())
    assert (ended.status, ended.stdout) == (130, "")
    assert "Traceback" not in ended.stderr
    assert ended.stderr.endswith("error: interrupted\n")
