"""Speed of searches over the rules of research games, one core, with OpenSpiel's IS-MCTS."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec

import numpy as np

from acpcbot.games.connect_four import ConnectFour
from acpcbot.games.game import Game, new_state
from acpcbot.games.generic_poker import LEDUC, GenericPoker
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.liars_dice import LiarsDice
from acpcbot.networks.mlp import initial_network
from acpcbot.tree_search.backward_induction import GoofspielValues, count_matrix_games
from acpcbot.tree_search.board_encodings import connect_four_encoding
from acpcbot.tree_search.growing_cfr import GrowingCFR, GrowingCFRSettings
from acpcbot.tree_search.is_mcts import InfosetSearch
from acpcbot.tree_search.network_values import NetworkValues
from acpcbot.tree_search.oos import OOSSearch, OOSSettings
from acpcbot.tree_search.position_search import PositionSearch
from acpcbot.tree_search.position_values import PositionValues
from acpcbot.tree_search.public_encodings import GenericPokerEncoding
from acpcbot.tree_search.public_tree import ROOT, PublicTree
from acpcbot.tree_search.selection.duct import DecoupledUCT
from acpcbot.tree_search.selection.exp3 import Exp3
from acpcbot.tree_search.selection.infoset_regrets import InfosetRegrets
from acpcbot.tree_search.selection.matched_regrets import RegretMatching
from acpcbot.tree_search.selection.oos_plus import OOSPlus
from acpcbot.tree_search.selection.outcome_sampling import OutcomeSampling
from acpcbot.tree_search.selection.policy import InfosetPolicy, SelectionPolicy
from acpcbot.tree_search.selection.uct import UCT
from acpcbot.tree_search.simultaneous import WIN_LOSS, SimultaneousSearch
from benchmarks.figure import Figure, seconds

SEED = 1
# A second of the slowest policy of the paper that is not OOS+, on its machine of 2010.
NUM_SIMULATIONS = 138_000
NUM_SAMPLES = 1_000_000
PEER_SIMULATIONS = 20_000
SOLVED_CARDS = 8

# The policies with the paper's parameters, simulations a second there, and our targets.
POLICIES: dict[str, tuple[SelectionPolicy, int, int | None]] = {
    "DUCT": (DecoupledUCT(1.5), 124_127, 1_000_000),
    "Exp3": (Exp3(0.2), 125_165, None),
    "regret matching": (RegretMatching(0.025), 138_284, 700_000),
    "OOS": (OutcomeSampling(0.5), 186_962, None),
    "OOS+": (OOSPlus(0.55), 85_940, None),
}

SAMPLED: dict[str, tuple[Game, int]] = {
    "Leduc": (LEDUC, 3_500_000),
    "LD(1,1)": (LiarsDice(1, 6), 3_000_000),
    "GP(3,3,2,2)": (GenericPoker(3, 3, 2, 2), 2_500_000),
    "II-GS(6)": (Goofspiel(6, hides_bids=True, is_ascending=True, lowest_point=0), 1_000_000),
    "LD(2,2)": (LiarsDice(2, 6), 1_000_000),
}

SEARCHED: dict[str, tuple[InfosetPolicy, int | None]] = {
    "UCT": (UCT(13.0), 3_500_000),
    "regret matching": (InfosetRegrets(0.2), None),
}


def figures() -> Iterator[Figure]:
    for name, (policy, paper, target) in POLICIES.items():
        rate = joint_simulations_a_second(policy)
        yield Figure(
            name=f"SM-MCTS, {name}, Goofspiel(13)",
            value=rate,
            unit="simulations/s",
            target=target,
            note=f"the paper's PD-Goof(11): {paper:,}",
        )
    for name, (game, target) in SAMPLED.items():
        yield Figure(
            name=f"OOS from the root, {name}",
            value=samples_a_second(game, is_targeted=False),
            unit="samples/s",
            target=target,
        )
    rate = samples_a_second(LEDUC, is_targeted=True)
    yield Figure(name="OOS targeted, delta 0.9, Leduc", value=rate, unit="samples/s")
    for name, (infoset_policy, target) in SEARCHED.items():
        rate = infoset_simulations_a_second(infoset_policy)
        yield Figure(
            name=f"IS-MCTS, {name}, Leduc", value=rate, unit="simulations/s", target=target
        )
        if name == "UCT" and find_spec("pyspiel"):
            yield beside_open_spiel(rate)
        elif name == "UCT":
            print("OpenSpiel's IS-MCTS: left out, open_spiel is not installed", file=sys.stderr)
    search_s, num_queries = growing_search()
    yield Figure(
        name="SoG(100,1) with a network of 64 x 64, at Leduc's root",
        value=search_s * 1000,
        unit="ms",
        target=2.0,
        higher_is_better=False,
        note=f"{num_queries:,} queries",
    )
    yield Figure(
        name="SoG(100,1) with a network of 128 x 128, Connect Four",
        value=position_search_s() * 1000,
        unit="ms",
        higher_is_better=False,
    )
    yield solving_rate()


def joint_simulations_a_second(policy: SelectionPolicy) -> float:
    """Return simulations a second in a tree that grows from nothing, as in a move of a match."""
    game = Goofspiel(13)
    search = SimultaneousSearch(game, policy, SEED, WIN_LOSS)

    def run() -> None:
        search.begin(new_state(game))
        search.simulate(NUM_SIMULATIONS)

    return NUM_SIMULATIONS / seconds(run)


def samples_a_second(game: Game, *, is_targeted: bool) -> float:
    """Return samples a second, a sample being one way through the game in which one seat learns."""

    def run() -> None:
        search = OOSSearch(game, OOSSettings(epsilon=0.6), SEED)
        if is_targeted:
            search.aim([0, 1], 0)
        search.sample(NUM_SAMPLES)

    return NUM_SAMPLES / seconds(run)


def growing_search() -> tuple[float, int]:
    """Return the seconds of a search of 100 simulations with a network, and its queries."""
    encoding, tree = GenericPokerEncoding(LEDUC), PublicTree(LEDUC)
    values = NetworkValues(initial_network(encoding.interface.shape((64, 64)), SEED), encoding)
    tree.grow_all()
    search = GrowingCFR(tree, GrowingCFRSettings(simulations=100), values)
    ranges = np.ones(2 * LEDUC.num_ranks)
    num_queries = search.search(ROOT, ROOT, ranges, SEED).num_queries
    return seconds(partial(search.search, ROOT, ROOT, ranges, SEED)), num_queries


def infoset_simulations_a_second(policy: InfosetPolicy) -> float:
    def run() -> None:
        search = InfosetSearch(LEDUC, policy, SEED)
        search.simulate(NUM_SAMPLES)

    return NUM_SAMPLES / seconds(run)


def beside_open_spiel(rate: float) -> Figure:
    """Return OpenSpiel's bot, in C++, at the first decision of Leduc."""
    import pyspiel

    state = pyspiel.load_game("leduc_poker").new_initial_state()
    for card in (0, 2):
        state.apply_action(card)
    evaluator = pyspiel.RandomRolloutEvaluator(1, SEED)
    bot = pyspiel.ISMCTSBot(SEED, evaluator, 13.0, PEER_SIMULATIONS)
    peer_rate = PEER_SIMULATIONS / seconds(partial(bot.get_policy, state))
    note = f"ours is {rate / peer_rate:,.0f} times as fast"
    return Figure(
        name="OpenSpiel's IS-MCTS, Leduc", value=peer_rate, unit="simulations/s", note=note
    )


def position_search_s() -> float:
    """Return the seconds of a search of 100 simulations at the start of Connect Four."""
    game = ConnectFour()
    encoding = connect_four_encoding(game)
    network = initial_network(encoding.interface.shape((128, 128)), SEED)
    settings = GrowingCFRSettings(simulations=100, adds_one_child=True)
    search = PositionSearch(game, settings, PositionValues(network, encoding))
    return seconds(partial(search.search, new_state(game), SEED))


def solving_rate() -> Figure:
    """Return matrix games a second; 11 cards have 764 million of them."""

    def run() -> None:
        GoofspielValues(SOLVED_CARDS).solve(num_threads=1)

    return Figure(
        name=f"backward induction, PD-Goof({SOLVED_CARDS})",
        value=count_matrix_games(SOLVED_CARDS) / seconds(run),
        unit="games/s",
        note=f"matrix games; 11 cards have {count_matrix_games(11):,}",
    )
