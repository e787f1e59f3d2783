"""Strength of a strategy: exact exploitability, and local best response in hold'em.

    acpcbot.exploitability("leduc.limit.2p/dcfr").exploitability_mbb
    acpcbot.lbr("holdem.limit.2p.reverse_blinds/smooth_uct", deals=200).mean_mbb

Results are in mbb a hand, thousandths of a big blind.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from time import monotonic
from typing import Any

import numpy as np

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.agents.public_strategies import find_strategy
from acpcbot.cards.deck import parse_cards
from acpcbot.errors import UsageError
from acpcbot.evaluation.exploitability.lbr_match import LbrMatch, play_lbr_match, play_match
from acpcbot.evaluation.exploitability.public_responses import (
    game_from,
    own_menu,
    reach_ranges,
    tabulate,
)
from acpcbot.evaluation.exploitability.small_games import small_response
from acpcbot.frames import to_dataframe
from acpcbot.games.best_response_result import BestResponse
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition
from acpcbot.reports.notebook import notebook_markup, result_markup
from acpcbot.research.strategies import Strategy, as_strategy
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.public_strategy import PublicStrategy
from acpcbot.subgames.best_response import Walker, response_values
from acpcbot.subgames.game import verify_root
from acpcbot.trees.bet_menu import LIMIT_MENU, BetMenu, parse_menu
from acpcbot.worker_threads import Progress

MBB = 1000.0
NUM_SEATS = 2
HOLDEM_BOARD = (0, 3, 1, 1)
DEFAULT_MENUS = {True: "limit", False: "fcpa"}
"""What local best response bets, by whether the game is limit."""


@dataclass(frozen=True, slots=True, repr=False)
class ExploitabilityResult:
    """The winnings of best responses to a strategy, over all hands and boards.

    ``strategy``              its name
    ``game_name``             the game
    ``exploitability_mbb``    the mean over seats of what a best response gains, in thousandths
                              of a big blind a hand; 0 in an equilibrium
    ``nash_conv_mbb``         their sum
    ``exploitability_chips``  the mean again, in chips a hand
    ``values_mbb``            what the strategy wins in each seat against itself, [seat]
    ``best_values_mbb``       what a best response wins in each seat, [seat]
    """

    strategy: str
    game_name: str
    exploitability_mbb: float
    nash_conv_mbb: float
    exploitability_chips: float
    values_mbb: tuple[float, ...]
    best_values_mbb: tuple[float, ...]

    def to_dataframe(self) -> Any:
        """Return a data frame with a row for each seat: seat, value_mbb, best_value_mbb,
        gain_mbb.
        """
        values, best = np.array(self.values_mbb), np.array(self.best_values_mbb)
        return to_dataframe(
            {
                "seat": np.arange(len(values)),
                "value_mbb": values,
                "best_value_mbb": best,
                "gain_mbb": best - values,
            }
        )

    def __repr__(self) -> str:
        found = (
            f"{self.exploitability_mbb:.6g} mbb/hand, NashConv {self.nash_conv_mbb:.6g} mbb/hand"
        )
        return f"<Exploitability of {self.strategy} in {self.game_name}: {found}>"

    def _repr_html_(self) -> str:
        facts = {
            "exploitability": f"{self.exploitability_mbb:.6g} mbb/hand",
            "NashConv": f"{self.nash_conv_mbb:.6g} mbb/hand",
        }
        pairs = zip(self.values_mbb, self.best_values_mbb, strict=True)
        for seat, (value, best) in enumerate(pairs):
            facts[f"seat {seat}"] = f"{value:+.3f}, a best response {best:+.3f} mbb/hand"
        return notebook_markup(result_markup(f"{self.strategy}, {self.game_name}", facts))


def exploitability(
    strategy: Strategy | str,
    *,
    game: str | None = None,
    betting: str = "",
    board: str = "",
    bets: str | None = None,
    threads: int | None = None,
    on_progress: Progress | None = None,
) -> ExploitabilityResult:
    """Return what best responses win from *strategy*, exactly.

    ``strategy``     what ``load_strategy`` returned, or its name
    ``game``         the game, where the name does not say it
    ``betting``      for two players: begin after this betting (``cr300c/``), with the ranges with
                     which the strategy gets there; the start if left out
    ``board``        the board cards there, as in ``KsTd9h``
    ``bets``         no-limit games: what both may bet, as for ``solve``; the strategy's own tree
                     if left out
    ``threads``      None for one a core
    ``on_progress``  called with the boards that are done, and all of them

    Kuhn and Leduc poker take milliseconds once kernels are compiled, flop hold'em a minute.
    Whole hold'em is too large: the error names ``lbr``, and a flop, turn or river of it can be
    measured with *betting* and *board*. Raises UsageError.
    """
    found = as_strategy(strategy, game)
    definition = found.definition
    if definition.num_players != NUM_SEATS:
        if betting or board or bets is not None:
            raise UsageError(
                f"betting, board or bets with {definition.num_players} players: expected two",
                "omit them: the whole game is gone through",
            )
        response = small_response(found.name, definition)
    else:
        response = _response(found, betting, board, bets, threads, on_progress)
    return ExploitabilityResult(
        strategy=found.name,
        game_name=found.game_name,
        exploitability_mbb=MBB * response.exploitability,
        nash_conv_mbb=MBB * response.nash_conv,
        exploitability_chips=response.exploitability * definition.big_blind,
        values_mbb=tuple([MBB * value for value in response.policy_values]),
        best_values_mbb=tuple([MBB * value for value in response.values]),
    )


def _response(
    strategy: Strategy,
    betting: str,
    board: str,
    bets: str | None,
    threads: int | None,
    on_progress: Progress | None,
) -> BestResponse:
    """The best responses of two players from a public state on."""
    definition = strategy.definition
    root, cards = BettingRules(definition).parse(betting), parse_cards(board)
    try:
        verify_root(root, cards)
    except UsageError as error:
        raise UsageError(
            f"{strategy.game_name} after {betting!r} on the board {board!r}: {error}",
            "acpcbot.lbr(strategy) measures it from below; or pass betting= and board= of a"
            " later street, as in betting='cc/cc/', board='KsTd9h4s'",
        ) from None
    public = _whole_public(strategy) if not betting else strategy._public
    menu = _menu(strategy, definition, bets)
    game = game_from(public, root, cards, menu, reach_ranges(public, root, cards))
    play = tabulate(game, public)
    walker = Walker(threads or os.cpu_count() or 1, on_progress)
    return response_values(game, (play, play), walker)


def _whole_public(strategy: Strategy) -> PublicStrategy:
    """The strategy with tables of its buckets, which many boards are faster with."""
    if isinstance(strategy._public, SnapshotStrategy):
        return find_strategy(strategy.name, DealSources(strategy.definition))
    return strategy._public


def _menu(strategy: Strategy, definition: GameDefinition, bets: str | None) -> BetMenu:
    """Return the menu of *bets*, else of the sizes of the strategy's own tree."""
    if definition.is_limit:
        return LIMIT_MENU
    if bets is not None:
        return parse_menu(bets).for_streets(definition.num_streets)
    own = own_menu(strategy._public)
    if own is None:
        raise UsageError(
            f"{strategy.name} has no bet sizes of its own", 'pass bets="0.5,1,all-in;all-in"'
        )
    return own


