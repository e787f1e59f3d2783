"""Six-player no-limit hold'em at pokerkit's table: a second opinion on side pots with uneven
stacks.

Chips are multiplied so that every pot divides, because pokerkit deals in whole chips.
"""

from __future__ import annotations

from typing import Any

from acpcbot.cards.deck import format_cards
from acpcbot.poker.actions import CALLING, FOLDING, Action
from acpcbot.poker.dealing import Deal

CHIP = 60
SMALL_BLIND, BIG_BLIND = 50, 100


class PokerkitTable:
    """One hand between players with *stacks*, dealt the cards of *deal*."""

    def __init__(self, stacks: tuple[int, ...], deal: Deal) -> None:
        self.stacks = stacks
        self.state = self._new_state()
        for held in deal.hole_cards:
            self.state.deal_hole(format_cards(held))
        self._board = list(deal.board)
        self._spent_before = [0] * len(stacks)

    def _new_state(self) -> Any:
        from pokerkit import Automation, NoLimitTexasHoldem

        by_hand = (Automation.HOLE_DEALING, Automation.BOARD_DEALING, Automation.CARD_BURNING)
        return NoLimitTexasHoldem.create_state(
            automations=tuple(set(Automation) - set(by_hand)),
            ante_trimming_status=True,
            raw_antes=0,
            raw_blinds_or_straddles=(SMALL_BLIND * CHIP, BIG_BLIND * CHIP),
            min_bet=BIG_BLIND * CHIP,
            raw_starting_stacks=tuple(stack * CHIP for stack in self.stacks),
            player_count=len(self.stacks),
        )

    def offer(self, action: Action) -> Action:
        """Take *action*, or call where it is a raise that only ACPC's rules allow; what was
        done.
        """
        if action == FOLDING:
            self.state.fold()
        elif action == CALLING or not self._raise_to(action.raise_to):
            self.state.check_or_call()
            action = CALLING
        self._deal_board()
        return action

    def _raise_to(self, raise_to: int) -> bool:
        amount = (raise_to - self._spent_before[self.state.actor_index]) * CHIP
        is_allowed = bool(self.state.can_complete_bet_or_raise_to(amount))
        if is_allowed:
            self.state.complete_bet_or_raise_to(amount)
        return is_allowed

    def _deal_board(self) -> None:
        while self.state.can_burn_card():
            count = 3 if len(self._board) == 5 else 1
            self.state.burn_card("??")
            self.state.deal_board(format_cards(self._board[:count]))
            del self._board[:count]
            left = zip(self.stacks, self.state.stacks, strict=True)
            self._spent_before = [stack - chips // CHIP for stack, chips in left]

    @property
    def is_over(self) -> bool:
        return not self.state.status

    @property
    def values(self) -> list[float]:
        """Chips won or lost by each seat."""
        return [
            chips / CHIP - stack
            for chips, stack in zip(self.state.stacks, self.stacks, strict=True)
        ]
