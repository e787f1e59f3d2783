"""CFR-BR: sums against a plain recursion by hands, and what it learns where buckets are coarse."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

from acpcbot.betting_lines.cfr_br import CFRBRLearner, CFRBRSettings, cfr_br_deals
from acpcbot.betting_lines.lane_sums import lane_strategy
from acpcbot.betting_lines.lines import BettingLines, FindBuckets, HandBuckets, betting_lines
from acpcbot.betting_lines.public_sampling import (
    WEIGHT_UNIT,
    BoardDeals,
    PublicSamplingLearner,
)
from acpcbot.betting_lines.street_rooms import chance_weight
from acpcbot.cards.any_strength import strength
from acpcbot.errors import UsageError
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
)
from acpcbot.trees.infosets import infoset_layout
from tests.betting_lines.test_public_sampling import all_arrays, rows_of, unabstracted
from tests.betting_lines.toys import (
    FOUR,
    GAMES,
    NUM_BUCKETS,
    TEXT,
    toy_buckets,
    toy_lines,
)

Vector = NDArray[np.float64]
Rows = list[Vector]


class PlainCFRBR:
    """The same by recursion over the tree, with a vector over the hands at each node."""

    def __init__(
        self,
        lines: BettingLines,
        settings: CFRBRSettings,
        regrets: Rows,
        own: Rows,
        trunk_buckets: FindBuckets,
        opponents: Sequence[Rows] = (),
    ) -> None:
        self.opponents = opponents
        self.trunk_buckets = trunk_buckets
        self.tree, self.definition, self.settings = lines.tree, lines.definition, settings
        self.regrets, self.response_regrets = regrets, own
        self.averages = [np.zeros_like(rows) for rows in regrets]
        self.hands = [frozenset(hand) for hand in all_hands(self.definition).tolist()]
        self.free = np.array([[not one & other for other in self.hands] for one in self.hands])
        self.last = self.definition.num_streets - 1
        self.trunk = self.definition.num_streets - settings.response_streets

    def walk(self, cards: list[int], count: int) -> None:
        size = self.definition.board_size(self.last - 1)
        self.drawn, self.board = cards[size:], cards[:size]
        left = sorted(set(self.definition.deck) - set(self.board))
        held = 2 * self.definition.num_hole_cards
        weight, averaging = count / WEIGHT_UNIT, count % self.settings.average_every == 0
        if self.opponents and count % self.settings.opponents_every == 1:
            turn = count // self.settings.opponents_every % len(self.opponents)
            self.meet(self.opponents[turn], weight)
            return
        for learner in range(2):
            self.learner = learner
            self.choices: dict[tuple[int, tuple[int, ...]], Vector] = {}
            self.policies = self.matched(self.regrets, self.settings.tremble)
            self.response = self.matched(self.response_regrets, 0.0)
            self.added = [np.zeros_like(rows) for rows in self.response_regrets]
            share = chance_weight(self.definition, self.last) / len(self.drawn)
            drawn = dict.fromkeys(self.drawn, share)
            rivers = {card: 1 / (len(left) - held) for card in left}
            one = self.settings.response_streets == 1
            reach = np.full(len(self.hands), weight)
            self.values(0, self.board, reach, 1 - learner, drawn if one else rivers)
            response_added = self.added
            if not one:  # where one street is searched, the response learns after the learner
                self.respond(response_added)
            self.added = [np.zeros_like(rows) for rows in self.regrets]
            self.values(0, self.board, reach, learner, drawn)
            for rows, added in zip(self.regrets, self.added, strict=True):
                rows += added
            if one:
                self.respond(response_added)
            if averaging:
                self.average(0, self.board, reach)

    def meet(self, opponent: Rows, weight: float) -> None:
        """Let both seats learn against the strategy *opponent*, by the learner's buckets."""
        drawn, trunk, trunk_buckets = self.drawn[0], self.trunk, self.trunk_buckets
        self.trunk, self.trunk_buckets = self.last + 1, partial(toy_buckets, self.definition)
        for self.learner in range(2):
            self.policies, self.response = self.matched(self.regrets, 0.0), opponent
            self.added = [np.zeros_like(rows) for rows in self.regrets]
            rivers = {drawn: chance_weight(self.definition, self.last)}
            reach = np.full(len(self.hands), weight)
            self.values(0, self.board, reach, self.learner, rivers)
            for rows, added in zip(self.regrets, self.added, strict=True):
                rows += added
        self.trunk, self.trunk_buckets = trunk, trunk_buckets

    def respond(self, added: Rows) -> None:
        for rows, own in zip(self.response_regrets, added, strict=False):
            rows += own
        self.response = self.matched(self.response_regrets, 0.0)

    def matched(self, regrets: Rows, tremble: float) -> Rows:
        policies = []
        for street, rows in enumerate(regrets):
            found = np.zeros_like(rows)
            slots, counts = self.tree.street_nodes(street)
            for slot, count in zip(slots.tolist(), counts.tolist(), strict=True):
                positive = np.maximum(rows[:, slot : slot + count], 0)
                total = positive.sum(axis=1, keepdims=True)
                share = np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / count)
                found[:, slot : slot + count] = tremble + (1 - count * tremble) * share
            policies.append(found)
        return policies

    def node(self, node: int) -> tuple[int, int, int, list[int]]:
        row = self.tree.nodes[node]
        first, count = int(row[NODE_FIRST_ACTION]), int(row[NODE_NUM_ACTIONS])
        children = [int(self.tree.actions[first + choice, ACTION_CHILD]) for choice in range(count)]
        return int(row[NODE_SEAT]), int(row[NODE_STREET]), int(row[NODE_SLOT]), children

    def buckets(self, street: int, board: Sequence[int], seat: int) -> np.ndarray:
        shown = tuple(board[: self.definition.board_size(street)])
        if seat == self.learner:
            return toy_buckets(self.definition, street, shown)
        return self.trunk_buckets(street, shown)

    def left(self, street: int, board: Sequence[int]) -> NDArray[np.bool_]:
        shown = set(board[: self.definition.board_size(street)])
        return np.array([not shown & hand for hand in self.hands])

    def policy(self, node: int, street: int, board: Sequence[int], seat: int) -> Vector:
        """The actions of a seat at a node, [hand, choice]."""
        _, _, slot, children = self.node(node)
        if seat != self.learner and street >= self.trunk:
            return self.choices[node, tuple(board)]
        policies = self.policies if seat == self.learner else self.response
        rows = policies[street][self.buckets(street, board, seat)]
        return np.asarray(rows[:, slot : slot + len(children)])

    def values(
        self,
        node: int,
        board: Sequence[int],
        reach: Vector,
        responder: int,
        rivers: dict[int, float],
    ) -> Vector:
        """The winnings of each hand of the responder behind a node against *reach*, on this board."""
        seat, street, slot, children = self.node(node)
        reach = reach * self.left(street, board)
        is_own = seat == responder
        searched = is_own and responder != self.learner and street >= self.trunk
        policy = np.empty(0) if searched else self.policy(node, street, board, seat)
        won = []
        for choice, child in enumerate(children):
            below = reach if is_own else reach * policy[:, choice]
            won.append(self.behind(child, street, board, below, responder, rivers))
        values: Vector = np.array(won).T
        if searched:
            best = values.argmax(axis=1)
            self.choices[node, tuple(board)] = np.eye(len(children))[best]
            expected: Vector = values.max(axis=1)
            return expected
        expected = ((policy if is_own else 1) * values).sum(axis=1)
        if not is_own:
            return expected
        scale = self.scale(street, rivers)
        buckets, left = self.buckets(street, board, seat), self.left(street, board)
        added = self.added[street][:, slot : slot + len(children)]
        np.add.at(added, buckets[left], scale * (values - expected[:, None])[left])
        return expected

    def behind(
        self,
        child: int,
        street: int,
        board: Sequence[int],
        reach: Vector,
        responder: int,
        rivers: dict[int, float],
    ) -> Vector:
        """The same behind an action on *street* that leads to *child*."""
        if child < 0 and (street == self.last or self.tree.ends[~child, END_FOLDED] != NOBODY):
            return self.ended(~child, street, board, reach, responder)
        if child >= 0 and self.node(child)[1] == street:
            return self.values(child, board, reach, responder, rivers)
        total = np.zeros(len(self.hands))
        weights: dict[int | None, float] = {None: chance_weight(self.definition, street + 1)}
        for card, weight in (rivers if street == self.last - 1 else weights).items():
            shown = [*board, card] if card is not None else board
            left = self.left(street + 1, shown)
            if child < 0:
                below = self.behind(child, street + 1, shown, reach * left, responder, rivers)
            else:
                below = self.values(child, shown, reach, responder, rivers)
            total += weight * below * left
        return total

    def scale(self, street: int, rivers: dict[int, float]) -> float:
        """Several last boards weigh alike, as reaches are weighed when they come there."""
        several = self.settings.response_streets == 2 and self.trunk <= self.last
        return next(iter(rivers.values())) if several and street == self.last else 1.0

    def ended(
        self, end: int, street: int, board: Sequence[int], reach: Vector, responder: int
    ) -> Vector:
        chips = end_chips(self.tree.ends, end, responder)
        signs = np.ones(self.free.shape)
        if self.tree.ends[end, END_FOLDED] == NOBODY:
            ranks = np.array(
                [0 if hand & set(board) else strength([*hand, *board]) for hand in self.hands]
            )
            signs = np.sign(ranks[:, None] - ranks)
        won: Vector = chips * (signs * self.free) @ reach
        return won

    def average(self, node: int, board: Sequence[int], reach: Vector) -> None:
        seat, street, slot, children = self.node(node)
        reach = reach * self.left(street, board)
        policy = self.policy(node, street, board, seat)
        for choice, child in enumerate(children):
            below = reach
            if seat == self.learner:
                below = reach * policy[:, choice]
                added = self.averages[street][:, slot + choice]
                np.add.at(added, self.buckets(street, board, seat), below)
            if child >= 0 and self.node(child)[1] == self.last > street:
                for card in self.drawn:
                    self.average(child, [*board, card], below)
            elif child >= 0:
                self.average(child, board, below)


