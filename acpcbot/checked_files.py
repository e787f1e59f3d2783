"""Files of stored folders: checksums, arrays out of checked bytes, folders put in place as wholes.

Nothing here unpickles: an array is its header's type and shape over bytes that are there. Files of
arrays end in ``.npy``, or in ``.npy.gz`` where gzip has compressed them.
"""

from __future__ import annotations

import gzip
import hashlib
import math
import os
import shutil
import zlib
from collections.abc import Collection, Mapping
from io import BytesIO
from pathlib import Path

import numpy as np

from acpcbot.arrays import AnyArray

ARRAY_SUFFIX, COMPRESSED_SUFFIX = ".npy", ".npy.gz"
COMPRESSION_LEVEL = 9

HEADER_READERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def checksum(path: Path) -> str:
    """Return the SHA-256 of the file at *path*."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def verified_files(
    folder: Path, checksums: Mapping[str, str], unchecked: Collection[str]
) -> dict[str, bytes]:
    """Return the contents of the files named in *checksums*.

    Raises ValueError unless *folder* holds them whole, and no others but the *unchecked*.
    """
    found = {path.name: path for path in folder.iterdir() if path.name not in unchecked}
    contents = {}
    for name in sorted({*found, *checksums}):
        if name not in found:
            raise ValueError(f"{name} is missing")
        if name not in checksums or not found[name].is_file():
            raise ValueError(f"{name!r} does not belong there")
        contents[name] = found[name].read_bytes()
        if hashlib.sha256(contents[name]).hexdigest() != checksums[name]:
            raise ValueError(f"{name} does not match its checksum")
    return contents


def array_from_bytes(name: str, data: bytes) -> AnyArray:
    """Return the array in the bytes of the file *name*, read-only.

    There is no copy unless the file is compressed. Raises ValueError.
    """
    if name.endswith(COMPRESSED_SUFFIX):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise ValueError(f"{name} is no whole file of gzip ({error})") from None
    file = BytesIO(data)
    try:
        shape, is_fortran, kind = HEADER_READERS[np.lib.format.read_magic(file)](file)
        array = np.frombuffer(data, kind, math.prod(shape), file.tell())
    except (KeyError, ValueError) as error:
        raise ValueError(f"{name} holds no array of numbers ({error})") from None
    return array.reshape(shape, order="F" if is_fortran else "C")


def array_name(file_name: str) -> str:
    """Return the name of the array in the file *file_name*, without its suffix.

    >>> array_name("policy.3.npy.gz")
    'policy.3'
    """
    return file_name.removesuffix(COMPRESSED_SUFFIX).removesuffix(ARRAY_SUFFIX)


def write_compressed(path: Path, array: AnyArray) -> None:
    """Write *array* to the file *path*, compressed; equal arrays give equal bytes."""
    plain = BytesIO()
    np.save(plain, array, allow_pickle=False)
    path.write_bytes(gzip.compress(plain.getvalue(), COMPRESSION_LEVEL, mtime=0))


def put_in_place(draft: Path, folder: Path) -> None:
    """Move the folder *draft* to *folder*.

    Between two renames the previous contents are kept beside it, and restored if the move fails.
    """
    retired = folder.with_name(f".{folder.name}.old")
    shutil.rmtree(retired, ignore_errors=True)
    if folder.exists():
        os.rename(folder, retired)
    try:
        os.rename(draft, folder)
    except OSError:
        if retired.exists():
            os.rename(retired, folder)
        raise
    shutil.rmtree(retired, ignore_errors=True)
