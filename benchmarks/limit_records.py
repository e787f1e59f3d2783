"""The records of whole best responses in limit hold'em that the repository keeps, flop by flop.

``python -m benchmarks.limit_records STRATEGY`` adds what is done in the cache to those kept, in one
more file below ``benchmarks/kept/limit_records``; an exact result can so be made in several sittings
and on several machines, and be checked by anyone without its hours. Numbers are rounded to ten
significant bits, 1 part in 1,024, those of earlier files to 17; the errors of so many cancel out:
the exploitability of ``smooth_uct`` changes by less than 0.0001 mbb a hand. Where files or play
settings of the strategy have changed, what is kept of it does not count.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from acpcbot.arrays import AnyArray, Floats, Ints
from acpcbot.evaluation.exploitability.board_responses.records import (
    Records,
    Settings,
    default_folder,
)
from acpcbot.evaluation.exploitability.board_responses.run import (
    StoredTarget,
    record_shape,
    strategy_lines,
)
from acpcbot.poker.shipped import shipped_definition
from acpcbot.trees.board_tree import first_boards
from benchmarks.kept import FOLDER

GAME = "holdem.limit.2p.reverse_blinds"
RECORDS = FOLDER / "limit_records"
BITS = 10


def unpack(player: str, settings: Settings, records: Records, folder: Path = RECORDS) -> Ints:
    """Put what is kept of *player* among its *records* and return the flops of which that is so."""
    kept = []
    for numbers, values in _packs(player, settings, folder):
        for number, record in zip(numbers.tolist(), values, strict=True):
            if not records.has(number):
                records.keep(number, record)
            kept.append(number)
    return np.array(sorted(kept), np.int64)


def pack(
    player: str, settings: Settings, records: Records, num_flops: int, folder: Path = RECORDS
) -> Path | None:
    """Keep those of *records* of *num_flops* that are done and not kept, in one more file.

    Returns the file, or None if there is nothing new.
    """
    known = {number for numbers, _ in _packs(player, settings, folder) for number in numbers}
    done = [number for number in range(num_flops) if records.has(number) and number not in known]
    if not done:
        return None
    values = rounded(np.stack([records.read(number) for number in done]))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{_file_name(player)}.{done[0]}-{done[-1]}.npz"
    # Bytes of equal weight stand side by side: they compress to two thirds.
    planes = np.ascontiguousarray(values.view(np.uint8).reshape(-1, 4).T)
    np.savez_compressed(
        path,
        settings=np.array(_text(settings)),
        numbers=np.array(done, np.int64),
        shape=np.array(values.shape, np.int64),
        planes=planes,
    )
    return path


def rounded(values: Floats) -> AnyArray:
    """Return *values* as float32 with BITS significant bits."""
    parts, exponents = np.frexp(values)
    short: AnyArray = np.ldexp(np.round(np.ldexp(parts, BITS)), exponents - BITS)
    return short.astype(np.float32)


def _packs(player: str, settings: Settings, folder: Path) -> Iterator[tuple[Ints, Floats]]:
    """Yield the flops and the records of each file that is kept of *player*."""
    for path in sorted(folder.glob(f"{_file_name(player)}.*.npz")):
        with np.load(path, allow_pickle=False) as found:
            if str(found["settings"]) == _text(settings):
                planes = np.ascontiguousarray(found["planes"].T)
                values = planes.view(np.float32).reshape(found["shape"])
                yield found["numbers"], values.astype(np.float64)


def _file_name(player: str) -> str:
    return player.replace("?play=", "-")


def _text(settings: Mapping[str, object]) -> str:
    return json.dumps(settings, sort_keys=True)


def target_of(player: str) -> StoredTarget:
    """Return a strategy as best responses load it."""
    return StoredTarget(shipped_definition(GAME), path_of(player))


def records_of(player: str) -> tuple[Settings, Records]:
    """Return what the records of a strategy depend on, and those in the cache."""
    target = target_of(player)
    settings = target.settings()
    shape = record_shape(strategy_lines(target.definition, target.strategy()))
    return settings, Records(default_folder(settings), settings, shape)


def path_of(player: str) -> str:
    """Return the path of a strategy, with its play settings."""
    return f"strategies/{GAME}/{player}"


def main(players: list[str]) -> int:
    """Keep what is done of *players* and say which file that is."""
    num_flops = len(first_boards(shipped_definition(GAME)))
    for player in players:
        path = pack(player, *records_of(player), num_flops)
        print(path or f"nothing new of {player}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
