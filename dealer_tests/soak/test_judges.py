"""The soak's judges find what they are there for: without these tests a soak that finds nothing
would prove nothing.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from acpcbot.poker.shipped import find_definition
from dealer_tests.adversity import HOST
from dealer_tests.soak.findings import SoakFailure
from dealer_tests.soak.judges import judge_log, judge_numbers, judge_twin
from dealer_tests.soak.legs import HandCount
from dealer_tests.soak.measures import (
    MOST_GROWTH_KB,
    Sample,
    Track,
    judge_files,
    judge_memory,
    num_files,
    slope,
)
from dealer_tests.soak.processes import MARK, Program, Yard, listening, marked_processes
from tests.cli.running import acpcbot
from tests.support.games import LEDUC

NEEDS_PROC = pytest.mark.skipif(
    not Path("/proc/self/smaps_rollup").exists(), reason="needs Linux's /proc"
)
NUM_HANDS = 20
FIRST_HAND = 4

Lines = list[str]


@pytest.fixture(scope="module")
def whole_log(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The log of a whole match of Leduc."""
    folder = tmp_path_factory.mktemp("match")
    done = acpcbot(
        folder,
        "match",
        "tight",
        "random",
        "--game",
        LEDUC,
        "--hands",
        NUM_HANDS,
        "--in-process",
        "-o",
        "m",
    )
    assert done.returncode == 0, done.stderr
    return (folder / "m" / "table000.log").read_text()


@pytest.fixture
def log(tmp_path: Path, whole_log: str) -> Path:
    (tmp_path / "a.log").write_text(whole_log)
    return tmp_path / "a.log"


def change(log: Path, alter: Callable[[Lines], None]) -> None:
    lines = log.read_text().splitlines(keepends=True)
    alter(lines)
    log.write_text("".join(lines))


def judge(log: Path) -> str:
    return judge_log(log, find_definition(LEDUC)[1], NUM_HANDS)


# Logs


def test_the_judge_passes_a_whole_log(log: Path) -> None:
    assert judge(log) == "20 hands once each"


def double(lines: Lines) -> None:
    lines.insert(FIRST_HAND + 8, lines[FIRST_HAND + 7])


def lose(lines: Lines) -> None:
    del lines[FIRST_HAND + 7]


def exchange(lines: Lines) -> None:
    lines[FIRST_HAND + 7], lines[FIRST_HAND + 8] = lines[FIRST_HAND + 8], lines[FIRST_HAND + 7]


def tear(lines: Lines) -> None:
    lines[FIRST_HAND + 7] = lines[FIRST_HAND + 7][:9] + "\n"


def tear_the_end(lines: Lines) -> None:
    lines[-1] = lines[-1].rstrip("\n")


def add_a_hand(lines: Lines) -> None:
    lines.insert(
        len(lines) - 1, lines[-2].replace(f"STATE:{NUM_HANDS - 1}:", f"STATE:{NUM_HANDS}:")
    )


def pay_too_much(lines: Lines) -> None:
    number, state, betting, cards, values, names = lines[FIRST_HAND + 7].split(":")
    lines[FIRST_HAND + 7] = ":".join(
        [number, state, betting, cards, "100|" + values.partition("|")[2], names]
    )


def lose_the_score(lines: Lines) -> None:
    del lines[-1]


def score_twice(lines: Lines) -> None:
    lines.append(lines[-1])


DAMAGE: dict[Callable[[Lines], None], str] = {
    double: r"doubled \[7\], missing \[\]",
    lose: r"doubled \[\], missing \[7\]",
    exchange: r"out of order",
    tear: "torn: 'STATE:7:.'",
    tear_the_end: "torn at its end",
    add_a_hand: r"beyond the end \[20\]",
    pay_too_much: "line 12",
    lose_the_score: r"scores \[\]",
    score_twice: "line|scores",
}


@pytest.mark.parametrize("alter", DAMAGE)
def test_damage_to_a_log_is_found(alter: Callable[[Lines], None], log: Path) -> None:
    change(log, alter)
    with pytest.raises(SoakFailure, match=DAMAGE[alter]):
        judge(log)


def test_a_log_that_grows_may_end_within_a_line_and_nowhere_else(log: Path) -> None:
    text = log.read_text()
    place = text.index("STATE:5:") + 12
    log.write_text(text[:place])
    judge_numbers(log, 5, is_whole=False)
    with pytest.raises(SoakFailure, match="torn at its end"):
        judge_numbers(log, 5, is_whole=True)
    with pytest.raises(SoakFailure, match=r"missing \[5\]"):
        judge_numbers(log, 6, is_whole=False)


def test_a_twin_that_plays_one_hand_otherwise_is_found(
    log: Path, whole_log: str, tmp_path: Path
) -> None:
    twin = tmp_path / "b.log"
    twin.write_text(whole_log)
    judge_twin(log, twin)
    change(twin, lose_the_score)
    with pytest.raises(
        SoakFailure, match=r"differs from its twin in line 20: SCORE:.* instead of nothing"
    ):
        judge_twin(log, twin)


