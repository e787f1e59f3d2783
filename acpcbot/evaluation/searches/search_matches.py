"""Matches between searching players at equal simulations or equal seconds a move.

A *pairing* is two players that meet in one game. Each game has a number, and depends on the seed,
the pairing's name and that number alone. Where seats are swapped, games 2n and 2n + 1 are a *pair*:
the players change seats, and chance draws the same numbers. Intervals take pairs as samples.

``play_games`` plays in this process. ``play_pairings`` plays in worker processes, one game each at
a time, and keeps a line for each game as it ends: a killed run goes on with the games that have no
line. At equal simulations the results are the same at any number of processes. Seconds are those of
the processor, so games side by side do not take time from each other.

``matches.json``  the pairings and the seed; others are refused in the same folder
``games.jsonl``   a line for each finished game
"""

from __future__ import annotations

import json
import os
import traceback
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import combinations, product
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.errors import AcpcbotError, UsageError
from acpcbot.evaluation.searches.players import MoveBudget, SearchPlayer
from acpcbot.games.game import CHANCE, OVER, Game, chance_action, new_state
from acpcbot.matches.intervals import interval, root_mean_square
from acpcbot.matches.match_files import lock_folder, open_for_lines, write_all
from acpcbot.rng import Stream
from acpcbot.worker_processes import WorkerProcess, spawn_worker

