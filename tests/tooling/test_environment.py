"""The environment: made once, anew after an interruption, by uv or else by pip, with the
project on its path.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from tooling import environment
from tooling.environment import metadata_of, only_one, set_up, shebang, write_project
from tooling.progress import Failed

ROOT = Path(__file__).parents[2]


class Stage:
    """A clone with an installer that only keeps account, and may be told to fail."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.venv = root / ".venv"
        self.python = self.venv / "bin" / "python"
        self.lock = root / "requirements.lock"
        self.stamps = {self.venv / "requirements.stamp": b"all that it follows from"}
        self.calls: list[str] = []
        self.faults: dict[str, BaseException] = {}

    def set_up(self, made: bytes = b"this way") -> None:
        set_up(self.root, self.python, self.lock, self.stamps, made)

    def is_stamped(self) -> bool:
        return all(
            stamp.exists() and stamp.read_bytes() == text for stamp, text in self.stamps.items()
        )

    def taking_part(self, name: str) -> Callable[..., Path]:
        def act(*_: object) -> Path:
            self.calls.append(name)
            if name in self.faults:
                raise self.faults[name]
            return self.venv / "uv"

        return act


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    made = Stage(tmp_path)
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    for name in ("fetch_uv", "install_by_uv", "install_by_pip"):
        monkeypatch.setattr(environment, name, made.taking_part(name))
    monkeypatch.setattr(environment, "LIBRARIES", "json")
    return made


NEEDS_POSIX = pytest.mark.skipif(
    sys.platform == "win32", reason="the places in an environment are those of POSIX"
)
pytestmark = NEEDS_POSIX


def test_the_stamp_is_written_when_all_is_done(stage: Stage) -> None:
    stage.set_up()
    assert stage.calls == ["fetch_uv", "install_by_uv"]
    assert stage.is_stamped()
    assert not (stage.venv / "unfinished").exists()


@pytest.mark.parametrize("part", ["fetch_uv", "install_by_uv"])
def test_an_interrupted_set_up_is_redone_from_the_start(part: str, stage: Stage) -> None:
    """Catches a stamp that is written before the work, and half a package that is taken for a
    whole one.
    """
    stage.faults = {part: KeyboardInterrupt()}
    with pytest.raises(KeyboardInterrupt):
        stage.set_up()
    assert not stage.is_stamped()
    (stage.venv / "half").touch()
    stage.faults = {}
    stage.set_up()
    assert stage.is_stamped()
    assert not (stage.venv / "half").exists()


