"""Random streams: the official dealer's numbers to the bit, and streams that have nothing in
common.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.rng import DealerNumbers, LibcNumbers, Stream
from tests.support.gold import BOTH_SETS, read_gold

CHUNK = 4096


def chi_square(draws: list[int], bound: int) -> float:
    """Return how far *draws* from range(*bound*) are from even, in standard deviations."""
    expected = len(draws) / bound
    counts = Counter(draws)
    statistic = sum((counts[value] - expected) ** 2 for value in range(bound)) / expected
    return float((statistic - (bound - 1)) / (2 * (bound - 1)) ** 0.5)


# Known values: the official generator's outputs.


@BOTH_SETS
def test_the_dealers_numbers_are_the_official_generators(gold: Path) -> None:
    for seed, outputs in json.loads(read_gold(gold, "rng.json")).items():
        numbers = DealerNumbers(int(seed))
        assert numbers.take(10) == outputs[:10]
        numbers.skip(610)
        assert numbers.take(10) == outputs[11:]


def test_the_published_outputs_of_the_default_seed_come_out() -> None:
    assert DealerNumbers(5489).take(3) == [3499211612, 581869302, 3890346734]


def test_seeds_beyond_32_bits_wrap_as_the_official_dealer_cuts_them() -> None:
    assert DealerNumbers(2**32 + 7).take(5) == DealerNumbers(7).take(5)
    assert DealerNumbers(-1).take(5) == DealerNumbers(2**32 - 1).take(5)


# Laws of the dealer's numbers.


@given(
    counts=st.lists(
        st.one_of(st.integers(0, 60), st.sampled_from([CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])),
        max_size=8,
    )
)
def test_numbers_do_not_depend_on_how_many_are_taken_at_once(counts: list[int]) -> None:
    numbers = DealerNumbers(3)
    taken = [number for count in counts for number in numbers.take(count)]
    reference = np.random.RandomState(3).randint(0, 1 << 32, size=sum(counts), dtype=np.uint32)
    assert taken == reference.tolist()


@given(before=st.integers(0, 3 * CHUNK), passed=st.integers(0, 3 * CHUNK))
def test_skipping_is_taking_without_looking(before: int, passed: int) -> None:
    skipping, taking = DealerNumbers(9), DealerNumbers(9)
    assert skipping.take(before) == taking.take(before)
    skipping.skip(passed)
    taking.take(passed)
    assert skipping.take(3) == taking.take(3)


# Known values: SplitMix64 itself.


def test_a_stream_is_splitmix64() -> None:
    stream = Stream()
    assert [stream.bits() for _ in range(3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]


# Laws of streams.

seeds = st.lists(st.integers(-(2**70), 2**70), max_size=4).map(tuple)


@given(seeds)
def test_the_same_seeds_give_the_same_stream(seeds: tuple[int, ...]) -> None:
    ours, again = Stream(*seeds), Stream(*seeds)
    assert [ours.bits() for _ in range(5)] == [again.bits() for _ in range(5)]


small_seeds = st.lists(st.integers(0, 2**32), max_size=4).map(tuple)


@given(small_seeds, small_seeds)
def test_different_seeds_give_different_streams(
    one: tuple[int, ...], other: tuple[int, ...]
) -> None:
    assert (Stream(*one).bits() == Stream(*other).bits()) == (one == other)


@pytest.mark.parametrize("prefix", [(), (7,), (2**31, 5)])
def test_streams_of_neighbouring_seeds_do_not_overlap(prefix: tuple[int, ...]) -> None:
    """One stream must not be another one that began later: then hand 8 would repeat the draws
    of hand 7.
    """
    streams = [Stream(*prefix, seed) for seed in range(50)]
    drawn = [stream.bits() for stream in streams for _ in range(50)]
    assert len(set(drawn)) == len(drawn)


@given(seeds, st.integers(1, 2**64))
def test_numbers_below_a_bound_are_below_it(seeds: tuple[int, ...], bound: int) -> None:
    stream = Stream(*seeds)
    assert all(0 <= stream.below(bound) < bound for _ in range(20))


@given(seeds)
def test_unit_numbers_lie_between_zero_and_one(seeds: tuple[int, ...]) -> None:
    stream = Stream(*seeds)
    assert all(0.0 <= stream.unit() < 1.0 for _ in range(20))


@pytest.mark.parametrize("bound", [2, 3, 52, 1326])
def test_numbers_below_a_bound_are_even_along_one_stream(bound: int) -> None:
    stream = Stream(11)
    assert abs(chi_square([stream.below(bound) for _ in range(40 * bound)], bound)) < 6


@pytest.mark.parametrize("bound", [2, 3, 52, 1326])
def test_first_numbers_are_even_across_streams(bound: int) -> None:
    assert abs(chi_square([Stream(5, hand).below(bound) for hand in range(40 * bound)], bound)) < 6


def test_first_and_second_numbers_have_nothing_to_do_with_each_other() -> None:
    pairs = [
        (stream.below(10), stream.below(10))
        for stream in (Stream(5, hand) for hand in range(10_000))
    ]
    assert abs(chi_square([10 * first + second for first, second in pairs], 100)) < 6


def test_unit_numbers_are_uniform() -> None:
    stream = Stream(1)
    assert abs(chi_square([int(stream.unit() * 100) for _ in range(10_000)], 100)) < 6


@pytest.mark.parametrize(
    ("seed", "ports"),
    [
        (0, [18791, 18374, 59497, 38003]),
        (1, [18791, 18374, 59497, 38003]),
        (7, [9205, 23107, 17211, 19631]),
        (12345, [29767, 34197, 50157, 10043]),
    ],
)
def test_ports_of_old_dealers_can_be_told_from_the_seed(seed: int, ports: list[int]) -> None:
    """Recorded from release 1.0.41: a bot that expects a seed's ports must find the dealer
    there.
    """
    numbers = LibcNumbers(seed)
    assert [numbers.next() % 64_512 + 1024 for _ in ports] == ports


def test_every_recorded_port_can_be_told_from_the_seed() -> None:
    path = Path(__file__).resolve().parents[2] / "shared" / "gold" / "unit" / "ports_1_0_41.json"
    if not path.exists():
        pytest.skip(f"no recorded ports at {path}")
    for seed, ports in json.loads(path.read_text(encoding="utf-8"))["ports"].items():
        numbers = LibcNumbers(int(seed))
        assert [numbers.next() % 64_512 + 1024 for _ in ports] == ports
