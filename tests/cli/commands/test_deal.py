"""Imports and waits of ``acpcbot deal``: a dealer starts at once on a busy machine too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from acpcbot.cli.dealer_command import parse_dealer_arguments

ALLOWED = {
    "__main__",
    "c_numbers",
    "cards.any_strength",
    "cards.deck",
    "cards.hand_sums",
    "cards.showdown",
    "cli.compile_display",
    "cli.dealer_command",
    "cli.dispatch",
    "cli.renamed",
    "cli.examples",
    "cli.process",
    "cli.phases",
    "cli.status_line",
    "errors",
    "spelling",
    "exports",
    "jit",
    "matches.hand",
    "matches.match_files",
    "matches.referee",
    "matches.settings",
    "matches.table",
    "net.dealer",
    "net.listening",
    "net.wall_clock",
    "poker.actions",
    "poker.betting",
    "poker.dealing",
    "poker.definition",
    "poker.definition_parser",
    "poker.payoffs",
    "poker.rules",
    "poker.shipped",
    "protocol.grammar",
    "protocol.lines",
    "protocol.messages",
    "protocol.records",
    "rng",
}
"""Modules of ours that a dealer may load.

One that is missing here is somebody else's, or costs the start something.
"""
HEAVY = {
    "asyncio",
    "concurrent",
    "hashlib",
    "msgspec",
    "multiprocessing",
    "numba",
    "numpy",
    "rich",
    "ssl",
    "structlog",
    "uvloop",
}
PLAYED = """
import os, socket, sys, threading
from pathlib import Path
import acpcbot.net.dealer

def sit(port):
    with socket.create_connection(("127.0.0.1", port)) as connection, connection.makefile("rwb", buffering=0) as lines:
        lines.write(b"VERSION:2.0.0\\n")
        for line in lines:
            lines.write(line.rstrip() + b":c\\r\\n")

play = acpcbot.net.dealer.deal_match
def play_at_home(settings, place, ports, files, talk):
    for port in ports:
        threading.Thread(target=sit, args=(port.number,), daemon=True).start()
    return play(settings, place, ports, files, talk)
acpcbot.net.dealer.deal_match = play_at_home

from acpcbot.__main__ import main
status = main()
print(*sorted(sys.modules), file=sys.stderr)
sys.exit(status)
"""


@pytest.mark.parametrize("game", ["kuhn.limit.2p", "holdem.nolimit.2p.reverse_blinds"])
def test_a_whole_match_is_dealt_without_what_is_slow_to_load(game: str, tmp_path: Path) -> None:
    words = ["deal", "match", game, "3", "1", "A", "B", "-q", "-T"]
    done = subprocess.run(
        [sys.executable, "-c", PLAYED, *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout.splitlines()[-1][:6]) == (0, "SCORE:"), done.stderr
    loaded = set(done.stderr.split())
    assert "acpcbot.net.dealer" in loaded
    assert not HEAVY & loaded
    modules = {name.removeprefix("acpcbot.") for name in loaded if name.startswith("acpcbot.")}
    assert {name for name in modules if not _is_package(name)} <= ALLOWED


def _is_package(name: str) -> bool:
    import acpcbot

    return Path(acpcbot.__path__[0], *name.split(".")).is_dir()


def test_players_who_stay_away_are_waited_for_ten_minutes_unless_somebody_asks_for_ever() -> None:
    words = ["match", "kuhn.limit.2p", "3", "1", "A", "B"]
    assert parse_dealer_arguments(words).start_timeout == 600_000
    assert parse_dealer_arguments([*words, "--start_timeout", "-1"]).start_timeout == -1
