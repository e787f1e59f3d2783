"""Decisions of solved games against plain sums over all pairs of hands, and against what
everybody knows of spots.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from acpcbot.cards.any_strength import strength
from acpcbot.cards.combos import parse_combo
from acpcbot.cards.deck import format_card, parse_cards
from acpcbot.cards.range_notation import parse_range
from acpcbot.errors import UsageError
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.spots import holdem_spot
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.solution import (
    Decision,
    Solution,
    action_word,
    class_rows,
    find_board,
    place_after,
    read_solution,
    root_place,
    street_decisions,
)
from acpcbot.subgames.solver import Progress, RangeCFR
from acpcbot.trees.bet_menu import ALL_IN, parse_menu, same_menu
from acpcbot.trees.betting_tree import (
    ACTION_KIND,
    ACTION_RAISE_TO,
    NODE_FIRST_ACTION,
    NODE_NUM_ACTIONS,
)
from tests.support.range_games import even_game

Words = tuple[str, ...]
TWO_STREETS = even_game("0 1", 4, 1, suits=2, ranks=3, hole_cards=1)
THREE_STREETS = even_game("0 1 1", 3, 1, suits=1, ranks=5, hole_cards=1)
PLACES = [
    (TWO_STREETS, ""),
    (TWO_STREETS, "check"),
    (TWO_STREETS, "bet 1, call, Kh"),
    (TWO_STREETS, "bet 1, call, Ks"),
    (TWO_STREETS, "bet 1, call, Qs, check"),
    (TWO_STREETS, "check, check, Ah, check, bet 1"),
    (THREE_STREETS, "check, check, Ks"),
    (THREE_STREETS, "check, bet 1, call, As, check, check, Ts"),
]


def words_of(text: str) -> Words:
    return tuple([word.strip() for word in text.split(",") if word.strip()])


@cache
def solved(definition: GameDefinition) -> RangeCFR:
    """After few iterations, with weights of all sizes: nothing is the same by accident. Suits
    are alike.
    """
    weights = np.random.default_rng(7).random((2, len(definition.deck) // definition.num_suits))
    ranges = np.repeat(weights, definition.num_suits, axis=1)
    solver = RangeCFR(
        make_range_game(BettingRules(definition).start, (), same_menu([0.5, ALL_IN], [1.0]), ranges)
    )
    solver.step(7)
    return solver


@dataclass
class Plain:
    """Reaches and values by going through everything, with nothing but the probabilities of
    decisions.
    """

    solver: RangeCFR
    decisions: dict[Words, Decision] = field(default_factory=dict)

    def at(self, words: Words) -> Decision:
        if words not in self.decisions:
            self.decisions[words] = next(
                iter(street_decisions(self.solver, place_after(self.solver.game, words)))
            )
        return self.decisions[words]

    def action_probabilities(self, decision: Decision, hand: int) -> Iterator[tuple[Action, float]]:
        game, node = self.solver.game, decision.place.node
        record = game.tree.nodes[node]
        first, count = record[NODE_FIRST_ACTION], record[NODE_NUM_ACTIONS]
        records = game.tree.actions[first : first + count].tolist()
        (row,) = np.flatnonzero(self.cards(decision) == hand)
        for record, probability in zip(records, decision.probabilities[row], strict=True):
            yield Action(record[ACTION_KIND], record[ACTION_RAISE_TO]), float(probability)

    def cards(self, decision: Decision) -> NDArray[np.int64]:
        return np.array(sorted(self.solver.game.definition.deck))[decision.hands]

    def reach(self, words: Words, seat: int, hand: int) -> float:
        game = self.solver.game
        number = sorted(game.definition.deck).index(hand)
        probability = float(
            game.ranges[seat, game.boards.arrays.hands[game.boards.rows(0)] == number][0]
        )
        for place, word in enumerate(words):
            decision = self.at(words[:place]) if word[0].islower() else None
            if decision and decision.seat == seat:
                betting = decision.place.betting
                probability *= {
                    action_word(betting, action): one
                    for action, one in self.action_probabilities(decision, hand)
                }[word]
        return probability

    def value(
        self, words: Words, betting: BettingState, board: tuple[int, ...], hands: tuple[int, int]
    ) -> float:
        """Return seat 1's value from here on, the chips in the middle counted as put in."""
        definition = betting.game.definition
        if any(betting.folded):
            return float(betting.spent[1] if betting.folded[1] else -betting.spent[0])
        if len(board) < definition.board_size(betting.street):
            left = [card for card in definition.deck if card not in (*board, *hands)]
            below = [((*words, format_card(card)), (*board, card)) for card in left]
            return sum(self.value(named, betting, cards, hands) for named, cards in below) / len(
                left
            )
        if betting.is_over:
            first, second = (strength((hand, *board)) for hand in hands)
            return float(betting.spent[0] * ((first > second) - (first < second)))
        decision = self.at(words)
        return sum(
            probability
            * self.value(
                (*words, action_word(betting, action)), betting.apply(action), board, hands
            )
            for action, probability in self.action_probabilities(decision, hands[betting.actor])
            if probability
        )