def test_a_library_that_does_not_load_leaves_no_stamp(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(environment, "LIBRARIES", "no_such_library")
    with pytest.raises(SystemExit):
        stage.set_up()
    assert not stage.is_stamped()
    assert "No module named 'no_such_library'" in capsys.readouterr().err


def test_a_new_lock_keeps_the_environment_and_another_way_of_making_it_does_not(
    stage: Stage,
) -> None:
    stage.set_up()
    kept = stage.venv / "kept"
    kept.touch()
    stage.stamps = dict.fromkeys(stage.stamps, b"another lock")
    stage.set_up()
    assert kept.exists()
    stage.stamps = dict.fromkeys(stage.stamps, b"a third one")
    stage.set_up(made=b"another way")
    assert not kept.exists()


def test_a_change_of_one_lock_takes_the_stamps_of_the_others(stage: Stage) -> None:
    """Catches a stamp that stays although what its lock pinned may have been replaced."""
    stage.set_up()
    other = stage.venv / "requirements-test.stamp"
    other.touch()
    stage.stamps = dict.fromkeys(stage.stamps, b"another lock")
    stage.set_up()
    assert not other.exists()


@pytest.mark.parametrize("part", ["fetch_uv", "install_by_uv"])
def test_pip_installs_without_uv_and_it_is_said(
    part: str, stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    stage.faults = {part: Failed(1, "much talk\nno wheel for this machine")}
    stage.set_up()
    assert stage.calls[-1] == "install_by_pip"
    assert stage.is_stamped()
    assert (
        "uv did not work (no wheel for this machine): pip installs instead"
        in capsys.readouterr().err
    )


def test_a_failure_of_pip_shows_its_output(
    stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    stage.faults = {
        name: Failed(1, f"the talk of {name}") for name in ("fetch_uv", "install_by_pip")
    }
    with pytest.raises(SystemExit) as ended:
        stage.set_up()
    assert ended.value.code == 1
    assert "the talk of install_by_pip" in capsys.readouterr().err
    assert not stage.is_stamped()


def test_a_set_up_by_another_process_is_not_repeated(stage: Stage) -> None:
    stage.set_up()
    stage.calls.clear()
    stage.set_up()
    assert stage.calls == []


def hold(folder: Path, ready: Any, seconds: float) -> None:
    with only_one(folder):
        ready.set()
        time.sleep(seconds)


def test_two_set_ups_of_one_folder_wait_for_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    other = context.Process(target=hold, args=(tmp_path, ready, 0.5))
    other.start()
    assert ready.wait(60)
    with only_one(tmp_path):
        assert "waiting for another set-up" in capsys.readouterr().err
    other.join(60)
    assert other.exitcode == 0
    assert list(tmp_path.iterdir()) == []


# The project in the environment.


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with a blank in its path that holds the project and nothing else."""
    venv = tmp_path_factory.mktemp("a folder") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    for _ in range(2):  # the second time over the first
        write_project(ROOT, venv)
    return venv


def said_by(python: Path, text: str, folder: Path) -> str:
    words = [str(python), "-c", text]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, check=True
    ).stdout.strip()


def test_the_environment_finds_the_project_and_its_metadata(bare: Path, tmp_path: Path) -> None:
    python = bare / "bin" / "python"
    assert said_by(python, "import acpcbot; print(acpcbot.__file__)", tmp_path) == str(
        ROOT / "acpcbot/__init__.py"
    )
    text = """
import importlib.metadata as m
found = m.distribution("acpcbot")
print(found.version, len(found.requires), found.metadata.get_all("Provides-Extra"))
print([str(file) for file in found.files if not file.locate().exists()], len(list(m.distributions(name="acpcbot"))))
"""
    about, rest = said_by(python, text, tmp_path).splitlines()
    assert about == (
        "0.2.0 20"
        " ['cluster', 'docs', 'frames', 'metrics', 'networks', 'openspiel', 'pandas', 'pettingzoo',"
        " 'phh', 'plots', 'pokerkit', 'web']"
    )
    assert rest == "[] 1"


def test_requirements_of_extras_are_valid_and_keep_their_markers() -> None:
    """Catches a second ";" behind a marker, for which installers call the project broken."""
    project = {
        "name": "one",
        "version": "1",
        "description": "",
        "requires-python": ">=3.11",
        "dependencies": [],
        "optional-dependencies": {
            "more": ["a>=1", "b>=2; sys_platform == 'linux' or python_version < '4'"]
        },
    }
    lines = metadata_of(project).splitlines()
    found = [Requirement(line.partition(": ")[2]) for line in lines if "Requires-Dist" in line]
    assert [need.name for need in found] == ["a", "b"]
    for need in found:
        assert need.marker is not None
        assert need.marker.evaluate({"extra": "more", "sys_platform": "linux"})
        assert not need.marker.evaluate({"extra": "", "sys_platform": "linux"})


def test_the_project_is_no_second_copy(bare: Path) -> None:
    """183 MB of strategies once lay in every environment."""
    files = [path for path in bare.rglob("*") if path.is_file() and not path.is_symlink()]
    assert sum(path.stat().st_size for path in files) < 1_000_000


def test_the_command_starts_from_a_path_with_blanks(bare: Path, tmp_path: Path) -> None:
    script = bare / "bin" / "acpcbot"
    ended = subprocess.run(
        [script, "--version"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (0, "acpcbot 0.2.0\n"), ended.stderr


def test_worker_processes_may_import_the_command(bare: Path, tmp_path: Path) -> None:
    """Catches a script that starts the program once more in every worker of a match."""
    script = bare / "bin" / "acpcbot"
    text = (
        f"import runpy; runpy.run_path({str(script)!r}, run_name='__mp_main__'); print('imported')"
    )
    assert said_by(bare / "bin" / "python", text, tmp_path) == "imported"


def test_a_long_path_is_left_to_the_shell() -> None:
    assert shebang("/v/bin/python") == "#!/v/bin/python\n"
    assert shebang(f"/{'v' * 200}/bin/python").startswith("#!/bin/sh\n")
