"""Payoffs of finished hands: recorded values, known side pots, another library's pots, laws."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.cards.any_strength import strength
from acpcbot.cards.deck import parse_cards
from acpcbot.jit import kernel
from acpcbot.poker import rules
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.dealing import Dealing
from acpcbot.poker.payoffs import fill_values, payoffs
from tests.support.games import (
    ALL_GAMES,
    KUHN,
    LEDUC,
    LIMIT_3P,
    NOLIMIT_2P,
    NOLIMIT_3P,
    NOLIMIT_6P,
    SPLIT_4P,
    UNEVEN_3P,
    definition_of,
    rules_of,
)
from tests.support.gold import BOTH_SETS, gold_rows
from tests.support.playouts import Playout, play, playouts, random_action
from tests.support.pokerkit_table import PokerkitTable

Cards = tuple[int, ...]


def split_cards(text: str) -> tuple[tuple[Cards, ...], Cards]:
    """The hole cards and the board of a cards field."""
    holes, *boards = text.split("/")
    return tuple(map(parse_cards, holes.split("|"))), parse_cards("".join(boards))


def values(name: str, betting: str, cards: str) -> tuple[float, ...]:
    return payoffs(rules_of(name).parse(betting), *split_cards(cards))


# Known values.


@BOTH_SETS
def test_recorded_hands_are_worth_what_the_official_dealer_paid(gold: Path) -> None:
    for row in gold_rows(gold, "value.jsonl"):
        _, _, text, cards = row["state"].split(":")
        betting = rules_of(row["game"]).parse(text)
        assert (list(betting.spent), list(map(int, betting.folded))) == (
            row["spent"],
            row["folded"],
        ), row
        found = payoffs(betting, *split_cards(cards))
        assert [round(value, 6) for value in found] == [
            round(value, 6) for value in row["values"]
        ], row


def test_the_recorded_hands_hold_splits_side_pots_and_broken_chips() -> None:
    rows = gold_rows(Path(__file__).parents[1] / "data" / "gold", "value.jsonl")
    staying = [
        [s for s, folded in zip(row["spent"], row["folded"], strict=True) if not folded]
        for row in rows
    ]
    assert sum(len(set(spent)) > 1 for spent in staying) >= 10
    assert sum(len([value for value in row["values"] if value > 0]) > 1 for row in rows) >= 10
    assert any(value != int(value) for row in rows for value in row["values"])


@pytest.mark.parametrize(
    ("name", "betting", "cards", "expected"),
    [
        (KUHN, "rc", "Ks|As", (-2, 2)),
        (KUHN, "crf", "Ks|As", (-1, 1)),
        (LEDUC, "cc/rc", "Kh|Ah/Ks", (5, -5)),
        (LEDUC, "cc/rc", "Kh|Ks/Ah", (0, 0)),
        (LIMIT_3P, "rff", "AsAh|KsKh|2c3d", (-5, -10, 15)),
        (NOLIMIT_2P, "r20000c///", "AsKs|AhKh/2c3d4c/5d/9h", (0, 0)),
        (NOLIMIT_3P, "r20000cc///", "AsKs|AhKh|QcQd/2c3d4c/5d/9h", (10000, 10000, -20000)),
        (UNEVEN_3P, "r1000cc///", "2c7d|AsAh|KsKh/3d4c9s/Jc/Jd", (-1000, 660, 340)),
        (UNEVEN_3P, "r1000cc///", "KsKh|AsAh|2c7d/3d4c9s/Jc/Jd", (340, 660, -1000)),
        (UNEVEN_3P, "r1000cc///", "KsKh|2c7d|KcKd/3d4c9s/Jc/Jd", (165, -330, 165)),
        (UNEVEN_3P, "r5000fc///", "2c7d|KsKh|AsAh/3d4c9s/Jc/Jd", (-50, -330, 380)),
        (UNEVEN_3P, "r5000fc///", "2c7d|AsAh|KsKh/3d4c9s/Jc/Jd", (-50, 380, -330)),
        (SPLIT_4P, "rfcc", "As|Kd|Ad|Ah", (1 / 3, -1, 1 / 3, 1 / 3)),
    ],
)
def test_known_payoffs_of_side_pots(
    name: str, betting: str, cards: str, expected: tuple[float, ...]
) -> None:
    assert values(name, betting, cards) == expected


def test_no_cards_are_looked_at_when_all_but_one_folded() -> None:
    assert payoffs(rules_of(LIMIT_3P).parse("rff"), ((), (), ()), ()) == (-5, -10, 15)


# Another library's side pots.


@pytest.mark.parametrize("num_hands", [60, pytest.param(400, marks=pytest.mark.slow)])
def test_side_pots_of_six_uneven_stacks_agree_with_pokerkit(num_hands: int) -> None:
    pytest.importorskip("pokerkit")
    random, num_side_pots = Random(6), 0
    for seed in range(num_hands):
        stacks = tuple(
            random.choice((150, 400, 1000, 3000, random.randint(101, 5000))) for _ in range(6)
        )
        definition = replace(definition_of(NOLIMIT_6P), stacks=stacks)
        deal = Dealing(definition, seed).next_deal()
        table, betting = PokerkitTable(stacks, deal), BettingRules(definition).start
        while not betting.is_over:
            assert table.state.actor_index == betting.actor
            betting = betting.apply(table.offer(random_action(random, betting.legal_actions(), 2)))
        assert table.is_over
        assert payoffs(betting, deal.hole_cards, deal.board) == pytest.approx(
            table.values, abs=1e-9
        ), betting
        num_side_pots += betting.is_showdown and len(set(betting.spent)) > 3
    assert num_side_pots > num_hands / 2


# The plain text compiled.


@kernel
def compiled_values(game: Any, state: Any, strengths: Any, values: Any) -> None:
    fill_values(game, state, strengths, values)


@pytest.mark.parametrize("name", ALL_GAMES)
def test_compiled_payoffs_are_the_interpreted_ones_to_the_bit(name: str) -> None:
    random, dealing = Random(name), Dealing(definition_of(name), 5)
    for _ in range(60):
        end, deal = play(random, rules_of(name)).end, dealing.next_deal()
        strengths = np.array([strength((*held, *deal.board)) for held in deal.hole_cards], np.int64)
        values = np.full(len(strengths), 99.0)
        compiled_values(np.array(end.game.vector), np.array(end.vector), strengths, values)
        assert tuple(values.tolist()) == payoffs(end, deal.hole_cards, deal.board)


# Laws.


@given(playouts(), st.integers(0, 2**32 - 1))
def test_payoffs_add_up_to_nothing(playout: Playout, seed: int) -> None:
    end, deal = playout.end, Dealing(playout.game.definition, seed).next_deal()
    found = payoffs(end, deal.hole_cards, deal.board)
    assert sum(found) == pytest.approx(0, abs=1e-9)
    for value, spent, has_folded in zip(found, end.spent, end.folded, strict=True):
        assert -spent <= value <= end.pot - spent
        assert value == -spent or not has_folded


Pots = list[tuple[int, bool, int]]
"""Chips, whether folded, and strength, for each seat."""


def is_possible(pots: Pots) -> bool:
    """Return True if a player who stays has put in the largest bet, which cannot fold."""
    return max((spent for spent, has_folded, _ in pots if not has_folded), default=0) == max(
        spent for spent, _, _ in pots
    )


pots_of_seats = st.lists(
    st.tuples(st.integers(0, 12), st.booleans(), st.integers(0, 3)), min_size=2, max_size=10
).filter(is_possible)


def filled(pots: Pots) -> list[float]:
    game, state = [0] * rules.GAME_LENGTH, [0] * rules.STATE_LENGTH
    game[rules.NUM_PLAYERS] = len(pots)
    for seat, (spent, has_folded, _) in enumerate(pots):
        state[rules.SPENT + seat], state[rules.FOLDED + seat] = spent, int(has_folded)
    values = [99.0] * len(pots)
    fill_values(game, state, [strength for _, _, strength in pots], values)
    return values


def slowly_filled(pots: Pots) -> list[Fraction]:
    """The same chip by chip: each player's n-th chip goes into the n-th pot."""
    values = [Fraction(-spent) for spent, _, _ in pots]
    for chip in range(max(spent for spent, _, _ in pots)):
        sharers = [seat for seat, (spent, _, _) in enumerate(pots) if spent > chip]
        staying = [seat for seat in sharers if not pots[seat][1]]
        best = max(pots[seat][2] for seat in staying)
        winners = [seat for seat in staying if pots[seat][2] == best]
        for seat in winners:
            values[seat] += Fraction(len(sharers), len(winners))
    return values


@given(pots_of_seats)
def test_layers_of_chips_share_as_single_chips_do(pots: Pots) -> None:
    assert filled(pots) == pytest.approx(list(map(float, slowly_filled(pots))), abs=1e-9)


@given(pots_of_seats, st.randoms())
def test_permuting_the_seats_permutes_the_payoffs(pots: Pots, random: Random) -> None:
    order = list(range(len(pots)))
    random.shuffle(order)
    moved = filled([pots[seat] for seat in order])
    assert moved == pytest.approx([filled(pots)[seat] for seat in order], abs=1e-9)


@given(pots_of_seats, st.integers(0, 9))
def test_a_better_hand_never_wins_less(pots: Pots, seat: int) -> None:
    seat %= len(pots)
    spent, has_folded, strength = pots[seat]
    better = [*pots[:seat], (spent, has_folded, strength + 1), *pots[seat + 1 :]]
    assert filled(better)[seat] >= filled(pots)[seat] - 1e-9
