"""The compose file for real, in an engine: a match with a crash in it, its page, a round robin,
a dealer elsewhere.

Takes minutes, for an image is built: ``./dev containers``. The variable ACPCBOT_IMAGE names
one to be tried instead.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.running import wait_until
from tests.containers.engines import Engine, build_image, composed, engine, said
from tests.support.games import KUHN

pytestmark = [pytest.mark.containers, pytest.mark.timeout(3600)]

HANDS = 4000
MANY_HANDS = 30_000
"""Enough for seconds of play, in which another container can start and strike."""
LEAST_KERNELS = 100
LEAST_MODULES = 200
# How many modules bots and dealers load from files, and those without bytecode of their present
# text.
STALE_MODULES = """
import os, sys
import acpcbot.__main__, acpcbot.cli.commands.match, acpcbot.cli.commands.serve
import acpcbot.net.match_runner, acpcbot.net.metrics, acpcbot.net.socket_table
import acpcbot.agents.tight, acpcbot.agents.blueprint, json, tempfile

specs = [spec for module in list(sys.modules.values()) if (spec := vars(module).get("__spec__")) and spec.cached]
print(len(specs))
for spec in specs:
    try:
        with open(spec.cached, "rb") as file:
            head = file.read(16)
        of_text = (int.from_bytes(head[8:12], "little"), int.from_bytes(head[12:], "little"))
    except OSError:
        of_text = None
    text = os.stat(spec.origin)
    if of_text != (int(text.st_mtime), text.st_size):
        print(spec.name)
"""
GIVEN_IMAGE = os.environ.get("ACPCBOT_IMAGE")
IMAGE = GIVEN_IMAGE or "acpcbot-test"
PROJECT = f"acpcbot-test-{os.getpid()}"
OUTSIDER = f"{PROJECT}-outsider"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine that has the image."""
    with engine() as found:
        if GIVEN_IMAGE is None:
            build_image(found, IMAGE, tmp_path_factory.mktemp("base"))
        yield found


@pytest.fixture
def stack(built: Engine, tmp_path: Path) -> Iterator[Engine]:
    """An engine whose compose speaks of our file, with nothing of it running before and after."""
    (tmp_path / "pages").mkdir()
    variables = {
        "IMAGE": IMAGE,
        "GAME": KUHN,
        "HANDS": str(HANDS),
        "ALICE": "random",
        "PAGES": str(tmp_path / "pages"),
        "PAGES_USER": f"{os.getuid()}:{os.getgid()}",
        "DEALER_HOST": OUTSIDER,
        "DEALER_PORT": "18791",
    }
    with composed(built, PROJECT, variables) as made:
        yield made


def hand_ids(stack: Engine) -> list[int]:
    """The hands in the log of the match, from the volume that it is kept in."""
    mount = f"--volume={PROJECT}_data:/data:ro"
    words = ["run", "--rm", "--entrypoint=cat", mount, IMAGE, "/data/match/table000.log"]
    lines = stack.try_docker(*words).stdout.splitlines()
    return [int(line.split(":")[1]) for line in lines if line.startswith("STATE:")]


def container_of(stack: Engine, service: str) -> str:
    return said(stack.compose("--profile", "join", "ps", "--all", "--quiet", service)).strip()


def state_of(stack: Engine, container: str, what: str) -> str:
    return stack.docker("inspect", "--format", "{{" + what + "}}", container).strip()


def test_a_match_survives_a_crash_of_its_dealer_and_ends_with_a_page(
    stack: Engine, tmp_path: Path
) -> None:
    """The plain command plays. Killed from within, the dealer is started again, and goes on
    from the volume.
    """
    stack = replace(stack, environment={**stack.environment, "HANDS": str(MANY_HANDS)})
    said(stack.compose("up", "--detach"))
    dealer = container_of(stack, "dealer")
    wait_until(lambda: bool(hand_ids(stack)), "the match has begun")
    stack.docker("exec", dealer, "sh", "-c", "kill -9 $(cat /proc/1/task/1/children)")
    page = said(stack.compose("--profile", "report", "run", "--rm", "-T", "report"))
    assert page.strip().endswith("/pages/match.html")
    assert KUHN in (tmp_path / "pages" / "match.html").read_text(encoding="utf-8")
    assert int(state_of(stack, dealer, ".RestartCount")) >= 1
    assert state_of(stack, dealer, ".State.ExitCode") == "0"
    assert f"match of {KUHN}, {MANY_HANDS} hands" in stack.docker("logs", dealer)
    assert hand_ids(stack) == list(range(MANY_HANDS))


