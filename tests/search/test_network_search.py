"""Searches whose leaf values are a network's: their folders, and how they are measured."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from acpcbot.cli.dispatch import main
from acpcbot.errors import UsageError
from acpcbot.evaluation.exploitability.composed_streets import (
    composed_search_response,
    is_composed,
)
from acpcbot.networks.mlp import initial_network
from acpcbot.networks.names import networks_below
from acpcbot.networks.shape import NetworkInterface
from acpcbot.networks.stored import StoredNetwork, save_network
from acpcbot.poker.betting import BettingRules
from acpcbot.search.folder import find_search, make_search
from acpcbot.search.network_leaves import NetworkLeaves
from acpcbot.search.settings import Menus, SearchSettings, StreetSettings, read_search_folder
from acpcbot.search.strategy import SearchStrategy
from acpcbot.search.subgame import Spot
from acpcbot.strategies.finding import find_folder
from acpcbot.strategies.range_play import tabulate_strategy
from acpcbot.subgames.best_response import response_values
from acpcbot.subgames.chance_encoding import chance_encoding
from acpcbot.subgames.game import make_range_game
from acpcbot.trees.bet_menu import LIMIT_MENU
from tests.search.searching import shipped_blueprint
from tests.support.chance_games import LEDUC, SMALL

ENCODING = chance_encoding("leduc.limit.2p", LEDUC)
MENUS = (Menus(LIMIT_MENU, LIMIT_MENU),)
PREFLOP = StreetSettings(
    MENUS, iterations=40, num_continuations=1, follow_solution=True, trembles=0.01
)
FLOP = StreetSettings(MENUS, iterations=15, follow_solution=True)
TOML = """
blueprint = "{blueprint}"
values = "network"

[profiles.match.preflop]
iterations = 20
num_continuations = 1
follow_solution = true
trembles = 0.01
menus = ["1"]

[profiles.match.flop]
iterations = 10
follow_solution = true
menus = ["1"]
"""


def leduc_search(preflop: StreetSettings = PREFLOP, flop: StreetSettings = FLOP) -> SearchStrategy:
    network = initial_network(ENCODING.interface.shape((8,)), 1)
    return SearchStrategy(
        shipped_blueprint("leduc.limit.2p"),
        SearchSettings({0: preflop, 1: flop}),
        leaves=NetworkLeaves(ENCODING, network),
    )


@cache
def network_folder_text() -> str:
    blueprint = find_folder("strategies/leduc.limit.2p/dcfr")
    assert blueprint is not None
    return TOML.format(blueprint=blueprint.resolve())


def folder_with(folder: Path, interface: NetworkInterface, text: str) -> Path:
    folder.mkdir()
    network = initial_network(interface.shape((8,)), 1)
    save_network(folder / "network", StoredNetwork(interface, network, {}))
    (folder / "search.toml").write_text(text)
    return folder


def test_the_measure_is_that_of_all_that_the_agent_plays() -> None:
    """Against asking it at every decision on every board, and best responses to that table."""
    strategy = leduc_search()
    assert is_composed(strategy)
    found = composed_search_response(strategy)
    game = make_range_game(BettingRules(LEDUC).start, suits_alike=False)
    play = tabulate_strategy(game, leduc_search())
    expected = response_values(game, (play, play))
    assert found.values == pytest.approx(expected.values, abs=1e-5)
    assert found.policy_values == pytest.approx(expected.policy_values, abs=1e-5)


def test_searches_that_solve_anew_are_not_composed() -> None:
    assert not is_composed(shipped_blueprint("leduc.limit.2p"))
    assert not is_composed(leduc_search(replace(PREFLOP, follow_solution=False)))
    assert not is_composed(leduc_search(flop=replace(FLOP, root_gadget="resolve")))
    assert not is_composed(leduc_search(flop=replace(FLOP, follow_solution=False)))


def test_later_decisions_of_a_street_follow_its_first_solution() -> None:
    strategy, start = leduc_search(), BettingRules(LEDUC).start
    first, later = start.game.parse("r"), start.game.parse("rr")
    solutions = [strategy.solution(Spot(spot, ())) for spot in (start, later)]
    assert solutions[0] is not None
    assert solutions[1] is not None
    assert strategy.counts.num_searched == 1
    node = solutions[0].node(later)
    expected = solutions[0].table(node, ()).probabilities
    assert np.array_equal(strategy.table(later, ()).probabilities, expected)
    strategy.table(first, ())
    assert strategy.counts.num_searched == 2
    # Without the setting the later decision has a search of its own.
    anew = leduc_search(replace(PREFLOP, follow_solution=False))
    anew.table(start, ())
    anew.table(later, ())
    assert anew.counts.num_searched == 2


def test_the_opponents_range_behind_an_action_that_is_never_taken_is_not_empty() -> None:
    strategy = leduc_search()
    for text in ("cc", "rrc", "rc"):
        betting = BettingRules(LEDUC).parse(text + "/")
        ranges = strategy.ranges(Spot(betting, (40,)), 0)
        assert ranges.max(axis=1).min() >= 0.01 / 3


def test_a_folder_names_its_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = folder_with(tmp_path / "search", ENCODING.interface, network_folder_text())
    assert read_search_folder(folder).values == folder / "network"
    assert networks_below(tmp_path) == []
    strategy = made(folder)
    assert is_composed(strategy)
    assert main(["exploitability", str(folder)]) == 0
    words = capsys.readouterr().out
    expected = 1000 * composed_search_response(strategy).exploitability
    assert f"{expected:.6g} mbb" in words
    assert main(["show", str(folder), "MATCHSTATE:0:0:rc/:Ks|/Kh"]) == 0
    assert "flop, seat 1 to act" in capsys.readouterr().out


def test_networks_and_settings_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    other = chance_encoding("leduc.limit.2p", SMALL).interface
    text = network_folder_text()
    for name, interface, changed, complaint in (
        ("game", other, text, "game_fingerprint"),
        (
            "count",
            ENCODING.interface,
            text.replace("num_continuations = 1", "num_continuations = 2"),
            "expected 1, for a network has one value of a state",
        ),
        (
            "both",
            ENCODING.interface,
            'preflop_values = "table"\n' + text,
            "expected preflop_values or values, found both",
        ),
    ):
        folder = folder_with(tmp_path / name, interface, changed)
        with pytest.raises(UsageError, match=complaint):
            made(folder)


def made(folder: Path) -> SearchStrategy:
    found = find_search(str(folder))
    return make_search(found, found.load())
