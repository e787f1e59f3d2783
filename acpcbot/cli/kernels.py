"""Warm-up calls: one small call of each compiled kernel, for ``acpcbot warmup``."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from acpcbot.abstraction.canonical_boards import canonical_boards
from acpcbot.abstraction.run_outs import run_out_total
from acpcbot.abstraction.table_lookup import combos_of, look_up
from acpcbot.agents.registry import make_agent
from acpcbot.cards.any_strength import strength
from acpcbot.cards.combos import NUM_COMBOS
from acpcbot.cards.isomorphism import SuitIsomorphism
from acpcbot.cards.strength import board_strengths, mask_strength, strength7, strengths
from acpcbot.evaluation.aivat.showdowns import pot_shares
from acpcbot.logs.entries import PRINTED_TOLERANCE
from acpcbot.logs.replay import CompiledReader
from acpcbot.matches.hand import Hand
from acpcbot.matches.settings import MatchSettings, TimeLimits
from acpcbot.networks.names import networks_below
from acpcbot.poker.actions import CALLING
from acpcbot.poker.all_in import all_in_payoffs
from acpcbot.poker.betting import BettingRules, game_vector
from acpcbot.poker.dealing import Dealing
from acpcbot.poker.hands import all_hands
from acpcbot.poker.shipped import shipped_definition
from acpcbot.poker.spots import holdem_spot
from acpcbot.protocol.messages import MatchState
from acpcbot.reports.betting_replay import empty_facts, empty_trace
from acpcbot.reports.betting_replay_kernel import replay_compiled
from acpcbot.rng import Stream
from acpcbot.rollouts.rollouts import RolloutSettings, rollout_leaves
from acpcbot.search.folder import find_search
from acpcbot.search.names import searches_below
from acpcbot.search.settings import read_search_folder
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.finding import find_folder, snapshots_below
from acpcbot.strategies.manifest import read_definition
from acpcbot.strategies.network_strategy import network_game
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.subgames.equities import range_equities
from acpcbot.subgames.game import make_range_game
from acpcbot.subgames.solver import RangeCFR
from acpcbot.trees.bet_menu import ALL_IN, same_menu

CARDS = tuple(range(0, 52, 8))
STRATEGIES = "strategies"
BETTING_STRATEGY = "strategies/leduc.nolimit.2p/external_sampling"


def evaluate() -> None:
    """The evaluators, in each form."""
    strength(CARDS)
    strength7(*CARDS)
    mask_strength(0b1111111)
    board_strengths(CARDS[:5])
    for count in (5, 6, 7):
        strengths(np.array([CARDS[:count]], np.uint8))


def number_hands() -> None:
    """The numbering of hands up to suits."""
    classes = SuitIsomorphism((2, 3))
    classes.unindices(classes.indices(np.array([CARDS[:5]], np.uint8)))


def replay_log() -> None:
    """The compiled log reader, on a hand that is called down."""
    definition = shipped_definition("holdem.limit.2p.reverse_blinds")
    settings = MatchSettings("", "", definition, 1, 0, ("a", "b"), TimeLimits(0, 0, 0))
    hand = Hand(settings, 0, Dealing(definition, 0).next_deal(), BettingRules(definition).start)
    while not hand.betting.is_over:
        hand.apply(CALLING)
    CompiledReader(definition, PRINTED_TOLERANCE).read(f"{hand.record()}\n".encode(), 0, 0)


def count_facts() -> None:
    """Compile the kernel that counts facts of finished hands for reports."""
    definition = shipped_definition("kuhn.limit.2p")
    facts = empty_facts(1, definition.num_players)
    replay_compiled(b"cc\n", game_vector(definition), 0, facts, empty_trace(3))


def average_all_in() -> None:
    """The kernel of all-in values, which compiles both of its ways at once."""
    betting = BettingRules(shipped_definition("leduc.nolimit.2p")).parse("r1200c/")
    all_in_payoffs(betting, ((42,), (46,)), ())


def find_buckets() -> None:
    """Compile the strengths of single hands, which hold'em strategies look buckets up by."""
    for board_size in (3, 4, 5):
        run_out_total(CARDS[:2], CARDS[2 : 2 + board_size])


