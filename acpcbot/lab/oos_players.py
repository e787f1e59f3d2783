"""Games and players of the OOS paper, with the settings of its section "Empirical Evaluation".

The paper gives seconds a move on hardware of 2014. Here a move gets a number of simulations, the
same for all players, so that equal seeds give equal results on any machine. A second of the paper
stands for 400,000 of them. After that many samples a second, OOS from the root comes to the values
of the paper's figure 3 for 1 and 4 seconds in LD(1,1) and GP(3,3,2,2); the same rate is taken in
the other games, where the paper has nothing to compare with.

Exploitability is the mean of what the two seats gain by best responses, half of NashConv. The
paper's text defines the sum, but its figure has 1.0 in II-GS(6) for searches that know nothing and
take one fixed action everywhere: there each seat can win every game, a sum of 2.
"""

from __future__ import annotations

from acpcbot.errors import UsageError
from acpcbot.evaluation.searches.players import (
    ISMCTSPlayer,
    OOSPlayer,
    RandomPlayer,
    SearchPlayer,
    Targeting,
)
from acpcbot.games.game import Game
from acpcbot.games.generic_poker import GenericPoker
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.liars_dice import LiarsDice
from acpcbot.tree_search.oos import OOSSettings
from acpcbot.tree_search.selection.infoset_regrets import InfosetRegrets
from acpcbot.tree_search.selection.uct import UCT

SMALL_GAMES: dict[str, Game] = {
    "II-GS(6)": Goofspiel(6, hides_bids=True, is_ascending=True, lowest_point=0),
    "LD(1,1)": LiarsDice(1, 6),
    "GP(3,3,2,2)": GenericPoker(3, 3, 2, 2),
}
LARGE_GAMES: dict[str, Game] = {
    "II-GS(13)": Goofspiel(13, hides_bids=True, is_ascending=True, lowest_point=0),
    "LD(2,2)": LiarsDice(2, 6),
    "GP(4,6,4,4)": GenericPoker(4, 6, 4, 4),
}
GAMES = SMALL_GAMES | LARGE_GAMES

# Of GP: an ante, and a bet and R raises of the largest size on both streets, 2 B and 4 B chips.
MAX_PAYOFFS = {
    "II-GS(6)": 1.0,
    "LD(1,1)": 1.0,
    "GP(3,3,2,2)": 37.0,
    "II-GS(13)": 1.0,
    "LD(2,2)": 1.0,
    "GP(4,6,4,4)": 121.0,
}

OOS, UCT_SEARCH, RM, RANDOM = "OOS", "UCT", "RM", "random"
SEARCHES = (OOS, UCT_SEARCH, RM)

GAMMA = 0.01
RM_EXPLORATION = 0.2
UCT_FACTOR = 2.0
"""The exploration constant C of UCT is this times the largest payoff."""

SIMULATIONS_A_SECOND = 400_000

# Measured on one busy core, with what a move costs besides.
RATES = {
    "II-GS(6)": 700_000.0,
    "LD(1,1)": 1_500_000.0,
    "GP(3,3,2,2)": 1_100_000.0,
    "II-GS(13)": 250_000.0,
    "LD(2,2)": 700_000.0,
    "GP(4,6,4,4)": 700_000.0,
}
MOVES = {
    "II-GS(6)": 10.0,
    "LD(1,1)": 3.5,
    "GP(3,3,2,2)": 4.6,
    "II-GS(13)": 24.0,
    "LD(2,2)": 6.0,
    "GP(4,6,4,4)": 5.0,
}
"""Decisions of both seats in a match."""


def settings(delta: float, epsilon: float, *, weighs_targets: bool = True) -> OOSSettings:
    """Return settings of OOS with the paper's gamma."""
    return OOSSettings(delta=delta, epsilon=epsilon, gamma=GAMMA, weighs_targets=weighs_targets)


def make_player(
    game: str, name: str, oos_settings: OOSSettings, targeting: Targeting, *, is_match: bool
) -> SearchPlayer:
    """Return the player *name* of the game named *game*.

    In a match UCT takes the action with most visits; else it plays by shares of visits.
    """
    rules = GAMES[game]
    if name == OOS:
        return OOSPlayer(rules, oos_settings, targeting, name=name)
    if name == UCT_SEARCH:
        policy = UCT(UCT_FACTOR * MAX_PAYOFFS[game])
        return ISMCTSPlayer(rules, policy, "most-visits" if is_match else "visits", name=name)
    if name == RM:
        return ISMCTSPlayer(rules, InfosetRegrets(RM_EXPLORATION), "visits", name=name)
    if name == RANDOM:
        return RandomPlayer(rules, name=name)
    raise UsageError(f"no player {name!r}", f"one of {', '.join((*SEARCHES, RANDOM))}")
