"""Speed of random play, enumeration and solving of research games, one core.

OpenSpiel is measured too if it is installed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec

from acpcbot.games.game import Game, State, new_state, play_out
from acpcbot.games.generic_poker import LEDUC
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.keyless import unobserved
from acpcbot.games.kuhn import Kuhn
from acpcbot.games.liars_dice import LiarsDice
from acpcbot.games.sequence_form import sequence_form
from acpcbot.games.solvers.sequence_cfr import SequenceCFR
from acpcbot.jit import kernel
from acpcbot.poker.shipped import shipped_definition
from acpcbot.poker_games.poker_game import make_poker_game
from acpcbot.random_kernels import RandomState, seed_state
from benchmarks.figure import Figure, seconds

SEED = 1
NUM_GAMES = 200_000
PEER_GAMES = 5_000

# Names, and the games in OpenSpiel.
PLAYED: dict[str, tuple[Game, str]] = {
    "Kuhn": (Kuhn(), "kuhn_poker"),
    "Leduc": (LEDUC, "leduc_poker"),
    "liar's dice": (LiarsDice(), "liars_dice"),
    "Goofspiel(4)": (Goofspiel(4), "goofspiel(num_cards=4)"),
    "Goofspiel(13)": (Goofspiel(13), "goofspiel"),
}

FROM_GAME_FILES = ("kuhn.limit.2p", "leduc.limit.2p", "holdem.limit.2p.reverse_blinds")

SOLVED: dict[str, tuple[Game, int]] = {
    "Leduc": (LEDUC, 3000),
    "liar's dice": (LiarsDice(), 50),
    "II-GS(5)": (Goofspiel(5, hides_bids=True, is_ascending=True), 300),
}


def figures() -> Iterator[Figure]:
    for name, (game, spiel_name) in PLAYED.items():
        rate = NUM_GAMES / seconds(partial(_play_games, game))
        target = 1_000_000 if name == "Goofspiel(13)" else None
        yield Figure(name=f"random games of {name}", value=rate, unit="games/s", target=target)
        if find_spec("pyspiel"):
            yield beside_open_spiel(name, spiel_name, rate)
    for name in FROM_GAME_FILES:
        rate = NUM_GAMES / seconds(partial(_play_games, make_poker_game(shipped_definition(name))))
        yield Figure(name=f"random games of {name} by its game file", value=rate, unit="games/s")
    for name, (game, num_iterations) in SOLVED.items():
        form_ms = 1000 * seconds(partial(sequence_form, game))
        yield Figure(name=f"enumerating {name}", value=form_ms, unit="ms", higher_is_better=False)
        solver = SequenceCFR(sequence_form(game))
        rate = num_iterations / seconds(partial(solver.step, num_iterations))
        yield Figure(name=f"DCFR over the sequences of {name}", value=rate, unit="iterations/s")


@kernel
def play_many(game: Game, state: State, random_state: RandomState, num_games: int) -> float:
    """Return the winnings of seat 0 in so many games, as a playout meets them: without keys."""
    total, keyless = 0.0, unobserved(state)
    for _ in range(num_games):
        game.start(keyless)
        play_out(game, keyless, random_state)
        total += game.payoff(keyless, 0)
    return total


def beside_open_spiel(name: str, spiel_name: str, rate: float) -> Figure:
    """Return two of OpenSpiel's own uniform bots, played by its C++."""
    import pyspiel

    game = pyspiel.load_game_as_turn_based(spiel_name)
    bots = [pyspiel.make_uniform_random_bot(seat, SEED + seat) for seat in range(2)]

    def play() -> None:
        for number in range(PEER_GAMES):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, number)

    peer_rate = PEER_GAMES / seconds(play)
    note = f"ours is {rate / peer_rate:,.0f} times as fast"
    return Figure(name=f"OpenSpiel, {name}", value=peer_rate, unit="games/s", note=note)


def _play_games(game: Game) -> None:
    play_many(game, new_state(game), seed_state(SEED), NUM_GAMES)
