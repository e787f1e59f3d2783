"""The ./dev script, without an environment being made: when it sets up, what it passes on, what
it refuses.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import subprocess
import sys
from collections import namedtuple
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
RUN_LOCKS = [ROOT / "requirements.lock", ROOT / "requirements-test.lock"]
LOCKS = [*RUN_LOCKS, ROOT / "requirements-build.lock", ROOT / "requirements-installer.lock"]

Version = namedtuple("Version", "major minor micro releaselevel serial")


def load_dev() -> ModuleType:
    loader = SourceFileLoader("dev_script", str(ROOT / "dev"))
    spec = importlib.util.spec_from_loader("dev_script", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.fixture
def dev(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script, with nothing installed and nothing called: the words of each call are kept in
    *calls*.
    """
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    script: Any = load_dev()
    script.calls = []
    script.installed = []

    def become(*command: str) -> int:
        script.calls.append(list(command))
        return 0

    monkeypatch.setattr(script, "become", become)
    monkeypatch.setattr(script, "install", script.installed.append)
    monkeypatch.setattr(os, "environ", dict(os.environ))
    monkeypatch.chdir(ROOT)
    return script


@pytest.fixture
def project(dev: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script in a folder of its own with locks and a pyproject.toml.

    *set_ups* keeps what was set up.
    """
    for name in (dev.RUN_LOCK, dev.TEST_LOCK):
        (tmp_path / name).write_text(f"a==1  # {name}\n")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    monkeypatch.setattr(dev, "ROOT", str(tmp_path))
    monkeypatch.setattr(dev, "VENV", str(tmp_path / ".venv"))
    monkeypatch.setattr(dev, "PYTHON", str(tmp_path / ".venv" / "bin" / "python"))
    monkeypatch.setattr(dev, "install", load_dev_function(dev, "install"))
    dev.set_ups = []

    def set_up(
        root: Path, python: Path, lock: Path, stamps: dict[Path, bytes], made: bytes
    ) -> None:
        dev.set_ups.append(lock.name)
        python.parent.mkdir(parents=True, exist_ok=True)
        python.touch()
        for stamp, text in stamps.items():
            stamp.write_bytes(text)

    monkeypatch.setattr("tooling.environment.set_up", set_up)
    return dev


def load_dev_function(project: Any, name: str) -> Callable[..., Any]:
    """The script's own function *name*, with the globals of *project*."""
    fresh = getattr(load_dev(), name)
    return FunctionType(fresh.__code__, vars(project), name)


# When to set up.


@pytest.mark.parametrize("changed", ["requirements.lock", "pyproject.toml"])
def test_setting_up_is_done_once_and_again_after_a_change(changed: str, project: Any) -> None:
    for _ in range(2):
        project.install(project.RUN_LOCK)
        assert project.set_ups == ["requirements.lock"]
    Path(project.ROOT, changed).write_text("something else\n")
    for _ in range(2):
        project.install(project.RUN_LOCK)
        assert project.set_ups == ["requirements.lock"] * 2


def test_setting_up_is_done_again_for_another_python(
    project: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.install(project.RUN_LOCK)
    monkeypatch.setattr(sys, "version", "3.99.0")
    project.install(project.RUN_LOCK)
    assert len(project.set_ups) == 2


def test_an_environment_without_its_python_is_set_up_again(project: Any) -> None:
    project.install(project.RUN_LOCK)
    Path(project.PYTHON).unlink()
    project.install(project.RUN_LOCK)
    assert len(project.set_ups) == 2


def test_an_environment_with_test_tools_runs_without_set_up(project: Any) -> None:
    """The lock of the tests pins all that running needs."""
    project.install(project.TEST_LOCK)
    project.install(project.RUN_LOCK)
    assert project.set_ups == ["requirements-test.lock"]


def test_an_environment_for_running_has_no_test_tools(project: Any) -> None:
    project.install(project.RUN_LOCK)
    project.install(project.TEST_LOCK)
    assert project.set_ups == ["requirements.lock", "requirements-test.lock"]


def test_a_start_imports_next_to_nothing() -> None:
    """Catches an import at the head of the script, which every later start would pay for."""
    body = ast.parse((ROOT / "dev").read_text()).body
    heads = [ast.unparse(node) for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert heads == ["from __future__ import annotations", "import os", "import sys"]


# What is passed on.


@pytest.mark.parametrize(
    "words", [["games"], ["deal", "m", "-q"], ["nosuch", "--flag"], ["match", "tight", "call"]]
)
def test_an_unknown_verb_is_passed_on_to_acpcbot(words: list[str], dev: Any) -> None:
    assert dev.main(words) == 0
    assert dev.calls == [[dev.PYTHON, "-m", "acpcbot", *words]]
    assert dev.installed == [dev.RUN_LOCK]


def test_match_alone_plays_the_match_to_be_shown(dev: Any) -> None:
    dev.main(["match"])
    [[_, _, _, verb, *rest]] = dev.calls
    assert (verb, rest) == (dev.SHOW_MATCH[0], dev.SHOW_MATCH[1:])


def test_tests_get_their_words_and_their_own_lock(dev: Any) -> None:
    dev.main(["test", "-n", "2", "-k", "lines"])
    assert dev.calls == [
        [dev.PYTHON, "-m", "pytest", "--dist", "worksteal", "-n", "2", "-k", "lines"]
    ]
    assert dev.installed == [dev.TEST_LOCK]


def test_tests_use_every_core_and_its_waits_unless_told_otherwise(dev: Any) -> None:
    workers = str((os.cpu_count() or 1) + 1)
    dev.main(["test", "tests/net"])
    assert dev.calls == [
        [dev.PYTHON, "-m", "pytest", "-n", workers, "--dist", "worksteal", "tests/net"]
    ]


def test_the_slow_tests_are_run_by_a_word_of_their_own(dev: Any) -> None:
    dev.main(["test", "--slow", "-n", "2", "tests/cards"])
    words = ["--dist", "worksteal", "-m", "slow", "-n", "2", "tests/cards"]
    assert dev.calls == [[dev.PYTHON, "-m", "pytest", *words]]


def test_tests_that_have_not_begun_in_time_are_skipped_with_a_reason() -> None:
    words = [sys.executable, "-m", "pytest", "--skip-after", "0", "tests/test_short_repr.py"]
    run = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "not begun within 0 minutes" in run.stdout
    assert re.search(r"\d+ skipped in", run.stdout)
    assert "passed" not in run.stdout


@pytest.mark.parametrize(
    ("unwanted", "folder", "kept_in"),
    [("1", None, "bytecode"), ("1", "mine", "mine"), ("", None, None)],
)
def test_the_processes_of_tests_start_from_bytecode(
    unwanted: str, folder: str | None, kept_in: str | None, dev: Any
) -> None:
    """Catches a second for every process that compiles its imports again, and files where
    nobody wants them.
    """
    os.environ["PYTHONDONTWRITEBYTECODE"] = unwanted
    os.environ.pop("PYTHONPYCACHEPREFIX", None)
    if folder is not None:
        os.environ["PYTHONPYCACHEPREFIX"] = folder
    dev.main(["test"])
    assert not os.environ.get("PYTHONDONTWRITEBYTECODE")
    found = os.environ.get("PYTHONPYCACHEPREFIX")
    assert found == (os.path.join(dev.VENV, kept_in) if kept_in == "bytecode" else kept_in)


def test_tools_run_in_the_root_and_commands_where_they_were_typed(
    dev: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    dev.main(["games"])
    assert Path.cwd() == tmp_path
    dev.main(["soak"])
    assert Path.cwd() == ROOT


def test_a_soak_gets_its_words_and_the_test_lock(dev: Any) -> None:
    dev.main(["soak", "--limit-hands", "2000"])
    assert dev.calls == [[dev.PYTHON, "-m", "dealer_tests.soak", "--limit-hands", "2000"]]
    assert dev.installed == [dev.TEST_LOCK]


def test_a_site_gets_its_folder_and_the_lock_that_has_mkdocs(dev: Any) -> None:
    dev.main(["site", "pages"])
    assert dev.calls == [[dev.PYTHON, "-m", "tooling.site", "pages"]]
    assert dev.installed == [dev.TEST_LOCK]


def test_screenshots_go_into_their_folder(dev: Any, tmp_path: Path) -> None:
    dev.main(["screenshots"])
    dev.main(["screenshots", str(tmp_path), "-k", "lobby"])
    taking = [dev.PYTHON, "-m", "pytest", "tests/pages/test_screenshots.py", "--screenshots"]
    assert dev.calls == [
        [*taking, str(ROOT / "screenshots")],
        [*taking, str(tmp_path), "-k", "lobby"],
    ]


def test_the_containers_are_tried_with_what_takes_long(dev: Any) -> None:
    """Catches tests that are left out here as well, so that nothing ever runs them."""
    dev.main(["containers", "-x"])
    assert dev.calls == [
        [dev.PYTHON, "-m", "pytest", "-m", "containers or not containers", "tests/containers", "-x"]
    ]
    assert dev.installed == [dev.TEST_LOCK]


def test_the_status_of_a_command_is_the_scripts(dev: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dev, "become", lambda *_: 7)
    assert dev.main(["games"]) == 7


@pytest.mark.parametrize("words", [[], ["-h"], ["--help"]])
def test_the_help_of_dev_needs_no_environment(
    words: list[str], dev: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dev.main(words) == 0
    assert "./dev match" in capsys.readouterr().out
    assert dev.installed == []


# What is refused.


@pytest.mark.parametrize("version", [Version(3, 10, 14, "final", 0), Version(2, 7, 18, "final", 0)])
def test_an_old_python_is_refused_in_one_line(
    version: Version, dev: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", version)
    monkeypatch.setattr(
        sys, "version", f"{version.major}.{version.minor}.{version.micro} (some build)"
    )
    assert dev.main(["match"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        f"error: Python 3.11 or later is needed\n\nhint: this is {version.major}.{version.minor}.{version.micro}\n"
    )
    assert dev.installed == []


# The locks.


def requirements(lock: Path) -> list[str]:
    """Each requirement with what belongs to it, on one line."""
    lines = [
        line for line in lock.read_text().splitlines() if line and not line.lstrip().startswith("#")
    ]
    return [part.strip() for part in "\n".join(lines).replace("\\\n", " ").splitlines()]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_requirement_is_pinned_and_has_a_hash(lock: Path) -> None:
    assert requirements(lock)
    for requirement in requirements(lock):
        assert re.match(r"[a-zA-Z0-9._-]+==[^ ]+ ", requirement), requirement
        assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", requirement), requirement


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_holds_requirements_and_hashes_and_nothing_else(lock: Path) -> None:
    """No option and no address: where packages come from is the user's own affair."""
    for line in lock.read_text().splitlines():
        assert re.fullmatch(
            r"[\w.-]+==\S+( ; [^/@]+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?|    #[^/@]*", line
        ), line


def test_the_tests_lock_agrees_with_the_one_for_running() -> None:
    """Tests must run what users run."""
    run, test = (
        dict(re.findall(r"^([a-zA-Z0-9._-]+)==([^ ;]+)", lock.read_text(), re.M))
        for lock in RUN_LOCKS
    )
    assert run.items() <= test.items()
