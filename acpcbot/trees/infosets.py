"""Information sets of a tree with buckets: how many there are, their numbers and their storage.

An information set is a decision node and the bucket of the cards that its actor holds on that
street. Each of its legal actions has a slot. All slots of a street form a matrix [bucket, slot of
the bucket's row], and the matrices of all streets lie one after another in a flat array
(``InfosetLayout``): the slots that one hand visits on one street lie close together. A tree with
numbers of buckets is a ``BucketGame``: the game as learners and stored strategies see it.

Sizes of a limit game's tree are counted without building it (``SubtreeSizes``). The size of a
subtree depends on little: the street, who acts, how many raises were made, who has folded and who
has yet to call. So sizes are counted once for each such situation, which takes milliseconds where
the tree has millions of nodes. Decision nodes are numbered in the order of a walk that takes fold
before call before raise, parents first; hence sizes also tell the number and the storage place of
any node (``NodePlace``), and a player needs no tree at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import add
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acpcbot.errors import UsageError
from acpcbot.poker import rules
from acpcbot.poker.actions import CALLING, FOLDING, LETTERS, LIMIT_RAISING, Action
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.trees.bet_menu import BetMenu

FindNearest: TypeAlias = Callable[[BettingState], "BettingState | None"]
"""From betting that a tree lacks to its most similar decision (``nearest_decision.py``)."""

KINDS = (rules.FOLD, rules.CALL, rules.RAISE)
ACTIONS = (FOLDING, CALLING, LIMIT_RAISING)
MAX_KEPT_PATHS = 1 << 16
_KIND_OF_LETTER = {letter: kind for kind, letter in LETTERS.items()}


@dataclass(frozen=True, slots=True)
class TreeSize:
    """The size of a subtree: decision nodes and slots on each street, and finished hands.

    A slot is a legal action of a node.
    """

    num_nodes: tuple[int, ...]
    num_slots: tuple[int, ...]
    num_terminals: int

    def __add__(self, other: TreeSize) -> TreeSize:
        nodes = tuple(map(add, self.num_nodes, other.num_nodes))
        slots = tuple(map(add, self.num_slots, other.num_slots))
        return TreeSize(nodes, slots, self.num_terminals + other.num_terminals)


@dataclass(frozen=True, slots=True)
class InfosetLayout:
    """Rows of buckets: *row_starts* and *row_widths* int64 [street], *num_buckets* by street."""

    num_buckets: tuple[int, ...]
    row_starts: NDArray[np.int64]
    row_widths: NDArray[np.int64]
    num_slots: int
    num_infosets: int

    def street_rows(self, flat: NDArray[Any], street: int) -> NDArray[Any]:
        """Return the part of *flat* [slot] of *street*, as a view [bucket, slot of the row]."""
        start, width = int(self.row_starts[street]), int(self.row_widths[street])
        return flat[start : start + self.num_buckets[street] * width].reshape(
            self.num_buckets[street], width
        )


def infoset_layout(size: TreeSize, num_buckets: tuple[int, ...]) -> InfosetLayout:
    """Return the layout for a tree of *size* with so many buckets on each street."""
    assert len(num_buckets) == len(size.num_slots), (num_buckets, size)
    widths = np.array(size.num_slots, np.int64)
    lengths = widths * np.array(num_buckets, np.int64)
    ends = np.cumsum(lengths)
    num_infosets = sum(
        nodes * buckets for nodes, buckets in zip(size.num_nodes, num_buckets, strict=True)
    )
    return InfosetLayout(tuple(num_buckets), ends - lengths, widths, int(ends[-1]), num_infosets)


class BucketTree(Protocol):
    """A tree as the layout of its information sets needs it."""

    @property
    def definition(self) -> GameDefinition:
        """The definition of the game."""

    @property
    def size(self) -> TreeSize:
        """Its size, street by street."""

    def street_nodes(self, street: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the first slots and the numbers of actions of *street*'s nodes, both [node]."""


