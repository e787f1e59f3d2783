"""Every ACPC game for two as a research game: the one rule book, a bet menu, a view of the cards.

Betting is that of ``poker/rules.py`` with the bets of a menu, choices as in a betting tree: fold
where there is something to call, check or call, then the raises from the smallest. Chance deals one
card at a time, its actions being the cards left from the lowest: seat 0's hole cards, seat 1's, the
board street by street, and after an all-in the rest of the board. A seat sees its hole cards when
it has them all; a street's board is seen when it is complete, and so are buckets. Payoffs are in
chips.

state  [key by viewer, NUM_DEALT, NUM_SEEN: board cards observed, DECK: set of the cards left,
        NUM_CHOICES; BETTING: the state of the rules; from there cards: seat 0's, the board,
        seat 1's; then the actor's choices, kind and raise_to of each]

The board lies between the hands, so that each hand and the board are one slice of the state.

Seats remember the buckets of streets before, or forget them: information sets are then those of a
stored strategy, the betting and the bucket of the present street. With buckets that tell those
before, as exact ones do, both are the same.

Other decks' conventions are for the wire (``poker/deck_convention.py``): cards here are canonical.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from acpcbot.abstraction.card_abstraction import Abstraction
from acpcbot.arrays import Floats, Ints, KernelArray
from acpcbot.cards.any_strength import strength_of_first
from acpcbot.cards.strength import mask_strength
from acpcbot.errors import UsageError
from acpcbot.games.game import (
    CHANCE,
    MOST_ACTIONS,
    OVER,
    State,
    Target,
    all_actions,
    clear,
    nth_member,
    observe,
    observe_all,
    rank_of,
)
from acpcbot.games.keyless import keeps_keys
from acpcbot.jit import shared
from acpcbot.poker import rules
from acpcbot.poker.betting import game_vector
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker_games.bucket_search import ANY_BUCKET, can_complete
from acpcbot.poker_games.card_views import AnyView, make_view
from acpcbot.trees.bet_menu import LIMIT_MENU, Menu
from acpcbot.trees.betting_tree import fill_choices
from acpcbot.uncounted_arrays import static
from acpcbot.worker_threads import Progress

NUM_DEALT, NUM_SEEN, DECK, NUM_CHOICES, BETTING = 3, 4, 5, 6, 7
CARDS = BETTING + rules.STATE_LENGTH

NUM_SEATS = 2
# Hands of five to seven cards have a faster evaluator than others.
FEWEST_CARDS, MOST_CARDS = 5, 7


class PokerGame(NamedTuple):
    """A game of poker; ``make_poker_game`` makes it from a definition.

    ``rule_book``   int64, the game vector of poker/rules.py
    ``menu``        float64 [seat, street, raise, size], as ``BetMenu.table``
    ``board_ends``  int64 [street], the board cards known on each street
    ``deck``        the cards, as a set
    ``forgets_buckets``  whether seats know the bucket of the present street alone
    """

    rule_book: KernelArray
    menu: Floats
    board_ends: Ints
    deck: int
    deck_size: int
    num_hole_cards: int
    card_view: AnyView
    forgets_buckets: bool = False

    def __repr__(self) -> str:
        return (
            f"PokerGame({len(self.board_ends)} streets, {self.deck_size} cards, "
            f"{type(self.card_view).__name__})"
        )

    def num_seats(self) -> int:
        return NUM_SEATS

    def state_length(self) -> int:
        return int(CARDS + _num_cards(self) + 2 * _most_choices(self))

    def max_moves(self) -> int:
        # No more than there can be: as many as the rules allow on each street.
        moves = _num_cards(self)
        for street in range(len(self.board_ends)):
            most = self.rule_book[rules.MAX_RAISES + street] + NUM_SEATS
            moves += min(most, rules.MAX_ACTIONS_PER_STREET)
        return int(moves)

    def max_actions(self) -> int:
        return int(max(self.deck_size, _most_choices(self)))

    def start(self, state: State) -> None:
        clear(state, NUM_SEATS)
        state[DECK] = self.deck
        betting: KernelArray = state[BETTING:CARDS]
        rules.start_hand(self.rule_book, betting)

    def actor(self, state: State) -> int:
        num_board = state[NUM_DEALT] - NUM_SEATS * self.num_hole_cards
        if num_board < 0:
            return CHANCE
        actor = state[BETTING + rules.ACTOR]
        street = state[BETTING + rules.STREET]
        if actor != rules.OVER:
            return CHANCE if num_board < self.board_ends[street] else int(actor)
        if state[BETTING + rules.FOLDED] or state[BETTING + rules.FOLDED + 1]:
            return OVER
        # The board is dealt to its end after an all-in.
        return CHANCE if num_board < self.board_ends[len(self.board_ends) - 1] else OVER

    def num_actions(self, state: State) -> int:
        if self.actor(state) == CHANCE:
            return int(self.deck_size - state[NUM_DEALT])
        return int(state[NUM_CHOICES])

    def chance(self, state: State, action: int) -> float:
        return 1 / float(self.deck_size - state[NUM_DEALT])

    def has_uniform_chance(self) -> bool:
        return True

    def apply(self, state: State, action: int) -> None:
        if self.actor(state) == CHANCE:
            _deal(self, state, nth_member(state[DECK], action))
            return
        observe_all(state, NUM_SEATS, action)
        betting: KernelArray = state[BETTING:CARDS]
        street = betting[rules.STREET]
        choice = CARDS + _num_cards(self) + 2 * action
        rules.apply_action(self.rule_book, betting, state[choice], state[choice + 1])
        if betting[rules.ACTOR] == rules.OVER:
            return
        num_board = state[NUM_DEALT] - NUM_SEATS * self.num_hole_cards
        if betting[rules.STREET] == street:
            _find_choices(self, state)
        elif num_board == self.board_ends[betting[rules.STREET]]:
            _begin_street(self, state)

    def payoff(self, state: State, seat: int) -> float:
        # What was not matched comes back, so the smaller stake changes hands.
        stake = min(state[BETTING + rules.SPENT], state[BETTING + rules.SPENT + 1])
        if state[BETTING + rules.FOLDED + seat]:
            return -float(stake)
        if state[BETTING + rules.FOLDED + 1 - seat]:
            return float(stake)
        own, others = _strength(self, state, seat), _strength(self, state, 1 - seat)
        if own == others:
            return 0.0
        return float(stake) if own > others else -float(stake)

    def actions_towards(self, state: State, num_moves: int, target: Target) -> int:
        if self.actor(state) != CHANCE:
            # All betting is public.
            return 1 << int(target.actions[num_moves])
        if self.card_view.sees_cards():
            return _as_actions(_cards_towards(self, state, target), int(state[DECK]))
        if target.viewer == NUM_SEATS:
            return all_actions(int(self.deck_size - state[NUM_DEALT]))
        return _as_actions(_cards_to_buckets(self, state, target), int(state[DECK]))


def make_poker_game(
    definition: GameDefinition,
    menu: Menu | None = None,
    abstraction: Abstraction | None = None,
    on_progress: Progress | None = None,
    *,
    forgets_buckets: bool = False,
) -> PokerGame:
    """Return the game of *definition* with the bets of *menu* and the buckets of *abstraction*.

    Without an abstraction seats see the cards themselves. Limit games need no menu. With
    *forgets_buckets* a seat knows its bucket of the present street alone. Raises
    UsageError for more than two players, for a no-limit game without bets, and for an abstraction
    of another game.
    """
    if definition.num_players != NUM_SEATS:
        raise UsageError(
            f"a game for {definition.num_players} players", "searches need a game for two"
        )
    if menu is None and not definition.is_limit:
        raise UsageError("a no-limit game without a bet menu", "name sizes, as in 0.5,1,all-in")
    table = (menu or LIMIT_MENU).table
    if np.isnan(table).all():
        raise UsageError("a bet menu without sizes", "name sizes, as in 0.5,1,all-in")
    game = PokerGame(
        rule_book=static(np.array(game_vector(definition), np.int64)),
        menu=static(table),
        board_ends=static(
            np.array([definition.board_size(street) for street in range(definition.num_streets)])
        ),
        deck=sum(1 << card for card in definition.deck),
        deck_size=len(definition.deck),
        num_hole_cards=definition.num_hole_cards,
        card_view=make_view(definition, abstraction, on_progress),
        forgets_buckets=forgets_buckets,
    )
    if game.max_actions() > MOST_ACTIONS:
        raise UsageError(
            f"a bet menu of {table.shape[3]} sizes", f"at most {MOST_ACTIONS - 2} can be searched"
        )
    return game


@shared
def _most_choices(game: PokerGame) -> int:
    """Return the most actions of a seat: fold, call, and the sizes of the menu."""
    return 2 + int(game.menu.shape[3])


@shared
def _num_cards(game: PokerGame) -> int:
    return int(NUM_SEATS * game.num_hole_cards + game.board_ends[len(game.board_ends) - 1])


@shared
def _hand_start(game: PokerGame, seat: int) -> int:
    """Return where the hole cards of *seat* stand in a state."""
    if seat == 0:
        return CARDS
    return int(CARDS + game.num_hole_cards + game.board_ends[len(game.board_ends) - 1])


@shared
def _board_start(game: PokerGame) -> int:
    return CARDS + game.num_hole_cards


@shared
def _set_of(cards: Ints) -> int:
    members = 0
    for card in cards:
        members |= 1 << int(card)
    return members


@shared
def _deal(game: PokerGame, state: State, card: int) -> None:
    """Deal *card* to seat 0, to seat 1 or to the board; betting goes on when all are dealt."""
    dealt, hole = state[NUM_DEALT], game.num_hole_cards
    state[DECK] ^= 1 << card
    state[NUM_DEALT] += 1
    if dealt >= NUM_SEATS * hole:
        state[_board_start(game) + dealt - NUM_SEATS * hole] = card
    else:
        seat = 1 if dealt >= hole else 0
        start = _hand_start(game, seat)
        state[start + dealt - seat * hole] = card
        if dealt + 1 == (seat + 1) * hole and game.card_view.sees_cards():
            # The order in which cards come is not observed, so a set stands for them.
            observe(state, seat, _set_of(state[start : start + hole]))
    num_board = state[NUM_DEALT] - NUM_SEATS * hole
    is_over = state[BETTING + rules.ACTOR] == rules.OVER
    # Cards after the last decision are seen by nobody: no information set comes after them.
    if not is_over and num_board == game.board_ends[state[BETTING + rules.STREET]]:
        _begin_street(game, state)


@shared
def _begin_street(game: PokerGame, state: State) -> None:
    """Let the seats see a street whose board is complete, and find the first actor's choices."""
    street = state[BETTING + rules.STREET]
    start, count = _board_start(game), game.board_ends[street]
    if game.card_view.sees_cards():
        if count > state[NUM_SEEN]:
            observe_all(state, NUM_SEATS, _set_of(state[start + state[NUM_SEEN] : start + count]))
    elif keeps_keys(state):
        # The look-ups are most of the cost of a street, and playouts do without.
        for seat in range(NUM_SEATS):
            first = _hand_start(game, seat)
            hole_cards = state[first : first + game.num_hole_cards]
            bucket = game.card_view.bucket(street, hole_cards, state[start : start + count])
            if game.forgets_buckets:
                # The public key stands for the betting so far. Both seats begin with it, so the
                # seat is observed with its bucket: two keys are never equal.
                state[seat] = state[NUM_SEATS]
                observe(state, seat, NUM_SEATS * bucket + seat)
            else:
                observe(state, seat, bucket)
    state[NUM_SEEN] = count
    _find_choices(game, state)


