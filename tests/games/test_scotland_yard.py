"""Scotland Yard: a plain twin, uniform play and best responses on the map "glasses", map files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from acpcbot.errors import UsageError
from acpcbot.games.game import OVER, State, new_state
from acpcbot.games.scotland_yard import CAUGHT, STATIONS, ScotlandYard
from acpcbot.games.scotland_yard_maps import GLASSES, glasses, load_map
from acpcbot.games.solvers.sequence_cfr import SequenceCFR
from tests.support.research_games import form_of, respond, uniform

ROADS = "1-2 2-3 2-4 3-5 4-5 5-6 6-7 7-8 7-9 8-10 9-10 10-11"
ROUNDS = 5

Weights = dict[int, float]
"""How likely Mr. X is at each station, not scaled to 1."""


def neighbours() -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for road in ROADS.split():
        one, other = map(int, road.split("-"))
        found.setdefault(one, []).append(other)
        found.setdefault(other, []).append(one)
    return {station: sorted(others) for station, others in found.items()}


ALL = neighbours()


def free_ways(station: int, taken: list[int]) -> list[int]:
    return [other for other in ALL[station] if other not in taken]


class Twin:
    """A position of the game in plain Python: stations from 1, Mr. X first."""

    def __init__(self, stations: tuple[int, int, int] = (6, 1, 11), moves: int = 0) -> None:
        self.stations, self.moves = stations, moves

    @property
    def mover(self) -> int:
        return self.moves % 3

    @property
    def is_caught(self) -> bool:
        fugitive, *police = self.stations
        is_stuck = self.mover == 0 and self.moves < 3 * ROUNDS and not free_ways(fugitive, police)
        return fugitive in police or is_stuck

    @property
    def is_over(self) -> bool:
        return self.is_caught or self.moves == 3 * ROUNDS

    def ways(self) -> list[int]:
        police = [self.stations[k] for k in (1, 2) if k != self.mover]
        station = self.stations[self.mover]
        return free_ways(station, police) or [station]

    def after(self, station: int) -> Twin:
        stations = list(self.stations)
        stations[self.mover] = station
        return Twin((stations[0], stations[1], stations[2]), self.moves + 1)


def test_random_courses_are_those_of_the_twin() -> None:
    """Catches a way onto another's station, a capture that is missed, an end too early or late.

    Two courses have one public key where all detectives' moves and the captures agree, and one key
    of Mr. X where his own moves do as well.
    """
    game, random, seen = glasses(), Random(4), dict[tuple[object, ...], int]()
    lengths = Counter[int]()
    for _ in range(3000):
        ours, theirs = new_state(game), Twin()
        shown: tuple[object, ...] = ()
        own: tuple[int, ...] = ()
        while not theirs.is_over:
            assert game.actor(ours) == (1 if theirs.mover else 0)
            ways, mover = theirs.ways(), theirs.mover
            assert game.num_actions(ours) == len(ways)
            action = random.randrange(len(ways))
            game.apply(ours, action)
            theirs = theirs.after(ways[action])
            shown += ((mover, ways[action], theirs.is_caught),) if mover else ()
            own += () if mover else (ways[action],)
            assert seen.setdefault(("public", shown), int(ours[2])) == int(ours[2])
            assert seen.setdefault(("detectives", shown), int(ours[1])) == int(ours[1])
            interleaved = "fugitive", own, shown
            assert seen.setdefault(interleaved, int(ours[0])) == int(ours[0])
            assert tuple((ours[STATIONS:] + 1).tolist()) == theirs.stations
        assert game.actor(ours) == OVER
        assert bool(ours[CAUGHT]) == theirs.is_caught
        assert game.payoff(ours, 1) == (1 if theirs.is_caught else -1) == -game.payoff(ours, 0)
        lengths[theirs.moves] += 1
    assert len(set(seen.values())) == len(seen)
    # He is caught after moves of either detective in all rounds from the second on, or gets away.
    assert sorted(lengths) == [5, 6, 8, 9, 11, 12, 14, 15]


def endings(twin: Twin) -> Iterator[Twin]:
    if twin.is_over:
        yield twin
        return
    for way in twin.ways():
        yield from endings(twin.after(way))


def test_the_enumeration_has_the_endings_of_the_twin() -> None:
    expected = list(endings(Twin()))
    form = form_of(glasses())
    assert len(form.end_payoffs) == len(expected) == 12_280
    caught = sum(twin.is_caught for twin in expected)
    assert int((form.end_payoffs[:, 1] == 1).sum()) == caught


def random_value(twin: Twin) -> float:
    """The payoff of Mr. X when all play at random."""
    if twin.is_over:
        return -1.0 if twin.is_caught else 1.0
    values = [random_value(twin.after(way)) for way in twin.ways()]
    return sum(values) / len(values)


def fugitive_value(twin: Twin) -> float:
    """The payoff of Mr. X who sees all, against detectives that move at random."""
    if twin.is_over:
        return -1.0 if twin.is_caught else 1.0
    values = [fugitive_value(twin.after(way)) for way in twin.ways()]
    return max(values) if twin.mover == 0 else sum(values) / len(values)


def police_value(police: tuple[int, int], weights: Weights, moves: int) -> float:
    """The detectives' payoff against random moves that they do not see, times all weights."""
    mover = moves % 3
    if moves == 3 * ROUNDS:
        return -sum(weights.values())
    if mover == 0:
        moved: Weights = {}
        lost = 0.0
        for station, weight in weights.items():
            ways = free_ways(station, list(police))
            lost += 0.0 if ways else weight
            for way in ways:
                moved[way] = moved.get(way, 0.0) + weight / len(ways)
        return lost + (police_value(police, moved, moves + 1) if moved else 0.0)
    best = -2.0
    for way in Twin((0, *police), moves).ways():
        placed = (way, police[1]) if mover == 1 else (police[0], way)
        left = {station: weight for station, weight in weights.items() if station != way}
        value = weights.get(way, 0.0) + (police_value(placed, left, moves + 1) if left else 0.0)
        best = max(best, value)
    return best


