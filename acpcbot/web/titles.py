"""Titles of strategies for people: method and amount of training, as stored with the strategy.

A stored strategy tells its learner and iterations in its manifest, a network in its own, and a
search names its blueprint in ``search.toml``. A strategy's strength card lies in its folder.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from acpcbot.errors import AcpcbotError
from acpcbot.networks.manifest import read_network_manifest
from acpcbot.networks.names import is_network
from acpcbot.search.names import read_outline
from acpcbot.strategies.finding import SEARCH_FILE, find_folder
from acpcbot.strategies.manifest import CARD_FILE, read_manifest

METHODS = {
    "cfr": "CFR",
    "cfr_br": "CFR-BR",
    "cfr+": "CFR+",
    "dcfr": "DCFR",
    "external_sampling": "MCCFR",
    "linear_cfr": "Linear CFR",
    "outcome_sampling": "Outcome-sampling MCCFR",
    "public_sampling": "Public chance sampling",
    "smooth_uct": "Smooth UCT",
    "uct": "UCT",
}
"""Methods by the name of their learner."""
EPISODIC = ("smooth_uct", "uct")
"""Learners that count episodes; the others count iterations."""
PROGRAMS = {
    "call": ("Caller", "Caller: never folds, never raises"),
    "fold": ("Folder", "Folder: gives up"),
    "ismcts": ("IS-MCTS", "IS-MCTS: searches from the rules"),
    "oos": ("OOS", "OOS: searches from the rules"),
    "raise": ("Raiser", "Raiser: raises all it can"),
    "random": ("Random", "Random: any legal action"),
    "tight": ("Tight", "Tight: plays by simple rules"),
}
"""Name at the table and title of the strategies that are programs."""
BILLION, MILLION, MANY = 10**9, 10**6, 10**4


@dataclass(frozen=True, slots=True)
class StrategyTitle:
    """A strategy for people: *seat_name* at the table, *title* in lists, *card* its strength."""

    seat_name: str
    title: str
    card: Path | None


@cache
def strategy_title(name: str) -> StrategyTitle:
    """Return the title of the strategy *name*, of any kind, with the options behind it."""
    base, _, options = name.partition("?")
    folder = find_folder(base)
    seat_name, title = PROGRAMS.get(base) or _folder_title(folder) or _program_title(base)
    card = folder / CARD_FILE if folder is not None else None
    return StrategyTitle(
        seat_name,
        f"{title} ({options.replace('&', ', ')})" if options else title,
        card if card is not None and card.is_file() else None,
    )


def seat_names(strategies: Sequence[str]) -> list[str]:
    """Return a name for the seat of each strategy, numbered where some are alike.

    >>> seat_names(["tight", "call", "tight"])
    ['Tight', 'Caller', 'Tight 2']
    """
    found: list[str] = []
    seen: Counter[str] = Counter()
    for strategy in strategies:
        name = strategy_title(strategy).seat_name
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} {seen[name]}")
    return found


def count_text(count: int) -> str:
    """Return a large number as people say it.

    >>> count_text(160_000_000), count_text(15_000_000_000), count_text(4_000)
    ('160 M', '15 bn', '4,000')
    """
    if count >= BILLION:
        return f"{count / BILLION:.3g} bn"
    if count >= MILLION:
        return f"{count / MILLION:.0f} M"
    return f"{count / 1000:.0f} k" if count >= MANY else f"{count:,}"


def _folder_title(folder: Path | None) -> tuple[str, str] | None:
    """Return the name and the title of a stored strategy; None if it is none or damaged."""
    if folder is None:
        return None
    try:
        if (folder / SEARCH_FILE).is_file():
            return _search_title(folder)
        return _network_title(folder) if is_network(folder) else _stored_title(folder)
    except AcpcbotError:
        return None


def _stored_title(folder: Path) -> tuple[str, str]:
    training = read_manifest(folder).training
    method = METHODS.get(training.learner, training.learner)
    unit = "episodes" if training.learner in EPISODIC else "iterations"
    return method, f"{method}, {count_text(training.num_episodes)} {unit}"


def _network_title(folder: Path) -> tuple[str, str]:
    episodes = read_network_manifest(folder).training.get("num_episodes")
    training = f", {count_text(episodes)} episodes" if isinstance(episodes, int) else ""
    return "Student of Games", f"Student of Games{training}"


def _search_title(folder: Path) -> tuple[str, str]:
    outline = read_outline(folder)
    if outline.values is not None and is_network(outline.values):
        return "Search", "Search with a value network"
    return "Search", f"Search on {_stored_title(outline.blueprint)[1]}"


def _program_title(name: str) -> tuple[str, str]:
    """Return the name and the title of a class or a program: its class, and its file."""
    path, _, own = name.partition(":")
    file = Path(path).name
    return (own, f"{own} ({file})") if own else (file, file)
