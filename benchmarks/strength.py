"""How much can be won from the shipped strategies: exactly where that can be had, else by local best response.

What local best response wins is the least that a best response would; its menus are those of Lisy & Bowling (2017).
The searching agent plays by its fast profile, which always answers alike.
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
)
LIMIT, NO_LIMIT = "holdem.limit.2p.reverse_blinds", "holdem.nolimit.2p.reverse_blinds"
PLAYERS = {
    LIMIT: ("external_sampling", "external_sampling?play=average", "smooth_uct"),
    NO_LIMIT: ("external_sampling", "search?profile=fast"),
}
DEALS = {"limit": (800, 800), "fc": (3000, 2000), "fcpa": (1500, 500), "56bets": (2400, 600), "2r56bets": (1000, 300)}
"""By menu, for what stands in tables and for who searches."""
EXPLOITABILITY = re.compile(r"exploitability +\S+ chips, (\S+) mbb")
WON = re.compile(r": ([+-][0-9.]+) ± ([0-9.]+) mbb/hand")


def figures() -> Iterator[Figure]:
    for strategy in EXACT:
        yield exploitability(strategy)
    for game, players in PLAYERS.items():
        for menu in ("limit",) if game == LIMIT else tuple(DEALS)[1:]:
            for player in players:
                yield local_best_response(game, player, menu)


def exploitability(strategy: str) -> Figure:
    """What a best response wins from *strategy*, the mean of both seats."""
    found = EXPLOITABILITY.search(acpcbot("evaluate", "exact", f"strategies/{strategy}"))
    assert found is not None, strategy
    return Figure(name=f"{strategy}, exactly", value=float(found[1]), unit="mbb", higher_is_better=False)


def local_best_response(game: str, player: str, menu: str) -> Figure:
    """What local best response wins from *player* with *menu*."""
    num_deals, start = DEALS[menu]["search" in player], time.monotonic()
    name = f"strategies/{game}/{player}"
    words = ["--game", game, "--menu", menu, "--deals", str(num_deals)]
    found = WON.search(acpcbot("evaluate", "lbr", name, *words))
    assert found is not None, name
    return Figure(
        name=f"{game}/{player}, local best response by {menu}",
        value=float(found[1]),
        unit="mbb/hand",
        note=f"± {found[2]}, {num_deals} deals both ways round, {time.monotonic() - start:.0f} s",
        higher_is_better=False,
    )
