"""``acpcbot lab sog-connect-four``: a small training and its games, resumed, and the table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.evaluation.searches.players import MoveBudget
from acpcbot.games.connect_four import ConnectFour
from acpcbot.lab import sog_connect_four, spiel_players
from acpcbot.lab.experiment import Budget, Note, Row, Unit
from acpcbot.lab.results import where
from acpcbot.lab.sog_connect_four import EXPERIMENT, MCTS, NONE, SOG, TRAINED, rated
from acpcbot.lab.spiel_players import SpielMCTSPlayer

TWO = Budget(games=2)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (
        ("EPISODES", 4),
        ("EPISODES_A_NOTE", 2),
        ("SIMULATIONS", (10, 40)),
        ("NUM_POSITIONS", 20),
        ("SPIEL_SIMULATIONS", 40),
        ("SPIEL_GAMES_FACTOR", 1),
    ):
        monkeypatch.setattr(sog_connect_four, name, value)
    monkeypatch.setattr(sog_connect_four, "is_installed", lambda: False)


def rows_of(unit: Unit, folder: Path) -> list[Row]:
    return [
        {"unit": unit.name, **dict(unit.settings), **row}
        for row in EXPERIMENT.run(unit, TWO, folder)
        if isinstance(row, dict)
    ]


def unit_of(values: str) -> Unit:
    return next(unit for unit in EXPERIMENT.units(TWO) if unit.text("values") == values)


def test_a_unit_goes_on_where_it_was_stopped(tmp_path: Path, small: None) -> None:
    """In the middle of its games; equal rows but for the seconds."""
    whole = rows_of(unit_of(TRAINED), tmp_path / "whole")
    for found in EXPERIMENT.run(unit_of(TRAINED), TWO, tmp_path / "parts"):
        if isinstance(found, Note) and "pairing 3 of 6" in found.text:
            break
    kept = (tmp_path / "parts" / "games" / "games.jsonl").read_text().splitlines()
    assert len(kept) == 4
    resumed = rows_of(unit_of(TRAINED), tmp_path / "parts")
    assert (tmp_path / "parts" / "games" / "games.jsonl").read_text().splitlines()[:4] == kept
    for rows in (whole, resumed):
        assert float(where(rows, kind="training")[0].pop("training_cpu_s")) > 0
    assert whole == resumed
    assert len(where(whole, kind="games")) == 6
    ratings = rated(whole)
    assert list(ratings) == [(SOG, 10), (SOG, 40), (MCTS, 10), (MCTS, 40)]
    assert ratings[SOG, 10] == (0, 0)
    lines = {line.what: line for line in EXPERIMENT.comparison(whole, TWO).lines}
    assert lines["Elo: MCTS(40)"].ours == ratings[MCTS, 40][0]
    right = where(whole, kind="right", search=SOG, s=40)[0]["right_percent"]
    assert lines["right moves, %: SoG(40,10), trained"].ours == right
    assert lines["right moves, %: SoG(40,10), no network"].ours is None
    assert len(EXPERIMENT.chart(whole, TWO).panels) == 2


def test_more_simulations_are_more_often_right_without_a_network(
    tmp_path: Path, small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sog_connect_four, "NUM_POSITIONS", 60)
    monkeypatch.setattr(sog_connect_four, "SIMULATIONS", (10, 400))
    rows = rows_of(unit_of(NONE), tmp_path)
    for search in (SOG, MCTS):
        few, many = (float(where(rows, search=search, s=s)[0]["right_percent"]) for s in (10, 400))
        assert few < 80 < many


def test_without_games_nothing_is_rated() -> None:
    assert rated([]) == {}
    comparison = EXPERIMENT.comparison([], Budget())
    assert all(line.ours is None for line in comparison.lines)


def test_openspiel_plays_legal_moves_and_takes_wins() -> None:
    pytest.importorskip("pyspiel")
    player = SpielMCTSPlayer(ConnectFour())
    player.begin(0, 1)
    # The leftmost column is full, so the third column is the action of number 1.
    moves = [0, 0, 0, 0, 0, 0, 1, 2, 1, 2, 1, 2]
    policy = player.strategy(moves, MoveBudget(simulations=2000))
    assert len(policy) == 6
    assert policy.argmax() == 1
    player.choose([], MoveBudget(seconds=0.02))
    assert player.num_simulations > 50
    assert player.num_moves == 2
    assert np.isfinite(player.seconds)


def test_openspiel_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spiel_players, "is_installed", lambda: False)
    with pytest.raises(UsageError, match="not installed") as caught:
        SpielMCTSPlayer(ConnectFour())
    assert caught.value.hint == "pip install open_spiel"
    monkeypatch.setattr(sog_connect_four, "is_installed", lambda: False)
    assert "pip install open_spiel" in EXPERIMENT.comparison([], Budget()).notes[-1]


@pytest.mark.slow
def test_training_makes_a_search_right_more_often(
    tmp_path: Path, small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A minute: 500 episodes, at a hundred simulations."""
    for name, value in (("EPISODES", 500), ("SIMULATIONS", (100,)), ("NUM_POSITIONS", 300)):
        monkeypatch.setattr(sog_connect_four, name, value)
    shares = [
        float(where(rows_of(unit_of(values), tmp_path / values), search=SOG)[0]["right_percent"])
        for values in (TRAINED, NONE)
    ]
    assert shares[0] > shares[1] + 2
