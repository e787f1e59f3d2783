"""Strategies as OpenSpiel's policies and bots, and OpenSpiel's policies and bots as agents.

    import pyspiel
    from acpcbot.adapters.openspiel import policy_of
    from open_spiel.python.algorithms.exploitability import nash_conv

    game = pyspiel.load_game("leduc_poker")
    nash_conv(game, policy_of("leduc.limit.2p/dcfr", game))

``policy_of(strategy, game)``                 a strategy as ``open_spiel.python.policy.Policy``
``as_openspiel_bot(strategy, game, player)``  a strategy as ``pyspiel.Bot``
``strategy_of(policy, game)``                 a policy as what ``acpcbot.load_strategy`` returns
``policy_agent(policy)``                      a policy as a maker of agents
``bot_agent(make_bot)``                       bots as a maker of agents

A strategy is a name, what ``acpcbot.load_strategy`` returns, or any ``PublicStrategy``. A game is
``kuhn_poker`` for two or three, ``leduc_poker`` for two, or ``universal_poker`` with bets of every
size; players are our positions, chips are the same. ``acpcbot.research.openspiel`` has the numbers
of actions and cards. Other games raise UsageError.

An information state of OpenSpiel belongs to one player. A state does not: it has everybody's cards.
Where one is made from a player's view, the others hold cards that the player cannot see, drawn at
random; honest bots and policies do not look at them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from acpcbot.adapters.given_strategies import public_strategy
from acpcbot.agents.decision_stream import decision_stream
from acpcbot.agents.table_agent import TableAgent
from acpcbot.errors import UsageError
from acpcbot.matches.agent import AgentMaker
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands, hand_number, hands_without
from acpcbot.protocol.messages import MatchState
from acpcbot.research.openspiel import (
    SpielPosition,
    SpielRules,
    import_spiel,
    spiel_definition,
    spiel_game,
)
from acpcbot.research.strategies import Strategy
from acpcbot.rng import Stream
from acpcbot.strategies.policy import drawn_index
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy

import_spiel("acpcbot.adapters.openspiel")

import pyspiel  # noqa: E402 (a missing one is named in the line above)
from open_spiel.python import policy as spiel_policies  # noqa: E402

__all__ = [
    "BotAgent",
    "PolicyStrategy",
    "StrategyBot",
    "StrategyPolicy",
    "as_openspiel_bot",
    "bot_agent",
    "policy_agent",
    "policy_of",
    "spiel_definition",
    "spiel_game",
    "strategy_of",
]

KEPT_TABLES = 1000


class StrategyPolicy(spiel_policies.Policy):  # type: ignore[misc]
    """A strategy as OpenSpiel's policy of all players.

    A limit game's probabilities list every legal action, a no-limit game's those that the strategy
    plays with some hand: all others have the probability 0.
    """

    def __init__(self, spiel_rules: SpielRules, strategy: PublicStrategy) -> None:
        super().__init__(spiel_rules.game, list(range(spiel_rules.definition.num_players)))
        self.rules, self.strategy = spiel_rules, strategy
        self._tables: dict[tuple[str, tuple[int, ...]], ActionTable] = {}

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        """Return the probability of each action of the player to act in *state*.

        Raises UsageError for a *player_id* that is not to act.
        """
        position = self.rules.position(state)
        betting = position.betting
        if player_id is not None and player_id != betting.actor:
            raise UsageError(
                f"player {player_id} is asked to act after {betting.text!r}",
                f"expected player {betting.actor}",
            )
        table = self._table(betting, position.board)
        hand = hand_number(self.rules.definition, position.hole_cards[betting.actor])
        row = table.probabilities[hand]
        listed = betting.legal_actions() if self.rules.definition.is_limit else ()
        found = {self.rules.number(betting, action): 0.0 for action in listed}
        for action, probability in zip(table.actions, row.tolist(), strict=True):
            found[self.rules.number(betting, action)] = probability
        return found

    def _table(self, betting: BettingState, board: tuple[int, ...]) -> ActionTable:
        key = betting.text, board
        table = self._tables.get(key)
        if table is None:
            if len(self._tables) >= KEPT_TABLES:
                self._tables.clear()
            table = self._tables[key] = self.strategy.table(betting, board)
        return table


class StrategyBot(pyspiel.Bot):  # type: ignore[misc]
    """A strategy as OpenSpiel's bot of *player*, which draws its actions from *seed*."""

    def __init__(self, policy: StrategyPolicy, player: int, seed: int) -> None:
        super().__init__()
        self.policy, self.player = policy, player
        self._random = np.random.default_rng(seed)

    def step(self, state: Any) -> int:
        """Return the number of an action that is drawn for *state*."""
        return self.step_with_policy(state)[1]

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        """Return the probabilities of actions in *state*, and the one that is drawn."""
        row = list(self.get_policy(state))
        index = drawn_index(np.array([chance for _, chance in row]), self._random.random())
        return row, row[index][0]

    def get_policy(self, state: Any) -> list[tuple[int, float]]:
        """Return the probability of each action in *state*."""
        return list(self.policy.action_probabilities(state, self.player).items())

    def provides_policy(self) -> bool:
        """Return True: the probabilities are known."""
        return True

    def restart(self) -> None:
        """Begin another game: nothing is kept from one to the next."""

    def restart_at(self, state: Any) -> None:
        """Go on from *state*: nothing is kept from one decision to the next."""


