"""The folder of an experiment: settings, rows of finished units, checkpoints, CSV.

``experiment.json``  what is run here; another experiment or other settings are refused
``rows.jsonl``       a line for each finished unit, in the order in which they ended
``unfinished/``      a folder for each unit in progress, for its checkpoints
``table.csv``        all rows, in the order of units
``plot.png``         the plot (charts.py)

A line is written at once and whole. An unfinished last line, the rest of a killed write, is cut
off.
"""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from acpcbot.errors import UsageError
from acpcbot.lab.experiment import Budget, Line, Row, Unit
from acpcbot.matches.intervals import student_95
from acpcbot.matches.match_files import open_for_lines, write_all

FORMAT = 1
SETTINGS_FILE, ROWS_FILE, TABLE_FILE, PLOT_FILE = (
    "experiment.json",
    "rows.jsonl",
    "table.csv",
    "plot.png",
)
UNFINISHED = "unfinished"
LOCK_FILE = ".lock"


class Results:
    """The rows of finished units in *folder*; ``begin`` goes before the first one is kept.

    Raises UsageError for a folder of another experiment, of other settings, or of other units.
    """

    def __init__(
        self, folder: Path, experiment: str, budget: Budget, units: Sequence[Unit]
    ) -> None:
        self.folder, self.units = folder, list(units)
        self._rows: dict[str, list[Row]] = {}
        self._seconds: dict[str, float] = {}
        self._file: BinaryIO | None = None
        self._settings = {"format": FORMAT, "experiment": experiment, "budget": asdict(budget)}
        if (folder / SETTINGS_FILE).exists():
            self._verify_settings()
        elif folder.exists() and any(path.name != LOCK_FILE for path in folder.iterdir()):
            raise UsageError(f"{folder} holds other files", "name a new folder: -o FOLDER")
        self._read()

    @property
    def rows(self) -> list[Row]:
        """The rows of all finished units, in the order of units."""
        return [row for unit in self.units for row in self._rows.get(unit.name, [])]

    @property
    def missing(self) -> list[Unit]:
        """The units that are not finished."""
        return [unit for unit in self.units if unit.name not in self._rows]

    @property
    def seconds(self) -> dict[str, float]:
        """The seconds of CPU that finished units took, by name."""
        return dict(self._seconds)

    def begin(self) -> None:
        """Write the settings to the folder, and open the file of rows."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(
            self.folder / SETTINGS_FILE, (json.dumps(self._settings, indent=2) + "\n").encode()
        )
        self._file = open_for_lines(self.folder / ROWS_FILE, "rows", appends=True)

    def keep(self, unit: Unit, rows: Sequence[Row], cpu_seconds: float) -> None:
        """Keep the rows of a finished unit, and delete its checkpoints."""
        assert self._file is not None, "begin comes first"
        record = {"unit": unit.name, "cpu_seconds": round(cpu_seconds, 3), "rows": list(rows)}
        write_all(self._file, f"{json.dumps(record)}\n".encode())
        self._add(record)
        shutil.rmtree(self.scratch_folder(unit), ignore_errors=True)

    def scratch_folder(self, unit: Unit) -> Path:
        """Return the folder for the checkpoints of *unit*."""
        return self.folder / UNFINISHED / f"{self.units.index(unit):04d}"

    def close(self) -> None:
        """Close the file of rows, and take away the folder of checkpoints where it is empty."""
        if self._file is not None:
            self._file.close()
            self._file = None
        if not self.missing:
            shutil.rmtree(self.folder / UNFINISHED, ignore_errors=True)

    def write_table(self) -> Path:
        """Write all rows as CSV, and return the file."""
        rows = self.rows
        columns = list(dict.fromkeys(name for row in rows for name in row))
        text = io.StringIO()
        writer = csv.DictWriter(text, columns or ["unit"], restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        path = self.folder / TABLE_FILE
        write_whole(path, text.getvalue().encode())
        return path

    def _verify_settings(self) -> None:
        path = self.folder / SETTINGS_FILE
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise UsageError(f"{path}: {error}", "name a new folder: -o FOLDER") from None
        if found != self._settings:
            raise UsageError(
                f"{self.folder} holds {_words(found)}, not {_words(self._settings)}",
                "name another folder, -o FOLDER, or ask for the same again",
            )

    def _read(self) -> None:
        path = self.folder / ROWS_FILE
        if not path.exists():
            return
        known = {unit.name for unit in self.units}
        for line in path.read_bytes().splitlines(keepends=True):
            if line.endswith(b"\n"):
                try:
                    record = json.loads(line)
                    is_known = record["unit"] in known
                    self._add(record)
                except (ValueError, KeyError, TypeError):
                    raise UsageError(
                        f"{path}: a line cannot be read", "begin anew in another folder: -o FOLDER"
                    ) from None
                if not is_known:
                    raise UsageError(
                        f"{path}: {record['unit']!r} is none of this version's units",
                        "begin anew in another folder: -o FOLDER",
                    )

    def _add(self, record: dict[str, Any]) -> None:
        name = record["unit"]
        settings = dict(next((u.settings for u in self.units if u.name == name), ()))
        self._rows[name] = [{"unit": name, **settings, **row} for row in record["rows"]]
        self._seconds[name] = float(record["cpu_seconds"])


def write_whole(path: Path, data: bytes) -> None:
    """Write *data* to *path* so that a killed process leaves the old file or the new one."""
    draft = path.with_name(f"{path.name}.new")
    draft.write_bytes(data)
    os.replace(draft, path)


def where(rows: Sequence[Row], **columns: object) -> list[Row]:
    """Return the rows that have these values in these columns."""
    return [row for row in rows if all(row.get(name) == value for name, value in columns.items())]


def numbers(rows: Sequence[Row], column: str) -> list[float]:
    """Return the numbers of a column, of the rows that have it."""
    return [float(row[column]) for row in rows if column in row]


def mean_and_half_width(values: Sequence[float]) -> tuple[float | None, float | None]:
    """Return the mean, and half the width of its 95 % interval by Student's t.

    None for the mean of nothing, and for the interval of one value.

    >>> mean_and_half_width([1.0]), mean_and_half_width([])
    ((1.0, None), (None, None))
    """
    if len(values) == 0:
        return None, None
    mean = float(np.mean(values))
    if len(values) == 1:
        return mean, None
    if min(values) == max(values):
        return mean, 0.0
    error = float(np.std(values, ddof=1)) / len(values) ** 0.5
    return mean, float(student_95(np.array(float(len(values) - 1)))) * error


def mean_line(rows: Sequence[Row], column: str, at: str, label: str, color: int) -> Line:
    """Return the line of a chart through the means of *column*, with intervals, by column *at*."""
    curve = []
    for x in sorted(set(numbers(rows, at))):
        mean, half_width = mean_and_half_width(numbers(where(rows, **{at: x}), column))
        if mean is not None:
            curve.append((x, mean, half_width or 0.0))
    return Line(
        label=label,
        xs=[x for x, _, _ in curve],
        ys=[y for _, y, _ in curve],
        half_widths=[half for _, _, half in curve],
        color=color,
    )


def _words(settings: dict[str, Any]) -> str:
    """Return an experiment and its budget as the command line says them."""
    words = [str(settings.get("experiment", "?"))]
    budget = settings.get("budget")
    for name, value in (budget if isinstance(budget, dict) else {}).items():
        if name == "is_full":
            words += ["--full"] if value else []
        elif value is not None:
            words.append(f"--{name} {value}")
    return " ".join(words)