PLAN_FILE, GAMES_FILE = "matches.json", "games.jsonl"
CHANCE_STREAM, PLAYER_STREAM = 0, 1


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players that meet in *game*: a cell of a table, under a *name* of its own.

    With *swaps_seats* the first player sits at seat 0 in games of even number and at seat 1 in the
    others, else always at seat 0. The second player has the same *budget* a move, unless it is
    given a *second_budget*.
    """

    name: str
    game: Game
    players: tuple[SearchPlayer, SearchPlayer]
    budget: MoveBudget
    swaps_seats: bool = True
    second_budget: MoveBudget | None = None

    @property
    def budgets(self) -> tuple[MoveBudget, MoveBudget]:
        """The budget of a move of each player."""
        return self.budget, self.second_budget or self.budget

    @property
    def counts_seconds(self) -> bool:
        """True where a budget is in seconds."""
        return any(budget.seconds is not None for budget in self.budgets)

    def seat_of_first(self, number: int) -> int:
        """Return the seat of the first player in the game *number*."""
        return number % 2 if self.swaps_seats else 0

    def sample_of(self, number: int) -> int:
        """Return the number of the pair that the game *number* belongs to."""
        return number // 2 if self.swaps_seats else number

    def description(self) -> dict[str, Any]:
        """Return all that games depend on but the seed, as plain values."""
        return {
            "game": repr(self.game),
            "players": [repr(player) for player in self.players],
            "budget": " and ".join(dict.fromkeys(map(str, self.budgets))),
            "swaps_seats": self.swaps_seats,
        }


class GameResult(NamedTuple):
    """The result of a game, as the first player of its pairing sees it.

    *simulations* and *opponent_simulations* are means a move.
    """

    number: int
    payoff: float
    seat: int
    simulations: float
    opponent_simulations: float


@dataclass(frozen=True, slots=True)
class PairingScore:
    """Results of a pairing for its first player, with 95 % intervals.

    A game won counts 1, a tie a half. Half widths are infinite for a single pair of games.
    """

    num_games: int
    win_share: float
    win_half_width: float
    payoff: float
    payoff_half_width: float
    simulations: float
    opponent_simulations: float


def round_robin(
    game: Game, players: Sequence[SearchPlayer], budget: MoveBudget, *, by_seat: bool = False
) -> list[Pairing]:
    """Return the pairings of *players*, all with the same *budget*.

    Every two of them with seats swapped; or *by_seat*, every player at seat 0 against every player
    at seat 1, itself included. Raises UsageError for two players of one name.
    """
    names = [player.name for player in players]
    if len(set(names)) < len(names):
        raise UsageError(f"two players have one name: {', '.join(names)}", "give each its own")
    found = product(players, players) if by_seat else combinations(players, 2)
    return [
        Pairing(f"{one.name} - {two.name}", game, (one, two), budget, not by_seat)
        for one, two in found
    ]


def play_games(pairing: Pairing, numbers: Iterable[int], seed: int) -> Iterator[GameResult]:
    """Play the games *numbers* of *pairing*, and yield each result as it ends."""
    own = _copied(pairing)
    is_ready = not pairing.counts_seconds
    for number in numbers:
        if not is_ready:
            # Kernels are compiled or loaded in a game that counts nothing, and in no one's time.
            play_game(_copied(pairing, MoveBudget(simulations=1)), number, seed)
            is_ready = True
        yield play_game(own, number, seed)


def play_game(pairing: Pairing, number: int, seed: int) -> GameResult:
    """Play one game; its players begin a new match each.

    Raises UsageError where both players are one object.
    """
    if pairing.players[0] is pairing.players[1]:
        raise UsageError(f"{pairing.name}: one player at both seats", "play_games copies players")
    game = pairing.game
    base = seed, zlib.crc32(pairing.name.encode())
    chance = Stream(*base, CHANCE_STREAM, pairing.sample_of(number))
    seat_of_first = pairing.seat_of_first(number)
    by_seat = pairing.players if seat_of_first == 0 else pairing.players[::-1]
    for seat, player in enumerate(by_seat):
        place = seat ^ seat_of_first
        player.begin(seat, Stream(*base, PLAYER_STREAM, number, place).bits())
    state, actions = new_state(game), list[int]()
    totals, moves = [0, 0], [0, 0]
    while (actor := game.actor(state)) != OVER:
        if actor == CHANCE:
            action = int(chance_action(game, state, chance.unit()))
        else:
            budget = pairing.budgets[actor ^ seat_of_first]
            action = by_seat[actor].choose(actions, budget)
            totals[actor] += by_seat[actor].num_simulations
            moves[actor] += 1
        actions.append(action)
        game.apply(state, action)
    means = [total / max(count, 1) for total, count in zip(totals, moves, strict=True)]
    return GameResult(
        number,
        float(game.payoff(state, seat_of_first)),
        seat_of_first,
        means[seat_of_first],
        means[1 - seat_of_first],
    )


def score_pairing(pairing: Pairing, results: Sequence[GameResult]) -> PairingScore:
    """Return the score of the first player from *results* of *pairing*, in any order."""
    payoffs = np.array([result.payoff for result in results])
    wins = np.sign(payoffs) / 2
    samples = np.array([pairing.sample_of(result.number) for result in results], np.int64)

    def half_width(values: Floats) -> float:
        residuals = values - values.mean()
        return interval(residuals, samples, root_mean_square(values)).half_width

    if not results:
        raise UsageError(f"{pairing.name} has no finished game", "play some first")
    return PairingScore(
        len(results),
        0.5 + float(wins.mean()),
        half_width(wins),
        float(payoffs.mean()),
        half_width(payoffs),
        float(np.mean([result.simulations for result in results])),
        float(np.mean([result.opponent_simulations for result in results])),
    )


Listener = Callable[[Pairing, GameResult], None]
"""Called with each game as it ends."""


def play_pairings(
    pairings: Sequence[Pairing],
    num_games: int,
    seed: int,
    folder: Path,
    num_processes: int = 2,
    on_game: Listener | None = None,
) -> dict[str, list[GameResult]]:
    """Play *num_games* of each pairing that *folder* lacks, and return all by pairing and number.

    Raises UsageError for a folder of other matches, and where a player fails; finished games are
    kept.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with lock_folder(folder):
        kept = KeptGames(folder, pairings, seed)
        try:
            _play_missing(pairings, num_games, seed, kept, num_processes, on_game)
        finally:
            kept.close()
    return {
        pairing.name: [kept.games[pairing.name][number] for number in range(num_games)]
        for pairing in pairings
    }


