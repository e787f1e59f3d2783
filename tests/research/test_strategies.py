"""``acpcbot.load_strategy``, and its tables against OpenSpiel's own evaluation."""

from __future__ import annotations

import sys
from fractions import Fraction

import numpy as np
import pytest

import acpcbot
from acpcbot.errors import AcpcbotError, ProtocolError, UnknownStrategy, UsageError
from acpcbot.research.openspiel import SPIEL_NAMES

LEDUC = "leduc.limit.2p/dcfr"


def test_a_decision_has_a_row_for_every_hand() -> None:
    """Catches hands and rows in different orders: with an ace Kuhn's player never folds, with a
    jack it never calls.
    """
    strategy = acpcbot.load_strategy("kuhn.limit.2p/dcfr")
    decision = strategy.decision("r")
    assert decision.actions == ("fold", "call")
    best, middle, worst = decision.hands
    assert decision[best]["call"] == pytest.approx(1, abs=1e-5)
    assert decision[worst]["fold"] == pytest.approx(1, abs=1e-5)
    assert 0.3 < decision[middle]["call"] < 0.4  # one third in every equilibrium
    assert np.isnan(decision[best].ev_chips)
    assert decision.weights.sum(axis=1) == pytest.approx([1, 1])


def test_weights_are_those_of_the_own_play() -> None:
    """Catches ranges that stay as they were dealt: who raised holds other hands than who could."""
    strategy = acpcbot.load_strategy(LEDUC)
    start, raised = strategy.decision(), strategy.decision("rc/", "Qs")
    before = start[raised.hands[0]]
    expected = before["bet 2"] / start.frequencies[start.actions.index("bet 2")]
    held = [raised.weights[0, raised.hands.index(hand)] for hand in ("Ks", "Kh")]
    assert held[0] == held[1]
    assert raised.street == "flop"
    assert "Qs" not in raised.hands
    assert raised.weights[0].sum() == pytest.approx(1)
    assert expected > 0


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("kuhn.limit.2p/dcfr", None),
        ("kuhn.limit.3p/dcfr", None),
        (LEDUC, None),
        ("tight", "kuhn.limit.2p"),
        ("tight", "leduc.limit.2p"),
    ],
)
def test_openspiel_agrees_about_a_loaded_strategy(name: str, game: str | None) -> None:
    """Catches an action or a card that stands for another one there."""
    import pyspiel

    strategy = acpcbot.load_strategy(name, game=game)
    policy = pyspiel.TabularPolicy(strategy.openspiel_policy())
    spiel_game = pyspiel.load_game(SPIEL_NAMES[strategy.game_name])
    found = acpcbot.exploitability(strategy)
    big_blind = strategy.definition.big_blind
    nash_conv = pyspiel.nash_conv(spiel_game, policy) / big_blind
    assert found.nash_conv_mbb == pytest.approx(1000 * nash_conv, rel=1e-3, abs=1e-7)
    returns = pyspiel.expected_returns(spiel_game.new_initial_state(), policy, -1, True)
    assert found.values_mbb == pytest.approx([1000 * value / big_blind for value in returns])


def test_openspiels_own_class_of_policies_takes_it_too() -> None:
    """Catches rows that are no probabilities, or information states that nobody asks for."""
    import pyspiel
    from open_spiel.python import policy as spiel_policies
    from open_spiel.python.algorithms import exploitability as spiel_exploitability

    found = acpcbot.load_strategy("kuhn.limit.2p/dcfr").openspiel_policy()
    game = pyspiel.load_game("kuhn_poker")
    table = spiel_policies.TabularPolicy(game)
    assert found.keys() == table.state_lookup.keys()
    for state, row in found.items():
        for action, probability in row:
            table.policy_for_key(state)[action] = probability
    assert spiel_exploitability.exploitability(game, table) < 1e-5


def test_the_way_of_playing_is_part_of_a_strategys_name() -> None:
    """Catches settings that are read and forgotten."""
    decision = acpcbot.load_strategy(f"{LEDUC}?play=purified").decision()
    assert set(decision.probabilities.ravel().tolist()) == {0.0, 1.0}


def test_those_that_see_no_cards_need_a_game() -> None:
    """Catches a default that nobody asked for."""
    with pytest.raises(UsageError, match="call plays any game"):
        acpcbot.load_strategy("call")
    strategy = acpcbot.load_strategy("call", game="leduc.limit.2p")
    assert strategy.decision()["K"].probabilities == (1.0,)
    assert repr(strategy) == "<Strategy call of leduc.limit.2p: call>"


def test_a_strategy_is_one_line_and_a_table() -> None:
    """Catches a snapshot that prints its arrays."""
    strategy = acpcbot.load_strategy(LEDUC)
    assert repr(strategy).startswith(f"<Strategy {LEDUC} of leduc.limit.2p: dcfr, 2,000,000 steps")
    assert "bet 2" in strategy._repr_html_()
    assert "nan" not in strategy._repr_html_()


def test_faults_of_loading_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Catches a traceback where a sentence would do."""
    strategy = acpcbot.load_strategy(LEDUC)
    with pytest.raises(UnknownStrategy, match="nobody"):
        acpcbot.load_strategy("nobody/there")
    with pytest.raises(UsageError, match=r"plays leduc.limit.2p, and not kuhn.limit.2p"):
        acpcbot.load_strategy(LEDUC, game="kuhn.limit.2p")
    with pytest.raises(ProtocolError):
        strategy.decision("x")
    with pytest.raises(UsageError, match="the hand is over"):
        strategy.decision("rf")
    with pytest.raises(UsageError, match="a board of 0 cards"):
        strategy.decision("rc/")
    with pytest.raises(UsageError, match=r"no counterpart in OpenSpiel"):
        acpcbot.load_strategy("leduc.nolimit.2p/external_sampling").openspiel_policy()
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(UsageError, match="needs OpenSpiel") as caught:
        strategy.openspiel_policy()
    assert "acpcbot[openspiel]" in caught.value.hint
    assert issubclass(UsageError, AcpcbotError)


def test_kuhns_value_is_a_eighteenth() -> None:
    """Catches units: the first player loses 1/18 of an ante a hand."""
    found = acpcbot.exploitability("kuhn.limit.2p/dcfr")
    assert found.values_mbb[0] == pytest.approx(float(-1000 * Fraction(1, 18)), abs=1e-3)
