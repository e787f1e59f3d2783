"""Read-out of a solved game, decision by decision: strategies, ranges and values of hands.

``read_solution`` gives the game's values and the decisions of one street; ``place_after`` finds a
decision by the words that lead there from the game's root, board cards among them: ``check``,
``bet 75``, ``call``, ``2c``, ``check``. Actions are in a player's words, with the chips of the
street: ``bet 75``, ``raise to 225``, ``all-in``. ``class_rows`` sums a decision up by classes of
hands, weighted by how often each hand is held.

Boards that a change of suits turns into one another are solved once; here every board and every
hand has its own cards again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats
from acpcbot.cards.deck import format_cards, mask_of, parse_cards
from acpcbot.errors import BadCards, UsageError
from acpcbot.poker import rules
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hand_classes import class_name, class_numbers
from acpcbot.poker.hands import all_hands, hand_numbers
from acpcbot.subgames.block_rows import NUM_SEATS
from acpcbot.subgames.game import RangeGame
from acpcbot.subgames.solver import Progress, RangeCFR
from acpcbot.subgames.terminal_values import fold_values
from acpcbot.trees.betting_tree import NODE_BLOCK_END, NODE_SLOT, NODE_STREET
from acpcbot.trees.board_tree import kept_changes, suit_changes


def action_word(betting: BettingState, action: Action) -> str:
    """Return a legal *action* in the state *betting*, in words.

    >>> from acpcbot.poker.betting import BettingRules
    >>> from acpcbot.poker.shipped import shipped_definition
    >>> from acpcbot.poker.actions import CALLING, raising
    >>> flop = BettingRules(shipped_definition("holdem.nolimit.2p.reverse_blinds")).parse("r300c/")
    >>> [action_word(flop, action) for action in (CALLING, raising(500), raising(20000))]
    ['check', 'bet 200', 'all-in']
    """
    if action.kind == rules.FOLD:
        return "fold"
    if action.kind == rules.CALL:
        return "call" if betting.to_call else "check"
    spent = betting.apply(action).spent[betting.actor]
    if spent == betting.game.definition.stacks[betting.actor]:
        return "all-in"
    before = _street_start_chips(betting)
    return f"bet {spent - before}" if betting.max_spent == before else f"raise to {spent - before}"


def _street_start_chips(betting: BettingState) -> int:
    """Return what each player had put in when the street began.

    Antes that are alike count as put in before.
    """
    blinds = betting.game.definition.blinds
    chips = blinds[0] if len(set(blinds)) == 1 else 0
    for before, action in betting.decisions():
        after = before.apply(action)
        if after.street > before.street:
            chips = after.max_spent
    return chips


@dataclass(frozen=True, slots=True)
class Place:
    """A decision: its *node* of the betting tree, its state, its board, and the words up to it."""

    node: int
    betting: BettingState
    board: tuple[int, ...]
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """The solution at one decision.

    ``choices``        the actor's actions, in words
    ``hands``          int64 [hand], as in ``poker/hands.py``, falling
    ``weights``        float64 [seat, hand]: the probability that a seat holds the hand here, given
                       that play got here
    ``probabilities``  float64 [hand, action]
    ``ev_chips``       float64 [seat, hand]: the value of a hand from here on, so that folding is 0;
                       NaN where no hand of the opponent is compatible with it
    ``reaches``        float64 [seat, hand]: the probability that a seat holds the hand and takes
                       its own actions up to here, whatever the other holds; not normalised
    ``action_ev_chips``  float64 [hand, action]: the value of each of the actor's actions with each
                       hand, on the scale of ``ev_chips``; NaN where that is
    """

    place: Place
    choices: tuple[str, ...]
    hands: NDArray[np.int64]
    weights: Floats
    probabilities: Floats
    ev_chips: Floats
    reaches: Floats
    action_ev_chips: Floats

    @property
    def seat(self) -> int:
        """The seat that acts."""
        return self.place.betting.actor

    @property
    def frequencies(self) -> Floats:
        """The probability of each action over all hands, [action]."""
        total: Floats = self.weights[self.seat] @ self.probabilities
        return total


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """A solved game: its progress, each seat's mean value in chips, and decisions of one street.

    Decisions are in order, parents first. The *path* are those before the first of them, from the
    game's root on.
    """

    game: RangeGame
    progress: Progress
    values_chips: tuple[float, ...]
    decisions: tuple[Decision, ...]
    path: tuple[Decision, ...] = ()

    @property
    def pot_chips(self) -> int:
        """The pot at the root, in chips."""
        return self.game.tree.root.pot

    @property
    def exploitability_percent(self) -> float:
        """Exploitability in per cent of the pot."""
        return 100 * self.progress.exploitability / self.pot_chips


def read_solution(solver: RangeCFR, progress: Progress, place: Place) -> Solution:
    """Return the game's values, and the decisions at *place* and further on its street."""
    game = solver.game
    _, values = solver.block_values(0, 0)
    root_values = [
        float(game.ranges[seat] @ values[seat, 0]) / game.num_pairs for seat in range(NUM_SEATS)
    ]
    decisions = tuple(street_decisions(solver, place))
    path = tuple(path_decisions(solver, place))
    return Solution(game, progress, tuple(root_values), decisions, path)


