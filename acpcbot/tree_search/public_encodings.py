"""Public states as queries of a network: features, the layout of rows, columns of actions.

A ``PublicEncoding`` belongs to one game. It says what a network for this game takes and gives (its
``interface``), and encodes states one by one. ``TreeEncoder`` tabulates it over a public tree, so
that kernels and training see arrays and no rules.

Rows of a public state are numbered as its histories were met; a network needs the same order
everywhere, such as that of the private cards. The *place* of a row is its index among the inputs,
where beliefs stand, and among the outputs, where values stand: rows of seat 0 come first. A place
without a row has belief 0. Rows that differ only in what is past may share a place, as paths to one
station do: their beliefs are added, and they get one value and one policy.

Values of a network are in units of the state's *scale*, so that large and small pots look alike.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple, Protocol

import numpy as np

from acpcbot.arrays import AnyArray, Floats, Floats32, Ints
from acpcbot.errors import UsageError
from acpcbot.games.game import CHANCE, OVER, Game, State
from acpcbot.games.generic_poker import BOARD, CARD, NUM_BETS, NUM_DEALT, SPENT, GenericPoker
from acpcbot.jit import kernel
from acpcbot.networks.shape import Feature, NetworkInterface
from acpcbot.tree_search.public_tree import NUM_SEATS, PublicArrays, PublicTree


class PublicEncoding(Protocol):
    """The public states of *game* as a network sees them."""

    @property
    def game(self) -> Game:
        """The game."""
        ...

    @property
    def interface(self) -> NetworkInterface:
        """The inputs and outputs of a network for it."""
        ...

    def features(self, state: State) -> Floats32:
        """Return the features [feature] of the public state that *state* is in."""
        ...

    def place(self, state: State, seat: int) -> int:
        """Return the place of the row of *seat* among the rows of that seat."""
        ...

    def column(self, state: State, action: int) -> int:
        """Return the policy's column of *action* of the seat to move."""
        ...

    def scale(self, state: State) -> float:
        """Return the unit of the network's values, above 0 and the same in a public state."""
        ...


class GenericPokerEncoding:
    """Generic poker, such as Leduc hold'em, by private rank, board, betting and chips.

    Features are the board one-hot (none, then ranks), the betting of the street one-hot (seat to
    move and bets so far, or chance), and the chips of both seats over the most that a seat can put
    in. With one size of bets that says all of the public state that matters from here on. Values
    are in units of the chips of the seat that has put in more.
    """

    def __init__(self, game: GenericPoker) -> None:
        self.game = game
        self._num_bets = game.max_raises + 2
        self._most_chips = 1 + 3 * 2 * game.num_sizes * (game.max_raises + 1)
        bets = tuple(f"bet of size {size}" for size in range(1, game.num_sizes + 1))
        self.interface = NetworkInterface(
            game=repr(game),
            game_fingerprint=game_fingerprint(game),
            rows="private rank, from the lowest",
            num_rows=(game.num_ranks, game.num_ranks),
            features=(
                Feature("board: none or its rank", 1 + game.num_ranks),
                Feature("betting: seat to move by bets of the street, or chance", self._num_codes),
                Feature("chips of both seats over the most", NUM_SEATS),
            ),
            actions=("fold", "check or call", *bets),
        )

    @property
    def _num_codes(self) -> int:
        return NUM_SEATS * self._num_bets + 1

    def features(self, state: State) -> Floats32:
        """Return the features of the public state of *state*."""
        board, betting = np.zeros(1 + self.game.num_ranks), np.zeros(self._num_codes)
        is_dealt = state[NUM_DEALT] > NUM_SEATS
        board[1 + int(state[BOARD]) if is_dealt else 0] = 1
        seat = self.game.actor(state)
        betting[-1 if seat == CHANCE else seat * self._num_bets + int(state[NUM_BETS])] = 1
        chips = state[SPENT : SPENT + NUM_SEATS] / self._most_chips
        return np.concatenate([board, betting, chips]).astype(np.float32)

    def place(self, state: State, seat: int) -> int:
        """Return the rank that *seat* holds."""
        return int(state[CARD + seat])

    def column(self, state: State, action: int) -> int:
        """Return 0 for a fold, 1 for a check or call, then the sizes."""
        return action if state[SPENT] != state[SPENT + 1] else action + 1

    def scale(self, state: State) -> float:
        """Return the chips of the seat that has put in more."""
        return float(max(state[SPENT], state[SPENT + 1]))


def game_fingerprint(game: Game) -> str:
    """Return a digest of *game*: its name and parameters, and the sizes of its rules."""
    sizes = game.state_length(), game.max_moves(), game.max_actions()
    return hashlib.sha256(f"{game!r} {sizes}".encode()).hexdigest()[:16]


