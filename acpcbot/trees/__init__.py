"""Public trees as flat arrays: the betting of a game, its boards, and its information sets.

Limit games have one tree for the whole hand (``public_tree.py``); no-limit games one below any
state, with a menu of bets (``betting_tree.py``, ``bet_menu.py``). ``board_tree.py`` lists boards.
A tree with numbers of buckets is the game as learners see it (``infosets.py``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.trees.bet_menu import BetMenu as BetMenu
    from acpcbot.trees.bet_menu import Menu as Menu
    from acpcbot.trees.bet_menu import SeatMenus as SeatMenus
    from acpcbot.trees.bet_menu import parse_menu as parse_menu
    from acpcbot.trees.betting_tree import BettingPlaces as BettingPlaces
    from acpcbot.trees.betting_tree import BettingTree as BettingTree
    from acpcbot.trees.betting_tree import MenuGame as MenuGame
    from acpcbot.trees.betting_tree import build_betting_tree as build_betting_tree
    from acpcbot.trees.board_tree import BoardTree as BoardTree
    from acpcbot.trees.infosets import BucketGame as BucketGame
    from acpcbot.trees.infosets import InfosetLayout as InfosetLayout
    from acpcbot.trees.infosets import SubtreeSizes as SubtreeSizes
    from acpcbot.trees.infosets import infoset_layout as infoset_layout
    from acpcbot.trees.public_tree import AbstractGame as AbstractGame
    from acpcbot.trees.public_tree import PublicTree as PublicTree
    from acpcbot.trees.public_tree import build_tree as build_tree
    from acpcbot.trees.public_tree import make_game as make_game

export(
    __name__,
    {
        "AbstractGame": "public_tree",
        "BetMenu": "bet_menu",
        "BettingPlaces": "betting_tree",
        "BettingTree": "betting_tree",
        "BoardTree": "board_tree",
        "BucketGame": "infosets",
        "InfosetLayout": "infosets",
        "Menu": "bet_menu",
        "MenuGame": "betting_tree",
        "PublicTree": "public_tree",
        "SeatMenus": "bet_menu",
        "SubtreeSizes": "infosets",
        "build_betting_tree": "betting_tree",
        "build_tree": "public_tree",
        "infoset_layout": "infosets",
        "make_game": "public_tree",
        "parse_menu": "bet_menu",
    },
)
