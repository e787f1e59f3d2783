"""A match at ``acpcbot deal`` that goes on through faults: it is begun, watched, struck,
resumed and judged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from acpcbot.poker.shipped import find_definition
from dealer_tests.soak.findings import SoakFailure
from dealer_tests.soak.judges import judge_log, judge_numbers, judge_twin, longest_reply_s
from dealer_tests.soak.legs import HandCount, Leg
from dealer_tests.soak.measures import Track
from dealer_tests.soak.processes import STALLED_S, Program, await_hands
from dealer_tests.soak.stage import Stage

HOST = "127.0.0.1"
NAMES = ("ann", "bob")
MATCH = "soak"
NUM_SAMPLES = 120
LAST_LOOK = 0.95
CLOCK_FOLDER = Path(__file__).parent / "clock"
REFUSAL = re.compile(r"(error|ERROR): [^\n]+\n\nhint: [^\n]+\n")
NO_FALLBACKS = re.compile(r"\d+ hands, \d+ actions, 0 fallbacks\n$")


@dataclass(frozen=True, slots=True)
class Terms:
    """The game of a leg: two *strategies*, by seat, with seeds 1 and 2 for the bots."""

    leg: str
    game: str
    num_hands: int
    seed: int
    strategies: tuple[str, str]


@dataclass(slots=True)
class House:
    """``acpcbot serve`` with two bots at fixed ports, which come back after every fault.

    Each process has a track.

    A third bot waits at *guest_port* for a dealer that is none of ours.
    """

    stage: Stage
    folder: Path
    strategies: tuple[str, str]
    game: str
    ports: list[int]
    guest_port: int
    metrics_port: int
    tracks: list[Track] = field(default_factory=list, init=False)
    program: Program = field(init=False)

    def __post_init__(self) -> None:
        bots = [
            *zip(NAMES, self.strategies, self.ports, strict=True),
            ("eve", "call", self.guest_port),
        ]
        tables = [
            f'[[bot]]\nname = "{name}"\nstrategy = "{strategy}"\ngame = "{self.game}"\n'
            f'host = "{HOST}"\nport = {port}\nseed = {seed}\n'
            for seed, (name, strategy, port) in enumerate(bots, start=1)
        ]
        (self.folder / "bots.toml").write_text("\n".join(tables), encoding="utf-8")
        self.open()

    def open(self) -> None:
        """Start the process."""
        words = ("serve", "bots.toml", "--metrics", self.metrics_port, "--log-format", "json")
        self.program = self.stage.yard.start("serve", self.folder, *words)
        self.tracks.append(Track("serve"))

    def events(self, name: str, bot: str | None = None) -> list[dict[str, object]]:
        """The lines of its journal that tell of the event *name*."""
        entries = [
            json.loads(line)
            for line in self.program.err.splitlines()
            if line.startswith("{") and line.endswith("}")
        ]
        return [
            entry for entry in entries if entry["event"] == name and bot in (None, entry.get("bot"))
        ]


class DealLeg(Leg):
    """One match at our dealer; its bots are a *house* or, without one, a process each."""

    def __init__(
        self, stage: Stage, terms: Terms, folder: Path, house: House | None = None
    ) -> None:
        self.stage, self.terms, self.folder, self.house = stage, terms, folder, house
        self.name, self.total = terms.leg, terms.num_hands
        self.log, self.tlog = folder / f"{MATCH}.log", folder / f"{MATCH}.tlog"
        self.definition = find_definition(terms.game)[1]
        self.ports = house.ports if house else stage.free_ports(2)
        self.dealer: Program
        self.bots: list[Program] = []
        self.tracks: list[Track] = []
        self.environment: dict[str, str] = {}
        self._tracked: list[tuple[Track, Program]] = []
        self._count = HandCount(self.log)
        self._started_at = 0

    @property
    def hands(self) -> int:
        """The finished hands on disk."""
        return self._count.now

    def begin(self) -> None:
        """Start the dealer, and the bots where there is no house.

        The dealer goes on where its files end.
        """
        self.start_dealer()
        self.start_bots()
        self._track_all()

    def start_dealer(self) -> None:
        """Start the dealer alone."""
        terms = self.terms
        match = (
            MATCH,
            terms.game,
            terms.num_hands,
            terms.seed,
            *NAMES,
            "-p",
            ",".join(map(str, self.ports)),
        )
        limit_ms = self.stage.response_ms
        limits = ("--t_response", limit_ms, "--version_timeout", limit_ms)
        words = ("deal", *match, *limits, "-q", "-T", "-a")
        self.dealer = self.stage.yard.start(
            "deal", self.folder, *words, environment=self.environment
        )

    def start_bots(self) -> None:
        """Start a process for each seat, unless a house keeps them."""
        if self.house is None:
            seats = zip(self.terms.strategies, self.ports, strict=True)
            self.bots = [self._start_bot(seed, *seat) for seed, seat in enumerate(seats, start=1)]

    def _start_bot(self, seed: int, strategy: str, port: int) -> Program:
        words = ("play", strategy, HOST, port, "--game", self.terms.game, "--seed", seed)
        return self.stage.yard.start("play", self.folder, *words, environment=self.environment)

    def _track_all(self) -> None:
        self._started_at = self.hands
        programs = [
            ("deal", self.dealer),
            *((f"play {name}", bot) for name, bot in zip(NAMES, self.bots, strict=False)),
        ]
        self._tracked = [(Track(name), program) for name, program in programs]
        self.tracks += [track for track, _ in self._tracked]

    def resume(self) -> None:
        """Go on after the dealer has ended; the bots of a house come back by themselves."""
        self.verify_ended()
        for bot in self.bots:
            bot.wait(STALLED_S)
        self.begin()

    def verify_ended(self) -> None:
        """Raise SoakFailure unless the dealer is gone and the hands up to now are on disk once
        each.
        """
        self.dealer.wait()
        self.look()
        judge_numbers(self.log, self.hands, is_whole=False)
        if self.hands >= self.total:
            raise SoakFailure(f"{self.name}: the match was over before the fault struck")

    def look(self) -> int:
        """Count the hands on disk."""
        before = self.hands
        self.stage.advance(self._count.look() - before)
        return self.hands

    def play_to(self, num_hands: int) -> None:
        """Watch until so many hands are on disk.

        Raises SoakFailure when the match ends or stands still before.
        """
        step = max(1, self.total // NUM_SAMPLES)
        while self.look() < num_hands:
            await_hands(self.look, min(num_hands, self.hands + step), self.dealer)
            self._sample()

    def _sample(self) -> None:
        if self.hands > LAST_LOOK * self.total:
            return  # they may be about to leave
        for track, program in self._tracked:
            track.add(self.hands - self._started_at, program.pid)
        if self.house:
            self.house.tracks[-1].add(self.hands, self.house.program.pid)

    def finish(self) -> None:
        """Play the rest and see everybody leave in good order."""
        self.play_to(self.total)
        if self.dealer.wait() != 0:
            raise SoakFailure(
                f"the dealer ended with status {self.dealer.wait()}: {self.dealer.err[-300:]}"
            )
        for bot in self.bots:
            if bot.wait() != 0 or not NO_FALLBACKS.search(bot.err):
                raise SoakFailure(f"{bot.name} ended with status {bot.wait()}: {bot.err[-300:]}")

    def judge(self) -> str:
        """Return a summary; raises SoakFailure unless the whole match is on disk and right."""
        seen = judge_log(self.log, self.definition, self.total)
        longest_s = longest_reply_s(self.tlog, self.definition)
        if longest_s > self.stage.response_ms / 1000:
            raise SoakFailure(f"{self.tlog} tells of a reply after {longest_s:.3f} s")
        check = self.stage.yard.start("log", self.folder, "log", "check", self.log)
        if check.wait() != 0:
            raise SoakFailure(f"acpcbot log check: {check.err.strip()}")
        return f"{seen}, chips conserved, longest reply {longest_s:.2f} s"

    def sibling(self, folder: Path) -> Self:
        """The same match with a process for each bot."""
        return type(self)(self.stage, self.terms, folder)

    def compare(self, twin: Self) -> str:
        """The hands and the score."""
        judge_twin(self.log, twin.log)
        return f"{self.total} hands and the score alike"


Strike = Callable[[DealLeg], str]


def refusal_of(program: Program) -> str:
    """The one line of a refusal with a hint; raises SoakFailure for any other words."""
    status = program.wait()
    said = "".join(
        line for line in program.err.splitlines(keepends=True) if not line.startswith(("#", "{"))
    )
    if status != 1 or not REFUSAL.fullmatch(said):
        raise SoakFailure(f"{program.name} ended with status {status} and these words: {said!r}")
    return said.partition("\n")[0]
