"""Two Ray nodes on this machine: the same bytes as local processes, after workers died as well."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from acpcbot.betting_lines.lines import betting_lines
from acpcbot.cli.dispatch import main
from acpcbot.cluster import ray_cluster
from acpcbot.cluster.build import current_build
from acpcbot.cluster.ray_cluster import CANCEL_TIMEOUT_S, RayCluster, load_ray
from acpcbot.errors import UsageError
from acpcbot.evaluation.exploitability.board_responses.records import Records
from acpcbot.evaluation.exploitability.board_responses.responses import Record
from acpcbot.evaluation.exploitability.board_responses.run import (
    RecordWork,
    make_records,
    record_shape,
)
from acpcbot.strategies.finding import find_folder
from acpcbot.trees.board_tree import first_boards
from tests.evaluation.exploitability.test_board_responses import ToyTarget
from tests.support.cluster_works import (
    Draws,
    DyingDraws,
    FailingDraws,
    FolderText,
    PacedDraws,
    ReplacedDraws,
    SlowDraws,
)

ROOT = Path(__file__).parents[2]
STORE_BYTES, MEMORY_BYTES = 80 << 20, 2 << 30
END_S = 30.0

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("ray") is None,
        reason="Ray, the extra cluster, is not installed: pip install 'acpcbot[cluster]'",
    ),
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes with a processor each, on loopback."""
    environment = pytest.MonkeyPatch()
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    environment.setenv("PYTHONPATH", os.pathsep.join(path for path in paths if path))
    environment.setenv("RAY_USAGE_STATS_ENABLED", "0")
    environment.delenv("RAY_ADDRESS", raising=False)
    load_ray("127.0.0.1:0")
    from ray.cluster_utils import Cluster

    made = Cluster()
    try:
        for _ in range(2):
            add_node(made)
        yield made
    finally:
        made.shutdown()
        environment.undo()


@pytest.fixture(scope="module")
def address(cluster: Any) -> str:
    """The head's address."""
    return str(cluster.address)


def add_node(cluster: Any) -> Any:
    return cluster.add_node(
        num_cpus=1,
        object_store_memory=STORE_BYTES,
        memory=MEMORY_BYTES,
        include_dashboard=False,
        node_ip_address="127.0.0.1",
    )


def kept_by(address: str, work: Any, parts: Any, **settings: Any) -> list[Any]:
    """The results by part, each of which must come once."""
    found: list[tuple[int, Any]] = []
    RayCluster(address, **settings).run(work, parts, lambda *one: found.append(one))
    assert sorted(index for index, _ in found) == list(range(len(parts)))
    return [result for _, result in sorted(found, key=lambda one: one[0])]


def test_a_thousand_parts_finish_after_a_worker_was_killed(address: str, tmp_path: Path) -> None:
    """Catches parts lost or counted twice with the worker that had them, and nodes left idle."""
    found = kept_by(address, ReplacedDraws(5, tmp_path, 500, 900), range(1000))
    assert found == [Draws(5).part(part) for part in range(1000)]
    assert len(list(tmp_path.glob("500.*"))) == 2
    assert len(list(tmp_path.glob("499.*"))) == 1
    assert len({path.suffix for path in tmp_path.iterdir()}) >= 3


@pytest.mark.parametrize("max_parts", [1, 2, 20])
def test_results_are_the_same_with_any_number_at_a_time(address: str, max_parts: int) -> None:
    expected = [Draws(8).part(part) for part in range(30)]
    assert kept_by(address, Draws(8), range(30), max_parts=max_parts) == expected


@dataclass(frozen=True)
class DyingRecords(RecordWork):
    """Records of a toy; the process that is the first to get part 2 dies of it."""

    folder: Path

    def part(self, part: int) -> Record:
        DyingDraws(0, self.folder, 2).part(part)
        return RecordWork.part(self, part)


def test_a_best_response_is_the_same_after_a_worker_was_killed(
    address: str, tmp_path: Path
) -> None:
    target = ToyTarget("one card")
    shape, count = (
        record_shape(betting_lines(target.definition)),
        len(first_boards(target.definition)),
    )
    whole = Records(tmp_path / "whole", {}, shape)
    make_records(target, whole, range(count), 1)
    shared = Records(tmp_path / "shared", {}, shape)
    seen: list[int] = []
    make_records(target, shared, [0], RayCluster(address))
    make_records(
        target, shared, range(count), RayCluster(address), lambda done, _: seen.append(done)
    )
    assert seen == list(range(1, count + 1))
    for number in range(count):
        assert shared.read(number).tobytes() == whole.read(number).tobytes()
    attempts = tmp_path / "attempts"
    attempts.mkdir()
    found = kept_by(address, DyingRecords(target, attempts), range(count))
    assert [record.tobytes() for record in found] == [
        whole.read(number).tobytes() for number in range(count)
    ]
    assert len(list(attempts.glob("2.*"))) == 2


