"""Players of research games that search at each move, within a budget of simulations or seconds.

A player gets the actions of a match so far, chance's and the other seat's included, and reads of
them only what its seat has observed: searches start from an information set, a public state, or the
state before moves that are made at the same time.

OOS keeps its memory through a match, as its paper has it. IS-MCTS and SM-MCTS begin each move with
an empty tree: of the papers neither says that a tree is kept.

A player is sent to another process as plain data, without what it has searched.

Sources: Lisy, Lanctot & Bowling (2015), Online Monte Carlo counterfactual regret minimization for
search in imperfect information games; Lanctot, Lisy & Winands (2013), Monte Carlo tree search in
simultaneous move games with applications to Goofspiel; Schmid et al. (2023), Student of Games (the
final moves of IS-MCTS).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import thread_time
from typing import Any, Literal, Protocol, TypeVar

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.games.game import Game, State, make_target, new_state
from acpcbot.games.sequence_form import SequenceForm
from acpcbot.jit import kernel
from acpcbot.random_kernels import seed_state
from acpcbot.rng import Stream
from acpcbot.tree_search.is_mcts import FinalMove, InfosetSearch
from acpcbot.tree_search.oos import OOSSearch, OOSSettings
from acpcbot.tree_search.selection.policy import InfosetPolicy, SelectionPolicy
from acpcbot.tree_search.simultaneous import PAYOFFS, Rewards, SimultaneousSearch

Search = TypeVar("Search")
Targeting = Literal["infoset", "public"]

DEFAULT_MEMORY_BYTES = 1 << 30

# A first batch of simulations takes less than a tenth of a millisecond in every game so far.
FIRST_BATCH = 32
# Batches grow while their speed is still unknown, and then fill most of the time that is left.
MOST_GROWTH, SHARE_OF_TIME = 4, 0.9

SEARCH_STREAM, MOVE_STREAM = 0, 1

# Attributes that, with the name, tell a player from others of its kind.
SETTINGS = ("settings", "targeting", "policy", "final", "rewards", "by_chance", "memory_bytes")


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveBudget:
    """Budget of a move: a number of *simulations*, or *seconds*.

    Seconds are those of the processor for the searching thread, so that matches can be played side
    by side. They are kept to within a tenth of a millisecond or so.
    """

    simulations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        given = [value for value in (self.simulations, self.seconds) if value is not None]
        if len(given) != 1 or given[0] <= 0:
            raise UsageError(
                f"budget of a move: simulations = {self.simulations}, seconds = {self.seconds}",
                "give one of the two, above 0",
            )

    def __str__(self) -> str:
        if self.simulations is not None:
            return f"{self.simulations:,} simulations a move"
        return f"{self.seconds:g} s a move"

    def spend(self, simulate: Callable[[int], None], began: float | None = None) -> int:
        """Call *simulate* with numbers of simulations until the budget is spent.

        *began* is the ``time.thread_time`` from which seconds count, now if it is left out. Return
        the number of simulations.
        """
        if self.simulations is not None:
            simulate(self.simulations)
            return self.simulations
        assert self.seconds is not None
        begin = thread_time()
        end = (begin if began is None else began) + self.seconds
        done, batch = 0, FIRST_BATCH
        while batch > 0:
            simulate(batch)
            done += batch
            now = thread_time()
            a_second = done / max(now - begin, 1e-9)
            batch = min(MOST_GROWTH * batch, int(SHARE_OF_TIME * (end - now) * a_second))
        return done


class SearchPlayer(Protocol):
    """One side of a match in a research game."""

    name: str
    num_simulations: int
    """The simulations of the last move."""

    def begin(self, seat: int, seed: int) -> None:
        """Begin a match at *seat*. Equal seeds and actions give equal moves."""
        ...

    def strategy(self, actions: Sequence[int], budget: MoveBudget) -> Floats:
        """Return the strategy [action] where the seat is to move after *actions*."""
        ...

    def choose(self, actions: Sequence[int], budget: MoveBudget) -> int:
        """Return the action that the seat takes after *actions* from the start of the game."""
        ...


class Player:
    """Common part of players: the seat, and moves drawn from strategies."""

    def __init__(self, game: Game, name: str) -> None:
        self.game, self.name = game, name
        self.num_simulations = 0
        self.seat = -1
        self._moves = Stream(0)

    def __repr__(self) -> str:
        """The name and all settings, for records of matches."""
        settings = (f"{name}={value!r}" for name, value in vars(self).items() if name in SETTINGS)
        return f"{type(self).__name__}({self.name!r}, {', '.join(settings)})"

    def __getstate__(self) -> dict[str, Any]:
        """Return what is copied to another process: all but the memory of a search."""
        state = vars(self).copy()
        if "search" in state:
            state["search"] = None
        return state

    def begin(self, seat: int, seed: int) -> None:
        """Begin a match at *seat*. Equal seeds and actions give equal moves."""
        if not 0 <= seat < self.game.num_seats():
            raise UsageError(
                f"seat {seat} of a game for {self.game.num_seats()}", "seats count from 0"
            )
        self.seat = seat
        self._moves = Stream(seed, MOVE_STREAM)
        self._begin_search(Stream(seed, SEARCH_STREAM).bits())

    def _begin_search(self, seed: int) -> None:
        pass

    def strategy(self, actions: Sequence[int], budget: MoveBudget) -> Floats:
        """Return the strategy [action] where the seat is to move after *actions*."""
        raise NotImplementedError

    def choose(self, actions: Sequence[int], budget: MoveBudget) -> int:
        """Return the action that the seat takes, drawn from its strategy there."""
        return draw(self.strategy(actions, budget), self._moves.unit())


class RandomPlayer(Player):
    """Uniformly random moves."""

    def __init__(self, game: Game, name: str = "random") -> None:
        super().__init__(game, name)

    def strategy(self, actions: Sequence[int], budget: MoveBudget) -> Floats:
        """Return the uniform strategy."""
        return uniform(self.game.num_actions(state_after(self.game, actions)))


class PolicyPlayer(Player):
    """Moves by a *policy* [slot] of the sequence form of the game."""

    def __init__(
        self, game: Game, form: SequenceForm, policy: Floats, name: str = "policy"
    ) -> None:
        super().__init__(game, name)
        self.policy = policy
        self._slots = form.slots_by_key()

    def strategy(self, actions: Sequence[int], budget: MoveBudget) -> Floats:
        """Return the policy at the information set."""
        return self.policy[self._slots[int(state_after(self.game, actions)[self.seat])]]


class OOSPlayer(Player):
    """OOS, aimed at the seat's information set or at the public state, with memory for a match.

    Moves are drawn from the average strategy.
    """

    def __init__(
        self,
        game: Game,
        settings: OOSSettings,
        targeting: Targeting = "infoset",
        memory_bytes: int = DEFAULT_MEMORY_BYTES,
        name: str = "OOS",
    ) -> None:
        super().__init__(game, name)
        self.settings, self.targeting, self.memory_bytes = settings, targeting, memory_bytes
        self.search: OOSSearch | None = None

    def _begin_search(self, seed: int) -> None:
        self.search = OOSSearch(self.game, self.settings, seed, self.memory_bytes)

    def strategy(self, actions: Sequence[int], budget: MoveBudget) -> Floats:
        """Return the average strategy after samples aimed at the present target."""
        search, began = _begun(self.search), thread_time()
        viewer = self.seat if self.targeting == "infoset" else self.game.num_seats()
        search.aim(list(actions), viewer)
        self.num_simulations = budget.spend(search.sample, began)
        state = state_after(self.game, actions)
        found = search.strategy(int(state[self.seat]))
        return uniform(self.game.num_actions(state)) if found is None else found


class ISMCTSPlayer(Player):
    """IS-MCTS by a selection *policy* and one of the *final* moves; a fresh tree at each move."""

    def __init__(
        self,
        game: Game,
        policy: InfosetPolicy,
        final: FinalMove = "visits",
        memory_bytes: int = DEFAULT_MEMORY_BYTES,
        name: str = "IS-MCTS",
        *,
        by_chance: bool = False,
    ) -> None:
        super().__init__(game, name)
        self.policy, self.final, self.memory_bytes = policy, final, memory_bytes
        self.by_chance = by_chance
        self.search: InfosetSearch | None = None

    def _begin_search(self, seed: int) -> None:
        self.search = InfosetSearch(
            self.game, self.policy, seed, self.memory_bytes, by_chance=self.by_chance
        )

    def strategy(self, actions: Sequence[int], budget: MoveBudget) -> Floats:
        """Return the strategy of a search from the states of the seat's information set."""
        search, began = _begun(self.search), thread_time()
        target = make_target(self.game, actions, self.seat)
        search.begin(target)
        self.num_simulations = budget.spend(search.simulate, began)
        found = search.strategy(target.key, self.final)
        assert found is not None, "the first simulation adds the information set at the root"
        return found