def value_hands() -> None:
    """Compile the hand values of variance reduction."""
    pot_shares([CARDS[:2]], CARDS[2:5])
    totals = np.zeros((len(canonical_boards(3)), NUM_COMBOS), np.uint32)
    combos, flops = combos_of(np.array([CARDS[:2]], np.uint8)), np.array([CARDS[2:5]], np.uint8)
    look_up(combos, flops, totals, np.zeros(combos.shape, np.uint32))


def solve_spot(*, is_int16: bool = False) -> None:
    """The solver with ranges, on one street and on two, with numbers in full or in 16 bits."""
    for board_size in (4, 5):
        board = CARDS[:board_size]
        solver = RangeCFR(
            make_range_game(holdem_spot(board_size, 2, 1), board, same_menu([ALL_IN])),
            is_int16=is_int16,
        )
        solver.step(1)
        solver.exploitability()
        solver.block_values(0, 0)
    definition = solver.game.definition
    reaches = np.ones((2, len(all_hands(definition))))
    range_equities(definition, board, reaches, np.random.default_rng(0))


def roll_out() -> None:
    """Roll-outs of a stored strategy, which are compiled alike for all games with bets."""
    folder = find_folder(BETTING_STRATEGY)
    if folder is None:
        return
    blueprint = SnapshotStrategy(load_snapshot(folder))
    assert blueprint.snapshot.menu is not None
    start = BettingRules(blueprint.snapshot.definition).start
    game = make_range_game(start, menu=blueprint.snapshot.menu, suits_alike=False, one_street=True)
    leaves = rollout_leaves(
        game, blueprint, 0, RolloutSettings(num_boards=2, num_hand_buckets=2), Stream(0)
    )
    RangeCFR(game, leaves=leaves).step(1)


def make_stored_ready() -> None:
    """Compile what the stored strategies at hand need before their first decision."""
    folder = find_folder(STRATEGIES)
    for place in snapshots_below(folder) if folder else ():
        make_agent(str(place), read_definition(place)[1], 0)


def make_searches_ready() -> None:
    """The same for those that search."""
    folder = find_folder(STRATEGIES)
    for place in searches_below(folder) if folder else ():
        if snapshots_below(read_search_folder(place).blueprint):  # a recipe alone cannot be asked
            make_agent(str(place), find_search(str(place)).definition, 0)


def make_networks_ready() -> None:
    """The same for networks with a search."""
    folder = find_folder(STRATEGIES)
    for place in networks_below(folder) if folder else ():
        make_agent(f"{place}?s=2", network_game(place)[1], 0)


def search_rules() -> None:
    """Compile the searches from the rules, in a small game with buckets."""
    definition = shipped_definition("kuhn.limit.2p")
    for name in ("oos", "ismcts"):
        betting = BettingRules(definition).start
        state = MatchState(0, 0, betting, (definition.deck[:1], ()), (), "")
        make_agent(f"{name}?samples=2", definition, 0).act(state, math.inf)


# What takes longest is begun first; who searches is made ready after the solver that is searched
# with.
WARM_UPS: dict[str, Callable[[], None]] = {
    "range solver": solve_spot,
    "range solver in 16 bits": partial(solve_spot, is_int16=True),
    "strategies that search": make_searches_ready,
    "stored strategies": make_stored_ready,
    "networks with a search": make_networks_ready,
    "searches from the rules": search_rules,
    "evaluators": evaluate,
    "suit isomorphism": number_hands,
    "log reader": replay_log,
    "reports": count_facts,
    "all-in values": average_all_in,
    "buckets": find_buckets,
    "values of hands": value_hands,
    "roll-outs": roll_out,
}