def root_place(game: RangeGame) -> Place:
    """Return the first decision of the game."""
    return Place(0, game.tree.root, game.boards.boards[0])


def place_after(game: RangeGame, words: Sequence[str]) -> Place:
    """Return the decision to which *words* lead.

    Raises UsageError where one does not fit, with those that do.
    """
    *_, place = _places(game, words)
    if _num_lacking(place):
        raise UsageError(
            f"after {', '.join(words)} the board goes on",
            f"name the next cards of the board: {_num_lacking(place)}",
        )
    return place


def _places(game: RangeGame, words: Sequence[str]) -> Iterator[Place]:
    """Yield the root of *game* and the place after each of *words*; some may lack board cards."""
    place = root_place(game)
    yield place
    for word in words:
        place = (
            _with_cards(game, place, word)
            if _num_lacking(place)
            else _with_action(game, place, word)
        )
        yield place


def _num_lacking(place: Place) -> int:
    """Return how many board cards have to fall before the next decision."""
    return place.betting.game.definition.board_size(place.betting.street) - len(place.board)


def _with_action(game: RangeGame, place: Place, word: str) -> Place:
    found = dict(_children(game, place))
    if word not in found:
        where = f"after {', '.join(place.words)}" if place.words else "at the start"
        raise UsageError(f"unknown action {word!r} {where}", f"expected one of: {', '.join(found)}")
    following = found[word]
    if following is None:
        raise UsageError(
            f"no decision after {', '.join((*place.words, word))}: the hand is over",
            "leave out the last words",
        )
    return following


def _with_cards(game: RangeGame, place: Place, word: str) -> Place:
    try:
        cards = parse_cards(word)
    except BadCards:
        cards = ()
    wanted, free = _num_lacking(place), set(game.definition.deck) - set(place.board)
    if len(cards) != wanted or not free.issuperset(cards):
        raise UsageError(
            f"after {', '.join(place.words)} the board goes on, and not with {word!r}",
            f"name the next cards of the board: {wanted}",
        )
    return Place(
        place.node, place.betting, (*place.board, *cards), (*place.words, format_cards(cards))
    )


def _children(game: RangeGame, place: Place) -> Iterator[tuple[str, Place | None]]:
    """Return the actions at *place* in words, and the places after them.

    These are None where the hand ends.
    """
    for action, child in game.tree.children(place.node).items():
        word = action_word(place.betting, action)
        following = Place(child, place.betting.apply(action), place.board, (*place.words, word))
        yield word, following if child >= 0 else None


def street_decisions(solver: RangeCFR, place: Place) -> Iterator[Decision]:
    """Return the decision at *place* and all that follow it on its street, parents first."""
    game, solved = solver.game, _solved_block(solver, place)
    waiting = [place]
    while waiting:
        current = waiting.pop(0)
        yield _decision(game, solved, current)
        waiting += [
            child
            for _, child in _children(game, current)
            if child and _same_street(game, current, child)
        ]


