"""``acpcbot strategies``: which strategies there are, what one of them is, and whether all are
whole.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from acpcbot.cli.phases import phase
from acpcbot.errors import BadSnapshot, UsageError
from acpcbot.search.names import read_outline, searches_below
from acpcbot.strategies.finding import find_folder, missing_text, short_name, snapshots_below
from acpcbot.strategies.manifest import MANIFEST_FILE, Record, read_manifest

DEFAULT_FOLDER = "strategies"
SHOW, VERIFY = "show", "verify"
MEGA = 1_000_000

T = TypeVar("T")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A folder to list, or a verb and folders."""
    parser.add_argument(
        "what",
        nargs="?",
        default=DEFAULT_FOLDER,
        metavar="FOLDER|show|verify",
        help=f"list the strategies below a folder [{DEFAULT_FOLDER}], show what one is, or verify every byte of some",
    )
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help=f"what to show, or to verify [{DEFAULT_FOLDER}]"
    )


def run(arguments: argparse.Namespace) -> int:
    """List, show or verify; damaged strategies are told of on stderr, and the status is 1 then."""
    what, paths = arguments.what, arguments.paths
    if what == SHOW and len(paths) == 1:
        print(_description(_folder(paths[0])), end="")
        return 0
    if what == VERIFY:
        lines, status = _of_each(paths or [DEFAULT_FOLDER], _verdict)
    elif what == SHOW or paths:
        raise UsageError(
            "one strategy is shown, and one folder listed, at a time",
            "show FOLDER, or FOLDER alone",
        )
    else:
        rows, status = _of_each([what], _row)
        lines = _table([*rows, *map(_search_row, searches_below(_folder(what)))])
    for line in lines:
        print(line)
    return status


def _of_each(names: Sequence[str], read: Callable[[Path], T]) -> tuple[list[T], int]:
    """What *read* makes of the strategies below each folder, and 1 if some are damaged, which
    is told, else 0.
    """
    found: list[T] = []
    faults: list[BadSnapshot] = []
    for folder in [path for name in names for path in _below(_folder(name))]:
        try:
            with phase(f"reading {short_name(folder)}"):
                found.append(read(folder))
        except BadSnapshot as fault:
            faults.append(fault)
            print(f"error: {fault}", file=sys.stderr)
    if faults:
        print(f"\nhint: {BadSnapshot.hint}", file=sys.stderr)
    return found, int(bool(faults))


def _folder(name: str) -> Path:
    folder = find_folder(name)
    if folder is None:
        raise UsageError(f"no folder {name}", missing_text(name))
    return folder


def _below(folder: Path) -> list[Path]:
    """The strategies below *folder*.

    Itself where there are none, so that one without a manifest is damaged.
    """
    return snapshots_below(folder) or [folder]


def _verdict(folder: Path) -> str:
    from acpcbot.strategies.files import load_snapshot  # a list reads manifests alone

    load_snapshot(folder)
    return f"{short_name(folder)}: whole"


def _row(folder: Path) -> tuple[str, ...]:
    manifest = read_manifest(folder)
    training = manifest.training
    size = f"{_num_bytes(folder) / MEGA:.1f} MB"
    measured = _record_text(manifest.strength[-1]) if manifest.strength else ""
    episodes = f"{training.num_episodes:,} episodes"
    return short_name(folder), manifest.game_label, training.learner, episodes, size, measured


def _search_row(folder: Path) -> tuple[str, ...]:
    """A strategy that searches: its blueprint, if that is there, and its profiles."""
    found = read_outline(folder)
    is_there = (found.blueprint / MANIFEST_FILE).exists()
    game = read_manifest(found.blueprint).game_label if is_there else ""
    blueprint = short_name(found.blueprint) if is_there else f"{found.blueprint}, which is missing"
    return (
        short_name(folder),
        game,
        "search",
        f"on {blueprint}",
        "",
        f"profiles {', '.join(found.profiles)}",
    )


def _table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Rows with their columns below one another."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _description(folder: Path) -> str:
    """All that the manifest in *folder* says, a line an entry, the game's text last."""
    manifest = read_manifest(folder)
    training = manifest.training
    kinds = [kind for kind in ("policy", "greedy") if manifest.holds(kind)]
    entries = [
        (
            "game",
            f"{manifest.game_name or 'none that is shipped'} (fingerprint {manifest.game_fingerprint})",
        ),
        ("learner", training.learner),
        ("settings", _record_text(training.settings)),
        ("seed", f"{training.seed}, {training.num_threads} threads"),
        (
            "trained",
            f"{training.num_episodes:,} episodes in {training.hours:g} hours, version {training.commit}",
        ),
        ("abstraction", _record_text(manifest.abstraction)),
        *([("bets", _record_text(manifest.bets))] if manifest.bets else []),
        (
            "holds",
            f"{' and '.join(kinds)}, stored as {manifest.storage}, played as {manifest.play}",
        ),
        *[("strength", _record_text(record)) for record in manifest.strength],
        ("size", f"{_num_bytes(folder):,} bytes"),
        *[("file", f"{name}  sha256 {digest}") for name, digest in manifest.files.items()],
    ]
    lines = [f"{name:12} {text}".rstrip() for name, text in entries]
    return "\n".join([*lines, "", manifest.game_text])


def _num_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def _record_text(record: Record) -> str:
    """Names and values in a line; whatever is no text or number as JSON writes it."""
    return ", ".join(
        f"{json.dumps(name)[1:-1]} {json.dumps(value).strip(chr(34))}"
        for name, value in record.items()
    )