def test_uniform_play_and_the_best_responses_to_it_are_those_of_the_twin() -> None:
    """Detectives' best responses go over how likely he is where; Mr. X's over what he sees."""
    response = respond(glasses(), uniform(form_of(glasses())))
    value = random_value(Twin())
    assert response.policy_values == pytest.approx([value, -value], abs=1e-12)
    gains = fugitive_value(Twin()) - value, police_value((1, 11), {6: 1.0}, 0) + value
    assert response.nash_conv == pytest.approx(sum(gains), abs=1e-12)
    assert response.nash_conv == pytest.approx(0.9320987654321)


@pytest.mark.parametrize(("seen", "value"), [((), -7 / 9), *(((k,), -1) for k in range(1, 6))])
def test_once_seen_he_is_caught(seen: tuple[int, ...], value: float) -> None:
    """So the paper, whose searches of this map are exploitable, cannot have shown him."""
    game = glasses()._replace(seen=sum(1 << number - 1 for number in seen))
    solver = SequenceCFR(form_of(game))
    solver.step(1000)
    response = respond(game, solver.average_strategy())
    assert response.policy_values[0] == pytest.approx(value, abs=1e-3)
    assert response.exploitability < 2e-3


def moved(game: ScotlandYard, *stations: int) -> State:
    """The state after moves to *stations*, from 1."""
    state = new_state(game)
    for station in stations:
        number = int(game_ways(game, state).index(station))
        game.apply(state, number)
    return state


def game_ways(game: ScotlandYard, state: State) -> list[int]:
    found = []
    for action in range(game.num_actions(state)):
        after = state.copy()
        mover = int(state[4])
        game.apply(after, action)
        found.append(int(after[STATIONS + mover]) + 1)
    return found


def test_mr_x_is_caught_where_he_cannot_move_and_detectives_stay(tmp_path: Path) -> None:
    """On a line of five stations: he is driven into the end, behind two detectives."""
    path = tmp_path / "line.toml"
    path.write_text(
        "edges = [[1, 2], [2, 3], [3, 4], [4, 5]]\nmister_x = 1\ndetectives = [4, 5]\n"
        "num_rounds = 4\ncards = 4\n"
    )
    game = load_map(path).game()
    # He moves to 2, the first detective to 3; the second is alone behind and moves on.
    state = moved(game, 2, 3, 4, 1)
    # The first detective comes to 2: he sits at 1 and has nowhere to go, when his turn comes.
    assert game_ways(game, state) == [2]
    game.apply(state, 0)
    assert game.actor(state) == 1
    game.apply(state, 0)
    assert game.actor(state) == OVER
    assert game.payoff(state, 1) == 1
    # Where the first one stays away, the second one at the end cannot pass: it stays.
    blocked = load_map(path).game()._replace(starts=(0, 3, 4), num_rounds=2)
    state = moved(blocked, 2)
    assert game_ways(blocked, state) == [3]
    away = blocked._replace(starts=(0, 4, 3))
    state = moved(away, 2)
    assert game_ways(away, state) == [5]


GOOD = GLASSES.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("mister_x = 6", "mister_x = 1", "different stations of the map"),
        ("mister_x = 6", "mister_x = 12", "different stations of the map"),
        ("cards = 5", "cards = 4", "a card for each of 5 rounds"),
        ("seen_in_rounds = []", "seen_in_rounds = [6]", "at most 5"),
        ("[10, 11]", "[10, 12]", "expected all from 1 to the highest"),
        ("[10, 11]", "[10, 11], [3, 3]", "from a station to itself"),
        ("detectives = [1, 11]", "detectives = []", "at least one"),
        ("num_rounds = 5", 'num_rounds = "five"', "num_rounds"),
        ("edges", "roads", "roads"),
        ("edges = [", "edges = ", "glasses.toml"),
    ],
)
def test_maps_with_mistakes_are_refused(tmp_path: Path, old: str, new: str, problem: str) -> None:
    assert old in GOOD
    path = tmp_path / "glasses.toml"
    path.write_text(GOOD.replace(old, new, 1))
    with pytest.raises(UsageError, match=problem):
        load_map(path)
