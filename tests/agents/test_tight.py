"""The tight player's decisions one by one, and its winnings against everyone simpler."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import mean, stdev

import numpy as np
import pytest

from acpcbot.agents.registry import make_agent
from acpcbot.agents.tight import TightAgent, TightSettings, pot_odds, win_probability
from acpcbot.agents.tight_strategy import TightStrategy
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import parse_definition
from acpcbot.poker.hands import all_hands, hand_number, hands_without
from tests.agents.playing import action_text, decision, decisions, duplicate_values, hands
from tests.support.games import (
    KUHN,
    LEDUC,
    LEDUC_NOLIMIT,
    LIMIT_2P,
    NOLIMIT_2P,
    NOLIMIT_6P,
    definition_of,
)

HONEST = TightSettings(bluff_share=0.0)
NUM_DEALS, NUM_DEALS_OF_THREE_CARDS = 400, 800
STANDARD_ERRORS = 5
NUM_HANDS, NUM_HELD, NUM_SEEDS = 30, 25, 4000


@pytest.mark.parametrize(
    ("game", "betting", "cards", "board", "action"),
    [
        (KUHN, "", "Qs", "", "c"),
        (KUHN, "", "As", "", "r"),
        (KUHN, "r", "Qs", "", "f"),
        (KUHN, "r", "Ks", "", "c"),
        (KUHN, "r", "As", "", "c"),
        ("kuhn.limit.3p", "r", "Qs", "", "f"),
        ("kuhn.limit.3p", "", "As", "", "r"),
        (LEDUC, "", "Kh", "", "c"),
        (LEDUC, "r", "Qh", "", "f"),
        (LEDUC, "r", "As", "", "r"),
        (LEDUC, "rc/", "Qs", "Qh", "r"),
        (LEDUC, "rc/r", "As", "Kh", "c"),
        (LEDUC, "rc/r", "Qs", "Kh", "f"),
        (LEDUC_NOLIMIT, "r1200", "Ks", "", "f"),
        (LEDUC_NOLIMIT, "r1200", "As", "", "c"),
        (LIMIT_2P, "", "AsAd", "", "r"),
        (LIMIT_2P, "rrr", "AsAd", "", "c"),
        (LIMIT_2P, "r", "7s2d", "", "f"),
        (LIMIT_2P, "c", "7s2d", "", "c"),
        (LIMIT_2P, "cc/r", "9s8d", "Ah7d2c", "f"),
        (LIMIT_2P, "cc/r", "AsTd", "Ah7d2c", "r"),
        (NOLIMIT_2P, "", "AsKd", "", "r250"),
        (NOLIMIT_2P, "r300", "AsAd", "", "r750"),
        (NOLIMIT_2P, "r20000", "AsAd", "", "c"),
        (NOLIMIT_2P, "r20000", "Ks9d", "", "f"),
        (NOLIMIT_2P, "r300c/", "AsAd", "Ah7d2c", "r750"),
        (NOLIMIT_2P, "r300c/r600", "9s8d", "Ah7d2c", "f"),
        (NOLIMIT_2P, "r300c/r17000", "AsAd", "Ah7d2c", "r20000"),
        (NOLIMIT_6P, "", "7s6d", "", "f"),
        (NOLIMIT_6P, "", "AsAd", "", "r288"),
    ],
)
def test_known_decisions_of_the_tight_player(
    game: str, betting: str, cards: str, board: str, action: str
) -> None:
    agent = TightAgent(definition_of(game), 1, HONEST)
    assert action_text(agent, decision(game, betting, cards, board)) == action


def test_every_opponent_left_lowers_the_winning_probability() -> None:
    """Would catch a chance that counts players who have folded."""
    first, last = decision(NOLIMIT_6P, "", "KsQd"), decision(NOLIMIT_6P, "ffff", "KsQd")
    assert win_probability(first) == pytest.approx(win_probability(last) ** 5)


def test_pot_odds_leave_out_chips_that_the_caller_cannot_win() -> None:
    """Would catch a short stack that thinks it plays for the big stacks' side pot."""
    game = parse_definition(
        "nolimit\nnumPlayers = 3\nnumRounds = 1\nstack = 100 1000 1000\nblind = 10 0 0\nfirstPlayer = 2\n"
        "numSuits = 4\nnumRanks = 13\nnumHoleCards = 1\nnumBoardCards = 0\n"
    )
    short_stack_to_act = BettingRules(game).parse("r1000c")
    assert short_stack_to_act.to_call == 90
    assert pot_odds(short_stack_to_act) == pytest.approx(90 / 300)


