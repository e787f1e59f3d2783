"""Research games: compiled rules over a small vector of integers.

Kuhn and Leduc-like poker, liar's dice, Goofspiel, Scotland Yard, matrix games, and without anything
hidden tic-tac-toe and Connect Four. ``drawn_openings.py`` begins any of them with random moves.
``game.py`` has the contract, ``sequence_form.py`` enumerates a game,
``solvers/`` solves what is enumerated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.games.best_response_result import BestResponse as BestResponse
    from acpcbot.games.connect_four import ConnectFour as ConnectFour
    from acpcbot.games.coordination import Coordination as Coordination
    from acpcbot.games.depth_limit import depth_limited_form as depth_limited_form
    from acpcbot.games.game import Game as Game
    from acpcbot.games.game import State as State
    from acpcbot.games.game import Target as Target
    from acpcbot.games.game import make_target as make_target
    from acpcbot.games.game import new_state as new_state
    from acpcbot.games.game import observe as observe
    from acpcbot.games.game import play_out as play_out
    from acpcbot.games.generic_poker import GenericPoker as GenericPoker
    from acpcbot.games.goofspiel import Goofspiel as Goofspiel
    from acpcbot.games.keyless import unobserved as unobserved
    from acpcbot.games.kuhn import Kuhn as Kuhn
    from acpcbot.games.liars_dice import LiarsDice as LiarsDice
    from acpcbot.games.rock_paper_scissors import RockPaperScissors as RockPaperScissors
    from acpcbot.games.scotland_yard import ScotlandYard as ScotlandYard
    from acpcbot.games.sequence_form import SequenceForm as SequenceForm
    from acpcbot.games.tic_tac_toe import TicTacToe as TicTacToe

export(
    __name__,
    {
        "BestResponse": "best_response_result",
        "ConnectFour": "connect_four",
        "Coordination": "coordination",
        "Game": "game",
        "GenericPoker": "generic_poker",
        "Goofspiel": "goofspiel",
        "Kuhn": "kuhn",
        "LiarsDice": "liars_dice",
        "RockPaperScissors": "rock_paper_scissors",
        "ScotlandYard": "scotland_yard",
        "SequenceForm": "sequence_form",
        "State": "game",
        "Target": "game",
        "TicTacToe": "tic_tac_toe",
        "depth_limited_form": "depth_limit",
        "make_target": "game",
        "new_state": "game",
        "observe": "game",
        "play_out": "game",
        "unobserved": "keyless",
    },
)
