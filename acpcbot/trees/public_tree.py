"""The public tree of a limit game: all its betting as flat arrays.

Chance has no nodes here: cards come with a deal, which gives every seat a bucket on every street
and all seats an ordering of their hands. ``payoffs`` are the winnings of each finished hand under
each ordering, in big blinds and exactly, side pots included.

One walk writes the tree, by the one text of the rules. Nodes are numbered parents first, with the
subtrees of fold, call and raise in this order. Finished hands that agree in all that every seat
spent and in who folded share an outcome.

The record of a decision node is eight int32, half a cache line:

LIMIT_CHILD + k   the child by the k-th legal action, in the order fold, call, raise: the number of
                  a decision node, or ``~outcome`` where the hand is over
LIMIT_SLOT        the node's first slot in the row of a bucket of its street
LIMIT_INFO        seat, street and legal actions packed; read it with the functions below
LIMIT_STREET_POT  chips in the pot when the street began, blinds counted
LIMIT_POTENTIAL   chips that the players who were in at that time could still add to the pot

Betting trees have records of their own (``betting_tree.py``). Tried: a numpy structured array, read
as ``nodes[node].slot``. It costs nothing in sampling kernels (medians of 41 paired runs in one
process: external sampling 0.96 to 0.98 of the time with columns, outcome sampling 0.97 to 0.99, UCT
0.98 to 1.00, in Leduc and limit hold'em). For the sweeps of ``learning/vector_cfr.py``, which get
their arrays in a NamedTuple, 1.12 to 1.23 was measured in Leduc, of which the harness itself
explains some 0.1: copies of one text differ by up to 0.19 there. So columns stayed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import KernelArray
from acpcbot.cards.orderings import MAX_SEATS, orderings
from acpcbot.errors import UsageError
from acpcbot.jit import kernel, shared
from acpcbot.poker import rules
from acpcbot.poker.betting import BettingRules, game_vector
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.payoffs import fill_values
from acpcbot.trees.bet_menu import BetMenu
from acpcbot.trees.infosets import BucketGame, SubtreeSizes, TreeSize

if TYPE_CHECKING:
    from acpcbot.trees.betting_tree import MenuGame

LIMIT_CHILD, LIMIT_SLOT, LIMIT_INFO, LIMIT_STREET_POT, LIMIT_POTENTIAL = 0, 3, 4, 5, 6
RECORD_LENGTH = 8

NO_OUTCOME = -1
HASH_FACTOR = 1000003

FIRST_ROOM = 1 << 14
BYTES_PER_NODE = 4 * RECORD_LENGTH
MAX_NODES = 2**31 - 1


@shared
def pack_info(seat: int, street: int, kinds: int) -> int:
    """Return LIMIT_INFO for *seat*, *street* and *kinds*, the set of legal actions as bits."""
    return seat | street << 8 | kinds << 16


@shared
def info_seat(info: int) -> int:
    """Return the seat that acts."""
    return info & 255


@shared
def info_street(info: int) -> int:
    """Return the street of the node."""
    return info >> 8 & 255


@shared
def info_kinds(info: int) -> int:
    """Return the legal actions as bits: 1 fold, 2 call, 4 raise."""
    return info >> 16


@shared
def num_actions(kinds: int) -> int:
    """Return the number of legal actions in the set *kinds*."""
    return (kinds & 1) + (kinds >> 1 & 1) + (kinds >> 2)


@shared
def action_kind(kinds: int, index: int) -> int:
    """Return the kind (0 fold, 1 call, 2 raise) of the legal action number *index*."""
    for kind in range(3):
        if kinds >> kind & 1:
            if index == 0:
                return kind
            index -= 1
    return -1


@dataclass(frozen=True, slots=True)
class PublicTree:
    """The betting of *definition*.

    ``nodes``    int32 [node, 8], records as above; node 0 is the first decision
    ``payoffs``  float64 [outcome, ordering, seat], big blinds; see acpcbot.cards.orderings
    ``size``     the numbers of nodes and slots on each street, and of outcomes
    """

    definition: GameDefinition
    nodes: NDArray[np.int32]
    payoffs: NDArray[np.float64]
    size: TreeSize

    @property
    def streets(self) -> NDArray[np.int32]:
        """The street of every node, [node]."""
        return self.nodes[:, LIMIT_INFO] >> 8 & 255

    def street_nodes(self, street: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the first slots and the numbers of actions of *street*'s nodes, both [node]."""
        own = self.nodes[self.streets == street]
        # The functions of a record's numbers take whole columns as well.
        info: Any = own[:, LIMIT_INFO]
        counts: Any = num_actions(info_kinds(info))
        return own[:, LIMIT_SLOT], counts

    @property
    def num_seats(self) -> int:
        """The number of seats of the game."""
        return self.definition.num_players


