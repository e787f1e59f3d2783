"""Hold'em hands as states of PokerKit, and such states as hands of a match log.

    from acpcbot.adapters.pokerkit import PokerkitRules, hand_of_state, state_of_hand

    state = state_of_hand(hand)              # a finished hand of a log, as pokerkit.State
    again = hand_of_state(state, hand.game)  # and back

    rules = PokerkitRules(definition)
    state = rules.state(betting, deal)       # the same in the middle of a hand
    betting, deal = rules.position(state)

Games are hold'em with one to three streets of board cards: every shipped one of hold'em and flop
hold'em, and others with blinds and antes as card rooms have them. Other games raise UsageError.

PokerKit numbers the players from the first to act after the flop, heads-up from the big blind; ours
are positions. Its bets count within a street, ours over the hand. Chips are the same. No cards are
burnt, and pots are split in fractions of chips, as in the ACPC: give a state of your own
``divmod=split_evenly``, else odd chips go to one player and the hand is refused.

PokerKit forbids raises behind a short all-in, which the ACPC allows: such hands are refused. In
games with equal stacks there are none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from acpcbot.cards.deck import NUM_RANKS, NUM_SUITS, format_cards
from acpcbot.errors import ProtocolError, UsageError
from acpcbot.logs.entries import PRINTED_TOLERANCE, HandRecord
from acpcbot.logs.holdem_table import HoldemTable, acts_in_usual_order
from acpcbot.logs.kit_states import betting_of_state, deal_of_state, split_evenly
from acpcbot.logs.line import parse_hand, verify_hand
from acpcbot.poker import rules
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.dealing import Deal
from acpcbot.poker.definition import UNLIMITED_RAISES, GameDefinition
from acpcbot.poker.payoffs import payoffs
from acpcbot.protocol.records import format_state_record

try:
    from pokerkit import (
        Automation,
        BettingStructure,
        Deck,
        Opening,
        StandardHighHand,
        State,
        Street,
    )
except ImportError:
    raise UsageError(
        "acpcbot.adapters.pokerkit needs PokerKit, which is not installed",
        "install the extra: pip install 'acpcbot[pokerkit]'",
    ) from None

__all__ = ["PokerkitRules", "hand_of_state", "split_evenly", "state_of_hand"]

BY_HAND = {Automation.HOLE_DEALING, Automation.BOARD_DEALING, Automation.CARD_BURNING}
AUTOMATIONS = tuple([step for step in Automation if step not in BY_HAND])
NUM_HOLE_CARDS = 2
MIN_BOARD_CARDS = 3
TOLERANCE = 1e-6


class PokerkitRules:
    """The game *definition* beside PokerKit's rules of it.

    ``betting``  our betting rules
    ``streets``  PokerKit's streets
    """

    def __init__(self, definition: GameDefinition) -> None:
        _verify_game(definition)
        self.definition = definition
        self.betting = BettingRules(definition)
        self.table = HoldemTable(definition, definition.first_seats[1])
        self.streets = tuple([self._street(number) for number in range(definition.num_streets)])

    def _street(self, number: int) -> Any:
        definition = self.definition
        most_raises = definition.max_raises[number]
        return Street(
            card_burning_status=False,
            hole_dealing_statuses=(False,) * (0 if number else NUM_HOLE_CARDS),
            board_dealing_count=definition.num_board_cards[number],
            draw_status=False,
            opening=Opening.POSITION,
            min_completion_betting_or_raising_amount=(
                definition.raise_sizes[number] if definition.is_limit else self._min_bet
            ),
            max_completion_betting_or_raising_count=(
                None if most_raises == UNLIMITED_RAISES else most_raises
            ),
        )

    @property
    def _min_bet(self) -> int:
        return max(self.table.blinds) or self.definition.big_blind

    def start(self) -> Any:
        """Return a ``pokerkit.State`` with the blinds posted and no card dealt."""
        definition = self.definition
        blinds = self.table.blinds
        return State(
            automations=AUTOMATIONS,
            deck=Deck.STANDARD,
            hand_types=(StandardHighHand,),
            streets=self.streets,
            betting_structure=self._structure,
            ante_trimming_status=True,
            raw_antes=self.table.ante,
            # Heads-up the button's, the second player's, comes first.
            raw_blinds_or_straddles=tuple(blinds[::-1] if len(blinds) == 2 else blinds),
            bring_in=0,
            raw_starting_stacks=tuple(self.table.by_player(definition.stacks)),
            player_count=definition.num_players,
            divmod=split_evenly,
        )

    @property
    def _structure(self) -> Any:
        is_limit = self.definition.is_limit
        return BettingStructure.FIXED_LIMIT if is_limit else BettingStructure.NO_LIMIT

    def state(self, betting: BettingState, deal: Deal) -> Any:
        """Return the ``pokerkit.State`` after *betting*, with the cards of *deal*.

        Of the board it gets the cards that are dealt by then. Raises UsageError where PokerKit's
        rules forbid an action.
        """
        state = self.start()
        for cards in self.table.by_player(deal.hole_cards):
            state.deal_hole(format_cards(cards))
        base = self.table.ante
        for before, action in betting.decisions():
            after = before.apply(action)
            try:
                _act(state, action.kind, after.max_spent - base)
            except ValueError as error:
                raise UsageError(
                    f"{action.text} after {before.text!r} breaks the rules of PokerKit ({error})"
                ) from None
            for street in range(before.street, after.street):
                state.deal_board(format_cards(self._dealt_behind(street, deal.board)))
                base = after.max_spent
        return state

    def _dealt_behind(self, street: int, board: Sequence[int]) -> Sequence[int]:
        size = self.definition.board_size
        cards = board[size(street) : size(street + 1)]
        if len(cards) < size(street + 1) - size(street):
            raise UsageError(
                f"the deal has {len(board)} board cards",
                f"expected {size(street + 1)} on street {street + 1}",
            )
        return cards

    def position(self, state: Any) -> tuple[BettingState, Deal]:
        """Return the betting of *state* up to now, and the cards that are dealt.

        Raises UsageError for a state of another game, and for unknown cards.
        """
        self._verify_state(state)
        return betting_of_state(state, self.table, self.betting), deal_of_state(state, self.table)

    def _verify_state(self, state: Any) -> None:
        own = self.start()
        for name, find in (
            ("number of players", lambda of: of.player_count),
            ("stacks", lambda of: tuple(of.starting_stacks)),
            ("blinds", lambda of: tuple(of.blinds_or_straddles)),
            ("antes", lambda of: tuple(of.antes)),
            ("betting", lambda of: of.betting_structure.value),
            ("board cards", lambda of: [street.board_dealing_count for street in of.streets]),
            (
                "bets",
                lambda of: [
                    street.min_completion_betting_or_raising_amount for street in of.streets
                ],
            ),
        ):
            wanted, found = find(own), find(state)
            if wanted != found:
                raise UsageError(
                    f"a state of another game: its {name}: {found}", f"expected {wanted}"
                )


def _act(state: Any, kind: int, street_bet: int) -> None:
    if kind == rules.FOLD:
        state.fold()
    elif kind == rules.CALL:
        state.check_or_call()
    else:
        state.complete_bet_or_raise_to(street_bet)


def _verify_game(definition: GameDefinition) -> None:
    board = definition.num_board_cards
    if (
        (definition.num_suits, definition.num_ranks) != (NUM_SUITS, NUM_RANKS)
        or definition.num_hole_cards != NUM_HOLE_CARDS
        or definition.num_streets < 2
        or board[0]
        or not all(board[1:])
        or not MIN_BOARD_CARDS <= sum(board) <= 5
    ):
        raise UsageError(
            "the game is not hold'em",
            "expected two hole cards of 52, and three to five board cards from the second street on",
        )
    if not acts_in_usual_order(definition):
        raise UsageError(
            "players act in another order than at PokerKit's table",
            "expected the first behind the big blind to open, and one seat on all later streets",
        )


def state_of_hand(hand: HandRecord) -> Any:
    """Return *hand* as a finished ``pokerkit.State``; raises UsageError if the results differ."""
    kit = PokerkitRules(hand.game.definition)
    state = kit.state(hand.betting, hand.deal)
    _verify_values(kit, state, hand.values)
    return state


def hand_of_state(
    state: Any,
    game: BettingRules | GameDefinition,
    *,
    hand_id: int = 0,
    names: Sequence[str] = (),
) -> HandRecord:
    """Return the finished *state* of *game* as hand *hand_id* of a match log.

    *names* are the players by position, ``p1`` and so on if left out. Raises UsageError for a hand
    that is not over, unknown cards, and other results than by our rules.
    """
    rules_of_game = game if isinstance(game, BettingRules) else BettingRules(game)
    kit = PokerkitRules(rules_of_game.definition)
    betting, deal = kit.position(state)
    if not betting.is_over:
        raise UsageError(f"the hand is not over after {betting.text!r}")
    values = payoffs(betting, deal.hole_cards, deal.board)
    _verify_values(kit, state, values)
    players = names or [f"p{seat + 1}" for seat in range(kit.definition.num_players)]
    line = format_state_record(hand_id, betting, deal, values, ["|".join(players)])
    try:
        _, exact = verify_hand(line, rules_of_game, 0, PRINTED_TOLERANCE)
    except ProtocolError as error:
        raise UsageError(f"in a match log, {error}") from None
    return parse_hand(line, 1, rules_of_game, exact)


def _verify_values(kit: PokerkitRules, state: Any, values: Sequence[float]) -> None:
    expected = kit.table.by_player(values)
    found = list(state.payoffs)
    if any(abs(ours - theirs) > TOLERANCE for ours, theirs in zip(expected, found, strict=True)):
        raise UsageError(
            f"by PokerKit's rules the players win {found}, not {expected}",
            "make the state with divmod=split_evenly, so that pots are split in fractions",
        )
