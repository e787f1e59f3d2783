"""Safety without a network: calls that the source never makes, and packages of the locks.

`./dev check` runs bandit as well, and `./dev audit` asks the public databases.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[1]
RUN_LOCK, TEST_LOCK = ROOT / "requirements.lock", ROOT / "requirements-test.lock"
SOURCES = [
    ROOT / "dev",
    *(
        path
        for place in ("acpcbot", "docker", "docs", "tooling")
        for path in (ROOT / place).rglob("*.py")
    ),
]

MODULES = {"pickle", "_pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"}
CALLS = {
    "eval",
    "exec",
    "__import__",
    "os.system",
    "os.popen",
    "tempfile.mktemp",
    "yaml.load",
    "yaml.unsafe_load",
}
ARRAY_FILES = {"np.load", "numpy.load", "np.save", "numpy.save"}
BAD = """\
import pickle
from marshal import loads
from os import system
eval("1")
builtins.exec("1")
os.system("ls")
subprocess.run("ls", shell=True)
asyncio.create_subprocess_shell("ls")
tempfile.mktemp()
yaml.load(text)
np.load(path)
np.load(path, allow_pickle=True)
np.save(path, array)
"""
GOOD = """\
from os import path
subprocess.run(["ls"], shell=False)
model.eval()
np.load(path, allow_pickle=False)
np.save(path, array, allow_pickle=False)
"""
FIRST_GOOD = {
    "aiohttp": ("3.14.3", "CVE-2026-69244"),
    "click": ("8.3.3", "PYSEC-2026-2132"),
    "fonttools": ("4.61.0", "CVE-2025-66034"),
    "future": ("0.18.3", "CVE-2022-40899"),
    "idna": ("3.7", "CVE-2024-3651"),
    "markdown-it-py": ("2.2.0", "CVE-2023-26302"),
    "numpy": ("1.22.0", "CVE-2021-41496"),
    "pillow": ("12.3.0", "PYSEC-2026-2253"),
    "pygments": ("2.20.0", "CVE-2026-4539"),
    "pytest": ("9.0.3", "CVE-2025-71176"),
    "pyyaml": ("5.4", "CVE-2020-14343"),
    "ray": ("2.52.0", "CVE-2025-62593"),
    "requests": ("2.32.4", "CVE-2024-47081"),
    "scipy": ("1.10.0", "CVE-2023-25399"),
    "urllib3": ("2.6.0", "CVE-2025-66418"),
}
"""By hand: the first version without a fault that became known."""
PERMISSIVE = re.compile(
    r"MIT|BSD|Apache|PSF|Python Software Foundation|0BSD|Zlib|CC0|ISC|MPL|Mozilla", re.IGNORECASE
)
STRICT = re.compile(r"\b(A?GPL|LGPL|SSPL|Proprietary|Commercial)", re.IGNORECASE)


def faults(source: str) -> Iterator[tuple[int, str]]:
    """Lines that do what may run somebody's data as a program, and what they do."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (
                (node.lineno, alias.name)
                for alias in node.names
                if alias.name.partition(".")[0] in MODULES
            )
        elif isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            if names & CALLS or str(node.module).partition(".")[0] in MODULES:
                yield node.lineno, ", ".join(sorted(names))
        elif isinstance(node, ast.Call) and is_bad(node):
            yield node.lineno, ast.unparse(node)


def is_bad(call: ast.Call) -> bool:
    name = ast.unparse(call.func).removeprefix("builtins.")
    given = {word.arg: ast.unparse(word.value) for word in call.keywords}
    opens_shell = given.get("shell", "False") != "False" or name.endswith("_shell")
    return (
        name in CALLS
        or opens_shell
        or (name in ARRAY_FILES and given.get("allow_pickle") != "False")
    )


def locked(lock: Path) -> list[tuple[str, str]]:
    """Name and version of every requirement."""
    return re.findall(r"^([a-z0-9._-]+)==([^ ;]+)", lock.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_check_sees_every_one_of_the_faults_it_is_for() -> None:
    """Catches a check that passes whatever the source does."""
    assert sorted({line for line, _ in faults(BAD)}) == list(range(1, BAD.count("\n") + 1))
    assert list(faults(GOOD)) == []


def test_the_source_never_runs_data_as_a_program() -> None:
    """Catches pickles, shells and evaluated text, arrays that may hold pickles, and names for
    files made too early.
    """
    found = [
        (path.name, *fault)
        for path in SOURCES
        for fault in faults(path.read_text(encoding="utf-8"))
    ]
    assert len(SOURCES) > 300
    assert found == []


@pytest.mark.parametrize("lock", [RUN_LOCK, TEST_LOCK], ids=lambda lock: lock.name)
def test_no_locked_version_is_known_to_be_bad(lock: Path) -> None:
    for name, version in locked(lock):
        first_good, advisory = FIRST_GOOD.get(name, (version, ""))
        assert Version(version) >= Version(first_good), f"{name} {version}: {advisory}"


def test_requirements_name_no_address_and_admit_no_bad_version() -> None:
    """Catches an address behind a name, and a lower bound that lets a faulty version in."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)
    optional = project["project"]["optional-dependencies"].values()
    running = [
        Requirement(text)
        for texts in (project["project"]["dependencies"], *optional)
        for text in texts
    ]
    tools = [Requirement(text) for texts in project["dependency-groups"].values() for text in texts]
    assert running
    assert tools
    for requirement in running + tools:
        assert requirement.url is None, requirement
    for requirement in running:
        (least,) = (part.version for part in requirement.specifier if part.operator == ">=")
        assert Version(least) >= Version(FIRST_GOOD.get(requirement.name, (least, ""))[0]), (
            requirement
        )


def test_no_dependency_for_running_has_a_strict_licence() -> None:
    """Catches a dependency for running that is not free to use, or does not say what it is."""
    for name, _ in locked(RUN_LOCK):
        try:
            told = metadata(name)
        except PackageNotFoundError:  # for another system
            continue
        fields = ("License-Expression", "License", "Classifier")
        words = [word for field in fields for word in told.get_all(field) or ()]
        text = " ".join(word for word in words if "::" not in word or word.startswith("License"))
        assert PERMISSIVE.search(text), name
        assert not STRICT.search(text), name
