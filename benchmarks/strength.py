"""Exploitability of the shipped strategies: exact where feasible, else local best response.

The winnings of local best response are a lower bound on those of a best response; its menus are
those of Lisy & Bowling (2017), and one that bets before the flop alone. The search agent plays by
profiles that always answer alike.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

from benchmarks.commands import acpcbot
from benchmarks.figure import Figure
from benchmarks.kept import STRENGTH

ONLY_BY_NAME, SECTION = True, STRENGTH

EXACT = (
    "kuhn.limit.2p/dcfr",
    "leduc.limit.2p/dcfr",
    "leduc.nolimit.2p/external_sampling",
    "flop_holdem.limit.2p/external_sampling",
    "flop_holdem.limit.2p/search",
)
LIMIT, NO_LIMIT = "holdem.limit.2p.reverse_blinds", "holdem.nolimit.2p.reverse_blinds"
TABLE, FAST = "external_sampling", "search?profile=fast"
CONTESTS: dict[str, dict[str, dict[str, int]]] = {
    LIMIT: {"limit": {TABLE: 800, f"{TABLE}?play=average": 800, "smooth_uct": 800}},
    NO_LIMIT: {
        "fc": {TABLE: 3000, FAST: 2000},
        "fcpa": {TABLE: 1500, FAST: 500},
        "56bets": {TABLE: 2400, FAST: 600},
        "2r56bets": {TABLE: 1000, FAST: 300},
        "1r56bets": {TABLE: 3000, FAST: 1000, "search?profile=preflop": 600},
    },
}
"""By game and menu: the strategies, and the deals with each."""
EXPLOITABILITY = re.compile(r"exploitability +\S+ chips, (\S+) mbb")
WON = re.compile(r": ([+-][0-9.]+) ± ([0-9.]+) mbb/hand")


def figures() -> Iterator[Figure]:
    for strategy in EXACT:
        yield exploitability(strategy)
    for game, menus in CONTESTS.items():
        for menu, players in menus.items():
            for player, num_deals in players.items():
                yield local_best_response(game, player, menu, num_deals)


def exploitability(strategy: str) -> Figure:
    """Return the winnings of a best response to *strategy*, the mean of both seats."""
    found = EXPLOITABILITY.search(acpcbot("exploitability", f"strategies/{strategy}"))
    assert found is not None, strategy
    return Figure(
        name=f"{strategy}, exactly", value=float(found[1]), unit="mbb", higher_is_better=False
    )


def local_best_response(game: str, player: str, menu: str, num_deals: int) -> Figure:
    """Return the winnings of local best response against *player* with *menu*."""
    name, start = f"strategies/{game}/{player}", time.monotonic()
    words = ["--game", game, "--menu", menu, "--deals", str(num_deals)]
    found = WON.search(acpcbot("lbr", name, *words))
    assert found is not None, name
    return Figure(
        name=f"{game}/{player}, local best response by {menu}",
        value=float(found[1]),
        unit="mbb/hand",
        note=f"± {found[2]}, {num_deals} deals both ways round, {time.monotonic() - start:.0f} s",
        higher_is_better=False,
    )
