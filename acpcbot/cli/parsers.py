"""Parsers of commands: defaults and examples in their help, errors as one line and a hint."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import NoReturn

from acpcbot.errors import UsageError
from acpcbot.spelling import nearest_hint

BAD_CHOICE = re.compile(r"invalid choice: '(?P<word>[^']*)' \(choose from (?P<names>.*)\)")


def default_text(action: argparse.Action) -> str:
    """Return the default of *action* in square brackets, as its help ends with.

    Nothing where there is none, and where the help says in words what happens without the option.
    """
    default, told = action.default, action.help or ""
    if told.endswith("]") or default is None or isinstance(default, bool):
        return ""
    if default in ("", [], (), argparse.SUPPRESS):
        return ""
    shown = f"{default:g}" if isinstance(default, float) else str(default)
    return f"{' ' if told else ''}[{shown}]"


class _Formatter(argparse.HelpFormatter):
    def _get_help_string(self, action: argparse.Action) -> str:
        return (action.help or "") + default_text(action).replace("%", "%%")


class Parser(argparse.ArgumentParser):
    """A parser whose help shows defaults and examples, and whose errors are typed."""

    def __init__(self, *words: object, **settings: object) -> None:
        settings.setdefault("formatter_class", _Formatter)
        super().__init__(*words, **settings)  # type: ignore[arg-type]

    def format_help(self) -> str:
        """Return the help, which ends with examples."""
        from acpcbot.cli.examples import examples_text  # only help needs them

        return super().format_help() + examples_text(self.prog)

    def error(self, message: str) -> NoReturn:
        """Raise UsageError; of a word that is no choice the hint names the nearest one."""
        found = BAD_CHOICE.search(message)
        near = nearest_hint(found["word"], re.findall(r"[\w.-]+", found["names"])) if found else ""
        raise UsageError(message, f"{near}{self.prog} --help tells what it takes")


class Version(argparse.Action):
    """``--version``, which reads the version only when it is asked for."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="print the version")

    def __call__(self, parser: argparse.ArgumentParser, *_rest: object) -> None:
        from importlib.metadata import version

        print(f"acpcbot {version('acpcbot')}")
        parser.exit()
