"""Betting trees: the betting below any state, with the sizes of a bet menu, for up to seven players.

Nodes are numbered street by street, and within a street parents first. The nodes reached on
one street from one action before it, a *block*, lie together. Cards are not here; see
``board_tree.py``. One walk, by the one text of the rules, counts or writes the tree.
``BettingPlaces`` finds decisions in a whole tree by following the betting.

Columns are named after their array. Nodes, int32 [node, 6]:

NODE_FIRST_ACTION, NODE_NUM_ACTIONS  the node's rows among the actions
NODE_SEAT, NODE_STREET               the seat that acts, and the street
NODE_SLOT                            its first slot in the row of a bucket or hand of its street
NODE_BLOCK_END                       where the block ends that begins with this node, else 0

Actions, int32 [action, 3]:

ACTION_CHILD                         the node that follows, or ``~end`` where the hand is over
ACTION_KIND, ACTION_RAISE_TO         the action, as in ``poker/actions.py``

Ends of two players, int32 [end, 4]:

END_SPENT + seat                     the chips that a seat put in
END_FOLDED                           the seat that folded, NOBODY at a showdown
END_STREET                           the street of the last action: at a showdown board cards may
                                     be to come

Ends of more players, int32 [end, seats + 1]: END_SPENT + seat as above, and in the last column the
seats that folded, as a set of bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import KernelArray
from acpcbot.cards.orderings import MAX_SEATS
from acpcbot.errors import UsageError
from acpcbot.jit import kernel, shared
from acpcbot.poker import rules
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.trees.bet_menu import LIMIT_MENU, MAX_SIZES, BetMenu, Menu, wanted_raise
from acpcbot.trees.infosets import BucketGame, FindNearest, TreeSize

NODE_FIRST_ACTION, NODE_NUM_ACTIONS, NODE_SEAT, NODE_STREET, NODE_SLOT, NODE_BLOCK_END = range(6)
NODE_LENGTH = 6
ACTION_CHILD, ACTION_KIND, ACTION_RAISE_TO = range(3)
ACTION_LENGTH = 3
END_SPENT, END_FOLDED, END_STREET = 0, 2, 3
END_LENGTH = 4

NOBODY = -1
MAX_NODES = 200_000_000
"""The largest number of decision nodes that a tree may have: 5 GB of them."""
TOO_MANY = -1

Records = NDArray[np.int32]

NUM_SEATS = 2
"""The number of seats whose ends have END_FOLDED and END_STREET."""


@dataclass(frozen=True, slots=True, eq=False)
class BettingTree:
    """The betting below *root*; see ``betting_tree.py`` for the columns.

    ``nodes``       int32 [node, 6]; node 0 is the root
    ``actions``     int32 [action, 3]
    ``ends``        int32 [end, 4], or for more than two players [end, seats + 1]
    ``row_widths``  int64 [street]: how many slots a bucket or hand has on each street
    ``size``        what it holds, street by street
    """

    root: BettingState
    menu: Menu
    nodes: Records
    actions: Records
    ends: Records
    row_widths: NDArray[np.int64]
    size: TreeSize

    def children(self, node: int) -> dict[Action, int]:
        """Return the ACTION_CHILD of each action of *node*, in the tree's order."""
        first, count = self.nodes[node, NODE_FIRST_ACTION], self.nodes[node, NODE_NUM_ACTIONS]
        rows = self.actions[first : first + count].tolist()
        return {Action(row[ACTION_KIND], row[ACTION_RAISE_TO]): row[ACTION_CHILD] for row in rows}

    def first_slot(self, node: int) -> int:
        """Return the first slot of *node* in the row of a bucket or hand of its street."""
        return int(self.nodes[node, NODE_SLOT])

    @property
    def definition(self) -> GameDefinition:
        """The definition of the game."""
        return self.root.game.definition

    def street_nodes(self, street: int) -> tuple[Records, Records]:
        """Return the first slots and the numbers of actions of *street*'s nodes, both [node]."""
        own = self.nodes[self.nodes[:, NODE_STREET] == street]
        return own[:, NODE_SLOT], own[:, NODE_NUM_ACTIONS]


@dataclass(frozen=True, slots=True)
class MenuGame(BucketGame):
    """A game with buckets, in which the sizes of a menu can be bet."""

    tree: BettingTree


def betting_size(root: BettingState, menu: Menu = LIMIT_MENU) -> TreeSize:
    """Return the size of the tree below *root*.

    Raises UsageError for more than seven players, hands that are over, and trees that are too large.
    """
    nothing = (0,) * root.game.definition.num_streets
    return _walk(root, menu, TreeSize(nothing, nothing, 0))[1]


