"""The strategies in the repository: whole, small enough, with their recipes, and as good as
they say.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

import acpcbot
from acpcbot.abstraction.canonical_boards import BOARD_SIZES
from acpcbot.abstraction.card_abstraction import ExactAbstraction, all_deals, merge_deals
from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.agents.public_strategies import find_strategy
from acpcbot.cards.combos import combo_index, parse_combo
from acpcbot.cli.dispatch import main
from acpcbot.decoding import decode, decode_settings
from acpcbot.evaluation.exploitability.small_games import best_response_values
from acpcbot.networks.names import networks_below
from acpcbot.networks.stored import load_network
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.rules import FOLD, RAISE
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.finding import snapshots_below
from acpcbot.strategies.manifest import RECIPE_FILE
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.range_play import tabulate_snapshot
from acpcbot.strategies.whole_policy import played_policy
from acpcbot.subgames.best_response import Walker, response_values
from acpcbot.subgames.game import make_range_game
from acpcbot.training.chance_self_play import ChanceSelfPlaySettings
from acpcbot.training.chance_self_play_run import load_chance_recipe
from acpcbot.training.recipe import (
    is_chance_recipe,
    is_self_play_recipe,
    load_recipe,
)
from acpcbot.training.self_play_recipe import load_self_play_recipe
from acpcbot.training.self_play_settings import SelfPlaySettings
from acpcbot.training.session import learner_settings
from acpcbot.trees.public_tree import AbstractGame, build_tree

STRATEGIES = Path(__file__).parents[1] / "strategies"
FOLDERS = snapshots_below(STRATEGIES)
MEGABYTE = 1_000_000
MOST_MEGABYTES = {
    "holdem.limit.3p": 10,
    "holdem.nolimit.2p.reverse_blinds": 100,
    "holdem.nolimit.3p": 3,
    "holdem.nolimit.6p": 6,
}
EQUILIBRIA = {"kuhn.limit.2p/dcfr": 1e-5, "leduc.limit.2p/dcfr": 1e-5, "kuhn.limit.3p/dcfr": 1e-6}

each = pytest.mark.parametrize(
    "folder", FOLDERS, ids=lambda folder: folder.relative_to(STRATEGIES).as_posix()
)


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


@each
def test_a_strategy_is_whole_and_its_recipe_is_the_one_it_was_trained_by(folder: Path) -> None:
    manifest = load_snapshot(folder).manifest
    recipe = load_recipe(folder / RECIPE_FILE)
    assert recipe.snapshot == folder.relative_to(STRATEGIES.parent).as_posix()
    assert recipe.learner_name == manifest.training.learner
    settings = learner_settings(recipe)
    # A setting that is younger than the strategy had its default.
    assert decode(type(settings), manifest.training.settings) == settings
    assert (recipe.seed, recipe.threads) == (manifest.training.seed, manifest.training.num_threads)
    assert recipe.definition.fingerprint == manifest.game_fingerprint
    assert (recipe.budget.count, recipe.play) == (manifest.training.num_episodes, manifest.play)
    assert manifest.strength


@each
def test_a_strategy_is_small_enough_to_be_shipped(folder: Path) -> None:
    assert size_of(folder) <= MOST_MEGABYTES.get(folder.parent.name, 28) * MEGABYTE


@pytest.mark.parametrize("num_boards", [1, pytest.param(12, marks=pytest.mark.slow)])
@each
def test_at_the_table_a_hand_has_the_bucket_that_the_whole_board_gives_it(
    folder: Path, num_boards: int
) -> None:
    """Catches a player who asks for other buckets than training learnt: what is quick for one
    hand has to be exact.
    """
    abstraction, random = load_snapshot(folder).abstraction, Random(1)
    if isinstance(abstraction, ExactAbstraction):
        return
    for street, size in enumerate(BOARD_SIZES[: len(abstraction.num_buckets)]):
        for _ in range(num_boards):
            deck = random.sample(range(52), 52)
            board, rest = deck[:size], deck[size:]
            row = abstraction.board_buckets(street, board)
            for hand in zip(rest[::2], rest[1::2], strict=False):
                assert abstraction.bucket(street, hand, board) == row[combo_index(*hand)], (
                    street,
                    hand,
                    board,
                )


def test_all_strategies_together_are_small_enough() -> None:
    assert sum(map(size_of, FOLDERS)) <= 200 * MEGABYTE


@pytest.mark.parametrize("name", EQUILIBRIA)
def test_nobody_gains_by_leaving_a_shipped_equilibrium(name: str) -> None:
    snapshot = load_snapshot(STRATEGIES / name)
    definition = snapshot.definition
    game = AbstractGame(build_tree(definition), snapshot.abstraction.num_buckets)
    lanes = merge_deals(all_deals(definition, ExactAbstraction(definition)))
    found = best_response_values(game, *lanes, played_policy(snapshot, game, dtype=np.float64))
    assert max(found.gains) <= EQUILIBRIA[name]


@pytest.mark.slow
def test_flop_holdem_is_as_exploitable_as_it_says() -> None:
    """21.6 mbb a hand; who always folds loses 750."""
    folder = STRATEGIES / "flop_holdem.limit.2p" / "external_sampling"
    dealer = DealSources(load_snapshot(folder).definition)
    strategy = find_strategy(str(folder), dealer)
    assert isinstance(strategy, SnapshotStrategy)
    game = make_range_game(BettingRules(dealer.definition).start)
    play = tabulate_snapshot(game, strategy)
    found = response_values(game, (play, play), Walker(2))
    assert 1000 * found.exploitability == pytest.approx(21.6, abs=0.1)


def test_no_limit_leduc_is_as_exploitable_as_it_says() -> None:
    """1.2 mbb a hand by the bets of its tree, which is less than a megabyte."""
    folder = STRATEGIES / "leduc.nolimit.2p" / "external_sampling"
    strategy = SnapshotStrategy(load_snapshot(folder))
    menu = strategy.snapshot.menu
    assert menu is not None
    game = make_range_game(BettingRules(strategy.snapshot.definition).start, menu=menu)
    play = tabulate_snapshot(game, strategy)
    assert 1000 * response_values(game, (play, play)).exploitability == pytest.approx(
        1.16, abs=0.01
    )
    assert size_of(folder) < MEGABYTE


RECIPES = sorted(STRATEGIES.rglob(RECIPE_FILE))


@pytest.mark.parametrize(
    "path",
    [path for path in RECIPES if not (is_self_play_recipe(path) or is_chance_recipe(path))],
    ids=lambda path: path.parent.name,
)
def test_every_recipe_could_be_trained(path: Path) -> None:
    recipe = load_recipe(path)
    assert learner_settings(recipe) is not None
    assert recipe.snapshot == path.parent.relative_to(STRATEGIES.parent).as_posix()


@pytest.mark.parametrize("folder", networks_below(STRATEGIES), ids=lambda folder: folder.name)
def test_a_network_is_small_and_its_recipe_is_the_one_it_was_trained_by(folder: Path) -> None:
    recipe, stored = load_self_play_recipe(folder / RECIPE_FILE), load_network(folder)
    assert recipe.network == folder.relative_to(STRATEGIES.parent).as_posix()
    assert stored.interface == recipe.encoding().interface
    training = stored.training
    assert (training["game"], training["num_episodes"]) == (recipe.game, recipe.num_episodes)
    # Settings that came later have the defaults that training had.
    trained = decode_settings(SelfPlaySettings, training["settings"], str(folder), "train it anew")
    assert trained == recipe.self_play
    assert size_of(folder) < 100_000
    for simulations, mbb in training["exploitability"].items():
        assert mbb < training["exploitability_without"][simulations]


@pytest.mark.parametrize("folder", networks_below(STRATEGIES), ids=lambda folder: folder.name)
def test_a_network_is_as_exploitable_as_it_says(folder: Path) -> None:
    training = load_network(folder).training
    found = acpcbot.exploitability(f"{folder}?s=300")
    # One seed of the searches; of ten the least and the greatest were within a quarter of the mean.
    expected = training["exploitability"]["300"]
    assert found.exploitability_mbb == pytest.approx(expected, rel=0.35)


LEAF_NETWORKS = sorted(
    set(networks_below(STRATEGIES, with_leaves=True)) - set(networks_below(STRATEGIES))
)


@pytest.mark.parametrize("folder", LEAF_NETWORKS, ids=lambda folder: folder.parent.parent.name)
def test_a_network_of_a_search_is_small_and_its_recipe_is_the_one_it_was_trained_by(
    folder: Path,
) -> None:
    recipe, stored = load_chance_recipe(folder / RECIPE_FILE), load_network(folder)
    assert stored.interface == recipe.encoding().interface
    training = stored.training
    # Settings that came later have the defaults that training had.
    trained = decode_settings(
        ChanceSelfPlaySettings, training["settings"], str(folder), "train it anew"
    )
    assert trained == recipe.chance_self_play
    assert training["num_episodes"] == recipe.num_episodes
    assert training["polishing_steps"] == recipe.polishing_steps
    assert size_of(folder) < 10 * MEGABYTE


def test_the_search_of_flop_holdem_plays_without_its_blueprint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A hundred hands; a search that failed would be counted as a fallback."""
    name = str(STRATEGIES / "flop_holdem.limit.2p" / "search")
    words = ["match", name, "call", "--game", "flop_holdem.limit.2p", "--hands", "100"]
    assert main([*words, "--seed", "1", "-o", str(tmp_path / "match")]) == 0
    output = capsys.readouterr()
    assert "match of flop_holdem.limit.2p, 100 hands" in output.out
    assert "fallback" not in output.out + output.err


def test_the_network_of_flop_holdem_knows_good_hands_from_bad_ones() -> None:
    """At the first decision the search raises all aces and kings, and folds seven-deuce."""
    name = str(STRATEGIES / "flop_holdem.limit.2p" / "search")
    dealer = DealSources(load_snapshot(Path(name).parent / "external_sampling").definition)
    strategy = find_strategy(name, dealer)
    table = strategy.table(BettingRules(dealer.definition).start, ())
    kinds = [action.kind for action in table.actions]
    folds, raises = (table.probabilities[:, kinds.index(kind)] for kind in (FOLD, RAISE))
    for good in ("AsAh", "KsKh"):
        assert raises[parse_combo(good)] > 0.9
    for bad in ("7s2h", "8s2h"):
        assert folds[parse_combo(bad)] > 0.9
