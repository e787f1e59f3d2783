"""Results on stdout: one JSON document with ``--json``, and lines with colours on a terminal."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.text import Text


def add_json_argument(parser: argparse.ArgumentParser) -> None:
    """Add ``--json``."""
    parser.add_argument(
        "--json", action="store_true", help="print the result as one JSON document on stdout"
    )


def write_json(document: object, stream: TextIO | None = None) -> None:
    """Write *document* to stdout, or to *stream*; numbers that are not finite become null."""
    stream = stream or sys.stdout
    json.dump(_plain(document), stream, indent=2, ensure_ascii=False, allow_nan=False)
    print(file=stream)


def _plain(value: Any) -> Any:
    """Return *value* as JSON holds it."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(part) for part in value]
    return value


def print_lines(lines: Iterable[Text | str]) -> None:
    """Print *lines*, in colours where stdout is a terminal and ``NO_COLOR`` is not set.

    They are printed as they are: nothing in a name or a state is taken for markup or an emoji.
    """
    from rich.console import Console  # only lines need it, and it takes longer than a document

    console = Console(markup=False, emoji=False, highlight=False, soft_wrap=True)
    for line in lines:
        console.print(line)