def toy_hand_buckets(definition: GameDefinition) -> HandBuckets:
    return HandBuckets((NUM_BUCKETS,) * definition.num_streets, partial(toy_buckets, definition))


def other_buckets(definition: GameDefinition) -> HandBuckets:
    """Buckets that neither contain those of ``toy_buckets`` nor are contained."""
    numbers = np.arange(len(all_hands(definition)))
    counts = (5, 11, 3, 1)[: definition.num_streets]
    return HandBuckets(counts, lambda street, board: (numbers + sum(board)) % counts[street])


@pytest.mark.parametrize("with_trunk", [False, True])
@pytest.mark.parametrize(("streets", "last_cards"), [(2, 2), (2, 100), (1, 1)])
@pytest.mark.parametrize("name", GAMES)
def test_sums_are_those_of_a_plain_recursion(
    name: str, streets: int, last_cards: int, *, with_trunk: bool
) -> None:
    settings = CFRBRSettings(
        average_every=1, response_streets=streets, last_cards=last_cards, tremble=0.01
    )
    verify_sums(name, settings, with_trunk=with_trunk)


@pytest.mark.parametrize("streets", [1, 2])
@pytest.mark.parametrize("name", ["two cards", "no limit"])
def test_sums_with_opponents_are_those_of_a_plain_recursion(name: str, streets: int) -> None:
    """Catches another opponent or seat, a response that learns there, and averages of opponents."""
    settings = CFRBRSettings(
        average_every=1,
        response_streets=streets,
        last_cards=2,
        tremble=0.01,
        opponents=("one", "two"),
        opponents_every=2,
    )
    assert [settings.opponent(count) for count in range(6)] == [None, 0, None, 1, None, 0]
    verify_sums(name, settings, with_trunk=True, num_boards=3)


