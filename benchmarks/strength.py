"""Exploitability of the shipped strategies: exact, within bounds, or by local best response.

Bounds are those of ``acpcbot exploitability --flops``, for each way to play a strategy; flops that
are done are taken from the cache. The winnings of local best response are a lower bound on those of
a best response; its menus are those of Lisy & Bowling (2017), one that bets before the flop alone,
and small bets on each street alone. The search agent plays by profiles that always answer alike; that of
limit hold'em also by ``match``, which goes by the clock: measure it on a machine without other load.
STRENGTH_ONLY is a pattern: only figures whose name it matches are measured, and kept beside the
others.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator

from benchmarks.commands import acpcbot
from benchmarks.figure import Figure
from benchmarks.kept import STRENGTH

ONLY_BY_NAME, KEEPS_OTHERS, SECTION = True, True, STRENGTH

EXACT = (
    "kuhn.limit.2p/dcfr",
    "leduc.limit.2p/dcfr",
    "leduc.nolimit.2p/external_sampling",
    "leduc.nolimit.2p/search",
    "flop_holdem.limit.2p/external_sampling",
    "flop_holdem.limit.2p/search",
)
LIMIT, NO_LIMIT = "holdem.limit.2p.reverse_blinds", "holdem.nolimit.2p.reverse_blinds"
TABLE, BLUEPRINT = "external_sampling", "cfr_br"
FAST, TURN = "search?profile=fast", "search?profile=turn"
PREFLOP, MATCH = "search?profile=preflop", "search?profile=match"
SMALL = "0.05,0.1,0.15,0.2,0.3,0.4"
CONTESTS: dict[str, dict[str, dict[str, int]]] = {
    LIMIT: {
        "limit": {
            TABLE: 800,
            f"{TABLE}?play=purified": 800,
            BLUEPRINT: 800,
            "smooth_uct": 800,
            FAST: 800,
            MATCH: 300,
        }
    },
    NO_LIMIT: {
        "56bets": {FAST: 800, PREFLOP: 800, BLUEPRINT: 1200, TURN: 300},
        "2r56bets": {BLUEPRINT: 1000, FAST: 400, PREFLOP: 400, TURN: 800},
        "fcpa": {BLUEPRINT: 1500, FAST: 800, PREFLOP: 800, TURN: 300},
        "fc": {BLUEPRINT: 2000, FAST: 1000, PREFLOP: 1000, TURN: 300},
        "1r56bets": {BLUEPRINT: 1500, FAST: 600, PREFLOP: 600},
        f"{SMALL}///": {BLUEPRINT: 500, FAST: 300},
        f"call/{SMALL}//": {BLUEPRINT: 500, FAST: 300},
        f"call/call/{SMALL}/": {BLUEPRINT: 500, FAST: 300},
        f"call/call/call/{SMALL}": {BLUEPRINT: 500, FAST: 300},
    },
}
"""By game and menu: the strategies, and the deals with each."""
PLAYED: dict[str, dict[str, int]] = {
    BLUEPRINT: {"average": 32, "purified": 16, "threshold:0.15": 16},
    TABLE: {"average": 32, "purified": 32, "threshold:0.15": 16},
    "smooth_uct": {"average": 16, "purified": 16, "greedy": 32},
    "uct": {"greedy": 32},
}
"""By strategy of limit hold'em and the way to play it: the flops of its bounds."""
EXPLOITABILITY = re.compile(r"exploitability +\S+ chips, (\S+) mbb")
WON = re.compile(r": ([+-][0-9.]+) ± ([0-9.]+) mbb/hand")


def figures() -> Iterator[Figure]:
    """Yield the exploitability of each strategy, and what local best response wins."""
    wanted = re.compile(os.environ.get("STRENGTH_ONLY", ""))
    for strategy in EXACT:
        if wanted.search(f"{strategy}, exactly"):
            yield exploitability(strategy)
    for player, plays in PLAYED.items():
        for play, num_flops in plays.items():
            if wanted.search(name_of_bounds(player, play, num_flops)):
                yield exploitability_bounds(player, play, num_flops)
    for game, menus in CONTESTS.items():
        for menu, players in menus.items():
            for player, num_deals in players.items():
                if wanted.search(name_of(game, player, menu)):
                    yield local_best_response(game, player, menu, num_deals)


def name_of(game: str, player: str, menu: str) -> str:
    """Return the name of the figure of *player* against local best response with *menu*."""
    return f"{game}/{player}, local best response by {menu}"


def exploitability(strategy: str) -> Figure:
    """Return the winnings of a best response to *strategy*, the mean of both seats."""
    found = EXPLOITABILITY.search(acpcbot("exploitability", f"strategies/{strategy}"))
    assert found is not None, strategy
    return Figure(
        name=f"{strategy}, exactly", value=float(found[1]), unit="mbb", higher_is_better=False
    )


def name_of_bounds(player: str, play: str, num_flops: int) -> str:
    """Return the name of the bounds of *player* of limit hold'em, played by *play*."""
    return f"{LIMIT}/{player}?play={play}, best response on {num_flops} flops"


def exploitability_bounds(player: str, play: str, num_flops: int) -> Figure:
    """Return the higher bound on the winnings of a best response, with the lower one in the note."""
    words = ["--flops", str(num_flops), "--jobs", str(os.cpu_count() or 1), "--json"]
    found = json.loads(
        acpcbot("exploitability", f"strategies/{LIMIT}/{player}?play={play}", *words)
    )
    low, width = found["exploitability_low_mbb"], found["half_width_mbb"]
    return Figure(
        name=name_of_bounds(player, play, num_flops),
        value=found["exploitability_high_mbb"],
        unit="mbb/hand",
        note=f"± {width:.1f}, at least {low:.1f}, seed {found['seed']}",
        higher_is_better=False,
    )


def local_best_response(game: str, player: str, menu: str, num_deals: int) -> Figure:
    """Return the winnings of local best response against *player* with *menu*."""
    name, start = f"strategies/{game}/{player}", time.monotonic()
    words = ["--game", game, "--menu", menu, "--deals", str(num_deals)]
    found = WON.search(acpcbot("lbr", name, *words))
    assert found is not None, name
    return Figure(
        name=name_of(game, player, menu),
        value=float(found[1]),
        unit="mbb/hand",
        note=f"± {found[2]}, {num_deals} deals both ways round, {time.monotonic() - start:.0f} s",
        higher_is_better=False,
    )
