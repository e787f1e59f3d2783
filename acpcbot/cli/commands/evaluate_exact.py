"""``acpcbot evaluate exact``: what a best response wins from a strategy, every hand and every
board gone through.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeGuard

import numpy as np

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.agents.public_strategies import BLIND, CardlessStrategy, find_strategy
from acpcbot.arrays import Floats
from acpcbot.cards.deck import format_cards, parse_cards
from acpcbot.cli.game_arguments import stacked
from acpcbot.cli.phases import phase
from acpcbot.cli.progress_bars import make_bars, new_bar
from acpcbot.errors import UsageError
from acpcbot.games.best_response_result import BestResponse
from acpcbot.memory import available_bytes, memory_text
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.shipped import find_definition
from acpcbot.search.names import game_of, is_search
from acpcbot.strategies.by_name import find_played
from acpcbot.strategies.finding import missing_text
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.public_strategy import PublicStrategy
from acpcbot.strategies.range_play import blind_play, state_range, stored_play, told_play
from acpcbot.subgames.best_response import Play, Walker, abstract_response_values, response_values
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.trees.bet_menu import LIMIT_MENU, BetMenu, parse_menu
from acpcbot.trees.betting_tree import betting_bytes

if TYPE_CHECKING:
    from acpcbot.search.strategy import SearchStrategy

NUM_PLAYERS = 2
MANY_BOARDS = 100


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where the game begins."""

    betting: BettingState
    board: tuple[int, ...]

    @property
    def label(self) -> str:
        """The betting and the board, where there are any."""
        words = [self.betting.text, format_cards(self.board)]
        return "".join(f", {word}" for word in words if word)


def run(arguments: argparse.Namespace) -> int:
    """Carry out the verb."""
    if arguments.threads < 1:
        raise UsageError(f"--threads {arguments.threads}", "one or more")
    name, definition = stacked(arguments, _find_game(arguments))
    if definition.num_players != NUM_PLAYERS:
        _verify_whole(arguments, definition)
        from acpcbot.evaluation.exploitability.small_games import small_response

        with phase(f"going through all deals of {name}"):
            response, spot = (
                small_response(arguments.strategy, definition),
                _Spot(BettingRules(definition).start, ()),
            )
    else:
        spot = _Spot(
            BettingRules(definition).parse(arguments.betting), parse_cards(arguments.board)
        )
        response = _respond(arguments, definition, spot)
    print(f"{name}{spot.label}: {arguments.strategy}")
    _print(response, definition)
    return 0


def _find_game(arguments: argparse.Namespace) -> tuple[str, GameDefinition]:
    if arguments.game is not None:
        return find_definition(arguments.game)
    if arguments.strategy in BLIND:
        raise UsageError(f"{arguments.strategy} plays any game", "name one with --game")
    found = game_of(arguments.strategy)
    if found is None:
        raise UsageError(
            f"no strategy {arguments.strategy!r}",
            f"a trained folder, or one of {', '.join(BLIND)} with --game; {missing_text(arguments.strategy)}",
        )
    return found


def _verify_whole(arguments: argparse.Namespace, definition: GameDefinition) -> None:
    if arguments.betting or arguments.board or arguments.inside:
        problem = f"{definition.num_players} players have no best response from a state on, or inside an abstraction"
        raise UsageError(problem, "leave out --betting, --board and --inside")