def policy_of(strategy: PublicStrategy | str, game: Any) -> StrategyPolicy:
    """Return *strategy* as OpenSpiel's policy of *game*, a ``pyspiel.Game`` or its name.

    Algorithms in C++ take ``python_policy_to_pyspiel_policy(policy_of(...).to_tabular())``. Raises
    UsageError if the strategy is one of another game.
    """
    spiel_rules = SpielRules(pyspiel.load_game(game) if isinstance(game, str) else game)
    hint = "spiel_game(strategy.definition) is its own"
    return StrategyPolicy(spiel_rules, public_strategy(strategy, spiel_rules.definition, hint))


def as_openspiel_bot(
    strategy: PublicStrategy | str, game: Any, player: int, *, seed: int = 0
) -> StrategyBot:
    """Return *strategy* as OpenSpiel's bot of *player* in *game*.

    Raises UsageError as ``policy_of``, and for a player that the game lacks.
    """
    policy = policy_of(strategy, game)
    num_players = policy.rules.definition.num_players
    if not 0 <= player < num_players:
        raise UsageError(
            f"player {player} of a game for {num_players}",
            f"expected a number from 0 to {num_players - 1}",
        )
    return StrategyBot(policy, player, seed)


class PolicyStrategy:
    """OpenSpiel's *policy*, in Python or C++, as a ``PublicStrategy``: it knows its odds with every
    hand.

    So ``TableAgent`` plays and records it, and exact best responses and AIVAT measure it.
    ``definition`` is our definition of the game.
    """

    def __init__(self, spiel_rules: SpielRules, policy: Any) -> None:
        self.rules, self.policy = spiel_rules, policy
        self.definition = spiel_rules.definition

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """Return the probabilities of the actor after *betting* with every hand.

        The policy is asked once for each: 1326 times in hold'em.
        """
        free = hands_without(self.definition, board)
        rows: dict[int, dict[int, float]] = {}
        for hand in np.flatnonzero(free).tolist():
            own = tuple(all_hands(self.definition)[hand].tolist())
            state = self.rules.state(_position(betting, own, board, None))
            rows[hand] = dict(self.policy.action_probabilities(state))
        numbers = sorted({number for row in rows.values() for number in row})
        probabilities = np.zeros((len(free), len(numbers)))
        for hand, row in rows.items():
            probabilities[hand] = [row.get(number, 0.0) for number in numbers]
        actions = tuple([self.rules.action(betting, number) for number in numbers])
        return ActionTable(actions, probabilities)


