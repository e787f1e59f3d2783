"""A report as one HTML page that asks nobody for anything: style, script, plots and hands are within it.

The page's policy allows the style and the script that are in it, by their hashes, and nothing else. All text of
others is escaped. At most so many hands as the caller says can be stepped through: the first ones, and
the biggest pots.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from importlib import resources
from string import Template

from acpcbot.arrays import Floats
from acpcbot.reports.hands import HandTable
from acpcbot.reports.markup import escaped, joined
from acpcbot.reports.page_sections import header, player_options, player_section, pot_section
from acpcbot.reports.replay import replay_data
from acpcbot.reports.summary import Summary
from acpcbot.reports.tables import headline

NUM_REPLAYED = 5_000


def report_page(
    summary: Summary, table: HandTable, num_replayed: int = NUM_REPLAYED, further: Mapping[str, Floats] | None = None
) -> str:
    """The page of *summary*, with at most about *num_replayed* hands of *table* to step through.

    At the end of these stands what every seat won, by chips and by *further*, which are ``seat_columns``.
    """
    style, script = page_file("page.css"), page_file("page.js")
    hands = sorted({*range(min(num_replayed, table.num_hands)), *[pot.hand for pot in summary.pots]})
    return Template(page_file("page.html")).substitute(
        title=escaped(headline(summary)),
        style=style,
        style_hash=source_hash(style),
        script=script,
        script_hash=source_hash(script),
        summary=header(summary),
        choice=player_options(summary),
        players=joined(*[player_section(player, summary, table.definition) for player in summary.players]),
        pots=pot_section(summary),
        replayed=escaped(_replayed_text(len(hands), table.num_hands)),
        data=_embedded(json.dumps(replay_data(table, hands, further or {}), ensure_ascii=False, separators=(",", ":"))),
    )


def page_file(name: str) -> str:
    """The text of a file of the folder ``page``."""
    return resources.files("acpcbot.reports").joinpath("page", name).read_text(encoding="utf-8")


def source_hash(text: str) -> str:
    """The hash by which a page's policy allows a style or a script."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _embedded(data: str) -> str:
    """JSON that can stand within a script element: nothing in it can end the element."""
    return data.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _replayed_text(num_shown: int, num_hands: int) -> str:
    if num_shown == num_hands:
        return f"All {num_hands:,} hands are on this page."
    return f"{num_shown:,} of {num_hands:,} hands are on this page: the first ones, and the biggest pots."
