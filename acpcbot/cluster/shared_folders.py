"""Folders that work reads, brought to the nodes of a cluster: listed, checked, written once a node.

A receiver writes the files to ``CACHE/cluster/KEY``, where KEY is a checksum of their names and
contents, and renames the folder into place whole. Relative places are kept, so that a folder which
names another one beside it, as a search names its blueprint, finds it there.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from acpcbot.cache_folders import cache_root
from acpcbot.errors import UsageError

KEY_DIGITS = 32
READ_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class SharedFile:
    """A file by its place below the base, with its size and checksum."""

    name: str
    num_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class SharedFolders:
    """All files of some folders, which lie below *base* at the sender."""

    base: Path
    files: tuple[SharedFile, ...]

    @property
    def key(self) -> str:
        """The checksum of names and contents."""
        digest = hashlib.sha256()
        for file in self.files:
            digest.update(f"{file.name}\0{file.sha256}\n".encode())
        return digest.hexdigest()[:KEY_DIGITS]

    @property
    def num_bytes(self) -> int:
        """The size of all files."""
        return sum(file.num_bytes for file in self.files)

    def move(self, root: Path) -> Callable[[Path], Path]:
        """Return where a folder of the sender lies below *root*."""
        return lambda folder: root / absolute(folder).relative_to(self.base)


def absolute(folder: Path) -> Path:
    """Return the absolute path of *folder*, without ``..``; links are not followed."""
    return Path(os.path.abspath(folder))


def list_folders(folders: Sequence[Path]) -> SharedFolders:
    """Return the files in and below *folders*, hidden ones left out."""
    places = list(dict.fromkeys(absolute(folder) for folder in folders))
    if not places:
        return SharedFolders(Path(), ())
    base = Path(os.path.commonpath([place.parent for place in places]))
    paths = sorted({path for place in places for path in _files_below(place)})
    files = [
        SharedFile(path.relative_to(base).as_posix(), path.stat().st_size, _checksum(path))
        for path in paths
    ]
    return SharedFolders(base, tuple(files))


def receive_folders(shared: SharedFolders, read: Callable[[int], memoryview]) -> Path:
    """Return the folder of this node with the files of *shared*, written if it is missing.

    *read* returns the content of the file with an index. Raises UsageError for one that does not
    match its checksum.
    """
    place = cache_root() / "cluster" / shared.key
    if place.is_dir():
        return place
    place.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f"{shared.key}.", dir=place.parent))
    try:
        for index, file in enumerate(shared.files):
            content = read(index)
            if hashlib.sha256(content).hexdigest() != file.sha256:
                raise UsageError(
                    f"{file.name}: it was changed while it was sent", "repeat the command"
                )
            path = draft / file.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        # Another worker may be first; a folder that holds files is not replaced.
        with suppress(OSError):
            draft.rename(place)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return place


@contextmanager
def node_lock(name: str) -> Iterator[None]:
    """Hold the lock called *name* among the processes of this machine.

    Tables that work needs are made by one worker and read by the others. The lock ends with its
    process. Where the system has no such locks, workers make them at the same time.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    place = cache_root() / "cluster" / f"{name}.lock"
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _files_below(folder: Path) -> list[Path]:
    return [
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]


def _checksum(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(READ_BYTES):
            digest.update(chunk)
    return digest.hexdigest()
