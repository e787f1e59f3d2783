"""Equities at decisions of solved games against sums over all pairs of hands and all boards, in plain Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import pytest

from acpcbot.cards.any_strength import strength
from acpcbot.cards.deck import parse_cards
from acpcbot.cards.range_notation import parse_range
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands
from acpcbot.poker.spots import holdem_spot
from acpcbot.subgames.equities import decision_equities, has_exact_equities
from acpcbot.subgames.game import make_range_game
from acpcbot.subgames.solution import Decision, read_solution, root_place
from acpcbot.subgames.solver import Progress, RangeCFR
from acpcbot.trees.bet_menu import parse_menu
from tests.support.games import LEDUC, NOLIMIT_2P, definition_of

RANGES = ("AA,KQs,76s:0.5,AsKd:0.25", "KK,AQs:0.3,T9s,55")
Hand = tuple[int, ...]


def decisions_of(solver: RangeCFR) -> tuple[Decision, ...]:
    solver.step(9)
    return read_solution(solver, Progress(9, 0.0, 0.0), root_place(solver.game)).decisions


def cards_of(decision: Decision) -> list[Hand]:
    definition = decision.place.betting.game.definition
    return [tuple(hand) for hand in all_hands(definition)[decision.hands].tolist()]


def plain_equity(
    definition: GameDefinition, board: Hand, own: Hand, reaches: Sequence[tuple[Hand, float]]
) -> float:
    """The mean share of the pot over all hands of the opponent and all boards."""
    num_lacking = definition.board_size(definition.num_streets - 1) - len(board)
    shares, total = 0.0, 0.0
    for other, reach in reaches:
        if set(own) & set(other) or not reach:
            continue
        rest = sorted(set(definition.deck) - {*own, *other, *board})
        for cards in combinations(rest, num_lacking):
            mine, theirs = (strength((*hand, *board, *cards)) for hand in (own, other))
            shares += reach * (1.0 if mine > theirs else 0.5 if mine == theirs else 0.0)
            total += reach
    return shares / total if total else np.nan


def own_reaches(decisions: Sequence[Decision], place: int) -> Iterator[list[float]]:
    """The range of each seat at a decision: at the root, or multiplied by how it acted there."""
    first, later = decisions[0], decisions[place]
    definition = first.place.betting.game.definition
    for seat in range(2):
        is_holdem = len(definition.deck) == 52
        whole = parse_range(RANGES[seat])[first.hands] if is_holdem else np.ones(len(first.hands))
        if seat == first.seat and later.place.words:
            whole = whole * first.probabilities[:, first.choices.index(later.place.words[0])]
        yield whole.tolist()


@pytest.mark.parametrize(
    ("board", "after"), [("KsTd9h4s2c", 0), ("KsTd9h4s2c", 1), ("7s6d5c2h", 0), ("7s6d5c2h", 1)]
)
def test_equities_of_ranges_are_those_of_plain_sums(board: str, after: int) -> None:
    """Catches cards of hands that are dealt again, ties that count as lost, and a range of the
    wrong seat or decision.
    """
    cards = parse_cards(board)
    ranges = np.stack([parse_range(text) for text in RANGES])
    root, menu = holdem_spot(len(cards), 100, 300), parse_menu("0.5,all-in")
    decisions = decisions_of(RangeCFR(make_range_game(root, cards, menu, ranges)))
    check(decisions, after, cards)


def test_equities_of_leduc_are_those_of_plain_sums() -> None:
    """Catches a game with one hole card, whose hands block nothing but themselves."""
    decisions = decisions_of(RangeCFR(make_range_game(BettingRules(definition_of(LEDUC)).start)))
    check(decisions, 1, ())


def check(decisions: Sequence[Decision], after: int, board: Hand) -> None:
    definition = decisions[0].place.betting.game.definition
    found, hands = (
        decision_equities(decisions, np.random.default_rng(0)).shares[after],
        cards_of(decisions[0]),
    )
    reaches = list(own_reaches(decisions, after))
    assert len(decisions[after].place.words) == min(after, 1)
    num_checked = 0
    for seat in range(2):
        others = [pair for pair in zip(hands, reaches[1 - seat], strict=True) if pair[1]]
        for hand, held, equity in zip(hands, reaches[seat], found[seat], strict=True):
            if held:
                num_checked += 1
                expected = plain_equity(definition, board, hand, others)
                assert equity == pytest.approx(expected, abs=1e-6, nan_ok=True)
    assert num_checked > 10


def test_equities_before_a_flop_of_holdem_are_not_exact() -> None:
    """Catches millions of boards that somebody would wait for."""
    assert not has_exact_equities(definition_of(NOLIMIT_2P), ())
    assert has_exact_equities(definition_of(NOLIMIT_2P), parse_cards("KsTd9h"))
