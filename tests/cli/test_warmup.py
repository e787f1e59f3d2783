"""``acpcbot warmup``: what it makes ready of the strategies that come with the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.cli import kernels
from acpcbot.snapshots.manifest import MANIFEST_FILE

ROOT = Path(__file__).parents[2]


def test_each_strategy_that_is_there_is_made_ready_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Catches a search whose blueprint is a recipe so far: it would end the whole warm-up."""
    made: list[str] = []
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(kernels, "make_agent", lambda name, _definition, _seed: made.append(name))
    kernels.make_ready()
    stored = {path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "strategies").rglob(MANIFEST_FILE)}
    assert stored <= set(made)
    assert "strategies/leduc.nolimit.2p/search" in made
    assert len(made) == len(set(made))
