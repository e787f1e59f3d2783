"""Findings of a soak: a line a fault and a line a measure, each with what was seen of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

FAULT, MEASURE, LOG = "fault", "measure", "hands"


class SoakFailure(Exception):
    """Something is not as it must be: a fault that did not strike, a hand that is lost, a
    process that hangs.
    """


@dataclass(frozen=True, slots=True)
class Finding:
    """*kind* is a fault, a measure or hands.

    *is_good* None says that it could not be tried here.
    """

    kind: str
    leg: str
    what: str
    is_good: bool | None
    seen: str

    @property
    def verdict(self) -> str:
        return {True: "ok", False: "FAILED", None: "not tried"}[self.is_good]


def format_table(findings: Sequence[Finding]) -> str:
    """The findings in columns, what was seen last."""
    rows = [("", "leg", "what", "verdict", "seen")]
    rows += [
        (finding.kind, finding.leg, finding.what, finding.verdict, finding.seen)
        for finding in findings
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[4]])
        for row in rows
    ]
    return "\n".join(line.rstrip() for line in lines)


def summary(findings: Sequence[Finding]) -> str:
    """One line: how many of which verdict."""
    counts = {
        verdict: sum(finding.verdict == verdict for finding in findings)
        for verdict in ("ok", "not tried", "FAILED")
    }
    return f"{len(findings)} findings: " + ", ".join(
        f"{count} {verdict}" for verdict, count in counts.items() if count
    )


def write_report(path: Path, findings: Sequence[Finding], **facts: object) -> None:
    """The findings and *facts* about the run as JSON."""
    rows = [{**asdict(finding), "verdict": finding.verdict} for finding in findings]
    path.write_text(json.dumps({**facts, "findings": rows}, indent=2) + "\n", encoding="utf-8")
