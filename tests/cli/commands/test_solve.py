"""``acpcbot solve``: known values, both forms, decisions further on, and an interruption."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from acpcbot.cli.dispatch import main
from acpcbot.subgames.solver import RangeCFR
from acpcbot.subgames.sweeps import NO_LIMITS, Limits
from tests.support.games import KUHN, LEDUC

RIVER = [
    "--board",
    "KsTd9h4s2c",
    "--pot",
    "100",
    "--stack",
    "400",
    "--bets",
    "0.5,1,all-in;1,all-in",
    "--threads",
    "1",
]


def out(capfd: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert main(["solve", *words]) == status
    captured = capfd.readouterr()
    assert captured.err.splitlines()[1].startswith("memory: ")
    return captured.out


def data_of(capfd: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(out(capfd, *words, "--format", "json"))
    return found


def test_the_river_that_solvers_are_compared_on_has_its_value_and_a_chart(
    capfd: pytest.CaptureFixture[str],
) -> None:
    lines = out(capfd, *RIVER, "--target", "0.05").splitlines()
    found = re.fullmatch(r"\d+ iterations: exploitable for ([0-9.]+) % of the pot, .*", lines[1])
    assert found
    assert float(found[1]) <= 0.05
    assert lines[2].startswith("  seat 1  wins -3.1")
    assert lines[5] == "river, seat 1 to act, board KsTd9h4s2c, pot 100"
    assert [word for word in lines[6].split("  ") if word.startswith("check 7")]
    assert lines[8] == "bet in per cent, else check"
    assert len(lines) == 23


def test_leduc_is_solved_whole_and_lists_its_hands(capfd: pytest.CaptureFixture[str]) -> None:
    lines = out(capfd, "--game", LEDUC, "--iterations", "300", "--target", "0").splitlines()
    assert lines[1].startswith("300 iterations")
    assert "-0.09 chips, -4.28 % of the pot, -85.6" in lines[2]
    assert [line.split()[0] for line in lines[9:-1]] == ["As", "Ah", "Ks", "Kh", "Qs", "Qh"]


def test_later_decisions_are_shown_on_any_board(capfd: pytest.CaptureFixture[str]) -> None:
    found = data_of(
        capfd, "--game", LEDUC, "--iterations", "200", "--line", "check, bet 2, call, Kh, check"
    )
    first = found["decisions"][0]
    assert (first["after"], first["street"], first["board"]) == (
        ["check", "bet 2", "call", "Kh", "check"],
        "flop",
        "Kh",
    )
    assert (first["seat"], first["pot_chips"], first["actions"]) == (2, 6, ["check", "bet 4"])
    assert first["hands"] == ["As", "Ah", "Ks", "Qs", "Qh"]
    # A pair with the board is the nuts.
    assert max(first["ev_chips"][1]) == first["ev_chips"][1][2]


def test_data_hold_all_decisions_of_the_street_and_add_up(
    capfd: pytest.CaptureFixture[str],
) -> None:
    found = data_of(
        capfd, *RIVER, "--iterations", "50", "--range1", "TT+,AK:0.5", "--range2", "22-99,KQs"
    )
    assert sum(found["values_chips"]) == pytest.approx(0, abs=1e-3)
    assert found["decisions"][0]["after"] == []
    assert found["pot_chips"] == 100
    for decision in found["decisions"]:
        assert sum(decision["frequencies"]) == pytest.approx(1, abs=1e-5)
        assert (
            len(decision["hands"]) == len(decision["probabilities"]) == len(decision["ev_chips"][0])
        )
        assert all(sum(row) == pytest.approx(1, abs=1e-5) for row in decision["probabilities"])
    held = dict(
        zip(found["decisions"][0]["hands"], found["decisions"][0]["weights"][0], strict=True)
    )
    assert held["AsAh"] == pytest.approx(2 * held["AsKd"], rel=0.2)
    assert "QsQh" in held
    assert "2s3s" not in held


def test_of_unequal_stacks_the_smaller_one_counts(capfd: pytest.CaptureFixture[str]) -> None:
    """Catches an all-in of the larger stack, and a label that hides one of the stacks."""
    words = [*RIVER, "--iterations", "20", "--stack"]
    unequal, plain = data_of(capfd, *words, "400,250"), data_of(capfd, *words, "250")
    label = "hold'em, board KsTd9h4s2c, pot 100, stacks {}, bets 0.5,1,all-in;1,all-in"
    assert unequal["game"] == label.format("400 and 250 (effective 250)")
    assert plain["game"] == label.format("250")
    assert unequal["decisions"] == plain["decisions"]
    (call,) = [one for one in unequal["decisions"] if one["after"] == ["all-in"]]
    assert (call["pot_chips"], call["to_call_chips"]) == (350, 250)


def test_the_range_of_a_strategy_is_the_one_with_which_it_gets_there(
    capfd: pytest.CaptureFixture[str],
) -> None:
    words = [
        "--game",
        KUHN,
        "--betting",
        "r",
        "--iterations",
        "100",
        "--strategy",
        "strategies/kuhn.limit.2p/dcfr",
    ]
    first = data_of(capfd, *words)["decisions"][0]
    bettor = dict(zip(first["hands"], first["weights"][0], strict=True))
    # A queen is never bet in the middle, and a jack for every three kings: here the ranks are A, K
    # and Q.
    assert bettor["Ks"] == pytest.approx(0, abs=1e-3)
    assert bettor["Qs"] == pytest.approx(bettor["As"] / 3, rel=0.02)


def test_an_interruption_ends_the_work_with_what_there_is(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    step = RangeCFR.step

    def interrupted_step(solver: RangeCFR, num_iterations: int, limits: Limits = NO_LIMITS) -> None:
        step(solver, num_iterations, limits)
        if solver.num_iterations == 20:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(RangeCFR, "step", interrupted_step)
    lines = out(capfd, *RIVER, "--target", "0", status=130).splitlines()
    assert lines[1].startswith("20 iterations: exploitable for ")
    assert len(lines) == 23


def test_the_name_of_the_file_says_the_format(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "found.json"
    assert out(capfd, "--game", KUHN, "--iterations", "10", "-o", str(path)) == f"{path}\n"
    assert json.loads(path.read_text())["game"] == KUHN


def test_a_page_is_written_where_the_file_is_called_so(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out(capfd, "--game", KUHN, "--iterations", "10", "-o", str(tmp_path / "found.html"))
    assert (tmp_path / "found.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_a_solver_too_large_for_memory_is_refused_before_it_is_made(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("acpcbot.cli.commands.solve.available_bytes", lambda: 1_000_000)
    assert main(["solve", "--board", "KsTd9h4s", "--pot", "100", "--stack", "400"]) == 1
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "solving would take" in captured.err
    assert "are missing" in captured.err
