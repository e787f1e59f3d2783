"""Two versions timed alternately: the ratio, its interval, and what is refused."""

from __future__ import annotations

import pytest

from benchmarks.__main__ import main
from benchmarks.paired import ROUNDS, alternate, interval, ratio


class Clock:
    """A process that notes who was asked, and answers with its own time."""

    def __init__(self, name: str, took_ms: float, asked: list[str]) -> None:
        self.stdin, self.stdout = self, self
        self._name, self._took_ms, self._asked = name, took_ms, asked

    def write(self, text: str) -> None:
        assert text == "river\n"
        self._asked.append(self._name)

    def flush(self) -> None:
        """Do nothing."""

    def readline(self) -> str:
        return f"{self._took_ms}\n"


def test_both_take_turns_and_neither_is_always_first() -> None:
    asked: list[str] = []
    others, own = alternate(Clock("other", 3.0, asked), Clock("this", 2.0, asked), "river")  # type: ignore[arg-type]
    assert (others, own) == ([3.0] * ROUNDS, [2.0] * ROUNDS)
    rounds = asked[2:]
    firsts = rounds[::2]
    assert {*zip(rounds[::2], rounds[1::2], strict=True)} == {("other", "this"), ("this", "other")}
    assert abs(firsts.count("this") - firsts.count("other")) <= 1


def test_a_process_that_ended_is_named_by_its_measure() -> None:
    silent = Clock("other", 1.0, [])
    silent.readline = lambda: ""  # type: ignore[method-assign]
    with pytest.raises(RuntimeError, match="'river'"):
        alternate(silent, silent, "river")  # type: ignore[arg-type]


def test_the_interval_of_the_median_contains_it_and_widens_with_noise() -> None:
    calm, wild = [1.0, 1.1, 1.2] * 7, [0.2, 1.1, 3.0] * 7
    assert interval(calm)[0] <= 1.1 <= interval(calm)[1]
    low, high = interval(wild)
    assert high - low >= interval(calm)[1] - interval(calm)[0]
    found = ratio("river", [3.0] * 5, [2.0] * 5)
    assert (found.value, found.unit) == (1.5, "times")
    assert found.note.startswith("1.500 to 1.500; 3 and 2 ms")


@pytest.mark.parametrize(
    "words",
    [
        ["--against", "main"],
        ["range_solver", "--against"],
        ["no_such_name", "--against", "main"],
    ],
)
def test_a_benchmark_that_cannot_be_paired_is_refused(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert "range_solver" in capsys.readouterr().err
