"""``acpcbot strategies``: what it lists, what it shows, and which damage it finds."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from acpcbot.cli.dispatch import main
from acpcbot.poker.definition import format_definition
from acpcbot.strategies import finding
from tests.cli.running import REFUSAL
from tests.strategies.random_snapshots import saved
from tests.support.games import KUHN, LEDUC, definition_of


@pytest.fixture(autouse=True)
def _library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A current folder with two strategies, and none anywhere else."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(finding, "PACKAGE", tmp_path / "nowhere" / "acpcbot")
    saved(Path("strategies/kuhn"), KUHN)
    saved(Path("strategies/deep/leduc"), LEDUC)


def out(capfd: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """The lines that a command prints; it must succeed and say nothing else."""
    status = main(["strategies", *words])
    captured = capfd.readouterr()
    assert (status, captured.err) == (0, "")
    return captured.out.splitlines()


def refused(capfd: pytest.CaptureFixture[str], *words: str) -> str:
    """Return the error of a command that prints nothing and fails."""
    status = main(["strategies", *words])
    captured = capfd.readouterr()
    assert (status, captured.out) == (1, "")
    assert REFUSAL.fullmatch(captured.err)
    return captured.err


def test_all_strategies_below_a_folder_are_listed(capfd: pytest.CaptureFixture[str]) -> None:
    saved(
        Path("strategies/kuhn"),
        KUHN,
        strength=({"old": 1}, {"exploitability_mbb": 0.5, "exact": True}),
    )
    assert (
        out(capfd)
        == out(capfd, "strategies")
        == [
            "                        hours    MB  strength, mbb/hand",
            "kuhn.limit.2p",
            "  strategies/kuhn        0.25   0.0  exploitable 0.5",
            "leduc.limit.2p",
            "  strategies/deep/leduc  0.25   0.0  not measured",
        ]
    )
    assert names(out(capfd, "strategies/deep")) == ["strategies/deep/leduc"]


def names(lines: list[str]) -> list[str]:
    """The strategies of a list."""
    return [line.split()[0] for line in lines[1:] if line.startswith("  ")]


def test_the_shipped_list_fits_a_hundred_columns(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Caught: a name or a figure that pushes the table over the terminal's edge."""
    monkeypatch.chdir(Path(__file__).parents[3])
    lines = out(capfd)
    assert max(map(len, lines)) <= 100
    assert "exploitable < 0.001" in next(line for line in lines if "leduc.limit.2p/dcfr" in line)


def test_a_long_name_stands_on_a_line_of_its_own(capfd: pytest.CaptureFixture[str]) -> None:
    long_name = f"strategies/{'k' * 90}"
    saved(Path(long_name), KUHN)
    lines = out(capfd, long_name)
    assert lines[2] == f"  {long_name}"
    assert lines[3].split() == ["0.25", "0.0", "not", "measured"]
    assert all(len(line) <= 100 for line in lines if long_name not in line)


def test_the_list_is_the_same_as_json(capfd: pytest.CaptureFixture[str]) -> None:
    record = {"measured": "by hand", "lbr_fcpa_mbb": 250.0, "lbr_fcpa_mbb_ci": 20, "call_mbb": 9.5}
    saved(Path("strategies/kuhn"), KUHN, strength=(record,))
    (found,) = json.loads("\n".join(out(capfd, "strategies/kuhn", "--json")))
    assert {name: found[name] for name in ("name", "game", "learner", "hours", "num_episodes")} == {
        "name": "strategies/kuhn",
        "game": KUHN,
        "learner": "dcfr",
        "hours": 0.25,
        "num_episodes": 1000,
    }
    assert found["strength"] == [
        {
            "kind": "local best response",
            "against": "fcpa",
            "mbb": 250.0,
            "half_width_mbb": 20.0,
            "low_mbb": None,
        },
        {
            "kind": "won",
            "against": "call",
            "mbb": 9.5,
            "half_width_mbb": None,
            "low_mbb": None,
        },
    ]
    shown = json.loads("\n".join(out(capfd, "show", "strategies/kuhn", "--json")))
    assert shown["strength"] == [record]
    assert "exit status" in refused(capfd, "verify", "strategies/kuhn", "--json")


def test_drafts_of_a_save_that_is_going_on_are_not_listed(
    capfd: pytest.CaptureFixture[str],
) -> None:
    Path("strategies/kuhn").rename("strategies/.kuhn.new")
    assert names(out(capfd)) == ["strategies/deep/leduc"]


def test_a_damaged_strategy_does_not_hide_the_others(capfd: pytest.CaptureFixture[str]) -> None:
    Path("strategies/deep/leduc/manifest.json").write_text("{")
    assert main(["strategies"]) == 1
    captured = capfd.readouterr()
    assert names(captured.out.splitlines()) == ["strategies/kuhn"]
    assert REFUSAL.fullmatch(captured.err)
    assert "strategies/deep/leduc: manifest.json" in captured.err


