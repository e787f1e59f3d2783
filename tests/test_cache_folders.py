"""Keys of compiled code: nothing stale is ever loaded, nothing is compiled again without need,
old folders go.
"""

from __future__ import annotations

import ast
import importlib
import os
import pkgutil
import sys
import types
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import acpcbot
from acpcbot import cache_folders
from acpcbot.cache_folders import (
    PACKAGE,
    cache_root,
    closure,
    drop_old_kernels,
    kernel_folder,
    module_key,
)
from tests.support.fresh_programs import run_python

ROOT = PACKAGE.parent
VERSIONS = "compiler 1"

FILES = {
    "house/__init__.py": "from house.rules import FOLD\n",
    "house/rules.py": "FOLD = 0\n",
    "house/tree.py": "from house.rules import (\n    FOLD,  # the first\n)\nimport os\n",
    "house/learner.py": "import house.tree as tree\n\ndef late():\n    from house.bells import RING\n",
    "house/bells.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from house.rules import FOLD\n",
    "house/rings/first.py": "from house.rings import second\n",
    "house/rings/second.py": "from house.rings.first import __name__ as name\n",
}


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A small package beside which kernels could stand."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def forget() -> None:
    """Forget everything that another process would not know."""
    for remembered in (
        module_key,
        cache_folders._imported,
        cache_folders._file_of,
        cache_folders._digest,
    ):
        remembered.cache_clear()


def keys(house: Path) -> dict[str, str]:
    forget()
    names = [
        name.removesuffix(".py").replace("/", ".")
        for name in FILES
        if not name.endswith("__init__.py")
    ]
    return {
        name: module_key(name, house.joinpath(*name.split(".")).with_suffix(".py"), VERSIONS)
        for name in names
    }


@pytest.mark.parametrize(
    ("edited", "stale"),
    [
        ("rules", {"rules", "tree", "learner"}),
        ("tree", {"tree", "learner"}),
        ("learner", {"learner"}),
        ("bells", {"bells"}),
        ("rings/first", {"rings.first", "rings.second"}),
        ("__init__", set()),
    ],
)
def test_an_edit_moves_the_kernels_that_depend_on_it_and_no_others(
    house: Path, edited: str, stale: set[str]
) -> None:
    before = keys(house)
    path = house / "house" / f"{edited}.py"
    path.write_text(path.read_text() + "# a comment\n")
    after = keys(house)
    assert {name.removeprefix("house.") for name in before if before[name] != after[name]} == stale


def test_neither_the_age_nor_the_place_of_a_file_moves_anything(
    house: Path, tmp_path: Path
) -> None:
    """Catches a fresh clone that compiles what another one has compiled."""
    before = keys(house)
    os.utime(house / "house" / "rules.py", (1, 1))
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    (house / "house").rename(moved / "house")
    assert keys(moved) == before


def test_other_versions_have_other_kernels(house: Path) -> None:
    path = house / "house" / "rules.py"
    assert module_key("house.rules", path, VERSIONS) != module_key(
        "house.rules", path, "compiler 2"
    )


def test_tables_beside_a_module_of_the_package_belong_to_it() -> None:
    members = closure(PACKAGE / "cards" / "strength.py", ROOT)
    assert {path.name for path in members} >= {
        "strength.py",
        "jit.py",
        "rank_strengths.npy",
        "flush_strengths.npy",
    }
    assert PACKAGE / "cli" / "games.py" not in members


@cache
def modules() -> list[types.ModuleType]:
    names = [info.name for info in pkgutil.walk_packages([str(PACKAGE)], "acpcbot.")]
    return [importlib.import_module(name) for name in names if not name.endswith("__main__")]