@dataclass(frozen=True, slots=True)
class AbstractGame(BucketGame):
    """A limit game with buckets."""

    tree: PublicTree


def tree_bytes(definition: GameDefinition) -> int:
    """Return the memory of the tree's nodes, known before they are built."""
    return sum(SubtreeSizes(definition).whole().num_nodes) * BYTES_PER_NODE


def build_tree(definition: GameDefinition) -> PublicTree:
    """Return the public tree of a limit game; raises UsageError for games without one."""
    size = SubtreeSizes(definition).whole()
    _verify_size(definition, size)
    game = np.array(game_vector(definition), np.int64)
    nodes = np.zeros((sum(size.num_nodes), RECORD_LENGTH), np.int32)
    states = _fill(game, nodes)
    ordering_rows = orderings(definition.num_players)
    payoffs = np.zeros((len(states), len(ordering_rows), definition.num_players))
    fill_payoffs(game, states, ordering_rows, payoffs)
    payoffs /= definition.big_blind or 1
    return PublicTree(definition, nodes, payoffs, size)


def make_game(
    definition: GameDefinition, menu: BetMenu | None, num_buckets: tuple[int, ...]
) -> AbstractGame | MenuGame:
    """Return the game with the bets of *menu*, or without one a limit game.

    Raises UsageError for games without a tree.
    """
    if menu is None:
        return AbstractGame(build_tree(definition), num_buckets)
    # Imported here, so that kernels over limit trees do not depend on the text of the others.
    from acpcbot.trees.betting_tree import MenuGame, build_betting_tree

    return MenuGame(build_betting_tree(BettingRules(definition).start, menu), num_buckets)


def _verify_size(definition: GameDefinition, size: TreeSize) -> None:
    if definition.num_players > MAX_SEATS:
        raise UsageError(
            f"{definition.num_players} players are too many for a public tree",
            f"use a game with at most {MAX_SEATS}",
        )
    if sum(size.num_nodes) > MAX_NODES:
        raise UsageError(
            f"the tree would have {sum(size.num_nodes):,} decision nodes",
            f"use a game with at most {MAX_NODES:,}",
        )


def _fill(game: NDArray[np.int64], nodes: NDArray[np.int32]) -> NDArray[np.int64]:
    """Write the nodes and return the final states of the outcomes; room is found by doubling."""
    room = FIRST_ROOM
    while True:
        outcomes = np.zeros((room, rules.STATE_LENGTH), np.int64)
        num_outcomes = fill_tree(game, nodes, outcomes, np.full(2 * room, NO_OUTCOME, np.int32))
        if num_outcomes >= 0:
            return outcomes[:num_outcomes].copy()
        room *= 2


@kernel
def fill_tree(
    game: KernelArray,
    nodes: NDArray[np.int32],
    outcomes: KernelArray,
    outcome_places: NDArray[np.int32],
) -> int:
    """Write *nodes* [node, 8] and the states of *outcomes*; return the number of outcomes.

    *outcomes* are [outcome, state]. *outcome_places* is scratch for finding them, all NO_OUTCOME, a
    power of two long and longer than *outcomes*. Returns -1 when there are more outcomes than room.
    """
    # Depth first without recursion: everything about the path is kept by depth, and the state
    # after an action is written where the next depth reads it.
    max_depth = rules.MAX_ACTIONS_PER_STREET * game[rules.NUM_STREETS]
    states = np.zeros((max_depth + 1, rules.STATE_LENGTH), np.int64)
    totals = np.zeros((max_depth + 1, 2), np.int64)
    node_at = np.zeros(max_depth + 1, np.int64)
    next_kind = np.zeros(max_depth + 1, np.int64)
    next_child = np.zeros(max_depth + 1, np.int64)
    next_slot = np.zeros(game[rules.NUM_STREETS], np.int64)
    num_outcomes = 0
    rules.start_hand(game, states[0])
    _street_totals(game, states[0], totals[0])
    num_nodes = _enter(game, states[0], totals[0], nodes, 0, next_slot)
    depth = 0
    while depth >= 0:
        kind = next_kind[depth]
        next_kind[depth] += 1
        if kind > rules.RAISE:
            depth -= 1
        elif info_kinds(nodes[node_at[depth], LIMIT_INFO]) >> kind & 1:
            child = states[depth + 1]
            child[:] = states[depth]
            rules.apply_action(game, child, kind, 0)
            # Children are written without gaps, in the order of the legal kinds.
            place = LIMIT_CHILD + next_child[depth]
            next_child[depth] += 1
            if child[rules.ACTOR] == rules.OVER:
                # Millions of ends share few outcomes, so payoffs are a small table.
                outcome = _find_outcome(child, outcomes, outcome_places, num_outcomes)
                if outcome >= len(outcomes):
                    return -1
                num_outcomes = max(num_outcomes, outcome + 1)
                nodes[node_at[depth], place] = ~outcome
            else:
                # The pot of a street stays the same along it, as equation (3) of Smooth UCT reads
                # it at every decision.
                totals[depth + 1] = totals[depth]
                if child[rules.STREET] != states[depth, rules.STREET]:
                    _street_totals(game, child, totals[depth + 1])
                nodes[node_at[depth], place] = num_nodes
                depth += 1
                node_at[depth] = num_nodes
                next_kind[depth] = next_child[depth] = 0
                num_nodes = _enter(game, child, totals[depth], nodes, num_nodes, next_slot)
    return num_outcomes