def verify_sums(
    name: str, settings: CFRBRSettings, *, with_trunk: bool, num_boards: int = 2
) -> None:
    definition = parse_definition(GAMES[name])
    lines, buckets = toy_lines(name), toy_hand_buckets(definition)
    trunk = other_buckets(definition) if with_trunk else buckets
    opponents = random_strategies(lines, len(settings.opponents))
    learner = CFRBRLearner(
        lines, buckets, settings, trunk, [lane_strategy(lines, rows) for rows in opponents]
    )
    generator = np.random.default_rng(4)
    for met in learner.iterations.has_met:
        met[:] = True
    for sums in (learner.sums.regrets, learner.iterations.regrets):
        for own in all_arrays(sums):
            own[:] = generator.uniform(0.1, 1, size=own.shape)
    plain = PlainCFRBR(
        lines,
        settings,
        rows_of(lines, buckets, learner.sums.regrets),
        rows_of(lines, trunk, learner.iterations.regrets),
        trunk.find,
        opponents,
    )
    source, state = cfr_br_deals(definition, (), settings), seed_states([(1,)])[0]
    deals = np.zeros((num_boards, source.width), np.uint16)
    source.fill(deals, state)
    learner.walk(deals, state)
    for number, cards in enumerate(deals.tolist()):
        plain.walk(cards, number + 1)
    for kind, found, expected in (
        (buckets, learner.sums.averages, plain.averages),
        (trunk, learner.iterations.regrets, plain.response_regrets),
        (buckets, learner.sums.regrets, plain.regrets),
    ):
        pairs = zip(rows_of(lines, kind, found), expected, strict=True)
        for street, (own, rows) in enumerate(pairs):
            largest = np.abs(rows).max()
            assert largest > 0
            assert own == pytest.approx(rows, abs=2e-5 * largest), street