@shared
def _find_choices(game: PokerGame, state: State) -> None:
    """Write the actor's choices, once for each decision: they are asked for several times."""
    first = CARDS + _num_cards(game)
    width = _most_choices(game)
    choices = state[first : first + 2 * width].reshape((width, 2))
    state[NUM_CHOICES] = fill_choices(game.rule_book, state[BETTING:CARDS], game.menu, choices)


@shared
def _strength(game: PokerGame, state: State, seat: int) -> int:
    """Return the strength of the hand of *seat* at the showdown."""
    count = game.num_hole_cards + int(game.board_ends[len(game.board_ends) - 1])
    # Seat 0's hand stands before the board and seat 1's behind it.
    start = CARDS if seat == 0 else _board_start(game)
    cards: KernelArray = state[start : start + count]
    if FEWEST_CARDS <= count <= MOST_CARDS:
        return mask_strength(_set_of(cards))
    return strength_of_first(cards, count)


@shared
def _as_actions(cards: int, deck: int) -> int:
    """Return the actions that deal one of *cards* from *deck*, both sets."""
    actions, left = 0, cards & deck
    while left:
        actions |= 1 << rank_of(deck, nth_member(left, 0))
        left &= left - 1
    return actions


@shared
def _cards_towards(game: PokerGame, state: State, target: Target) -> int:
    """Return the cards that may be dealt on the way to a *target* that is told by cards."""
    goal = target.states[len(target.states) - 1]
    dealt, hole, start = state[NUM_DEALT], game.num_hole_cards, _board_start(game)
    board = _set_of(goal[start : start + goal[NUM_SEEN]])
    if dealt >= NUM_SEATS * hole:
        # The cards of this street, in any order; those of streets before are dealt already.
        return _set_of(goal[start : start + game.board_ends[state[BETTING + rules.STREET]]])
    if target.viewer == NUM_SEATS:
        return ~board
    first = _hand_start(game, target.viewer)
    own = _set_of(goal[first : first + hole])
    # Cards of the other seat are those that the viewer does not see at the target.
    return own if (dealt >= hole) == (target.viewer == 1) else ~(own | board)


