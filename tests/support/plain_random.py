"""The kernels' random numbers in plain Python."""

from __future__ import annotations

from acpcbot.random_kernels import seed_state

MASK = (1 << 64) - 1


class PlainRandom:
    """The generator behind a state of ``seed_state(*seeds)``."""

    def __init__(self, *seeds: int) -> None:
        self.first, self.second = (int(word) for word in seed_state(*seeds))

    def bits(self) -> int:
        first, second = self.first, self.second
        bits = (_rotated((first + second) & MASK, 17) + first) & MASK
        second ^= first
        self.first = _rotated(first, 49) ^ second ^ (second << 21 & MASK)
        self.second = _rotated(second, 28)
        return bits


def _rotated(word: int, places: int) -> int:
    return (word << places | word >> 64 - places) & MASK
