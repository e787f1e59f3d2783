"""The programs in examples/: short, as the guide shows them, and at home at a dealer."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import acpcbot
import acpcbot.matches.agent as agent_module
from acpcbot.cli.dispatch import main
from acpcbot.matches.plan import load_plan
from acpcbot.matches.score import score_match
from acpcbot.poker.shipped import SHIPPED_NAMES, shipped_path
from tests.cli.running import LONGEST_S, start
from tests.support.fresh_programs import run_python
from tests.support.games import (
    FEW_RAISES_2P,
    FOLDER,
    KUHN,
    LEDUC_NOLIMIT,
    LIMIT_2P,
    LIMIT_3P,
    NOLIMIT_2P,
    NOLIMIT_3P,
    SHORT_LIMIT_3P,
    UNEVEN_3P,
    definition_of,
)
from tests.support.matches import plan_of, play

ROOT = Path(__file__).parents[1]
ODDS, PAIRS = ROOT / "examples" / "odds_agent.py", ROOT / "examples" / "pairs_bot.pl"
AGENT = f"{ODDS}:OddsAgent"
README, GUIDE = ROOT / "README.md", ROOT / "docs" / "guides" / "agents.md"

GAMES = [
    LIMIT_2P,
    NOLIMIT_2P,
    LIMIT_3P,
    NOLIMIT_3P,
    KUHN,
    LEDUC_NOLIMIT,
    UNEVEN_3P,
    SHORT_LIMIT_3P,
    FEW_RAISES_2P,
]

# Limit and no-limit, two players and three, hold'em and a deck of three cards, uneven stacks.
QUICKLY = {LIMIT_2P, NOLIMIT_3P, KUHN, UNEVEN_3P}

needs_perl = pytest.mark.skipif(
    shutil.which("perl") is None or sys.platform == "win32",
    reason="this machine has no perl, or no start scripts",
)


def path_of(game: str) -> Path:
    """The definition's file, of a shipped game or one of the tests'."""
    return shipped_path(game) if game in SHIPPED_NAMES else FOLDER / f"{game}.game"


def start_script(folder: Path, path: Path) -> Path:
    """Return the script that starts the Perl bot with HOST PORT for the game in *path*."""
    script = folder / "pairs.sh"
    script.write_text(f'#!/bin/sh\nexec perl "{PAIRS}" "$1" "$2" "{path}"\n')
    script.chmod(0o755)
    return script


# The notebooks

NOTEBOOKS = {
    "solve_river.py": "bets: the straight 1.00, nothing 0.50\naces call 0.50\n",
    "train_leduc.py": " 1000 iterations: exploitability      0.2 mbb/hand\n",
    "score_match.py": "AIVAT +786 +- 76 mbb/hand\n",
}


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs_as_a_script_and_finds_what_is_known(name: str, tmp_path: Path) -> None:
    """Catches examples that nobody runs, and a bluffing frequency that is not one in two."""
    done = run_python(ROOT / "examples" / name, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert NOTEBOOKS[name] in done.stdout
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_needs_public_names_alone(name: str) -> None:
    """Catches an example that imports what may change without notice."""
    text = (ROOT / "examples" / name).read_text(encoding="utf-8")
    assert "from acpcbot" not in text
    assert all(name in acpcbot.__all__ for name in re.findall(r"acpcbot\.(\w+)", text))


# The agent in Python


def test_the_agent_is_short_and_the_guide_shows_it_as_it_is() -> None:
    text = ODDS.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 31
    assert f"```python\n{text}```\n" in GUIDE.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("opponent", "num_deals"), [("call", 100), pytest.param("random", 200, marks=pytest.mark.slow)]
)
def test_the_agent_beats_simple_ones_clearly(opponent: str, num_deals: int, tmp_path: Path) -> None:
    """Catches one that plays legally and badly: its interval must lie above half a big blind a
    hand.
    """
    plan = plan_of(AGENT, opponent, game=LIMIT_2P, num_hands=num_deals, is_duplicate=True)
    play(plan, tmp_path)
    score = score_match(plan, tmp_path)[0]
    assert score.num_hands == 2 * num_deals
    assert score.mean_mbb - score.half_width_mbb > 500


def test_the_agent_plays_a_whole_match_at_the_dealer(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Catches one that is late or fails where it thinks in a thread."""
    words = [
        AGENT,
        "random",
        "tight",
        "--game",
        NOLIMIT_3P,
        "--hands",
        "50",
        "-o",
        str(tmp_path / "m"),
    ]
    assert main(["match", *words]) == 0
    output = capfd.readouterr()
    assert "match of holdem.nolimit.3p, 50 hands" in output.out
    assert "fallback" not in output.err


# The bot of README


