"""The game that ``acpcbot solve`` is asked for: hold'em with a pot and stacks, or any game for two from a state on."""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.cards.deck import format_cards, parse_cards
from acpcbot.cards.range_notation import parse_range
from acpcbot.cli.game_arguments import stacked
from acpcbot.errors import UsageError
from acpcbot.evaluation.played_snapshots import find_played
from acpcbot.evaluation.range_plays import state_range
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hand_classes import has_chart
from acpcbot.poker.shipped import find_definition, parse_stacks
from acpcbot.poker.spots import holdem_spot
from acpcbot.snapshots.public_play import SnapshotStrategy
from acpcbot.solvers.range_game import RangeGame, make_range_game
from acpcbot.trees.bet_menu import LIMIT_MENU, BetMenu, parse_menu
from acpcbot.trees.betting_tree import betting_bytes, betting_size

DEFAULT_BETS = "0.75,all-in;all-in"


def make_game(arguments: argparse.Namespace, verify_tree: Callable[[int], None]) -> RangeGame:
    """The game; *verify_tree* hears how many bytes its betting takes before they are taken. Raises UsageError."""
    board = parse_cards(arguments.board)
    root = _root(arguments, len(board))
    definition = root.game.definition
    if not set(board) <= set(definition.deck):
        raise UsageError(f"the board {format_cards(board)} is not of this game", "acpcbot games NAME shows its deck")
    menu = _menu(arguments.bets, definition)
    verify_tree(betting_bytes(betting_size(root, menu)))
    return make_range_game(root, board, menu, _ranges(arguments, root, board))


def spot_label(arguments: argparse.Namespace) -> str:
    """Where the game begins, in words."""
    if arguments.game is None:
        start = f"hold'em, board {arguments.board}, pot {arguments.pot}, stacks {arguments.stack}"
    else:
        words = [_game_text(arguments), arguments.betting, arguments.board]
        start = ", ".join([word for word in words if word])
    return f"{start}, bets {arguments.bets}" if arguments.bets else start


def _game_text(arguments: argparse.Namespace) -> str:
    return f"{arguments.game} with stacks of {arguments.stack}" if arguments.stack else str(arguments.game)


def _root(arguments: argparse.Namespace, num_board_cards: int) -> BettingState:
    if arguments.game is None:
        _verify_spot(arguments)
        (stack, *others) = parse_stacks(arguments.stack)
        if others:
            raise UsageError(f"--stack {arguments.stack} behind one pot", "both have as much left: one number")
        return holdem_spot(num_board_cards, arguments.pot, stack, arguments.smallest_bet)
    if arguments.pot is not None:
        raise UsageError("a --game with --pot", "its betting says what is in the pot: --betting TEXT")
    return BettingRules(stacked(arguments, find_definition(arguments.game))[1]).parse(arguments.betting)


def _verify_spot(arguments: argparse.Namespace) -> None:
    """Say what is missing where no game is named."""
    given = {"--board": arguments.board, "--pot": arguments.pot, "--stack": arguments.stack}
    missing = [name for name, value in given.items() if value in (None, "")]
    if len(missing) == len(given):
        raise UsageError("no game", "name a --board with --pot and --stack, or a --game, which takes --betting")
    if missing:
        raise UsageError(f"no {' and no '.join(missing)}", "a spot of hold'em takes --board, --pot and --stack")
    if arguments.betting or arguments.strategy:
        raise UsageError("--betting or --strategy without a game", "name it too: --game GAME")


def _menu(text: str | None, definition: GameDefinition) -> BetMenu:
    if not definition.is_limit:
        return parse_menu(text or DEFAULT_BETS)
    if text:
        raise UsageError("a limit game with --bets", "it has sizes of its own: leave them out")
    return LIMIT_MENU


def _ranges(arguments: argparse.Namespace, root: BettingState, board: tuple[int, ...]) -> Floats | None:
    """The weights of all hands, [seat, hand], None where all are alike."""
    texts = arguments.range1, arguments.range2
    if arguments.strategy is not None:
        if any(texts):
            raise UsageError("--strategy with --range1 or --range2", "ranges come from one or the other")
        strategy = SnapshotStrategy(*find_played(arguments.strategy, root.game.definition))
        return np.stack([state_range(strategy, root, board, seat) for seat in range(2)])
    if not any(texts):
        return None
    if not has_chart(root.game.definition) or len(root.game.definition.deck) != 52:
        raise UsageError("ranges in a game without hold'em's hands", "leave out --range1 and --range2")
    return np.stack([parse_range(text or "all") for text in texts])
