"""The examples of ``--help``: every command has some, and each is typed for real.

One example reads what another made, such as the folder ``day``. That is made once, by the
example that tells of it, and lies in the folder of every test that names it.
"""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from acpcbot.cli import dispatch, kernels
from acpcbot.cli.examples import EXAMPLES, examples_of, examples_text
from dealer_tests.adversity import free_ports
from tests.cli.running import LONGEST_S, start, wait_until
from tests.support.games import KUHN

ROOT = Path(__file__).parents[2]
Output = pytest.CaptureFixture[str]

MAKERS = {
    "day": EXAMPLES["acpcbot match"][0],
    "evening": EXAMPLES["acpcbot match"][1],
    "night": EXAMPLES["acpcbot match"][2],
    "cup": EXAMPLES["acpcbot tournament run"][0],
    "evening.phhs": EXAMPLES["acpcbot log to-phh"][0],
    "evening.txt": EXAMPLES["acpcbot log to-pokerstars"][0],
}
"""What examples read, and which one makes it."""
AT_A_DEALER = [
    example.command for command in ("acpcbot deal", "acpcbot play") for example in EXAMPLES[command]
]
SMALLER = {
    "lbr call --deals 200": "lbr call --deals 3",
    "lab coordination": "lab coordination --games 2 --simulations 10000",
    "--duplicate": "--duplicate --hands 100",
}
"""What takes long at its full size, and what the tests type for it."""
SERVERS = [
    *(example.command for example in EXAMPLES["acpcbot table"]),
    "acpcbot serve bots.toml --metrics 9464",
]
ALL = [example.command for examples in EXAMPLES.values() for example in examples]
ALONE = [command for command in ALL if command not in [*AT_A_DEALER, *SERVERS]]
BOT = f"[[bot]]\nstrategy = 'call'\ngame = '{KUHN}'\nhost = '127.0.0.1'\nport = 1\n"


class Story:
    """Files that the examples make, each made once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def prepare(self, command: str, folder: Path) -> None:
        """Put into *folder* what *command* reads."""
        (folder / "strategies").symlink_to(
            self._few_steps() if " train " in command else ROOT / "strategies"
        )
        (folder / "bots.toml").write_text(BOT)
        for name, maker in MAKERS.items():
            if maker.command != command and name in {
                word.partition("/")[0] for word in command.split()
            }:
                (folder / name).symlink_to(self._made(name))

    def _few_steps(self) -> Path:
        """The strategies' folder with the one recipe that an example trains by, which asks for
        less.
        """
        recipe = Path(KUHN, "dcfr", "recipe.toml")
        made = self._folder / "strategies"
        if not made.exists():
            text = (ROOT / "strategies" / recipe).read_text()
            assert "count = 1_000_000" in text
            (made / recipe).parent.mkdir(parents=True)
            (made / recipe).write_text(text.replace("count = 1_000_000", "count = 1_000"))
        return made

    def _made(self, name: str) -> Path:
        folder = self._folder / f"for {name}"
        if not folder.exists():
            folder.mkdir()
            self.prepare(MAKERS[name].command, folder)
            with pytest.MonkeyPatch.context() as patch:
                patch.chdir(folder)
                assert dispatch.main(words_of(MAKERS[name].command)) == 0
        return folder / name


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    return Story(tmp_path_factory.mktemp("story"))


def words_of(command: str) -> list[str]:
    """Return the words behind the program's name, with less to do where that is much."""
    for much, less in SMALLER.items():
        command = command.replace(much, less)
    return shlex.split(command)[1:]