def random_strategies(lines: BettingLines, count: int) -> list[Rows]:
    """Return strategies by the learner's buckets, by street [bucket, slot]."""
    generator, tree, found = np.random.default_rng(6), lines.tree, []
    for _ in range(count):
        strategy: Rows = []
        for street, width in enumerate(tree.row_widths.tolist()):
            rows = generator.uniform(0, 1, (NUM_BUCKETS, width))
            for slot, actions in zip(
                *map(np.ndarray.tolist, tree.street_nodes(street)), strict=True
            ):
                own = rows[:, slot : slot + actions]
                own /= own.sum(axis=1, keepdims=True)
            strategy.append(rows)
        found.append(strategy)
    return found


def test_the_response_begins_with_regrets_of_the_learner() -> None:
    """Catches regrets of another bucket, seat or street, and a second beginning."""
    definition = parse_definition(GAMES["two cards"])
    lines = betting_lines(definition)
    buckets, trunk = toy_hand_buckets(definition), other_buckets(definition)
    learner = CFRBRLearner(lines, buckets, CFRBRSettings(), trunk)
    generator = np.random.default_rng(5)
    for own in all_arrays(learner.sums.regrets):
        own[:] = generator.uniform(0.1, 1, size=own.shape)
    regrets = rows_of(lines, buckets, learner.sums.regrets)
    board = tuple(definition.deck[: sum(definition.num_board_cards)])
    iterations = learner.iterations
    hands, trunk_hands = iterations.deal(board)
    begun = rows_of(lines, trunk, iterations.regrets)
    assert len(trunk_hands) == len(begun) == definition.num_streets - 1
    for street, theirs in enumerate(trunk_hands):
        shown = board[: definition.board_size(street)]
        expected = trunk.find(street, shown)[theirs.hands]
        assert theirs.buckets[theirs.local].tolist() == expected.tolist()
        share = NUM_BUCKETS / trunk.num_buckets[street]
        for place, bucket in enumerate(theirs.buckets.tolist()):
            alike = hands[street].local[theirs.local == place]
            rows = share * regrets[street][hands[street].buckets[alike]]
            assert np.isclose(rows, begun[street][bucket], rtol=1e-6).all(axis=1).any()
        missed = np.setdiff1d(np.arange(trunk.num_buckets[street]), theirs.buckets)
        assert not begun[street][missed].any()
    for own in all_arrays(learner.sums.regrets):
        own[:] = 7
    iterations.deal(board)
    for again, before in zip(rows_of(lines, trunk, iterations.regrets), begun, strict=True):
        assert np.array_equal(again, before)


