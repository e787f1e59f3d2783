"""Matches in this process, from names or classes of agents to a score.

    result = acpcbot.play_match([MyBot, "tight"], game="holdem.limit.2p.reverse_blinds",
                                hands=1000, duplicate=True)
    result["MyBot"].mean_mbb
    acpcbot.aivat(result.folder)

Results are in mbb a hand, thousandths of a big blind; a 95 % interval is the mean plus and minus
the half width.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

from acpcbot.agents.registry import make_agent
from acpcbot.errors import UsageError
from acpcbot.frames import to_dataframe
from acpcbot.matches.agent import Agent, AgentMaker, closing_agents
from acpcbot.matches.in_process import play_in_process
from acpcbot.matches.match_files import MatchFiles, lock_folder
from acpcbot.matches.plan import MatchPlan, TablePlan
from acpcbot.matches.score import EntrantScore, score_match
from acpcbot.net.match_runner import recorded
from acpcbot.net.players import agent_seed
from acpcbot.poker.definition import GameDefinition, format_definition
from acpcbot.poker.shipped import find_definition
from acpcbot.protocol.messages import MatchState
from acpcbot.reports.markup import escaped
from acpcbot.reports.notebook import notebook_markup, table_markup, title_markup
from acpcbot.search.names import game_of

HOME = Path("matches")


@dataclass(frozen=True, slots=True, repr=False)
class MatchResult:
    """The score of a match.

    ``game_name``      the game
    ``scores``         of each entrant, in the order in which they were named: ``name``,
                       ``num_hands``, ``chips``, ``mean_mbb`` in thousandths of a big blind a hand,
                       and ``half_width_mbb`` of its 95 % confidence interval
    ``folder``         what the match left: match.json and a log for each table
    ``is_duplicate``   True where the same cards were played in every order of seats
    ``num_fallbacks``  decisions in which an agent raised an error or named an illegal action, so
                       that it checked or folded; folding where checking is free is illegal
    ``first_fallback``  the first of them: the player, what it saw, and the reason

    ``result["NAME"]`` is the score of one entrant.
    """

    game_name: str
    scores: tuple[EntrantScore, ...]
    folder: Path
    is_duplicate: bool
    num_fallbacks: int
    first_fallback: str = ""

    @property
    def logs(self) -> tuple[Path, ...]:
        """The match logs, one for each table."""
        return tuple(sorted(self.folder.glob("table*.log")))

    def __getitem__(self, name: str) -> EntrantScore:
        """Return the score of the entrant called *name*; raises UsageError."""
        for score in self.scores:
            if score.name == name:
                return score
        names = ", ".join([score.name for score in self.scores])
        raise UsageError(f"{name!r} played no hand of this match", f"expected one of {names}")

    def to_dataframe(self) -> Any:
        """Return a data frame with a row for each entrant: name, num_hands, chips, mean_mbb,
        half_width_mbb.
        """
        fields = ("name", "num_hands", "chips", "mean_mbb", "half_width_mbb")
        return to_dataframe(
            {field: [getattr(score, field) for score in self.scores] for field in fields}
        )

    def __repr__(self) -> str:
        won = ", ".join([f"{score.name} {_won_text(score)}" for score in self.scores])
        kind = "duplicate match" if self.is_duplicate else "match"
        num_hands = self.scores[0].num_hands
        faults = f", {self.num_fallbacks} fallbacks" if self.num_fallbacks else ""
        faults += f", the first {self.first_fallback}" if self.first_fallback else ""
        return f"<{kind} of {self.game_name}, {num_hands:,} hands: {won} mbb/hand{faults}>"

    def _repr_html_(self) -> str:
        rows = [
            [escaped(score.name), escaped(_won_text(score)), escaped(f"{score.chips:+,g}")]
            for score in self.scores
        ]
        kind = "duplicate match" if self.is_duplicate else "match"
        title = f"{self.game_name}, {kind} of {self.scores[0].num_hands:,} hands"
        table = table_markup(("player", "mbb/hand, 95 %", "chips"), rows)
        return notebook_markup(title_markup(title), table)


def play_match(
    strategies: Sequence[str | AgentMaker],
    *,
    game: str | None = None,
    hands: int = 1000,
    seed: int = 0,
    num_seeds: int = 1,
    duplicate: bool = False,
    folder: str | Path | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> MatchResult:
    """Play a match in this process, without sockets or clocks, and return its score.

    ``strategies``   one for each seat: a name that ``make_agent`` takes (``tight``, ``random``, a
                     strategy's folder, ``bot.py:MyBot``), or a class of your own: an ``Agent``,
                     called with the game definition and a seed
    ``game``         a shipped game (see ``find_definition``) or the path of a definition; the one
                     that stored strategies among the entrants were made for, if left out
    ``hands``        hands at each table
    ``seed``         of the cards and of the agents
    ``num_seeds``    tables for so many seeds, from *seed* up
    ``duplicate``    play the same cards in every order of seats
    ``folder``       a new folder for the logs, ``matches/<time>`` if left out
    ``on_progress``  called with the tables that are done, and all of them

    Named entrants play as in ``acpcbot match --in-process``, hand for hand. Raises UsageError,
    UnknownStrategy and BadSnapshot.
    """
    if hands < 1 or num_seeds < 1 or not 0 <= seed < 2**32:
        raise UsageError(
            f"hands={hands}, num_seeds={num_seeds}, seed={seed}:"
            " expected at least 1 of both, and a seed of 32 bits",
            "omit them to use the defaults",
        )
    names = [name if isinstance(name, str) else _class_name(name) for name in strategies]
    game_name, definition = _find_game(game, names)
    plan = MatchPlan(
        strategies=tuple(names),
        game_name=game_name,
        game_text=format_definition(definition),
        num_hands=hands,
        seed=seed,
        num_seeds=num_seeds,
        is_duplicate=duplicate,
        is_in_process=True,
    )
    plan.verify()
    place = _new_folder(folder)
    plan.save(place)
    tables, num_fallbacks = plan.tables(), 0
    fallbacks = _FirstFallback()
    with lock_folder(place):
        for number, table in enumerate(tables, 1):
            num_fallbacks += _play_table(plan, table, strategies, place, fallbacks)
            if on_progress is not None:
                on_progress(number, len(tables))
    scores = tuple(score_match(plan, place))
    return MatchResult(game_name, scores, place, duplicate, num_fallbacks, fallbacks.text)


class _FirstFallback:
    """The first fallback of a match, as text."""

    def __init__(self) -> None:
        self.text = ""

    def note(self, player: str, state: MatchState, reason: str) -> None:
        if not self.text:
            self.text = f"of {player} at {state.line}: {reason}"


def _play_table(
    plan: MatchPlan,
    table: TablePlan,
    strategies: Sequence[str | AgentMaker],
    folder: Path,
    fallbacks: _FirstFallback,
) -> int:
    """Play one table, and return the number of fallbacks."""
    settings = plan.settings(table, folder)
    agents = [
        _make(strategies[entrant], plan.definition, agent_seed(plan, table, entrant))
        for entrant in table.seating
    ]
    files = MatchFiles(settings.name, keeps_log=True, keeps_transactions=False, appends=False)
    with closing(files), closing_agents(agents), recorded(agents, settings):
        for line in settings.header:
            files.log(line)
        return play_in_process(settings, agents, files, fallbacks.note)


def _make(strategy: str | AgentMaker, definition: GameDefinition, seed: int) -> Agent:
    if isinstance(strategy, str):
        return make_agent(strategy, definition, seed)
    return strategy(definition, seed)


def _class_name(maker: AgentMaker) -> str:
    """A name for what makes agents; raises UsageError where it is nothing of the kind."""
    if not callable(maker):
        raise UsageError(
            f"{maker!r} makes no agents",
            "expected a name, or a class called with a game and a seed",
        )
    module, name = getattr(maker, "__module__", ""), getattr(maker, "__qualname__", "agent")
    return f"{module}:{name}"


def _find_game(game: str | None, names: Sequence[str]) -> tuple[str, GameDefinition]:
    """The game that is named, else the one game that stored strategies among *names* play."""
    if game is not None:
        return find_definition(game)
    told = {own[1]: own for name in names if (own := game_of(name)) is not None}
    if len(told) != 1:
        found = " and ".join([name for name, _ in told.values()]) or "none"
        raise UsageError(
            f"no game is named, and the strategies play {found}: expected one",
            'pass game="leduc.limit.2p"',
        )
    return next(iter(told.values()))


def _new_folder(folder: str | Path | None) -> Path:
    if folder is not None:
        if (Path(folder) / MatchPlan.FILE).exists():
            raise UsageError(f"{folder} holds a match already", "pass a new folder")
        return Path(folder)
    first = HOME / datetime.now().strftime("%Y-%m-%d-%H%M%S")
    others = (first.with_name(f"{first.name}-{number}") for number in count(2))
    return first if not first.exists() else next(other for other in others if not other.exists())


def _won_text(score: EntrantScore) -> str:
    return f"{score.mean_mbb:+.1f} ± {score.half_width_mbb:.1f}"
