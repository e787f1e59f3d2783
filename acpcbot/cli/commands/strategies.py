"""``acpcbot strategies``: list trained strategies, show a manifest, verify checksums."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from acpcbot.cli.output import add_json_argument, write_json
from acpcbot.cli.phases import phase
from acpcbot.cli.strength_card import EXPLOITABILITY, Measurement, headline, measurements
from acpcbot.errors import AcpcbotError, BadSnapshot, UsageError
from acpcbot.networks.manifest import read_network_manifest
from acpcbot.networks.names import is_network, networks_below
from acpcbot.search.names import read_outline, searches_below
from acpcbot.strategies.finding import find_folder, missing_text, short_name, snapshots_below
from acpcbot.strategies.manifest import MANIFEST_FILE, Record, read_manifest
from acpcbot.strategies.network_strategy import GAME

DEFAULT_FOLDER = "strategies"
SHOW, VERIFY = "show", "verify"
MEGA = 1_000_000
LONGEST_NAME = 61
"""Longer names would leave no room for the figures within 100 columns."""

T = TypeVar("T")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A folder to list, or a verb and folders."""
    parser.add_argument(
        "what",
        nargs="?",
        default=DEFAULT_FOLDER,
        metavar="FOLDER|show|verify",
        help="list the strategies below a folder, show one's manifest, or "
        "verify every byte of some",
    )
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help=f"what to show, or to verify [{DEFAULT_FOLDER}]"
    )
    add_json_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """List, show or verify; damaged strategies are told of on stderr, and the status is 1 then."""
    what, paths = arguments.what, arguments.paths
    if arguments.json and what == VERIFY:
        raise UsageError(
            "verify with --json", "its exit status tells a program: 0 if all are whole"
        )
    if what == SHOW and len(paths) == 1:
        folder = _folder(paths[0])
        if is_network(folder):
            _show_network(folder, is_json=arguments.json)
        elif arguments.json:
            write_json({"name": short_name(folder), **asdict(read_manifest(folder))})
        else:
            print(_description(folder), end="")
        return 0
    if what == VERIFY:
        lines, status = _of_each(paths or [DEFAULT_FOLDER], _verdict, with_networks=True)
    elif what == SHOW or paths:
        raise UsageError(
            "one strategy is shown, and one folder listed, at a time",
            "show FOLDER, or FOLDER alone",
        )
    else:
        found, status = _of_each([what], _listed)
        found += map(_listed_search, searches_below(_folder(what)))
        found += map(_listed_network, networks_below(_folder(what)))
        if arguments.json:
            write_json([row.document() for row in found])
            return status
        lines = list(_table(found)) if found else []
    for line in lines:
        print(line)
    return status


def _of_each(
    names: Sequence[str], read: Callable[[Path], T], *, with_networks: bool = False
) -> tuple[list[T], int]:
    """Apply *read* to the strategies below each folder; the status is 1 if some are damaged."""
    found: list[T] = []
    faults: list[AcpcbotError] = []
    folders = [folder for name in names for folder in _below(_folder(name))]
    if with_networks:
        folders += [
            folder for name in names for folder in networks_below(_folder(name), with_leaves=True)
        ]
    for folder in folders:
        try:
            with phase(f"reading {short_name(folder)}"):
                found.append(read(folder))
        except (BadSnapshot, UsageError) as fault:
            faults.append(fault)
            print(f"error: {fault}", file=sys.stderr)
    if faults:
        print(f"\nhint: {faults[-1].hint}", file=sys.stderr)
    return found, int(bool(faults))


def _folder(name: str) -> Path:
    folder = find_folder(name)
    if folder is None:
        raise UsageError(f"no folder {name}", missing_text(name))
    return folder


def _below(folder: Path) -> list[Path]:
    """The stored strategies below *folder*.

    Itself where there is nothing, so that one without a manifest is damaged.
    """
    found = snapshots_below(folder)
    return found if found or networks_below(folder, with_leaves=True) else [folder]


def _verdict(folder: Path) -> str:
    if is_network(folder):
        from acpcbot.networks.stored import load_network

        load_network(folder)
        return f"{short_name(folder)}: whole"
    from acpcbot.strategies.files import load_snapshot  # a list reads manifests alone

    load_snapshot(folder)
    return f"{short_name(folder)}: whole"


class _Listed(NamedTuple):
    """A strategy as the list has it, stored or searching."""

    name: str
    game: str
    learner: str
    num_episodes: int | None
    hours: float | None
    num_bytes: int | None
    strength: Sequence[Measurement]
    blueprint: str | None
    """What a strategy that searches is built on; None of a stored one."""
    profiles: Sequence[str]

    def document(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            **self._asdict(),
            "strength": [figure._asdict() for figure in self.strength],
            "profiles": list(self.profiles),
        }


