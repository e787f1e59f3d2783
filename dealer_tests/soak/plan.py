"""The legs of a soak: strategies, shares of the hands, and faults."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from dealer_tests.soak import strikes, tables
from dealer_tests.soak.dealing import CLOCK_FOLDER, DealLeg, House, Strike, Terms
from dealer_tests.soak.findings import FAULT, Finding, SoakFailure
from dealer_tests.soak.legs import play_leg, play_twin, title
from dealer_tests.soak.stage import Stage, small_disk
from dealer_tests.soak.tables import Tables, TablesLeg

ROOT = Path(__file__).parents[2]
STRATEGIES = ROOT / "strategies"
LIMIT, NO_LIMIT = "holdem.limit.2p.reverse_blinds", "holdem.nolimit.2p.reverse_blinds"
SMOOTH_UCT = f"strategies/{LIMIT}/smooth_uct"
SAMPLED = f"strategies/{LIMIT}/external_sampling"
NO_LIMIT_SAMPLED = f"strategies/{NO_LIMIT}/external_sampling"
SEARCH = f"strategies/{NO_LIMIT}/search?profile=fast"
NUM_MATCH_TABLES, NUM_CUP_TABLES = 2, 6

Part = Callable[[Stage, str, int], None]


def play_long(stage: Stage, name: str, num_hands: int) -> None:
    """One dealer and two bots from the first hand to the last, while the wall clock leaps."""
    terms = Terms(name, LIMIT, num_hands, stage.seed + 1, ("random", "tight"))
    leg = DealLeg(stage, terms, _folder(stage, name))
    clock = strikes.set_clock(leg, 0)
    leg.environment = {"SOAK_CLOCK": str(clock), "PYTHONPATH": _python_path()}
    play_leg(leg, [strikes.jump_forward, strikes.jump_back])
    for track in leg.tracks:
        stage.measured(name, track)
    play_twin(leg)


def play_served(stage: Stage, name: str, num_hands: int) -> None:
    """Bots that ``acpcbot serve`` keeps at a dealer to which everything happens."""
    folder = _folder(stage, name)
    with small_disk(stage.yard, folder, num_hands) as is_small:
        terms = Terms(name, LIMIT, num_hands, stage.seed + 2, ("tight", "random"))
        house = _house(stage, folder, terms)
        leg = DealLeg(stage, terms, folder, house)
        first: list[Strike] = [
            strikes.kill_dealer,
            strikes.meet_bad_browsers,
            strikes.terminate_dealer,
        ]
        last: list[Strike] = [strikes.stall_bot, strikes.meet_bad_dealers, strikes.drain_house]
        play_leg(
            leg,
            [
                *first,
                strikes.limit_file_size,
                *_if_small(stage, name, is_small, strikes.fill_disk),
                *last,
            ],
        )
        stage.measured(name, house.tracks[0])
        play_twin(leg)
        _close(leg)


def play_seats(stage: Stage, name: str, num_hands: int) -> None:
    """Bots in processes of their own, which die, stall, and find their seats taken."""
    terms = Terms(name, LIMIT, num_hands, stage.seed + 3, (SMOOTH_UCT, "random"))
    leg = DealLeg(stage, terms, _folder(stage, name))
    play_leg(leg, [strikes.kill_bot, strikes.meet_bad_peers, strikes.stall_bot, strikes.kill_bot])
    play_twin(leg)


def play_trained(stage: Stage, name: str, num_hands: int) -> None:
    """A trained strategy that is damaged on disk while it is played."""
    folder = _folder(stage, name)
    copy = folder / "strategy"
    shutil.copytree(STRATEGIES / LIMIT / "smooth_uct", copy)
    terms = Terms(name, LIMIT, num_hands, stage.seed + 4, (str(copy), SAMPLED))
    leg = DealLeg(stage, terms, folder, _house(stage, folder, terms))
    play_leg(leg, [strikes.damage_snapshot])
    play_twin(leg)
    _close(leg)


def play_match(stage: Stage, name: str, num_hands: int) -> None:
    """A duplicate match, ended in every way."""
    with small_disk(stage.yard, _folder(stage, name), num_hands) as is_small:
        terms = Tables(
            name,
            ("match",),
            LIMIT,
            num_hands // NUM_MATCH_TABLES,
            NUM_MATCH_TABLES,
            stage.seed,
            (SMOOTH_UCT, "random"),
        )
        full = _if_small(stage, name, is_small, tables.fill_disk)
        ends = [tables.terminate_command, tables.kill_command, tables.interrupt_command, *full]
        leg = TablesLeg(stage, terms, stage.folder / name)
        play_leg(leg, ends)
        play_twin(leg)


def play_cup(stage: Stage, name: str, num_hands: int) -> None:
    """A tournament of three."""
    terms = Tables(
        name,
        ("tournament", "run"),
        LIMIT,
        num_hands // NUM_CUP_TABLES,
        NUM_CUP_TABLES,
        stage.seed,
        ("tight", "call", "random"),
    )
    leg = TablesLeg(stage, terms, _folder(stage, name))
    play_leg(leg, [tables.kill_command, tables.terminate_command])
    play_twin(leg)


def play_sizes(stage: Stage, name: str, num_hands: int) -> None:
    """Bets of every size, for longer than the stores of betting states take to fill."""
    terms = Terms(name, NO_LIMIT, num_hands, stage.seed + 7, ("random", "call"))
    leg = DealLeg(stage, terms, _folder(stage, name))
    play_leg(leg, [])
    for track in leg.tracks:
        stage.measured(name, track)


def play_no_limit(stage: Stage, name: str, num_hands: int) -> None:
    """A no-limit strategy against bets of every size."""
    terms = Terms(name, NO_LIMIT, num_hands, stage.seed + 5, (NO_LIMIT_SAMPLED, "random"))
    leg = DealLeg(stage, terms, _folder(stage, name))
    play_leg(leg, [strikes.kill_bot, strikes.kill_dealer])
    play_twin(leg)


def play_searched(stage: Stage, name: str, num_hands: int) -> None:
    """A strategy that searches, kept by ``acpcbot serve``."""
    folder = _folder(stage, name)
    terms = Terms(name, NO_LIMIT, num_hands, stage.seed + 6, (SEARCH, NO_LIMIT_SAMPLED))
    leg = DealLeg(stage, terms, folder, _house(stage, folder, terms))
    play_leg(leg, [strikes.terminate_dealer, strikes.drain_house])
    play_twin(leg)
    _close(leg)


LIMIT_LEGS: dict[str, tuple[float, Part]] = {
    "long": (0.45, play_long),
    "served": (0.30, play_served),
    "seats": (0.05, play_seats),
    "trained": (0.02, play_trained),
    "match": (0.12, play_match),
    "cup": (0.06, play_cup),
}
NO_LIMIT_LEGS: dict[str, tuple[float, Part]] = {
    "no-limit": (0.8, play_no_limit),
    "searched": (0.2, play_searched),
    "sizes": (10.0, play_sizes),
}
LEGS = {**LIMIT_LEGS, **NO_LIMIT_LEGS}


def hands_of_legs(limit_hands: int, no_limit_hands: int, names: list[str]) -> dict[str, int]:
    """The hands of each of the legs *names*, of those for all.

    Tables share them out evenly, so some may be left.
    """
    shares = [(LIMIT_LEGS, limit_hands), (NO_LIMIT_LEGS, no_limit_hands)]
    return {
        name: max(NUM_CUP_TABLES, round(share * total))
        for legs, total in shares
        for name, (share, _) in legs.items()
        if name in names and total
    }


def play(stage: Stage, name: str, num_hands: int) -> None:
    """Play one leg; what goes wrong in it is a finding, and the others are played all the same."""
    try:
        LEGS[name][1](stage, name, num_hands)
    except SoakFailure as failure:
        stage.note(Finding(FAULT, name, stage.doing, False, str(failure)))
        stage.yard.clear()


def _folder(stage: Stage, name: str) -> Path:
    folder = stage.folder / name
    folder.mkdir(parents=True)
    return folder


def _house(stage: Stage, folder: Path, terms: Terms) -> House:
    *ports, guest_port, metrics_port = stage.free_ports(4)
    return House(stage, folder, terms.strategies, terms.game, ports, guest_port, metrics_port)


def _close(leg: DealLeg) -> None:
    """Let the house of a finished leg go, after a look at what it held."""
    if leg.house:
        words = strikes.leave(leg.house)
        leg.stage.struck(leg.name, title(strikes.leave), words)


def _if_small(
    stage: Stage, name: str, is_small: bool, strike: Callable[..., str]
) -> list[Callable[..., str]]:
    if is_small:
        return [strike]
    stage.note(
        Finding(FAULT, name, title(strike), None, "mounting a small disk is not allowed here")
    )
    return []


def _python_path() -> str:
    return os.pathsep.join([str(CLOCK_FOLDER), *filter(None, [os.environ.get("PYTHONPATH")])])
