"""One match that is watched: the logs that count together, its score, its pace, its largest pots.

Scores are means with 95 % confidence intervals as ``acpcbot evaluate`` prints of chips: hands of
one deal of a duplicate match are one sample. The pace is that of the last ``PACE_S`` seconds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.errors import BadRequest
from acpcbot.logs.match_log import PLAIN_BYTES
from acpcbot.matches.intervals import interval_of_samples, root_mean_square
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.game_titles import game_title
from acpcbot.web.watched_log import Message, WatchedLog

MBB = 1000.0
PACE_S = 60.0
LEAST_PACE_S = 2.0
"""A pace needs this many seconds."""
QUIET_S = 30.0
"""A match without a hand for so long is quiet."""
MOST_POTS = 500
NUMBER_BITS = 32
"""Hands have numbers of so many bits."""


@dataclass(frozen=True, slots=True)
class PlannedLog:
    """A log of a match, which may not exist yet.

    Logs with the same *deals* have the same cards in other seats; a log with none has its own.
    """

    path: Path
    deals: int | None = None


@dataclass(frozen=True, slots=True)
class FoundMatch:
    """A match to watch: its *name* on the page, its game if known, and all its *logs*.

    *players* are empty, and *num_hands* of a log is 0, where nothing but the log tells them.
    """

    name: str
    definition: GameDefinition | None
    logs: tuple[PlannedLog, ...]
    players: tuple[str, ...] = ()
    num_hands: int = 0

    @property
    def num_bytes(self) -> int:
        """The size of the logs that exist."""
        return sum(log.path.stat().st_size for log in self.logs if log.path.exists())


class WatchedMatch:
    """The match *found*; times are seconds since 1970, *plain_bytes* are as in ``GrowingLog``."""

    def __init__(self, found: FoundMatch, *, plain_bytes: int = PLAIN_BYTES) -> None:
        self._found, self._plain_bytes = found, plain_bytes
        self._waiting = list(found.logs)
        self._has_looked = False
        self._logs: list[WatchedLog] = []
        self._deals: list[int | None] = []
        self._newest: tuple[int, int] | None = None
        self._pace: deque[tuple[float, int]] = deque()
        self._last_news = 0.0
        self._troubles: dict[int, str] = {}
        self._scores: tuple[int, list[Message], int] = (-1, [], 0)

    @property
    def num_logs(self) -> int:
        """Number of logs that exist so far."""
        return len(self._logs)

    @property
    def num_hands(self) -> int:
        """Number of hands so far."""
        return sum(log.num_hands for log in self._logs)

    @property
    def is_read(self) -> bool:
        """True once all that stood in the logs has been read."""
        return self._has_looked and all(log.is_read for log in self._logs)

    @property
    def is_over(self) -> bool:
        """True if every log ends with the score of its match."""
        return not self._waiting and all(log.is_scored for log in self._logs)

    def look(self, now: float) -> bool:
        """Read on in every log, a part of each; return whether there was something new."""
        before = self.num_hands, self.num_logs, self.is_read, self.is_over
        self._find_logs()
        for place in range(len(self._logs)):
            self._read(place)
        self._has_looked = True
        num_hands, is_read = self.num_hands, self.is_read
        if num_hands != before[0]:
            # Of hands that were there before it was watched, the file alone tells when they came.
            self._last_news = now if before[2] and before[0] else self._last_written()
        if is_read and (num_hands != before[0] or not self._pace):
            self._pace.append((now, num_hands))
        return before != (num_hands, self.num_logs, is_read, self.is_over)

    def log(self, number: int) -> WatchedLog:
        """Return the log with this number; raises BadRequest."""
        if number >= len(self._logs):
            raise BadRequest(f"log {number}", "there is no such log")
        return self._logs[number]

    def pots(self, count: int) -> list[Message]:
        """Return the *count* hands with the largest pots, of equal ones the earlier first."""
        logs = list(self._logs)
        of_logs = [log.pots for log in logs]
        pots = np.concatenate([np.zeros(0, np.int64), *of_logs])
        ends = np.cumsum(list(map(len, of_logs)))
        chosen = largest(pots, min(count, MOST_POTS))
        of_log = np.searchsorted(ends, chosen, side="right").tolist()
        starts = [0, *ends.tolist()]
        return [
            {"log": log, **logs[log].pot(place - starts[log])}
            for log, place in zip(of_log, chosen.tolist(), strict=True)
        ]

    def plain(self, now: float) -> Message:
        """Return what the page shows of the match."""
        definition = next((log.definition for log in self._logs if log.definition), None)
        definition = self._found.definition or definition
        count, scores, num_deals = self._score()
        newest = self._newest
        return {
            "name": self._found.name,
            "players": self._players(),
            "game": game_title(definition) if definition is not None else "",
            "bigBlind": definition.big_blind if definition is not None else 0,
            "state": self._state(),
            "quietS": self._quiet_s(now),
            "problem": self._problem(),
            "hands": count,
            "planned": self._num_planned(),
            "deals": num_deals,
            "scores": scores,
            **self._speed(now, count),
            "newest": None if newest is None else {"log": newest[0], "hand": newest[1]},
            "logs": [log.plain() for log in self._logs],
        }

    def _find_logs(self) -> None:
        for planned in list(self._waiting):
            try:
                log = self._open(planned.path)
            except OSError:
                continue  # It comes later.
            self._waiting.remove(planned)
            self._logs.append(log)
            self._deals.append(planned.deals)

    def _open(self, path: Path) -> WatchedLog:
        return WatchedLog(path, self._found.definition, plain_bytes=self._plain_bytes)

    def _read(self, place: int) -> None:
        log = self._logs[place]
        before = log.num_hands
        try:
            log.read()
            if log.is_replaced:
                log = self._begin_anew(place)
                log.read()
                before = 0
            self._troubles.pop(place, None)
        except OSError as error:
            self._troubles[place] = f"{log.path.name}: {error.strerror}"
        self._verify_players(log)
        if log.num_hands > before:
            self._newest = place, log.num_hands - 1

    def _begin_anew(self, place: int) -> WatchedLog:
        """Forget a log that was cut off or written over, and begin at its start."""
        log = self._logs[place] = self._open(self._logs[place].path)
        self._newest, self._scores = None, (-1, [], 0)
        self._pace.clear()
        return log

    def _verify_players(self, log: WatchedLog) -> None:
        planned = sorted(self._found.players)
        if planned and log.players and sorted(log.players) != planned and not log.problem:
            log.problem = (
                f"{log.path.name}: expected the players {', '.join(planned)}, found"
                f" {', '.join(sorted(log.players))}"
            )

    def _last_written(self) -> float:
        times = [0.0]
        for log in self._logs:
            try:
                times.append(log.path.stat().st_mtime)
            except OSError:
                continue  # The log has gone; reading it says so.
        return max(times)

    def _players(self) -> Sequence[str]:
        return self._found.players or next((log.players for log in self._logs if log.players), ())

    def _problem(self) -> str:
        wrong = [log.problem for log in self._logs if log.problem]
        return "; ".join([*self._troubles.values(), *wrong])

    def _state(self) -> str:
        if not self.is_read:
            return "reading"
        if not self.num_hands:
            return "waiting"
        return "over" if self.is_over else "playing"

    def _quiet_s(self, now: float) -> int:
        quiet_s = now - self._last_news
        is_quiet = self._state() == "playing" and quiet_s >= QUIET_S
        return int(quiet_s // 10) * 10 if is_quiet else 0

    def _num_planned(self) -> int:
        """Return the number of hands of the whole match; 0 where nothing tells it."""
        if self._found.num_hands:
            return self._found.num_hands * len(self._found.logs)
        planned = [log.num_planned for log in self._logs]
        # A log may hold several matches, of which the last header tells the last alone.
        return sum(planned) if all(planned) and sum(planned) >= self.num_hands else 0

    def _speed(self, now: float, count: int) -> Message:
        """Return the hands a minute and the seconds that the rest will take, None if unknown."""
        while len(self._pace) > 1 and self._pace[1][0] <= now - PACE_S:
            self._pace.popleft()
        nothing = {"perMinute": None, "secondsLeft": None}
        if not self._pace or self._state() != "playing":
            return nothing
        start, first = self._pace[0]
        if now - start < LEAST_PACE_S or count <= first:
            return nothing
        per_second = (count - first) / max(now - start, LEAST_PACE_S)
        left = self._num_planned() - count
        return {
            "perMinute": rounded(60 * per_second),
            "secondsLeft": rounded(left / per_second) if left > 0 else None,
        }

    # The score

    def _score(self) -> tuple[int, list[Message], int]:
        """Return the number of hands, the score of each player, and the number of deals.

        There is no score yet while the logs are read for the first time.
        """
        logs = [(log, deals) for log, deals in zip(self._logs, self._deals, strict=True)]
        logs = [(log, deals) for log, deals in logs if log.num_hands]
        count = sum(log.num_hands for log, _ in logs)
        if not self.is_read:
            return count, [], count
        if count != self._scores[0]:
            self._scores = count, *self._computed_score(logs)
        return self._scores

    def _computed_score(
        self, logs: Sequence[tuple[WatchedLog, int | None]]
    ) -> tuple[list[Message], int]:
        if not logs:
            return [], 0
        numbers = [log.numbers for log, _ in logs]
        samples = deal_samples(numbers, [deals for _, deals in logs])
        definition = logs[0][0].definition
        to_mbb = MBB / (definition.big_blind or 1) if definition is not None else 0.0
        scores = []
        for player in self._players():
            won = [
                log.chips(player)[: len(own)] if player in log.players else np.zeros(len(own))
                for (log, _), own in zip(logs, numbers, strict=True)
            ]
            scores.append({"name": player, **plain_score(np.concatenate(won), samples, to_mbb)})
        return scores, int(samples.max()) + 1


def deal_samples(numbers: Sequence[Ints], deals: Sequence[int | None]) -> Ints:
    """Return the number of each hand's sample, [hand], the hands of all logs end to end.

    *numbers* are those of each log's hands. Hands with the same number in logs with the same
    *deals* are one sample, other hands one each.
    """
    count = sum(map(len, numbers))
    if all(group is None for group in deals):
        return np.arange(count)
    first, keys = 0, []
    for own, group in zip(numbers, deals, strict=True):
        alone = np.arange(first, first + len(own))
        keys.append(alone if group is None else -1 - (own + (group << NUMBER_BITS)))
        first += len(own)
    _, samples = np.unique(np.concatenate(keys), return_inverse=True)
    return samples.astype(np.int64)


def plain_score(chips: Floats, samples: Ints, to_mbb: float) -> Message:
    """Return the score from the *chips* of each hand; ``halfWidth`` is None for a single deal."""
    mbb = chips * to_mbb
    sums = np.bincount(samples, weights=mbb - mbb.mean()).astype(np.float64)
    found = interval_of_samples(sums, len(mbb), root_mean_square(mbb))
    return {
        "chips": float(chips.sum()),
        "mbb": float(mbb.mean()),
        "halfWidth": found.half_width if isfinite(found.half_width) else None,
    }


def largest(values: Ints, count: int) -> Ints:
    """Return the places of the *count* largest values, of equal ones the first first.

    >>> largest(np.array([3, 9, 3, 5]), 3).tolist()
    [1, 3, 0]
    """
    if count < len(values):
        least = np.partition(values, len(values) - count)[len(values) - count]
        candidates = np.flatnonzero(values >= least)
    else:
        candidates = np.arange(len(values))
    order = np.argsort(-values[candidates], kind="stable")
    chosen: Ints = candidates[order][:count]
    return chosen


def rounded(value: float) -> float:
    """Return *value* with the digits that an estimate deserves.

    >>> rounded(1234.5), rounded(7.26)
    (1230.0, 7.26)
    """
    return float(f"{value:.3g}")
