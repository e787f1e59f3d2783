"""Old spellings of commands and options: each goes on working, with a notice that says the new."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.cli.dispatch import VERBS, main
from acpcbot.cli.renamed import COMMANDS, OPTIONS, renamed
from tests.strategies.random_snapshots import saved
from tests.support.games import KUHN, LEDUC
from tests.support.matches import plan_of, play

CASES = [
    ("evaluate exact kuhn", "exploitability kuhn", ["evaluate exact is now exploitability"]),
    (
        "exploitability kuhn --inside",
        "exploitability kuhn --abstract",
        ["--inside is now --abstract"],
    ),
    (
        "evaluate lbr call --deals 3 --jobs 1 --seed 5",
        "lbr call --deals 3 --jobs 1 --seed 5",
        ["evaluate lbr is now lbr"],
    ),
    (
        "evaluate street-loss nowhere",
        "street-loss nowhere",
        ["evaluate street-loss is now street-loss"],
    ),
    ("evaluate compare m m", "compare m m", ["evaluate compare is now compare"]),
    ("evaluate match m", "evaluate m", ["evaluate match is now evaluate"]),
    (
        "solve --board KsTd9h4s2c --pot 100 --stack 400 --smallest-bet=2 --short --iterations 5"
        " --threads 1 --after check",
        "solve --board KsTd9h4s2c --pot 100 --stack 400 --min-bet=2 --int16 --iterations 5"
        " --threads 1 --line check",
        ["--smallest-bet is now --min-bet", "--short is now --int16", "--after is now --line"],
    ),
    (
        "preflop nowhere --folder run",
        "build-preflop-values nowhere --run-dir run",
        ["preflop is now build-preflop-values", "--folder is now --run-dir"],
    ),
    (
        "train nowhere.toml --folder run",
        "train nowhere.toml --run-dir run",
        ["--folder is now --run-dir"],
    ),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stored strategy and a match that is over."""
    place = tmp_path_factory.mktemp("renamed")
    saved(place / "kuhn", KUHN)
    plan = plan_of("call", "raise", game=LEDUC, num_hands=20)
    (place / "m").mkdir()
    play(plan, place / "m")
    plan.save(place / "m")
    return place


@pytest.mark.parametrize(("old", "new", "told"), CASES, ids=[old for old, _, _ in CASES])
def test_an_old_spelling_does_what_the_new_one_does(
    old: str,
    new: str,
    told: list[str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Caught: an old word that is refused, that does something else, or that says nothing."""
    monkeypatch.chdir(folder)
    status = main(new.split())
    expected = capfd.readouterr()
    assert "notice" not in expected.err
    assert main(old.split()) == status
    found = capfd.readouterr()
    assert found.out == expected.out
    notices = [line for line in found.err.splitlines() if line.startswith("notice: ")]
    assert notices == [f"notice: {text}" for text in told]


def test_every_old_word_is_tried_and_every_new_command_is_one() -> None:
    told = {notice for _, _, notices in CASES for notice in notices}
    options = {f"{old} is now {new}" for names in OPTIONS.values() for old, new in names.items()}
    commands = {f"{' '.join(old)} is now {new}" for old, new in COMMANDS.items()}
    assert told == options | commands
    assert {*COMMANDS.values(), *OPTIONS} <= set(VERBS)


def test_a_log_that_is_called_like_an_old_command_is_evaluated(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "match").symlink_to(folder / "m")
    assert main(["evaluate", "match", "--player", "call"]) == 0
    captured = capfd.readouterr()
    assert captured.err == ""
    assert captured.out.startswith("call, 20 hands")


def test_words_that_are_no_options_stay() -> None:
    words = ["solve", "--board", "x", "--", "--short"]
    assert renamed(words) == (words, [])
    assert renamed(["match", "--folder"]) == (["match", "--folder"], [])


def test_the_dealer_answers_to_its_own_name(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["deal", "--help"]) == 0
    expected = capfd.readouterr()
    assert main(["dealer", "--help"]) == 0
    assert capfd.readouterr() == expected
