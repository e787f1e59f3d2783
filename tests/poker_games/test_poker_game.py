"""Poker games as research games, beside the hand-written ones and the betting engine."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest

from acpcbot.abstraction.card_abstraction import make_abstraction
from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction
from acpcbot.arrays import Floats, Ints
from acpcbot.cards.any_strength import strength
from acpcbot.errors import UsageError
from acpcbot.games.game import CHANCE, OVER, Game, State, make_target, new_state, play_out
from acpcbot.games.generic_poker import LEDUC as LEDUC_RULES
from acpcbot.games.keyless import unobserved
from acpcbot.games.kuhn import Kuhn
from acpcbot.games.sequence_form import SequenceForm, sequence_form
from acpcbot.games.solvers.best_response import sequence_best_response
from acpcbot.jit import kernel
from acpcbot.poker import rules
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition, parse_definition
from acpcbot.poker.payoffs import fill_values, payoffs
from acpcbot.poker_games.card_views import SmallGameBuckets
from acpcbot.poker_games.poker_game import (
    BETTING,
    CARDS,
    DECK,
    NUM_DEALT,
    NUM_SEATS,
    PokerGame,
    make_poker_game,
)
from acpcbot.random_kernels import RandomState, seed_state
from acpcbot.trees.bet_menu import BetMenu, parse_menu, wanted_raise
from acpcbot.uncounted_arrays import static
from tests.support.games import KUHN, LEDUC, LEDUC_NOLIMIT, LIMIT_2P, NOLIMIT_2P, definition_of
from tests.support.targets import check_every_target

FLOP_LIMIT, FLOP_NOLIMIT = "flop_holdem.limit.2p", "flop_holdem.nolimit.2p"
MENU = parse_menu("0.5,1,all-in/0.75,all-in;1,2,all-in")
TWINS: dict[str, Game] = {KUHN: Kuhn(2), LEDUC: LEDUC_RULES}

# Two hole cards and a board card from six; one raise on the first street, none on the second.
TINY_HOLDEM = """GAMEDEF
limit
numPlayers = 2
numRounds = 2
blind = 1 1
raiseSize = 2 2
firstPlayer = 1 1
maxRaises = 1 0
numSuits = 2
numRanks = 3
numHoleCards = 2
numBoardCards = 0 1
END GAMEDEF
"""
# Four cards, all of which are dealt, and stacks so short that an all-in ends the betting early.
SHORT_STACKS = """GAMEDEF
nolimit
numPlayers = 2
numRounds = 3
stack = 4 4
blind = 1 2
firstPlayer = 1 2 2
numSuits = 2
numRanks = 2
numHoleCards = 1
numBoardCards = 0 1 1
END GAMEDEF
"""


@cache
def game_of(name: str, *, exact_cards: bool = False) -> PokerGame:
    """The small game *name* with exact buckets, or with the cards themselves."""
    definition = definition_of(name)
    return make_poker_game(
        definition,
        None if definition.is_limit else MENU,
        None if exact_cards else make_abstraction(definition, "exact"),
    )


def merged_ends(form: SequenceForm) -> dict[tuple[int, ...], tuple[float, float]]:
    """The probability and the payoff of seat 0, by the last slots of both."""
    ends: dict[tuple[int, ...], tuple[float, float]] = {}
    for slots, chance, paid in zip(
        form.end_slots.tolist(), form.end_chances, form.end_payoffs[:, 0], strict=True
    ):
        before, won = ends.get(tuple(slots), (0.0, 0.0))
        ends[tuple(slots)] = before + chance, won + chance * paid
    return ends


@pytest.mark.parametrize("name", TWINS)
def test_the_sequence_form_is_that_of_the_hand_written_game(name: str) -> None:
    """Caught: an information set too many or too few, a payoff, a probability."""
    ours, theirs = sequence_form(game_of(name)), sequence_form(TWINS[name])
    for column in ("infoset_seats", "first_slots", "parent_slots"):
        assert (getattr(ours, column) == getattr(theirs, column)).all()
    own, others = merged_ends(ours), merged_ends(theirs)
    assert own.keys() == others.keys()
    assert np.array([own[slots] for slots in own]) == pytest.approx(
        np.array([others[slots] for slots in own]), abs=1e-12
    )


@pytest.mark.parametrize("name", TWINS)
def test_policies_and_best_responses_are_worth_the_same(name: str) -> None:
    ours, theirs = sequence_form(game_of(name)), sequence_form(TWINS[name])
    for seed in range(5):
        policy = some_policy(ours, seed)
        found, expected = (
            sequence_best_response(ours, policy),
            sequence_best_response(theirs, policy),
        )
        assert found.values == pytest.approx(expected.values, abs=1e-12)
        assert found.policy_values == pytest.approx(expected.policy_values, abs=1e-12)


def some_policy(form: SequenceForm, seed: int) -> Floats:
    weights = np.random.default_rng(seed).random(form.num_slots)
    return form.normalised(np.where(weights < 0.25, 0, weights))


def test_suits_are_told_apart_by_exact_cards_alone() -> None:
    """Caught: suits that are merged. Leduc has 6 hands in the place of 3, then 30 for 9."""
    exact, buckets = (
        sequence_form(game_of(LEDUC, exact_cards=exact_cards)) for exact_cards in (True, False)
    )
    # Six decisions of the first street, with three ranks each; the others come after a board card.
    first = 6 * 3
    assert len(buckets.infoset_keys) == 288
    assert len(exact.infoset_keys) == first * 2 + (288 - first) * 30 // 9
    assert sequence_best_response(
        exact, exact.normalised(np.zeros(exact.num_slots))
    ).policy_values == pytest.approx((-0.078125, 0.078125), abs=1e-12)


@pytest.mark.parametrize(
    ("name", "is_exact"),
    [(KUHN, True), (KUHN, False), (LEDUC, False)],
)
def test_reachable_actions_are_those_of_enumeration(name: str, *, is_exact: bool) -> None:
    assert check_every_target(game_of(name, exact_cards=is_exact)) > 0


def forgetful(definition: GameDefinition, *, coarse: bool = False) -> PokerGame:
    """The small game with exact buckets, or pairs of them, of which the present one is known."""
    menu = None if definition.is_limit else parse_menu("1,all-in")
    exact = make_abstraction(definition, "exact")
    game = make_poker_game(definition, menu, exact, forgets_buckets=True)
    view = game.card_view
    assert isinstance(view, SmallGameBuckets)
    return (
        game._replace(card_view=view._replace(buckets=static(view.buckets // 2)))
        if coarse
        else game
    )


def test_exact_buckets_tell_those_before() -> None:
    """Caught: a bucket that is lost with those that it tells, a bucket shared by the seats."""
    ours, theirs = sequence_form(forgetful(definition_of(LEDUC))), sequence_form(game_of(LEDUC))
    for column in ("infoset_seats", "first_slots", "parent_slots"):
        assert (getattr(ours, column) == getattr(theirs, column)).all()
    assert len({*ours.infoset_keys.tolist()}) == 288


def test_reachable_actions_are_those_of_enumeration_where_buckets_are_forgotten() -> None:
    """Caught: a bucket of a street before that is still asked for."""
    assert check_every_target(forgetful(definition_of(LEDUC), coarse=True)) > 0


@pytest.mark.slow
@pytest.mark.parametrize("text", [TINY_HOLDEM, SHORT_STACKS], ids=["tiny hold'em", "short stacks"])
def test_reachable_actions_of_more_cards_where_buckets_are_forgotten(text: str) -> None:
    assert check_every_target(forgetful(parse_definition(text), coarse=True)) > 10


@pytest.mark.slow
@pytest.mark.parametrize("is_exact", [True, False])
@pytest.mark.parametrize("text", [TINY_HOLDEM, SHORT_STACKS], ids=["tiny hold'em", "short stacks"])
def test_reachable_actions_are_those_of_enumeration_with_more_cards(
    text: str, *, is_exact: bool
) -> None:
    """Caught: cards in another order, an opponent's card that makes a bucket impossible, boards
    that nobody sees after an all-in.
    """
    definition = parse_definition(text)
    abstraction = None if is_exact else make_abstraction(definition, "exact")
    menu = None if definition.is_limit else parse_menu("1,all-in")
    assert check_every_target(make_poker_game(definition, menu, abstraction)) > 10


class Course:
    """A random hand of a game beside the betting engine, which has to agree throughout."""

    def __init__(self, game: PokerGame, definition: GameDefinition, menu: BetMenu | None) -> None:
        self.game, self.definition, self.menu = game, definition, menu
        self.start = BettingRules(definition).start

    def play(self, random: Random) -> None:
        game, state, betting = self.game, new_state(self.game), self.start
        left, dealt = sorted(self.definition.deck), []
        while game.actor(state) != OVER:
            action = random.randrange(game.num_actions(state))
            if game.actor(state) == CHANCE:
                assert len(left) == game.num_actions(state)
                dealt.append(left.pop(action))
            else:
                assert game.actor(state) == betting.actor
                choices = self.choices(betting)
                assert game.num_actions(state) == len(choices)
                betting = betting.apply(choices[action])
            game.apply(state, action)
        assert betting.is_over
        hole = self.definition.num_hole_cards
        hands, board = [dealt[:hole], dealt[hole : 2 * hole]], dealt[2 * hole :]
        assert betting.is_showdown <= (len(dealt) == self.definition.cards_per_hand)
        assert payoffs(betting, hands, board) == (game.payoff(state, 0), game.payoff(state, 1))

    def choices(self, betting: BettingState) -> list[Action]:
        """The actions of the menu by the betting engine, raises rising."""
        legal = betting.legal_actions()
        raises = [action for action in legal if action.kind == rules.RAISE]
        if raises and self.menu is not None:
            sizes = self.menu.sizes(betting.street, betting.vector[rules.NUM_RAISES])
            raises = [
                Action(rules.RAISE, raise_to)
                for raise_to in sorted(
                    {wanted_raise(betting.game.vector, betting.vector, size) for size in sizes}
                )
            ]
        return [action for action in legal if action.kind != rules.RAISE] + raises


@pytest.mark.parametrize(
    ("name", "menu"),
    [
        (LIMIT_2P, None),
        (FLOP_LIMIT, None),
        (LEDUC_NOLIMIT, MENU),
        (FLOP_NOLIMIT, MENU),
        (NOLIMIT_2P, parse_menu("0.5,1,all-in;1,all-in")),
    ],
)
def test_hands_are_those_of_the_betting_engine(name: str, menu: BetMenu | None) -> None:
    """Caught: an actor, a size, a stake or a winner that the one rule book does not have."""
    definition = definition_of(name)
    course, random = Course(make_poker_game(definition, menu), definition, menu), Random(3)
    for _ in range(150):
        course.play(random)


@kernel
def playouts(game: Game, random_state: RandomState, states: Ints) -> None:
    for number in range(len(states)):
        state = unobserved(states[number])
        game.start(state)
        play_out(game, state, random_state)


@pytest.mark.parametrize(("name", "menu"), [(LIMIT_2P, None), (FLOP_NOLIMIT, MENU)])
def test_kernels_conserve_chips_and_pay_the_best_hand(name: str, menu: BetMenu | None) -> None:
    definition = definition_of(name)
    game = make_poker_game(definition, menu)
    states = np.zeros((2000, game.state_length()), np.int64)
    playouts(game, seed_state(8), states)
    assert len({tuple(state) for state in states.tolist()}) > 1000
    for state in states:
        won = [game.payoff(state, seat) for seat in range(NUM_SEATS)]
        assert sum(won) == 0
        assert won == expected_payoffs(definition, state)


def expected_payoffs(definition: GameDefinition, state: State) -> list[float]:
    """Return the payoffs by the one rule book of a finished *state*."""
    hole, size = definition.num_hole_cards, definition.board_size(definition.num_streets - 1)
    cards, values = state[CARDS : CARDS + 2 * hole + size].tolist(), [0.0, 0.0]
    betting = state[BETTING:CARDS].tolist()
    strengths = [0, 0]
    if not any(betting[rules.FOLDED : rules.FOLDED + NUM_SEATS]):
        assert len(set(cards)) == len(cards)
        strengths = [strength(cards[: hole + size]), strength(cards[hole:])]
    fill_values(BettingRules(definition).vector, betting, strengths, values)
    return values


@kernel
def observed_playouts(game: Game, random_state: RandomState, states: Ints) -> None:
    for number in range(len(states)):
        game.start(states[number])
        play_out(game, states[number], random_state)


def test_buckets_of_hold_em_are_those_of_the_abstraction() -> None:
    """Caught: a look-up under another change of suits, or of another street."""
    definition = definition_of(FLOP_LIMIT)
    abstraction = HoldemAbstraction.from_settings({"preflop": "lossless", "flop": {"grid": 50}})
    game, random = make_poker_game(definition, None, abstraction), Random(2)
    for _ in range(50):
        cards = random.sample(range(52), 5)
        hand, board = np.array(cards[:2]), np.array(cards[2:])
        for street, known in ((0, board[:0]), (1, board)):
            found = game.card_view.bucket(street, hand, known)
            assert found == abstraction.bucket(street, cards[:2], cards[2:])
    states = np.zeros((300, game.state_length()), np.int64)
    observed_playouts(game, seed_state(5), states)
    assert states[:, :2].all()


def test_a_bucket_of_hold_em_can_still_be_dealt() -> None:
    """Caught: a class of hands before the flop that some card has ruled out."""
    definition = definition_of(FLOP_LIMIT)
    abstraction = HoldemAbstraction.from_settings({"preflop": "lossless", "flop": {"grid": 50}})
    game = make_poker_game(definition, None, abstraction)
    # Each seat has a pair of twos (cards 0 to 3), and seat 1 opens.
    target = make_target(game, [0, 0, 0, 0], 1)
    state = new_state(game)
    # Seat 0 may take two of the twos, and no third one is asked about.
    assert game.actions_towards(state, 0, target) == (1 << 52) - 1
    for num_moves, expected in ((2, 0b11), (3, 0b1)):
        while num_moves > state[NUM_DEALT]:
            game.apply(state, 0)
        assert game.actions_towards(state, num_moves, target) == expected
    # With two kings instead all four twos are left for seat 1.
    state = new_state(game)
    for action in (51, 50):
        game.apply(state, action)
    assert game.actions_towards(state, 2, target) == 0b1111


def test_games_that_cannot_be_searched_are_refused() -> None:
    with pytest.raises(UsageError, match="3 players"):
        make_poker_game(definition_of("kuhn.limit.3p"))
    with pytest.raises(UsageError, match="without a bet menu"):
        make_poker_game(definition_of(LEDUC_NOLIMIT))
    with pytest.raises(UsageError, match="without sizes"):
        make_poker_game(definition_of(LEDUC_NOLIMIT), BetMenu((((),),)))
    with pytest.raises(UsageError, match="another game"):
        make_poker_game(
            definition_of(LEDUC),
            None,
            HoldemAbstraction.from_settings({"preflop": "lossless", "flop": {"grid": 5}}),
        )


def test_the_deck_has_every_card_once() -> None:
    game = game_of(LEDUC)
    state = new_state(game)
    assert bin(int(state[DECK])).count("1") == game.deck_size == 6
