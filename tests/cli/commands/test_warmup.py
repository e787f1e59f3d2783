"""``acpcbot warmup``: what it makes ready of the strategies that come with the project."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from threading import Timer

import pytest

from acpcbot.cli import kernels
from acpcbot.cli.commands.warmup import warmed_up
from acpcbot.errors import UsageError
from acpcbot.strategies.manifest import MANIFEST_FILE

ROOT = Path(__file__).parents[3]


def test_each_strategy_that_is_there_is_made_ready_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Catches a search whose blueprint is a recipe so far: it would end the whole warm-up."""
    made: list[str] = []
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(kernels, "make_agent", lambda name, _definition, _seed: made.append(name))
    kernels.make_stored_ready()
    kernels.make_searches_ready()
    stored = {
        path.parent.relative_to(ROOT).as_posix()
        for path in (ROOT / "strategies").rglob(MANIFEST_FILE)
    }
    assert stored <= set(made)
    assert "strategies/leduc.nolimit.2p/search" in made
    assert len(made) == len(set(made))


@pytest.mark.slow
def test_processes_share_the_work_and_end_with_it() -> None:
    """Catches a part that nobody does, and processes that stay: after the end, or after a
    caller who left.
    """
    parts = ["evaluators", "suit isomorphism", "reports"]
    assert sorted(name for name, _ in warmed_up(parts, 2)) == sorted(parts)
    assert not active_children()
    work = warmed_up(parts, 2)
    next(work)
    assert isinstance(work, Generator)
    work.close()
    assert not active_children()


def kill_children() -> None:
    for child in active_children():
        child.kill()


def test_a_process_that_the_system_ends_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches waiting for ever for one that ran out of memory."""
    monkeypatch.setenv("ACPCBOT_CACHE", str(tmp_path))  # so that there is much to compile
    work, ending = warmed_up(["range solver"], 2), Timer(3.0, kill_children)
    ending.start()
    with pytest.raises(UsageError, match="was ended"):
        next(work)
    ending.join()


def test_one_process_does_the_same_work_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Catches another process where one was asked for."""
    called: list[str] = []
    for name in ("evaluators", "reports"):
        monkeypatch.setitem(kernels.WARM_UPS, name, partial(called.append, name))
    assert (
        [name for name, _ in warmed_up(["reports", "evaluators"], 1)]
        == ["reports", "evaluators"]
        == called
    )