def path_decisions(solver: RangeCFR, place: Place) -> Iterator[Decision]:
    """Return the decisions that lead to *place*, from the game's root on."""
    game, solved = solver.game, None
    for current in _places(game, place.words[:-1]) if place.words else ():
        if _num_lacking(current):
            continue
        if solved is None or solved.first != block_of(game, current.node):
            solved = _solved_block(solver, current)
        yield _decision(game, solved, current)


def _solved_block(solver: RangeCFR, place: Place) -> _SolvedBlock:
    """Return the block of *place* on its board."""
    game = solver.game
    block = block_of(game, place.node)
    board, change = find_board(game, place.board)
    return _SolvedBlock(
        block,
        game.tree.nodes[block : game.tree.nodes[block, NODE_BLOCK_END]],
        *solver.block_action_values(board, block),
        solver.average_strategy(board),
        game.boards.arrays.cards[game.boards.rows(board)],
        *_own_hands(game, board, change),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _SolvedBlock:
    """A block on a board with its strategy, reaches and values, from node *first* on.

    *order* lists its hands as they are shown, *hands*.
    """

    first: int
    nodes: NDArray[np.int32]
    reaches: NDArray[np.float32]
    values: NDArray[np.float32]
    action_values: NDArray[np.float32]
    strategy: NDArray[np.float32]
    cards: NDArray[np.uint16]
    order: NDArray[np.int64]
    hands: NDArray[np.int64]


def _decision(game: RangeGame, solved: _SolvedBlock, place: Place) -> Decision:
    choices, node = tuple(dict(_children(game, place))), place.node - solved.first
    slot, seat = int(solved.nodes[node, NODE_SLOT]), place.betting.actor
    probabilities = solved.strategy[slot : slot + len(choices)].T.astype(np.float64)
    slot -= int(solved.nodes[0, NODE_SLOT])
    action_values = solved.action_values[slot : slot + len(choices)].T
    reaches = solved.reaches[:, node].astype(np.float64)
    compatible = np.stack(
        [_compatible_reach(reaches[1 - seat], solved.cards) for seat in range(NUM_SEATS)]
    )
    pairs = reaches * compatible
    spent = np.array(place.betting.spent)[:, None]
    is_met = compatible > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        ev_chips = np.where(is_met, solved.values[:, node] / compatible + spent, np.nan)
        action_ev_chips = np.where(
            is_met[seat, :, None],
            action_values / compatible[seat, :, None] + spent[seat],
            np.nan,
        )
        weights = np.nan_to_num(pairs / pairs.sum(axis=1, keepdims=True))
    order = solved.order
    return Decision(
        place,
        choices,
        solved.hands,
        weights[:, order],
        probabilities[order],
        ev_chips[:, order],
        reaches[:, order],
        action_ev_chips[order],
    )


def _compatible_reach(reach: Floats, cards: NDArray[np.uint16]) -> Floats:
    """Return the sums of the opponent's *reach* over the hands compatible with each, [hand]."""
    left = np.empty(len(reach))
    fold_values(reach, cards, 1.0, np.empty(52 + len(reach)), left)
    return np.where(left > 1e-12 * reach.sum(), left, 0.0)


def block_of(game: RangeGame, node: int) -> int:
    """Return the first node of the block that holds *node*."""
    firsts = np.flatnonzero(game.tree.nodes[:, NODE_BLOCK_END])
    return int(firsts[np.searchsorted(firsts, node, "right") - 1])


def leads_to_cards(game: RangeGame, place: Place) -> dict[str, bool]:
    """Return whether board cards fall after each action at *place* before the next decision.

    Actions that end the hand, or all betting, are not among them.
    """
    return {
        word: not _same_street(game, place, following)
        for word, following in _children(game, place)
        if following is not None
    }


def _same_street(game: RangeGame, place: Place, child: Place) -> bool:
    nodes = game.tree.nodes
    return bool(nodes[place.node, NODE_STREET] == nodes[child.node, NODE_STREET])


def find_board(game: RangeGame, cards: Sequence[int]) -> tuple[int, NDArray[np.uint8]]:
    """Return the board of the tree that stands for *cards*, and the change of suits between them.

    The change maps *cards* to the board's, [card].
    """
    return BoardFinder(game).find(cards)


class BoardFinder:
    """The boards of *game*, to be found by their cards in any suits that its ranges allow."""

    def __init__(self, game: RangeGame) -> None:
        self._game, self._changes = game, suit_changes(game.definition)
        self._is_kept: dict[int, bool] = {}
        self._numbers: dict[int, dict[tuple[int, ...], int]] = {}

    def find(self, cards: Sequence[int]) -> tuple[int, NDArray[np.uint8]]:
        """Return the board and the change of suits, as ``find_board``."""
        definition, boards = self._game.definition, self._game.boards
        sizes = list(map(definition.board_size, range(boards.street, definition.num_streets)))
        sizes = sizes[: sizes.index(len(cards)) + 1]

        def steps(dealt: Sequence[int]) -> tuple[int, ...]:
            return tuple([mask_of(dealt[:size]) for size in sizes])

        if len(sizes) not in self._numbers:
            level = boards.street_boards(boards.street + len(sizes) - 1)
            self._numbers[len(sizes)] = {steps(boards.boards[number]): number for number in level}
        for place, change in enumerate(self._changes):
            number = self._numbers[len(sizes)].get(steps(change[list(cards)].tolist()))
            if number is not None and self._keeps_ranges(place):
                return number, change
        raise UsageError(
            f"no board {format_cards(cards)}", "name cards of the game that follow its first ones"
        )

    def _keeps_ranges(self, place: int) -> bool:
        """Return whether the ranges allow a change; asked late, for it takes 0.1 milliseconds."""
        if place not in self._is_kept:
            definition, change = self._game.definition, self._changes[place : place + 1]
            kept = kept_changes(definition, change, _all_ranges(self._game))
            self._is_kept[place] = len(kept) > 0
        return self._is_kept[place]


def _all_ranges(game: RangeGame) -> Floats:
    """Return the ranges over all hands of ``poker/hands.py``, [seat, hand]."""
    ranges = np.zeros((NUM_SEATS, len(all_hands(game.definition))))
    ranges[:, game.boards.arrays.hands[game.boards.rows(0)]] = game.ranges
    return ranges


def _own_hands(
    game: RangeGame, board: int, change: NDArray[np.uint8]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the order of a board's hands, and their numbers before the *change* of suits.

    The numbers fall.
    """
    held = all_hands(game.definition)[game.boards.arrays.hands[game.boards.rows(board)]]
    hands = hand_numbers(game.definition, np.argsort(change)[held])
    order = np.argsort(hands)[::-1]
    return order, hands[order]


@dataclass(frozen=True, slots=True, eq=False)
class ClassRow:
    """A class of hands at a decision: its probability, action probabilities [action], and value."""

    weight: float
    probabilities: Floats
    ev_chips: float


def class_rows(decision: Decision) -> dict[str, ClassRow]:
    """Return the classes that the actor of *decision* may hold, by name, high cards first."""
    return hand_class_rows(
        decision.place.betting.game.definition,
        decision.hands,
        decision.weights[decision.seat],
        decision.probabilities,
        decision.ev_chips[decision.seat],
    )


def hand_class_rows(
    definition: GameDefinition,
    hands: NDArray[np.int64],
    weights: Floats,
    probabilities: Floats,
    ev_chips: Floats,
) -> dict[str, ClassRow]:
    """Return the classes of *hands* with weight, by name in the order of the hands.

    *weights* and *ev_chips* are [hand], *probabilities* [hand, action].
    """
    numbers = class_numbers(all_hands(definition)[hands])
    rows = {}
    for number in dict.fromkeys(numbers[weights > 0].tolist()):
        own = np.flatnonzero((numbers == number) & (weights > 0))
        total = float(weights[own].sum())
        shares = weights[own] / total
        rows[class_name(number, definition.num_hole_cards)] = ClassRow(
            total, shares @ probabilities[own], float(shares @ ev_chips[own])
        )
    return rows
