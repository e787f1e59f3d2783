"""Best responses the slow way: the rules played out for every deal, with no tree, buckets or
arrays.

Hands keep their suits here, so a merged deal that is not like the others would show.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations

from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.payoffs import payoffs

Cards = tuple[int, ...]
Deal = tuple[Cards, ...]
"""The hole cards of each seat, and the board at the end."""

Play = Callable[[BettingState, Cards, Cards], list[float]]
"""Probabilities of the legal actions, from the betting and the hole and board cards that the
actor sees.
"""


class PlainGame:
    """The game of *definition*, and what a hand of it is worth to those who *play*."""

    def __init__(self, definition: GameDefinition, play: Play) -> None:
        self.definition = definition
        self.play = cache(play)
        self.start = BettingRules(definition).start
        deals = list(all_deals(definition))
        self.deals = [(deal, 1 / len(deals)) for deal in deals]
        self._payoffs = cache(lambda state, deal: payoffs(state, deal[:-1], deal[-1]))

    def policy_value(self, seat: int) -> float:
        """Return the value to *seat* of the policies of all."""
        return self._value(self.start, self.deals, seat, responds=False)

    def best_value(self, seat: int) -> float:
        """Return the value of *seat*'s best response to the others."""
        return self._value(self.start, self.deals, seat, responds=True)

    def _value(
        self, state: BettingState, deals: list[tuple[Deal, float]], seat: int, *, responds: bool
    ) -> float:
        """The value of *state* in big blinds, summed over *deals* and the probabilities of
        their getting here.
        """
        if state.is_over:
            chips = sum(self._payoffs(state, deal)[seat] * reach for deal, reach in deals)
            return chips / self.definition.big_blind
        actions = state.legal_actions()
        if responds and state.actor == seat:
            hands: dict[tuple[Cards, Cards], list[tuple[Deal, float]]] = defaultdict(list)
            for deal, reach in deals:
                hands[self._seen(state, deal)].append((deal, reach))
            return sum(
                max(
                    self._value(state.apply(action), same, seat, responds=responds)
                    for action in actions
                )
                for same in hands.values()
            )
        shares = [self.play(state, *self._seen(state, deal)) for deal, _ in deals]
        total = 0.0
        for index, action in enumerate(actions):
            moved = [
                (deal, reach * share[index])
                for (deal, reach), share in zip(deals, shares, strict=True)
            ]
            total += self._value(state.apply(action), moved, seat, responds=responds)
        return total

    def _seen(self, state: BettingState, deal: Deal) -> tuple[Cards, Cards]:
        return deal[state.actor], deal[-1][: self.definition.board_size(state.street)]


def all_deals(definition: GameDefinition) -> Iterator[Deal]:
    """Every deal; the board's cards in every order in which the streets can bring them."""
    sizes = [*[definition.num_hole_cards] * definition.num_players, *definition.num_board_cards]
    for groups in _draws(frozenset(definition.deck), sizes):
        hands, board = groups[: definition.num_players], groups[definition.num_players :]
        yield (*hands, tuple(card for group in board for card in group))


def _draws(cards: frozenset[int], sizes: list[int]) -> Iterator[tuple[Cards, ...]]:
    if not sizes:
        yield ()
        return
    for group in combinations(sorted(cards), sizes[0]):
        for rest in _draws(cards.difference(group), sizes[1:]):
            yield (group, *rest)
