"""Seeded random streams: the official dealer's generators, and splittable ones for all else.

Nothing in the project draws from a global generator; every caller is handed a
stream or a seed.
"""

from __future__ import annotations

import struct
from random import Random

_MASK = 0xFFFFFFFFFFFFFFFF
_GOLDEN = 0x9E3779B97F4A7C15
_CHUNK = 4096
_WORDS = struct.Struct(f"<{_CHUNK}I")
_MT_VERSION, _MT_WORDS = 3, 624


class DealerNumbers:
    """The raw 32-bit outputs of MT19937 under ``init_genrand(seed)``, the dealer's generator.

    Python's own generator is the same one; it is only seeded in another way.

    Source: Matsumoto & Nishimura (1998), https://doi.org/10.1145/272991.272995
    """

    def __init__(self, seed: int) -> None:
        # Cards are drawn as the official dealer draws them, not kept secret.
        self._generator = Random()  # nosec B311
        self._generator.setstate((_MT_VERSION, (*_seeded_words(seed), _MT_WORDS), None))
        self._ready: list[int] = []
        self._next = 0

    def take(self, count: int) -> list[int]:
        """Return the next *count* outputs."""
        start = self._next
        end = start + count
        while end > len(self._ready):
            self._ready = self._ready[start:] + self._draw()
            start, end = 0, count
        self._next = end
        return self._ready[start:end]

    def _draw(self) -> list[int]:
        bits = self._generator.getrandbits(32 * _CHUNK)  # the first output is the lowest word
        return list(_WORDS.unpack(bits.to_bytes(4 * _CHUNK, "little")))

    def skip(self, count: int) -> None:
        """Pass over the next *count* outputs."""
        while count > 0:
            count -= len(self.take(min(count, _CHUNK)))


def _seeded_words(seed: int) -> list[int]:
    """Return the generator's state after ``init_genrand(seed)``."""
    words = [seed & 0xFFFFFFFF]
    for place in range(1, _MT_WORDS):
        words.append((1812433253 * (words[-1] ^ words[-1] >> 30) + place) & 0xFFFFFFFF)
    return words


class LibcNumbers:
    """The outputs of the GNU C library's ``random()`` after ``srandom(seed)``.

    Old dealers drew their ports from them.
    Source: the additive feedback generator of degree 31 that the library documents.
    """

    _DEGREE, _LAG, _NUM_DISCARDED = 31, 3, 310

    def __init__(self, seed: int) -> None:
        words = [seed & 0xFFFFFFFF or 1]
        for _ in range(self._DEGREE - 1):
            words.append(16807 * _signed(words[-1]) % 0x7FFFFFFF)
        self._words = words[self._LAG :] + words[: self._LAG]
        for _ in range(self._NUM_DISCARDED):
            self.next()

    def next(self) -> int:
        """Return the next output, 31 bits."""
        word = (self._words[0] + self._words[-self._LAG]) & 0xFFFFFFFF
        self._words = [*self._words[1:], word]
        return word >> 1


def _signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


class Stream:
    """A small splittable generator (SplitMix64), cheap enough to make one for each hand.

    Source: Steele, Lea & Flood (2014), https://doi.org/10.1145/2660193.2660195
    """

    def __init__(self, *seeds: int) -> None:
        """Start the stream of this tuple of *seeds*; different tuples give different streams."""
        self._state = 0
        for seed in seeds:
            self._state = self._mix((self._state + (seed + 1) * _GOLDEN) & _MASK)

    def bits(self) -> int:
        """Return the next 64 random bits."""
        self._state = (self._state + _GOLDEN) & _MASK
        return self._mix(self._state)

    def below(self, bound: int) -> int:
        """Return a whole number in [0, *bound*); probabilities are off by at most 2**-64."""
        return (self.bits() * bound) >> 64

    def unit(self) -> float:
        """Return a number in [0, 1) with 53 random bits."""
        return (self.bits() >> 11) * 2.0**-53

    @staticmethod
    def _mix(word: int) -> int:
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
        return word ^ (word >> 31)