def _listed(folder: Path) -> _Listed:
    manifest = read_manifest(folder)
    training = manifest.training
    return _Listed(
        name=short_name(folder),
        game=manifest.game_label,
        learner=training.learner,
        num_episodes=training.num_episodes,
        hours=training.hours,
        num_bytes=_num_bytes(folder),
        strength=measurements(manifest.strength),
        blueprint=None,
        profiles=(),
    )


def _listed_search(folder: Path) -> _Listed:
    """Return a strategy that searches: its blueprint, if that is there, and its profiles."""
    found = read_outline(folder)
    is_there = (found.blueprint / MANIFEST_FILE).exists()
    return _Listed(
        name=short_name(folder),
        game=read_manifest(found.blueprint).game_label if is_there else "",
        learner="search",
        num_episodes=None,
        hours=None,
        num_bytes=None,
        strength=(),
        blueprint=(
            short_name(found.blueprint) if is_there else f"{found.blueprint}, which is missing"
        ),
        profiles=found.profiles,
    )


def _listed_network(folder: Path) -> _Listed:
    """Return a network with a search, with its least exploitability by simulations."""
    training = read_network_manifest(folder).training
    measured = training.get("exploitability") or {}
    return _Listed(
        name=short_name(folder),
        game=str(training.get(GAME, "")),
        learner="self_play",
        num_episodes=training.get("num_episodes"),
        hours=training.get("seconds", 0) / 3600,
        num_bytes=_num_bytes(folder),
        strength=[
            Measurement(EXPLOITABILITY, f"SoG({simulations},1)", mbb, None)
            for simulations, mbb in measured.items()
        ],
        blueprint=None,
        profiles=(),
    )


def _show_network(folder: Path, *, is_json: bool) -> None:
    """Print all that the manifest of the network in *folder* says."""
    manifest = read_network_manifest(folder)
    if is_json:
        write_json({"name": short_name(folder), **asdict(manifest)})
        return
    interface = asdict(manifest.interface)
    entries = [
        *[(name, _value_text(value)) for name, value in interface.items()],
        ("hidden", _value_text(manifest.hidden)),
        *[
            (name, _record_text(value) if isinstance(value, dict) else str(value))
            for name, value in manifest.training.items()
        ],
        ("size", f"{_num_bytes(folder):,} bytes"),
        *[("file", f"{name}  sha256 {digest}") for name, digest in manifest.files.items()],
    ]
    for name, text in entries:
        print(f"{name:16} {text}".rstrip())


def _value_text(value: Any) -> str:
    """Return a field of a network's interface in a line."""
    if not isinstance(value, list | tuple):
        return str(value)
    return ", ".join(
        f"{entry['name']} ({entry['size']})" if isinstance(entry, dict) else str(entry)
        for entry in value
    )


def _table(listed: Sequence[_Listed]) -> Iterator[str]:
    """Yield the lines of a table, by game, at most 100 columns wide.

    A name that leaves no room for its figures stands on a line of its own.
    """
    figures = f"{'hours':>5} {'MB':>5}  strength, mbb/hand"
    width = min(max(len(row.name) for row in listed), LONGEST_NAME)
    yield f"  {'':{width}} {figures}"
    for game in sorted({row.game for row in listed}):
        yield game or "games that are not known"
        for row in (row for row in listed if row.game == game):
            yield from _rows(row, width)


def _rows(row: _Listed, width: int) -> Iterator[str]:
    if row.blueprint is not None:
        yield f"  {row.name}"
        yield f"    searches from {row.blueprint}"
        yield f"    profiles {', '.join(row.profiles)}"
        return
    best = headline(row.strength)
    size = f"{(row.num_bytes or 0) / MEGA:.1f}"
    figures = f"{row.hours or 0:5.2f} {size:>5}  {best.text if best else 'not measured'}"
    if len(row.name) > width:
        yield f"  {row.name}"
        yield f"  {'':{width}} {figures}"
    else:
        yield f"  {row.name:{width}} {figures}"


def _description(folder: Path) -> str:
    """All that the manifest in *folder* says, a line an entry, the game's text last."""
    manifest = read_manifest(folder)
    training = manifest.training
    kinds = [kind for kind in ("policy", "greedy") if manifest.holds(kind)]
    entries = [
        (
            "game",
            f"{manifest.game_name or 'none that is shipped'} (fingerprint "
            f"{manifest.game_fingerprint})",
        ),
        ("learner", training.learner),
        ("settings", _record_text(training.settings)),
        ("seed", f"{training.seed}, {training.num_threads} threads"),
        (
            "trained",
            f"{training.num_episodes:,} episodes in {training.hours:g} "
            f"hours, version {training.commit}",
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
