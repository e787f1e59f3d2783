"""Results of parts that are kept in a folder: interrupts, kills, and folders of other work."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from acpcbot.agents.strategy_folders import strategy_identity
from acpcbot.cluster import kept_parts
from acpcbot.cluster.build import current_build
from acpcbot.cluster.kept_parts import PARTS_FILE, KeptParts
from acpcbot.cluster.local import LocalProcesses, results_in_order
from acpcbot.errors import UsageError
from tests.support.cluster_works import Draws, FailingDraws

WORK = Draws(3)


def opened(folder: Path, **identity: object) -> KeptParts[int, bytes]:
    return KeptParts(folder, {"seed": 3, **identity}, int, bytes.hex, bytes.fromhex)


def carried_out(kept: KeptParts[int, bytes], parts: Sequence[int]) -> tuple[list[bytes], list[int]]:
    """Return the results of *parts*, and those parts that were not kept before."""
    found, done = dict[int, bytes](), list[int]()

    class Watched:
        def run(self, work: Any, asked: Sequence[Any], keep: Callable[[int, Any], None]) -> None:
            done.extend(asked)
            LocalProcesses(1).run(work, asked, keep)

    kept.run(Watched(), WORK, parts, lambda index, result: found.update({index: result}))
    return [found[index] for index in range(len(parts))], done


def test_parts_that_are_kept_are_not_done_again(tmp_path: Path) -> None:
    """Catches results under the place of another part where some parts were done before."""
    expected = [WORK.part(part) for part in range(8)]
    assert carried_out(opened(tmp_path), [2, 5]) == ([expected[2], expected[5]], [2, 5])
    assert carried_out(opened(tmp_path), range(8)) == (expected, [0, 1, 3, 4, 6, 7])
    assert carried_out(opened(tmp_path), range(8)) == (expected, [])
    assert results_in_order(WORK, 8, 2, kept=opened(tmp_path)) == expected


def test_parts_done_before_an_error_stay(tmp_path: Path) -> None:
    told = list[tuple[int, int]]()
    with pytest.raises(UsageError, match="part 2 is at fault"):
        results_in_order(FailingDraws(3), 4, 1, kept=opened(tmp_path))
    found = results_in_order(
        WORK, 4, 1, lambda done, total: told.append((done, total)), kept=opened(tmp_path)
    )
    assert sorted(opened(tmp_path).results) == [0, 1, 2, 3]
    assert found[2:] == [WORK.part(2), WORK.part(3)]
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_a_file_that_was_cut_anywhere_is_gone_on_with(tmp_path: Path) -> None:
    """Catches a line that is written behind half a line, and a first line that is cut."""
    expected = [WORK.part(part) for part in range(3)]
    carried_out(opened(tmp_path), range(3))
    path = tmp_path / PARTS_FILE
    whole = path.read_bytes()
    for length in range(0, len(whole) + 1, 7):
        path.write_bytes(whole[:length])
        found, done = carried_out(opened(tmp_path), range(3))
        assert found == expected
        assert len(done) == 3 - max(0, whole[:length].count(b"\n") - 1)
        assert path.read_bytes() == whole


def test_a_folder_of_other_work_or_another_build_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    carried_out(opened(tmp_path), range(3))
    before = (tmp_path / PARTS_FILE).read_bytes()
    with pytest.raises(UsageError, match="results of other work"):
        opened(tmp_path, menu="fc")
    newer = replace(current_build(), source="changed")
    monkeypatch.setattr(kept_parts, "current_build", lambda: newer)
    with pytest.raises(UsageError, match="results of another build: source ") as caught:
        opened(tmp_path)
    assert str(caught.value).endswith(", expected changed")
    assert (tmp_path / PARTS_FILE).read_bytes() == before


@pytest.mark.parametrize("line", ["[1]", '["one", "00"]', '[1, "0"]', "no", '{"part": 1}', "[]"])
def test_a_damaged_line_is_named(line: str, tmp_path: Path) -> None:
    carried_out(opened(tmp_path), range(1))
    with (tmp_path / PARTS_FILE).open("a") as file:
        file.write(f"{line}\n")
    with pytest.raises(UsageError, match="line 3: "):
        opened(tmp_path)


def test_a_strategy_with_another_file_is_another_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches searches whose blueprint is trained on, or whose settings are changed."""
    monkeypatch.chdir(tmp_path)
    for name in ("own", "blueprint"):
        Path(name).mkdir()
    Path("own/search.toml").write_text(
        'blueprint = "../blueprint"\n[profiles.a.river]\nmenus=["1"]'
    )
    Path("blueprint/manifest.json").write_text(json.dumps({"iterations": 1}))
    first = strategy_identity("own")
    assert [list(files) for files in first["folders"]] == [["search.toml"], ["manifest.json"]]  # type: ignore[attr-defined]
    Path("own/README.md").write_text("words")
    assert strategy_identity("own") == first
    Path("blueprint/manifest.json").write_text(json.dumps({"iterations": 2}))
    assert strategy_identity("own") != first
    assert strategy_identity("call") == {"name": "call", "folders": []}