def strategy_of(policy: Any, game: Any, name: str = "") -> Strategy:
    """Return OpenSpiel's *policy* of *game* as a ``Strategy`` called *name*.

    It is what ``acpcbot.load_strategy`` returns of others: ``decision`` shows it, and
    ``acpcbot.exploitability`` measures it in games of two players.
    """
    spiel_rules = SpielRules(pyspiel.load_game(game) if isinstance(game, str) else game)
    return Strategy(
        name or type(policy).__name__,
        str(spiel_rules.game),
        spiel_rules.definition,
        "openspiel",
        0,
        0.0,
        PolicyStrategy(spiel_rules, policy),
    )


def policy_agent(policy: Any) -> AgentMaker:
    """Return a maker of agents that play OpenSpiel's *policy*, for ``acpcbot.play_match``.

    The policy is one of ``spiel_game(definition)``. The agents can be recorded, as searching ones.
    """

    def make(definition: GameDefinition, seed: int) -> TableAgent:
        public = PolicyStrategy(SpielRules(spiel_game(definition)), policy)
        return TableAgent(definition, seed, public)

    make.__qualname__ = type(policy).__name__
    return make


MakeBot = Callable[[Any, int, int], Any]
"""A function that makes a bot from a ``pyspiel.Game``, a player and a seed."""


class BotAgent:
    """Agent that asks bots of OpenSpiel, made by *make_bot*, one for each position.

    A bot is told of a new hand by ``restart``, and of the others' actions by ``inform_action``. An
    action that is not legal raises UsageError, so that a fallback is played and counted.
    """

    is_instant = False

    def __init__(self, definition: GameDefinition, seed: int, make_bot: MakeBot) -> None:
        self.rules, self.seed, self._make_bot = SpielRules(spiel_game(definition)), seed, make_bot
        self._bots: dict[int, Any] = {}
        self._hand_id, self._num_told = -1, 0

    def act(self, state: MatchState, deadline_s: float) -> Action:
        """Return the action of the bot of this position."""
        bot = self._bot(state)
        stream = decision_stream(self.seed, state)
        position = _position(state.betting, state.own_cards, state.board, stream)
        for place, (spiel_state, number) in enumerate(self.rules.states(position)):
            actor = spiel_state.current_player()
            if number < 0:
                self._num_told = place + 1  # its own action, which it knows
                break
            if place >= self._num_told and actor != state.seat:
                bot.inform_action(spiel_state, actor, number)
        return self.rules.action(state.betting, int(bot.step(spiel_state)))

    def _bot(self, state: MatchState) -> Any:
        """Return the bot of this position, told of a new hand where one has begun."""
        bot = self._bots.get(state.seat)
        if bot is None:
            seed = (self.seed + state.seat) % 2**31
            bot = self._bots[state.seat] = self._make_bot(self.rules.game, state.seat, seed)
        if state.hand_id != self._hand_id:
            self._hand_id, self._num_told = state.hand_id, 0
            bot.restart()
        return bot


def bot_agent(make_bot: MakeBot) -> AgentMaker:
    """Return a maker of agents that ask bots of OpenSpiel, for ``acpcbot.play_match``.

    *make_bot* is called with a ``pyspiel.Game``, a player and a seed. The maker has the name of
    *make_bot*, which players of a match go by.
    """

    def make(definition: GameDefinition, seed: int) -> BotAgent:
        return BotAgent(definition, seed, make_bot)

    make.__qualname__ = getattr(make_bot, "__name__", type(make_bot).__name__)
    return make


def _position(
    betting: BettingState, own_cards: Sequence[int], board: Sequence[int], stream: Stream | None
) -> SpielPosition:
    """Return the position as the actor sees it, where the others hold unseen cards.

    *stream* draws these; without it they are the first ones.
    """
    definition = betting.game.definition
    size = definition.num_hole_cards
    unseen = [card for card in definition.deck if card not in own_cards and card not in board]
    if stream is not None:
        unseen = [
            unseen.pop(stream.below(len(unseen))) for _ in range(size * definition.num_players)
        ]
    hidden = [
        tuple(unseen[seat * size : (seat + 1) * size]) for seat in range(definition.num_players)
    ]
    hidden[betting.actor] = tuple(own_cards)
    return SpielPosition(betting, tuple(hidden), tuple(board))