@shared
def _cards_to_buckets(game: PokerGame, state: State, target: Target) -> int:
    """Return the cards after which the viewer can still have its buckets at *target*."""
    goal, viewer = target.states[len(target.states) - 1], target.viewer
    dealt, hole, start = state[NUM_DEALT], game.num_hole_cards, _board_start(game)
    goal_first, streets = _hand_start(game, viewer), goal[BETTING + rules.STREET] + 1
    wanted = np.zeros(streets, np.int64)
    for street in range(streets):
        wanted[street] = game.card_view.bucket(
            street,
            goal[goal_first : goal_first + hole],
            goal[start : start + game.board_ends[street]],
        )
        if game.forgets_buckets and street < streets - 1:
            wanted[street] = ANY_BUCKET
    # What the viewer has so far, and room for what is to come: its cards, then the board.
    hand = np.zeros(hole + game.board_ends[len(game.board_ends) - 1], np.int64)
    num_own = int(min(hole, max(0, dealt - viewer * hole)))
    num_board = int(max(0, dealt - NUM_SEATS * hole))
    first = _hand_start(game, viewer)
    hand[:num_own] = state[first : first + num_own]
    hand[num_own : num_own + num_board] = state[start : start + num_board]
    is_own = dealt >= NUM_SEATS * hole or (dealt >= hole) == (viewer == 1)
    num_known, cards, left = num_own + num_board, 0, int(state[DECK])
    while left:
        card = nth_member(left, 0)
        if is_own:
            hand[num_known] = card
        rest = int(state[DECK]) ^ 1 << card
        known = num_known + 1 if is_own else num_known
        if can_complete(game.card_view, hand, known, hole, game.board_ends, wanted, rest):
            cards |= 1 << card
        left &= left - 1
    return cards
