"""The table as text in games of other shapes than heads-up no-limit (for that see test_human)."""

from __future__ import annotations

from hypothesis import given

from acpcbot.agents.human import result_text, turn_text
from acpcbot.cards.deck import parse_cards
from acpcbot.poker.betting import BettingState
from acpcbot.poker.payoffs import payoffs
from acpcbot.protocol.messages import MatchState
from tests.agents.playing import decision
from tests.support.games import KUHN, LIMIT_3P, rules_of
from tests.support.playouts import betting_states


def test_a_limit_table_names_the_fixed_raise_and_no_unlimited_stacks() -> None:
    assert turn_text(decision(LIMIT_3P, "fr", "AsKs")) == (
        "hand 0: you are seat 2 of 3\n"
        "  you hold      As Ks\n"
        "  seat 1        20 in\n"
        "  seat 2 (you)  10 in\n"
        "  seat 3        0 in, folded\n"
        "  preflop       seat 3 folds, seat 1 raises to 20\n"
        "  pot           30, 10 to call\n"
        "  you may       f (fold), c (call 10), r (raise to 30)\n"
    )


def test_a_free_decision_offers_no_fold() -> None:
    assert turn_text(decision(KUHN, "", "Qs")).endswith(
        "  pot           2, nothing to call\n  you may       c (check), r (raise to 2)\n"
    )


def test_a_split_pot_is_told_as_won_by_nobody() -> None:
    betting = rules_of(LIMIT_3P).parse("fcc/cc/cc/cc")
    cards = tuple(map(parse_cards, ("AcKc", "AdKd", "")))
    state = MatchState(0, 3, betting, cards, parse_cards("2s3s4h9hTh"), "")
    told = result_text(state, payoffs(betting, cards, state.board))
    assert told.count("shows A") == told.count("wins nothing") - 1 == 2
    assert "seat 3        folded, wins nothing" in told


@given(betting=betting_states())
def test_every_state_of_every_game_can_be_told(betting: BettingState) -> None:
    """Would catch streets without a name, and all-in hands whose replay goes wrong."""
    num_players = betting.game.definition.num_players
    state = MatchState(0, 1, betting, ((),) * num_players, (), "")
    told = result_text(state, [0.0] * num_players) if betting.is_over else turn_text(state)
    assert told.count("seat ") >= num_players
