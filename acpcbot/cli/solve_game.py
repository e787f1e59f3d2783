"""The game that ``acpcbot solve`` is asked for: hold'em with a pot and stacks, or any game for two from a state on."""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

from acpcbot.cards.deck import format_cards, parse_cards
from acpcbot.cards.range_notation import parse_range
from acpcbot.errors import UsageError
from acpcbot.evaluation.played_snapshots import find_played
from acpcbot.evaluation.range_plays import state_range
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hand_classes import has_chart
from acpcbot.poker.shipped import find_definition
from acpcbot.poker.spots import holdem_spot
from acpcbot.snapshots.public_play import SnapshotStrategy
from acpcbot.solvers.range_game import Floats, RangeGame, make_range_game
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
        words = [arguments.game, arguments.betting, arguments.board]
        start = ", ".join([word for word in words if word])
    return f"{start}, bets {arguments.bets}" if arguments.bets else start


def _root(arguments: argparse.Namespace, num_board_cards: int) -> BettingState:
    has_pot = arguments.pot is not None or arguments.stack is not None
    if arguments.game is None:
        if arguments.pot is None or arguments.stack is None or arguments.betting or arguments.strategy:
            raise UsageError("no game", "name a --board with --pot and --stack, or a --game, which takes --betting")
        return holdem_spot(num_board_cards, arguments.pot, arguments.stack, arguments.smallest_bet)
    if has_pot:
        raise UsageError("a --game with --pot or --stack", "its betting says what is in the pot: --betting TEXT")
    return BettingRules(find_definition(arguments.game)[1]).parse(arguments.betting)


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