def betting_bytes(size: TreeSize, num_players: int = NUM_SEATS) -> int:
    """Return the memory of a tree of *size*."""
    lengths = (
        sum(size.num_nodes) * NODE_LENGTH
        + sum(size.num_slots) * ACTION_LENGTH
        + size.num_terminals * end_length(num_players)
    )
    return np.dtype(np.int32).itemsize * lengths


def end_length(num_players: int) -> int:
    """Return the number of columns of the ends of a tree for *num_players*."""
    return END_LENGTH if num_players == NUM_SEATS else num_players + 1


def build_betting_tree(root: BettingState, menu: Menu = LIMIT_MENU) -> BettingTree:
    """Return the tree below *root* with the sizes of *menu*, which a limit game does not need.

    Raises UsageError.
    """
    (nodes, actions, ends), size = _walk(root, menu, betting_size(root, menu))
    order = np.argsort(nodes[:, NODE_STREET], kind="stable")
    numbers = np.empty(len(order), np.int32)
    numbers[order] = np.arange(len(order))
    goes_on = actions[:, ACTION_CHILD] >= 0
    actions[goes_on, ACTION_CHILD] = numbers[actions[goes_on, ACTION_CHILD]]
    nodes = nodes[order]
    row_widths = _write_slots(nodes, root.game.definition.num_streets)
    _write_blocks(nodes, actions)
    return BettingTree(root, menu, nodes, actions, ends, row_widths, size)


def _walk(
    root: BettingState, menu: Menu, size: TreeSize
) -> tuple[tuple[Records, Records, Records], TreeSize]:
    """Return the arrays of the tree, with room for *size*, and the size that the tree has."""
    definition = root.game.definition
    if definition.num_players > MAX_SEATS:
        raise UsageError(
            f"betting trees are for up to {MAX_SEATS} players,"
            f" and this game has {definition.num_players}",
            "choose a game for fewer",
        )
    if root.is_over:
        raise UsageError(
            f"after {root.text!r} the hand is over", "choose a state in which a seat acts"
        )
    if not definition.is_limit and menu is LIMIT_MENU:
        raise UsageError(
            "a no-limit game has a betting tree only with a bet menu",
            "choose bets, as with --bets 0.5,1,all-in",
        )
    nodes = np.zeros((sum(size.num_nodes), NODE_LENGTH), np.int32)
    actions = np.zeros((sum(size.num_slots), ACTION_LENGTH), np.int32)
    ends = np.zeros((size.num_terminals, end_length(definition.num_players)), np.int32)
    counts = np.zeros((definition.num_streets, 2), np.int64)
    game, state = np.array(root.game.vector, np.int64), np.array(root.vector, np.int64)
    limits = menu.max_players, MAX_NODES
    num_ends = walk_betting(game, state, menu.table, limits, counts, nodes, actions, ends)
    if num_ends == TOO_MANY:
        raise UsageError(
            f"the betting tree has more than {MAX_NODES:,} decision nodes",
            "use fewer sizes, or a smaller most number of raises (max_raises)",
        )
    return (nodes, actions, ends), TreeSize(
        tuple(counts[:, 0].tolist()), tuple(counts[:, 1].tolist()), num_ends
    )


def _write_slots(nodes: Records, num_streets: int) -> NDArray[np.int64]:
    """Give every node its slots, and return the number of slots of each street."""
    widths = np.zeros(num_streets, np.int64)
    for street in range(num_streets):
        own = nodes[:, NODE_STREET] == street
        counts = nodes[own, NODE_NUM_ACTIONS]
        nodes[own, NODE_SLOT] = np.cumsum(counts) - counts
        widths[street] = counts.sum()
    return widths


def _write_blocks(nodes: Records, actions: Records) -> None:
    """Write the end of each block at its first node."""
    in_order = np.argsort(nodes[:, NODE_FIRST_ACTION])
    owners = in_order[
        np.searchsorted(nodes[in_order, NODE_FIRST_ACTION], np.arange(len(actions)), "right") - 1
    ]
    children = actions[:, ACTION_CHILD]
    enters = (children >= 0) & (
        nodes[np.maximum(children, 0), NODE_STREET] != nodes[owners, NODE_STREET]
    )
    firsts = np.unique(np.append(children[enters], 0))
    nodes[firsts, NODE_BLOCK_END] = np.append(firsts[1:], len(nodes))