@pytest.fixture
def part_of_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the section on writing a bot; the bot itself is in the current folder."""
    monkeypatch.chdir(tmp_path)
    text = README.read_text(encoding="utf-8").partition("## Write a bot\n")[2]
    Path("solid.py").write_text(
        text.partition("```python\n")[2].partition("```")[0], encoding="utf-8"
    )
    return text


def test_the_bot_of_readme_beats_the_shipped_player(part_of_readme: str, tmp_path: Path) -> None:
    """The first bot that a reader copies once lost more than one that always folds."""
    plan = plan_of("solid.py:Solid", "tight", game=LIMIT_2P, num_hands=750, is_duplicate=True)
    play(plan, tmp_path)
    score = score_match(plan, tmp_path)[0]
    assert score.name == "Solid"
    assert score.mean_mbb - score.half_width_mbb > 0


@pytest.mark.slow
def test_the_bot_of_readme_wins_what_it_says(
    part_of_readme: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Catches figures that are those of another bot or of another player."""
    text = part_of_readme
    command, _, shown = text.partition("$ ./dev match solid.py:Solid tight ")[2].partition("\n")
    assert (
        main(["match", "solid.py:Solid", "tight", *command.split(), "--in-process", "-o", "m"]) == 0
    )
    told = capfd.readouterr().out
    assert [fields_of(line) for line in told.splitlines()[:3]] == [
        fields_of(line) for line in shown.splitlines()[:3]
    ]
    score = score_match(load_plan(Path("m")), Path("m"))[0]
    assert score.name == "Solid"
    assert score.mean_mbb - score.half_width_mbb > 0


def fields_of(line: str) -> list[str]:
    """The words of a line of a score, without the half width of its interval."""
    words = line.split()
    return words if "±" not in words else words[: words.index("±")] + words[words.index("±") + 2 :]


# The bot of the reference


def test_the_bot_of_the_reference_plays_every_shipped_game(tmp_path: Path) -> None:
    """Catches an example in a docstring that names what is not there, or folds a check."""
    lines = [line for line in (agent_module.__doc__ or "").splitlines() if line[:4] in ("", "    ")]
    names: dict[str, Any] = {}
    exec(dedent("\n".join(lines)), names)
    for game in SHIPPED_NAMES:
        others = ["call"] * (definition_of(game).num_players - 1)
        match = acpcbot.play_match(
            [names["Aces"], *others], game=game, hands=20, folder=tmp_path / game
        )
        assert (match.num_fallbacks, match.first_fallback) == (0, ""), game


# The bot in Perl


def test_the_bot_is_well_under_a_hundred_lines() -> None:
    assert len(PAIRS.read_text(encoding="utf-8").splitlines()) < 95


@needs_perl
@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=() if game in QUICKLY else pytest.mark.slow) for game in GAMES],
)
def test_the_dealer_has_nothing_to_say_about_the_bot(game: str, tmp_path: Path) -> None:
    """Catches replies that it passes over or corrects, where an opponent bets any size and goes
    all-in.
    """
    path, num_hands = path_of(game), 300
    names = [f"player{number}" for number in range(definition_of(game).num_players)]
    deal = start(tmp_path, "deal", "m", path, num_hands, 7, *names, "-q")
    assert deal.stdout is not None
    ports = deal.stdout.readline().split()
    opponent = start(tmp_path, "play", "random", "127.0.0.1", ports.pop(), "--game", path)
    script = start_script(tmp_path, path)
    bots = [
        subprocess.Popen([script, "127.0.0.1", port], stderr=subprocess.PIPE, text=True)
        for port in ports
    ]
    try:
        output, talk = deal.communicate(timeout=LONGEST_S)
    finally:
        deal.kill()  # a bot that has died leaves it waiting
    assert deal.returncode == 0, talk
    assert output.startswith("SCORE:")
    assert "WARNING" not in talk
    assert "ERROR" not in talk
    assert [bot.communicate(timeout=LONGEST_S)[1] for bot in bots] == [""] * len(bots)
    assert {process.wait() for process in [opponent, *bots]} == {0}
    assert (tmp_path / "m.log").read_text().count("STATE:") == num_hands


@needs_perl
def test_the_example_bot_raises_pairs_and_folds_nothing_free(tmp_path: Path) -> None:
    """Catches one that plays legally and at random: by its log it raised pairs, and folded
    nothing that was free.
    """
    words = [
        start_script(tmp_path, path_of(LIMIT_2P)),
        "raise",
        "--game",
        LIMIT_2P,
        "--hands",
        "100",
    ]
    assert main(["match", *map(str, words), "-o", str(tmp_path / "m")]) == 0
    hands = [
        line.split(":")
        for line in (tmp_path / "m" / "table000.log").read_text().splitlines()
        if "STATE" in line
    ]
    own = [
        cards.split("/")[0].split("|")[names.split("|").index("pairs-sh")]
        for *_, cards, _, names in hands
    ]
    paired = [
        betting
        for (_, _, betting, *_), cards in zip(hands, own, strict=True)
        if cards[0] == cards[2]
    ]
    assert paired
    assert all(betting.startswith("rrr") for betting in paired)
    folded = [betting for _, _, betting, *_ in hands if betting.endswith("f")]
    assert 10 < len(folded) < 90
    assert all(betting == "f" or betting.endswith("rf") for betting in folded)
