"""Imports of light commands, each in a process of its own.

The compiler takes half a second and 100 MB, arrays and event loops a tenth of a second each.
An import of one of them beside something light slows every start of these commands down.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dealer_tests.adversity import free_ports
from tests.cli.running import LONGEST_S, start
from tests.strategies.random_snapshots import saved
from tests.support.games import KUHN

HEAVY = (
    "numba",
    "llvmlite",
    "numpy",
    "scipy",
    "asyncio",
    "uvloop",
    "rich",
    "structlog",
    "multiprocessing",
    "aiohttp",
    "prometheus_client",
    "msgspec",
)
ASK = f"""
import json, sys
from acpcbot.cli.dispatch import main
try:
    status = main(sys.argv[1:])
except SystemExit as leaving:
    status = leaving.code
print(json.dumps([status, [name for name in {HEAVY} if name in sys.modules]]), file=sys.stderr)
"""

# What is listed behind a command is what it may load of the heavy ones.
ALLOWED: dict[str, tuple[str, ...]] = {
    "": (),
    "--help": (),
    "--version": (),
    "games": (),
    "completion bash": (),
    "games leduc.limit.2p": (),
    "strategies .": ("msgspec",),
    "strategies show kuhn": ("msgspec",),
    "startme tight --game leduc.limit.2p": (),
    "startme --help": (),
    "match --help": ("multiprocessing",),
    "match call call": ("multiprocessing",),
    "play --help": (),
    "evaluate --help": (),
    "exploitability --help": (),
    "lbr --help": (),
    "evaluate lbr --help": (),
    "warmup --help": ("multiprocessing", "asyncio"),
    "exploitability call": (
        "numpy",
        "rich",
        "numba",
        "llvmlite",
        "scipy",
        "asyncio",
        "multiprocessing",
        "msgspec",
    ),
}


def loaded(folder: Path, *words: str) -> tuple[int, list[str]]:
    """The exit status of a command, and what it has loaded of ``HEAVY``."""
    done = subprocess.run(
        [sys.executable, "-c", ASK, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=True,
    )
    status, names = json.loads(done.stderr.splitlines()[-1])
    return int(status), names


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a trained strategy, and one that searches."""
    place = tmp_path_factory.mktemp("light")
    saved(place / "kuhn", KUHN)
    (place / "search").mkdir()
    (place / "search" / "search.toml").write_text(
        'blueprint = "../kuhn"\n[profiles.usual.preflop]\nmenus = ["1"]\n'
    )
    return place


@pytest.mark.parametrize("command", ALLOWED, ids=[command or "nothing" for command in ALLOWED])
def test_a_light_command_loads_nothing_heavy(command: str, folder: Path) -> None:
    refused = command in ("match call call", "exploitability call")
    status, names = loaded(folder, *command.split())
    assert status == int(refused)
    assert set(names) <= set(ALLOWED[command])


def test_rule_players_have_played_with_nothing_but_sockets(tmp_path: Path) -> None:
    """Caught: a bot whose first hand waits a second for a compiler, arrays, or what draws on
    terminals.
    """
    game = "holdem.limit.2p.reverse_blinds"
    first, second = free_ports(2)
    bot = {"strategy": "random", "game": game, "host": "127.0.0.1", "port": second, "rejoin": False}
    lines = [f"{name} = {json.dumps(value)}" for name, value in bot.items()]
    (tmp_path / "bots.toml").write_text("\n".join(["[[bot]]", *lines, ""]))
    doors = ["--port", f"a={first}", "--port", f"b={second}"]
    dealer = start(
        tmp_path,
        "match",
        "remote:a",
        "remote:b",
        "--game",
        game,
        "--hands",
        20,
        "-o",
        "match",
        *doors,
    )
    playing = ["play", "tight", "127.0.0.1", str(first), "--game", game]
    serving = ["serve", "bots.toml", "--metrics", "0"]
    bots = [
        subprocess.Popen(
            [sys.executable, "-c", ASK, *words], cwd=tmp_path, stderr=subprocess.PIPE, text=True
        )
        for words in (playing, serving)
    ]
    ends = [bot.communicate(timeout=LONGEST_S)[1].splitlines() for bot in bots]
    said, faults = dealer.communicate(timeout=LONGEST_S)
    assert f"match of {game}, 20 hands" in said, faults
    for end, own in zip(ends, (set(), {"asyncio", "uvloop", "msgspec"}), strict=True):
        status, names = json.loads(end[-1])
        assert status == 0
        assert set(names) == own


def test_a_heavy_import_is_seen_when_it_is_there(folder: Path) -> None:
    """Were ``ASK`` blind, every test above would pass."""
    status, names = loaded(folder, "arena", "kuhn", "call", "--deals", "10")
    assert status == 0
    assert {"numba", "llvmlite", "numpy", "rich"} <= set(names)
