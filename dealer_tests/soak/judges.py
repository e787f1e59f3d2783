"""Checks that nothing was lost: logs against the plan, a match against its undisturbed twin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from acpcbot.errors import AcpcbotError
from acpcbot.logs.match_log import HandRecord, ScoreRecord, read_match_log
from acpcbot.logs.transactions import read_transactions
from acpcbot.poker.definition import GameDefinition
from dealer_tests.soak.findings import SoakFailure

STATE, SCORE = "STATE:", "SCORE:"
MOST_NAMED = 5


def judge_log(path: Path, definition: GameDefinition, num_hands: int) -> str:
    """Return a summary of a match's whole log.

    Raises SoakFailure unless each hand stands there once and is right.
    """
    judge_numbers(path, num_hands, is_whole=True)
    totals: Counter[str] = Counter()
    scores = []
    try:
        for entry in read_match_log(path, definition):
            if isinstance(entry, HandRecord):
                if sum(entry.values):
                    raise SoakFailure(
                        f"{path}: hand {entry.hand_id} pays {entry.values}, which is not 0 in all"
                    )
                totals.update(dict(zip(entry.names, map(int, entry.values), strict=True)))
            elif isinstance(entry, ScoreRecord):
                scores.append(dict(zip(entry.names, map(int, entry.values), strict=True)))
    except AcpcbotError as error:
        raise SoakFailure(str(error)) from None
    if scores != [dict(totals)]:
        raise SoakFailure(f"{path}: scores {scores}, where the hands bring {dict(totals)}")
    return f"{num_hands} hands once each"


def judge_numbers(path: Path, num_hands: int, *, is_whole: bool) -> None:
    """Raise SoakFailure unless the hands in *path* are those from 0 to *num_hands* once each,
    in order.

    A log that is not *is_whole* may end within a line: nobody has been told of that hand.
    """
    text = path.read_text(encoding="latin-1") if path.exists() else ""
    lines, rest = text.splitlines(), text.rpartition("\n")[2]
    if rest and is_whole:
        raise SoakFailure(f"{path}: torn at its end: {rest!r}")
    numbers = [
        _number(path, line) for line in lines[: len(lines) - bool(rest)] if line.startswith(STATE)
    ]
    if numbers == list(range(num_hands)):
        return
    counts = Counter(numbers)
    doubled = sorted(number for number, count in counts.items() if count > 1)
    missing = sorted(set(range(num_hands)) - counts.keys())
    foreign = sorted(counts.keys() - set(range(num_hands)))
    if sorted(numbers) == list(range(num_hands)):
        raise SoakFailure(f"{path}: hands are out of order")
    raise SoakFailure(
        f"{path}: doubled {_some(doubled)}, missing {_some(missing)}, beyond the end {_some(foreign)}"
    )


def _number(path: Path, line: str) -> int:
    number = line.split(":")[1]
    if not number.isdigit() or line.count(":") < 5:
        raise SoakFailure(f"{path}: torn: {line!r}")
    return int(number)


def _some(numbers: Sequence[int]) -> str:
    named = ", ".join(map(str, numbers[:MOST_NAMED]))
    return f"[{named}{', ...' if len(numbers) > MOST_NAMED else ''}]"


def judge_twin(path: Path, twin: Path) -> None:
    """Raise SoakFailure unless both logs hold the same hands and the same score, byte for byte."""
    lines, others = played_lines(path), played_lines(twin)
    if lines != others:
        pairs = zip(lines, others, strict=False)
        place = next(
            (number for number, (one, other) in enumerate(pairs) if one != other),
            min(len(lines), len(others)),
        )
        first = [rows[place] if place < len(rows) else "nothing" for rows in (lines, others)]
        raise SoakFailure(
            f"{path} differs from its twin in line {place}: {first[0]} instead of {first[1]}"
        )


def played_lines(path: Path) -> list[str]:
    """The STATE and SCORE lines of a log."""
    lines = path.read_text(encoding="latin-1").splitlines()
    return [line for line in lines if line.startswith((STATE, SCORE))]


def longest_reply_s(path: Path, definition: GameDefinition) -> float:
    """The longest time that a transaction log tells of; raises SoakFailure for one below zero."""
    spans = [entry.received_us - entry.sent_us for entry in read_transactions(path, definition)]
    if min(spans) < 0:
        raise SoakFailure(f"{path}: a reply came {-min(spans)} us before its question")
    return max(spans) / 1e6