def _respond(
    arguments: argparse.Namespace, definition: GameDefinition, spot: _Spot
) -> BestResponse:
    with make_bars(in_files=False) as bars:
        dealer = DealSources(definition, new_bar(bars, "card tables"))
        with phase(f"loading {arguments.strategy}"):
            strategy = _strategy(arguments.strategy, dealer, spot)
            ranges = _ranges(strategy, spot)
        own_menu = _own_menu(strategy)
        menu = _asked_menu(arguments, definition) or own_menu or LIMIT_MENU
        suits_alike = not _is_search(strategy)
        with phase("building the betting and the boards"):
            game = make_range_game(spot.betting, spot.board, menu, ranges, suits_alike=suits_alike)
        with phase(
            f"asking {arguments.strategy} about all hands on {len(game.boards.boards):,} boards"
        ):
            play = _play(game, strategy)
        _tell_size(game, play)
        walker = Walker(arguments.threads, new_bar(bars, "boards"))
        if not arguments.inside:
            with phase("best responses"):
                return response_values(game, (play, play), walker)
        if not isinstance(strategy, SnapshotStrategy):
            raise UsageError(f"{arguments.strategy} has no abstraction", "leave out --inside")
        if own_menu not in (None, menu):
            raise UsageError(
                "inside a strategy's abstraction there are no bets but its own", "leave out --bets"
            )
        with phase("best responses inside the abstraction"):
            return abstract_response_values(
                game, (play, play), strategy.snapshot.abstraction.num_buckets, walker
            )


def _tell_size(game: RangeGame, play: Play) -> None:
    """Say what will be gone through and what memory that takes, where it is not done in a
    moment.
    """
    if len(game.boards.boards) < MANY_BOARDS:
        return
    size = game.tree.size
    needed = {
        "betting": betting_bytes(size),
        "boards": game.row_bytes,
        "strategy": play.policy.nbytes + play.rows.nbytes,
    }
    print(
        f"decisions: {sum(size.num_nodes):,}, boards: {len(game.boards.boards):,}", file=sys.stderr
    )
    print(memory_text(needed, available_bytes()), file=sys.stderr)


def _is_search(strategy: PublicStrategy) -> TypeGuard[SearchStrategy]:
    """Whether *strategy* searches, which is told without loading what searching needs."""
    return not isinstance(strategy, SnapshotStrategy | CardlessStrategy)


def _own_menu(strategy: PublicStrategy) -> BetMenu | None:
    stored = strategy.blueprint if _is_search(strategy) else strategy
    return stored.snapshot.menu if isinstance(stored, SnapshotStrategy) else None


def _play(game: RangeGame, strategy: PublicStrategy) -> Play:
    """What *strategy* does: by its buckets, or asked at every decision, once for all cards if
    it does not see them.
    """
    if isinstance(strategy, SnapshotStrategy):
        return stored_play(game, strategy)
    return told_play(game, strategy) if _is_search(strategy) else blind_play(game, strategy)


def _asked_menu(arguments: argparse.Namespace, definition: GameDefinition) -> BetMenu | None:
    return (
        parse_menu(arguments.bets).for_streets(definition.num_streets) if arguments.bets else None
    )


def _strategy(name: str, dealer: DealSources, spot: _Spot) -> PublicStrategy:
    """The strategy; on one board its buckets are found faster without the tables of all boards."""
    if name in BLIND or is_search(name) or not spot.betting.text:
        return find_strategy(name, dealer)
    return SnapshotStrategy(*find_played(name, dealer.definition))


def _ranges(strategy: PublicStrategy, spot: _Spot) -> Floats | None:
    """How likely each player comes there with each hand, if that is not the start."""
    if not spot.betting.text:
        return None
    return np.stack(
        [state_range(strategy, spot.betting, spot.board, seat) for seat in range(NUM_PLAYERS)]
    )


def _print(response: BestResponse, definition: GameDefinition) -> None:
    """Values in mbb by seat, and the two measures in chips and mbb."""
    for seat, values in enumerate(zip(response.policy_values, response.values, strict=True), 1):
        # Nothing has a plus before it, whichever side of it rounding fell on.
        value, best = (round(1000 * value, 3) + 0.0 for value in values)
        print(f"  seat {seat}  wins {value:+.3f} mbb/hand, and a best response {best:+.3f}")
    for label, gain in (
        ("NashConv", response.nash_conv),
        ("exploitability", response.exploitability),
    ):
        print(f"  {label:14}  {gain * definition.big_blind:.6g} chips, {1000 * gain:.6g} mbb")
    print(
        "NashConv is what both gain together by leaving the strategy alone, exploitability their mean"
    )
