"""The ./dev script, without an environment being made: when it sets up, what it passes on, what it refuses."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections import namedtuple
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
LOCKS = [ROOT / "requirements.lock", ROOT / "requirements-test.lock"]

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
    """The script, with nothing installed and nothing called: the words of each call are kept in *calls*."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    script: Any = load_dev()
    script.calls = []
    script.installed = []

    def call(*command: object) -> int:
        script.calls.append([str(word) for word in command])
        return 0

    monkeypatch.setattr(script, "call", call)
    monkeypatch.setattr(script, "install", script.installed.append)
    return script


@pytest.fixture
def project(dev: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script in a folder of its own with a lock and a pyproject.toml."""
    (tmp_path / "requirements.lock").write_text("a==1\n")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    monkeypatch.setattr(dev, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(dev, "PYTHON", tmp_path / ".venv" / "python")
    return dev


# When to set up.


@pytest.mark.parametrize("changed", ["requirements.lock", "pyproject.toml"])
def test_the_fingerprint_follows_the_lock_and_the_project(changed: str, project: Any) -> None:
    lock = project.ROOT / "requirements.lock"
    before = project.fingerprint(lock)
    assert project.fingerprint(lock) == before
    (project.ROOT / changed).write_text("something else\n")
    assert project.fingerprint(lock) != before


def test_the_fingerprint_follows_the_python_and_the_folder(project: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = project.ROOT / "requirements.lock"
    before = project.fingerprint(lock)
    monkeypatch.setattr(sys, "version", "3.99.0")
    assert project.fingerprint(lock) != before


NEEDS_A_SHELL = pytest.mark.skipif(sys.platform == "win32", reason="the environment's Python is played by a script")


@pytest.fixture
def pip_calls(project: Any, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The script with its real *install*, and with a pip and an environment that only keep account."""
    calls: list[tuple[str, ...]] = []

    def make() -> None:
        project.VENV.mkdir()
        project.PYTHON.write_text("#!/bin/sh\n")
        project.PYTHON.chmod(0o755)

    monkeypatch.setattr(project, "install", load_dev_function(project, "install"))
    monkeypatch.setattr(project, "make_environment", make)
    monkeypatch.setattr(project, "works", lambda python: python.exists())
    monkeypatch.setattr(project, "pip", lambda *words: calls.append(words))
    return calls


def load_dev_function(project: Any, name: str) -> Callable[..., Any]:
    """The script's own function *name*, with the globals of *project*."""
    fresh = getattr(load_dev(), name)
    return FunctionType(fresh.__code__, vars(project), name)


@NEEDS_A_SHELL
def test_setting_up_is_done_once_and_again_after_a_change(project: Any, pip_calls: list[tuple[str, ...]]) -> None:
    lock = project.ROOT / "requirements.lock"
    project.install(lock)
    assert len(pip_calls) == 2
    project.install(lock)
    assert len(pip_calls) == 2
    lock.write_text("a==2\n")
    project.install(lock)
    assert len(pip_calls) == 4


@NEEDS_A_SHELL
def test_setting_up_verifies_hashes_and_builds_nothing_from_source(
    project: Any, pip_calls: list[tuple[str, ...]]
) -> None:
    project.install(project.ROOT / "requirements.lock")
    assert {"--require-hashes", "--only-binary=:all:"} <= set(pip_calls[0])
    assert {"--no-deps", "--no-build-isolation"} <= set(pip_calls[1])


def test_setting_up_that_fails_is_tried_again(project: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = project.ROOT / "requirements.lock"
    attempts: list[int] = []

    def failing(*words: str) -> None:
        attempts.append(1)
        raise RuntimeError("no network")

    monkeypatch.setattr(project, "install", load_dev_function(project, "install"))
    monkeypatch.setattr(project, "make_environment", lambda: project.VENV.mkdir(exist_ok=True))
    monkeypatch.setattr(project, "works", lambda python: False)
    monkeypatch.setattr(project, "pip", failing)
    for _ in range(2):
        with pytest.raises(RuntimeError):
            project.install(lock)
    assert len(attempts) == 2


# What is passed on.


@pytest.mark.parametrize("words", [["games"], ["deal", "m", "-q"], ["nosuch", "--flag"], ["match", "tight", "call"]])
def test_what_is_no_verb_of_its_own_is_passed_on(words: list[str], dev: Any) -> None:
    assert dev.main(words) == 0
    assert dev.calls == [[str(dev.PYTHON), "-m", "acpcbot", *words]]
    assert dev.installed == [dev.RUN_LOCK]


def test_match_alone_plays_the_match_to_be_shown(dev: Any) -> None:
    dev.main(["match"])
    [[_, _, _, verb, *rest]] = dev.calls
    assert (verb, rest) == (dev.SHOW_MATCH[0], dev.SHOW_MATCH[1:])


def test_tests_get_their_words_and_their_own_lock(dev: Any) -> None:
    dev.main(["test", "-n", "2", "-k", "lines"])
    assert dev.calls == [[str(dev.PYTHON), "-m", "pytest", "-n", "2", "-k", "lines"]]
    assert dev.installed == [dev.TEST_LOCK]


def test_tests_use_every_core_unless_told_otherwise(dev: Any) -> None:
    dev.main(["test", "tests/net"])
    assert dev.calls == [[str(dev.PYTHON), "-m", "pytest", "-n", "auto", "tests/net"]]


def test_a_soak_gets_its_words_and_the_test_lock(dev: Any) -> None:
    dev.main(["soak", "--limit-hands", "2000"])
    assert dev.calls == [[str(dev.PYTHON), "-m", "dealer_tests.soak", "--limit-hands", "2000"]]
    assert dev.installed == [dev.TEST_LOCK]


def test_the_containers_are_tried_with_what_takes_long(dev: Any) -> None:
    """Catches tests that are left out here as well, so that nothing ever runs them."""
    dev.main(["containers", "-x"])
    assert dev.calls == [[str(dev.PYTHON), "-m", "pytest", "-m", "slow or not slow", "tests/containers", "-x"]]
    assert dev.installed == [dev.TEST_LOCK]


def test_the_status_of_a_command_is_the_scripts(dev: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dev, "call", lambda *_: 7)
    assert dev.main(["games"]) == 7


@pytest.mark.parametrize("words", [[], ["-h"], ["--help"]])
def test_help_needs_no_environment(words: list[str], dev: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert dev.main(words) == 0
    assert "./dev match" in capsys.readouterr().out
    assert dev.installed == []


# What is refused.


@pytest.mark.parametrize("version", [Version(3, 10, 14, "final", 0), Version(2, 7, 18, "final", 0)])
def test_an_old_python_is_refused_in_one_line(
    version: Version, dev: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", version)
    monkeypatch.setattr(sys, "version", f"{version.major}.{version.minor}.{version.micro} (some build)")
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
    lines = [line for line in lock.read_text().splitlines() if line and not line.lstrip().startswith("#")]
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
        assert re.fullmatch(r"[\w.-]+==\S+( ; [^/@]+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?|    #[^/@]*", line), line


def test_the_tests_lock_agrees_with_the_one_for_running() -> None:
    """Tests must run what users run."""
    run, test = (dict(re.findall(r"^([a-zA-Z0-9._-]+)==([^ ;]+)", lock.read_text(), re.M)) for lock in LOCKS)
    assert run.items() <= test.items()


# The audit.

FAULTY = {"name": "a", "version": "1", "vulns": [{"id": "CVE-1", "fix_versions": ["2"]}]}
SOUND = {"name": "b", "version": "1", "vulns": []}
UNKNOWN = {"name": "c", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("packages", "status", "words"),
    [
        ([SOUND], 0, "1 packages audited, 0 with known vulnerabilities"),
        ([SOUND, FAULTY], 1, "a 1: CVE-1, mended in 2\n2 packages audited, 1 with known vulnerabilities"),
        ([SOUND, UNKNOWN], 1, "1 packages audited, 0 with known vulnerabilities"),
    ],
)
def test_the_audit_tells_what_is_known(
    packages: list[object], status: int, words: str, dev: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Catches a fault that passes, and a package that nobody could be asked about and that counts as sound."""
    assert dev.report_audit(json.dumps({"dependencies": packages})) == status
    captured = capsys.readouterr()
    assert captured.out.strip() == words
    assert ("1 packages were NOT AUDITED: c" in captured.err) == (UNKNOWN in packages)


@pytest.mark.parametrize("answer", ["", "no route to host", "{}"])
def test_an_audit_without_an_answer_fails_loudly(answer: str, dev: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert dev.report_audit(answer) == 1
    assert "NOTHING WAS AUDITED" in capsys.readouterr().err
