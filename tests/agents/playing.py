"""Hands between agents without a dealer, and single decisions written down as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from acpcbot.cards.deck import parse_cards
from acpcbot.matches.agent import Agent
from acpcbot.matches.hand import Hand
from acpcbot.matches.settings import MatchSettings, TimeLimits
from acpcbot.poker.actions import Action
from acpcbot.poker.dealing import Dealing
from acpcbot.protocol.messages import MatchState
from tests.support.games import definition_of, rules_of

NO_DEADLINE = float("inf")


def decision(game: str, betting: str, cards: str, board: str = "", hand_id: int = 0) -> MatchState:
    """The view of the seat that is to act after *betting*, holding *cards*."""
    state = rules_of(game).parse(betting)
    held: list[tuple[int, ...]] = [()] * definition_of(game).num_players
    held[state.actor] = parse_cards(cards)
    return MatchState(state.actor, hand_id, state, tuple(held), parse_cards(board), "")


def action_text(agent: Agent, state: MatchState) -> str:
    """Return the action of *agent* as on the wire; it must be legal."""
    action = agent.act(state, NO_DEADLINE)
    state.betting.verify_action(action)
    return action.text


def hands(game: str, num_hands: int, seed: int) -> Iterator[Hand]:
    """The first hands of a match with these cards, position by position at the same seat."""
    definition = definition_of(game)
    names = tuple(f"p{seat}" for seat in range(definition.num_players))
    limits = TimeLimits.from_milliseconds(0, 0, 0, num_hands)
    settings = MatchSettings(
        "test", game, definition, num_hands, seed, names, limits, is_fixed=True
    )
    dealing = Dealing(definition, seed)
    for hand_id in range(num_hands):
        yield Hand(settings, hand_id, dealing.next_deal(), rules_of(game).start)


def decisions(agents: Sequence[Agent], hand: Hand) -> Iterator[tuple[MatchState, Action]]:
    """Play *hand* to its end, one agent a position; each decision as it is taken."""
    while not hand.betting.is_over:
        view = hand.view(hand.betting.actor)
        action = agents[view.seat].act(view, NO_DEADLINE)
        yield view, action
        hand.apply(action)


def play(agents: Sequence[Agent], hand: Hand) -> tuple[float, ...]:
    """The values of *hand*, played to its end."""
    for _ in decisions(agents, hand):
        pass
    return hand.values


def duplicate_values(
    game: str, agent: Agent, opponent: Agent, num_hands: int, seed: int
) -> list[float]:
    """Return the winnings of *agent* on each deal, the mean of both positions, in chips."""
    first = [play((agent, opponent), hand)[0] for hand in hands(game, num_hands, seed)]
    second = [play((opponent, agent), hand)[1] for hand in hands(game, num_hands, seed)]
    return [(one + other) / 2 for one, other in zip(first, second, strict=True)]