@dataclass(frozen=True, slots=True)
class BucketGame:
    """*tree* with *num_buckets* by street; ``layout`` maps information sets to slots."""

    tree: BucketTree
    num_buckets: tuple[int, ...]
    layout: InfosetLayout = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "layout", infoset_layout(self.tree.size, self.num_buckets))

    @property
    def definition(self) -> GameDefinition:
        """The definition of the game."""
        return self.tree.definition

    def normalised(self, weights: NDArray[Any]) -> NDArray[np.float64]:
        """Probabilities [slot] in proportion to *weights* [slot].

        Uniform where an information set has none.
        """
        # Imported here: compiled code, which players of stored strategies do not need.
        from acpcbot.regret_matching import normalise_rows

        result = np.empty(self.layout.num_slots)
        for street in range(len(self.num_buckets)):
            rows = self.layout.street_rows(weights, street), self.layout.street_rows(result, street)
            normalise_rows(*self.tree.street_nodes(street), *rows)
        return result


class Place(Protocol):
    """A decision node: the place of its information sets in storage, and its actions."""

    def __hash__(self) -> int:
        """Return a hash: places are values."""

    @property
    def node(self) -> int:
        """Its number in the tree."""

    @property
    def street(self) -> int:
        """Its street."""

    @property
    def street_node(self) -> int:
        """Its number among those of the street."""

    @property
    def slot(self) -> int:
        """Its first slot in the row of a bucket."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """Its actions, in the order of their slots."""

    @property
    def kinds(self) -> tuple[int, ...]:
        """The kind of each action: fold, call or raise."""


class Places(Protocol):
    """The places of all decisions of a game."""

    @property
    def definition(self) -> GameDefinition:
        """The definition of the game."""

    @property
    def menu(self) -> BetMenu | None:
        """The bets of its tree where both seats have the same; None in a limit game."""

    @property
    def nearest(self) -> FindNearest | None:
        """Finder of the decision most like betting that the tree lacks; None if it needs none."""

    def whole(self) -> TreeSize:
        """Return the size of the whole tree."""

    def action_counts(self, street: int) -> NDArray[np.integer[Any]]:
        """Return the number of actions of each decision of *street*, [node of the street]."""

    def place_after(self, betting: BettingState) -> Place:
        """Return the decision after *betting*."""


@dataclass(frozen=True, slots=True)
class NodePlace:
    """A decision node: its numbers in the tree and on its street, and its first slot.

    The slot is in the row of a bucket. ``before`` counts all that comes before the node, and so
    tells where on each street its subtree begins.
    """

    node: int
    street: int
    street_node: int
    slot: int
    kinds: tuple[int, ...]
    before: TreeSize
    actions: tuple[Action, ...] = field(init=False, compare=False)
    """The legal actions."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "actions", tuple([ACTIONS[kind] for kind in self.kinds]))