class EncodedTree(NamedTuple):
    """A public tree as queries, with room behind what is in use.

    ``features``  float32 [node, feature]; 0 at ends
    ``scales``    float64 [node], the unit of values
    ``places``    int64 [row], among the inputs and among the outputs
    ``columns``   int64 [slot], the column of the policy
    """

    features: Floats32
    scales: Floats
    places: Ints
    columns: Ints


class TreeEncoder:
    """The encoding of a public tree, continued as it grows.

    It follows one tree at a time. Raises UsageError for a tree of another game.
    """

    def __init__(self, encoding: PublicEncoding) -> None:
        self.encoding = encoding
        self._tree: PublicTree | None = None
        self._num_nodes = 0
        self._encoded = _room(encoding, 0, 0, 0)

    def encoded(self, tree: PublicTree) -> EncodedTree:
        """Return the encoding of *tree* as it is now; arrays are the same until they are full."""
        if tree is not self._tree:
            self._begin(tree)
        if tree.num_nodes > self._num_nodes:
            self._make_room(tree)
            for node in range(self._num_nodes, tree.num_nodes):
                self._encode(tree, node)
            self._num_nodes = tree.num_nodes
        return self._encoded

    def _begin(self, tree: PublicTree) -> None:
        expected, found = repr(self.encoding.game), repr(tree.game)
        if expected != found:
            raise UsageError(
                f"the encoding of a network: expected the game {expected}, found {found}",
                "name a network that was trained for this game",
            )
        self._tree, self._num_nodes = tree, 0

    def _make_room(self, tree: PublicTree) -> None:
        lengths = len(tree.arrays.nodes), len(tree.arrays.rows), tree.slot_room
        room = _room(self.encoding, *lengths)
        if [len(new) for new in room] == [len(old) for old in self._encoded]:
            return
        if self._num_nodes:
            copies: list[tuple[AnyArray, AnyArray]] = list(zip(room, self._encoded, strict=True))
            for new, old in copies:
                new[: len(old)] = old
        self._encoded = room

    def _encode(self, tree: PublicTree, node: int) -> None:
        record, encoding, encoded = tree.arrays.nodes[node], self.encoding, self._encoded
        if record["actor"] == OVER:
            return
        first, end = int(record["first_history"]), int(record["end_history"])
        states = tree.states[first:end]
        encoded.features[node] = encoding.features(states[0])
        encoded.scales[node] = encoding.scale(states[0])
        histories, state_of_row = tree.arrays.histories[first:end], dict[int, State]()
        for state, history in zip(states, histories, strict=True):
            state_of_row[int(history["row0"])] = state_of_row[int(history["row1"])] = state
            encoded.places[history["row0"]] = encoding.place(state, 0)
            encoded.places[history["row1"]] = encoding.interface.num_rows[0] + encoding.place(
                state, 1
            )
        for row in range(int(record["first_row"]), int(record["end_row"])):
            first_slot, count = tree.arrays.rows[row][["first_slot", "count"]].tolist()
            for action in range(count):
                column = encoding.column(state_of_row[row], action)
                encoded.columns[first_slot + action] = column


def _room(encoding: PublicEncoding, num_nodes: int, num_rows: int, num_slots: int) -> EncodedTree:
    num_features = sum(feature.size for feature in encoding.interface.features)
    return EncodedTree(
        np.zeros((num_nodes, num_features), np.float32),
        np.zeros(num_nodes),
        np.zeros(num_rows, np.int64),
        np.zeros(num_slots, np.int64),
    )


@kernel
def fill_query(
    tree: PublicArrays,
    encoded: EncodedTree,
    node: int,
    reach: Floats,
    num_values: int,
    inputs: Floats32,
) -> None:
    """Fill *inputs* [input] with the beliefs at *node* under *reach* [row], and its features."""
    # Beliefs go through a place for each row, so that a network sees cards in their own order; the
    # few places without a row keep 0, and rows that share a place are added up.
    record, places = tree.nodes[node], encoded.places
    for place in range(num_values):
        inputs[place] = 0.0
    for seat in range(2):
        first = record["middle_row"] if seat else record["first_row"]
        end = record["end_row"] if seat else record["middle_row"]
        total = 0.0
        for row in range(first, end):
            total += reach[row]
        for row in range(first, end):
            inputs[places[row]] += reach[row] / total if total > 0 else 1.0 / (end - first)
    for feature in range(encoded.features.shape[1]):
        inputs[num_values + feature] = encoded.features[node, feature]


@kernel
def write_masses(tree: PublicArrays, node: int, reach: Floats, masses: Floats) -> None:
    """Write *masses* [row] of the rows of *node*: chance times the other seat's *reach* [row]."""
    record = tree.nodes[node]
    for row in range(record["first_row"], record["end_row"]):
        masses[row] = 0.0
    for history in range(record["first_history"], record["end_history"]):
        own = tree.histories[history]
        masses[own["row0"]] += own["chance"] * reach[own["row1"]]
        masses[own["row1"]] += own["chance"] * reach[own["row0"]]
