"""``acpcbot strategies``: what it lists, what it shows, and which damage it finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.cli.dispatch import main
from acpcbot.poker.definition import format_definition
from acpcbot.strategies import finding
from tests.cli.running import REFUSAL
from tests.snapshots.making import saved
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
    """What a command says that prints nothing and fails."""
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
            "strategies/deep/leduc  leduc.limit.2p  dcfr  1,000 episodes  0.0 MB",
            "strategies/kuhn        kuhn.limit.2p   dcfr  1,000 episodes  0.0 MB  exploitability_mbb 0.5, exact true",
        ]
    )
    assert [line.split()[0] for line in out(capfd, "strategies/deep")] == ["strategies/deep/leduc"]


def test_drafts_of_a_save_that_is_going_on_are_not_listed(
    capfd: pytest.CaptureFixture[str],
) -> None:
    Path("strategies/kuhn").rename("strategies/.kuhn.new")
    assert len(out(capfd)) == 1


def test_a_damaged_strategy_does_not_hide_the_others(capfd: pytest.CaptureFixture[str]) -> None:
    Path("strategies/deep/leduc/manifest.json").write_text("{")
    assert main(["strategies"]) == 1
    captured = capfd.readouterr()
    assert [line.split()[0] for line in captured.out.splitlines()] == ["strategies/kuhn"]
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
def test_what_cannot_be_done_is_refused(
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
