"""Laws for every shipped agent that plays by itself: legal in every game, and a function of
seed and decision.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.agents.decision_stream import decision_stream
from acpcbot.agents.names import SHIPPED
from acpcbot.agents.registry import make_agent
from acpcbot.matches.agent import Agent
from acpcbot.poker.shipped import SHIPPED_NAMES
from tests.agents.playing import action_text, decision, decisions, hands
from tests.support.games import ALL_GAMES, KUHN, LEDUC_NOLIMIT, definition_of

SELF_PLAYING = tuple(name for name in SHIPPED if name != "human")


def table_of(game: str, names: list[str], seed: int) -> list[Agent]:
    """Agents of these *names* in turn, one for each position."""
    definition = definition_of(game)
    return [
        make_agent(names[seat % len(names)], definition, seed + seat)
        for seat in range(definition.num_players)
    ]


@pytest.mark.parametrize("name", SELF_PLAYING)
@pytest.mark.parametrize("game", ALL_GAMES)
def test_every_agent_takes_legal_actions_only(game: str, name: str) -> None:
    """Would catch folds where a check is free, and sizes outside the range of short or uneven
    stacks.
    """
    agents = table_of(game, [name, "random"], seed=5)
    for hand in hands(game, 40, seed=11):
        for view, action in decisions(agents, hand):
            view.betting.verify_action(action)
            assert action.raise_to == 0 or not view.definition.is_limit


@pytest.mark.parametrize("game", SHIPPED_NAMES)
def test_new_agents_at_every_decision_play_the_same_match(game: str) -> None:
    """Would catch a stream that runs on from decision to decision, which a resumed match cannot
    repeat.
    """
    names = ["random", "tight"]
    lasting = table_of(game, names, seed=3)
    for kept, renewed in zip(hands(game, 20, seed=2), hands(game, 20, seed=2), strict=True):
        for _ in decisions(lasting, kept):
            pass
        while not renewed.betting.is_over:
            view = renewed.view(renewed.betting.actor)
            renewed.apply(table_of(game, names, seed=3)[view.seat].act(view, 0.0))
        assert kept.betting.text == renewed.betting.text


@given(seed=st.integers(0, 2**64 - 1), hand_id=st.integers(0, 2**32 - 1))
def test_a_random_player_is_a_function_of_seed_and_decision(seed: int, hand_id: int) -> None:
    first, second = (make_agent("random", definition_of(LEDUC_NOLIMIT), seed) for _ in range(2))
    one, other = (
        decision(LEDUC_NOLIMIT, "r300", "Qh", hand_id=hand_id),
        decision(LEDUC_NOLIMIT, "", "As"),
    )
    answer = action_text(first, one)
    action_text(second, other)
    assert action_text(second, one) == answer


def test_seed_hand_seat_and_number_of_actions_each_change_the_stream() -> None:
    """Would catch a part left out of the stream's seeds: two decisions would share their luck."""
    state = decision(KUHN, "c", "Qs", hand_id=1)
    others = [
        (1, decision(KUHN, "c", "Qs", hand_id=2)),
        (2, state),
        (1, decision(KUHN, "cr", "Qs", hand_id=1)),
        (1, decision(KUHN, "", "Qs", hand_id=1)),
    ]
    drawn = {decision_stream(1, state).bits()} | {
        decision_stream(seed, other).bits() for seed, other in others
    }
    assert len(drawn) == 5


def test_no_limit_sizes_do_not_count_as_actions() -> None:
    """Would catch a count of characters, under which r300 would be four actions."""
    short, long = decision(LEDUC_NOLIMIT, "r300", "Qh"), decision(LEDUC_NOLIMIT, "r1100", "Qh")
    assert decision_stream(1, short).bits() == decision_stream(1, long).bits()
