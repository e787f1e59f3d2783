"""``acpcbot street-loss``: its figures, its options, and the same result from several processes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from acpcbot import memory
from acpcbot.cli.dispatch import main
from acpcbot.evaluation.exploitability import street_loss_run

LEDUC = "leduc.nolimit.2p/external_sampling"
FEW = "--spots", "3", "--iterations", "60"


def document(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["street-loss", *words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def test_processes_share_the_spots_and_change_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    words = LEDUC, "--street", "flop", *FEW, "--bets", "0.5,1,all-in"
    alone, shared = (document(capsys, *words, "--jobs", jobs) for jobs in ("1", "2"))
    assert alone["seconds"] > 0
    assert {**alone, "seconds": 0} == {**shared, "seconds": 0}
    (loss,) = alone["losses"]
    # The strategy is exploitable for 1.2 mbb a hand with these bets.
    assert 0 <= loss["percent_of_pot"] <= loss["most_percent"] < 1
    assert (loss["replaced"], alone["num_spots"], alone["street"]) == (0, 3, "flop")


def test_a_bet_that_the_strategy_lacks_costs_it_more(capsys: pytest.CaptureFixture[str]) -> None:
    known, new = document(
        capsys, LEDUC, "--street", "flop", *FEW, "--bets", "0.5,1,all-in",
        "--against", "0.5,1,all-in", "--against", "0.1,0.25,0.75,2,all-in", "--jobs", "1",
    )["losses"]  # fmt: skip
    assert known["against"] == "0.5,1,all-in"
    assert new["percent_of_pot"] > known["percent_of_pot"] + 0.5


def test_strategies_are_compared_with_the_first_one(capsys: pytest.CaptureFixture[str]) -> None:
    """Catches spots of another strategy's self-play, and gains over the wrong one."""
    words = LEDUC, "call", "--street", "flop", *FEW, "--jobs", "1"
    first, other = document(capsys, *words)["losses"]
    (alone,) = document(capsys, LEDUC, *words[2:])["losses"]
    assert (first["strategy"], other["strategy"]) == (LEDUC, "call")
    assert first["percent_of_pot"] == pytest.approx(alone["percent_of_pot"], abs=0.05)
    assert (first["gain_percent"], first["gain_half_width_percent"]) == (None, None)
    lost = other["most_percent"] - first["most_percent"]
    assert other["gain_percent"] == pytest.approx(-lost, abs=1e-6)
    assert lost > 20
    assert main(["street-loss", *words]) == 0
    told = [line.strip() for line in capsys.readouterr().out.splitlines() if "of the pot" in line]
    assert [line.partition(":")[0] for line in told] == [LEDUC, "call"]
    assert [line.endswith("over the first") for line in told] == [False, True]


def test_spots_that_are_kept_are_not_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Catches kept spots that are not those of the same command, and a folder of another one."""
    words = LEDUC, "call", "--street", "flop", "--iterations", "60", "--jobs", "1"
    kept = "--run-dir", str(tmp_path / "run")
    expected = {**document(capsys, *words, "--spots", "5"), "seconds": 0}
    document(capsys, *words, "--spots", "3", *kept)
    assert main(["street-loss", *words, "--spots", "5", *kept]) == 0
    assert "2 spots in" in capsys.readouterr().err
    monkeypatch.setattr(street_loss_run, "_losses", None)
    assert {**document(capsys, *words, "--spots", "5", *kept), "seconds": 0} == expected
    assert main(["street-loss", *words, "--seed", "1", *kept]) == 1
    assert "results of other work" in capsys.readouterr().err


def test_text_tells_each_menu(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["street-loss", "call", "--game", "leduc.limit.2p", "--street", "preflop", *FEW]
    assert main([*words, "--jobs", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "leduc.limit.2p, preflop, 3 spots in both seats"
    assert "% of the pot" in lines[1]
    assert lines[2] == "± is a 95 % confidence interval over spots"


def test_memory_is_told_first_and_refused_where_it_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Catches solvers that are begun although two of them do not fit."""
    words = ["street-loss", LEDUC, "--street", "flop", *FEW]
    size = memory.PROCESS_BYTES + 1_000_000
    monkeypatch.setattr(memory, "available_bytes", lambda: size)
    assert main(words) == 0
    assert "memory: a spot" in capsys.readouterr().err
    assert main([*words, "--jobs", "2"]) == 1
    assert "(2 spots at once" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--spots", "0"], "--spots must be at least 1"),
        (["--seed", "-1"], "--seed must be a 32-bit number"),
        (["--street", "river"], "no street number 4"),
        (["--against", "much"], "much"),
    ],
)
def test_bad_options_are_refused(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["street-loss", LEDUC, "--street", "flop", *words]) == 1
    assert message in capsys.readouterr().err
