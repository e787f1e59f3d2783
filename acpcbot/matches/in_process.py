"""A match without sockets: the same hands, rules and log, the agents called directly.

An interrupted match is resumed after the last hand in its log. An agent that raises or
returns an illegal action gets the fallback action, as in ``net/client.py``, and the reason is
reported in the same words.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

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

OnFallback = Callable[[str, MatchState, str], None]
"""Called with the player, the state and the reason of each decision made by the fallback."""


def ignore_fallback(player: str, state: MatchState, reason: str) -> None:
    """Do nothing with a fallback."""


def play_in_process(
    settings: MatchSettings,
    agents: Sequence[Agent],
    files: MatchFiles,
    on_fallback: OnFallback = ignore_fallback,
) -> int:
    """Play the hands that the log lacks, agents in seat order; return the number of fallbacks."""
    game = BettingRules(settings.definition)
    dealing = Dealing(settings.definition, settings.seed)
    dealing.skip(files.num_logged)
    scores = _logged_scores(settings) if files.num_logged else [0.0] * len(agents)
    num_fallbacks = -sum(map(own_fallbacks, agents))
    for hand_id in range(files.num_logged, settings.num_hands):
        hand = Hand(settings, hand_id, dealing.next_deal(), game.start)
        num_fallbacks += _play_hand(hand, agents, settings.player_names, on_fallback)
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


def _play_hand(
    hand: Hand, agents: Sequence[Agent], names: Sequence[str], on_fallback: OnFallback
) -> int:
    num_fallbacks = 0
    while not hand.betting.is_over:
        view, seat = hand.view(hand.betting.actor), hand.actor_seat
        answer = _ask(agents[seat], view)
        if isinstance(answer, str):
            num_fallbacks += 1
            on_fallback(names[seat], view, answer)
            answer = fallback_action(view)
        hand.apply(answer)
    for agent, position in zip(agents, hand.positions, strict=True):
        observe = getattr(agent, "observe", None)
        if observe is not None:
            observe(hand.view(position))
    return num_fallbacks


def _ask(agent: Agent, view: MatchState) -> Action | str:
    """Return the agent's legal action, or the reason why there is none."""
    try:
        action = agent.act(view, math.inf)
    except Exception as error:
        return repr(error)
    try:
        view.betting.verify_action(action)
    except Exception as error:
        return f"not a legal action: {error}"
    return action