class SimultaneousPlayer(Player):
    """SM-MCTS by a selection *policy*; a fresh tree at each move.

    For games in which all but the other seat's move of the same time is seen by both.
    """

    def __init__(
        self,
        game: Game,
        policy: SelectionPolicy,
        rewards: Rewards = PAYOFFS,
        memory_bytes: int = DEFAULT_MEMORY_BYTES,
        name: str = "SM-MCTS",
    ) -> None:
        super().__init__(game, name)
        self.policy, self.rewards, self.memory_bytes = policy, rewards, memory_bytes
        self.search: SimultaneousSearch | None = None

    def _begin_search(self, seed: int) -> None:
        # The arrays of a tree are large and stay from match to match, so that their pages are
        # taken from the system once.
        if self.search is None:
            self.search = SimultaneousSearch(
                self.game, self.policy, seed, self.rewards, self.memory_bytes
            )
        self.search.random_state[:] = seed_state(seed)

    def strategy(self, actions: Sequence[int], budget: MoveBudget) -> Floats:
        """Return the strategy of a search from the state before both seats move."""
        search, began = _begun(self.search), thread_time()
        # Seat 1 moves after seat 0 in the rules, and has not seen its move.
        seen = len(actions) - self.seat
        search.begin(state_after(self.game, actions[:seen]))
        self.num_simulations = budget.spend(search.simulate, began)
        return search.strategy(self.seat)


