"""``--json``: stdout is one JSON document, and says what the text says."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from acpcbot.cli.dispatch import main
from acpcbot.cli.output import write_json
from tests.strategies.random_snapshots import saved
from tests.support.games import KUHN, LEDUC
from tests.support.matches import plan_of, play

Output = pytest.CaptureFixture[str]
FIGURE = re.compile(r"([+-][0-9.]+) ± ([0-9.]+) mbb/hand")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Stored strategies, and a match that is over."""
    place = tmp_path_factory.mktemp("json")
    saved(place / "kuhn", KUHN)
    saved(place / "leduc", LEDUC)
    plan = plan_of("call", "raise", game=LEDUC, num_hands=40)
    (place / "m").mkdir()
    play(plan, place / "m")
    plan.save(place / "m")
    return place


@pytest.fixture(autouse=True)
def _there(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(made)


def both(capfd: Output, command: str) -> tuple[str, Any]:
    """The text that *command* prints, and its document."""
    assert main(command.split()) == 0
    text = capfd.readouterr().out
    assert main([*command.split(), "--json"]) == 0
    return text, json.loads(capfd.readouterr().out)


def figures(text: str) -> list[tuple[float, float]]:
    return [(float(mean), float(half)) for mean, half in FIGURE.findall(text)]


def rounded(results: list[dict[str, Any]]) -> list[tuple[float, float]]:
    return [(round(row["mean_mbb"], 1), round(row["half_width_mbb"], 1)) for row in results]


def test_json_of_a_match_has_the_printed_figures(capfd: Output) -> None:
    text, found = both(capfd, "match --resume m")
    assert rounded(found["entrants"]) == figures(text)
    assert (found["game"], found["num_hands"], found["folder"]) == (LEDUC, 40, "m")
    assert [entrant["strategy"] for entrant in found["entrants"]] == ["call", "raise"]


def test_json_of_an_arena_has_the_printed_figures(capfd: Output) -> None:
    text, found = both(capfd, "arena leduc call --deals 500 --threads 1")
    assert rounded(found["results"]) == figures(text)
    assert f"{found['num_deals']} deals in all seats, {found['num_hands']} hands" in text


def test_json_of_an_evaluation_has_the_printed_figures(capfd: Output) -> None:
    text, found = both(capfd, "evaluate m")
    estimates = [row for player in found["players"] for row in player["estimates"]]
    assert rounded(estimates) == figures(text)
    assert [player["name"] for player in found["players"]] == ["call", "raise"]


def test_json_of_exploitability_has_the_printed_figures(capfd: Output) -> None:
    text, found = both(capfd, "exploitability call --game kuhn.limit.2p")
    assert f"{found['exploitability_mbb']:.6g} mbb" in text
    for value in found["policy_values_mbb"]:
        assert f"wins {round(value, 3) + 0.0:+.3f} mbb/hand" in text


def test_json_of_lbr_has_the_printed_figures(capfd: Output) -> None:
    text, found = both(capfd, "lbr call --deals 6 --jobs 1")
    assert rounded([found]) == figures(text)


def test_json_of_a_state_has_the_printed_probabilities(capfd: Output) -> None:
    text, found = both(capfd, "show kuhn MATCHSTATE:0:3::Ks|")
    words = "  ".join(
        f"{action} {share:.4f}"
        for action, share in zip(("call", "raise"), found["hand_probabilities"], strict=True)
    )
    assert f"Ks  {words}\n" in text
    assert list(found["range"]) == ["A", "K", "Q"]
    assert all(math.isclose(sum(row), 1.0) for row in found["range"].values())


def test_json_of_a_tournament_is_the_same_for_run_and_show(capfd: Output, tmp_path: Path) -> None:
    words = f"tournament run call raise --game {KUHN} --hands 10 --in-process -o {tmp_path}/cup"
    assert main([*words.split(), "--json", "--resamples", "5"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert {entrant["name"] for entrant in found["entrants"]} == {"call", "raise"}
    assert main(["tournament", "show", f"{tmp_path}/cup", "--json", "--resamples", "5"]) == 0
    assert json.loads(capfd.readouterr().out) == found


def test_numbers_that_json_does_not_have_become_null(capfd: Output) -> None:
    """Caught: NaN and Infinity, which most readers of JSON refuse."""
    write_json({"a": [math.nan, math.inf, 1.5], "b": Path("x"), "c": (1, None, True)})
    assert json.loads(capfd.readouterr().out) == {
        "a": [None, None, 1.5],
        "b": "x",
        "c": [1, None, True],
    }
