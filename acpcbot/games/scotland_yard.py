"""Scotland Yard for two, Mr. X and all detectives, on a map of stations with one kind of road.

In each round Mr. X moves to a neighbouring station that no detective is on, in secret but for the
rounds in which he is seen. Then the detectives move one after the other, all of them seat 1, to
neighbouring stations that no other detective is on; one that has none stays. They win 1 if one of
them comes to his station, or if he cannot move when it is his turn. He wins 1 if he is free after
the last round. Whether he is caught shows at once: nothing else of where he is does.

Roads are all of one kind, so how he moved says nothing. A seat has a card for each round at least,
so cards are not counted. Actions are the stations that can be reached, from the lowest.

state  [key by viewer, ACTOR, MOVER: 0 for Mr. X, else the number of the detective, ROUND from 0,
        CAUGHT: 1 or 0, STATIONS by mover]

Source: Schmid et al. (2023), Student of Games (the game and the map "glasses").
"""

from __future__ import annotations

from typing import NamedTuple

from acpcbot.games.game import (
    OVER,
    State,
    Target,
    clear,
    nth_member,
    num_members,
    observe,
    observe_all,
)
from acpcbot.jit import shared

ACTOR, MOVER, ROUND, CAUGHT, STATIONS = 3, 4, 5, 6, 7


class ScotlandYard(NamedTuple):
    """The game on a map.

    ``neighbours``  by station, from 0: the set of stations a road leads to, as bits
    ``starts``      the stations of Mr. X and of the detectives
    ``seen``        the set of rounds, from 0, in which Mr. X is seen after his move
    """

    neighbours: tuple[int, ...]
    starts: tuple[int, ...]
    num_rounds: int
    seen: int

    def num_seats(self) -> int:
        return 2

    def state_length(self) -> int:
        return STATIONS + len(self.starts)

    def max_moves(self) -> int:
        return self.num_rounds * len(self.starts)

    def max_actions(self) -> int:
        most = 1
        for roads in self.neighbours:
            most = max(most, num_members(roads))
        return most

    def start(self, state: State) -> None:
        clear(state, 2)
        for mover in range(len(self.starts)):
            state[STATIONS + mover] = self.starts[mover]

    def actor(self, state: State) -> int:
        return int(state[ACTOR])

    def num_actions(self, state: State) -> int:
        return num_members(_ways(self, state))

    def chance(self, state: State, action: int) -> float:
        return 0.0

    def has_uniform_chance(self) -> bool:
        return True

    def apply(self, state: State, action: int) -> None:
        mover = state[MOVER]
        station = nth_member(_ways(self, state), action)
        state[STATIONS + mover] = station
        if mover == 0:
            observe(state, 0, station)
            if self.seen >> state[ROUND] & 1:
                observe_all(state, 2, station)
            state[MOVER] = state[ACTOR] = 1
            return
        is_last = mover == len(self.starts) - 1
        if is_last:
            state[MOVER] = state[ACTOR] = 0
            state[ROUND] += 1
        else:
            state[MOVER] += 1
        state[CAUGHT] = _is_caught(self, state, mover, state[STATIONS])
        observe_all(state, 2, 2 * station + state[CAUGHT])
        if state[CAUGHT] or (is_last and state[ROUND] == self.num_rounds):
            state[ACTOR] = OVER

    def payoff(self, state: State, seat: int) -> float:
        return 1.0 if (state[CAUGHT] == 1) == (seat == 1) else -1.0

    def actions_towards(self, state: State, num_moves: int, target: Target) -> int:
        if state[MOVER] > 0 or target.viewer == 0:
            # Detectives are seen by all, and Mr. X knows where he went.
            return 1 << int(target.actions[num_moves])
        ways, after = _ways(self, state), _stations_left(self, num_moves + 1, target)
        actions, rest = 0, ways & after
        for number in range(num_members(ways)):
            if rest >> nth_member(ways, number) & 1:
                actions |= 1 << number
        return actions


@shared
def _ways(game: ScotlandYard, state: State) -> int:
    """Return the stations that the mover can go to."""
    return _ways_from(game, state, state[MOVER], state[STATIONS + state[MOVER]])


@shared
def _ways_from(game: ScotlandYard, state: State, mover: int, station: int) -> int:
    """Return the stations that *mover* can go to from *station*, the detectives as in *state*."""
    ways = game.neighbours[station]
    for other in range(1, len(game.starts)):
        if other != mover:
            ways &= ~(1 << state[STATIONS + other])
    if ways == 0 and mover > 0:
        ways = 1 << station
    return int(ways)


@shared
def _is_caught(game: ScotlandYard, state: State, mover: int, station: int) -> bool:
    """Return whether Mr. X on *station* is caught by the move of *mover* that led to *state*."""
    if state[STATIONS + mover] == station:
        return True
    has_turn = mover == len(game.starts) - 1 and state[ROUND] < game.num_rounds
    return bool(has_turn and _ways_from(game, state, 0, station) == 0)


@shared
def _stations_left(game: ScotlandYard, num_moves: int, target: Target) -> int:
    """Return the stations of Mr. X after *num_moves* from which *target* can be reached."""
    # Backwards from the target: a station is left if what everybody saw of the next move fits it.
    stations, num_stations = (1 << len(game.neighbours)) - 1, len(game.neighbours)
    for move in range(len(target.actions) - 1, num_moves - 2, -1):
        before, after = target.states[move], target.states[move + 1]
        mover = before[MOVER]
        # Where he may be after this move, by what was seen of it.
        fitting = 0
        for station in range(num_stations):
            if mover == 0:
                is_hidden = game.seen >> before[ROUND] & 1 == 0
                fits = is_hidden or station == after[STATIONS]
            else:
                fits = _is_caught(game, after, mover, station) == (after[CAUGHT] == 1)
            fitting |= (1 << station) if fits else 0
        stations &= fitting
        if move >= num_moves and mover == 0:
            earlier = 0
            for station in range(num_stations):
                if _ways_from(game, before, 0, station) & stations:
                    earlier |= 1 << station
            stations = earlier
    return stations