@shared
def _enter(
    game: KernelArray,
    state: KernelArray,
    totals: KernelArray,
    nodes: NDArray[np.int32],
    node: int,
    next_slot: KernelArray,
) -> int:
    """Write the record of decision node *node*, children aside; return the next free number."""
    street = state[rules.STREET]
    kinds, count = 0, 0
    for kind in range(3):
        if rules.is_legal(game, state, kind, 0):
            kinds |= 1 << kind
            count += 1
    nodes[node, LIMIT_SLOT] = next_slot[street]
    nodes[node, LIMIT_INFO] = pack_info(state[rules.ACTOR], street, kinds)
    nodes[node, LIMIT_STREET_POT] = totals[0]
    nodes[node, LIMIT_POTENTIAL] = totals[1]
    next_slot[street] += count
    return node + 1


@shared
def _street_totals(game: KernelArray, state: KernelArray, totals: KernelArray) -> None:
    """Write the pot of a street that begins, and the chips that may still be added to it.

    These are what the players who are in would add if all raised to the end.
    """
    highest = state[rules.MAX_SPENT]
    for street in range(state[rules.STREET], game[rules.NUM_STREETS]):
        highest += game[rules.MAX_RAISES + street] * game[rules.RAISE_SIZE + street]
    totals[0], totals[1] = 0, 0
    for seat in range(game[rules.NUM_PLAYERS]):
        spent = state[rules.SPENT + seat]
        totals[0] += spent
        if state[rules.FOLDED + seat] == 0:
            totals[1] += max(0, min(highest, game[rules.STACK + seat]) - spent)


@shared
def _find_outcome(
    state: KernelArray, outcomes: KernelArray, outcome_places: NDArray[np.int32], num_outcomes: int
) -> int:
    """Return the number of a finished hand's outcome; a new one is added if there is room."""
    # A hash table with open addressing over the words of the state that the payoffs depend on.
    mask = len(outcome_places) - 1
    place = 0
    for index in range(rules.SPENT, rules.STATE_LENGTH):
        place = place * HASH_FACTOR + state[index]
    place = (place ^ place >> 32) & mask
    while outcome_places[place] != NO_OUTCOME:
        if _same_outcome(state, outcomes[outcome_places[place]]):
            return int(outcome_places[place])
        place = (place + 1) & mask
    if num_outcomes < len(outcomes):
        outcome_places[place] = num_outcomes
        outcomes[num_outcomes] = state
    return num_outcomes


@shared
def _same_outcome(state: KernelArray, other: KernelArray) -> bool:
    # Kernels know no generators, so the loop is written out.
    for index in range(rules.SPENT, rules.STATE_LENGTH):  # noqa: SIM110
        if state[index] != other[index]:
            return False
    return True


@kernel
def fill_payoffs(
    game: KernelArray,
    outcomes: KernelArray,
    orderings: NDArray[np.uint8],
    payoffs: NDArray[np.float64],
) -> None:
    """Write the chips of each outcome under each ordering, *payoffs* [outcome, ordering, seat]."""
    # Every outcome under every ordering, once: an episode then reads one number at its end.
    for outcome in range(len(outcomes)):
        for ordering in range(len(orderings)):
            fill_values(game, outcomes[outcome], orderings[ordering], payoffs[outcome, ordering])
