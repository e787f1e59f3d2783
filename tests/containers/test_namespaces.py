"""The words of the containers on machines of their own: a match, a kill, a pulled cable, a
page, a drain.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dealer_tests.adversity import state_lines
from tests.cli.running import LONGEST_S, kill_after, num_hands, wait_until
from tests.containers.entrypoints import SCRIPT, start_entrypoint
from tests.containers.namespaces import Machines, machines
from tests.support.games import KUHN

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="no network namespaces on this system"),
]

HANDS = 6000
PORTS = {"alice": 18791, "bob": 18792}
MATCH = {"SEATS": "alice=18791 bob=18792", "GAME": KUHN, "HANDS": HANDS, "SEED": 5, "MATCH": "day"}


@pytest.fixture
def net() -> Iterator[Machines]:
    with machines("dealer", "alice", "bob") as made:
        yield made


@contextmanager
def bots(folder: Path, net: Machines) -> Iterator[dict[str, subprocess.Popen[str]]]:
    """Both bots, on machines of their own; at the end they are drained, which must work."""
    running = {
        name: start_entrypoint(
            folder, "bot", *net.inside(name), NAME=name, STRATEGY="random", SEED=port, GAME=KUHN,
            DEALER_HOST=net.address("dealer"), DEALER_PORT=port,
        )
        for name, port in PORTS.items()
    }  # fmt: skip
    try:
        yield running
        for bot in running.values():
            bot.send_signal(signal.SIGTERM)
            stdout, stderr = bot.communicate(timeout=LONGEST_S)
            assert (bot.returncode, stdout) == (0, ""), stderr
            assert '"event": "draining"' in stderr
    finally:
        for bot in running.values():
            bot.kill()
            bot.communicate()


def start_dealer(folder: Path, net: Machines) -> subprocess.Popen[str]:
    return start_entrypoint(
        folder, "dealer", *net.inside("dealer"), **MATCH, LISTEN=net.address("dealer")
    )


def end_of(process: subprocess.Popen[str]) -> str:
    """Return the output of *process*, which must succeed."""
    try:
        stdout, stderr = process.communicate(timeout=LONGEST_S)
    finally:
        process.kill()
    assert process.returncode == 0, stderr
    return stdout


def is_healthy(net: Machines, name: str) -> bool:
    command = [*net.inside(name), sys.executable, str(SCRIPT), "health"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def hand_ids(folder: Path) -> list[int]:
    return [int(line.split(":")[1]) for line in state_lines(folder / "day" / "table000.log")]


def test_a_match_goes_on_after_a_kill_and_ends_with_a_page(tmp_path: Path, net: Machines) -> None:
    """Each hand is played once.

    A start with everything done tells the score at once.
    """
    with bots(tmp_path, net):
        wait_until(lambda: all(is_healthy(net, name) for name in PORTS), "both bots are ready")
        assert not is_healthy(net, "dealer")
        kill_after(HANDS // 4, start_dealer(tmp_path, net), tmp_path)
        assert HANDS // 4 < num_hands(tmp_path) < HANDS
        score = end_of(start_dealer(tmp_path, net))
        assert score.startswith(f"match of {KUHN}, {HANDS} hands\n")
        assert hand_ids(tmp_path) == list(range(HANDS))
    assert end_of(start_dealer(tmp_path, net)) == score
    assert end_of(start_entrypoint(tmp_path, "report", MATCH="day")) == "day.html\n"
    assert KUHN in (tmp_path / "day.html").read_text(encoding="utf-8")


def test_a_match_outlasts_a_cable_that_was_pulled(tmp_path: Path, net: Machines) -> None:
    with bots(tmp_path, net):
        dealer = start_dealer(tmp_path, net)
        try:
            wait_until(lambda: num_hands(tmp_path) > HANDS // 10, "the match has begun")
            net.plug("bob", is_in=False)
            wait_until(lambda: stands_still(tmp_path), "nothing comes through")
            assert num_hands(tmp_path) < HANDS
        finally:
            net.plug("bob", is_in=True)
        assert f"{HANDS} hands" in end_of(dealer)
        assert hand_ids(tmp_path) == list(range(HANDS))


def stands_still(folder: Path) -> bool:
    """Return True if no hand is finished within half a second."""
    before = num_hands(folder)
    try:
        wait_until(lambda: num_hands(folder) > before, "a hand is finished", longest_s=0.5)
    except AssertionError:
        return True
    return False
