"""Poker games as research games: the rules of poker behind the contract of games.

``poker_game.py`` is the game, ``card_views.py`` what its seats see of the cards,
``bucket_search.py`` tells which cards can still make a sequence of buckets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.poker_games.poker_game import PokerGame as PokerGame
    from acpcbot.poker_games.poker_game import make_poker_game as make_poker_game

export(__name__, {"PokerGame": "poker_game", "make_poker_game": "poker_game"})
