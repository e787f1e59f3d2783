"""Public trees of research games, which grow as searches need them.

Made from the rules and the public key alone. A *public state* holds the histories that agree in all
that everybody has seen. Here it is a *node*: histories of one public key at one move, so that a
move that only its own seat sees, as a bid in Goofspiel, leads to a node of the same key. A move of
chance that nobody else sees, as a card dealt face down, is merged into the move before. Histories
whose states are equal word for word are one, such as the orders in which dice fall.

A *row* is an information set of a seat in a node, and exists for both seats, the one that is not to
move as well. With perfect recall a row tells its seat's actions, so a row has one parent, and the
probability of a history is that of chance times the reaches of its two rows. A *slot* is one action
of a row of the seat to move.

Nodes, rows, slots and histories are numbered as they are made, so parents stand before children;
the children of a node lie side by side, and so do the rows of each seat in a node. Kernels see
arrays of records and no rules; a tree is enlarged by Python between two calls of them.

Source: Schmid et al. (2023), Student of Games; Johanson et al. (2011), Accelerating best response
calculation in large extensive games (public trees).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from acpcbot.arrays import AnyArray, Flags, Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.games.game import CHANCE, OVER, Game, State, new_state, states_after
from acpcbot.games.sequence_form import MAX_ENDS, all_histories
from acpcbot.jit import kernel, shared_methods
from acpcbot.memory import size_text

NUM_SEATS = 2
ROOT, NONE = 0, -1
NODES, ROWS, SLOTS, HISTORIES, MOVES, NUM_SIZES = range(6)

NODE: np.dtype[Any] = np.dtype(
    [
        (name, np.int32)
        for name in (
            "actor",
            "parent",
            "first_child",
            "num_children",
            "first_row",
            "middle_row",
            "end_row",
            "first_history",
            "end_history",
            "first_slot",
            "end_slot",
            "is_grown",
        )
    ]
)
ROW: np.dtype[Any] = np.dtype(
    [
        ("key", np.int64),
        ("parent_row", np.int32),
        ("parent_slot", np.int32),
        ("first_slot", np.int32),
        ("count", np.int32),
    ]
)
HISTORY: np.dtype[Any] = np.dtype(
    [
        ("chance", np.float64),
        ("payoff", np.float64),
        ("row0", np.int32),
        ("row1", np.int32),
        ("first_move", np.int32),
        ("end_move", np.int32),
    ]
)
MOVE: np.dtype[Any] = np.dtype(
    [
        ("probability", np.float64),
        ("action", np.int32),
        ("child", np.int32),
        ("history", np.int32),
        ("unused", np.int32),
    ]
)

DEFAULT_MEMORY_BYTES = 1 << 30
FIRST_ROOM = 64


class PublicArrays(NamedTuple):
    """The arrays of a public tree, with room behind what is in use.

    ``nodes``      NODE [node]; rows of seat 0 are first_row .. middle_row - 1, those of seat 1
                   middle_row .. end_row - 1
    ``rows``       ROW [row]; parent_slot is that of the row's own last action where its seat moved
                   at the parent, else -1
    ``histories``  HISTORY [history]; the product of chance so far, seat 0's payoff at the end
    ``moves``      MOVE [move], by history and then by action; several of one action where chance
                   is merged into it
    """

    nodes: AnyArray
    rows: AnyArray
    histories: AnyArray
    moves: AnyArray


@shared_methods
class TreeGrower(Protocol):
    """The way in which kernels make the children of a public state."""

    def make_children(self, tree: PublicArrays, node: int) -> bool:
        """Make the children of *node*; return False where Python has to do it."""
        ...


class GrowsInPython(NamedTuple):
    """The grower of trees that Python alone enlarges."""

    # numba cannot pass a tuple without fields to a method.
    no_field: int = 0

    def make_children(self, tree: PublicArrays, node: int) -> bool:
        return False


@dataclass(slots=True)
class _Child:
    """A node in the making: its histories by the words of their state, and its rows by key."""

    actor: int
    histories: dict[bytes, int] = field(default_factory=dict)
    states: list[State] = field(default_factory=list)
    chances: list[float] = field(default_factory=list)
    rows: tuple[dict[int, _Row], dict[int, _Row]] = field(default_factory=lambda: ({}, {}))
    history_rows: list[tuple[int, int]] = field(default_factory=list)


class _Row(NamedTuple):
    number: int
    parent: int
    parent_slot: int
    num_actions: int


class PublicTree:
    """The public tree of *game* for two, made on demand; searches of one game share it.

    With *start* that of the rest of the game from this state on, which both seats know. Payoffs are
    divided by the greatest one where searches compare them with probabilities; it is found by
    enumeration unless *greatest_payoff* gives it. Raises UsageError for other numbers of
    seats, and when the tree would take more than *memory_bytes*.
    """

    def __init__(
        self,
        game: Game,
        memory_bytes: int = DEFAULT_MEMORY_BYTES,
        greatest_payoff: float | None = None,
        start: State | None = None,
    ) -> None:
        if game.num_seats() != 2:
            raise UsageError(
                f"public trees are for 2 seats, not {game.num_seats()}", "choose a game for two"
            )
        if greatest_payoff is not None and not greatest_payoff > 0:
            raise UsageError(f"greatest payoff {greatest_payoff}", "give a number above 0")
        self.game, self.memory_bytes = game, memory_bytes
        self._start = new_state(game) if start is None else start.copy()
        self.greatest_payoff = greatest_payoff or _greatest_payoff(game, self._start)
        self.sizes: Ints = np.zeros(NUM_SIZES, np.int64)
        """int64 [NODES .. MOVES], how much of the arrays is in use."""
        self.most_histories = 0
        """The most histories of a public state, of those made so far; 1 where nothing is hidden."""
        self.arrays = PublicArrays(*(np.zeros(FIRST_ROOM, kind) for kind in _RECORDS))
        self.states: Ints = np.zeros((FIRST_ROOM, game.state_length()), np.int64)
        """int64 [history, word], the states of the game."""
        first = Successors(self._start[None], np.zeros((1, 2), np.int64), np.ones(1))
        children, _ = self._grouped(self._closed(first), NONE)
        if len(children) != 1:
            raise UsageError(f"{game} begins in several public states", "let chance move first")
        self._append(children, NONE, [])

    @property
    def num_nodes(self) -> int:
        """The public states made so far."""
        return int(self.sizes[NODES])

    @property
    def num_rows(self) -> int:
        """The information sets made so far."""
        return int(self.sizes[ROWS])

    @property
    def num_slots(self) -> int:
        """The actions of information sets made so far."""
        return int(self.sizes[SLOTS])

    @property
    def num_histories(self) -> int:
        """The histories made so far."""
        return int(self.sizes[HISTORIES])

    @property
    def num_moves(self) -> int:
        """The moves between histories made so far."""
        return int(self.sizes[MOVES])

    @property
    def slot_room(self) -> int:
        """The number of slots that arrays by slot should have room for."""
        return _room(self.num_slots)

    def grower(self) -> TreeGrower:
        """Return what enlarges this tree within kernels."""
        return GrowsInPython()

    def grow(self, node: int) -> None:
        """Make the children of *node*, unless they exist or the game is over there."""
        record = self.arrays.nodes[node]
        if record["is_grown"]:
            return
        first, end = int(record["first_history"]), int(record["end_history"])
        after = self._closed(successors(self.game, self.states[first:end]))
        children, moves = self._grouped(after, node)
        self._append(children, node, moves)

    def grow_all(self) -> None:
        """Make the whole tree."""
        node = 0
        while node < self.num_nodes:
            self.grow(node)
            node += 1

    def path_to(self, node: int) -> list[int]:
        """Return the nodes from the root to *node*."""
        path = [node]
        while path[-1] != ROOT:
            path.append(int(self.arrays.nodes["parent"][path[-1]]))
        return path[::-1]

    def children(self, node: int) -> range:
        """Return the children of *node*, which are made if need be."""
        self.grow(node)
        record = self.arrays.nodes[node]
        return range(record["first_child"], record["first_child"] + record["num_children"])

    def node_after(self, actions: list[int]) -> int:
        """Return the node that *actions* from the start lead to, those of chance included.

        Raises UsageError in the middle of moves of chance that are merged into one.
        """
        node, is_there = ROOT, False
        for state in states_after(self.game, actions, self._start):
            own = state.tobytes()
            if not (is_there := own in self._words_of(node)):
                # In the middle of private moves of chance a state is in no node.
                found = [child for child in self.children(node) if own in self._words_of(child)]
                if found:
                    node, is_there = found[0], True
        if not is_there:
            raise UsageError("the actions end in the middle of moves of chance", "add those left")
        return node

    def row_of(self, node: int, seat: int, key: int) -> int:
        """Return the row of *seat* with *key* in *node*. Raises UsageError if it has none."""
        rows = self.rows_of(node, seat)
        places = np.flatnonzero(self.arrays.rows["key"][rows] == key)
        if len(places) != 1:
            raise UsageError(
                f"public state {node} has no information set {key} of seat {seat}",
                "take the key from a state of it",
            )
        return int(rows.start + places[0])

    def rows_of(self, node: int, seat: int) -> slice:
        """Return the rows of *seat* in *node*."""
        record = self.arrays.nodes[node]
        middle = int(record["middle_row"])
        if seat == 0:
            return slice(int(record["first_row"]), middle)
        return slice(middle, int(record["end_row"]))

    def is_choice(self, node: int) -> bool:
        """Return whether a seat moves in *node* that has more than one action in some row."""
        actor = int(self.arrays.nodes["actor"][node])
        return actor >= 0 and bool((self.arrays.rows["count"][self.rows_of(node, actor)] > 1).any())

    def _words_of(self, node: int) -> set[bytes]:
        record = self.arrays.nodes[node]
        return {
            state.tobytes()
            for state in self.states[record["first_history"] : record["end_history"]]
        }

    def _closed(self, after: Successors) -> Successors:
        """Return *after* with every move of chance that the public does not see carried out."""
        while True:
            private = self._is_private_chance(after.states)
            if not private.any():
                return after
            dealt = successors(self.game, after.states[private])
            sources = dealt.origins[:, 0]
            kept = after.origins[private][sources]
            after = Successors(
                np.concatenate([after.states[~private], dealt.states]),
                np.concatenate([after.origins[~private], kept]),
                np.concatenate(
                    [
                        after.probabilities[~private],
                        dealt.probabilities * after.probabilities[private][sources],
                    ]
                ),
            )

    def _is_private_chance(self, states: Ints) -> Flags:
        """Return by state whether chance moves there, and no outcome shows in the public key."""
        result = np.zeros(len(states), np.bool_)
        for number, state in enumerate(states):
            if self.game.actor(state) == CHANCE:
                keys = successors(self.game, state[None]).states[:, 2]
                result[number] = bool((keys == state[2]).all())
        return result

    def _grouped(self, after: Successors, node: int) -> tuple[list[_Child], list[_Move]]:
        """Return the children of *node*, by public key, and the moves that lead to them."""
        children: dict[int, _Child] = {}
        moves: list[_Move] = []
        order: dict[int, int] = {}
        first = 0 if node == NONE else int(self.arrays.nodes["first_history"][node])
        for state, origin, probability in zip(
            after.states, after.origins.tolist(), after.probabilities.tolist(), strict=True
        ):
            if probability == 0:
                continue
            key, actor = int(state[2]), int(self.game.actor(state))
            child = children.get(key)
            if child is None:
                order[key] = len(children)
                child = children[key] = _Child(actor)
            if actor != child.actor:
                raise UsageError(
                    f"{self.game} has a public state in which histories differ in who is to move:"
                    f" {_actor_text(child.actor)} or {_actor_text(actor)}",
                    "its rules must show everybody that the move is another's",
                )
            words = state.tobytes()
            place = child.histories.setdefault(words, len(child.histories))
            before = 1.0 if node == NONE else self.arrays.histories["chance"][first + origin[0]]
            if place == len(child.states):
                child.states.append(state)
                child.chances.append(0.0)
                child.history_rows.append(self._rows_of_history(child, state, node, origin))
            child.chances[place] += before * probability
            moves.append(_Move(origin[0], origin[1], order[key], place, probability))
        return list(children.values()), sorted(moves)

    def _rows_of_history(
        self, child: _Child, state: State, node: int, origin: list[int]
    ) -> tuple[int, int]:
        """Return the rows of both seats for *state*, numbered in *child*."""
        rows, (source, action) = self.arrays.rows, origin
        numbers = []
        for seat in range(2):
            parent = parent_slot = NONE
            if node != NONE:
                record = self.arrays.nodes[node]
                history = self.arrays.histories[record["first_history"] + source]
                parent = int(history["row1" if seat else "row0"])
                if record["actor"] == seat:
                    parent_slot = int(rows["first_slot"][parent]) + action
            count = self.game.num_actions(state) if child.actor == seat else 0
            own = child.rows[seat]
            row = _Row(len(own), parent, parent_slot, int(count))
            found = own.setdefault(int(state[seat]), row)
            assert found[1:] == row[1:], (
                "a seat's key does not determine its own earlier actions: no perfect recall"
            )
            numbers.append(found.number)
        return numbers[0], numbers[1]

    def _append(self, children: list[_Child], node: int, moves: list[_Move]) -> None:
        """Add *children* of *node*, and the *moves* to them."""
        self._make_room(children, len(moves))
        arrays, firsts = self.arrays, []
        if node != NONE:
            record = arrays.nodes[node]
            record["first_child"], record["num_children"] = self.num_nodes, len(children)
            record["is_grown"] = 1
        first_child = self.num_nodes
        for child in children:
            firsts.append(self.num_histories)
            self._append_node(child, node)
        if node == NONE:
            return
        begin = int(arrays.nodes["first_history"][node])
        sources = [move.source for move in moves]
        for history in range(begin, int(arrays.nodes["end_history"][node])):
            own = arrays.histories[history]
            own["first_move"] = self.num_moves + int(np.searchsorted(sources, history - begin))
            own["end_move"] = self.num_moves + int(
                np.searchsorted(sources, history - begin, side="right")
            )
        for number, move in enumerate(moves, self.num_moves):
            arrays.moves[number] = (
                move.probability,
                move.action,
                first_child + move.child,
                firsts[move.child] + move.history,
                0,
            )
        self.sizes[MOVES] += len(moves)

    def _append_node(self, child: _Child, parent: int) -> None:
        arrays, first_row = self.arrays, self.num_rows
        middle = first_row + len(child.rows[0])
        node, first_slot = self.num_nodes, self.num_slots
        for begin, own in zip((first_row, middle), child.rows, strict=True):
            for key, row in own.items():
                arrays.rows[begin + row.number] = (
                    key,
                    row.parent,
                    row.parent_slot,
                    self.num_slots,
                    row.num_actions,
                )
                self.sizes[SLOTS] += row.num_actions
        first_history = self.num_histories
        self.most_histories = max(self.most_histories, len(child.states))
        for state, chance, (row0, row1) in zip(
            child.states, child.chances, child.history_rows, strict=True
        ):
            payoff = self.game.payoff(state, 0) if child.actor == OVER else 0.0
            arrays.histories[self.num_histories] = (
                chance,
                payoff,
                first_row + row0,
                middle + row1,
                0,
                0,
            )
            self.states[self.num_histories] = state
            self.sizes[HISTORIES] += 1
        self.sizes[ROWS] = middle + len(child.rows[1])
        arrays.nodes[node] = (
            child.actor,
            parent,
            NONE,
            0,
            first_row,
            middle,
            self.num_rows,
            first_history,
            self.num_histories,
            first_slot,
            self.num_slots,
            child.actor == OVER,
        )
        self.sizes[NODES] += 1

    def _make_room(self, children: list[_Child], num_moves: int) -> None:
        """Enlarge arrays for *children*; each doubles, so that growth is linear in the end."""
        num_histories = self.num_histories + sum(len(child.states) for child in children)
        needed = (
            self.num_nodes + len(children),
            self.num_rows + sum(len(own) for child in children for own in child.rows),
            num_histories,
            self.num_moves + num_moves,
        )
        grown = [
            max(len(array), _room(count)) for array, count in zip(self.arrays, needed, strict=True)
        ]
        state_bytes = self.states.shape[1] * self.states.itemsize
        size = sum(count * kind.itemsize for count, kind in zip(grown, _RECORDS, strict=True))
        size += grown[2] * state_bytes
        if size > self.memory_bytes:
            raise UsageError(
                f"the public tree of {self.game} would take {size_text(size)} with"
                f" {needed[0]:,} public states, and {size_text(self.memory_bytes)} are allowed",
                "allow more memory, search with fewer simulations, or choose a smaller game",
            )
        self.arrays = PublicArrays(
            *(enlarged(array, count) for array, count in zip(self.arrays, grown, strict=True))
        )
        self.states = enlarged(self.states, grown[2])


_RECORDS = (NODE, ROW, HISTORY, MOVE)


class _Move(NamedTuple):
    source: int
    action: int
    child: int
    history: int
    probability: float


class Successors(NamedTuple):
    """States after one move: [state, word], with [source, action] and the probability of chance."""

    states: Ints
    origins: Ints
    probabilities: Floats


def successors(game: Game, states: Ints) -> Successors:
    """Return the states after every action of each of *states*."""
    states = np.ascontiguousarray(states)
    count = write_successors(
        game, states, np.zeros((0, states.shape[1]), np.int64), np.zeros((0, 2), np.int64), _EMPTY
    )
    after = Successors(
        np.zeros((count, states.shape[1]), np.int64),
        np.zeros((count, 2), np.int64),
        np.ones(count),
    )
    write_successors(game, states, *after)
    return after


_EMPTY = np.zeros(0)


@kernel
def write_successors(
    game: Game, states: Ints, after: Ints, origins: Ints, probabilities: Floats
) -> int:
    """Write the state after each action of each of *states*, and return how many there are."""
    # Called twice, to count and to write. States are copied, because rules have no way back.
    count = 0
    for source in range(len(states)):
        actor = game.actor(states[source])
        if actor == OVER:
            continue
        for action in range(game.num_actions(states[source])):
            if count < len(after):
                after[count] = states[source]
                origins[count, 0], origins[count, 1] = source, action
                probabilities[count] = 1.0
                if actor == CHANCE:
                    probabilities[count] = game.chance(states[source], action)
                game.apply(after[count], action)
            count += 1
    return count


def enlarged(array: AnyArray, count: int) -> AnyArray:
    """Return *array* with room for *count*, or itself where there is as much."""
    if count <= len(array):
        return array
    result = np.zeros((count, *array.shape[1:]), array.dtype)
    result[: len(array)] = array
    return result


def _room(count: int) -> int:
    """Return the length of an array for *count*: a power of two, so that it seldom grows."""
    return FIRST_ROOM << ((count - 1) // FIRST_ROOM).bit_length() if count > 0 else FIRST_ROOM


def _greatest_payoff(game: Game, start: State) -> float:
    """Return the greatest payoff of *game* from *start* on, by enumeration."""
    try:
        payoffs = all_histories(game, start, MAX_ENDS).end_payoffs
    except UsageError as error:
        raise UsageError(error.problem, "give the greatest payoff of so large a game") from error
    return float(np.abs(payoffs).max()) or 1.0


def _actor_text(actor: int) -> str:
    return {CHANCE: "chance", OVER: "nobody (the game is over)"}.get(actor, f"seat {actor}")