@dataclass(frozen=True, slots=True, repr=False)
class LbrResult:
    """The winnings of local best response: a lower bound of those of a best response.

    ``strategy``        its name
    ``game_name``       the game
    ``menu``            what local best response may bet
    ``mean_mbb``        thousandths of a big blind a hand, with variance reduction (AIVAT)
    ``half_width_mbb``  half the width of its 95 % confidence interval
    ``num_deals``       deals, each played in both seats
    ``seconds``         time that they took
    """

    strategy: str
    game_name: str
    menu: str
    mean_mbb: float
    half_width_mbb: float
    num_deals: int
    seconds: float

    def to_dataframe(self) -> Any:
        """Return a data frame of one row: strategy, game, menu, mean_mbb, half_width_mbb,
        num_deals.
        """
        return to_dataframe(
            {
                "strategy": [self.strategy],
                "game": [self.game_name],
                "menu": [self.menu],
                "mean_mbb": [self.mean_mbb],
                "half_width_mbb": [self.half_width_mbb],
                "num_deals": [self.num_deals],
            }
        )

    def __repr__(self) -> str:
        won = f"{self.mean_mbb:+.1f} ± {self.half_width_mbb:.1f} mbb/hand"
        return (
            f"<LBR ({self.menu}) against {self.strategy} in {self.game_name}:"
            f" {won} over {self.num_deals:,} deals>"
        )

    def _repr_html_(self) -> str:
        won = f"{self.mean_mbb:+.1f} ± {self.half_width_mbb:.1f} mbb/hand"
        facts = {
            "local best response wins": won,
            "menu": self.menu,
            "deals in both seats": f"{self.num_deals:,}",
        }
        return notebook_markup(result_markup(f"{self.strategy}, {self.game_name}", facts))


def lbr(
    strategy: Strategy | str,
    *,
    game: str | None = None,
    deals: int = 1000,
    menu: str | None = None,
    seed: int = 0,
    jobs: int = 1,
    on_progress: Progress | None = None,
) -> LbrResult:
    """Return what local best response wins from *strategy* of two-player hold'em.

    ``strategy``     what ``load_strategy`` returned, or its name
    ``game``         the game, where the name does not say it
    ``deals``        deals to play, each in both seats
    ``menu``         what local best response may bet: ``limit`` in limit games, else ``fc``,
                     ``fcpa``, ``56bets``, ``2r56bets`` or ``1r56bets``; limit or fcpa if left out
    ``seed``         of the cards and of what the strategy draws
    ``jobs``         processes among which the deals are shared out; scripts that ask for more
                     than one are guarded by ``if __name__ == "__main__"``
    ``on_progress``  called with the deals that are done, and all of them

    A best response wins at least as much. Raises UsageError for other games; ``exploitability``
    measures small ones exactly.
    """
    found = as_strategy(strategy, game)
    if (
        found.definition.num_board_cards != HOLDEM_BOARD
        or found.definition.num_players != NUM_SEATS
    ):
        raise UsageError(
            f"{found.game_name}: local best response expected two-player hold'em",
            "acpcbot.exploitability(strategy) is exact in small games",
        )
    if deals < 1 or jobs < 1 or not 0 <= seed < 2**32:
        raise UsageError(
            f"deals={deals}, jobs={jobs}, seed={seed}:"
            " expected at least 1 of both, and a seed of 32 bits",
            "omit them to use the defaults",
        )
    chosen = menu or DEFAULT_MENUS[found.definition.is_limit]
    match = LbrMatch(found.definition, found.name, chosen)
    players, start = match.players(), monotonic()
    if jobs == 1:
        won = play_match(players, deals, seed, on_progress)
    else:
        won = play_lbr_match(match, deals, seed, jobs, on_progress)
    return LbrResult(
        found.name,
        found.game_name,
        chosen,
        won.mean_mbb,
        won.half_width_mbb,
        deals,
        monotonic() - start,
    )