def exploitability(learner: CFRBRLearner | PublicSamplingLearner, buckets: FindBuckets) -> float:
    """The mean of both best responses' winnings from the learner's average strategy, in chips."""
    game = make_range_game(BettingRules(learner.lines.definition).start, suits_alike=False)
    num_buckets = (NUM_BUCKETS,) * learner.lines.definition.num_streets
    layout = infoset_layout(learner.lines.tree.size, num_buckets)
    table = tabulate_policy(game, layout, learner.average_strategy(), buckets)
    return sum(response_values(game, (table, table)).values) / 2


def test_it_is_less_exploitable_than_an_equilibrium_of_its_buckets() -> None:
    """Catches responses that are none, and regrets that belong to another opponent."""
    definition = parse_definition(TEXT.format(**FOUR, suits=2, ranks=4, hole=1))
    lines, buckets = betting_lines(definition), toy_hand_buckets(definition)
    one, two = CFRBRSettings(response_streets=1), CFRBRSettings(response_streets=2, last_cards=3)
    found = []
    for settings, trunk, count in (
        (None, None, 5000),
        (one, None, 4000),
        (two, None, 1500),
        (one, unabstracted(definition), 4000),
    ):
        learner: CFRBRLearner | PublicSamplingLearner
        if settings is None:
            learner, source = PublicSamplingLearner(lines, buckets), BoardDeals(definition, ())
        else:
            learner = CFRBRLearner(lines, buckets, settings, trunk)
            source = cfr_br_deals(definition, (), settings)
        state = seed_states([(1,)])[0]
        deals = np.zeros((count, source.width), np.uint16)
        source.fill(deals, state)
        learner.walk(deals, state)
        found.append(exploitability(learner, buckets.find))
    print(found)
    assert found[1] < 0.75 * found[0]
    assert found[2] < 0.8 * found[1]
    assert found[3] < 0.8 * found[1]


def test_more_is_won_from_an_opponent_at_the_price_of_its_share() -> None:
    """Catches boards against an opponent that teach nothing, and those that weigh too much.

    Of a restricted Nash response (1 - p) exploitability - p winnings is least, where p is the share
    of boards, so that exploitability grows by no more than p/(1 - p) of what more is won.
    """
    definition = parse_definition(TEXT.format(**FOUR, suits=2, ranks=4, hole=1))
    lines, buckets = betting_lines(definition), toy_hand_buckets(definition)
    (opponent,) = random_strategies(lines, 1)
    game = make_range_game(BettingRules(definition).start, suits_alike=False)
    layout = infoset_layout(lines.tree.size, buckets.num_buckets)
    flat = np.zeros(layout.num_slots)
    for street, rows in enumerate(opponent):
        layout.street_rows(flat, street)[:] = rows
    theirs = tabulate_policy(game, layout, flat, buckets.find)
    found = []
    for settings in (CFRBRSettings(), CFRBRSettings(opponents=("one",), opponents_every=4)):
        opponents = [lane_strategy(lines, opponent)] if settings.opponents else []
        learner = CFRBRLearner(lines, buckets, settings, None, opponents)
        source, state = cfr_br_deals(definition, (), settings), seed_states([(1,)])[0]
        deals = np.zeros((1000, source.width), np.uint16)
        source.fill(deals, state)
        learner.walk(deals, state)
        own = tabulate_policy(game, layout, learner.average_strategy(), buckets.find)
        first = response_values(game, (own, theirs)).policy_values[0]
        second = response_values(game, (theirs, own)).policy_values[1]
        found.append((exploitability(learner, buckets.find), (first + second) / 2))
    (before, won_before), (after, won_after) = found
    print(found)
    assert won_after > 1.4 * won_before
    assert after < before + (won_after - won_before) / 3 + 0.03


