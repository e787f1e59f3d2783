"""A match without sockets: the same hands, rules and log, the agents called directly.

A match that was cut goes on after the last hand in its log. An agent's fault is
answered for as a client would.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from acpcbot.matches.agent import Agent, fallback_action
from acpcbot.matches.hand import Hand
from acpcbot.matches.match_files import MatchFiles
from acpcbot.matches.settings import MatchSettings
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.dealing import Dealing
from acpcbot.protocol.messages import MatchState


def play_in_process(settings: MatchSettings, agents: Sequence[Agent], files: MatchFiles) -> int:
    """Play the hands that the log lacks, agents in seat order; the number of fallbacks."""
    game = BettingRules(settings.definition)
    dealing = Dealing(settings.definition, settings.seed)
    dealing.skip(files.num_logged)
    num_fallbacks = 0
    for hand_id in range(files.num_logged, settings.num_hands):
        hand = Hand(settings, hand_id, dealing.next_deal(), game.start)
        num_fallbacks += _play_hand(hand, agents)
        files.log(hand.record())
    return num_fallbacks


def _play_hand(hand: Hand, agents: Sequence[Agent]) -> int:
    num_fallbacks = 0
    while not hand.betting.is_over:
        view = hand.view(hand.betting.actor)
        action = _ask(agents[hand.actor_seat], view)
        num_fallbacks += action is None
        hand.apply(action or fallback_action(view))
    return num_fallbacks


def _ask(agent: Agent, view: MatchState) -> Action | None:
    try:
        action = agent.act(view, math.inf)
        return action if view.betting.can_act(action) else None
    except Exception:
        return None