def test_nothing_is_compiled_in_a_container(stack: Engine) -> None:
    """The image holds every kernel that stored strategies play with."""
    bots = {"ALICE": "external_sampling", "BOB": "smooth_uct"}
    variables = {
        name: f"strategies/holdem.limit.2p.reverse_blinds/{bot}" for name, bot in bots.items()
    }
    game = {"GAME": "holdem.limit.2p.reverse_blinds", "HANDS": "20"}
    playing = replace(stack, environment={**stack.environment, **variables, **game})
    kernels = ["find", "/var/cache/acpcbot", "-name", "*.nbc"]
    of_image = set(
        stack.docker("run", "--rm", f"--entrypoint={kernels[0]}", IMAGE, *kernels[1:]).splitlines()
    )
    assert len(of_image) > LEAST_KERNELS
    said(playing.compose("up", "--detach"))
    assert stack.docker("wait", container_of(stack, "dealer")).strip() == "0"
    assert hand_ids(stack) == list(range(20))
    for name in ("alice", "bob"):
        assert (
            set(stack.docker("exec", container_of(stack, name), *kernels).splitlines()) == of_image
        )


def test_no_module_is_compiled_at_a_start(stack: Engine) -> None:
    """Caught: seconds at every start, where the base has no bytecode of Python's library and
    nowhere to keep it.
    """
    listed = stack.docker(
        "run", "--rm", "--network=none", "--entrypoint=python3", IMAGE, "-c", STALE_MODULES
    )
    num_modules, *stale = listed.split()
    assert int(num_modules) > LEAST_MODULES
    assert not stale


def test_a_match_that_is_over_is_told_again_and_another_one_is_refused(stack: Engine) -> None:
    short = replace(stack, environment={**stack.environment, "HANDS": "20"})
    for _ in range(2):
        said(short.compose("up", "--detach", "dealer"))
        assert stack.docker("wait", container_of(stack, "dealer")).strip() == "0"
    assert hand_ids(stack) == list(range(20))
    other = replace(stack, environment={**stack.environment, "HANDS": "21"})
    assert other.compose("run", "--rm", "-T", "--no-deps", "dealer").returncode == 1


def test_containers_are_nobody_and_can_write_nowhere_but_in_their_volumes(stack: Engine) -> None:
    said(stack.compose("up", "--detach", "alice"))
    alice = container_of(stack, "alice")
    assert stack.docker("exec", alice, "id", "-u").strip() == "10001"
    assert stack.try_docker("exec", alice, "touch", "/opt/venv/x").returncode
    assert (
        stack.docker("exec", alice, "sh", "-c", "touch /tmp/x /data/x && echo written").strip()
        == "written"
    )
    wait_until(
        lambda: state_of(stack, alice, ".State.Health.Status") == "healthy", "alice is healthy"
    )
    assert "acpcbot_ready" in stack.docker("exec", alice, "python3", "-c", FETCH)
    stack.docker("stop", alice)
    assert state_of(stack, alice, ".State.ExitCode") == "0"


FETCH = "import urllib.request; print(urllib.request.urlopen('http://127.0.0.1:9464/metrics').read().decode())"


def test_a_round_robin_prints_its_tables_and_again_when_it_is_over(stack: Engine) -> None:
    few = replace(stack, environment={**stack.environment, "HANDS": "30"})
    first, second = [
        said(few.compose("--profile", "tournament", "run", "--rm", "-T", "tournament"))
        for _ in range(2)
    ]
    assert "rankings" in first
    assert first == second


def test_a_bot_joins_a_dealer_elsewhere_and_leaves_when_it_is_told_to(stack: Engine) -> None:
    said(stack.compose("--profile", "join", "up", "--detach", "join"))
    on_network = ["run", "--detach", f"--network={PROJECT}_default", "--no-healthcheck"]
    deal = [
        "deal",
        "/tmp/demo",
        KUHN,
        "200",
        "1",
        "ann",
        "ben",
        "-p",
        "18791,18792",
        "--host",
        "0.0.0.0",
        "-q",
    ]
    play = ["play", "call", OUTSIDER, "18792", "--game", KUHN]
    dealer = stack.docker(*on_network, f"--name={OUTSIDER}", IMAGE, *deal).strip()
    other = stack.docker(*on_network, IMAGE, *play).strip()
    try:
        assert stack.docker("wait", dealer).strip() == "0"
        assert "SCORE:" in stack.docker("logs", dealer)
        join = container_of(stack, "join")
        stack.docker("stop", join)
        assert state_of(stack, join, ".State.ExitCode") == "0"
    finally:
        stack.docker("rm", "--force", "--volumes", dealer, other)
