"""Local best response: what it wins from players whom it should beat, and what it must not do."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat import IMAGINARY, PlayedHand, estimate
from acpcbot.evaluation.arena_deals import ArenaDealer
from acpcbot.evaluation.known_strategies import find_strategy
from acpcbot.evaluation.lbr_match import Contest, play_contest, play_match
from acpcbot.evaluation.lbr_menus import MENUS
from acpcbot.evaluation.local_best_response import LocalBestResponse
from acpcbot.evaluation.showdowns import end_values
from acpcbot.poker.dealing import Deal, Dealing
from acpcbot.poker.hands import hands_without
from acpcbot.poker.payoffs import payoffs
from acpcbot.rng import Stream
from tests.support.games import LEDUC, LIMIT_2P, LIMIT_3P, NOLIMIT_2P, definition_of

few_or_many = pytest.mark.parametrize("num_hands", [50, pytest.param(300, marks=pytest.mark.slow)])


@cache
def deals_of(game: str, num_hands: int) -> list[Deal]:
    """The deals of the hands below."""
    dealing = Dealing(definition_of(game), 1)
    return [dealing.next_deal() for _ in range(num_hands)]


@cache
def played(game: str, target: str, menu: str, num_hands: int) -> list[tuple[PlayedHand, float]]:
    """Hands in both seats, and what local best response won with them, in big blinds."""
    definition, found = definition_of(game), []
    player = LocalBestResponse(definition, find_strategy(target, ArenaDealer(definition)), menu)
    for number, deal in enumerate(deals_of(game, num_hands)):
        seat = number % 2
        hand = player.play(deal, seat, Stream(1, number))
        won = payoffs(hand.betting, hand.hole_cards, hand.board)[seat] / definition.big_blind
        found.append((hand, won))
    return found


@pytest.mark.parametrize(("game", "menu"), [(LIMIT_2P, "limit"), (NOLIMIT_2P, "fc")])
def test_who_always_folds_loses_his_blinds_and_nothing_more(game: str, menu: str) -> None:
    won = [won for _, won in played(game, "fold", menu, 40)]
    assert min(won) >= -1
    if menu == "limit":
        # Every raise wins; without one the hand is checked down.
        assert np.mean(won) == pytest.approx(0.75, abs=0.01)


@few_or_many
def test_against_calls_it_bets_when_it_is_ahead(num_hands: int) -> None:
    """Betting always, or never, wins nothing from who always calls."""
    assert np.mean([won for _, won in played(LIMIT_2P, "call", "limit", num_hands)]) > 0.6


@few_or_many
def test_against_raises_it_waits_for_a_good_hand(num_hands: int) -> None:
    hands = played(LIMIT_2P, "raise", "limit", num_hands)
    assert np.mean([won for _, won in hands]) > 1.0
    assert any(hand.betting.folded[number % 2] for number, (hand, _) in enumerate(hands))


@pytest.mark.parametrize("menu", ["fc", "fcpa", "2r56bets", "1r56bets"])
def test_it_bets_what_its_menu_has_and_nothing_else(menu: str) -> None:
    streets: dict[int, set[str]] = {}
    for number, (hand, _) in enumerate(played(NOLIMIT_2P, "call", menu, 30)):
        for betting, action in hand.betting.decisions():
            if betting.actor == number % 2:
                streets.setdefault(betting.street, set()).add(action.text[0])
    for street, actions in streets.items():
        bets = MENUS[menu][street]
        allowed = {"c"} if bets is None else {"f", "c", "r"} if bets else {"f", "c"}
        assert actions <= allowed


@pytest.mark.parametrize(("game", "menu"), [(LEDUC, "limit"), (LIMIT_3P, "limit"), (LIMIT_2P, "every")])
def test_what_it_cannot_play_is_refused(game: str, menu: str) -> None:
    definition = definition_of(game)
    with pytest.raises(UsageError):
        LocalBestResponse(definition, find_strategy("call", ArenaDealer(definition)), menu)


def test_a_match_counts_each_deal_in_both_seats() -> None:
    """Who always folds loses 3/4 of a big blind on average; guesses that expect him to stay only add noise."""
    told: list[tuple[int, int]] = []
    seats = Contest(definition_of(LIMIT_2P), "fold", "limit").seats()
    won = play_match(seats, 25, 1, lambda done, total: told.append((done, total)))
    assert abs(won.mean_mbb - 750) < 2 * won.half_width_mbb < 1000
    assert told[-1] == (25, 25)


@pytest.mark.parametrize(
    ("game", "target", "menu"), [(LIMIT_2P, "call", "limit"), (LIMIT_2P, "raise", "limit"), (NOLIMIT_2P, "raise", "fc")]
)
@few_or_many
def test_luck_that_is_taken_out_leaves_the_mean_and_narrows_the_interval(
    game: str, target: str, menu: str, num_hands: int
) -> None:
    """Hand by hand beside the mean over the target's hands alone, which is what it won but for its own cards."""
    definition = definition_of(game)
    seats, plain, luckless = Contest(definition, target, menu).seats(), [], []
    for number, (hand, _) in enumerate(played(game, target, menu, num_hands)):
        deal, seat = deals_of(game, num_hands)[number], number % 2
        known = {1 - seat: seats.player.target}
        plain.append(-estimate(hand, 1 - seat, known, None, IMAGINARY) / definition.big_blind)
        luckless.append(seats.won_chips(deal, seat, Stream(1, number))[0] / definition.big_blind)
    differences = np.subtract(plain, luckless)
    assert abs(differences.mean()) < 4 * differences.std(ddof=1) / len(differences) ** 0.5
    assert np.std(luckless) < 0.7 * np.std(plain)


def test_on_the_last_street_the_guess_is_what_comes_of_it() -> None:
    """Who may but call or fold ends the hand there, as was foreseen: with every hand of the target."""
    definition = definition_of(NOLIMIT_2P)
    seats, num_checked = Contest(definition, "raise", "fc").seats(), 0
    for number, (hand, _) in enumerate(played(NOLIMIT_2P, "raise", "fc", 50)):
        seat = number % 2
        view, last = hand.view(1 - seat), [step for step in hand.betting.decisions() if step[0].actor != seat][-1]
        if len(hand.board) == 5 and last[0].street == 3:
            found = seats.values.after_actions(view, last[0], hand.board, [last[1]])[:, 0]
            ends = end_values(hand.betting, view.hole_cards, 1 - seat, hand.board)
            free = hands_without(definition, (*hand.board, *hand.hole_cards[seat]))
            np.testing.assert_allclose(found[free], ends[free], atol=1e-3)
            num_checked += 1
    assert num_checked > 10


@pytest.mark.slow
def test_the_same_seed_plays_the_same_match() -> None:
    seats = Contest(definition_of(LIMIT_2P), "random", "limit").seats()
    assert play_match(seats, 10, 1) == play_match(seats, 10, 1) != play_match(seats, 10, 2)


@pytest.mark.slow
def test_a_match_is_the_same_however_many_processes_play_it() -> None:
    """Catches deals that are left out, played twice or drawn for with another seed: there are two blocks of them."""
    contest = Contest(definition_of(LIMIT_2P), "random", "limit")
    assert play_contest(contest, 60, 1, 2) == play_match(contest.seats(), 60, 1)
