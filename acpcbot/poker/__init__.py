"""The rules of poker games: definitions, actions, betting, dealing and payoffs.

``rules.py`` is the one rule book, over two vectors of integers, for kernels and plain Python
alike; ``betting.py`` puts typed states on top of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.poker.actions import Action as Action
    from acpcbot.poker.actions import raising as raising
    from acpcbot.poker.all_in import all_in_payoffs as all_in_payoffs
    from acpcbot.poker.betting import BettingRules as BettingRules
    from acpcbot.poker.betting import BettingState as BettingState
    from acpcbot.poker.dealing import Deal as Deal
    from acpcbot.poker.dealing import Dealing as Dealing
    from acpcbot.poker.deck_convention import DeckConvention as DeckConvention
    from acpcbot.poker.definition import GameDefinition as GameDefinition
    from acpcbot.poker.definition import format_definition as format_definition
    from acpcbot.poker.definition import load_definition as load_definition
    from acpcbot.poker.definition import parse_definition as parse_definition
    from acpcbot.poker.hand_classes import class_name as class_name
    from acpcbot.poker.hand_classes import class_numbers as class_numbers
    from acpcbot.poker.hands import all_hands as all_hands
    from acpcbot.poker.hands import hand_number as hand_number
    from acpcbot.poker.hands import hands_without as hands_without
    from acpcbot.poker.shipped import find_definition as find_definition
    from acpcbot.poker.shipped import recognise as recognise
    from acpcbot.poker.shipped import shipped_definition as shipped_definition
    from acpcbot.poker.spots import holdem_spot as holdem_spot

export(
    __name__,
    {
        "Action": "actions",
        "BettingRules": "betting",
        "BettingState": "betting",
        "Deal": "dealing",
        "Dealing": "dealing",
        "DeckConvention": "deck_convention",
        "GameDefinition": "definition",
        "all_hands": "hands",
        "all_in_payoffs": "all_in",
        "class_name": "hand_classes",
        "class_numbers": "hand_classes",
        "find_definition": "shipped",
        "format_definition": "definition",
        "hand_number": "hands",
        "hands_without": "hands",
        "holdem_spot": "spots",
        "load_definition": "definition",
        "parse_definition": "definition",
        "raising": "actions",
        "recognise": "shipped",
        "shipped_definition": "shipped",
    },
)
