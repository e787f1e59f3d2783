"""An ACPC-protocol poker bot server: rules, protocol, dealer, client, agents, match logs and
duplicate matches.

The names below are the public ones; each is imported when it is first used, so
that a client which needs little starts fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acpcbot.agents.registry import make_agent
    from acpcbot.cards.any_strength import strength
    from acpcbot.errors import AcpcbotError
    from acpcbot.logs.entries import HandRecord
    from acpcbot.logs.match_log import read_match_log
    from acpcbot.matches.agent import Agent
    from acpcbot.matches.settings import MatchSettings
    from acpcbot.matches.table import Table
    from acpcbot.net.client import Client, ClientReport
    from acpcbot.poker.actions import Action
    from acpcbot.poker.betting import BettingRules, BettingState
    from acpcbot.poker.dealing import Deal, Dealing
    from acpcbot.poker.definition import GameDefinition, load_definition, parse_definition
    from acpcbot.poker.payoffs import payoffs
    from acpcbot.poker.shipped import find_definition
    from acpcbot.protocol.client_side import ClientConnection
    from acpcbot.protocol.messages import MatchState

__all__ = [
    "AcpcbotError",
    "Action",
    "Agent",
    "BettingRules",
    "BettingState",
    "Client",
    "ClientConnection",
    "ClientReport",
    "Deal",
    "Dealing",
    "GameDefinition",
    "HandRecord",
    "MatchSettings",
    "MatchState",
    "Table",
    "find_definition",
    "load_definition",
    "make_agent",
    "parse_definition",
    "payoffs",
    "read_match_log",
    "strength",
]

_HOMES = {
    "AcpcbotError": "errors",
    "Action": "poker.actions",
    "Agent": "matches.agent",
    "BettingRules": "poker.betting",
    "BettingState": "poker.betting",
    "Client": "net.client",
    "ClientConnection": "protocol.client_side",
    "ClientReport": "net.client",
    "Deal": "poker.dealing",
    "Dealing": "poker.dealing",
    "GameDefinition": "poker.definition",
    "HandRecord": "logs.entries",
    "MatchSettings": "matches.settings",
    "MatchState": "protocol.messages",
    "Table": "matches.table",
    "find_definition": "poker.shipped",
    "load_definition": "poker.definition",
    "make_agent": "agents.registry",
    "parse_definition": "poker.definition",
    "payoffs": "poker.payoffs",
    "read_match_log": "logs.match_log",
    "strength": "cards.any_strength",
}


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"acpcbot.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'acpcbot' has no attribute {name!r}")