def test_a_warm_up_is_public_chance_sampling_and_ends() -> None:
    """Catches a warm-up that never ends, or whose averages or weights stay."""
    definition = parse_definition(GAMES["one card"])
    lines, buckets = betting_lines(definition), toy_hand_buckets(definition)
    settings = CFRBRSettings(
        response_streets=2, warm_up=8, warm_up_counts=2, average_every=1, last_cards=2
    )
    learner = CFRBRLearner(lines, buckets, settings)
    plain = PublicSamplingLearner(lines, buckets, settings)
    source, state = cfr_br_deals(definition, (), settings), seed_states([(1,)])[0]
    deals = np.zeros((8, source.width), np.uint16)
    source.fill(deals, state)
    plain.walk(deals[:, :3], state)
    learner.walk(deals[:4], state)
    learner.settle(4)
    assert learner.sums.count[0] == 4
    assert not learner.arrays["is_warm"][0]
    learner.walk(deals[4:], state)
    learner.settle(8)
    assert learner.sums.count[0] == 2
    assert learner.arrays["is_warm"][0]
    for street in range(4):
        for seat in range(2):
            regrets = plain.sums.regrets[street][0][seat]
            averages = plain.sums.averages[street][0][seat]
            assert np.abs(regrets).max() > 0
            assert averages.any()
            share = 1 / 4 if street < 2 else 1 / 8
            assert learner.sums.regrets[street][0][seat] == pytest.approx(regrets * share, rel=1e-6)
            share = 1 / 4 if street < 2 else 1 / 16
            assert learner.sums.averages[street][0][seat] == pytest.approx(
                averages * share, rel=1e-6
            )
    learner.walk(deals[:2], state)
    learner.settle(16)
    assert learner.sums.count[0] == 4
    assert all(own.any() for own in all_arrays(learner.sums.averages))


def test_a_last_street_of_two_cards_is_refused() -> None:
    fields = FOUR | {"boards": "0 1 1 2"}
    definition = parse_definition(TEXT.format(**fields, suits=2, ranks=5, hole=1))
    with pytest.raises(UsageError, match="the last street has 2 cards"):
        CFRBRLearner(
            betting_lines(definition),
            toy_hand_buckets(definition),
            CFRBRSettings(response_streets=2),
        )


@pytest.mark.parametrize("streets", [1, 2])
@pytest.mark.parametrize("name", ["two cards", "no limit, three streets"])
def test_the_memory_of_a_thread_is_known_before(name: str, streets: int) -> None:
    """Catches rooms that are not counted, or twice."""
    lines = toy_lines(name)
    definition, buckets = lines.definition, toy_hand_buckets(lines.definition)
    settings = CFRBRSettings(response_streets=streets, warm_up=1)
    source, state = cfr_br_deals(definition, (), settings), seed_states([(1,)])[0]
    deals = np.zeros((1, source.width), np.uint16)
    source.fill(deals, state)

    def learnt() -> CFRBRLearner:
        learner = CFRBRLearner(lines, buckets, settings)
        learner.walk(deals, state)
        learner.settle(1)
        learner.walk(deals, state)
        return learner

    learnt()  # what is made only once: kernels, tables
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        learner = learnt()
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    taken -= before + sum(array.nbytes for array in learner.arrays.values())
    assert taken == pytest.approx(learner.thread_bytes, rel=0.2)  # small arrays do not count
