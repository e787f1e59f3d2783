"""Workers of this machine, folders that are sent, builds, and refusals of clusters."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import pytest

from acpcbot.agents.strategy_folders import moved_name, strategy_folders
from acpcbot.cli.dispatch import main
from acpcbot.cluster.build import current_build, difference
from acpcbot.cluster.choosing import choose_workers
from acpcbot.cluster.local import LocalProcesses
from acpcbot.cluster.ray_cluster import verify_address
from acpcbot.cluster.ray_tasks import verify_build
from acpcbot.cluster.shared_folders import absolute, list_folders, receive_folders
from acpcbot.errors import UsageError
from acpcbot.strategies.finding import find_folder
from tests.cli.running import is_alive
from tests.support.cluster_works import Draws, FailingDraws
from tests.support.fresh_programs import run_python


def test_local_parts_are_kept_once_each_with_any_number_of_processes() -> None:
    found = []
    for processes in (1, 2):
        kept: dict[int, bytes] = {}
        LocalProcesses(processes).run(Draws(3), range(7), lambda i, r: kept.update({i: r}))  # noqa: B023
        found.append([kept.pop(index) for index in range(7)])
        assert not kept
    assert found[0] == found[1] == [Draws(3).part(part) for part in range(7)]


@pytest.mark.parametrize("processes", [1, 2])
def test_an_error_of_a_local_part_is_raised(processes: int) -> None:
    with pytest.raises(UsageError, match="part 2 is at fault"):
        LocalProcesses(processes).run(FailingDraws(1), range(4), lambda i, r: None)


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_workers_end_with_a_process_that_is_killed(tmp_path: Path) -> None:
    """In the middle of their parts."""
    program = f"""
from pathlib import Path
from acpcbot.cluster.local import LocalProcesses
from tests.support.cluster_works import SlowDraws
if __name__ == "__main__":
    LocalProcesses(2).run(SlowDraws(1, Path({str(tmp_path)!r})), range(3), lambda i, r: None)
"""
    script = tmp_path / "program.py"
    script.write_text(program)
    places = os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
    with subprocess.Popen(
        [sys.executable, script], env=os.environ | {"PYTHONPATH": places}
    ) as parent:
        try:
            _wait_until(lambda: len(list(tmp_path.glob("[12].*"))) == 2)
        finally:
            parent.kill()
    workers = [int(path.suffix[1:]) for path in tmp_path.glob("[12].*")]
    _wait_until(lambda: not any(map(is_alive, workers)))


def _wait_until(is_so: Callable[[], bool]) -> None:
    last_s = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < last_s
        time.sleep(0.05)


def test_folders_arrive_as_they_were_and_are_written_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches a folder beside which another one is no longer found, and a second transfer."""
    monkeypatch.setenv("ACPCBOT_CACHE", str(tmp_path / "cache"))
    one, other = tmp_path / "games/leduc/one", tmp_path / "games/leduc/other"
    for folder, text in ((one, "1"), (other, "2")):
        (folder / "below").mkdir(parents=True)
        (folder / "below/rows.npy").write_text(text)
        (folder / ".draft").write_text("unfinished")
        (folder / "empty").touch()
    shared = list_folders((one, one / "../other", one))
    names = [file.name for file in shared.files]
    assert names == ["one/below/rows.npy", "one/empty", "other/below/rows.npy", "other/empty"]
    assert shared.num_bytes == 2
    reads: list[int] = []

    def read(index: int) -> memoryview:
        reads.append(index)
        return memoryview((shared.base / shared.files[index].name).read_bytes())

    root = receive_folders(shared, read)
    assert root == receive_folders(shared, read)
    assert reads == [0, 1, 2, 3]
    move = shared.move(root)
    assert (move(one) / "below/rows.npy").read_text() == "1"
    assert (move(one) / "../other/below/rows.npy").read_text() == "2"
    assert move(one / "../other") == move(other)
    (one / "empty").write_text("changed")
    changed = list_folders((one, other))
    assert changed.key != shared.key
    with pytest.raises(UsageError, match="one/empty: it was changed"):
        receive_folders(changed, lambda index: memoryview(b"1"[: index == 0]))
    assert [path.name for path in root.parent.iterdir()] == [shared.key]


def test_a_search_is_sent_with_its_blueprint(tmp_path: Path) -> None:
    folder = find_folder("leduc.nolimit.2p/search")
    assert folder is not None
    folders = strategy_folders("leduc.nolimit.2p/search?profile=fast")
    shared = list_folders(folders)
    assert {"search/search.toml", "external_sampling/manifest.json"} <= {
        file.name for file in shared.files
    }
    moved = moved_name("leduc.nolimit.2p/search?profile=fast", shared.move(tmp_path))
    assert moved == f"{tmp_path}/search?profile=fast"
    here = moved_name("leduc.nolimit.2p/search", absolute)
    assert here == str(folder.resolve())
    # Where the receiver has no such folder.
    assert (
        moved_name("/elsewhere/search", lambda path: tmp_path / path.name) == f"{tmp_path}/search"
    )
    assert strategy_folders("call") == ()
    assert moved_name("call", shared.move(tmp_path)) == "call"


def test_each_difference_of_builds_is_refused() -> None:
    ours = current_build()
    assert difference(ours, ours) == ""
    verify_build(ours, ours, "n1")
    for field in fields(ours):
        theirs = replace(ours, **{field.name: "other"})
        with pytest.raises(UsageError, match=f"node n1 has {field.name} other, expected"):
            verify_build(ours, theirs, "n1")


def test_a_cluster_without_ray_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    for verb in ("lbr", "street-loss"):
        assert main([verb, "call", "--cluster", "127.0.0.1:6379"]) == 1
        told = capsys.readouterr().err
        assert "a cluster needs Ray" in told
        assert "pip install 'acpcbot[cluster]'" in told


def test_the_environment_names_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    assert choose_workers(None, None, 3) == LocalProcesses(3)
    assert choose_workers(None, 2, 3) == LocalProcesses(2)
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:6379")
    with pytest.raises(UsageError, match="a cluster needs Ray"):
        choose_workers(None, None, 3)


def test_jobs_below_one_are_refused() -> None:
    with pytest.raises(UsageError, match="--jobs 0"):
        choose_workers(None, 0, 3)


@pytest.mark.parametrize("address", ["", "auto", "host", "ray://127.0.0.1:1", "local", "host:port"])
def test_addresses_that_are_none_are_refused(address: str) -> None:
    with pytest.raises(UsageError, match="expected HOST:PORT"):
        verify_address(address)


def test_an_address_where_nothing_listens_is_refused_at_once() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(UsageError, match="no cluster at") as caught:
            verify_address(f"127.0.0.1:{taken.getsockname()[1]}")
    assert "ray start" in caught.value.hint


def test_clusters_are_for_the_whole_of_holdem(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = "exploitability", "leduc.limit.2p/dcfr", "--cluster", "127.0.0.1:6379"
    assert main([*words]) == 1
    assert "--cluster are for the whole of hold'em" in capsys.readouterr().err


def test_ray_is_loaded_by_clusters_alone(tmp_path: Path) -> None:
    """Catches a command that loads Ray, 100 MB, for local processes."""
    if importlib.util.find_spec("ray") is None:
        pytest.skip("Ray, the extra cluster, is not installed")
    code = (
        "import sys; from acpcbot.cluster.choosing import choose_workers;"
        " choose_workers(None, 2, 1); print('ray' in sys.modules)"
    )
    found = run_python("-c", code, folder=tmp_path)
    assert found.stdout.strip() == "False"
