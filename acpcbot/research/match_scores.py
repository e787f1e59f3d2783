"""Scores of logs with variance reduction: AIVAT and its parts, for every player.

    found = acpcbot.aivat("matches/2026-11-22-101500", known={"alice": "leduc.limit.2p/dcfr"})
    found["alice"]["AIVAT"].mean_mbb, found["alice"]["AIVAT"].half_width_mbb

Results are in mbb a hand, thousandths of a big blind; a 95 % interval is the mean plus and minus
the half width.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat.estimates import (
    Estimate,
    all_in_estimate,
    chips_estimate,
    seated_hands,
    variance_reduced_estimates,
)
from acpcbot.evaluation.aivat.value_functions import make_value_function, possible_estimators
from acpcbot.frames import to_dataframe
from acpcbot.poker.shipped import find_definition
from acpcbot.reports.duplicates import deal_numbers
from acpcbot.reports.hands import find_logs, read_hands
from acpcbot.reports.markup import Markup, escaped
from acpcbot.reports.notebook import notebook_markup, table_markup, title_markup
from acpcbot.reports.plots import Scale, interval_plot, interval_scale
from acpcbot.research.known_players import find_known, planned_names
from acpcbot.research.strategies import Strategy
from acpcbot.worker_threads import Progress

HEADING = ("estimator", "mbb/hand, 95 %", "", "worth")


@dataclass(frozen=True, slots=True, repr=False)
class PlayerScore:
    """The winnings of one player by every estimator that applies.

    ``player``     its name
    ``estimates``  ``chips`` first, then ``all-in equity``, ``imaginary observations``, ``MIVAT``
                   and ``AIVAT`` as far as strategies and values are known; each with ``mean_mbb``
                   in thousandths of a big blind a hand, ``half_width_mbb`` of its 95 %
                   confidence interval, ``sd_mbb``, ``num_hands`` and ``num_samples``

    ``score["AIVAT"]`` is one of them.
    """

    player: str
    estimates: tuple[Estimate, ...]

    def __getitem__(self, estimator: str) -> Estimate:
        """Return the estimate by *estimator*; raises UsageError where it does not apply."""
        for estimate in self.estimates:
            if estimate.name == estimator:
                return estimate
        names = ", ".join([estimate.name for estimate in self.estimates])
        raise UsageError(
            f"no {estimator!r} of {self.player}: there are {names}",
            "AIVAT needs a strategy: pass known={PLAYER: STRATEGY}",
        )

    def to_dataframe(self) -> Any:
        """Return a data frame with a row for each estimator.

        Its columns are player, estimator, mean_mbb, half_width_mbb, sd_mbb, num_hands and worth:
        how many times the hands chips would need for so narrow an interval, NaN where too few
        hands tell.
        """
        return to_dataframe(_columns([self]))

    def __repr__(self) -> str:
        best = self.estimates[-1]
        return (
            f"<PlayerScore {self.player}, {best.num_hands:,} hands:"
            f" {best.name} {_interval_text(best)} mbb/hand, {len(self.estimates)} estimators>"
        )

    def _repr_html_(self) -> str:
        return notebook_markup(*self._parts(_scale([self])))

    def _parts(self, scale: Scale) -> list[Markup]:
        chips = self.estimates[0]
        rows = [
            [
                escaped(found.name),
                escaped(_interval_text(found)),
                interval_plot(found.mean_mbb, found.half_width_mbb, _interval_text(found), scale),
                escaped(_worth_text(found, chips)),
            ]
            for found in self.estimates
        ]
        title = f"{self.player}, {chips.num_hands:,} hands"
        return [title_markup(title), table_markup(HEADING, rows)]


@dataclass(frozen=True, slots=True, repr=False)
class MatchScores:
    """The winnings of each player of some logs; ``scores["alice"]`` is one of them.

    ``game_name``  the game
    ``num_hands``  hands in all logs
    ``players``    their scores
    """

    game_name: str
    num_hands: int
    players: tuple[PlayerScore, ...]

    def __getitem__(self, player: str) -> PlayerScore:
        """Return the score of *player*; raises UsageError."""
        for score in self.players:
            if score.player == player:
                return score
        names = ", ".join([score.player for score in self.players])
        raise UsageError(f"no score of {player!r}", f"expected one of {names}")

    def to_dataframe(self) -> Any:
        """Return a data frame with a row for each player and estimator.

        See ``PlayerScore.to_dataframe``.
        """
        return to_dataframe(_columns(self.players))

    def __repr__(self) -> str:
        won = ", ".join(
            [f"{score.player} {_interval_text(score.estimates[-1])}" for score in self.players]
        )
        return f"<MatchScores of {self.game_name}, {self.num_hands:,} hands: {won} mbb/hand>"

    def _repr_html_(self) -> str:
        scale = _scale(self.players)
        return notebook_markup(*[part for score in self.players for part in score._parts(scale)])


def aivat(
    log: str | Path | Sequence[str | Path],
    known: Mapping[str, str | Strategy] | None = None,
    *,
    values: str | None = None,
    players: Sequence[str] | None = None,
    game: str | None = None,
    on_progress: Progress | None = None,
) -> MatchScores:
    """Return what players won, with the luck of the cards and of their own draws taken out.

    ``log``          a match log, the folder of a match, or several of them
    ``known``        by player, as the log names it, a strategy: what ``load_strategy`` takes or
                     returned, or ``recorded:FILE``; beside those that the folder of a match tells
    ``values``       the stored strategy whose self-play tells what hands are worth, in hold'em
                     also ``strength``, a formula; a known one if left out
    ``players``      whom to score, everybody if left out
    ``game``         the game, where the log does not name a shipped one
    ``on_progress``  called with the hands that are done, and all of them, for each player

    Every hand is replayed before it counts. The mean of AIVAT is that of chips in expectation;
    its interval is the narrower the more players are known. Raises UsageError, BadLogLine,
    UnknownStrategy and BadSnapshot.
    """
    given = [log] if isinstance(log, str | Path) else log
    paths = [Path(path) for path in given]
    logs, played = find_logs(paths)
    table = read_hands(logs, find_definition(game)[1] if game is not None else played)
    names = planned_names(paths, table.players, table.definition)
    for player, strategy in (known or {}).items():
        if player not in table.players:
            raise UsageError(
                f"known={{{player!r}: ...}}: nobody of that name played",
                f"expected players of the log: {', '.join(table.players)}",
            )
        names[player] = [strategy.name if isinstance(strategy, Strategy) else strategy]
    sources = DealSources(table.definition)
    strategies = find_known(names, table, sources)
    stored = [name for found in names.values() for name in found]
    value_function = make_value_function(sources, values, stored)
    records, samples = list(table.records()), deal_numbers(table).tolist()
    scores = []
    for player in table.players if players is None else players:
        hands = seated_hands(records, samples, player)
        estimators = possible_estimators(player, strategies, value_function)
        found = variance_reduced_estimates(
            estimators, hands, strategies, value_function, on_progress
        )
        scores.append(PlayerScore(player, (chips_estimate(hands), all_in_estimate(hands), *found)))
    return MatchScores(table.game_name, table.num_hands, tuple(scores))


def _columns(scores: Sequence[PlayerScore]) -> dict[str, list[Any]]:
    rows = [(score, found) for score in scores for found in score.estimates]
    worth = [found.hands_ratio(score.estimates[0]) for score, found in rows]
    return {
        "player": [score.player for score, _ in rows],
        "estimator": [found.name for _, found in rows],
        "mean_mbb": [found.mean_mbb for _, found in rows],
        "half_width_mbb": [found.half_width_mbb for _, found in rows],
        "sd_mbb": [found.sd_mbb for _, found in rows],
        "num_hands": [found.num_hands for _, found in rows],
        "worth": [float("nan") if times is None else times for times in worth],
    }


def _scale(scores: Sequence[PlayerScore]) -> Scale:
    found = [estimate for score in scores for estimate in score.estimates]
    return interval_scale([(estimate.mean_mbb, estimate.half_width_mbb) for estimate in found])


def _interval_text(found: Estimate) -> str:
    return f"{found.mean_mbb:+.1f} ± {found.half_width_mbb:.1f}"


def _worth_text(found: Estimate, chips: Estimate) -> str:
    times = found.hands_ratio(chips)
    return "too few hands" if times is None else f"{times:.1f} x the hands"
