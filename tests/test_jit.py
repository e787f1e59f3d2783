"""The compiler's decorators and the folder of compiled code: nothing stale is ever loaded, and old folders go."""

from __future__ import annotations

import os
from pathlib import Path
from types import FunctionType
from typing import NamedTuple, Protocol

import numba
import numpy as np
import pytest

from acpcbot import jit
from acpcbot.jit import kernel, shared, shared_methods
from acpcbot.poker import rules


@shared
def halved(number: float) -> float:
    return number / 2


@kernel
def quarter(number: float) -> float:
    return halved(halved(number))


@kernel
def quotient(number: float, divisor: float) -> float:
    return number / divisor


@kernel(signature="int64(int64)")
def factorial(number: int) -> int:
    return number * factorial(number - 1) if number > 1 else 1


@kernel(inline=True)
def successor(number: int) -> int:
    return number + 1


@kernel
def after_next(number: int) -> int:
    return successor(successor(number))


@shared_methods
class Shape(Protocol):
    def area(self) -> float: ...

    def grown(self, factor: float) -> float: ...


class Square(NamedTuple):
    side: float

    def area(self) -> float:
        return self.side**2

    def grown(self, factor: float) -> float:
        return self.side * factor


class Rectangle(NamedTuple):
    width: int
    height: float

    def area(self) -> float:
        return self.width * self.height

    def grown(self, factor: float) -> float:
        return max(self.width, self.height) * factor


@kernel
def area_and_growth(shape: Shape) -> float:
    return shape.area() + shape.grown(10.0)


@pytest.mark.parametrize(("shape", "expected"), [(Square(3.0), 39), (Rectangle(2, 5.0), 60), (Rectangle(4, 1.0), 44)])
def test_kernels_call_the_methods_of_the_very_type_that_they_are_given(shape: Shape, expected: float) -> None:
    assert area_and_growth(shape) == shape.area() + shape.grown(10.0) == expected


def test_nothing_is_kept_on_disk_that_depends_on_records_of_other_packages() -> None:
    quarter(8.0)
    area_and_growth(Square(3.0))
    kept = Path(quarter._cache.cache_path)  # type: ignore[attr-defined]
    assert [path for path in kept.iterdir() if path.name.startswith("test_jit.quarter-")]
    assert not [path for path in kept.iterdir() if path.name.startswith("test_jit.area_and_growth-")]


def test_a_shared_function_stays_plain_python() -> None:
    assert isinstance(halved, FunctionType)
    assert isinstance(rules.apply_action, FunctionType)
    assert halved(3) == 1.5


def test_kernels_call_shared_functions() -> None:
    assert quarter(8.0) == 2.0


def test_kernels_divide_as_numpy_does_instead_of_raising() -> None:
    assert quotient(1.0, 0.0) == np.inf


def test_a_signature_compiles_before_the_first_call_and_allows_recursion() -> None:
    assert factorial.signatures == [(numba.int64,)]  # type: ignore[attr-defined]
    assert factorial(10) == 3628800


def test_an_inlined_kernel_gives_the_same_numbers() -> None:
    assert after_next(5) == 7


@pytest.mark.parametrize("compiled", [quarter, factorial, successor, area_and_growth])
def test_every_kernel_leaves_the_interpreter_lock_and_is_kept_on_disk(compiled: object) -> None:
    options = compiled.targetoptions  # type: ignore[attr-defined]
    assert options["nogil"]
    assert options["error_model"] == "numpy"
    assert type(compiled._cache).__name__ == "FunctionCache"  # type: ignore[attr-defined]


# The folder of compiled code.


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small package that stands in for acpcbot."""
    folder = tmp_path / "package"
    (folder / "poker").mkdir(parents=True)
    (folder / "poker" / "rules.py").write_text("FOLD = 0\n")
    (folder / "table.npy").write_bytes(b"\x00\x01")
    monkeypatch.setattr(jit, "PACKAGE", folder)
    return folder


@pytest.mark.parametrize("name", ["poker/rules.py", "table.npy"])
def test_a_changed_helper_or_table_moves_the_cache(package: Path, name: str) -> None:
    before = jit.package_fingerprint()
    (package / name).write_bytes(b"FOLD = 1\n")
    assert jit.package_fingerprint() != before


def test_a_moved_or_new_module_moves_the_cache(package: Path) -> None:
    seen = {jit.package_fingerprint()}
    (package / "poker" / "rules.py").rename(package / "rules.py")
    seen.add(jit.package_fingerprint())
    (package / "actions.py").touch()
    seen.add(jit.package_fingerprint())
    assert len(seen) == 3


def test_other_files_leave_the_cache_where_it_is(package: Path) -> None:
    before = jit.package_fingerprint()
    (package / "notes.txt").write_text("later")
    assert jit.package_fingerprint() == before


def test_the_users_choice_of_folder_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACPCBOT_CACHE", str(tmp_path))
    assert jit.cache_root() == tmp_path
    assert jit.cache_folder() == tmp_path / jit.package_fingerprint()


@pytest.mark.skipif(os.name == "nt", reason="the folders of Windows have other names")
def test_the_cache_goes_to_the_users_own_folder_or_else_to_a_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ACPCBOT_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "not" / "there" / "yet"))
    assert jit.cache_root() == tmp_path / "not" / "there" / "yet" / "acpcbot"
    monkeypatch.setattr(jit, "_is_writable", lambda folder: False)
    assert tmp_path not in jit.cache_root().parents


def test_only_the_newest_caches_and_the_current_one_are_kept(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "caches"
    monkeypatch.setenv("ACPCBOT_CACHE", str(root))
    names = [f"{digit}" * 16 for digit in range(5)]
    for age, name in enumerate([jit.package_fingerprint(), *names]):
        (root / name / "poker").mkdir(parents=True)
        os.utime(root / name, (age, age))
    (root / "tables").mkdir()
    jit.drop_old_caches()
    assert {folder.name for folder in root.iterdir()} == {jit.package_fingerprint(), *names[2:], "tables"}


def test_dropping_old_caches_where_there_are_none_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACPCBOT_CACHE", str(tmp_path / "none"))
    jit.drop_old_caches()
    assert not (tmp_path / "none").exists()
