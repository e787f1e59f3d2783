"""Both distributions, built from this tree: how large they are, what they hold, and that they
work anywhere.

The libraries are the ones of this environment. What takes a minute is run by ``./dev test --slow``.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from acpcbot.strategies.finding import LARGE, SHIPPED
from tooling.wheels import PROJECTS, ROOT, build_wheel

MAIN, STRATEGIES = PROJECTS
MEGABYTE = 1_000_000
LARGEST = {
    "acpcbot": 60 * MEGABYTE,
    "acpcbot-strategies": 100 * MEGABYTE,
}  # an index takes no file above 100 MB


def project(folder: Path) -> dict[str, object]:
    table: dict[str, object] = tomllib.loads(
        (folder / "pyproject.toml").read_text(encoding="utf-8")
    )["project"]
    return table


def included(folder: Path) -> set[str]:
    """The places in the wheel that the pyproject.toml in *folder* puts folders of this tree
    into.
    """
    tool = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    return set(tool["hatch"]["build"]["targets"]["wheel"]["force-include"].values())


def test_every_strategy_is_in_one_of_the_two_distributions() -> None:
    """Catches a new strategy that nobody ships, and one that both do."""
    games = {path.name for path in (ROOT / "strategies").iterdir() if path.is_dir()}
    main, large = included(MAIN), included(STRATEGIES)
    assert large == {f"{SHIPPED}/strategies/{name}" for name in LARGE}
    assert main == {f"{SHIPPED}/strategies/{name}" for name in games - set(LARGE)} | {
        f"{SHIPPED}/examples"
    }


def test_both_distributions_have_one_version() -> None:
    version = project(MAIN)["version"]
    assert project(STRATEGIES)["version"] == version
    assert project(STRATEGIES)["dependencies"] == [f"acpcbot=={version}"]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("wheels")
    return {str(project(source)["name"]): build_wheel(source, folder) for source in PROJECTS}


@pytest.mark.slow
def test_wheels_are_small_and_hold_what_this_tree_holds(wheels: dict[str, Path]) -> None:
    files = {name: set(zipfile.ZipFile(path).namelist()) for name, path in wheels.items()}
    for name, path in wheels.items():
        assert path.stat().st_size < LARGEST[name], name
    shipped = {
        f"{SHIPPED}/{path.relative_to(ROOT).as_posix()}"
        for place in ("strategies/*/*/**/*", "examples/*")
        for path in ROOT.glob(place)
        if path.is_file()
    }
    held = {name: {file for file in own if file.startswith(SHIPPED)} for name, own in files.items()}
    assert held["acpcbot"] | held["acpcbot-strategies"] == shipped
    assert not held["acpcbot"] & held["acpcbot-strategies"]
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "acpcbot").rglob("*.py")}
    assert modules <= files["acpcbot"]
    assert not [
        file
        for own in files.values()
        for file in own
        if "__pycache__" in file or file.startswith("tests")
    ]


@pytest.fixture(scope="module")
def python(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new environment with the wheel of acpcbot alone, beside the libraries
    that this one has.
    """
    venv = tmp_path_factory.mktemp("environment") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    made = venv / "bin" / "python"
    install(made, wheels["acpcbot"])
    libraries = [place for place in sys.path if place.endswith("site-packages")]
    packages = next((venv / "lib").glob("python*/site-packages"))
    (packages / "libraries.pth").write_text("".join(f"{place}\n" for place in libraries))
    return made


def install(python: Path, wheel: Path) -> None:
    """Unpack *wheel* where installers put what is pure Python, and hide the clone from the
    libraries beside it.
    """
    packages = next((python.parents[1] / "lib").glob("python*/site-packages"))
    zipfile.ZipFile(wheel).extractall(packages)


def acpcbot(python: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [str(python), "-m", "acpcbot", *words]
    environment = {"PATH": "/usr/bin:/bin", "ACPCBOT_CACHE": str(folder.parent / "cache")}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_a_wheel_works_in_a_bare_folder(
    python: Path, wheels: dict[str, Path], tmp_path: Path
) -> None:
    folder = tmp_path / "bare"
    folder.mkdir()
    packages = next((python.parents[1] / "lib").glob("python*/site-packages"))
    listed = acpcbot(python, folder, "strategies")
    assert "strategies/leduc.limit.2p/dcfr" in listed.stdout, listed.stderr
    assert LARGE[0] not in listed.stdout
    trained = acpcbot(python, folder, "train", "kuhn.limit.2p/dcfr", "--output", "mine")
    assert (trained.returncode, trained.stdout) == (0, "mine\n"), trained.stderr
    game = ("--game", "kuhn.limit.2p", "--hands", "20")
    played = acpcbot(python, folder, "match", "mine", "kuhn.limit.2p/dcfr", *game)
    assert (played.returncode, played.stdout.count("mbb/hand")) == (0, 2), played.stderr
    holdem = ("--game", "holdem.limit.2p.reverse_blinds", "--hands", "2", "--in-process")
    odds = acpcbot(python, folder, "match", "examples/odds_agent.py:OddsAgent", "call", *holdem)
    assert odds.returncode == 0, odds.stderr
    for words in (
        ("match", f"{LARGE[0]}/smooth_uct", "call", "call"),
        ("train", f"{LARGE[0]}/smooth_uct"),
    ):
        missing = acpcbot(python, folder, *words)
        assert missing.returncode == 1
        assert "acpcbot-strategies, which is not installed" in missing.stderr
    install(python, wheels["acpcbot-strategies"])
    verified = acpcbot(python, folder, "strategies", "verify")
    assert verified.returncode == 0, verified.stderr
    assert f"strategies/{LARGE[0]}/smooth_uct: whole" in verified.stdout
    assert (packages / SHIPPED / "strategies" / LARGE[1] / "search" / "search.toml").exists()
