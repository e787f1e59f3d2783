"""The four players that do not look at their cards."""

from __future__ import annotations

from collections import Counter

import pytest

from acpcbot.agents.baseline import CallAgent, FoldAgent, RaiseAgent, RandomAgent
from tests.agents.playing import action_text, decision
from tests.support.games import KUHN, LEDUC_NOLIMIT, LIMIT_2P, NOLIMIT_2P, definition_of

NUM_DRAWS = 3000


@pytest.mark.parametrize(
    ("game", "betting", "call", "fold", "raised"),
    [
        (KUHN, "", "c", "c", "r"),
        (KUHN, "r", "c", "f", "c"),
        (LIMIT_2P, "", "c", "f", "r"),
        (LIMIT_2P, "rrr", "c", "f", "c"),
        (LIMIT_2P, "rc/", "c", "c", "r"),
        (NOLIMIT_2P, "", "c", "f", "r200"),
        (NOLIMIT_2P, "r500", "c", "f", "r900"),
        (NOLIMIT_2P, "r20000", "c", "f", "c"),
        (NOLIMIT_2P, "r15000", "c", "f", "r20000"),
    ],
)
def test_the_fixed_players_do_the_one_thing_as_far_as_it_is_legal(
    game: str, betting: str, call: str, fold: str, raised: str
) -> None:
    definition = definition_of(game)
    state = decision(game, betting, "As" if game == KUHN else "AsAd")
    assert action_text(CallAgent(definition, 1), state) == call
    assert action_text(FoldAgent(definition, 1), state) == fold
    assert action_text(RaiseAgent(definition, 1), state) == raised


@pytest.mark.parametrize(
    ("game", "betting", "kinds"), [(LIMIT_2P, "", "cfr"), (KUHN, "", "cr"), (KUHN, "r", "cf")]
)
def test_a_random_player_takes_every_legal_kind_equally_often(
    game: str, betting: str, kinds: str
) -> None:
    """Would catch kinds weighted by the list of legal actions, which names two raises in
    no-limit.
    """
    counts = random_actions(game, betting)
    assert "".join(sorted(counts)) == kinds
    assert all(abs(count - NUM_DRAWS / len(kinds)) < 130 for count in counts.values())


def test_a_random_player_raises_as_often_as_it_calls_in_no_limit_games() -> None:
    counts = random_actions(LEDUC_NOLIMIT, "r300")
    raises = NUM_DRAWS - counts["c"] - counts["f"]
    assert all(abs(count - 1000) < 130 for count in (raises, counts["c"], counts["f"]))


def test_random_sizes_are_spread_evenly_over_the_legal_range() -> None:
    """Would catch a range that lacks an end, or a liking for small sizes."""
    actions = random_actions(LEDUC_NOLIMIT, "r1000c/cr1195")
    assert {text for text in actions if text[0] == "r"} == {"r1200"}
    sizes = [
        int(text[1:]) for text in random_actions(LEDUC_NOLIMIT, "c").elements() if text[0] == "r"
    ]
    assert 200 <= min(sizes) < 210
    assert 1190 < max(sizes) <= 1200
    assert abs(sum(sizes) / len(sizes) - 700) < 40


def random_actions(game: str, betting: str) -> Counter[str]:
    """Return how often each action comes up at one decision of many hands."""
    agent = RandomAgent(definition_of(game), seed=4)
    states = (decision(game, betting, "As", hand_id=hand_id) for hand_id in range(NUM_DRAWS))
    return Counter(action_text(agent, state) for state in states)
