"""Cards: the deck, pairs of hole cards, showdown strength and suit isomorphism.

Cards are numbers from 0 to 51, sets of them bit masks. ``strength.py`` has the fast evaluator
(tables, in kernels), ``any_strength.py`` one for any one to ten cards (arithmetic, no tables).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.cards.combos import all_combos as all_combos
    from acpcbot.cards.combos import combo_cards as combo_cards
    from acpcbot.cards.combos import combo_index as combo_index
    from acpcbot.cards.deck import deck_cards as deck_cards
    from acpcbot.cards.deck import format_card as format_card
    from acpcbot.cards.deck import format_cards as format_cards
    from acpcbot.cards.deck import mask_of as mask_of
    from acpcbot.cards.deck import parse_card as parse_card
    from acpcbot.cards.deck import parse_cards as parse_cards
    from acpcbot.cards.isomorphism import SuitIsomorphism as SuitIsomorphism
    from acpcbot.cards.range_notation import parse_range as parse_range
    from acpcbot.cards.strength import board_strengths as board_strengths
    from acpcbot.cards.strength import strength7 as strength7

export(
    __name__,
    {
        "SuitIsomorphism": "isomorphism",
        "all_combos": "combos",
        "board_strengths": "strength",
        "combo_cards": "combos",
        "combo_index": "combos",
        "deck_cards": "deck",
        "format_card": "deck",
        "format_cards": "deck",
        "mask_of": "deck",
        "parse_card": "deck",
        "parse_cards": "deck",
        "parse_range": "range_notation",
        "strength7": "strength",
    },
)
