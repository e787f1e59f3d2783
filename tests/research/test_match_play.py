"""``acpcbot.play_match`` and ``acpcbot.aivat``: logs, scores, and what is known of players."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

import acpcbot
from acpcbot import Action, GameDefinition, HandRecord, MatchState
from acpcbot.cli.dispatch import main
from acpcbot.errors import AcpcbotError, UnknownGame, UsageError
from acpcbot.poker.actions import CALLING
from acpcbot.research import MatchResult

LEDUC, STORED = "leduc.limit.2p", "leduc.limit.2p/dcfr"


class Caller:
    """Calls."""

    is_instant = True

    def __init__(self, definition: GameDefinition, seed: int) -> None:
        self.seed = seed

    def act(self, state: MatchState, deadline_s: float) -> Action:
        return CALLING


class Broken(Caller):
    """Fails."""

    def act(self, state: MatchState, deadline_s: float) -> Action:
        raise RuntimeError


@cache
def played() -> MatchResult:
    """One duplicate match for all tests."""
    folder = Path(mkdtemp()) / "match"
    return acpcbot.play_match([Caller, STORED], hands=60, duplicate=True, seed=4, folder=folder)


def test_named_entrants_play_as_on_the_command_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Catches other seeds, seats or headers than those of ``acpcbot match --in-process``."""
    words = ["random", STORED, "--hands", "20", "--seed", "3", "--seeds", "2", "--duplicate"]
    assert main(["match", *words, "--in-process", "-o", str(tmp_path / "one")]) == 0
    told = capfd.readouterr().out
    result = acpcbot.play_match(
        ["random", STORED], hands=20, seed=3, num_seeds=2, duplicate=True, folder=tmp_path / "two"
    )
    assert len(result.logs) == 4
    for log in result.logs:
        lines = log.read_text().replace(f"{tmp_path}/two", f"{tmp_path}/one")
        assert lines == (tmp_path / "one" / log.name).read_text()
    for score in result.scores:
        assert f"{score.mean_mbb:+10.1f} ± {score.half_width_mbb:.1f} mbb/hand" in told


def test_a_class_plays_under_its_own_name_and_the_score_is_the_logs() -> None:
    """Catches a score that forgets a table: chips are added up again from the logs."""
    result = played()
    chips = 0.0
    for log in result.logs:
        for entry in acpcbot.read_match_log(log):
            if isinstance(entry, HandRecord):
                chips += entry.values[entry.names.index("Caller")]
    assert result["Caller"].chips == chips == -result["dcfr"].chips
    assert result["Caller"].num_hands == 120
    assert result.game_name == LEDUC
    assert repr(result).startswith("<duplicate match of leduc.limit.2p, 120 hands: Caller ")
    assert "Caller" in result._repr_html_()


def test_an_agent_that_fails_is_told_of(tmp_path: Path) -> None:
    """Catches a bot that loses because it raises errors, and nobody says so."""
    result = acpcbot.play_match([Broken, "call"], game=LEDUC, hands=10, folder=tmp_path / "m")
    assert result.num_fallbacks > 0
    assert f"{result.num_fallbacks} fallbacks, the first of Broken at MATCHSTATE:" in repr(result)
    assert result.first_fallback.endswith(": RuntimeError()")


def test_aivat_knows_the_strategies_that_a_folder_tells() -> None:
    """Catches a plan that is not read: the stored strategy is known, the class is not."""
    scores = acpcbot.aivat(played().folder)
    assert [score.player for score in scores.players] == ["Caller", "dcfr"]
    assert scores["dcfr"]["chips"].mean_mbb == pytest.approx(played()["dcfr"].mean_mbb)
    assert "imaginary observations" in [found.name for found in scores["dcfr"].estimates]
    assert scores["dcfr"]["AIVAT"].num_samples == 60
    assert repr(scores).startswith("<MatchScores of leduc.limit.2p, 120 hands: Caller ")


def test_known_strategies_narrow_the_interval() -> None:
    """Catches a *known* that is passed over, as a name or as a loaded strategy."""
    few = acpcbot.aivat(played().folder)["dcfr"]
    caller = acpcbot.load_strategy("call", game=LEDUC)
    more = acpcbot.aivat(played().folder, known={"Caller": caller, "dcfr": STORED})["dcfr"]
    named = acpcbot.aivat(played().folder, known={"Caller": "call"})["dcfr"]
    assert more["AIVAT"] == named["AIVAT"]
    assert more["AIVAT"].half_width_mbb <= few["AIVAT"].half_width_mbb
    assert more["AIVAT"].half_width_mbb < more["chips"].half_width_mbb
    difference = more["AIVAT"].mean_mbb - more["chips"].mean_mbb
    assert abs(difference) < more["chips"].half_width_mbb + more["AIVAT"].half_width_mbb


def test_aivat_is_that_of_the_command_line(capfd: pytest.CaptureFixture[str]) -> None:
    """Catches a second way to evaluate that goes its own ways."""
    scores = acpcbot.aivat(played().folder, known={"Caller": "call"})
    assert main(["evaluate", "match", str(played().folder), "--known", "Caller=call"]) == 0
    told = capfd.readouterr().out
    for score in scores.players:
        for found in score.estimates:
            assert f"{found.mean_mbb:+.1f} ± {found.half_width_mbb:.1f} mbb/hand" in told


def test_logs_by_themselves_and_one_player_are_enough() -> None:
    """Catches what works with folders alone."""
    scores = acpcbot.aivat(played().logs, known={"dcfr": STORED}, players=["dcfr"])
    (score,) = scores.players
    assert score.player == "dcfr"
    assert repr(score).startswith("<PlayerScore dcfr, 120 hands: AIVAT ")
    assert score._repr_html_().count("<svg") == len(score.estimates)


def test_faults_of_matches_are_named(tmp_path: Path) -> None:
    """Catches errors without the argument that would mend them."""
    with pytest.raises(UsageError, match="hands=0"):
        acpcbot.play_match(["call", "call"], game=LEDUC, hands=0)
    with pytest.raises(UsageError, match="no game is named"):
        acpcbot.play_match(["call", "call"])
    with pytest.raises(UsageError, match="1 entrants for 2 seats"):
        acpcbot.play_match(["call"], game=LEDUC)
    with pytest.raises(UsageError, match="makes no agents"):
        acpcbot.play_match([7, "call"], game=LEDUC)  # type: ignore[list-item]
    with pytest.raises(UsageError, match="holds a match already"):
        acpcbot.play_match(["call", "call"], game=LEDUC, folder=played().folder)
    with pytest.raises(UsageError, match="nobody of that name"):
        acpcbot.aivat(played().folder, known={"Nobody": "call"})
    with pytest.raises(UsageError, match="no score of 'Nobody'"):
        acpcbot.aivat(played().folder)["Nobody"]
    with pytest.raises(UsageError, match="no 'luck' of dcfr"):
        acpcbot.aivat(played().folder)["dcfr"]["luck"]
    with pytest.raises(UsageError, match="'Nobody' played no hand"):
        played()["Nobody"]
    log = tmp_path / "bare.log"
    log.write_text("STATE:0:cc/cc:Kh|Qs/Ks:1|-1:a|b\n")
    with pytest.raises(UnknownGame):
        acpcbot.aivat(log)
    assert issubclass(UnknownGame, AcpcbotError)