def leaves(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parsers of the commands at and below *parser*."""
    below = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    for child in below[0].choices.values() if below else ():
        yield from leaves(child)
    if not below:
        yield parser


def parser_of(verb: str) -> argparse.ArgumentParser:
    """The parser of *verb*; the dealer reads its own words, and has an empty one."""
    actions = dispatch._parser(None if verb == "deal" else verb)._actions
    (verbs,) = (action for action in actions if isinstance(action, argparse._SubParsersAction))
    parser: argparse.ArgumentParser = verbs.choices[verb]
    return parser


def test_every_command_has_examples_of_itself_and_there_are_no_others() -> None:
    """Catches a command without an example, and one that was renamed."""
    commands = {leaf.prog for verb in dispatch.VERBS for leaf in leaves(parser_of(verb))}
    assert set(EXAMPLES) == {"acpcbot", *commands}
    for command, examples in EXAMPLES.items():
        assert all(f"{example.command} ".startswith(f"{command} ") for example in examples), command
        assert all(example.effect for example in examples)


@pytest.mark.parametrize("words", ["", *dispatch.VERBS, "log check", "tournament run"])
def test_the_help_ends_with_the_examples(words: str, capfd: Output) -> None:
    """Catches a parser, and the dealer's own text, without them."""
    try:
        status: int | str | None = dispatch.main([*words.split(), "--help"])
    except SystemExit as end:
        status = end.code
    output = capfd.readouterr().out
    assert not status
    assert output.endswith(examples_text(f"acpcbot {words}".rstrip()))
    assert output.count("\nexamples:\n") == 1


def test_a_group_shows_an_example_of_each_of_its_verbs() -> None:
    """Catches one whose help tells of nothing to type."""
    assert examples_of("acpcbot log") == tuple(
        EXAMPLES[f"acpcbot log {verb}"][0]
        for verb in (
            *("check", "all-in", "to-phh", "from-phh"),
            *("to-pokerstars", "from-pokerstars"),
        )
    )
    with pytest.raises(KeyError):
        examples_of("acpcbot nosuch")


@pytest.mark.parametrize("command", ALONE)
def test_every_example_runs(
    command: str, story: Story, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Output
) -> None:
    """Catches an example that is refused, fails, or tells nothing."""
    if command == "acpcbot log to-phh evening/table000.log evening.phhs":
        pytest.importorskip("pokerkit")
    story.prepare(command, tmp_path)
    capfd.readouterr()
    monkeypatch.chdir(tmp_path)
    # Warming up what is large takes long; tests/cli/commands/test_warmup.py asks whether all is.
    monkeypatch.setattr(kernels, "STRATEGIES", "strategies/kuhn.limit.2p")
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert dispatch.main(words_of(command)) == 0
    assert capfd.readouterr().out.strip()


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.parametrize("command", SERVERS)
def test_servers_work_until_they_are_told_to_stop(
    command: str, story: Story, tmp_path: Path
) -> None:
    """Catches an example that does not start, and one that does not end.

    They get ports of the system's choice.
    """
    story.prepare(command, tmp_path)
    words = shlex.split(command.replace("9464", "0"))[1:] + ["--port", "0"] * command.startswith(
        "acpcbot table"
    )
    process = start(tmp_path, *words)
    told = process.stdout if words[0] == "table" else process.stderr
    assert told is not None
    assert "http://127.0.0.1:" in told.readline()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=LONGEST_S)
    assert process.returncode == 0


def test_the_dealer_and_its_two_players_find_each_other(tmp_path: Path) -> None:
    """Catches examples whose games or ports differ.

    Other ports are taken, because these may be in use.
    """
    ports = dict(zip(("18791", "18792"), map(str, free_ports(2)), strict=True))
    processes: list[subprocess.Popen[str]] = []
    for command in AT_A_DEALER:
        for port, free in ports.items():
            command = command.replace(port, free)
        processes.append(start(tmp_path, *shlex.split(command)[1:]))
    outputs = [process.communicate(timeout=LONGEST_S) for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0], outputs
    assert outputs[0][0].splitlines()[1].startswith("SCORE:")
    assert all("1000 hands" in talk and " 0 fallbacks" in talk for _, talk in outputs[1:])
    wait_until(lambda: "SCORE" in (tmp_path / "demo.log").read_text(), "the log is written")
