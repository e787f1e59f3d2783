"""Any poker game as an environment of PettingZoo (AEC), over the rule book and the dealer's cards.

    from acpcbot.adapters.pettingzoo import poker_env

    env = poker_env("leduc.limit.2p")
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None if termination else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

An episode is one hand. ``player_0`` is position 0 of the game definition, and so on. ``reset(seed)``
deals the first hand of a match with this seed, exactly as the dealer does, each further
``reset()`` the next one.

Actions are numbers:

``0``      fold, where there is something to call
``1``      check or call, always legal
``2``      in limit games: bet or raise
``2 + k``  in no-limit games: bet or raise by size k of the menu ``bets`` that stands there

``observation["action_mask"]`` (int8) has a 1 for each legal action, and only zeros for players that
are not to act. Sizes of a menu that come out alike are legal once, as the first of them. A masked
action raises UsageError: put PettingZoo's ``TerminateIllegalWrapper`` around it for learners that
try them.

``observation["observation"]`` is a float32 vector of numbers from 0 to 1; ``env.unwrapped.layout``
has the slices of its parts. Chips are divided by ``layout.scale``, the most that a player can put
in.

``hole``     of the deck's length: 1 for each own card, from the lowest rank, suits fastest
``board``    of the deck's length: 1 for each card of the board
``street``   one for each street: 1 at the present one
``seat``     one for each player: 1 at the own position
``actor``    one for each player: 1 at the player to act; zeros when the hand is over
``spent``    the chips that each player has put in, blinds included
``folded``   1 for each player that has folded
``to_call``  the chips that a call of the player to act adds
``history``  rows of past actions, oldest first; zeros behind the last one

A row of the history has one number for each street, one for each player, one for each kind of
action (fold, call, raise), and the chips that the player has then put in. Limit games have rows for the longest
hand, so that an observation tells all that its player has seen; no-limit games have ``history``
rows, 32 if left out.

Rewards are chips, paid when the hand is over, and sum to zero.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.cards.deck import format_cards
from acpcbot.errors import UsageError
from acpcbot.poker import rules
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, Action, raising
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.dealing import Deal, Dealing
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.payoffs import payoffs
from acpcbot.poker.shipped import find_definition
from acpcbot.trees.bet_menu import LIMIT_MENU, BetMenu, parse_menu, wanted_raise

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ImportError:
    raise UsageError(
        "acpcbot.adapters.pettingzoo needs PettingZoo, which is not installed",
        "install the extra: pip install 'acpcbot[pettingzoo]'",
    ) from None

__all__ = ["ObservationLayout", "PokerEnv", "poker_env"]

DEFAULT_BETS = "0.5,1,all-in"
DEFAULT_HISTORY = 32
NUM_KINDS = 3
FOLD, CALL, FIRST_RAISE = 0, 1, 2


@dataclass(frozen=True, slots=True)
class ObservationLayout:
    """The parts of an observation.

    ``parts``    the slice of each, by name
    ``rows``     rows of the history
    ``scale``    the chips that 1 stands for
    """

    parts: Mapping[str, slice]
    rows: int
    scale: int

    @property
    def length(self) -> int:
        """The length of the vector."""
        return int(max(part.stop for part in self.parts.values()))


def layout_of(definition: GameDefinition, history: int | None) -> ObservationLayout:
    """Return the layout for *definition*, with *history* rows: those of the longest hand, or 32."""
    rows = history
    if rows is None:
        rows = longest_hand(definition) if definition.is_limit else DEFAULT_HISTORY
    deck, players, streets = len(definition.deck), definition.num_players, definition.num_streets
    lengths = {
        "hole": deck,
        "board": deck,
        "street": streets,
        "seat": players,
        "actor": players,
        "spent": players,
        "folded": players,
        "to_call": 1,
        "history": rows * (streets + players + NUM_KINDS + 1),
    }
    parts, start = {}, 0
    for name, length in lengths.items():
        parts[name] = slice(start, start + length)
        start += length
    return ObservationLayout(parts, rows, most_chips(definition))


def longest_hand(definition: GameDefinition) -> int:
    """Return the most actions that a hand of a limit game can have.

    >>> from acpcbot.poker.shipped import shipped_definition
    >>> longest_hand(shipped_definition("kuhn.limit.2p"))
    3
    """
    players = definition.num_players
    # All but one check before the first bet, and all but the raiser answer each.
    return sum(
        min(players + raises * (players - 1), rules.MAX_ACTIONS_PER_STREET)
        for raises in definition.max_raises
    )


def most_chips(definition: GameDefinition) -> int:
    """Return the most chips that a player can put into one hand."""
    largest = max(definition.stacks)
    if not definition.is_limit:
        return largest
    bets = zip(definition.raise_sizes, definition.max_raises, strict=True)
    raised = sum(size * min(count, rules.MAX_ACTIONS_PER_STREET) for size, count in bets)
    return min(largest, definition.big_blind + raised)


class PokerEnv(AECEnv):  # type: ignore[misc]
    """A poker game as an AEC environment; ``poker_env`` makes one in its usual wrapper.

    ``definition``   the game
    ``layout``       the parts of an observation
    ``betting``      the betting of the hand up to now
    ``deal``         all cards of the hand
    """

    metadata = {  # noqa: RUF012 (PettingZoo's way)
        "name": "acpcbot_poker_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: GameDefinition | str,
        *,
        bets: BetMenu | str = DEFAULT_BETS,
        history: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise UsageError(f"render_mode={render_mode!r}", "expected None or 'ansi'")
        if history is not None and history < 1:
            raise UsageError(f"history={history}: expected at least one row")
        self.render_mode = render_mode
        self.definition = find_definition(game)[1] if isinstance(game, str) else game
        self.layout = layout_of(self.definition, history)
        menu = parse_menu(bets) if isinstance(bets, str) else bets
        self._menu = LIMIT_MENU if self.definition.is_limit else menu
        self._rules = BettingRules(self.definition)
        self._card_places = {card: place for place, card in enumerate(sorted(self.definition.deck))}
        self._dealing: Dealing | None = None
        self.betting: BettingState = self._rules.start
        self.deal = Deal((), ())
        self._payoffs: tuple[float, ...] = ()

        num_sizes = max(len(sizes) for rows in self._menu.streets for sizes in rows)
        num_actions = FIRST_RAISE + num_sizes
        self.possible_agents = [f"player_{seat}" for seat in range(self.definition.num_players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: spaces.Discrete(num_actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, (self.layout.length,), np.float32),
                    "action_mask": spaces.Box(0, 1, (num_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of observations, the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of actions, the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, object] | None = None) -> None:
        """Deal the first hand of a match with *seed*, or the next one; *options* are not used.

        Without a seed the first match has a random one.
        """
        if seed is not None or self._dealing is None:
            self._dealing = Dealing(self.definition, secrets.randbits(32) if seed is None else seed)
        self.deal = self._dealing.next_deal()
        self.betting, self._payoffs = self._rules.start, ()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def step(self, action: int | None) -> None:
        """Play *action* of the selected player: None once the hand is over.

        Raises UsageError for an action that is not legal.
        """
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        legal = self.legal_actions()
        if action is None or int(action) not in legal:
            raise UsageError(
                f"action {action} of {self.agent_selection} after {self.betting.text!r}",
                f"expected one of {', '.join(map(str, legal))}",
            )
        # No reward to clear: the only ones are paid when the hand is over.
        self.betting = self.betting.apply(legal[int(action)])
        if self.betting.is_over:
            self._payoffs = payoffs(self.betting, self.deal.hole_cards, self.deal.board)
            self.rewards = dict(zip(self.agents, self._payoffs, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._select()
        self._accumulate_rewards()

    def _select(self) -> None:
        """Select the player to act; the first one where the hand is over."""
        seat = 0 if self.betting.is_over else self.betting.actor
        self.agent_selection = self.possible_agents[seat]

    def legal_actions(self) -> dict[int, Action]:
        """Return the legal actions of the player to act, by number."""
        if self.betting.is_over:
            return {}
        found = {FOLD: FOLDING} if self.betting.can_act(FOLDING) else {}
        found[CALL] = CALLING
        if self.betting.raise_range is None:
            return found
        if self.definition.is_limit:
            return {**found, FIRST_RAISE: LIMIT_RAISING}
        vector = self.betting.vector
        for number, size in enumerate(
            self._menu.sizes(vector[rules.STREET], vector[rules.NUM_RAISES]), FIRST_RAISE
        ):
            action = raising(wanted_raise(self._rules.vector, vector, size))
            if action not in found.values():
                found[number] = action
        return found

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return what *agent* sees, and the mask of its legal actions."""
        mask = np.zeros(self.action_spaces[agent].n, np.int8)
        if self._seats[agent] == self.betting.actor:
            mask[list(self.legal_actions())] = 1
        return {"observation": self._vector(self._seats[agent]), "action_mask": mask}

    def _vector(self, seat: int) -> NDArray[np.float32]:
        vector = np.zeros(self.layout.length, np.float32)
        part = {name: vector[place] for name, place in self.layout.parts.items()}
        betting, scale = self.betting, self.layout.scale
        part["hole"][[self._card_places[card] for card in self.deal.hole_cards[seat]]] = 1
        part["board"][[self._card_places[card] for card in self._board()]] = 1
        part["street"][betting.street] = 1
        part["seat"][seat] = 1
        if not betting.is_over:
            part["actor"][betting.actor] = 1
        part["spent"][:] = np.array(betting.spent) / scale
        part["folded"][:] = betting.folded
        part["to_call"][0] = betting.to_call / scale
        self._fill_history(part["history"].reshape(self.layout.rows, -1))
        return vector

    def _fill_history(self, history: NDArray[np.float32]) -> None:
        """Fill *history* [row, street | player | kind | chips] with the last actions."""
        streets, players = self.definition.num_streets, self.definition.num_players
        steps = list(self.betting.decisions())[-self.layout.rows :]
        for row, (before, action) in zip(history, steps, strict=False):
            row[before.street] = 1
            row[streets + before.actor] = 1
            row[streets + players + action.kind] = 1
            row[-1] = before.apply(action).spent[before.actor] / self.layout.scale

    def _board(self) -> tuple[int, ...]:
        return self.deal.board[: self.definition.board_size(self.betting.street)]

    def render(self) -> str | None:
        """Return the hand as text, all cards shown, with the mode ``ansi``; else None."""
        if self.render_mode is None:
            return None
        held = "  ".join(
            [
                f"{agent} {format_cards(cards)}"
                for agent, cards in zip(self.possible_agents, self.deal.hole_cards, strict=True)
            ]
        )
        end = (
            f"won {' '.join([f'{value:+g}' for value in self._payoffs])}"
            if self.betting.is_over
            else f"{self.agent_selection} to act"
        )
        return (
            f"{held}  board {format_cards(self._board()) or '-'}"
            f"  betting {self.betting.text or '-'}  pot {self.betting.pot}  {end}"
        )

    def close(self) -> None:
        """Do nothing: no window is open."""

    def __str__(self) -> str:
        return str(self.metadata["name"])


def poker_env(
    game: GameDefinition | str = "leduc.limit.2p",
    *,
    bets: BetMenu | str = DEFAULT_BETS,
    history: int | None = None,
    render_mode: str | None = None,
) -> Any:
    """Return *game* as an AEC environment that names calls in the wrong order.

    ``game``         a shipped name, the path of a definition, or a definition
    ``bets``         the sizes of bets in no-limit games, as those of ``acpcbot solve``
    ``history``      rows of past actions in an observation
    ``render_mode``  ``"ansi"`` for text from ``render()``
    """
    return OrderEnforcingWrapper(
        PokerEnv(game, bets=bets, history=history, render_mode=render_mode)
    )
