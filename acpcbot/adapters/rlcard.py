"""Agents of RLCard at our table, our strategies as agents of RLCard, and any game as its environment.

    from acpcbot.adapters.rlcard import as_rlcard_agent, rlcard_agent, rlcard_env

    acpcbot.play_match([rlcard_agent(MyAgent()), "leduc.limit.2p/dcfr"])

    env = rlcard_env("leduc.limit.2p", seed=1)
    env.set_agents([MyAgent(), as_rlcard_agent("leduc.limit.2p/dcfr")])
    trajectories, payoffs = env.run()

``rlcard_agent(agent)``              an agent of RLCard as a maker of agents for matches
``rlcard_state(state)``              what an agent of RLCard is given for a decision in a match
``as_rlcard_agent(strategy, game)``  a strategy as an agent of RLCard
``rlcard_env(game)``                 any game of RLCard's forms as an environment, by our rules
``rlcard_definition(name)``          RLCard's own game as a game definition

An agent of RLCard has ``step(state)``, ``eval_step(state)`` and ``use_raw``. ``RlcardForm``
(``rlcard_states.py``) says what is in a state. RLCard itself is needed for its own agents and
environments alone, and not by this module.

In environments of RLCard a strategy follows the hand by its action record. The rules there differ
from those of the ACPC, and a strategy goes on as near as it can:

* Heads-up any player may be the first to act on a later street. A check of the other one is put
  before its bet, or its own check behind.
* Raises below the smallest legal one count as that.
* Where the hand cannot be followed, as behind a raise too many, it checks or calls;
  ``num_unfollowed`` counts that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from acpcbot.adapters.given_strategies import public_strategy
from acpcbot.adapters.rlcard_env import RlcardEnv
from acpcbot.adapters.rlcard_states import LEDUC, LIMIT, NO_LIMIT, RlcardForm
from acpcbot.errors import UsageError
from acpcbot.matches.agent import AgentMaker
from acpcbot.poker import rules
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, Action, raising
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import (
    UNLIMITED_RAISES,
    UNLIMITED_STACK,
    GameDefinition,
)
from acpcbot.poker.hands import hand_number
from acpcbot.poker.shipped import find_definition, shipped_definition
from acpcbot.protocol.messages import MatchState
from acpcbot.research.strategies import load_strategy
from acpcbot.strategies.policy import drawn_index
from acpcbot.strategies.public_strategy import PublicStrategy

__all__ = [
    "RlcardAgent",
    "RlcardEnv",
    "RlcardForm",
    "StrategyAgent",
    "as_rlcard_agent",
    "rlcard_agent",
    "rlcard_definition",
    "rlcard_env",
    "rlcard_state",
]


class RlcardPlayer(Protocol):
    """An agent as RLCard has them; *use_raw* says that it answers with raw actions."""

    use_raw: bool

    def step(self, state: dict[str, Any]) -> Any:
        """Return an action in training."""
        ...

    def eval_step(self, state: dict[str, Any]) -> tuple[Any, Any]:
        """Return an action in play, and information about it."""
        ...


def rlcard_definition(
    name: str, *, num_players: int = 2, chips_for_each: int = 100
) -> GameDefinition:
    """Return RLCard's game *name* as a game definition, to train and measure strategies of it.

    ``name``            ``leduc-holdem``, ``limit-holdem`` or ``no-limit-holdem``
    ``chips_for_each``  the stacks of no-limit hold'em, whose blinds are 1 and 2

    Heads-up the small blind is the first on every street: in RLCard's limit games that holds where
    the streets before had an even number of actions.
    """
    shipped = {LEDUC: "leduc.limit.2p", LIMIT: "holdem.limit.3p", NO_LIMIT: "holdem.nolimit.3p"}
    if name not in shipped:
        raise UsageError(f"game {name!r} of RLCard", f"expected one of {', '.join(shipped)}")
    if name != NO_LIMIT and num_players != 2:
        raise UsageError(
            f"{name} for {num_players} players", "expected 2: RLCard's rounds go wrong with more"
        )
    model = shipped_definition(shipped[name])
    opener = 2 % num_players
    streets = model.num_streets
    stack = chips_for_each if name == NO_LIMIT else UNLIMITED_STACK
    raises = {LEDUC: 2, LIMIT: 4, NO_LIMIT: UNLIMITED_RAISES}[name]
    return GameDefinition(
        is_limit=model.is_limit,
        num_players=num_players,
        num_streets=streets,
        stacks=(stack,) * num_players,
        blinds=(1, 2, *[0] * (num_players - 2)),
        raise_sizes=tuple([2 * size // model.raise_sizes[0] for size in model.raise_sizes]),
        first_seats=(opener, *[0] * (streets - 1)),
        max_raises=(raises,) * streets,
        num_suits=model.num_suits,
        num_ranks=model.num_ranks,
        num_hole_cards=model.num_hole_cards,
        num_board_cards=model.num_board_cards,
    )


def rlcard_state(state: MatchState) -> dict[str, Any]:
    """Return what an agent of RLCard is given for *state*; players are positions."""
    form = RlcardForm(state.definition)
    return form.state(state.betting, state.seat, state.own_cards, state.board)


class RlcardAgent:
    """Agent that asks *agent*, one of RLCard, by ``eval_step``.

    An action that is not legal raises UsageError, so that a fallback is played and counted.
    """

    is_instant = False

    def __init__(self, definition: GameDefinition, agent: RlcardPlayer) -> None:
        self.form, self.agent = RlcardForm(definition), agent

    def act(self, state: MatchState, deadline_s: float) -> Action:
        """Return the action that the agent of RLCard takes."""
        view = self.form.state(state.betting, state.seat, state.own_cards, state.board)
        answer, _ = self.agent.eval_step(view)
        if self.agent.use_raw:
            return self.form.action(state.betting, answer)
        raw_actions = self.form.raw_actions
        if not 0 <= int(answer) < len(raw_actions):
            raise UsageError(
                f"RLCard's action {answer} of {self.form.name}",
                f"expected a number from 0 to {len(raw_actions) - 1}",
            )
        return self.form.action(state.betting, raw_actions[int(answer)])


def rlcard_agent(agent: RlcardPlayer) -> AgentMaker:
    """Return a maker of agents that ask *agent*, one of RLCard, for ``acpcbot.play_match``.

    Players of a match go by the name of its class.
    """

    def make(definition: GameDefinition, _seed: int) -> RlcardAgent:
        return RlcardAgent(definition, agent)

    make.__qualname__ = type(agent).__name__
    return make


class StrategyAgent:
    """A *strategy* as an agent of RLCard, which draws its actions from *seed*.

    ``num_unfollowed``    decisions in hands that it could not follow
    ``first_unfollowed``  the reason of the first of them
    """

    use_raw = False

    def __init__(self, definition: GameDefinition, strategy: PublicStrategy, seed: int) -> None:
        self.form, self.strategy = RlcardForm(definition), strategy
        self.num_unfollowed, self.first_unfollowed = 0, ""
        self._rules = BettingRules(definition)
        self._random = np.random.default_rng(seed)

    def step(self, state: dict[str, Any]) -> int:
        """Return the number of an action that is drawn for *state*."""
        return self.eval_step(state)[0]

    def eval_step(self, state: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Return the number of an action that is drawn for *state*, and ``probs``: all of them."""
        found = self.probabilities(state)
        index = drawn_index(np.array(list(found.values())), self._random.random())
        return self.form.raw_actions.index(list(found)[index]), {"probs": found}

    def probabilities(self, state: dict[str, Any]) -> dict[Any, float]:
        """Return the probability of each raw action that is legal in *state*."""
        legal = state["raw_legal_actions"]
        found = dict.fromkeys(legal, 0.0)
        try:
            betting = self.betting(state)
            rows = self._rows(betting, state["raw_obs"])
        except UsageError as error:
            self.num_unfollowed += 1
            self.first_unfollowed = self.first_unfollowed or str(error)
            found[_calling(legal)] = 1.0
            return found
        for action, probability in rows:
            found[self._raw_action(betting, action, legal)] += probability
        return found

    def _rows(self, betting: BettingState, raw: Mapping[str, Any]) -> list[tuple[Action, float]]:
        """Return the strategy's actions in RLCard's state *raw*, with their probabilities."""
        names = raw["public_cards"] if "public_cards" in raw else [raw["public_card"]]
        board = self.form.parse_cards([name for name in names if name])
        own = self.form.parse_cards(raw["hand"] if isinstance(raw["hand"], list) else [raw["hand"]])
        expected = self.form.definition.board_size(betting.street)
        if len(board) != expected:
            raise UsageError(
                f"{len(board)} board cards after {betting.text!r}: expected {expected}"
            )
        table = self.strategy.table(betting, board)
        row = table.probabilities[hand_number(self.form.definition, own)]
        return list(zip(table.actions, row.tolist(), strict=True))

    def _raw_action(self, betting: BettingState, action: Action, legal: list[Any]) -> Any:
        """Return the raw action, of those that are *legal* there, that is nearest to *action*."""
        if action.kind == rules.CALL:
            return _calling(legal)
        if action.kind == rules.FOLD:
            return next(raw for raw in legal if _name(raw) == "FOLD")
        raises = [raw for raw in legal if _name(raw) not in ("FOLD", "CHECK", "CALL", "CHECK_CALL")]
        if not raises:
            return _calling(legal)
        if self.form.definition.is_limit:
            return raises[0]
        return min(raises, key=lambda raw: abs(self.form.raise_to(betting, raw) - action.raise_to))

    def betting(self, state: dict[str, Any]) -> BettingState:
        """Return the betting of the hand in *state* by our rules.

        Raises UsageError where it cannot be followed.
        """
        definition = self.form.definition
        opener, num_players = definition.first_seats[0], definition.num_players
        record = state["action_record"]
        shift = opener - record[0][0] if record else 0
        hand = _FollowedHand(self.form, self._rules.start)
        for player, raw in record:
            hand.follow((player + shift) % num_players, raw)
        if not record:
            return hand.betting
        player = state["raw_obs"].get("current_player", record[-1][0] + 1)
        hand.turn_to((player + shift) % num_players)
        return hand.betting


