"""Matches that are watched: found below what the command line named, and followed as they grow.

One thread reads all logs in turn, a part of each, and tells of every match that has changed. A
browser names matches and logs by their numbers, and nothing else leads to a file.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from acpcbot.errors import AcpcbotError, BadRequest
from acpcbot.logs.match_log import PLAIN_BYTES
from acpcbot.matches.plan import MatchPlan, load_plan
from acpcbot.poker.definition import GameDefinition
from acpcbot.tournaments.plan import TournamentPlan
from acpcbot.web.watched_log import Message
from acpcbot.web.watched_match import FoundMatch, PlannedLog, WatchedMatch

POLL_S = 0.25
SEARCH_S = 2.0
"""New matches are looked for so often."""
TELL_S = 0.5
LARGEST_SHARE = 0.1
"""The largest share of the time that goes into scores."""
OVER_ROUNDS = 8
"""A match that is over is looked at in one of so many rounds."""
MOST_MATCHES = 1000
OnNews = Callable[[list[Message]], None]
Clock = Callable[[], float]


class Gallery:
    """The matches at *paths*, logs or folders; those of a folder may come later.

    Numbers of matches never change: new ones come last. *now* tells the seconds since 1970.
    """

    def __init__(
        self, paths: Sequence[Path], definition: GameDefinition | None, now: Clock = time.time
    ) -> None:
        self._paths, self._definition, self._now = paths, definition, now
        self._matches: list[WatchedMatch] = []
        self._known: set[Path] = set()
        self._messages: list[Message] = []
        self._note, self._num_bytes = "", 0
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self.search()

    @property
    def is_empty(self) -> bool:
        """True if nothing was named that could be watched."""
        return not self._paths

    def search(self) -> None:
        """Look for new matches; raises UsageError for a plan that cannot be read."""
        notes: list[str] = []
        for path in self._paths:
            for first_path, found in found_matches(path, self._definition, notes):
                if first_path in self._known:
                    continue
                if len(self._matches) == MOST_MATCHES:
                    notes.append(f"the first {MOST_MATCHES:,} matches are shown")
                    break
                self._known.add(first_path)
                # Many small logs are worth the compiled reader as one large log is.
                self._num_bytes += found.num_bytes
                plain_bytes = 0 if self._num_bytes > PLAIN_BYTES else PLAIN_BYTES
                match = WatchedMatch(found, plain_bytes=plain_bytes)
                self._messages.append(self._plain(len(self._matches), match))
                self._matches.append(match)
        self._note = "; ".join(notes)

    def start(self, on_news: OnNews) -> None:
        """Follow all matches from now on.

        *on_news* is called from the thread with the matches that have changed.
        """
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._follow, args=(on_news,), name="watching", daemon=True
            )
            self._thread.start()

    def message(self) -> Message:
        """Return all that is known of all matches."""
        return self.news(list(self._messages))

    def news(self, matches: list[Message]) -> Message:
        """Return the message that tells of *matches*."""
        count = len(self._messages)
        return {"type": "matches", "matches": matches, "count": count, "note": self._note}

    def match(self, number: int) -> WatchedMatch:
        """Return the match with this number; raises BadRequest."""
        if number >= len(self._matches):
            raise BadRequest(f"match {number}", "there is no such match")
        return self._matches[number]

    def close(self) -> None:
        """Follow nothing any more."""
        self._stopped.set()

    def _follow(self, on_news: OnNews) -> None:
        searched = self._now()
        to_tell_at, num_rounds = 0.0, 0
        while not self._stopped.is_set():
            if self._now() - searched >= SEARCH_S:
                searched = self._now()
                self._search_again()
            has_more = self.look(only_live=num_rounds % OVER_ROUNDS != 0)
            num_rounds += 1
            began = time.monotonic()
            if began >= to_tell_at:
                news = self.changes()
                if news:
                    on_news(news)
                took_s = time.monotonic() - began
                to_tell_at = began + max(TELL_S, took_s / LARGEST_SHARE)
            if not has_more:
                self._stopped.wait(POLL_S)

    def _search_again(self) -> None:
        try:
            self.search()
        except (AcpcbotError, OSError) as error:
            self._note = str(error)

    def look(self, *, only_live: bool = False) -> bool:
        """Read the next part of every log; return whether any log has more.

        With *only_live* matches that are over are passed over.
        """
        has_more = False
        for match in self._matches:
            if not (only_live and match.is_over and match.is_read):
                match.look(self._now())
                has_more = has_more or not match.is_read
        return has_more

    def changes(self) -> list[Message]:
        """Return what is known of the matches of which something else is known than before."""
        changed = []
        for number, match in enumerate(self._matches):
            plain = self._plain(number, match)
            if plain != self._messages[number]:
                self._messages[number] = plain
                changed.append(plain)
        return changed

    def _plain(self, number: int, match: WatchedMatch) -> Message:
        return {"match": number, **match.plain(self._now())}


def found_matches(
    path: Path, definition: GameDefinition | None, notes: list[str]
) -> Iterator[tuple[Path, FoundMatch]]:
    """Yield the matches at *path*, each with the path that tells it from others.

    A folder is that of a match or of a tournament, or holds logs or such folders. What is worth
    knowing of matches that have not begun is added to *notes*. Raises UsageError.
    """
    if not path.is_dir():
        yield path, FoundMatch(path.name, definition, (PlannedLog(path),))
        return
    yield from _in_folder(path, path.name, definition, notes)
    if not _has_plan(path):
        for folder in sorted(found for found in path.iterdir() if found.is_dir()):
            yield from _in_folder(folder, f"{path.name}/{folder.name}", definition, notes)


def _in_folder(
    folder: Path, name: str, definition: GameDefinition | None, notes: list[str]
) -> Iterator[tuple[Path, FoundMatch]]:
    if (folder / MatchPlan.FILE).exists():
        yield folder, planned_match(load_plan(folder), folder, name)
    elif (folder / TournamentPlan.FILE).exists():
        yield from _of_tournament(folder, name, notes)
    else:
        for log in sorted(folder.glob("*.log")):
            yield log, FoundMatch(f"{name}/{log.name}", definition, (PlannedLog(log),))


def _of_tournament(folder: Path, name: str, notes: list[str]) -> Iterator[tuple[Path, FoundMatch]]:
    """Yield the matches that have begun."""
    planned = TournamentPlan.load(folder).matches()
    num_begun = 0
    for match in planned:
        found = planned_match(match.plan, folder / match.folder, f"{name}/{match.folder}")
        if any(log.path.exists() for log in found.logs):
            num_begun += 1
            yield folder / match.folder, found
    if num_begun < len(planned):
        notes.append(f"{name}: {num_begun:,} of {len(planned):,} matches have begun")


def planned_match(plan: MatchPlan, folder: Path, name: str) -> FoundMatch:
    """Return the match of *plan*, its logs in *folder*."""
    seeds = sorted({table.seed for table in plan.tables()})
    logs = [
        PlannedLog(
            folder / f"{table.name}.log", seeds.index(table.seed) if plan.is_duplicate else None
        )
        for table in plan.tables()
    ]
    return FoundMatch(name, plan.definition, tuple(logs), plan.names, plan.num_hands)


def _has_plan(folder: Path) -> bool:
    return (folder / MatchPlan.FILE).exists() or (folder / TournamentPlan.FILE).exists()
