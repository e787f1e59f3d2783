"""Expectations over deals against counting one by one."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from acpcbot.evaluation.aivat.deal_sums import (
    mean_after_deal,
    means_after_deal,
    possible_deals,
    sum_deals_without,
    sum_reach_without,
)
from acpcbot.poker.definition import GameDefinition, parse_definition
from acpcbot.poker.hands import all_hands
from tests.support.games import LEDUC, definition_of

SMALL = (
    "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 2\nblind = 1 1\nraiseSize = 1 1\nmaxRaises = 1 1\nnumSuits = 2\n"
    "numRanks = 5\nnumHoleCards = {hole}\nnumBoardCards = 0 {board}\nEND GAMEDEF\n"
)
GAMES = [(hole, board) for hole in (1, 2, 3) for board in (1, 2, 3)]


def game(hole: int, board: int) -> GameDefinition:
    return parse_definition(SMALL.format(hole=hole, board=board))


@pytest.mark.parametrize(("hole", "board"), GAMES)
@pytest.mark.parametrize("num_values", [1, None])
def test_no_card_is_counted_twice_or_forgotten(
    hole: int, board: int, num_values: int | None
) -> None:
    definition, draw = game(hole, board), np.random.default_rng(hole * 10 + board)
    hands, dead = all_hands(definition), definition.deck[:1]
    ways = possible_deals(definition, dead, board)
    assert ways.tolist() == [
        list(way) for way in combinations(sorted(set(definition.deck) - set(dead)), board)
    ]
    reach, weights = draw.random(len(hands)), draw.random(len(ways))
    values = draw.normal(size=(len(ways), num_values or len(hands)))
    apart = np.array(
        [[not set(way) & set(hand) for hand in hands.tolist()] for way in ways.tolist()]
    )
    assert sum_reach_without(definition, reach, ways) == pytest.approx(apart @ reach)
    assert sum_deals_without(definition, ways, weights) == pytest.approx(weights @ apart)
    joint = apart * reach
    assert mean_after_deal(definition, reach, ways, values) == pytest.approx(
        (joint * values).sum() / joint.sum()
    )
    counts = apart.sum(axis=0)
    expected = np.where(counts > 0, (apart * values).sum(axis=0) / np.maximum(counts, 1), 0)
    assert means_after_deal(definition, ways, values) == pytest.approx(expected)


def test_a_deal_of_no_cards_is_one_way() -> None:
    assert possible_deals(definition_of(LEDUC), (), 0).shape == (1, 0)