def _begun(search: Search | None) -> Search:
    """Return the *search* of a player, or tell that its match has not begun."""
    if search is None:
        raise UsageError("the player has no match to play in", "call begin first")
    return search


def uniform(count: int) -> Floats:
    """Return the uniform strategy over *count* actions."""
    return np.full(count, 1 / count)


def draw(strategy: Floats, number: float) -> int:
    """Return the action of *strategy* that a *number* from [0, 1) selects.

    >>> draw(np.array([0.5, 0.0, 0.5]), 0.5)
    2
    """
    place = int(np.searchsorted(np.cumsum(strategy), number, side="right"))
    # Rounding may leave a sum below 1: the last action with a probability takes what is left.
    return min(place, int(np.flatnonzero(strategy)[-1]))


def state_after(game: Game, actions: Sequence[int]) -> State:
    """Return the state of *game* after *actions* from its start, chance's included."""
    state = new_state(game)
    apply_all(game, state, np.array(actions, np.int64))
    return state


@kernel
def apply_all(game: Game, state: State, actions: Ints) -> None:
    """Take *actions* one after the other from *state* on."""
    # In one call: rules in plain Python take some microseconds a move, and a match of Goofspiel
    # goes through its moves at each of 24 decisions.
    for action in actions:
        game.apply(state, action)
