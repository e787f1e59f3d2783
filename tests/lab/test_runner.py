"""Experiments that are interrupted, killed, resumed, and done by several processes."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import LONGEST_S, children_of, is_alive, start, wait_until
from tests.lab.running import kept_units, run_lab, table

WORDS = ("coordination", "--games", 20, "--simulations", 400_000)
NUM_UNITS = 8

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    """The rows of one process that nobody stops."""
    folder = tmp_path_factory.mktemp("lab") / "whole"
    run_lab(folder, *WORDS, "--jobs", 1)
    return table(folder)


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that has finished at least one unit, and not all."""
    process = start(tmp_path, "lab", *WORDS, "--jobs", 2, "-o", "lab")
    try:
        wait_until(lambda: len(kept_units(tmp_path / "lab")) > 0, "a unit is finished")
        yield process
    finally:
        process.kill()
        process.communicate(timeout=LONGEST_S)


def test_a_killed_experiment_goes_on_with_the_units_that_are_missing(
    tmp_path: Path, begun: subprocess.Popen[str], uninterrupted: list[dict[str, str]]
) -> None:
    """Caught: rows lost or doubled, workers that outlive their parent, seeds by process."""
    workers = children_of(begun)
    begun.kill()
    begun.communicate(timeout=LONGEST_S)
    wait_until(lambda: not any(map(is_alive, workers)), "the workers are gone", longest_s=20.0)
    folder = tmp_path / "lab"
    kept = (folder / "rows.jsonl").read_bytes()
    kept = kept[: kept.rfind(b"\n") + 1]
    assert 0 < len(kept_units(folder)) < NUM_UNITS
    # The rest of a write that was cut off.
    with (folder / "rows.jsonl").open("ab") as file:
        file.write(b'{"unit": "OOS fr')
    run_lab(folder, *WORDS, "--jobs", 2)
    assert (folder / "rows.jsonl").read_bytes().startswith(kept)
    assert len(kept_units(folder)) == len(set(kept_units(folder))) == NUM_UNITS
    assert table(folder) == uninterrupted
    assert not (folder / "unfinished").exists()


def test_an_interrupt_ends_in_good_order_and_says_how_to_go_on(
    tmp_path: Path, begun: subprocess.Popen[str], uninterrupted: list[dict[str, str]]
) -> None:
    workers = children_of(begun)
    begun.send_signal(signal.SIGINT)
    _, talk = begun.communicate(timeout=LONGEST_S)
    assert begun.returncode == 130
    assert "finished units are kept in lab; the same command goes on" in talk
    assert "Traceback" not in talk
    wait_until(lambda: not any(map(is_alive, workers)), "the workers are gone", longest_s=20.0)
    run_lab(tmp_path / "lab", *WORDS)
    assert table(tmp_path / "lab") == uninterrupted
