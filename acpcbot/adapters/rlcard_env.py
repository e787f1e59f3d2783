"""Environment with the methods of RLCard's, over our rules and the dealer's cards."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from acpcbot.adapters.rlcard_states import RlcardForm
from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.dealing import Deal, Dealing
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.payoffs import payoffs


class RlcardEnv:
    """The game *definition* as an environment of RLCard: ``reset``, ``step``, ``run`` and so on.

    Players change positions from hand to hand, as in a match: in hand k (from 0) player p is at
    position p - k, counted round. Actions that our rules forbid are not listed. Payoffs are in
    RLCard's units: big blinds of two of its chips in limit games, chips in no-limit games.

    ``game``           the game definition
    ``form``           the game in RLCard's terms
    ``num_players``, ``num_actions``, ``state_shape``, ``action_shape``  as RLCard has them
    ``timestep``       the number of actions of all hands
    """

    def __init__(self, definition: GameDefinition, *, seed: int | None = None) -> None:
        self.game = definition
        self.form = RlcardForm(definition)
        self.name = self.form.name
        self.num_players = definition.num_players
        self.num_actions = len(self.form.raw_actions)
        self.state_shape = [[self.form.vector_length] for _ in range(self.num_players)]
        self.action_shape = [None for _ in range(self.num_players)]
        self.allow_step_back = True
        self.timestep = 0
        self.agents: list[Any] = []
        self.action_recorder: list[tuple[int, Any]] = []
        self._rules = BettingRules(definition)
        self.seed(seed)

    def seed(self, seed: int | None = None) -> int:
        """Begin the match of *seed*, a random one without it, and return the seed."""
        seed = secrets.randbits(32) if seed is None else seed
        self._dealing = Dealing(self.form.definition, seed)
        self._num_hands = 0
        self._begin(Deal((), ()))
        return seed

    def _begin(self, deal: Deal) -> None:
        self.deal = deal
        self.betting = self._rules.start
        self._past = [self.betting]
        self.action_recorder = []

    def reset(self) -> tuple[dict[str, Any], int]:
        """Deal the next hand; return the state of the first to act, and its number."""
        self._begin(self._dealing.next_deal())
        self._num_hands += 1
        player = self.get_player_id()
        return self.get_state(player), player

    def step(self, action: Any, raw_action: bool = False) -> tuple[dict[str, Any], int]:  # noqa: FBT001, FBT002 (RLCard's)
        """Play *action*, a number or a raw action; return the next state and its player.

        Raises UsageError for an action that is not legal, except a fold where checking is free.
        """
        raw = action
        if not raw_action:
            if int(action) not in range(self.num_actions):
                raise UsageError(
                    f"action {action}", f"expected a number from 0 to {self.num_actions - 1}"
                )
            raw = self.form.raw_actions[int(action)]
        player = self.get_player_id()
        played = self.form.action(self.betting, raw)
        # A fold where checking is free is recorded as what it is here.
        self.action_recorder.append((player, self.form.raw_action(self.betting, played)))
        self.betting = self.betting.apply(played)
        self._past.append(self.betting)
        self.timestep += 1
        player = self.get_player_id()
        return self.get_state(player), player

    def step_back(self) -> tuple[dict[str, Any], int] | bool:
        """Take the last action back; return the state before it and its player, or False."""
        if len(self._past) < 2:
            return False
        self._past.pop()
        self.betting = self._past[-1]
        self.action_recorder.pop()
        player = self.get_player_id()
        return self.get_state(player), player

    def set_agents(self, agents: list[Any]) -> None:
        """Let *agents*, one for each player, play in ``run``."""
        if len(agents) != self.num_players:
            raise UsageError(f"{len(agents)} agents", f"expected {self.num_players}")
        self.agents = agents

    def run(self, is_training: bool = False) -> tuple[list[list[Any]], Any]:  # noqa: FBT001, FBT002 (RLCard's)
        """Play a hand; return for each player its states and actions by turns, and the payoffs.

        Agents are asked by ``step`` in training, else by ``eval_step``.
        """
        paths: list[list[Any]] = [[] for _ in range(self.num_players)]
        state, player = self.reset()
        while not self.is_over():
            agent = self.agents[player]
            action = agent.step(state) if is_training else agent.eval_step(state)[0]
            paths[player] += [state, action]
            state, player = self.step(action, agent.use_raw)
        for number, path in enumerate(paths):
            path.append(self.get_state(number))
        return paths, self.get_payoffs()

    def is_over(self) -> bool:
        """Return whether the hand is over."""
        return self.betting.is_over

    def get_player_id(self) -> int:
        """Return the number of the player to act, of the first position when the hand is over."""
        seat = 0 if self.betting.is_over else self.betting.actor
        return self._players[seat]

    def get_state(self, player_id: int) -> dict[str, Any]:
        """Return what *player_id* is given now."""
        if not self.deal.hole_cards:
            raise UsageError("no hand is dealt", "call reset() first")
        seat = self._players.index(player_id)
        size = self.form.definition.board_size(self.betting.street)
        return self.form.state(
            self.betting,
            seat,
            self.deal.hole_cards[seat],
            self.deal.board[:size],
            players=self._players,
            record=list(self.action_recorder),
        )

    def get_payoffs(self) -> Any:
        """Return the payoffs of the players when the hand is over."""
        won = payoffs(self.betting, self.deal.hole_cards, self.deal.board)
        unit = self.form.unit * (2 if self.form.definition.is_limit else 1)
        return (
            np.array([won[self._players.index(player)] for player in range(self.num_players)])
            / unit
        )

    @property
    def _players(self) -> tuple[int, ...]:
        """The numbers of the players by position."""
        hand = max(self._num_hands - 1, 0)
        return tuple([(seat + hand) % self.num_players for seat in range(self.num_players)])