@kernel
def walk_betting(
    game: KernelArray,
    root: KernelArray,
    menu: NDArray[np.float64],
    limits: tuple[int, int],
    counts: KernelArray,
    nodes: Records,
    actions: Records,
    ends: Records,
) -> int:
    """Go through the tree below *root*, parents first, and write as much as the arrays hold.

    With empty arrays it counts. *menu* is ``BetMenu.table``; *limits* are its ``max_players``, and
    the largest number of nodes. Adds up nodes and actions in *counts* int64 [street, 2], and
    returns the number of ends, or TOO_MANY as soon as there are more nodes. Slots and blocks are
    left open.
    """
    max_players, max_nodes = limits
    # Depth first without recursion: everything about the path is kept by depth, and the state
    # after an action is written where the next depth reads it.
    max_depth = rules.MAX_ACTIONS_PER_STREET * game[rules.NUM_STREETS]
    states = np.zeros((max_depth + 1, rules.STATE_LENGTH), np.int64)
    choices = np.zeros((max_depth + 1, MAX_SIZES + 2, 2), np.int64)
    num_choices, next_choice = np.zeros(max_depth + 1, np.int64), np.zeros(max_depth + 1, np.int64)
    first_action = np.zeros(max_depth + 1, np.int64)
    _copy_state(root, states[0])
    num_choices[0] = _tree_choices(game, root, menu, max_players, choices[0])
    _write_node(states[0], 0, num_choices[0], counts, nodes, 0)
    num_nodes, num_actions, num_ends = 1, num_choices[0], 0
    depth = 0
    while depth >= 0:
        choice = next_choice[depth]
        if choice == num_choices[depth]:
            depth -= 1
            continue
        next_choice[depth] += 1
        kind, raise_to = choices[depth, choice]
        following = states[depth + 1]
        _copy_state(states[depth], following)
        rules.apply_action(game, following, kind, raise_to)
        # The actions of a node were numbered when it was entered, so they follow each other
        # though whole subtrees are walked between them.
        action = first_action[depth] + choice
        if action < len(actions):
            actions[action, ACTION_CHILD] = (
                num_nodes if following[rules.ACTOR] != rules.OVER else ~num_ends
            )
            actions[action, ACTION_KIND], actions[action, ACTION_RAISE_TO] = kind, raise_to
        if following[rules.ACTOR] == rules.OVER:
            _write_end(game, following, states[depth, rules.STREET], ends, num_ends)
            num_ends += 1
        elif num_nodes >= max_nodes:
            return TOO_MANY
        else:
            depth += 1
            first_action[depth], next_choice[depth] = num_actions, 0
            num_choices[depth] = _tree_choices(game, following, menu, max_players, choices[depth])
            _write_node(following, num_actions, num_choices[depth], counts, nodes, num_nodes)
            num_nodes += 1
            num_actions += num_choices[depth]
    return num_ends


@shared
def _copy_state(state: KernelArray, copy: KernelArray) -> None:
    # Number by number: an assignment of arrays compiles what would word its error, which takes as
    # long as all the rest.
    for place in range(rules.STATE_LENGTH):
        copy[place] = state[place]


@shared
def _tree_choices(
    game: KernelArray,
    state: KernelArray,
    menu: NDArray[np.float64],
    max_players: int,
    choices: KernelArray,
) -> int:
    """Write the actor's actions, but no call after which more than *max_players* can still bet.

    Returns their number.
    """
    count = fill_choices(game, state, menu, choices)
    stays = state[rules.MAX_SPENT] < game[rules.STACK + state[rules.ACTOR]]
    if choices[0, 0] != rules.FOLD or not stays or _num_staying(game, state) < max_players:
        return count
    # The call stands behind the fold; raises move up.
    for place in range(2, count):
        choices[place - 1, 0], choices[place - 1, 1] = choices[place, 0], choices[place, 1]
    return count - 1


@shared
def _num_staying(game: KernelArray, state: KernelArray) -> int:
    """Return the number of seats beside the actor that owe no call and have chips behind."""
    count = 0
    for seat in range(game[rules.NUM_PLAYERS]):
        spent = state[rules.SPENT + seat]
        if seat != state[rules.ACTOR] and state[rules.FOLDED + seat] == 0:
            count += state[rules.MAX_SPENT] <= spent < game[rules.STACK + seat]
    return count


@shared
def fill_choices(
    game: KernelArray, state: KernelArray, menu: NDArray[np.float64], choices: KernelArray
) -> int:
    """Write the kinds and sizes of the actor's actions, *choices* [action, 2], raises rising.

    Returns their number.
    """
    count = 0
    if rules.can_fold(game, state):
        choices[count, 0], choices[count, 1] = rules.FOLD, 0
        count += 1
    choices[count, 0], choices[count, 1] = rules.CALL, 0
    count += 1
    if not rules.can_raise(game, state):
        return count
    if game[rules.IS_LIMIT]:
        choices[count, 0], choices[count, 1] = rules.RAISE, 0
        return count + 1
    street, num_raises = (
        min(state[rules.STREET], menu.shape[1] - 1),
        min(state[rules.NUM_RAISES], menu.shape[2] - 1),
    )
    for share in menu[min(state[rules.ACTOR], len(menu) - 1), street, num_raises]:
        if not np.isnan(share):
            count = _insert(choices, count, wanted_raise(game, state, share))
    return count


