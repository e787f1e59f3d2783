"""An ACPC-protocol poker bot server: rules, protocol, dealer, client, agents, match logs,
duplicate matches; and solving, training and evaluation in one call each.

The names below are the public ones; each is imported when it is first used, so
that a client which needs little starts fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.agents.registry import make_agent as make_agent
    from acpcbot.cards.any_strength import strength as strength
    from acpcbot.errors import AcpcbotError as AcpcbotError
    from acpcbot.logs.entries import HandRecord as HandRecord
    from acpcbot.logs.match_log import read_match_log as read_match_log
    from acpcbot.matches.agent import Agent as Agent
    from acpcbot.matches.settings import MatchSettings as MatchSettings
    from acpcbot.matches.table import Table as Table
    from acpcbot.net.client import Client as Client
    from acpcbot.net.client_match import ClientReport as ClientReport
    from acpcbot.poker.actions import Action as Action
    from acpcbot.poker.betting import BettingRules as BettingRules
    from acpcbot.poker.betting import BettingState as BettingState
    from acpcbot.poker.dealing import Deal as Deal
    from acpcbot.poker.dealing import Dealing as Dealing
    from acpcbot.poker.definition import GameDefinition as GameDefinition
    from acpcbot.poker.definition import load_definition as load_definition
    from acpcbot.poker.definition import parse_definition as parse_definition
    from acpcbot.poker.payoffs import payoffs as payoffs
    from acpcbot.poker.shipped import find_definition as find_definition
    from acpcbot.protocol.client_side import ClientConnection as ClientConnection
    from acpcbot.protocol.messages import MatchState as MatchState
    from acpcbot.research.match_play import play_match as play_match
    from acpcbot.research.match_scores import aivat as aivat
    from acpcbot.research.measures import exploitability as exploitability
    from acpcbot.research.measures import lbr as lbr
    from acpcbot.research.spots import solve as solve
    from acpcbot.research.strategies import load_strategy as load_strategy
    from acpcbot.research.training_runs import train as train
    from acpcbot.training.recipe import parse_recipe as parse_recipe

    __all__: list[str]

export(
    __name__,
    {
        "AcpcbotError": "errors",
        "Action": "poker.actions",
        "Agent": "matches.agent",
        "BettingRules": "poker.betting",
        "BettingState": "poker.betting",
        "Client": "net.client",
        "ClientConnection": "protocol.client_side",
        "ClientReport": "net.client_match",
        "Deal": "poker.dealing",
        "Dealing": "poker.dealing",
        "GameDefinition": "poker.definition",
        "HandRecord": "logs.entries",
        "MatchSettings": "matches.settings",
        "MatchState": "protocol.messages",
        "Table": "matches.table",
        "aivat": "research.match_scores",
        "exploitability": "research.measures",
        "find_definition": "poker.shipped",
        "lbr": "research.measures",
        "load_definition": "poker.definition",
        "load_strategy": "research.strategies",
        "make_agent": "agents.registry",
        "parse_definition": "poker.definition",
        "parse_recipe": "training.recipe",
        "payoffs": "poker.payoffs",
        "play_match": "research.match_play",
        "read_match_log": "logs.match_log",
        "solve": "research.spots",
        "strength": "cards.any_strength",
        "train": "research.training_runs",
    },
)
