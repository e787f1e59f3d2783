"""Old spellings of commands and options: they go on working, each with a notice on stderr.

A spelling is renamed here and nowhere else; parsers, help and examples know the new one alone.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

COMMANDS = {
    ("evaluate", "match"): "evaluate",
    ("evaluate", "exact"): "exploitability",
    ("evaluate", "lbr"): "lbr",
    ("evaluate", "street-loss"): "street-loss",
    ("evaluate", "compare"): "compare",
    ("preflop",): "build-preflop-values",
}
"""By the first words of an old command: the command of today."""
OPTIONS = {
    "exploitability": {"--inside": "--abstract"},
    "solve": {"--short": "--int16", "--after": "--line", "--smallest-bet": "--min-bet"},
    "train": {"--folder": "--run-dir"},
    "build-preflop-values": {"--folder": "--run-dir"},
}
"""By the command of today: its old options, and what they are called now."""


class Renamed(NamedTuple):
    """A command line in today's spelling, and a notice for each old word that it had."""

    words: list[str]
    notices: list[str]


def renamed(words: Sequence[str]) -> Renamed:
    """Return the command line *words* as it is typed today.

    >>> renamed(["evaluate", "exact", "call", "--inside"]).words
    ['exploitability', 'call', '--abstract']
    >>> renamed(["preflop", "--folder=run"]).notices
    ['preflop is now build-preflop-values', '--folder is now --run-dir']
    """
    found = Renamed(list(words), [])
    for old, new in COMMANDS.items():
        if tuple(words[: len(old)]) == old and not _names_a_log(old, words[len(old) :]):
            found.notices.append(f"{' '.join(old)} is now {new}")
            found.words[: len(old)] = [new]
            break
    options = OPTIONS.get(found.words[0], {}) if found.words else {}
    for place, word in enumerate(found.words):
        if word == "--":  # what follows is no option
            break
        name, equals, value = word.partition("=")
        if name in options:
            found.notices.append(f"{name} is now {options[name]}")
            found.words[place] = f"{options[name]}{equals}{value}"
    return found


def _names_a_log(old: Sequence[str], rest: Sequence[str]) -> bool:
    """Return whether the last word of *old* is a log to evaluate, as in ``evaluate match``."""
    is_last = not rest or rest[0].startswith("-")
    return old[0] == "evaluate" and is_last and os.path.exists(old[-1])