class _FollowedHand:
    """The betting of one of RLCard's hands by our rules."""

    def __init__(self, form: RlcardForm, betting: BettingState) -> None:
        self.form, self.betting = form, betting
        self._is_check_due = False  # the first to act there has checked, and is second here

    def follow(self, seat: int, raw: Any) -> None:
        """Take the action *raw* of the player at position *seat*."""
        name = _name(raw)
        is_check = name in ("CALL", "CHECK", "CHECK_CALL")
        if seat != self.betting.actor and is_check and self._begins_street:
            if self._is_check_due:
                raise UsageError(f"two checks of one seat after {self.betting.text!r}")
            self._is_check_due = True
            return
        self.turn_to(seat)
        is_due, self._is_check_due = self._is_check_due, False
        self._apply(name)
        if is_due and is_check:
            self._apply("CHECK")

    def turn_to(self, seat: int) -> None:
        """Make it the turn of *seat*: where the other one begins the street here, it checks."""
        if seat == self.betting.actor:
            return
        if not self._begins_street or self._is_check_due:
            raise UsageError(
                f"position {seat} acts after {self.betting.text!r}: expected {self.betting.actor}"
            )
        self.betting = self.betting.apply(CALLING)

    @property
    def _begins_street(self) -> bool:
        """True if a later street of two players has begun, and nobody has acted."""
        is_start = self.betting.street > 0 and self.betting.text.endswith("/")
        return self.form.definition.num_players == 2 and is_start and not self.betting.is_over

    def _apply(self, name: str) -> None:
        betting = self.betting
        action = {"FOLD": FOLDING, "RAISE": LIMIT_RAISING}.get(name, CALLING)
        if name in ("RAISE_HALF_POT", "RAISE_POT", "ALL_IN"):
            smallest, largest = betting.raise_range or (0, 0)
            raw = next(raw for raw in self.form.raw_actions if raw.name == name)
            action = raising(max(smallest, min(largest, self.form.raise_to(betting, raw))))
        if not betting.can_act(action):
            raise UsageError(f"{name} is not legal after {betting.text!r}")
        self.betting = betting.apply(action)