class SubtreeSizes:
    """Sizes of the betting tree of *definition* below any state.

    Raises UsageError for a no-limit game.
    """

    def __init__(self, definition: GameDefinition) -> None:
        if not definition.is_limit:
            raise UsageError("a no-limit game has no fixed tree", "choose a limit game")
        self.definition = definition
        self._game = BettingRules(definition).vector
        self._known: dict[tuple[int, ...], TreeSize] = {}
        self._counts: dict[tuple[int, ...], tuple[bytes, ...]] = {}
        self._paths: dict[tuple[int, ...], tuple[list[int], TreeSize]] = {}
        self._whole: TreeSize | None = None
        self._nothing = TreeSize((0,) * definition.num_streets, (0,) * definition.num_streets, 0)
        self._one_hand = TreeSize(self._nothing.num_nodes, self._nothing.num_slots, 1)
        self._chips_matter = _chips_matter(definition)
        self._actions_matter = (
            definition.num_players * (max(definition.max_raises) + 2) > rules.MAX_ACTIONS_PER_STREET
        )

    @property
    def menu(self) -> None:
        """None: a limit game has no sizes to choose from."""
        return None

    @property
    def nearest(self) -> None:
        """None: the tree of a limit game lacks nothing."""
        return None

    def whole(self) -> TreeSize:
        """Return the size of the whole tree."""
        if self._whole is None:
            self._whole = self.below(self.start())
        return self._whole

    def action_counts(self, street: int) -> NDArray[np.uint8]:
        """Return the number of actions of each decision of *street*, [node of the street]."""
        return np.frombuffer(self._counts_below(self.start())[street], np.uint8)

    def start(self) -> list[int]:
        """Return the state vector at the start of a hand."""
        state = [0] * rules.STATE_LENGTH
        rules.start_hand(self._game, state)
        return state

    def after(self, state: list[int], kind: int) -> list[int]:
        """Return the state vector after a legal action."""
        following = list(state)
        rules.apply_action(self._game, following, kind, 0)
        return following

    def kinds(self, state: list[int]) -> tuple[int, ...]:
        """Return the legal actions of *state*, in the order of the tree."""
        return tuple([kind for kind in KINDS if rules.is_legal(self._game, state, kind, 0)])

    def below(self, state: list[int]) -> TreeSize:
        """Return the size of the subtree with its root at *state*."""
        if state[rules.ACTOR] == rules.OVER:
            return self._one_hand
        situation = self._situation(state)
        size = self._known.get(situation)
        if size is None:
            size = self._known[situation] = self._counted(state)
        return size

    def _counts_below(self, state: list[int]) -> tuple[bytes, ...]:
        """Return, by street, a byte for each decision of the subtree: its number of actions."""
        if state[rules.ACTOR] == rules.OVER:
            return (b"",) * self.definition.num_streets
        situation = self._situation(state)
        if situation not in self._counts:
            kinds = self.kinds(state)
            parts = [self._counts_below(self.after(state, kind)) for kind in kinds]
            own = [b""] * self.definition.num_streets
            own[state[rules.STREET]] = bytes([len(kinds)])
            self._counts[situation] = tuple(map(b"".join, zip(own, *parts, strict=True)))
        return self._counts[situation]

    def place(self, kinds: Sequence[int]) -> NodePlace:
        """Return the decision node that the legal actions *kinds* lead to."""
        state, before = self._follow(tuple(kinds))
        street = state[rules.STREET]
        node, street_node, slot = (
            sum(before.num_nodes),
            before.num_nodes[street],
            before.num_slots[street],
        )
        return NodePlace(node, street, street_node, slot, self.kinds(state), before)

    def _follow(self, kinds: tuple[int, ...]) -> tuple[list[int], TreeSize]:
        """Return the state vector that *kinds* lead to, and what comes before it in the tree.

        Decisions follow each other, so the path to the one before is mostly known.
        """
        if not kinds:
            return self.start(), self._nothing
        path = self._paths.get(kinds)
        if path is None:
            if len(self._paths) >= MAX_KEPT_PATHS:
                self._paths.clear()
            path = self._paths[kinds] = self._step(*self._follow(kinds[:-1]), kinds[-1])
        return path

    def _step(self, state: list[int], before: TreeSize, taken: int) -> tuple[list[int], TreeSize]:
        before += self._own_size(state)
        for kind in self.kinds(state):
            if kind == taken:
                break
            before += self.below(self.after(state, kind))
        return self.after(state, taken), before

    def place_after(self, betting: BettingState) -> NodePlace:
        """Return the decision node after *betting*."""
        return self.place(
            [_KIND_OF_LETTER[letter] for letter in betting.text if letter in _KIND_OF_LETTER]
        )

    def _counted(self, state: list[int]) -> TreeSize:
        size = self._own_size(state)
        for kind in self.kinds(state):
            size += self.below(self.after(state, kind))
        return size

    def _own_size(self, state: list[int]) -> TreeSize:
        street, num_kinds = state[rules.STREET], len(self.kinds(state))
        nodes = tuple([int(index == street) for index in range(self.definition.num_streets)])
        return TreeSize(nodes, tuple([num_kinds * own for own in nodes]), 0)

    def _situation(self, state: list[int]) -> tuple[int, ...]:
        """Return all of *state* that the size of its subtree depends on."""
        players = range(self.definition.num_players)
        seats = [state[rules.FOLDED + seat] for seat in players]
        spent = [state[rules.SPENT + seat] for seat in players]
        if not self._chips_matter:
            spent = [int(chips < state[rules.MAX_SPENT]) for chips in spent]
        counts = [
            state[rules.STREET],
            state[rules.ACTOR],
            state[rules.NUM_RAISES],
            state[rules.NUM_CALLERS],
        ]
        return (*counts, state[rules.NUM_ACTIONS] * self._actions_matter, *seats, *spent)


def _chips_matter(definition: GameDefinition) -> bool:
    """Return True if a player can run out of chips."""
    raises = sum(
        count * size
        for count, size in zip(definition.max_raises, definition.raise_sizes, strict=True)
    )
    return min(definition.stacks) <= definition.big_blind + raises