@shared
def _insert(choices: KernelArray, count: int, raise_to: int) -> int:
    """Put a raise in its place among *choices*, unless it is there; returns their number."""
    place = count
    while place > 0 and choices[place - 1, 0] == rules.RAISE and choices[place - 1, 1] >= raise_to:
        place -= 1
    if place < count and choices[place, 1] == raise_to:
        return count
    for other in range(count, place, -1):
        choices[other, 0], choices[other, 1] = choices[other - 1, 0], choices[other - 1, 1]
    choices[place, 0], choices[place, 1] = rules.RAISE, raise_to
    return count + 1


@shared
def _write_node(
    state: KernelArray,
    first_action: int,
    num_actions: int,
    counts: KernelArray,
    nodes: Records,
    node: int,
) -> None:
    counts[state[rules.STREET], 0] += 1
    counts[state[rules.STREET], 1] += num_actions
    if node < len(nodes):
        nodes[node, NODE_FIRST_ACTION], nodes[node, NODE_NUM_ACTIONS] = first_action, num_actions
        nodes[node, NODE_SEAT], nodes[node, NODE_STREET] = state[rules.ACTOR], state[rules.STREET]


@shared
def _write_end(game: KernelArray, state: KernelArray, street: int, ends: Records, end: int) -> None:
    if end >= len(ends):
        return
    num_players, folded = game[rules.NUM_PLAYERS], 0
    for seat in range(num_players):
        ends[end, END_SPENT + seat] = state[rules.SPENT + seat]
        folded |= state[rules.FOLDED + seat] << seat
    if num_players == NUM_SEATS:
        # Of two at most one has folded: 0, 1 and 2 are nobody, seat 0 and seat 1.
        ends[end, END_FOLDED], ends[end, END_STREET] = folded - 1, street
    else:
        ends[end, num_players] = folded


MAX_KEPT_STEPS = 1 << 14


@dataclass(frozen=True, slots=True)
class BettingPlace:
    """A decision node: its numbers, its first slot and its actions.

    ``node`` counts in the tree, ``street_node`` on its street; ``slot`` is in the row of a bucket.
    """

    node: int
    street: int
    street_node: int
    slot: int
    actions: tuple[Action, ...]

    @property
    def kinds(self) -> tuple[int, ...]:
        """The kind of each action: fold, call or raise."""
        return tuple([action.kind for action in self.actions])


class BettingPlaces:
    """The places of *tree*, which begins with the hand."""

    def __init__(self, tree: BettingTree) -> None:
        self.tree = tree
        self._known: dict[str, int] = {}
        self._first_nodes = np.cumsum(tree.size.num_nodes) - tree.size.num_nodes

    @property
    def definition(self) -> GameDefinition:
        """The definition of the game."""
        return self.tree.definition

    @property
    def menu(self) -> BetMenu | None:
        """The bets of both seats, if they have the same."""
        return self.tree.menu if isinstance(self.tree.menu, BetMenu) else None

    @cached_property
    def nearest(self) -> FindNearest | None:
        """Finder of the decision most like betting that the tree lacks.

        None for two players with bets and raises up to the rules' end: all betting has a
        counterpart in such a tree.
        """
        is_capped = isinstance(self.tree.menu, BetMenu) and self.tree.menu.is_capped
        if self.definition.num_players == NUM_SEATS and not is_capped:
            return None
        # Imported here: its module reads trees, and most trees do not need it.
        from acpcbot.trees.nearest_decision import NearestDecisions

        return NearestDecisions(self.tree).nearest

    def whole(self) -> TreeSize:
        """Return the size of the whole tree."""
        return self.tree.size

    def action_counts(self, street: int) -> Records:
        """Return the number of actions of each decision of *street*, [node of the street]."""
        return self.tree.street_nodes(street)[1]

    def place_after(self, betting: BettingState) -> BettingPlace:
        """Return the decision after *betting*; raises UsageError if the tree does not have it."""
        node = 0
        for before, action in betting.decisions():
            node = self._child(node, before, action)
        if node < 0:
            raise UsageError(
                f"after {betting.text!r} there is no decision in the tree", "choose other bets"
            )
        street = int(self.tree.nodes[node, NODE_STREET])
        street_node = node - int(self._first_nodes[street])
        return BettingPlace(
            node,
            street,
            street_node,
            int(self.tree.nodes[node, NODE_SLOT]),
            tuple(self.tree.children(node)),
        )

    def _child(self, node: int, before: BettingState, action: Action) -> int:
        """Return the node that *action* leads to after *before*, which is at *node*.

        Below 0 if the tree has no decision there.
        """
        step = before.text + action.text
        child = self._known.get(step)
        if child is None:
            child = self.tree.children(node).get(action, -1) if node >= 0 else node
            if len(self._known) >= MAX_KEPT_STEPS:
                self._known.clear()
            self._known[step] = child
        return child
