"""``acpcbot completion SHELL``: scripts that complete command lines in bash, zsh and fish.

``completion.json`` beside this module holds the commands, their options and the values that these
take. It is made from the parsers by ``docs/make_cli_reference.py``, and a test compares the two:
a shell reads the script at each start, and loading every command's parser would take a second.
"""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

TABLE = Path(__file__).with_name("completion.json")
TOP = "acpcbot"
TOP_OPTIONS = ("--help", "--version")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the shell."""
    parser.add_argument("shell", choices=SCRIPTS, help="the shell that reads the script")


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    print(SCRIPTS[arguments.shell](read_commands()), end="")
    return 0


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
        '  local command="${COMP_WORDS[1]}" proposals=""',
        "  COMPREPLY=()",
        '  if [ "$COMP_CWORD" -eq 1 ]; then',
        f"    proposals={shlex.quote(' '.join([*firsts, *TOP_OPTIONS]))}",
        "  else",
        '    case "$command" in',
        f"      {'|'.join(groups)})",
        '        if [ "$COMP_CWORD" -gt 2 ]; then command="$command ${COMP_WORDS[2]}"; fi ;;',
        "    esac",
        '    case "$command $previous" in',
        *_bash_values(commands),
        "    esac",
        '    if [ -z "$proposals" ]; then',
        '      case "$command" in',
        *[
            f"        {group}) proposals={shlex.quote(' '.join(verbs))} ;;"
            for group, verbs in groups.items()
        ],
        *[line for command in commands for line in _bash_command(command)],
        "      esac",
        "    fi",
        "  fi",
        '  if [ -n "$proposals" ]; then COMPREPLY=($(compgen -W "$proposals" -- "$current")); fi',
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
                yield f"      {cases}) proposals={shlex.quote(' '.join(option.values))} ;;"


def _bash_command(command: Command) -> Iterator[str]:
    """Yield the case of *command*: its options after a dash, else its known values."""
    names = " ".join([name for option in command.options for name in option.names] + ["--help"])
    yield f'        "{command.words}")'
    yield '          case "$current" in'
    yield f"            -*) proposals={shlex.quote(names)} ;;"
    yield f"            *) proposals={shlex.quote(' '.join(command.values))} ;;"
    yield "          esac ;;"


ZSH_START = """\
#compdef acpcbot
(( $+functions[compdef] )) || { autoload -U +X compinit && compinit }
(( $+functions[complete] )) || { autoload -U +X bashcompinit && bashcompinit }
"""


def zsh_script(commands: list[Command]) -> str:
    """Return the script for zsh, which runs the one for bash."""
    return f"{ZSH_START}{bash_script(commands)}"


FISH_START = """\
function __acpcbot_typed -d 'these words and no others have been typed behind the program'
    set -l typed (commandline -opc)
    test "$typed[2..]" = "$argv"
end
function __acpcbot_in -d 'these words were the first behind the program'
    set -l typed (commandline -opc)
    set -l end (math 1 + (count $argv))
    test "$typed[2..$end]" = "$argv"
end
"""


def fish_script(commands: list[Command]) -> str:
    """Return the script for fish, which shows what each word is for."""
    groups = _groups(commands)
    lines = [
        _fish("__acpcbot_typed", "-l help", "print help"),
        _fish("__acpcbot_typed", "-l version", "print the version"),
        *[_fish_word("", group, ", ".join(verbs)) for group, verbs in groups.items()],
    ]
    for command in commands:
        group, _, verb = command.words.rpartition(" ")
        inside = f"__acpcbot_in {command.words}"
        lines.append(_fish_word(group, verb, command.purpose))
        if command.values:
            lines.append(_fish(inside, f"-f -a {_fish_quoted(' '.join(command.values))}"))
        lines.append(_fish(inside, "-l help", "print help"))
        for option in command.options:
            lines += _fish_option(inside, option)
    return FISH_START + "\n".join([*lines, ""])


def _fish_word(before: str, word: str, purpose: str) -> str:
    """Return the line for a command or a verb behind *before*, where no file is meant."""
    return _fish(f"__acpcbot_typed {before}".rstrip(), f"-f -a {word}", purpose)


def _fish_option(condition: str, option: Option) -> Iterator[str]:
    """Yield the lines of an option; its values apart, which its help does not describe."""
    names = " ".join(
        [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names]
    )
    value = " -x" if option.values else " -r" if option.takes_value else ""
    if option.values:
        yield _fish(condition, f"{names} -x -a {_fish_quoted(' '.join(option.values))}")
    yield _fish(condition, names + value, option.help)


def _fish(condition: str, what: str, purpose: str = "") -> str:
    told = f" -d {_fish_quoted(purpose)}" if purpose else ""
    return f"complete -c acpcbot -n {_fish_quoted(condition)} {what}{told}"


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