def _play_missing(
    pairings: Sequence[Pairing],
    num_games: int,
    seed: int,
    kept: KeptGames,
    num_processes: int,
    on_game: Listener | None,
) -> None:
    waiting = [
        (place, number)
        for place, pairing in enumerate(pairings)
        for number in range(num_games)
        if number not in kept.games[pairing.name]
    ]
    waiting.reverse()
    workers: dict[int, WorkerProcess] = {}
    try:
        for _ in range(min(num_processes, len(waiting))):
            worker = spawn_worker(_work, list(pairings), seed)
            workers[id(worker.orders)] = worker
            worker.orders.send(waiting.pop())
        num_playing = len(workers)
        while num_playing:
            for pipe in wait([worker.orders for worker in workers.values()]):
                place, result = _receive(workers[id(pipe)])
                kept.keep(pairings[place].name, result)
                if on_game is not None:
                    on_game(pairings[place], result)
                if waiting:
                    workers[id(pipe)].orders.send(waiting.pop())
                else:
                    num_playing -= 1
    finally:
        for worker in workers.values():
            worker.terminate()


class KeptGames:
    """The finished games in *folder*, by pairing and number."""

    def __init__(self, folder: Path, pairings: Sequence[Pairing], seed: int) -> None:
        self.games: dict[str, dict[int, GameResult]] = {pairing.name: {} for pairing in pairings}
        if len(self.games) < len(pairings):
            raise UsageError("two pairings have one name", "give each its own")
        self._verify_plan(
            folder / PLAN_FILE,
            {
                "seed": seed,
                "pairings": {pairing.name: pairing.description() for pairing in pairings},
            },
        )
        # An unfinished last line, the rest of a killed write, is cut off when the file is opened.
        self._file: BinaryIO = open_for_lines(folder / GAMES_FILE, "games", appends=True)
        for line in (folder / GAMES_FILE).read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            result = GameResult(*(record[field] for field in GameResult._fields))
            self.games[record["pairing"]][result.number] = result

    def keep(self, name: str, result: GameResult) -> None:
        """Write a line for a game that has ended."""
        line = json.dumps({"pairing": name, **result._asdict()})
        write_all(self._file, f"{line}\n".encode())
        self.games[name][result.number] = result

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _verify_plan(self, path: Path, plan: dict[str, Any]) -> None:
        if not path.exists():
            draft = path.with_suffix(".new")
            draft.write_text(json.dumps(plan, indent=2) + "\n", encoding="utf-8")
            os.replace(draft, path)
        if json.loads(path.read_text(encoding="utf-8")) != plan:
            raise UsageError(f"{path} is of other matches", "name another folder")


def _receive(worker: WorkerProcess) -> tuple[int, GameResult]:
    try:
        message = worker.orders.recv()
    except (EOFError, ConnectionResetError):
        worker.process.join()
        raise UsageError(
            f"a process that played ended with status {worker.process.exitcode}",
            "begin again in the same folder: finished games are kept",
        ) from None
    if isinstance(message, str):
        raise UsageError(message, "finished games are kept")
    place, result = message
    return place, GameResult(*result)


def _work(orders: Connection, pairings: list[Pairing], seed: int) -> None:
    """Run a worker: receive places of pairings and numbers of games, and send results."""
    place, own = -1, pairings[0]
    while True:
        ordered, number = orders.recv()
        try:
            if ordered != place:
                # Copies of one pairing at a time: trees of players keep their memory.
                place, own = ordered, _copied(pairings[ordered])
                if own.counts_seconds:
                    play_game(_copied(own, MoveBudget(simulations=1)), number, seed)
            orders.send((place, tuple(play_game(own, number, seed))))
        except AcpcbotError as error:
            orders.send(f"{own.name}, game {number}: {error}")
        except Exception as error:  # a fault of ours: the traceback is for its report
            traceback.print_exc()
            orders.send(f"{own.name}, game {number}: {type(error).__name__}: {error}")


def _copied(pairing: Pairing, budget: MoveBudget | None = None) -> Pairing:
    """Return *pairing* with players of its own, two where one player meets itself."""
    # Copies are without the memory of searches, as in another process.
    one, two = (deepcopy(player) for player in pairing.players)
    own = replace(pairing, players=(one, two))
    return own if budget is None else replace(own, budget=budget, second_budget=None)
