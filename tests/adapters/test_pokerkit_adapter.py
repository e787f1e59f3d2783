"""Hands as states of PokerKit and back, beside states that PokerKit makes and plays itself."""

from __future__ import annotations

import importlib
import sys
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from acpcbot.errors import UsageError
from acpcbot.logs.match_log import HandRecord
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.dealing import Deal, Dealing
from acpcbot.poker.shipped import SHIPPED_NAMES
from tests.protocol.log_making import hands, match_lines, match_log, played_out
from tests.support.games import (
    KUHN,
    LEDUC,
    LIMIT_2P,
    NOLIMIT_2P,
    NOLIMIT_3P,
    NOLIMIT_6P,
    UNEVEN_3P,
    definition_of,
)

pytest.importorskip("pokerkit")

from pokerkit import Automation, NoLimitTexasHoldem

from acpcbot.adapters.pokerkit import PokerkitRules, hand_of_state, split_evenly, state_of_hand

HOLDEM = [name for name in SHIPPED_NAMES if "holdem" in name]
DUEL = "STATE:4:cr300r20000c///:5d5c|9hQd/8dAs8s/4h/6d:20000|-20000:Big|Button"
AUTOMATIONS = tuple([step for step in Automation if "DEALING" not in step.name])


def one_hand(line: str, name: str = NOLIMIT_2P) -> HandRecord:
    return hands([line], definition_of(name))[0]


def verify_round_trip(played: list[HandRecord]) -> None:
    """Cards, actions, money, numbers and names: the line of a log has them all."""
    for hand in played:
        state = state_of_hand(hand)
        assert not state.status
        assert sum(state.stacks) == pytest.approx(sum(hand.game.definition.stacks))
        again = hand_of_state(state, hand.game, hand_id=hand.hand_id, names=hand.names)
        assert again.text == hand.text
        assert again.values == hand.values
        assert again.deal == hand.deal


@pytest.mark.parametrize("name", HOLDEM)
def test_hands_come_back_as_they_were(name: str) -> None:
    """Catches cards, actions and chips that are lost or changed on either way."""
    verify_round_trip(hands(match_log(name, 60, 5), definition_of(name)))


@pytest.mark.parametrize("blinds", [(60, 110, 10), (100, 100, 100)])
def test_hands_with_antes_come_back_as_they_were(blinds: tuple[int, ...]) -> None:
    """Catches antes that count as bets."""
    seats = (0,) * 4 if len(set(blinds)) == 1 else definition_of(NOLIMIT_3P).first_seats
    definition = replace(definition_of(NOLIMIT_3P), blinds=blinds, first_seats=seats)
    played = hands(match_lines(BettingRules(definition), 60, 5), definition)
    verify_round_trip(played)
    assert state_of_hand(played[0]).antes == (min(blinds),) * 3


@pytest.mark.slow
@pytest.mark.parametrize("name", HOLDEM)
def test_ten_thousand_hands_come_back_as_they_were(name: str) -> None:
    """The rarer ones too, 10,500 in the seven games: side pots, and pots shared by three."""
    assert len(HOLDEM) == 7
    played = hands(match_log(name, 1500, 6), definition_of(name))
    assert len(played) == 1500
    verify_round_trip(played)


def test_a_state_has_pokerkits_players_streets_and_bets() -> None:
    """Catches the button's blind at the wrong player, and bets of the whole hand."""
    state = state_of_hand(one_hand(DUEL))
    assert (state.blinds_or_straddles, state.starting_stacks) == ((50, 100), (20000, 20000))
    assert (state.stacks, state.payoffs) == ([40000, 0], [20000, -20000])
    told = [repr(operation).partition("(")[0] for operation in state.operations]
    assert told.count("BoardDealing") == 3
    raises = [
        (operation.player_index, operation.amount)
        for operation in state.operations
        if type(operation).__name__ == "CompletionBettingOrRaisingTo"
    ]
    assert raises == [(0, 300), (1, 20000)]
    later = state_of_hand(
        one_hand("STATE:0:r300c/cr900c/cc/r3000f:QcKc|4d2h/2c3c8d/Ks/Kd:900|-900:A|B")
    )
    sizes = [getattr(operation, "amount", 0) for operation in later.operations]
    assert {600, 2100} <= set(sizes)
    assert not {900, 3000} & set(sizes)


@pytest.mark.parametrize("name", HOLDEM)
def test_every_decision_is_pokerkits_too(name: str) -> None:
    """Catches another player to act, and raises that only one of the two allows."""
    definition, random = definition_of(name), Random(name)
    kit, dealing = PokerkitRules(definition), Dealing(definition, 3)
    num_decisions = 0
    for _ in range(20):
        deal = dealing.next_deal()
        for betting, _ in played_out(random, kit.betting).decisions():
            state = kit.state(betting, deal)
            num_decisions += 1
            assert kit.table.position(state.actor_index) == betting.actor
            assert state.checking_or_calling_amount == betting.to_call
            assert state.can_complete_bet_or_raise_to() == (betting.raise_range is not None)
            if betting.raise_range is not None and not definition.is_limit:
                spent = betting.spent[betting.actor] - state.bets[state.actor_index]
                assert betting.raise_range == (
                    state.min_completion_betting_or_raising_to_amount + spent,
                    state.max_completion_betting_or_raising_to_amount + spent,
                )
            found, dealt = kit.position(state)
            assert found.text == betting.text
            board = deal.board[: definition.board_size(betting.street)]
            assert dealt == Deal(deal.hole_cards, board)
    assert num_decisions > 50