def named_in(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """Each global that a function's code, or code within it, names, with what it is now."""
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        codes += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
        for name in code.co_names:
            if name in function.__globals__:
                yield name, function.__globals__[name]


def kernels() -> Iterator[tuple[types.ModuleType, types.FunctionType]]:
    for module in modules():
        for value in vars(module).values():
            function = getattr(value, "py_func", None)
            if isinstance(function, types.FunctionType) and function.__module__ == module.__name__:
                yield module, function


def test_every_callee_of_a_kernel_is_in_its_closure() -> None:
    """Catches an import that the closure overlooks: an edit there would leave stale code in use."""
    pairs = list(kernels())
    assert len(pairs) > 200
    seen = 0
    for module, function in pairs:
        assert module.__file__ is not None
        members = closure(Path(module.__file__), ROOT)
        waiting, known = [function], {function}
        while waiting:
            for _name, value in named_in(waiting.pop()):
                callee = getattr(value, "py_func", value)
                if isinstance(callee, types.FunctionType) and callee.__module__.startswith(
                    "acpcbot."
                ):
                    home = sys.modules[callee.__module__].__file__
                    assert home is not None
                    assert Path(home) in members, (
                        f"{module.__name__}.{function.__name__} calls {callee.__name__}"
                    )
                    seen += 1
                    if callee not in known:
                        known.add(callee)
                        waiting.append(callee)
    assert seen > 500


def test_the_imports_found_are_those_of_pythons_own_parser() -> None:
    """Catches a way to write an import that the pattern does not know."""
    for path in PACKAGE.rglob("*.py"):
        named: set[str] = set()
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, (
                    f"{path} imports relatively, which the closure does not follow"
                )
                named |= {f"{node.module}.{alias.name}" for alias in node.names}
            elif isinstance(node, ast.Import):
                named |= {alias.name for alias in node.names}
        files = {cache_folders._file_of(name, ROOT) for name in named} - {None, path}
        assert set(cache_folders._imported(path, ROOT)) == files, path


PROGRAM = """
import numpy as np
from acpcbot.jit import on_compile

told = []
on_compile(told.append)
from house.kernels import called, table_sum
print(called(2), table_sum(np.arange(3)), sum(not event.is_over for event in told))
"""
KERNELS = """
from acpcbot.jit import kernel
from house.helper import STEP, stepped

@kernel
def called(number):
    return stepped(number) + STEP

@kernel
def table_sum(numbers):
    return numbers[0] + numbers[-1] + 1
"""
HELPER = "from acpcbot.jit import shared\nSTEP = {}\n@shared\ndef stepped(number):\n    return number + STEP\n"


def output(*words: str, folder: Path, environment: dict[str, str]) -> str:
    """Return what a program prints that succeeds."""
    done = run_python(*words, folder=folder, environment=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def play(house: Path, cache_folder: Path) -> str:
    environment = {
        **os.environ,
        "ACPCBOT_CACHE": str(cache_folder),
        "PYTHONPATH": f"{house}{os.pathsep}{ROOT}",
    }
    return output("-c", PROGRAM, folder=house, environment=environment)


def test_a_changed_helper_is_compiled_in_and_an_unchanged_kernel_is_loaded(
    house: Path, tmp_path: Path
) -> None:
    """The whole way, in processes of their own: values are never stale, and nothing is compiled
    twice.
    """
    folder = tmp_path / "cache"
    (house / "house" / "kernels.py").write_text(KERNELS)
    (house / "house" / "helper.py").write_text(HELPER.format(10))
    assert play(house, folder) == "22 3 3"
    (house / "house" / "bells.py").write_text("# another text\n")
    assert play(house, folder) == "22 3 0"
    (house / "house" / "helper.py").write_text(HELPER.format(100))
    assert play(house, folder) == "202 3 3"
    (house / "house" / "helper.py").write_text(HELPER.format(10))
    assert play(house, folder) == "22 3 0"


def test_the_methods_of_an_arguments_type_count_too(tmp_path: Path) -> None:
    """Catches code for a game whose rules have changed: the kernel's module does not import the
    game.
    """
    from acpcbot.games import kuhn
    from acpcbot.kernel_cache import KernelCache, _key_of_module
    from acpcbot.poker import rules

    class Fake:
        __module__ = "acpcbot.games.kuhn"

    named = types.SimpleNamespace(instance_class=Fake)
    codegen = types.SimpleNamespace(magic_tuple=lambda: ("processor",))
    store = KernelCache(rules.apply_action)
    for signature in ((named,), (types.SimpleNamespace(types=(named, 1)),)):
        assert store._index_key(signature, codegen)[-1] == _key_of_module(kuhn.__name__)
    assert len(store._index_key((1,), codegen)) == 3


FOR_A_MOVED_TYPE = """
import sys
import acpcbot
from acpcbot.jit import on_compile

told = []
on_compile(told.append)
from house.first import first
if len(sys.argv) > 1:
    acpcbot.__path__.append(sys.argv[1])
    from acpcbot.moved import Pair
    print(first(Pair(3, 4)), end=" ")
print(first((5, 6)), sum(not event.is_over for event in told))
"""
FIRST = "from acpcbot.jit import kernel\n@kernel\ndef first(pair):\n    return pair[0]\n"
MOVED = "from typing import NamedTuple\nclass Pair(NamedTuple):\n    left: int\n    right: int\n"


def test_an_index_that_names_a_type_of_another_version_is_passed_over(
    house: Path, tmp_path: Path
) -> None:
    """Caught: after an update in which a game had moved, every kernel that it had been compiled
    for failed with ModuleNotFoundError.
    """
    (house / "house" / "first.py").write_text(FIRST)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "moved.py").write_text(MOVED)

    def told(*words: str) -> str:
        environment = {
            **os.environ,
            "ACPCBOT_CACHE": str(tmp_path / "cache"),
            "PYTHONPATH": f"{house}{os.pathsep}{ROOT}",
        }
        return output("-c", FOR_A_MOVED_TYPE, *words, folder=house, environment=environment)

    old = str(tmp_path / "old")
    assert told(old) == "3 5 2"
    assert told(old) == "3 5 0"
    assert [told(), told()] == ["5 1", "5 0"]
    assert told(old) == "3 5 0"


# The folder of all that is kept.


def test_the_users_choice_of_folder_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACPCBOT_CACHE", str(tmp_path))
    assert cache_root() == tmp_path
    folder = kernel_folder("acpcbot.cards.strength", PACKAGE / "cards" / "strength.py", VERSIONS)
    assert folder.parent == tmp_path / "kernels" / "acpcbot.cards.strength"


@pytest.mark.skipif(os.name == "nt", reason="the folders of Windows have other names")
def test_the_cache_goes_to_the_users_own_folder_or_else_to_a_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ACPCBOT_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "not" / "there" / "yet"))
    assert cache_root() == tmp_path / "not" / "there" / "yet" / "acpcbot"
    monkeypatch.setattr(cache_folders, "_is_writable", lambda folder: False)
    assert tmp_path not in cache_root().parents


