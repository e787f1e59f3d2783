"""Games with ranges for tests: spots that solvers are compared on, small decks, and games as
their sequences.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from acpcbot.cards.deck import parse_cards
from acpcbot.games.sequence_form import SequenceForm
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition, parse_definition
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.trees.bet_menu import ALL_IN, BetMenu, same_menu
from acpcbot.trees.betting_tree import (
    ACTION_CHILD,
    END_FOLDED,
    END_SPENT,
    NODE_FIRST_ACTION,
    NODE_NUM_ACTIONS,
    NODE_SEAT,
    NODE_STREET,
)

Key = tuple[int, int, int]
Slot = tuple[Key, int]

TEMPLATE = """GAMEDEF
nolimit
numPlayers = 2
numRounds = {streets}
stack = {stack} {stack}
blind = {blind} {blind}
numSuits = {suits}
numRanks = {ranks}
numHoleCards = {hole_cards}
numBoardCards = {board}
END GAMEDEF
"""


def even_game(
    board: str, stack: int, blind: int, *, suits: int = 4, ranks: int = 13, hole_cards: int = 2
) -> GameDefinition:
    """A no-limit game in which both put in the same before they act, and seat 1 acts first on
    all streets.
    """
    streets = len(board.split())
    return parse_definition(
        TEMPLATE.format(
            streets=streets,
            stack=stack,
            blind=blind,
            suits=suits,
            ranks=ranks,
            hole_cards=hole_cards,
            board=board,
        )
    )


HOLDEM = even_game("0 3 1 1", 450, 50)
TURN_MENU = same_menu([0.75, ALL_IN], [ALL_IN])


def river_spot() -> RangeGame:
    """Ks Td 9h 4s 2c, a pot of 100 and stacks of 400, all hands alike."""
    return spot("cc/cc/cc/", "KsTd9h4s2c", same_menu([0.5, 1.0, ALL_IN], [1.0, ALL_IN]))


def turn_spot() -> RangeGame:
    """The same one card earlier."""
    return spot("cc/cc/", "KsTd9h4s", TURN_MENU)


def spot(betting: str, board: str, menu: BetMenu) -> RangeGame:
    return make_range_game(BettingRules(HOLDEM).parse(betting), parse_cards(board), menu)


def range_sequence_form(game: RangeGame) -> SequenceForm:
    """The game as its sequences, every pair of hands and every board gone through.

    Payoffs in chips. Keys of information sets are the places of (board, node, hand) in an array
    of as many boards, nodes and hands of the root as there are.
    """
    walk = _Walk(game)
    boards = game.boards.arrays
    hands = range(len(boards.hands[game.boards.rows(0)]))
    for first in hands:
        for second in hands:
            if not set(boards.cards[first].tolist()) & set(boards.cards[second].tolist()):
                weight = float(game.ranges[0, first] * game.ranges[1, second]) / game.num_pairs
                walk.go(0, 0, (first, second), (-1, -2), weight)
    slots = [(key, choice) for key in walk.infosets for choice in range(walk.counts[key[1]])]
    number: dict[Slot | int, int] = {
        -1: 0,
        -2: 1,
        **{slot: place for place, slot in enumerate(slots, 2)},
    }
    return SequenceForm(
        infoset_keys=np.ravel_multi_index(
            np.array(list(walk.infosets)).T,
            (len(game.boards.boards), len(game.tree.nodes), len(hands)),
        ),
        infoset_seats=np.array(
            [int(game.tree.nodes[node, NODE_SEAT]) for _, node, _ in walk.infosets]
        ),
        first_slots=np.cumsum([2, *[walk.counts[node] for _, node, _ in walk.infosets]]),
        parent_slots=np.array([number[last] for last in walk.infosets.values()]),
        end_chances=np.array([weight for weight, _, _ in walk.ends]),
        end_payoffs=np.array([[payoff, -payoff] for _, payoff, _ in walk.ends]),
        end_slots=np.array([[number[slot] for slot in last] for _, _, last in walk.ends]),
    )


@dataclass(slots=True)
class _Walk:
    """Through the betting, with a hand for each seat and a board."""

    game: RangeGame
    infosets: dict[Key, Slot | int] = field(default_factory=dict)
    """(board, node, hand) with the last slot before it."""
    counts: dict[int, int] = field(default_factory=dict)
    ends: list[tuple[float, float, tuple[Slot | int, ...]]] = field(default_factory=list)

    def go(
        self,
        child: int,
        board: int,
        hands: tuple[int, int],
        last: tuple[Slot | int, ...],
        weight: float,
    ) -> None:
        boards, tree = self.game.boards, self.game.tree
        is_showdown = child < 0 and tree.ends[~child, END_FOLDED] < 0
        wanted = (
            self.game.definition.num_streets - 1
            if is_showdown
            else tree.nodes[max(child, 0), NODE_STREET]
        )
        if (child >= 0 or is_showdown) and boards.street_of(board) < wanted:
            self._deal(child, board, hands, last, weight)
            return
        if child < 0:
            self.ends.append((weight, self._payoff(~child, board, hands), last))
            return
        seat, count = int(tree.nodes[child, NODE_SEAT]), int(tree.nodes[child, NODE_NUM_ACTIONS])
        key = (board, child, hands[seat])
        self.infosets.setdefault(key, last[seat])
        self.counts[child] = count
        for choice in range(count):
            after = tuple([(key, choice) if other == seat else last[other] for other in range(2)])
            self.go(
                int(tree.actions[tree.nodes[child, NODE_FIRST_ACTION] + choice, ACTION_CHILD]),
                board,
                hands,
                after,
                weight,
            )

    def _deal(
        self,
        child: int,
        board: int,
        hands: tuple[int, int],
        last: tuple[Slot | int, ...],
        weight: float,
    ) -> None:
        arrays = self.game.boards.arrays
        for below in range(arrays.first_child[board], arrays.first_child[board + 1]):
            rows = arrays.parents[self.game.boards.rows(below)].tolist()
            if hands[0] in rows and hands[1] in rows:
                held = rows.index(hands[0]), rows.index(hands[1])
                self.go(child, below, held, last, weight * float(arrays.weights[below]))

    def _payoff(self, end: int, board: int, hands: tuple[int, int]) -> float:
        record = self.game.tree.ends[end]
        if record[END_FOLDED] >= 0:
            return float(record[END_SPENT + record[END_FOLDED]]) * (
                1 if record[END_FOLDED] == 1 else -1
            )
        first, second = (
            self.game.boards.arrays.ranks[self.game.boards.rows(board)][hand] for hand in hands
        )
        return float(min(record[END_SPENT], record[END_SPENT + 1])) * float(
            np.sign(int(first) - int(second))
        )
