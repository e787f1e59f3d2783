"""Searches of research games: SM-MCTS, IS-MCTS, OOS, growing-tree CFR, backward induction.

``simultaneous.py`` searches games with simultaneous moves, by one of the policies in ``selection``;
``is_mcts.py`` and ``oos.py`` search by information sets, whose memory is ``infoset_table.py``.
``growing_cfr.py`` is the search of Student of Games, in the public trees of ``public_tree.py`` and
with values of ``leaf_evaluators.py`` at its leaves; ``resolving.py`` chains such searches through a
match, and ``network_values.py`` puts a network at the leaves, which ``public_encodings.py``,
``liars_dice_encoding.py`` and ``scotland_yard_encoding.py`` show public states to.

Games that hide nothing have trees of positions (``position_tree.py``), searches at one position
after the other (``position_search.py``, and by PUCT and visits alone, as AlphaZero,
``visit_search.py``), and networks of their own (``position_values.py``, ``board_encodings.py``).
``backward_induction.py`` has the exact values of Goofspiel by points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.tree_search.backward_induction import GoofspielValues as GoofspielValues
    from acpcbot.tree_search.board_encodings import BoardEncoding as BoardEncoding
    from acpcbot.tree_search.board_encodings import connect_four_encoding as connect_four_encoding
    from acpcbot.tree_search.board_encodings import tic_tac_toe_encoding as tic_tac_toe_encoding
    from acpcbot.tree_search.growing_cfr import GrowingCFR as GrowingCFR
    from acpcbot.tree_search.growing_cfr import GrowingCFRSettings as GrowingCFRSettings
    from acpcbot.tree_search.is_mcts import InfosetSearch as InfosetSearch
    from acpcbot.tree_search.liars_dice_encoding import LiarsDiceEncoding as LiarsDiceEncoding
    from acpcbot.tree_search.network_values import NetworkValues as NetworkValues
    from acpcbot.tree_search.oos import OOSSearch as OOSSearch
    from acpcbot.tree_search.oos import OOSSettings as OOSSettings
    from acpcbot.tree_search.oos import PlayoutPolicy as PlayoutPolicy
    from acpcbot.tree_search.position_search import PositionSearch as PositionSearch
    from acpcbot.tree_search.position_values import PositionValues as PositionValues
    from acpcbot.tree_search.public_encodings import GenericPokerEncoding as GenericPokerEncoding
    from acpcbot.tree_search.public_encodings import PublicEncoding as PublicEncoding
    from acpcbot.tree_search.public_tree import PublicTree as PublicTree
    from acpcbot.tree_search.resolving import SeatChain as SeatChain
    from acpcbot.tree_search.scotland_yard_encoding import (
        ScotlandYardEncoding as ScotlandYardEncoding,
    )
    from acpcbot.tree_search.simultaneous import Rewards as Rewards
    from acpcbot.tree_search.simultaneous import SimultaneousSearch as SimultaneousSearch
    from acpcbot.tree_search.subgame_oracle import SubgameOracle as SubgameOracle
    from acpcbot.tree_search.visit_search import VisitSearch as VisitSearch
    from acpcbot.tree_search.visit_search import VisitSettings as VisitSettings

export(
    __name__,
    {
        "BoardEncoding": "board_encodings",
        "GenericPokerEncoding": "public_encodings",
        "GoofspielValues": "backward_induction",
        "GrowingCFR": "growing_cfr",
        "GrowingCFRSettings": "growing_cfr",
        "InfosetSearch": "is_mcts",
        "LiarsDiceEncoding": "liars_dice_encoding",
        "NetworkValues": "network_values",
        "OOSSearch": "oos",
        "OOSSettings": "oos",
        "PlayoutPolicy": "oos",
        "PositionSearch": "position_search",
        "PositionValues": "position_values",
        "PublicEncoding": "public_encodings",
        "PublicTree": "public_tree",
        "Rewards": "simultaneous",
        "ScotlandYardEncoding": "scotland_yard_encoding",
        "SeatChain": "resolving",
        "SimultaneousSearch": "simultaneous",
        "SubgameOracle": "subgame_oracle",
        "VisitSearch": "visit_search",
        "VisitSettings": "visit_search",
        "connect_four_encoding": "board_encodings",
        "tic_tac_toe_encoding": "board_encodings",
    },
)
