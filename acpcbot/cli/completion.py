"""Scripts that complete command lines in bash, zsh and fish.

``completion.json`` beside this module holds the commands, their options and the values that these
take. It is made from the parsers by ``docs/make_cli_reference.py``, and a test compares the two:
a shell reads the script at each start, and loading every command's parser would take a second.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

TABLE = Path(__file__).with_name("completion.json")
TOP = "acpcbot"
TOP_OPTIONS = ("--help", "--version")


class Option(NamedTuple):
    """One option: its spellings, whether a value follows, and the values where they are known."""

    names: list[str]
    takes_value: bool
    values: list[str]
    help: str


class Command(NamedTuple):
    """One command, such as ``match`` or ``log check``."""

    words: str
    purpose: str
    values: list[str]
    """What may follow without a dash, where that is known."""
    options: list[Option]


def read_commands() -> list[Command]:
    """Return all commands, in the order of the help."""
    return [
        Command(words, purpose, values, [Option(*option) for option in options])
        for words, purpose, values, options in json.loads(TABLE.read_text(encoding="utf-8"))
    ]


def bash_script(commands: list[Command]) -> str:
    """Return the script for bash; where it proposes nothing, bash completes file names."""
    firsts = dict.fromkeys(command.words.partition(" ")[0] for command in commands)
    groups = _groups(commands)
    lines = [
        "_acpcbot() {",
        '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"',
        '  local command="${COMP_WORDS[1]}" words=""',
        "  COMPREPLY=()",
        '  if [ "$COMP_CWORD" -eq 1 ]; then',
        f"    words={shlex.quote(' '.join([*firsts, *TOP_OPTIONS]))}",
        "  else",
        '    case "$command" in',
        f"      {'|'.join(groups)})",
        '        if [ "$COMP_CWORD" -gt 2 ]; then command="$command ${COMP_WORDS[2]}"; fi ;;',
        "    esac",
        '    case "$command $previous" in',
        *_bash_values(commands),
        "    esac",
        '    if [ -z "$words" ]; then',
        '      case "$command" in',
        *[
            f"        {group}) words={shlex.quote(' '.join(verbs))} ;;"
            for group, verbs in groups.items()
        ],
        *[line for command in commands for line in _bash_command(command)],
        "      esac",
        "    fi",
        "  fi",
        '  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); fi',
        "}",
        "complete -o default -F _acpcbot acpcbot",
    ]
    return "\n".join([*lines, ""])


def _bash_values(commands: list[Command]) -> Iterator[str]:
    """Yield the cases of options with known values."""
    for command in commands:
        for option in command.options:
            if option.values:
                cases = "|".join([f'"{command.words} {name}"' for name in option.names])
                yield f"      {cases}) words={shlex.quote(' '.join(option.values))} ;;"


def _bash_command(command: Command) -> Iterator[str]:
    """Yield the case of *command*: its options after a dash, else its known values."""
    names = " ".join([name for option in command.options for name in option.names] + ["--help"])
    yield f'        "{command.words}")'
    yield '          case "$current" in'
    yield f"            -*) words={shlex.quote(names)} ;;"
    yield f"            *) words={shlex.quote(' '.join(command.values))} ;;"
    yield "          esac ;;"


def zsh_script(commands: list[Command]) -> str:
    """Return the script for zsh, which runs the one for bash."""
    start = "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n"
    return f"#compdef acpcbot\n{start}{bash_script(commands)}"


def fish_script(commands: list[Command]) -> str:
    """Return the script for fish, which shows what each word is for."""
    groups = _groups(commands)
    lines = [_fish(_no_command(), words=TOP_OPTIONS[1], purpose="print the version")]
    for group, verbs in groups.items():
        lines.append(_fish(_no_command(), words=group, purpose=", ".join(verbs)))
    for command in commands:
        group, _, verb = command.words.rpartition(" ")
        if group:
            seen = f"__fish_seen_subcommand_from {group}"
            no_verb = f"{seen}; and not __fish_seen_subcommand_from {' '.join(groups[group])}"
            lines.append(_fish(no_verb, words=verb, purpose=command.purpose))
        else:
            lines.append(_fish(_no_command(), words=verb, purpose=command.purpose))
        seen = "; and ".join(
            f"__fish_seen_subcommand_from {word}" for word in command.words.split()
        )
        if command.values:
            lines.append(_fish(seen, words=" ".join(command.values), purpose=""))
        lines += [_fish_option(seen, option) for option in command.options]
    return "\n".join([*lines, ""])


def _no_command() -> str:
    return "__fish_use_subcommand"


def _fish(condition: str, *, words: str, purpose: str) -> str:
    told = f" -d {_fish_quoted(purpose)}" if purpose else ""
    return f"complete -c acpcbot -n {_fish_quoted(condition)} -a {_fish_quoted(words)}{told}"


def _fish_option(condition: str, option: Option) -> str:
    names = [
        f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names
    ]
    value = f" -x -a {_fish_quoted(' '.join(option.values))}" if option.values else ""
    value = value or (" -r" if option.takes_value else "")
    told = f" -d {_fish_quoted(option.help)}" if option.help else ""
    return f"complete -c acpcbot -n {_fish_quoted(condition)} {' '.join(names)}{value}{told}"


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _groups(commands: list[Command]) -> dict[str, list[str]]:
    """Return the verbs of each command whose second word says what it does."""
    found: dict[str, list[str]] = {}
    for command in commands:
        group, _, verb = command.words.rpartition(" ")
        if group:
            found.setdefault(group, []).append(verb)
    return found


SCRIPTS: dict[str, Callable[[list[Command]], str]] = {
    "bash": bash_script,
    "zsh": zsh_script,
    "fish": fish_script,
}
