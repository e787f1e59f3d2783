"""A match without sockets: the same hands, rules and log, the agents called directly.

An interrupted match is resumed after the last hand in its log. An agent that raises or
returns an illegal action gets the fallback action, as in ``net/client.py``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from acpcbot.logs.match_log import HandRecord, read_match_log
from acpcbot.matches.agent import Agent, fallback_action, own_fallbacks
from acpcbot.matches.hand import Hand
from acpcbot.matches.match_files import MatchFiles
from acpcbot.matches.settings import MatchSettings
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.dealing import Dealing
from acpcbot.protocol.messages import MatchState
from acpcbot.protocol.records import format_score_record


def play_in_process(settings: MatchSettings, agents: Sequence[Agent], files: MatchFiles) -> int:
    """Play the hands that the log lacks, agents in seat order; return the number of fallbacks."""
    game = BettingRules(settings.definition)
    dealing = Dealing(settings.definition, settings.seed)
    dealing.skip(files.num_logged)
    scores = _logged_scores(settings) if files.num_logged else [0.0] * len(agents)
    num_fallbacks = -sum(map(own_fallbacks, agents))
    for hand_id in range(files.num_logged, settings.num_hands):
        hand = Hand(settings, hand_id, dealing.next_deal(), game.start)
        num_fallbacks += _play_hand(hand, agents)
        files.log(hand.record())
        for seat, position in enumerate(hand.positions):
            scores[seat] += hand.values[position]
    files.log(format_score_record(scores, settings.player_names))
    return num_fallbacks + sum(map(own_fallbacks, agents))


def _logged_scores(settings: MatchSettings) -> list[float]:
    """Return the total of each seat over the hands in the log."""
    scores = [0.0] * settings.definition.num_players
    for entry in read_match_log(f"{settings.name}.log", settings.definition):
        if isinstance(entry, HandRecord):
            for position, value in enumerate(entry.values):
                scores[settings.seat(position, entry.hand_id)] += value
    return scores


def _play_hand(hand: Hand, agents: Sequence[Agent]) -> int:
    num_fallbacks = 0
    while not hand.betting.is_over:
        view = hand.view(hand.betting.actor)
        action = _ask(agents[hand.actor_seat], view)
        num_fallbacks += action is None
        hand.apply(action or fallback_action(view))
    for agent, position in zip(agents, hand.positions, strict=True):
        observe = getattr(agent, "observe", None)
        if observe is not None:
            observe(hand.view(position))
    return num_fallbacks


def _ask(agent: Agent, view: MatchState) -> Action | None:
    try:
        action = agent.act(view, math.inf)
        view.betting.verify_action(action)
        return action
    except Exception:
        return None