def test_the_newest_versions_of_a_module_and_those_used_of_late_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACPCBOT_CACHE", str(tmp_path))
    ages_s = {"a": 10.0, "b": 2e5, "c": 3e5, "d": 4e5, "e": 5e5}
    for name, age_s in ages_s.items():
        folder = tmp_path / "kernels" / "acpcbot.some" / name
        folder.mkdir(parents=True)
        os.utime(folder, (folder.stat().st_mtime - age_s,) * 2)
    for number in range(5):
        (tmp_path / "kernels" / "acpcbot.busy" / str(number)).mkdir(parents=True)
    (tmp_path / "0123456789abcdef" / "poker").mkdir(parents=True)  # as older programs named them
    (tmp_path / "tables").mkdir()
    drop_old_kernels()
    assert {path.name for path in (tmp_path / "kernels" / "acpcbot.some").iterdir()} == {
        "a",
        "b",
        "c",
    }
    assert len(list((tmp_path / "kernels" / "acpcbot.busy").iterdir())) == 5
    assert {path.name for path in tmp_path.iterdir()} == {"kernels", "tables"}


def test_use_is_noted_at_most_once_an_hour(tmp_path: Path) -> None:
    """Catches a version in daily use that looks old, and a write at every start."""
    now_s = tmp_path.stat().st_mtime
    os.utime(tmp_path, (now_s - 7200.0,) * 2)
    cache_folders.mark_used(tmp_path)
    assert tmp_path.stat().st_mtime > now_s - 3600.0
    os.utime(tmp_path, (now_s - 60.0,) * 2)
    cache_folders.mark_used(tmp_path)
    assert tmp_path.stat().st_mtime == pytest.approx(now_s - 60.0)
    cache_folders.mark_used(tmp_path / "not there")


