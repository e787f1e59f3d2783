"""``acpcbot completion``: the table is that of the parsers, and shells propose what it holds."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from acpcbot.cli.completion import SCRIPTS, TABLE, bash_script, read_commands
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


def test_the_table_is_up_to_date() -> None:
    """Caught: an option that was added and not written there."""
    hint = "run: python docs/make_cli_reference.py"
    assert json.loads(TABLE.read_text(encoding="utf-8")) == json.loads(completion_table()), hint


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_proposes_commands_verbs_options_and_values(script: Path) -> None:
    assert set(proposed(script, "acpcbot", "")) == {*VERBS, "--help", "--version"}
    assert proposed(script, "acpcbot", "expl") == ["exploitability", "explain"]
    assert proposed(script, "acpcbot", "log", "") == ["check", "all-in", "to-phh", "from-phh"]
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


def test_fish_is_told_in_words_that_it_reads() -> None:
    """Each line is one command, its quoted parts closed, as its own quoting rules have it."""
    for line in SCRIPTS["fish"](read_commands()).splitlines():
        assert line.startswith("complete -c acpcbot -n '")
        assert line.replace("\\\\", "").replace("\\'", "").count("'") % 2 == 0
