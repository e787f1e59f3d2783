"""``acpcbot compare``: agents that it finds, figures that it prints, and matches it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from acpcbot.cli.dispatch import main
from tests.support.games import LEDUC
from tests.support.matches import plan_of, play
from tests.support.unknown_player import UNKNOWN

DCFR = "strategies/leduc.limit.2p/dcfr"
NAMES = ["chips", "all-in equity", "MIVAT", "AIVAT"]


def match(folder: Path, *strategies: str, **changes: object) -> str:
    """Play a match into *folder*."""
    plan = plan_of(*strategies, game=LEDUC, num_hands=40, is_duplicate=True, **changes)
    plan.save(folder)
    play(plan, folder)
    return str(folder)


@pytest.fixture(scope="module")
def matches(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Two agents against the equilibrium, on the same deals."""
    folder = tmp_path_factory.mktemp("compare")
    return {
        player: match(folder / player, name, DCFR)
        for player, name in (("call", "call"), ("Unknown", UNKNOWN))
    }


def test_the_agent_of_one_match_alone_is_compared(
    matches: dict[str, str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", matches["Unknown"], matches["call"]]) == 0
    captured = capfd.readouterr()
    assert captured.err == ""
    lines = captured.out.splitlines()
    assert lines[0] == "A is Unknown and B is call, 80 hands of 40 deals in both"
    assert lines[1].split() == ["mbb/hand", "A", "-", "B", "A", "B"]
    assert lines[-1] == "± is a 95 % confidence interval"
    # Of one of the agents nothing is known, of their opponent all.
    for name, line in zip(NAMES, lines[2:-1], strict=True):
        assert line.startswith(f"  {name} ")
        gain, _, _, own, other = map(
            float, line.removeprefix(f"  {name}").replace("±", "0").split()
        )
        assert gain == pytest.approx(own - other, abs=0.11)
    assert main(["evaluate", matches["Unknown"], "--player", "Unknown"]) == 0
    alone = capfd.readouterr().out.splitlines()[-1]
    assert alone.split()[1] == lines[-2].split()[-2]


def test_json_has_the_same_figures_and_names_choose_the_agents(
    matches: dict[str, str], capfd: pytest.CaptureFixture[str]
) -> None:
    words = [
        "compare",
        matches["Unknown"],
        matches["Unknown"],
        "--players",
        "Unknown",
        "Unknown",
        "--json",
    ]
    assert main(words) == 0
    document = json.loads(capfd.readouterr().out)
    assert document["players"] == ["Unknown", "Unknown"]
    found = document["differences"]
    assert [each["name"] for each in found] == NAMES
    assert {each["mean_mbb"] for each in found} == {0}
    assert {(each["num_hands"], each["num_deals"]) for each in found} == {(80, 40)}


@pytest.mark.parametrize(
    ("second", "words", "message"),
    [
        ("Unknown", [], "players are Unknown, dcfr, and Unknown, dcfr"),
        ("call", ["--players", "Unknown", "raise"], "raise does not play in"),
        ("call", ["--players", "dcfr", "dcfr"], "have different opponents, Unknown and call"),
    ],
)
def test_agents_that_cannot_be_compared_are_refused(
    second: str,
    words: list[str],
    message: str,
    matches: dict[str, str],
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert main(["compare", matches["Unknown"], matches[second], *words]) == 1
    captured = capfd.readouterr()
    assert captured.out == ""
    assert message in captured.err.splitlines()[0]


def test_other_deals_are_refused(
    matches: dict[str, str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    other = match(tmp_path / "other", "call", DCFR, seed=8)
    assert main(["compare", matches["Unknown"], other]) == 1
    assert "have other cards or seats\n\nhint: play both matches" in capfd.readouterr().err
