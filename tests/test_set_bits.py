"""The set bit of a rank: plain Python, kernels, and kernels for a processor without BMI2."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

from acpcbot.jit import kernel
from acpcbot.set_bits import nth_set_bit


@kernel
def in_kernel(bits: int, rank: int) -> int:
    return nth_set_bit(bits, rank)


def test_every_rank_of_random_sets() -> None:
    """Against a list of the members, up to the highest bit that rules use."""
    random = Random(1)
    for _ in range(300):
        bits = random.getrandbits(62) & random.getrandbits(62) | 1 << random.randrange(62)
        members = [bit for bit in range(62) if bits >> bit & 1]
        for rank, member in enumerate(members):
            assert nth_set_bit(bits, rank) == in_kernel(bits, rank) == member


def test_a_processor_without_the_instruction_walks(tmp_path: Path) -> None:
    # In a file, where the compiler looks for the source of a kernel.
    program = tmp_path / "program.py"
    program.write_text("""
from acpcbot.jit import kernel
from acpcbot.set_bits import nth_set_bit

@kernel
def fifth(bits):
    return nth_set_bit(bits, 4)

print(fifth(0b1011_0110_1000), "pdep" in next(iter(fifth.inspect_asm().values())))
""")
    settings = dict(os.environ, NUMBA_CPU_NAME="generic")
    done = subprocess.run(
        [sys.executable, program], env=settings, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["9", "False"]