def document(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main([*words, "--json"]) == 0
    out, err = capsys.readouterr()
    assert (": nodes: " in err) == ("--cluster" in words)
    found = json.loads(out)
    assert isinstance(found, dict)
    return {**found, "seconds": 0}


def test_lbr_is_the_same(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = "lbr", "call", "--deals", "60", "--seed", "4"
    shared = document(capsys, *words, "--cluster", address)
    assert shared == document(capsys, *words, "--jobs", "1")


def test_street_loss_of_a_strategy_that_nodes_lack_is_the_same(
    address: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stored = find_folder("leduc.nolimit.2p/external_sampling")
    assert stored is not None
    shutil.copytree(stored, tmp_path / "mine" / "new")
    monkeypatch.chdir(tmp_path)
    words = "street-loss", "mine/new", "--street", "flop", "--spots", "4", "--iterations", "60"
    shared = document(capsys, *words, "--cluster", address)
    assert shared == document(capsys, *words, "--jobs", "1")


def test_a_duplicate_match_has_the_same_logs(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = []
    for place in (["--cluster", address], ["--jobs", "1"]):
        words = "match", "leduc.limit.2p/dcfr", "random", "--hands", "40", "--duplicate"
        assert main([*words, "--in-process", "-o", "new", *place]) == 0
        found.append({path.name: path.read_bytes() for path in Path("new").glob("*.log")})
        shutil.rmtree("new")
    assert {"table000.log", "table001.log"} <= set(found[0])
    assert found[0] == found[1]


def test_folders_are_sent(address: str, tmp_path: Path) -> None:
    """Catches parts that read the driver's own folder, which other machines lack."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "one").write_text(str(tmp_path))
    (folder / "empty").touch()
    found = kept_by(address, FolderText(folder), ["one", "empty", "one"])
    assert [text for _, text in found] == [str(tmp_path), "", str(tmp_path)]
    (place,) = {place for place, _ in found}
    assert place != str(folder)
    shutil.rmtree(Path(place).parent)


def test_an_error_of_a_part_is_the_same_error(address: str) -> None:
    with pytest.raises(UsageError, match="part 2 is at fault") as caught:
        kept_by(address, FailingDraws(1), range(5))
    assert caught.value.hint == "leave it out"


def test_an_interrupt_ends_parts_at_work(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches processes left at work, and a connection that ends before its cancellations have."""
    ray = load_ray(address)
    cancel, shutdown = ray.cancel, ray.shutdown
    cancelled: list[Any] = []
    cancelled_s = 0.0
    ends: list[tuple[int, float]] = []

    def noted_cancel(reference: Any, **settings: Any) -> None:
        nonlocal cancelled_s
        cancelled.append(reference)
        cancel(reference, **settings)
        cancelled_s = time.monotonic()

    def noted_shutdown() -> None:
        _, pending = ray.wait(cancelled, num_returns=len(cancelled), timeout=0)
        ends.append((len(pending), time.monotonic() - cancelled_s))
        shutdown()

    def interrupt(index: int, result: bytes) -> None:
        deadline = time.monotonic() + END_S
        while not list(tmp_path.iterdir()):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        raise KeyboardInterrupt

    with monkeypatch.context() as spied:
        spied.setattr(ray, "cancel", noted_cancel)
        spied.setattr(ray, "shutdown", noted_shutdown)
        with pytest.raises(KeyboardInterrupt):
            RayCluster(address).run(SlowDraws(1, tmp_path), range(9), interrupt)
    assert len(cancelled) >= 2
    [(num_pending, waited_s)] = ends
    # A busy machine may take longer than an interrupt waits.
    assert num_pending == 0 or waited_s >= CANCEL_TIMEOUT_S, (num_pending, waited_s)
    deadline = time.monotonic() + END_S
    pids = [int(path.suffix[1:]) for path in tmp_path.iterdir()]
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        assert time.monotonic() < deadline, pids
        time.sleep(0.1)
    assert kept_by(address, Draws(2), range(3)) == [Draws(2).part(part) for part in range(3)]
    assert 1 <= len(pids) <= 3


def test_a_node_that_joins_gets_parts_and_one_that_dies_loses_none(
    cluster: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Catches parts that are counted on nodes of the beginning alone, or end with a node, a node
    that is still listed after its death, and notices of Ray on stdout.
    """
    found: list[tuple[int, bytes]] = []
    nodes: list[Any] = []

    def keep(index: int, result: bytes) -> None:
        found.append((index, result))
        pids = {path.suffix for path in tmp_path.iterdir()}
        if len(found) == 3:
            nodes.append(add_node(cluster))
        if len(pids) == 3 and nodes:
            cluster.remove_node(nodes.pop(), allow_graceful=False)

    try:
        RayCluster(str(cluster.address)).run(PacedDraws(6, tmp_path), range(80), keep)
    finally:
        for node in nodes:
            cluster.remove_node(node)
    assert not nodes
    assert sorted(found) == [(part, Draws(6).part(part)) for part in range(80)]
    assert kept_by(str(cluster.address), Draws(6), range(2)) == [Draws(6).part(n) for n in range(2)]
    assert capsys.readouterr().out == ""


def test_another_build_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    other = replace(current_build(), source="0123456789abcdef")
    monkeypatch.setattr(ray_cluster, "current_build", lambda: other)
    with pytest.raises(UsageError, match=r"has source \w+, expected 0123456789abcdef") as caught:
        kept_by(address, Draws(1), range(3))
    assert "the same acpcbot" in caught.value.hint


def test_parts_larger_than_any_node_are_refused(address: str) -> None:
    with pytest.raises(UsageError, match="a part takes 3,072 MiB"):
        kept_by(address, Draws(1), range(3), part_bytes=3 << 30)
