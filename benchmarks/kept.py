"""The figures that were measured last, and the page that shows them.

``./dev bench --keep NAME ...`` keeps what it measures below ``benchmarks/kept``, one file a
benchmark, and writes ``docs/measured.md`` anew from all that is kept. Benchmarks whose ``SECTION``
is STRENGTH tell how strong players are, all others how fast something is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import ModuleType

from benchmarks.figure import Figure, number_text
from tooling.markdown import wrapped

FOLDER = Path(__file__).parent / "kept"
PAGE = Path(__file__).parents[1] / "docs" / "measured.md"
STRENGTH, SPEED = "Strength", "Speed"
DAY = re.compile(r"\b20\d\d-\d\d-\d\d\b")
INTRODUCTION = """\
# Measured

Written by `./dev bench --keep NAME ...`; do not edit. Each table has its command, the date, the
machine and its load. ± is half of a 95 % confidence interval. [Methods](methods/README.md) has
other measurements, and what did not work.
"""


@dataclass(frozen=True, slots=True)
class Kept:
    """The *figures* of the benchmark called *name*, measured on the *machine* on a *day*.

    *words* are those behind ``./dev bench``, if there are more than the name.
    """

    name: str
    day: str
    machine: str
    figures: tuple[Figure, ...]
    words: str = ""


def keep(kept: Kept, folder: Path = FOLDER) -> None:
    """Write *kept* to its file in *folder*."""
    folder.mkdir(exist_ok=True)
    text = json.dumps(asdict(kept), indent=1, ensure_ascii=False)
    (folder / f"{kept.name}.json").write_text(text + "\n", encoding="utf-8")


def keep_beside_others(kept: Kept, folder: Path = FOLDER) -> None:
    """Keep figures beside those of other names that the same words have measured.

    Those of another day say so in their notes.
    """
    path = folder / f"{kept.name}.json"
    earlier = _read(path) if path.exists() else kept
    figures = {
        figure.name: figure if earlier.day == kept.day else _dated(figure, earlier.day)
        for figure in earlier.figures
        if earlier.words == kept.words
    }
    figures |= {figure.name: figure for figure in kept.figures}
    keep(replace(kept, figures=tuple(figures.values())), folder)


def _dated(figure: Figure, day: str) -> Figure:
    """Return *figure* with the *day* in its note, if there is none yet."""
    if DAY.search(figure.note):
        return figure
    return replace(figure, note=f"{figure.note}, {day}" if figure.note else day)


def all_kept(folder: Path = FOLDER) -> list[Kept]:
    """Return the figures that are kept in *folder*, by name."""
    return [_read(path) for path in sorted(folder.glob("*.json"))]


def page(kept: Iterable[Kept], modules: Iterable[ModuleType]) -> str:
    """Return the page of what was *kept* of the benchmarks *modules*."""
    by_name = {module.__name__.rpartition(".")[2]: module for module in modules}
    sections: dict[str, list[str]] = {STRENGTH: [], SPEED: []}
    for found in kept:
        module = by_name[found.name]
        sections[getattr(module, "SECTION", SPEED)].append(
            "\n".join(_part(found, purpose_of(module)))
        )
    return wrapped(
        "\n".join(
            [
                INTRODUCTION,
                *[text for title, parts in sections.items() for text in (f"## {title}\n", *parts)],
            ]
        )
    )


def purpose_of(module: ModuleType) -> str:
    """Return the first sentence of what *module* says of itself."""
    return " ".join((module.__doc__ or "").split("\n\n")[0].split()).rstrip(".")


def _part(kept: Kept, purpose: str) -> Iterator[str]:
    yield f"### {purpose}\n"
    yield f"`./dev bench {kept.words or kept.name}`, {kept.day}: {kept.machine}\n"
    has_targets = any(figure.target is not None for figure in kept.figures)
    yield "| figure | value | target | |" if has_targets else "| figure | value | |"
    yield "|---|---:|---:|---|" if has_targets else "|---|---:|---|"
    for figure in kept.figures:
        target = "" if figure.target is None else f"{number_text(figure.target)} {figure.verdict}"
        cells = [
            figure.name,
            f"{number_text(figure.value)} {figure.unit}",
            *([target] if has_targets else []),
        ]
        yield f"| {' | '.join([*cells, figure.note])} |"
    yield ""


def _read(path: Path) -> Kept:
    found = json.loads(path.read_text(encoding="utf-8"))
    return Kept(**found | {"figures": tuple([Figure(**figure) for figure in found["figures"]])})
