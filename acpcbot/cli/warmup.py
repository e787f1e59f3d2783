"""``acpcbot warmup``: compile every kernel now, into the cache that later runs read."""

from __future__ import annotations

import argparse
import sys
import time

from acpcbot.jit import cache_folder, drop_old_caches


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Nothing to say."""


def run(_arguments: argparse.Namespace) -> int:
    """Call every kernel once, and drop the caches of older versions."""
    from acpcbot.cli.kernels import WARM_UPS

    for name, call in WARM_UPS.items():
        started_s = time.monotonic()
        call()
        print(f"{name}: {time.monotonic() - started_s:.2f} s", file=sys.stderr)
    drop_old_caches()
    print(cache_folder())
    return 0
