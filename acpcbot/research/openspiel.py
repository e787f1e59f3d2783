"""Strategies of Kuhn and Leduc poker in OpenSpiel's terms.

Both games are walked in step, from deal to deal and from action to action, so that every
information state string of OpenSpiel is met together with the betting and the cards that it stands
for. Legal action number k is the same one here and there: fold, check or call, bet or raise. Its
Leduc cards have suits, of which ours have two as well: card i of OpenSpiel is the rank i // 2 from
below and the suit i % 2.
"""

from __future__ import annotations

from typing import Any

from acpcbot.cards.deck import format_cards
from acpcbot.errors import UsageError
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import hand_number
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy

SpielPolicy = dict[str, list[tuple[int, float]]]
"""For every information state the numbers of its actions, and their probabilities."""

SPIEL_NAMES = {
    "kuhn.limit.2p": "kuhn_poker",
    "kuhn.limit.3p": "kuhn_poker(players=3)",
    "leduc.limit.2p": "leduc_poker",
}
"""OpenSpiel's names of the games that both play."""


def spiel_policy(
    game_name: str, definition: GameDefinition, strategy: PublicStrategy
) -> SpielPolicy:
    """Return *strategy* as ``pyspiel.TabularPolicy`` takes it; raises UsageError."""
    if game_name not in SPIEL_NAMES:
        raise UsageError(
            f"{game_name} has no counterpart in OpenSpiel here",
            f"expected one of {', '.join(SPIEL_NAMES)}",
        )
    try:
        import pyspiel
    except ImportError:
        raise UsageError(
            "openspiel_policy() needs OpenSpiel, which is not installed",
            "install it: pip install open_spiel",
        ) from None
    walk = _Walk(definition, strategy)
    walk.visit(
        pyspiel.load_game(SPIEL_NAMES[game_name]).new_initial_state(),
        BettingRules(definition).start,
        (),
    )
    return walk.policy


class _Walk:
    """A walk through both games; *policy* grows with it."""

    def __init__(self, definition: GameDefinition, strategy: PublicStrategy) -> None:
        self.policy: SpielPolicy = {}
        self._definition, self._strategy = definition, strategy
        self._deck = sorted(definition.deck)  # by rank, then by suit
        self._tables: dict[tuple[str, tuple[int, ...]], ActionTable] = {}

    def visit(self, state: Any, betting: BettingState, dealt: tuple[int, ...]) -> None:
        """Visit *state* of OpenSpiel, which is *betting* with the cards *dealt*.

        These are the players' own, by seat, and then the board.
        """
        if state.is_terminal():
            return
        if state.is_chance_node():
            for number, _ in state.chance_outcomes():
                self.visit(state.child(number), betting, (*dealt, self._deck[number]))
            return
        num_players = self._definition.num_players
        own, board = dealt[betting.actor], dealt[num_players:]
        actions = [
            action for action in (FOLDING, CALLING, LIMIT_RAISING) if betting.can_act(action)
        ]
        legal = state.legal_actions()
        assert len(actions) == len(legal), (str(state), format_cards(dealt))
        table = self._table(betting, board)
        row = table.probabilities[hand_number(self._definition, [own])].tolist()
        played = dict(zip(table.actions, row, strict=True))
        self.policy[state.information_state_string()] = [
            (number, played.get(action, 0.0)) for number, action in zip(legal, actions, strict=True)
        ]
        for number, action in zip(legal, actions, strict=True):
            self.visit(state.child(number), betting.apply(action), dealt)

    def _table(self, betting: BettingState, board: tuple[int, ...]) -> ActionTable:
        key = betting.text, board
        if key not in self._tables:
            self._tables[key] = self._strategy.table(betting, board)
        return self._tables[key]
