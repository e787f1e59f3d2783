"""The files of one match: what is on disk when, what a kill leaves, and who may write."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from acpcbot.errors import UsageError
from acpcbot.matches.match_files import MatchFiles, lock_folder

STATES = "STATE:0:a\nSTATE:1:b\n"


def files(
    folder: Path, *, appends: bool = False, log: bool = True, transactions: bool = True
) -> MatchFiles:
    return MatchFiles(
        str(folder / "m"), keeps_log=log, keeps_transactions=transactions, appends=appends
    )


def test_a_line_is_on_disk_as_soon_as_it_is_written(tmp_path: Path) -> None:
    match = files(tmp_path)
    match.log("STATE:0:a")
    match.transact("c 0 1.0 2.0")
    assert (tmp_path / "m.log").read_text() == "STATE:0:a\n"
    assert (tmp_path / "m.tlog").read_text() == "c 0 1.0 2.0\n"
    match.close()


def test_files_that_are_not_wanted_are_not_made_and_writing_to_them_is_no_fault(
    tmp_path: Path,
) -> None:
    match = files(tmp_path, log=False, transactions=False)
    match.log("x")
    match.transact("y")
    match.close()
    assert list(tmp_path.iterdir()) == []


def test_without_appending_earlier_files_are_emptied(tmp_path: Path) -> None:
    (tmp_path / "m.log").write_text(STATES)
    (tmp_path / "m.tlog").write_text("c 0 1.0 2.0\n")
    match = files(tmp_path)
    assert (match.num_logged, match.transactions) == (0, [])
    match.close()
    assert (tmp_path / "m.log").read_text() + (tmp_path / "m.tlog").read_text() == ""


def test_appending_goes_on_from_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "m.log").write_text(f"# header\n{STATES}")
    (tmp_path / "m.tlog").write_text("c 0 1.0 2.0\nf 0 1.0 2.0\n")
    match = files(tmp_path, appends=True)
    assert (match.num_logged, match.transactions) == (2, ["c 0 1.0 2.0", "f 0 1.0 2.0"])
    match.log("STATE:2:c")
    match.close()
    assert (tmp_path / "m.log").read_text() == f"# header\n{STATES}STATE:2:c\n"


@pytest.mark.parametrize("rest", ["S", "STATE:2:c", "STATE:2:c:0|0:A|B"])
def test_a_half_line_after_a_kill_is_cut_off(rest: str, tmp_path: Path) -> None:
    (tmp_path / "m.log").write_text(STATES + rest)
    (tmp_path / "m.tlog").write_text("c 0 1.0 2.0\nc 0 1.0")
    match = files(tmp_path, appends=True)
    assert (match.num_logged, match.transactions) == (2, ["c 0 1.0 2.0"])
    match.log("STATE:2:d")
    match.transact("f 0 1.0 2.0")
    match.close()
    assert (tmp_path / "m.log").read_text() == f"{STATES}STATE:2:d\n"
    assert (tmp_path / "m.tlog").read_text() == "c 0 1.0 2.0\nf 0 1.0 2.0\n"


@pytest.mark.parametrize(
    ("log", "kind"), [(True, "log file .*m.log"), (False, "transaction file .*m.tlog")]
)
def test_a_missing_folder_is_refused_with_the_files_name(
    log: bool, kind: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=f"ERROR: could not open {kind}") as refusal:
        files(tmp_path / "missing", log=log)
    assert refusal.value.hint


def test_names_are_written_with_the_bytes_that_were_typed(tmp_path: Path) -> None:
    """As by the official dealer: two Chinese names are two players, and a byte that is no text
    stands as it is.
    """
    match = files(tmp_path)
    typed = [name.encode() for name in ("Åke", "名", "人")] + [b"\xff\xe5"]
    for name in typed:
        match.log(f"STATE:0:{os.fsdecode(name)}")
        match.transact(os.fsdecode(name))
    match.close()
    assert (tmp_path / "m.log").read_bytes() == b"".join(
        b"STATE:0:" + name + b"\n" for name in typed
    )
    assert (tmp_path / "m.tlog").read_bytes() == b"".join(name + b"\n" for name in typed)


HOLD = "import sys; from pathlib import Path; from acpcbot.matches.match_files import lock_folder\n"
HOLD += "with lock_folder(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"


def test_a_folder_belongs_to_one_process_until_that_ends(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(UsageError, match="another process works"), lock_folder(tmp_path):
            pass
    finally:
        holder.kill()
        holder.communicate(timeout=60)
    with lock_folder(tmp_path):
        pass


def test_a_folder_is_free_again_after_its_match(tmp_path: Path) -> None:
    for _ in range(2):
        with lock_folder(tmp_path):
            pass