def test_dropping_old_kernels_where_there_are_none_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACPCBOT_CACHE", str(tmp_path / "none"))
    drop_old_kernels()
    assert not (tmp_path / "none").exists()


def test_the_package_itself_is_found() -> None:
    assert acpcbot.__file__ is not None
    assert Path(acpcbot.__file__).resolve().parent == PACKAGE


# Several processes.

SLOW_KERNELS = """
from acpcbot.jit import kernel

@kernel
def inner(number):
    total = 0
    for step in range(number):
        total += step * number
    return total

@kernel
def outer(numbers):
    total = 0
    for place in range(len(numbers)):
        total += inner(numbers[place])
    return total
"""
COUNTING = """
import os
import numpy as np
from acpcbot.jit import on_compile

told = []
on_compile(told.append)
from house.slow import outer
ends = [os.pipe() for _ in range(2)]
for waiting, _ in ends:
    if not os.fork():
        os.read(waiting, 1)
        outer(np.arange(5))
        print(sum(event.is_over for event in told))
        break
else:
    for _, go in ends:
        os.write(go, b"!")
    assert [os.wait()[1] for _ in ends] == [0, 0]
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are neither locks nor copies")
def test_of_two_processes_one_compiles_and_the_other_loads(house: Path, tmp_path: Path) -> None:
    """Catches work that is done twice at the same time: both are let go at once, and one kernel
    is compiled once.
    """
    (house / "house" / "slow.py").write_text(SLOW_KERNELS)
    environment = {
        **os.environ,
        "ACPCBOT_CACHE": str(tmp_path / "cache"),
        "PYTHONPATH": f"{house}{os.pathsep}{ROOT}",
    }
    counts = output("-c", COUNTING, folder=house, environment=environment)
    assert sorted(counts.split()) == ["0", "2"]


FAILING = """
from acpcbot.jit import kernel

@kernel
def added(number):
    return number + 1

try:
    added("text")
except Exception as error:
    print(type(error).__name__)
print(added(1), added._cache._lock_file)
"""


def test_a_kernel_that_cannot_be_compiled_leaves_no_lock(house: Path, tmp_path: Path) -> None:
    """Catches a process that keeps others waiting for what it will never save."""
    (house / "house" / "failing.py").write_text(FAILING)
    environment = {
        **os.environ,
        "ACPCBOT_CACHE": str(tmp_path),
        "PYTHONPATH": f"{house}{os.pathsep}{ROOT}",
    }
    answer = output("-m", "house.failing", folder=house, environment=environment)
    assert answer == "TypingError\n2 None"


def test_a_cache_that_cannot_be_written_is_told_and_survived(house: Path, tmp_path: Path) -> None:
    """Catches a read-only folder that ends a match."""
    (house / "house" / "failing.py").write_text(FAILING)
    (tmp_path / "file").touch()
    place = str(tmp_path / "file" / "cache")  # no folder can be made below a file
    environment = {**os.environ, "ACPCBOT_CACHE": place, "PYTHONPATH": f"{house}{os.pathsep}{ROOT}"}
    result = run_python("-m", "house.failing", folder=house, environment=environment)
    assert result.stdout == "TypingError\n2 None\n"
    assert result.stderr.count("compiled code cannot be kept") == 1