def test_show_tells_all_of_the_manifest(capfd: pytest.CaptureFixture[str]) -> None:
    saved(
        Path("strategies/deep/leduc"),
        LEDUC,
        strength=({"nash_conv_mbb": 0.5}, {"against": "call", "mbb": 300}),
    )
    lines = out(capfd, "show", "strategies/deep/leduc")
    text = "\n".join(lines)
    for part in (
        f"game         leduc.limit.2p (fingerprint {definition_of(LEDUC).fingerprint})",
        "learner      dcfr",
        "settings     alpha 1.5, floor -Infinity, schedule linear",
        "seed         7, 2 threads",
        "trained      1,000 episodes in 0.25 hours, version 0123abc",
        "abstraction  kind exact",
        "holds        policy and greedy, stored as exact",
        "strength     nash_conv_mbb 0.5\nstrength     against call, mbb 300",
        "file         policy.1.npy  sha256 ",
    ):
        assert f"\n{part}" in f"\n{text}"
    assert text.endswith(format_definition(definition_of(LEDUC)).rstrip())


def test_verify_checks_every_strategy(capfd: pytest.CaptureFixture[str]) -> None:
    whole = ["strategies/deep/leduc: whole", "strategies/kuhn: whole"]
    assert out(capfd, "verify") == whole
    assert out(capfd, "verify", "strategies/kuhn", "strategies/deep") == whole[::-1]


def test_verify_names_what_is_damaged_and_goes_on(capfd: pytest.CaptureFixture[str]) -> None:
    path = Path("strategies/deep/leduc/policy.1.npy")
    text = path.read_bytes()
    path.write_bytes(text[:-1] + bytes([text[-1] ^ 1]))
    assert main(["strategies", "verify"]) == 1
    captured = capfd.readouterr()
    assert captured.out == "strategies/kuhn: whole\n"
    assert captured.err.startswith(
        "error: strategies/deep/leduc: policy.1.npy does not match its checksum\n\nhint: "
    )
    assert REFUSAL.fullmatch(captured.err)


def test_a_strategy_without_its_manifest_is_damaged(capfd: pytest.CaptureFixture[str]) -> None:
    Path("strategies/kuhn/manifest.json").unlink()
    assert "strategies/kuhn: manifest.json cannot be read" in refused(
        capfd, "verify", "strategies/kuhn"
    )


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["nowhere"], "no folder nowhere"),
        (["show"], "one strategy is shown"),
        (["show", "strategies/kuhn", "strategies/deep"], "one strategy is shown"),
        (["show", "nowhere"], "no folder nowhere"),
        (["show", "strategies"], "strategies: manifest.json cannot be read"),
        (["verify", "nowhere"], "no folder nowhere"),
        (["strategies", "strategies"], "one folder listed"),
    ],
)
def test_strategies_refuses_folders_that_it_cannot_list_or_show(
    words: list[str], fault: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert fault in refused(capfd, *words)


@pytest.mark.parametrize(
    "command", ["play strategies/kuhn 127.0.0.1 1", "match strategies/kuhn call"]
)
def test_a_damaged_strategy_is_one_line_wherever_it_is_named(
    command: str, capfd: pytest.CaptureFixture[str]
) -> None:
    Path("strategies/kuhn/manifest.json").write_text("{}")
    assert main([*command.split(), "--game", KUHN]) == 1
    captured = capfd.readouterr()
    assert REFUSAL.fullmatch(captured.err)
    assert "strategies/kuhn: manifest.json: format None" in captured.err


SOG = Path(__file__).parents[3] / "strategies" / "leduc.limit.2p" / "sog"


@pytest.fixture
def _network() -> None:
    shutil.copytree(SOG, Path("strategies/networks/sog"))


@pytest.mark.usefixtures("_network")
def test_networks_are_listed_with_their_exploitability(capfd: pytest.CaptureFixture[str]) -> None:
    lines = out(capfd)
    row = next(line for line in lines if "networks/sog" in line)
    assert row.split()[-2:] == ["exploitable", "9.7"]
    # Beside the stored strategy of its game.
    assert lines[lines.index("leduc.limit.2p") + 1 :][:2] == [
        line for line in lines if "deep/leduc" in line or line == row
    ]
    (listed,) = (each for each in document(capfd) if each["learner"] == "self_play")
    assert (listed["game"], listed["num_episodes"]) == ("leduc.limit.2p", 4000)
    assert [figure["against"] for figure in listed["strength"]] == [
        "SoG(33,1)",
        "SoG(100,1)",
        "SoG(300,1)",
        "SoG(1000,1)",
    ]


def document(capfd: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads("\n".join(out(capfd, "--json")))
    return found


@pytest.mark.usefixtures("_network")
def test_a_network_is_shown_and_verified(capfd: pytest.CaptureFixture[str]) -> None:
    shown = "\n".join(out(capfd, "show", "strategies/networks/sog"))
    for words in ("private rank, from the lowest", "64, 64", "num_episodes     4000", "sha256"):
        assert words in shown
    found = json.loads("\n".join(out(capfd, "show", "strategies/networks/sog", "--json")))
    assert found["training"]["game"] == "leduc.limit.2p"
    assert "strategies/networks/sog: whole" in out(capfd, "verify")
    parameters = Path("strategies/networks/sog/parameters.npy")
    parameters.write_bytes(parameters.read_bytes()[:-1])
    assert main(["strategies", "verify", "strategies/networks"]) == 1
    error = capfd.readouterr().err
    assert "parameters.npy does not match its checksum" in error
    assert "fetch the network again" in error
