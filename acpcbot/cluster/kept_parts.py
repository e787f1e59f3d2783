"""Results of parts of work, kept in a folder, from which an interrupted run goes on.

``parts.jsonl`` has a line that says what the work is, and by which build of the program it is done,
and a line for each part that is done: the part and its result. A line that a killed process left
unfinished does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic

import msgspec

from acpcbot.cluster.build import Build, current_build, difference
from acpcbot.cluster.work import PartT, ResultT, Work, Workers
from acpcbot.errors import UsageError

FORMAT = 1
PARTS_FILE = "parts.jsonl"
HINT = "name another folder, or delete this one"


class KeptParts(Generic[PartT, ResultT]):
    """The results in *folder* of work that *identity* tells from any other.

    *part_type* is one that msgspec makes from JSON. *encode* makes what JSON can hold from a
    result, and *decode* the result from that. Raises UsageError for a folder of other work or of
    another build, and for a damaged file.
    """

    def __init__(
        self,
        folder: Path,
        identity: Mapping[str, object],
        part_type: type[PartT],
        encode: Callable[[ResultT], object],
        decode: Callable[[Any], ResultT],
    ) -> None:
        self._path, self._encode = folder / PARTS_FILE, encode
        self.results: dict[PartT, ResultT] = {}
        first = msgspec.json.encode(
            {"format": FORMAT, "build": current_build(), "work": dict(identity)}
        )
        folder.mkdir(parents=True, exist_ok=True)
        data = self._path.read_bytes() if self._path.exists() else b""
        whole, mark, _ = data.rpartition(b"\n")
        if not mark:
            self._path.write_bytes(first + b"\n")
            return
        lines = whole.split(b"\n")
        if lines[0] != first:
            raise UsageError(f"{self._path} has results of {_other(lines[0])}", HINT)
        for number, line in enumerate(lines[1:], 2):
            try:
                part, result = msgspec.json.decode(line)
                self.results[msgspec.convert(part, part_type)] = decode(result)
            except (ValueError, TypeError) as error:
                raise UsageError(f"{self._path}, line {number}: {error}", HINT) from None
        with self._path.open("r+b") as file:
            file.truncate(len(whole + mark))

    def left(self, parts: Sequence[PartT]) -> list[PartT]:
        """Return those of *parts* whose results are not here."""
        return [part for part in parts if part not in self.results]

    def run(
        self,
        workers: Workers,
        work: Work[PartT, ResultT],
        parts: Sequence[PartT],
        keep: Callable[[int, ResultT], None],
    ) -> None:
        """Hand over the results that are here, let *workers* carry out the others, and keep them.

        *keep* is called as by ``Workers.run``.
        """
        places, left = {part: index for index, part in enumerate(parts)}, self.left(parts)
        for part, index in places.items():
            if part in self.results:
                keep(index, self.results[part])

        def keep_new(number: int, result: ResultT) -> None:
            self._add(left[number], result)
            keep(places[left[number]], result)

        workers.run(work, left, keep_new)

    def _add(self, part: PartT, result: ResultT) -> None:
        self.results[part] = result
        with self._path.open("ab") as file:
            file.write(msgspec.json.encode((part, self._encode(result))) + b"\n")


class _Head(msgspec.Struct):
    """The build in the first line of a file; other fields are passed over."""

    build: Build


def _other(line: bytes) -> str:
    """Return the reason, in words, why the results behind the first *line* are not the wanted."""
    try:
        found = difference(current_build(), msgspec.json.decode(line, type=_Head).build)
    except ValueError:
        found = ""
    return f"another build: {found}" if found else "other work"
