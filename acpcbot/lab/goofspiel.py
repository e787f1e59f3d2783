"""Settings that the experiments in Goofspiel share: games, algorithms, constants, exact values.

The paper names the constants of each algorithm for 13 cards, and for other sizes none: they are
used throughout. Equal bids discard the upcard, the last trick plays itself, rollouts are uniform,
and each move begins with an empty tree. Of equal bids and of a tree that is kept the paper says
nothing.

Source: Lanctot, Lisy & Winands (2013), Monte Carlo tree search in simultaneous move games with
applications to Goofspiel, sections 3 and 4, table 1.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from math import inf, log, sqrt
from pathlib import Path

from acpcbot.cache_folders import cache_root
from acpcbot.errors import UsageError
from acpcbot.games.game import State, new_state
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.lab.experiment import Note
from acpcbot.lab.published import read
from acpcbot.matches.match_files import lock_folder
from acpcbot.tree_search.backward_induction import GoofspielValues, count_matrix_games
from acpcbot.tree_search.selection.duct import DecoupledUCT
from acpcbot.tree_search.selection.exp3 import Exp3
from acpcbot.tree_search.selection.matched_regrets import RegretMatching
from acpcbot.tree_search.selection.oos_plus import OOSPlus
from acpcbot.tree_search.selection.outcome_sampling import OutcomeSampling
from acpcbot.tree_search.selection.policy import SelectionPolicy
from acpcbot.tree_search.simultaneous import PAYOFFS, WIN_LOSS

PAPER = "smmcts_2013"
ALGORITHMS = ("DUCT(max)", "DUCT(mix)", "Exp3", "OOS", "OOS+", "RM")
VARIANTS = ("WL", "PD")

REWARDS = {"WL": WIN_LOSS, "PD": PAYOFFS}
"""Rewards as the paper writes them: 0, a half and 1 in WL-Goof, points in PD-Goof.

They matter to DUCT, whose C is in their unit, and to Exp3; to the others the scale means nothing.
"""

MATRIX_GAMES_A_SECOND = 700_000
VALUES_FOLDER, DONE_FILE = "goofspiel_values", "solved"
POLL_S, NOTE_S = 0.2, 1.0


def game_of(variant: str, num_cards: int) -> Goofspiel:
    """Return WL- or PD-Goof(*num_cards*)."""
    return Goofspiel(num_cards, pays_points=variant == "PD")


def game_name(variant: str, num_cards: int) -> str:
    """Return the paper's name of a game.

    >>> game_name("WL", 13)
    'WL-Goof(13)'
    """
    return f"{variant}-Goof({num_cards})"


def root_of(variant: str, num_cards: int, upcard: int) -> State:
    """Return the state in which both seats bid for the first *upcard*."""
    game = game_of(variant, num_cards)
    state = new_state(game)
    game.apply(state, upcard - 1)
    return state


def constant_of(algorithm: str, variant: str) -> float:
    """Return the paper's constant: C of DUCT, gamma of the others."""
    return float(read(PAPER)["constants"][variant][algorithm])


def constant_at(algorithm: str, variant: str, num_simulations: int) -> float:
    """Return the paper's constant; C of DUCT is fitted to *num_simulations* a move.

    The paper tuned C at a second a move. An action that has had its even share of n simulations has
    a bonus in proportion to C sqrt(ln n / n), so that with fewer simulations DUCT would spread its
    visits, which DUCT(mix) plays, more evenly; in PD-Goof almost uniformly. C is multiplied by what
    keeps the bonus. DUCT(max) in WL-Goof, of which only the action of most visits counts, has the
    paper's C.

    >>> constant_at("DUCT(max)", "PD", 124_127), round(constant_at("DUCT(max)", "PD", 10_000))
    (150.0, 48)
    """
    constant = constant_of(algorithm, variant)
    if not algorithm.startswith("DUCT") or (algorithm, variant) == ("DUCT(max)", "WL"):
        return constant
    ours, theirs = (n / log(n) for n in (max(num_simulations, 3), simulations_a_second(algorithm)))
    return constant * sqrt(ours / theirs)


def policy_of(algorithm: str, variant: str, constant: float | None = None) -> SelectionPolicy:
    """Return the selection policy of *algorithm*, with the paper's constant if none is given."""
    constant = constant_of(algorithm, variant) if constant is None else constant
    policies: dict[str, SelectionPolicy] = {
        "DUCT(max)": DecoupledUCT(constant),
        "DUCT(mix)": DecoupledUCT(constant, mixes=True),
        "Exp3": Exp3(constant),
        "OOS": OutcomeSampling(constant),
        "OOS+": OOSPlus(constant),
        "RM": RegretMatching(constant),
    }
    return policies[algorithm]


def simulations_a_second(algorithm: str) -> int:
    """Return the simulations that the paper's program made in its second a move."""
    return int(read(PAPER)["table_2"]["rows"][algorithm][4])


def tree_bytes(num_cards: int, num_simulations: int) -> int:
    """Return memory in which a search of so many simulations never fills its tree."""
    # A simulation adds a decision and an outcome of chance at most: cells of 16 bytes, slots of 16,
    # and the nodes themselves.
    return (1 << 20) + num_simulations * (16 * num_cards * (num_cards + 3) + 200)


# Exact values, computed once and then kept in the cache.


def values_folder(num_cards: int) -> Path:
    """Return the folder in the cache where exact values are kept."""
    return cache_root() / VALUES_FOLDER / str(num_cards)


def solving_seconds(num_cards: int) -> float:
    """Return the seconds of one core that exact values will take; 0 where they are there."""
    if (values_folder(num_cards) / DONE_FILE).exists():
        return 0.0
    return count_matrix_games(num_cards) / MATRIX_GAMES_A_SECOND


def wait_for_values(num_cards: int) -> Iterator[Note]:
    """Compute exact values on all cores, or wait until another process has them; yield progress."""
    folder = values_folder(num_cards)
    folder.mkdir(parents=True, exist_ok=True)
    while not (folder / DONE_FILE).exists():
        with ExitStack() as stack:
            try:
                stack.enter_context(lock_folder(folder))
            except UsageError:
                yield Note(f"waiting for the exact values of {num_cards} cards")
                time.sleep(POLL_S)
                continue
            yield from _solve(GoofspielValues(num_cards, folder))
            (folder / DONE_FILE).touch()


def _solve(values: GoofspielValues) -> Iterator[Note]:
    """Find all values that are missing, which may take long, and yield notes meanwhile."""
    reached = [0, count_matrix_games(values.num_cards)]

    def keep(num_solved: int, num_games: int) -> None:
        reached[:] = num_solved, num_games

    with ThreadPoolExecutor(1) as pool:
        solving = pool.submit(values.solve, keep, os.cpu_count() or 1)
        due_s = -inf
        while not solving.done():
            if time.monotonic() >= due_s:
                due_s = time.monotonic() + NOTE_S
                share = reached[0] / max(reached[1], 1)
                yield Note(f"exact values of {values.num_cards} cards: {share:.1%}")
            time.sleep(POLL_S)
        solving.result()
