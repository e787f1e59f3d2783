"""``acpcbot completion``: the table is that of the parsers, and shells propose what it holds."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from acpcbot.cli.commands.completion import FISH_START, SCRIPTS, TABLE, bash_script, read_commands
from acpcbot.cli.dispatch import VERBS, main
from acpcbot.poker.shipped import SHIPPED_NAMES
from docs.make_cli_reference import completion_table

ASK = """
compinit() {{ :; }}; source {script}
COMP_WORDS=({words}); COMP_CWORD={place}; _acpcbot
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("completion") / "acpcbot.bash"
    path.write_text(bash_script(read_commands()))
    return path


def proposed(script: Path, *words: str) -> list[str]:
    """Return the words that bash proposes for the last one of *words*."""
    text = ASK.format(
        script=script, words=" ".join(f"'{word}'" for word in words), place=len(words) - 1
    )
    done = subprocess.run(["bash", "-c", text], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


CONVERTING = ("to-phh", "from-phh", "to-pokerstars", "from-pokerstars")


def test_the_table_is_up_to_date() -> None:
    """Caught: an option that was added and not written there."""
    hint = "run: python docs/make_cli_reference.py"
    assert json.loads(TABLE.read_text(encoding="utf-8")) == json.loads(completion_table()), hint


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_proposes_commands_verbs_options_and_values(script: Path) -> None:
    assert set(proposed(script, "acpcbot", "")) == {*VERBS, "--help", "--version"}
    assert proposed(script, "acpcbot", "expl") == ["exploitability", "explain"]
    assert proposed(script, "acpcbot", "log", "") == ["check", "all-in", *CONVERTING]
    assert proposed(script, "acpcbot", "log", "check", "--any") == ["--any-values"]
    assert proposed(script, "acpcbot", "solve", "--i") == ["--iterations", "--int16"]
    assert proposed(script, "acpcbot", "match", "call", "--game", "leduc") == [
        name for name in SHIPPED_NAMES if name.startswith("leduc")
    ]
    assert proposed(script, "acpcbot", "report", "--format", "h") == ["html"]
    assert proposed(script, "acpcbot", "deal", "--start") == ["--start_timeout"]
    assert proposed(script, "acpcbot", "completion", "") == ["bash", "zsh", "fish"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_leaves_paths_to_the_shell(script: Path) -> None:
    """Caught: proposals where a log or a strategy's folder is to be typed."""
    assert proposed(script, "acpcbot", "report", "") == []
    assert proposed(script, "acpcbot", "match", "strategies/") == []


@pytest.mark.parametrize("shell", SCRIPTS)
def test_every_shells_script_names_every_command_and_option(
    shell: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    script = capfd.readouterr().out
    for command in read_commands():
        assert command.words.rpartition(" ")[2] in script
        for option in command.options:
            assert all(name.lstrip("-") in script for name in option.names)


@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_script_is_one_that_the_shell_reads(shell: str, tmp_path: Path) -> None:
    """Caught: a quote in a help text that ends a word of the script."""
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    path = tmp_path / "script"
    path.write_text(SCRIPTS[shell](read_commands()))
    done = subprocess.run([shell, "-n", str(path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


FISH_PROPOSALS = {
    "acpcbot expl": ["explain", "exploitability"],
    "acpcbot log ": ["all-in", "check", *sorted(CONVERTING)],
    "acpcbot log check --any": ["--any-values"],
    "acpcbot solve --i": ["--int16", "--iterations"],
    "acpcbot match call --game leduc": ["leduc.limit.2p", "leduc.nolimit.2p"],
    "acpcbot match call --game=leduc.l": ["--game=leduc.limit.2p"],
    "acpcbot report --format h": ["html"],
    "acpcbot deal --start": ["--start_timeout"],
    "acpcbot completion ": ["bash", "fish", "zsh"],
    "acpcbot -": ["--help", "--version"],
    "acpcbot report ": ["game.log"],
    "acpcbot match log ": ["game.log"],
}
"""By the line; files where a path is to be typed, and no verbs of a word that is no command."""


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
def test_fish_proposes_commands_verbs_options_and_values(tmp_path: Path) -> None:
    (tmp_path / "script").write_text(SCRIPTS["fish"](read_commands()))
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "game.log").touch()
    asked = [f"complete -C '{line}'; echo" for line in FISH_PROPOSALS]
    done = subprocess.run(
        ["fish", "--no-config", "-c", "; ".join(["source ../script", *asked])],
        cwd=tmp_path / "empty",
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    answers = done.stdout.split("\n\n")
    found = [[line.partition("\t")[0] for line in answer.splitlines()] for answer in answers]
    assert dict(zip(FISH_PROPOSALS, found, strict=False)) == FISH_PROPOSALS
    assert "explain\tone hand beside a strategy" in answers[0]


ZSH_LINES = {
    "acpcbot expla": "acpcbot explain",
    "acpcbot log che": "acpcbot log check",
    "acpcbot solve --ite": "acpcbot solve --iterations",
    "acpcbot match call --game leduc.n": "acpcbot match call --game leduc.nolimit.2p",
    "acpcbot report --format h": "acpcbot report --format html",
    "acpcbot report ga": "acpcbot report game.log",
}
"""Lines, and what the tabulator makes of them."""
PROMPT, FOUND = "ready> ", "completed:"


@pytest.mark.skipif(shutil.which("zsh") is None, reason="needs zsh")
def test_zsh_completes_commands_verbs_options_and_values(tmp_path: Path) -> None:
    """At a terminal: only there zsh completes."""
    (tmp_path / "script").write_text(SCRIPTS["zsh"](read_commands()))
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "game.log").touch()
    settings = {"HOME": str(tmp_path), "ZDOTDIR": str(tmp_path), "TERM": "dumb", "PS1": PROMPT}
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        ["zsh", "-f", "-i"],
        cwd=tmp_path / "empty",
        env={**os.environ, **settings, "COLUMNS": "200"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    ) as shell:
        os.close(theirs)
        try:
            os.write(ours, b"PS1=; source ../script; print -r -- loa''ded\n")
            read_until(ours, r"\nloaded\r")
            for line, expected in ZSH_LINES.items():
                # To the start of the line, which is then printed instead of run.
                os.write(ours, f"{line}\t\x01print -r -- {FOUND}\n".encode())
                found = read_until(ours, rf"\n{FOUND}(.*?)\r")
                assert found.strip() == expected
        finally:
            shell.kill()
            os.close(ours)


def read_until(terminal: int, pattern: str) -> str:
    """Return the last group of *pattern* in the terminal's output as soon as it is there."""
    seen, ends_s = "", time.monotonic() + 60
    while (match := re.search(pattern, seen)) is None:
        ready, _, _ = select.select([terminal], [], [], max(0.0, ends_s - time.monotonic()))
        assert ready, seen
        seen += os.read(terminal, 65536).decode()
    return match[match.lastindex or 0]


def test_fish_is_told_in_words_that_it_reads() -> None:
    """Each line is one command, its quoted parts closed, as its own quoting rules have it."""
    script = SCRIPTS["fish"](read_commands())
    for line in script.removeprefix(FISH_START).splitlines():
        assert line.startswith("complete -c acpcbot -n '")
        assert line.replace("\\\\", "").replace("\\'", "").count("'") % 2 == 0
