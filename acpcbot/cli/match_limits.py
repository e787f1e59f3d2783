"""The dealer's time limits, by the names that they have there, for the verbs that play tables."""

from __future__ import annotations

import argparse
from math import isnan
from typing import Any

from acpcbot.errors import UsageError
from acpcbot.matches.plan import Plan
from acpcbot.matches.settings import DEFAULT_HAND_MS, DEFAULT_PER_HAND_MS, DEFAULT_RESPONSE_MS

LIMITS = {
    "response_ms": ("--t_response", f"the longest time for one reply [{DEFAULT_RESPONSE_MS}]"),
    "hand_ms": ("--t_hand", f"the longest time of a seat for one hand [{DEFAULT_HAND_MS}]"),
    "per_hand_ms": ("--t_per_hand", f"the longest time of a seat for a hand on average [{DEFAULT_PER_HAND_MS}]"),
}
"""By the field of a plan: the dealer's option, and its meaning."""
LONGEST_START_S = 1e6
LONGEST_MS = 10**12
MILLI = 1000


def add_limits(parser: argparse.ArgumentParser) -> None:
    """The options, in milliseconds, and how long the start may take."""
    for field, (option, meaning) in LIMITS.items():
        help_text = f"as at acpcbot deal, in milliseconds: {meaning}"
        parser.add_argument(option, dest=field, type=int, metavar="MS", help=help_text)
    start = parser.add_mutually_exclusive_group()
    start.add_argument(
        "--start-timeout",
        dest="start_timeout_s",
        type=float,
        metavar="S",
        help="seconds to wait for entrants at a table [600 for remote ones, 60 for programs that are started here]",
    )
    start.add_argument(
        "--start_timeout",
        dest="start_timeout_ms",
        type=int,
        metavar="MS",
        help="the same as at acpcbot deal, in milliseconds; below 0 there is no end to it",
    )


def limit_fields(arguments: argparse.Namespace) -> dict[str, Any]:
    """The fields of a new plan that the command line sets; raises UsageError."""
    given = _given(arguments)
    for field, value in given.items():
        if abs(value) > LONGEST_MS:
            raise UsageError(f"{LIMITS[field][0]} {value}", f"at most {LONGEST_MS:,} milliseconds; below 0 is no limit")
    if given and arguments.in_process:
        raise UsageError("--in-process holds nobody to a time", f"leave it out, or {_options(given)}")
    return {**given, "start_timeout_ms": _start_timeout_ms(arguments)}


def verify_resumed(arguments: argparse.Namespace) -> None:
    """Raise UsageError where a match that is gone on with is given limits: it keeps its own."""
    if given := _given(arguments):
        raise UsageError(f"a match that is gone on with keeps its time limits: {_options(given)}", "leave them out")


def start_timeout_s(arguments: argparse.Namespace, plan: Plan) -> float | None:
    """How long entrants are waited for: as the command line says, else as the *plan* does; raises UsageError."""
    given_ms = _start_timeout_ms(arguments)
    chosen_ms = plan.start_timeout_ms if given_ms is None else given_ms
    return None if chosen_ms is None else chosen_ms / MILLI


def _start_timeout_ms(arguments: argparse.Namespace) -> int | None:
    seconds: float | None = arguments.start_timeout_s
    milliseconds: int | None = arguments.start_timeout_ms
    if seconds is not None:
        if isnan(seconds) or not 0 <= seconds <= LONGEST_START_S:
            raise UsageError(f"--start-timeout must be from 0 to {LONGEST_START_S:g} seconds", "leave it out to begin")
        return round(seconds * MILLI)
    if milliseconds is not None and abs(milliseconds) > LONGEST_START_S * MILLI:
        raise UsageError(f"--start_timeout {milliseconds}", f"at most {LONGEST_START_S * MILLI:,.0f} milliseconds")
    return milliseconds


def _given(arguments: argparse.Namespace) -> dict[str, int]:
    values = {field: getattr(arguments, field) for field in LIMITS}
    return {field: value for field, value in values.items() if value is not None}


def _options(given: dict[str, int]) -> str:
    return ", ".join(LIMITS[field][0] for field in given)