@pytest.mark.parametrize(
    ("definition", "text"), PLACES, ids=[text or "start" for _, text in PLACES]
)
def test_weights_and_values_are_sums_over_all_pairs_of_hands(
    definition: GameDefinition, text: str
) -> None:
    """Catches suits mixed up on a board that another stands for, and boards that are not
    weighted.
    """
    plain, words = Plain(solved(definition)), words_of(text)
    decision = plain.at(words)
    place, cards = decision.place, plain.cards(decision).tolist()
    for seat in range(2):
        own = [plain.reach(words, seat, hand) for hand in cards]
        other = [plain.reach(words, 1 - seat, hand) for hand in cards]
        sign = 1 - 2 * seat
        pairs, values = [], []
        for hand in cards:
            beside = [
                0.0 if against == hand else reach
                for against, reach in zip(cards, other, strict=True)
            ]
            hands = [(hand, against) if seat == 0 else (against, hand) for against in cards]
            won = [
                sign * plain.value(words, place.betting, place.board, pair) if weight else 0.0
                for weight, pair in zip(beside, hands, strict=True)
            ]
            pairs.append(sum(beside))
            values.append(np.dot(beside, won) / sum(beside) + place.betting.spent[seat])
        held = np.array(own) * pairs
        np.testing.assert_allclose(decision.weights[seat], held / held.sum(), atol=1e-6)
        np.testing.assert_allclose(decision.reaches[seat], own, atol=1e-6)
        np.testing.assert_allclose(decision.ev_chips[seat], values, atol=1e-5)


@pytest.mark.parametrize(
    ("definition", "text"), PLACES, ids=[text or "start" for _, text in PLACES]
)
def test_values_of_actions_are_sums_over_all_pairs_of_hands(
    definition: GameDefinition, text: str
) -> None:
    """Catches values of another action or hand, and chips already put in that are left out."""
    plain, words = Plain(solved(definition)), words_of(text)
    decision = plain.at(words)
    betting, cards = decision.place.betting, plain.cards(decision).tolist()
    seat, sign = decision.seat, 1 - 2 * decision.seat
    other = [plain.reach(words, 1 - seat, hand) for hand in cards]
    for row, hand in enumerate(cards):
        beside = [
            0.0 if against == hand else reach for against, reach in zip(cards, other, strict=True)
        ]
        actions = [action for action, _ in plain.action_probabilities(decision, hand)]
        for choice, (action, word) in enumerate(zip(actions, decision.choices, strict=True)):
            won = [
                sign
                * plain.value(
                    (*words, word),
                    betting.apply(action),
                    decision.place.board,
                    (hand, against) if seat == 0 else (against, hand),
                )
                if weight
                else 0.0
                for weight, against in zip(beside, cards, strict=True)
            ]
            expected = np.dot(beside, won) / sum(beside) + betting.spent[seat]
            assert decision.action_ev_chips[row, choice] == pytest.approx(expected, abs=1e-5)
    mean = (decision.probabilities * decision.action_ev_chips).sum(axis=1)
    np.testing.assert_allclose(mean, decision.ev_chips[seat], atol=1e-4)


def river(first: str, second: str, stack_chips: int = 100) -> Solution:
    ranges = np.stack([parse_range(first), parse_range(second)])
    menu = same_menu([1.0], [ALL_IN])
    solver = RangeCFR(
        make_range_game(holdem_spot(5, 100, stack_chips), parse_cards("KsTd9h4s2c"), menu, ranges)
    )
    solver.step(2000)
    return read_solution(
        solver, Progress(2000, 0.0, solver.exploitability()), root_place(solver.game)
    )


