"""Search of limit hold'em at the table: loss by street, and matches with its blueprint and a rival.

Losses are those of one street's play against a perfect opponent, of the stored strategies and of the
search. The matches are duplicates in process with AIVAT, by the profile that searches rivers alone.
LIMIT_SPOTS is the number of rivers [20], of turns there are a quarter as many; LIMIT_DEALS the
number of deals of a match, both ways round [3000]. Matches are kept in the folder
``search_matches`` and resumed from there; what local best response wins is in ``strength``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

from benchmarks.commands import acpcbot
from benchmarks.figure import Figure
from benchmarks.kept import STRENGTH
from benchmarks.search_match import result

ONLY_BY_NAME, SECTION = True, STRENGTH

GAME = "holdem.limit.2p.reverse_blinds"
FOLDER = f"strategies/{GAME}"
FAST, WHOLE = "search?profile=fast", "search?profile=match"
LOSSES = (
    ("river", "external_sampling"),
    ("river", "cfr_br"),
    ("river", FAST),
    ("turn", "external_sampling"),
    ("turn", "cfr_br"),
    ("turn", WHOLE),
)
SHARE_OF_TURNS = 4
RIVALS = ("cfr_br", "external_sampling", "external_sampling?play=purified")


def figures() -> Iterator[Figure]:
    """Yield the losses by street, and what the search wins from each of the RIVALS."""
    num_spots = int(os.environ.get("LIMIT_SPOTS", "20"))
    num_deals = int(os.environ.get("LIMIT_DEALS", "3000"))
    for street, player in LOSSES:
        yield loss(street, player, num_spots if street == "river" else num_spots // SHARE_OF_TURNS)
    for rival in RIVALS:
        label = f"{FAST} against {rival}"
        yield from result(label, f"{FOLDER}/{FAST}", f"{FOLDER}/{rival}", num_deals, GAME)


def loss(street: str, player: str, num_spots: int) -> Figure:
    """Return what *player*'s play on *street* loses, in percent of the pot.

    The free solution that it is compared with is not perfect either: the loss is at most so much
    more as the note tells, which matters where the search finds the very same solution.
    """
    words = ["--street", street, "--spots", str(num_spots), "--seed", "1", "--json"]
    found = json.loads(acpcbot("street-loss", f"{FOLDER}/{player}", *words))["losses"][0]
    return Figure(
        name=f"{player}, loss on the {street}",
        value=found["percent_of_pot"],
        unit="% of the pot",
        note=f"± {found['half_width_percent']:.3f}, at most {found['most_percent']:.3f}, "
        f"{num_spots} spots",
        higher_is_better=False,
    )
