"""Public chance sampling: sums against a plain walk over all pairs of hands, and what it learns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import comb

import numpy as np
import pytest

from acpcbot.betting_lines.lane_sums import LaneSums
from acpcbot.betting_lines.lines import BettingLines, HandBuckets, betting_lines
from acpcbot.betting_lines.public_sampling import (
    WEIGHT_UNIT,
    BoardDeals,
    PublicSamplingLearner,
    PublicSamplingSettings,
)
from acpcbot.cards.any_strength import strength
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition, parse_definition
from acpcbot.poker.hands import all_hands
from acpcbot.random_kernels import seed_states
from acpcbot.strategies.range_play import tabulate_policy
from acpcbot.subgames.best_response import response_values
from acpcbot.subgames.block_ends import end_chips
from acpcbot.subgames.game import make_range_game
from acpcbot.trees.betting_tree import (
    ACTION_CHILD,
    END_FOLDED,
    NOBODY,
    NODE_FIRST_ACTION,
    NODE_NUM_ACTIONS,
    NODE_SEAT,
    NODE_SLOT,
    NODE_STREET,
    MenuGame,
)
from acpcbot.trees.infosets import infoset_layout
from tests.betting_lines.toys import FOUR, GAMES, NUM_BUCKETS, TEXT, toy_buckets, toy_lines


class PlainLearner:
    """The same by recursion over the tree, for one pair of hands after another."""

    def __init__(self, lines: BettingLines, settings: PublicSamplingSettings) -> None:
        self.lines, self.tree, self.settings = lines, lines.tree, settings
        widths = lines.tree.row_widths.tolist()
        self.regrets = [np.zeros((NUM_BUCKETS, width)) for width in widths]
        self.averages = [np.zeros((NUM_BUCKETS, width)) for width in widths]

    def walk(self, board: list[int], count: int) -> None:
        definition = self.lines.definition
        hands = [tuple(hand) for hand in all_hands(definition).tolist()]
        streets = range(definition.num_streets)
        boards = [tuple(board[: definition.board_size(street)]) for street in streets]
        self.buckets = [toy_buckets(definition, street, boards[street]) for street in streets]
        self.boards, self.hands, self.definition = boards, hands, definition
        self.known_chances: dict[tuple[int, int], np.ndarray] = {}
        self.strengths = np.array(
            [0 if set(hand) & set(board) else strength([*hand, *board]) for hand in hands]
        )
        for learner in range(2):
            self.added = [np.zeros_like(rows) for rows in self.regrets]
            self.weight = count / WEIGHT_UNIT
            self.averaging = count % self.settings.average_every == 0
            self.policies = [self.policy(street) for street in streets]
            for own in range(len(hands)):
                reach = np.array([not set(hands[own]) & set(hand) for hand in hands]) * self.weight
                self.value(0, learner, own, reach)
            for other in range(len(hands)):
                self.average(0, learner, other, self.weight)
            for street in streets:
                # The learner counts chances from the street on: all of its regrets share a factor.
                self.regrets[street] += self.added[street] / self.chance_scale(street)

    def policy(self, street: int) -> np.ndarray:
        rows = self.regrets[street]
        found = np.zeros_like(rows)
        slots, counts = self.tree.street_nodes(street)
        for slot, count in zip(slots.tolist(), counts.tolist(), strict=True):
            positive = np.maximum(rows[:, slot : slot + count], 0)
            total = positive.sum(axis=1, keepdims=True)
            with np.errstate(invalid="ignore"):
                found[:, slot : slot + count] = np.where(total > 0, positive / total, 1 / count)
        return found

    def chances(self, street: int, own: int) -> np.ndarray:
        """One over the chance that the boards up to *street* leave two hands, [other hand].

        0 where they do not.
        """
        if (street, own) not in self.known_chances:
            shown = set(self.boards[street])
            free = np.array([not shown & {*hand, *self.hands[own]} for hand in self.hands])
            self.known_chances[street, own] = free * self.chance_scale(street)
        return self.known_chances[street, own]

    def chance_scale(self, street: int) -> float:
        num_cards, held = len(self.definition.deck), 2 * self.definition.num_hole_cards
        shown = self.definition.board_size(street)
        return comb(num_cards, shown) / comb(num_cards - held, shown)

    def node(self, node: int) -> tuple[int, int, int, int, list[int]]:
        tree = self.tree
        first, count = tree.nodes[node, NODE_FIRST_ACTION], tree.nodes[node, NODE_NUM_ACTIONS]
        children = [int(tree.actions[first + choice, ACTION_CHILD]) for choice in range(count)]
        row = tree.nodes[node]
        return int(row[NODE_SEAT]), int(row[NODE_STREET]), int(row[NODE_SLOT]), int(count), children

    def value(self, node: int, learner: int, own: int, reach: np.ndarray) -> float:
        """Return the value of the hand *own* against *reach* [other hand]."""
        seat, street, slot, count, children = self.node(node)
        if not (reach * self.chances(street, own)).any():
            return 0.0
        held = own if seat == learner else slice(None)
        policy = self.policies[street][self.buckets[street][held], slot : slot + count]
        values = []
        for choice, child in enumerate(children):
            below = reach if seat == learner else reach * policy[:, choice]
            if child >= 0:
                values.append(self.value(child, learner, own, below))
            else:
                values.append(float(self.end(~child, street, learner, own) @ below))
        if seat != learner:
            return sum(values)
        value = float(np.dot(policy, values))
        bucket = self.buckets[street][own]
        self.added[street][bucket, slot : slot + count] += np.array(values) - value
        return value

    def end(self, end: int, street: int, learner: int, own: int) -> np.ndarray:
        """Return what the hand *own* wins from each other hand."""
        chips = end_chips(self.tree.ends, end, learner)
        if self.tree.ends[end, END_FOLDED] != NOBODY:
            return chips * self.chances(street, own)
        last = self.definition.num_streets - 1
        won: np.ndarray = (
            chips * np.sign(self.strengths[own] - self.strengths) * self.chances(last, own)
        )
        return won

    def average(self, node: int, learner: int, other: int, reach: float) -> None:
        seat, street, slot, count, children = self.node(node)
        if set(self.hands[other]) & set(self.boards[street]):
            return
        bucket = self.buckets[street][other]
        policy = self.policies[street][bucket, slot : slot + count]
        for choice, child in enumerate(children):
            below = reach if seat == learner else reach * policy[choice]
            if seat != learner and self.averaging:
                self.averages[street][bucket, slot + choice] += below
            if child >= 0:
                self.average(child, learner, other, below)


Sums = Sequence[Sequence[tuple[np.ndarray, np.ndarray]]]


def all_arrays(sums: Sums) -> list[np.ndarray]:
    """Return the arrays of all streets, groups and seats."""
    return [own for groups in sums for seats in groups for own in seats]


def rows_of(lines: BettingLines, buckets: HandBuckets, sums: Sums) -> list[np.ndarray]:
    """Return sums by street, [bucket, slot]."""
    layout = infoset_layout(lines.tree.size, buckets.num_buckets)
    slots = LaneSums(lines, buckets.num_buckets).slot_sums(sums).astype(np.float64)
    return [layout.street_rows(slots, street) for street in range(len(sums))]


def unabstracted(definition: GameDefinition) -> HandBuckets:
    """A bucket for each hand on each board, its cards in order."""
    hands = len(all_hands(definition))
    places = {card: place for place, card in enumerate(definition.deck)}

    def find(_street: int, board: Sequence[int]) -> np.ndarray:
        number = 0
        for card in board:
            number = number * len(places) + places[card]
        return number * hands + np.arange(hands)

    streets = range(definition.num_streets)
    return HandBuckets(tuple([hands * len(places) ** street for street in streets]), find)


def learner_of(name: str, settings: PublicSamplingSettings) -> PublicSamplingLearner:
    lines = toy_lines(name)
    buckets = (NUM_BUCKETS,) * lines.definition.num_streets
    find = partial(toy_buckets, lines.definition)
    return PublicSamplingLearner(lines, HandBuckets(buckets, find), settings)


@pytest.mark.parametrize("name", GAMES)
def test_sums_are_those_of_a_plain_walk(name: str) -> None:
    settings = PublicSamplingSettings(average_every=2)
    learner = learner_of(name, settings)
    plain, definition = PlainLearner(learner.lines, settings), learner.lines.definition
    # Without regrets to begin with, some sums would be zero but for what is rounded.
    generator = np.random.default_rng(4)
    for own in all_arrays(learner.sums.regrets):
        own[:] = generator.uniform(0.1, 1, size=own.shape)
    buckets = HandBuckets((NUM_BUCKETS,) * definition.num_streets, partial(toy_buckets, definition))
    plain.regrets = rows_of(learner.lines, buckets, learner.sums.regrets)
    source, state = BoardDeals(definition, (NUM_BUCKETS,)), seed_states([(1,)])[0]
    deals = np.zeros((2, source.width), np.uint16)
    source.fill(deals, state)
    learner.walk(deals, state)
    for number, board in enumerate(deals.tolist()):
        plain.walk(board, number + 1)
    for found, expected in (
        (learner.sums.regrets, plain.regrets),
        (learner.sums.averages, plain.averages),
    ):
        rows = np.concatenate([street.reshape(-1) for street in expected])
        largest = np.abs(rows).max()
        assert largest > 0
        assert learner.sums.slot_sums(found) == pytest.approx(rows, abs=2e-5 * largest)


def test_an_unabstracted_game_comes_close_to_equilibrium() -> None:
    definition = parse_definition(TEXT.format(**FOUR, suits=2, ranks=3, hole=1))
    lines, buckets = betting_lines(definition), unabstracted(definition)
    learner = PublicSamplingLearner(lines, buckets)
    source, state = BoardDeals(definition, buckets.num_buckets), seed_states([(1,)])[0]
    game = make_range_game(BettingRules(definition).start, suits_alike=False)
    layout = infoset_layout(lines.tree.size, buckets.num_buckets)
    found = []
    for count in (250, 3750):
        deals = np.zeros((count, source.width), np.uint16)
        source.fill(deals, state)
        learner.walk(deals, state)
        table = tabulate_policy(game, layout, learner.average_strategy(), buckets.find)
        found.append(sum(response_values(game, (table, table)).values) / 2)
    uniform = tabulate_policy(game, layout, game_uniform(lines, buckets.num_buckets), buckets.find)
    at_first = sum(response_values(game, (uniform, uniform)).values) / 2
    print(at_first, found)
    assert found[1] < at_first / 4 < found[0]


def game_uniform(lines: BettingLines, num_buckets: Sequence[int]) -> np.ndarray:
    game = MenuGame(lines.tree, tuple(num_buckets))
    return game.normalised(np.zeros(game.layout.num_slots))


def test_boards_are_drawn_evenly_and_repeat() -> None:
    definition = parse_definition(GAMES["two cards"])
    source = BoardDeals(definition, (NUM_BUCKETS,))
    deals = np.zeros((9000, source.width), np.uint16)
    source.fill(deals, seed_states([(3,)])[0])
    again = np.zeros_like(deals)
    source.fill(again, seed_states([(3,)])[0])
    assert np.array_equal(deals, again)
    assert all(len(set(row)) == source.width for row in deals.tolist())
    for column in deals.T:
        cards, counts = np.unique(column, return_counts=True)
        assert cards.tolist() == sorted(definition.deck)
        assert np.abs(counts - 1000).max() < 150
