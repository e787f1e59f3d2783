"""Play for long in bad weather, and tell whether anything was lost: ``./dev soak``.

Limit and no-limit hold'em at our own dealer, over sockets, by the commands that everybody uses.
Bots and dealers are killed, stopped and drained, disks are full, clocks leap, peers talk rubbish;
memory, open files, processes and sockets are counted. A line a finding on stdout; status 1 if one
is bad.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from pathlib import Path
from types import FrameType

from benchmarks.__main__ import describe_machine
from dealer_tests.soak.findings import LOG, Finding, format_table, summary, write_report
from dealer_tests.soak.plan import LEGS, hands_of_legs, play
from dealer_tests.soak.stage import Stage, open_stage

TWINS = 2
TERMINATED, INTERRUPTED = 143, 130


def main(argv: list[str]) -> int:
    """Run the soak that *argv* asks for."""
    if not Path("/proc/self/smaps_rollup").exists():
        print(
            "error: processes cannot be looked at here\n\nhint: the soak needs Linux and its /proc",
            file=sys.stderr,
        )
        return 2
    arguments = _parse(argv)
    signal.signal(signal.SIGTERM, _terminated)
    # A shell's background jobs are deaf to interrupts, and so would be the programs that are to be
    # interrupted.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return run(arguments)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED


def _terminated(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(TERMINATED)


def _parse(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./dev soak", description="Play for long in bad weather; see docs/guides/soak.md."
    )
    parser.add_argument(
        "--limit-hands", type=int, default=100_000, help="hands of limit hold'em [100000]"
    )
    parser.add_argument(
        "--no-limit-hands", type=int, default=2_000, help="hands of no-limit hold'em [2000]"
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="seed of cards, bots, and of when faults strike [1]"
    )
    parser.add_argument(
        "--legs",
        nargs="+",
        choices=LEGS,
        default=list(LEGS),
        metavar="LEG",
        help=f"[{' '.join(LEGS)}]",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        help="a new folder for all logs [a temporary one, kept on failure]",
    )
    parser.add_argument(
        "--response-ms", type=int, default=3_000, metavar="MS", help="the dealers' patience [3000]"
    )
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="write the findings there as JSON"
    )
    return parser.parse_args(argv)


def run(arguments: argparse.Namespace) -> int:
    """Play every leg, print what was found; the exit status."""
    hands = hands_of_legs(arguments.limit_hands, arguments.no_limit_hands, arguments.legs)
    started_s, machine = time.monotonic(), describe_machine()
    print(
        f"{sum(hands.values()):,} hands in {len(hands)} legs, and as many without faults beside them",
        file=sys.stderr,
    )
    with open_stage(
        arguments.output, arguments.seed, arguments.response_ms, TWINS * sum(hands.values())
    ) as stage:
        for name, num_hands in hands.items():
            play(stage, name, num_hands)
        stage.judge_tidiness()
        _count_hands(stage, hands)
    took_s = time.monotonic() - started_s
    print(format_table(stage.findings))
    print(
        f"\n{summary(stage.findings)}; {took_s / 60:.1f} minutes, {machine}, load now {os.getloadavg()[0]:.2f}"
    )
    if arguments.json:
        facts = {
            "seed": arguments.seed,
            "hands": stage.hands,
            "seconds": round(took_s, 1),
            "machine": machine,
        }
        write_report(arguments.json, stage.findings, **facts)
    return 1 if any(finding.is_good is False for finding in stage.findings) else 0


def _count_hands(stage: Stage, hands: dict[str, int]) -> None:
    played = sum(stage.hands.values())
    seen = f"{played:,} of {sum(hands.values()):,} played to their end and found on disk once each"
    stage.note(Finding(LOG, "all", "hands", stage.hands.keys() == hands.keys(), seen))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
