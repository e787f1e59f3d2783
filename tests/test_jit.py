"""The compiler's decorators, the compiler that is loaded late, and word of what is compiled."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple, Protocol

import numba
import numpy as np
import pytest

from acpcbot.jit import CompileEvent, kernel, on_compile, shared, shared_methods
from acpcbot.poker import rules
from tests.support.fresh_programs import run_python


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


@pytest.mark.parametrize(
    ("shape", "expected"), [(Square(3.0), 39), (Rectangle(2, 5.0), 60), (Rectangle(4, 1.0), 44)]
)
def test_kernels_call_the_methods_of_the_very_type_that_they_are_given(
    shape: Shape, expected: float
) -> None:
    assert area_and_growth(shape) == shape.area() + shape.grown(10.0) == expected


def test_nothing_is_kept_on_disk_that_depends_on_records_of_other_packages() -> None:
    quarter(8.0)
    area_and_growth(Square(3.0))
    kept = Path(quarter._cache.cache_path)  # type: ignore[attr-defined]
    assert list(kept.glob("test_jit.quarter-*.nbc"))
    assert not list(kept.glob("test_jit.area_and_growth-*.nb?"))


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
    assert type(compiled._cache).__name__ == "KernelCache"  # type: ignore[attr-defined]


def test_the_rules_are_asked_without_the_compiler() -> None:
    """Catches a shared function that loads numba, which every light command would pay for."""
    program = (
        "import sys\n"
        "from acpcbot.poker import rules\n"
        "assert 'numba' not in sys.modules\n"
        "from acpcbot.trees import public_tree\n"  # kernels that call the rules
        "assert 'numba' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_functions_that_are_shared_after_the_compiler_was_loaded_count_too() -> None:
    @shared
    def doubled(number: int) -> int:
        return 2 * number

    @kernel
    def fourfold(number: int) -> int:
        return doubled(doubled(number))

    assert fourfold(3) == 12


def test_each_kernel_that_is_compiled_is_told_of_and_none_that_is_read_from_the_cache() -> None:
    """Catches a listener that hears of loading, or of the outer kernel alone."""
    told: list[CompileEvent] = []
    on_compile(told.append)
    program = (
        "def inner(number):\n    return number + 1\n\n\ndef outer(number):\n    return {}(number)\n"
    )
    texts: dict[str, Any] = {"__name__": "made_up"}
    # Kernels that no run has compiled before: they have no file.
    exec(program.format("inner"), texts)
    texts["inner"] = inner = numba.njit(texts["inner"])
    outer = numba.njit(texts["outer"])
    assert outer(1) == 2
    assert outer(2) == 3
    assert inner(1) == 2
    names = [event.kernel.rpartition(".")[2] for event in told]
    assert names == ["outer", "inner", "inner", "outer"]
    assert [event.is_over for event in told] == [False, False, True, True]


def test_types_of_a_program_without_a_file_are_compiled_for(tmp_path: Path) -> None:
    """Catches a look for the file of what was typed in, or came by ``python -c``."""
    program = (
        "from typing import NamedTuple\n"
        "from acpcbot.kernel_cache import _key_of_module\n"
        "class Mine(NamedTuple):\n    size: int\n"
        "print(_key_of_module(Mine.__module__))\n"
    )
    done = run_python("-c", program, folder=tmp_path)
    assert (done.stdout, done.stderr) == ("__main__\n", "")
