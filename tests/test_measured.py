"""The page of measured figures: made from what is kept, and from nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks import __main__ as program
from benchmarks.__main__ import find_benchmarks
from benchmarks.figure import Figure
from benchmarks.kept import PAGE, Kept, all_kept, keep, page

FAST = Figure(name="hands", value=1234.5, unit="hands/s", target=1000, note="alone")
STRONG = Figure(name="won", value=-0.25, unit="mbb", note="± 0.1", higher_is_better=False)


def module(name: str, about: str, **content: object) -> ModuleType:
    made = ModuleType(f"benchmarks.{name}", about)
    vars(made).update(content)
    return made


MODULES = [
    module("speed", "How fast it is, as\nfar as known.\n\nAnd more.", figures=lambda: iter([FAST])),
    module(
        "duel", "Who wins.", figures=lambda: iter([STRONG]), SECTION="Strength", ONLY_BY_NAME=True
    ),
]


def test_the_page_is_what_the_kept_figures_make_it() -> None:
    """Catches a page that was edited, or figures that were changed without it."""
    assert PAGE.read_text(encoding="utf-8") == page(all_kept(), find_benchmarks())


def test_a_kept_figure_replaces_the_old_one(tmp_path: Path) -> None:
    kept = Kept("speed", "2026-01-02", "a machine", (FAST, STRONG))
    keep(kept, tmp_path)
    keep(replace(kept, name="duel"), tmp_path)
    keep(replace(kept, figures=(FAST,)), tmp_path)
    assert all_kept(tmp_path) == [replace(kept, name="duel"), replace(kept, figures=(FAST,))]


def test_the_page_says_how_each_figure_was_measured_and_what_it_was_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, target = tmp_path / "kept", tmp_path / "measured.md"
    monkeypatch.setattr(program, "find_benchmarks", lambda: MODULES)
    monkeypatch.setattr(program, "PAGE", target)
    monkeypatch.setattr(program, "keep", lambda kept: keep(kept, folder))
    monkeypatch.setattr(program, "all_kept", lambda: all_kept(folder))
    monkeypatch.setattr(program, "describe_machine", lambda: "a machine")
    assert program.main(["--keep", "speed", "duel"]) == 0
    assert "1,234" in capsys.readouterr().out
    text = target.read_text(encoding="utf-8")
    strong, fast = text.split("\n## Strength\n")[1].split("\n## Speed\n")
    assert "### Who wins\n" in strong
    assert "| won | -0.25 mbb | ± 0.1 |" in strong
    assert "### How fast it is, as far as known\n" in fast
    assert "a machine" in fast
    assert "`./dev bench speed`" in fast
    assert "| hands | 1,234 hands/s | 1,000 ok | alone |" in fast


def test_figures_are_kept_on_request_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "find_benchmarks", lambda: MODULES)
    monkeypatch.setattr(program, "keep", lambda kept: keep(kept, tmp_path))
    assert program.main(["speed"]) == 0
    assert all_kept(tmp_path) == []