def test_hands_are_counted_once_while_the_log_grows_by_pieces(
    tmp_path: Path, whole_log: str
) -> None:
    log, count, seen = tmp_path / "c.log", HandCount(tmp_path / "c.log"), []
    for end in range(0, len(whole_log) + 1, 7):
        log.write_text(whole_log[:end])
        seen.append(count.look())
        assert seen[-1] == whole_log[: whole_log[:end].rfind("\n") + 1].count("STATE:")
    log.write_text(whole_log)
    assert count.look() == NUM_HANDS
    assert seen == sorted(seen)


# Measures


def track(*rows: tuple[int, float, int]) -> Track:
    return Track("bot", [Sample(*row) for row in rows])


def test_the_slope_is_that_of_the_many_whatever_a_few_say() -> None:
    """Least squares would be led astray by the leap; by hand, 2 KB a hand."""
    rows = [(hand, 2.0 * hand + (50_000 if hand == 30 else 0), 5) for hand in range(0, 100, 10)]
    assert slope(track(*rows).samples) == 2.0


@pytest.mark.parametrize(
    ("kb_per_hand", "is_good"), [(0.0, True), (0.05, True), (0.2, False), (-1.0, True)]
)
def test_a_process_that_grows_is_found(kb_per_hand: float, is_good: bool) -> None:
    """Warm-up is left out: the leap in the first tenth of the hands is none of its business."""
    rows = [
        (hand, 60_000 + kb_per_hand * hand - (30_000 if hand < 4_000 else 0), 9)
        for hand in range(0, 40_000, 400)
    ]
    assert judge_memory("leg", track(*rows)).is_good is is_good


def test_a_cache_that_is_emptied_is_no_leak_and_a_leak_beneath_it_is_found() -> None:
    for leak_kb, is_good in [(0.0, True), (0.2, False)]:
        rows = [(hand, 60_000 + hand % 4_100 + leak_kb * hand, 9) for hand in range(0, 20_000, 170)]
        assert judge_memory("leg", track(*rows)).is_good is is_good


def test_a_short_track_is_judged_by_what_it_grew_in_all() -> None:
    for growth_kb, is_good in [(0.9 * MOST_GROWTH_KB, True), (1.2 * MOST_GROWTH_KB, False)]:
        rows = [(hand, growth_kb * (hand - 300) / 690, 9) for hand in range(0, 1_000, 10)]
        assert judge_memory("leg", track(*rows)).is_good is is_good


def test_too_few_samples_are_no_good_news() -> None:
    assert judge_memory("leg", track()).is_good is False
    assert judge_memory("leg", track(*[(hand, 1.0, 9) for hand in range(4)])).is_good is False
    assert judge_files("leg", track()).is_good is False


@pytest.mark.parametrize(
    ("counts", "is_good"),
    [([9, 9, 9], True), ([9, 11, 9], True), ([9, 9, 10], False), ([9, 14, 9], False)],
)
def test_files_that_stay_open_are_found(counts: list[int], is_good: bool) -> None:
    rows = [(hand, 1.0, count) for hand, count in enumerate(counts)]
    assert judge_files("leg", track(*rows)).is_good is is_good


HOARDER = """
import sys
kept = []
for line in sys.stdin:
    kept.append((b"x" * 500_000, open("/dev/null")))
    print(len(kept), flush=True)
"""


@NEEDS_PROC
def test_a_real_process_that_hoards_memory_and_files_is_found() -> None:
    found = Track("hoarder")
    with subprocess.Popen(
        [sys.executable, "-c", HOARDER], stdin=-1, stdout=-1, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for hand in range(30):
            print(file=process.stdin, flush=True)
            process.stdout.readline()
            found.add(hand, process.pid)
        process.stdin.close()
    assert 480 < slope(found.samples) < 520
    assert judge_memory("leg", found).is_good is False
    assert judge_files("leg", found).is_good is False


# Processes and sockets


@pytest.fixture
def yard(tmp_path: Path) -> Iterator[Yard]:
    with Yard(tmp_path / "talk") as yard:
        yield yard


@NEEDS_PROC
def test_a_process_that_is_left_behind_is_found_and_ended(yard: Yard) -> None:
    """It has a session and a parent of its own, as a worker whose master was killed."""
    environment = {**os.environ, MARK: yard.mark}
    command = [sys.executable, "-c", "import time; print(flush=True); time.sleep(600)"]
    left = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, start_new_session=True
    )
    assert left.stdout is not None
    left.stdout.readline()
    assert yard.leftovers() == [left.pid]
    yard.clear()
    assert left.wait(30) == -signal.SIGKILL
    left.stdout.close()
    assert marked_processes(yard.mark) == []


@NEEDS_PROC
def test_a_stopped_program_is_ended_and_takes_no_further_faults(yard: Yard, tmp_path: Path) -> None:
    program: Program = yard.start("deal", tmp_path, "deal", "m", LEDUC, 10, 1, "A", "B")
    program.send(signal.SIGSTOP)
    assert yard.leftovers() == []
    yard.clear()
    with pytest.raises(SoakFailure, match="had ended by itself before SIGTERM"):
        program.send(signal.SIGTERM)


@NEEDS_PROC
def test_a_socket_that_still_listens_is_found() -> None:
    with socket.create_server((HOST, 0)) as listener:
        port = listener.getsockname()[1]
        assert listening({port, 1}) == {port}
    assert listening({port, 1}) == set()


@NEEDS_PROC
def test_the_judge_counts_open_files() -> None:
    before = num_files(os.getpid())
    with open(os.devnull):
        assert num_files(os.getpid()) == before + 1