def pokerkits_own(name: str) -> Any:
    """The no-limit game *name* made by PokerKit's class for it, which burns cards."""
    definition = definition_of(name)
    return NoLimitTexasHoldem.create_state(
        AUTOMATIONS,
        True,
        0,
        sorted(definition.blinds)[-2:],
        100,
        definition.stacks,
        definition.num_players,
        divmod=split_evenly,
    )


def play_in_pokerkit(state: Any, random: Random) -> Any:
    """Play a random hand by PokerKit's rules alone, with its own cards."""
    while state.status:
        if state.can_deal_hole():
            state.deal_hole()
        elif state.can_burn_card():
            state.burn_card()
        elif state.can_deal_board():
            state.deal_board()
        elif state.can_complete_bet_or_raise_to() and random.random() < 0.4:
            smallest = state.min_completion_betting_or_raising_to_amount
            largest = state.max_completion_betting_or_raising_to_amount
            most = min(largest, 4 * smallest) if random.random() < 0.8 else largest
            state.complete_bet_or_raise_to(random.randint(smallest, most))
        elif state.can_fold() and state.checking_or_calling_amount and random.random() < 0.2:
            state.fold()
        else:
            state.check_or_call()
    return state


@pytest.mark.parametrize("name", [NOLIMIT_2P, NOLIMIT_3P, NOLIMIT_6P])
def test_hands_that_pokerkit_plays_have_the_same_results_here(name: str) -> None:
    """Catches what a round trip hides: an error that both ways make. PokerKit deals, plays and
    pays.
    """
    random, rules = Random(name), BettingRules(definition_of(name))
    num_showdowns = 0
    for _ in range(60):
        state = play_in_pokerkit(pokerkits_own(name), random)
        hand = hand_of_state(state, rules)
        by_player = PokerkitRules(rules.definition).table.by_player(hand.values)
        assert by_player == pytest.approx(list(state.payoffs))
        again = state_of_hand(hand)
        assert again.payoffs == pytest.approx(state.payoffs)
        num_showdowns += hand.betting.is_showdown
    assert 10 < num_showdowns < 60


def test_a_state_of_another_game_is_refused() -> None:
    """Catches a hand that is read by the rules of another game."""
    state = play_in_pokerkit(pokerkits_own(NOLIMIT_2P), Random(1))
    for other, words in (
        (NOLIMIT_3P, "number of players: 2"),
        (LIMIT_2P, "stacks"),
        ("flop_holdem.nolimit.2p", "board cards"),
    ):
        with pytest.raises(UsageError, match=words):
            hand_of_state(state, definition_of(other))
    blinds = replace(definition_of(NOLIMIT_2P), blinds=(100, 25))
    with pytest.raises(UsageError, match="blinds") as caught:
        hand_of_state(state, blinds)
    assert caught.value.hint == "expected (25, 100)"


@pytest.mark.parametrize(
    ("name", "changes", "words"),
    [
        (KUHN, {}, "not hold'em"),
        (LEDUC, {}, "not hold'em"),
        (NOLIMIT_2P, {"num_board_cards": (0, 2, 0, 0)}, "not hold'em"),
        (NOLIMIT_3P, {"first_seats": (0, 0, 0, 0)}, "another order"),
        (NOLIMIT_3P, {"first_seats": (2, 0, 1, 0)}, "another order"),
    ],
)
def test_games_that_pokerkit_has_not_are_refused(
    name: str, changes: dict[str, Any], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        PokerkitRules(replace(definition_of(name), **changes))


def test_hands_that_cannot_be_told_are_refused() -> None:
    """Catches half a hand in a log, question marks for cards, and chips of uneven pots."""
    rules = PokerkitRules(definition_of(NOLIMIT_2P))
    deal = one_hand(DUEL).deal
    with pytest.raises(UsageError, match="not over after 'cr300'"):
        hand_of_state(rules.state(rules.betting.parse("cr300"), deal), rules.betting)
    with pytest.raises(UsageError, match="has 0 board cards"):
        rules.state(rules.betting.parse("cc/"), Deal(deal.hole_cards, ()))
    hidden = rules.start()
    hidden.deal_hole("????")
    hidden.deal_hole("????")
    hidden.fold()
    with pytest.raises(UsageError, match="some are unknown"):
        hand_of_state(hidden, rules.betting)
    wrong = replace(one_hand(DUEL), values=(-20000.0, 20000.0))
    with pytest.raises(UsageError, match="the players win"):
        state_of_hand(wrong)
    line = (
        "STATE:12:r200r300r330cr400r470c/r1000c//:5hTc|8d9d|AcJc/Td4sAs/3h/9s:-1000|-330|1330:A|B|C"
    )
    with pytest.raises(UsageError, match="breaks the rules of PokerKit"):
        state_of_hand(one_hand(line, UNEVEN_3P))
    with pytest.raises(UsageError, match="in a match log"):
        hand_of_state(state_of_hand(one_hand(DUEL)), rules.betting, hand_id=-1)


def test_without_pokerkit_the_import_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Catches a traceback where a sentence would do."""
    monkeypatch.setitem(sys.modules, "pokerkit", None)
    monkeypatch.delitem(sys.modules, "acpcbot.adapters.pokerkit")
    with pytest.raises(UsageError, match="needs PokerKit") as caught:
        importlib.import_module("acpcbot.adapters.pokerkit")
    assert "acpcbot[pokerkit]" in caught.value.hint