def test_a_polarised_range_bets_and_bluffs_by_the_pot_odds() -> None:
    """A pot-sized bet, one bluff for two hands of value, half of the bluff catchers calling:
    the textbook's.
    """
    solution = river("QsJs,5h3h", "AA")
    start = solution.decisions[0]
    rows = {int(hand): row for hand, row in zip(start.hands, start.probabilities, strict=True)}
    assert start.choices == ("check", "all-in")
    assert rows[parse_combo("QsJs")][1] == pytest.approx(1, abs=0.01)
    assert rows[parse_combo("5h3h")][1] == pytest.approx(0.5, abs=0.01)
    facing = next(
        decision for decision in solution.decisions if decision.place.words == ("all-in",)
    )
    assert facing.choices == ("fold", "call")
    assert facing.frequencies[1] == pytest.approx(0.5, abs=0.01)
    assert np.nansum(facing.weights[1] * np.nan_to_num(facing.ev_chips[1])) == pytest.approx(
        0, abs=0.5
    )
    # Three quarters of the time the pot is won: the nuts or the bluff that is bet, and nobody wins
    # by bluffing more.
    assert solution.values_chips[0] + 50 == pytest.approx(75, abs=0.5)


@pytest.mark.parametrize("stacks", [(700, 100), (90, 250)])
def test_a_game_with_unequal_stacks_has_the_values_of_that_with_the_effective_stack(
    stacks: tuple[int, int],
) -> None:
    """Catches an effective stack that is not what counts, in a game that has both stacks for real."""
    effective = holdem_spot(5, 100, stacks)
    definition = replace(effective.game.definition, stacks=tuple(50 + stack for stack in stacks))
    unequal = BettingRules(definition).parse(effective.text)
    ranges = np.stack([parse_range("QsJs,5h3h,AK"), parse_range("AA,99,T9s")])
    found = []
    for root in (effective, unequal):
        game = make_range_game(
            root, parse_cards("KsTd9h4s2c"), parse_menu("0.5,1,all-in;all-in"), ranges
        )
        solver = RangeCFR(game)
        solver.step(500)
        progress = Progress(500, 0.0, solver.exploitability())
        assert progress.exploitability < 0.02
        found.append(read_solution(solver, progress, root_place(game)).values_chips)
    assert found[0] == pytest.approx(found[1], abs=0.04)


def test_the_classes_of_a_decision_are_means_over_what_is_held() -> None:
    solution = river("AKs,QJs:0.5", "all")
    rows = class_rows(solution.decisions[0])
    # Three suited AK are left by the king of spades, four QJ at half the weight.
    assert set(rows) == {"AKs", "QJs"}
    assert rows["AKs"].weight + rows["QJs"].weight == pytest.approx(1)
    assert rows["AKs"].weight > rows["QJs"].weight
    assert rows["QJs"].ev_chips > rows["AKs"].ev_chips > 50


def test_the_values_of_both_seats_cancel() -> None:
    first, second = river("all", "TT+,AK").values_chips
    assert first == pytest.approx(-second, abs=1e-3)


def monotone() -> RangeGame:
    return make_range_game(holdem_spot(4, 10, 5), parse_cards("AsKsQs2s"), same_menu([ALL_IN]))


def test_every_board_is_found_with_the_change_that_makes_it_the_solved_one() -> None:
    game = monotone()
    assert len(game.boards.boards) < 49
    for card in set(range(52)) - set(parse_cards("AsKsQs2s")):
        number, change = find_board(game, (*parse_cards("AsKsQs2s"), card))
        assert set(change[[*parse_cards("AsKsQs2s"), card]].tolist()) == set(
            game.boards.boards[number]
        )


def test_hands_on_a_board_that_another_stands_for_have_the_cards_of_their_own_board() -> None:
    solver = RangeCFR(monotone())
    solver.step(3)
    rows = {}
    for card in ("3c", "3d", "3h"):
        decision = next(
            street_decisions(solver, place_after(solver.game, ("check", "check", card)))
        )
        rows[card] = dict(zip(decision.hands.tolist(), decision.ev_chips[0].tolist(), strict=True))
        assert parse_combo(f"{card}2c") not in rows[card]
    assert (
        rows["3c"][parse_combo("3d3h")]
        == rows["3d"][parse_combo("3c3h")]
        == rows["3h"][parse_combo("3c3d")]
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("bet 7", "at the start"),
        ("check, check", "the board goes on"),
        ("check, check, AsKs", "not with 'AsKs'"),
        ("check, check, xx", "not with 'xx'"),
        ("check, check, 2s", "not with '2s'"),
        ("all-in, fold", "the hand is over"),
        ("check, check, 3c, call", "unknown action 'call'"),
    ],
)
def test_words_that_lead_nowhere_are_refused(text: str, fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        place_after(monotone(), words_of(text))