def _name(raw: Any) -> str:
    return str(getattr(raw, "name", raw)).upper()


def _calling(legal: list[Any]) -> Any:
    return next(raw for raw in legal if _name(raw) in ("CALL", "CHECK", "CHECK_CALL"))


def as_rlcard_agent(
    strategy: PublicStrategy | str, game: GameDefinition | str | None = None, *, seed: int = 0
) -> StrategyAgent:
    """Return *strategy* as an agent of RLCard.

    ``strategy``  a name, what ``acpcbot.load_strategy`` returned, or any ``PublicStrategy``
    ``game``      its game, where the strategy does not say it: a name, or a definition

    It plays in environments of ``rlcard_env`` of the same game, and in RLCard's own of the same
    form. Raises UsageError for a game that RLCard has no form of.
    """
    if isinstance(game, str):
        game = find_definition(game)[1]
    if game is None:
        if isinstance(strategy, str):
            strategy = load_strategy(strategy)
        game = getattr(strategy, "definition", None)
        if game is None:
            raise UsageError(f"{strategy!r} does not say which game it plays", "pass game= as well")
    hint = "omit game= to use the strategy's own"
    return StrategyAgent(game, public_strategy(strategy, game, hint), seed)


def rlcard_env(game: GameDefinition | str, *, seed: int | None = None) -> RlcardEnv:
    """Return *game*, a shipped name, the path of a definition or a definition, as an environment.

    Without *seed* hands are dealt at random.
    """
    return RlcardEnv(find_definition(game)[1] if isinstance(game, str) else game, seed=seed)