def test_a_small_seeded_share_of_hopeless_hands_is_raised() -> None:
    """Would catch bluffs that never come, come always, or come for the same hands whatever the
    seed.
    """
    bluffs = []
    for seed in (1, 2):
        agent = TightAgent(definition_of(KUHN), seed)
        states = [decision(KUHN, "", "Qs", hand_id=hand_id) for hand_id in range(1000)]
        bluffs.append([state.hand_id for state in states if action_text(agent, state) == "r"])
    assert all(20 < len(hand_ids) < 90 for hand_ids in bluffs)
    assert bluffs[0] != bluffs[1]


def test_nobody_is_bluffed_after_a_raise() -> None:
    agent = TightAgent(definition_of(LEDUC), 1, TightSettings(bluff_share=1.0))
    assert action_text(agent, decision(LEDUC, "", "Qs")) == "r"
    assert action_text(agent, decision(LEDUC, "r", "Qs")) == "f"


@pytest.mark.parametrize("opponent", ["random", "call", "raise", "fold"])
@pytest.mark.parametrize("game", [LIMIT_2P, NOLIMIT_2P, KUHN, LEDUC, LEDUC_NOLIMIT])
def test_it_clearly_beats_every_simpler_player(game: str, opponent: str) -> None:
    """Would catch a percentile the wrong way round, and play so tight that the blinds eat it."""
    definition = definition_of(game)
    agents = make_agent("tight", definition, 1), make_agent(opponent, definition, 2)
    num_deals = NUM_DEALS_OF_THREE_CARDS if game == KUHN else NUM_DEALS
    values = duplicate_values(game, *agents, num_hands=num_deals, seed=7)
    assert mean(values) > STANDARD_ERRORS * stdev(values) / len(values) ** 0.5


@pytest.mark.parametrize(
    "game", [KUHN, "kuhn.limit.3p", LEDUC, LEDUC_NOLIMIT, LIMIT_2P, NOLIMIT_2P, NOLIMIT_6P]
)
def test_its_strategy_tells_for_every_hand_what_the_agent_does_with_it(game: str) -> None:
    definition = definition_of(game)
    agent, strategy = TightAgent(definition, 1, HONEST), TightStrategy(definition, HONEST)
    others = [make_agent("random", definition, seed) for seed in range(definition.num_players)]
    for hand in hands(game, NUM_HANDS, seed=5):
        for view, _ in decisions(others, hand):
            table = strategy.table(view.betting, view.board)
            free = np.flatnonzero(hands_without(definition, view.board))
            for number in free[:: max(1, len(free) // NUM_HELD)].tolist():
                cards = all_hands(definition)[number].tolist()
                held: list[tuple[int, ...]] = [()] * definition.num_players
                held[view.seat] = tuple(cards)
                action = agent.act(replace(view, hole_cards=tuple(held)), math.inf)
                assert table.probabilities[number, table.actions.index(action)] == 1
            assert (table.probabilities.sum(axis=1) == 1).all()


def test_its_strategy_bluffs_as_often_as_the_agent() -> None:
    definition, state = definition_of(KUHN), decision(KUHN, "", "Qs")
    table = TightStrategy(definition).table(state.betting, ())
    agents = [TightAgent(definition, seed) for seed in range(NUM_SEEDS)]
    bluffs = mean([action_text(agent, state) == "r" for agent in agents])
    raising = [action.text for action in table.actions].index("r")
    number = hand_number(definition, state.own_cards)
    share = table.probabilities[number, raising]
    assert share == pytest.approx(TightSettings().bluff_share)
    assert abs(bluffs - share) < STANDARD_ERRORS * (share * (1 - share) / NUM_SEEDS) ** 0.5
    after_raise = TightStrategy(definition).table(decision(KUHN, "r", "Qs").betting, ())
    assert [action.text for action in after_raise.actions] == ["f", "c"]
