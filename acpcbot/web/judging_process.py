"""Judges of hands by the names of their strategies, here or in a process of their own.

Values of actions take milliseconds in small games and seconds in hold'em, most of it in plain
Python. A thread would hold up the event loop of the table, which shares the interpreter with it, so
hands of hold'em are judged by another process, which loads the strategy once more. It begins with
the first such hand and ends with this process.
"""

from __future__ import annotations

from dataclasses import dataclass
from multiprocessing.connection import Connection

from acpcbot.errors import AcpcbotError, UsageError
from acpcbot.evaluation.aivat.estimator import PlayedHand
from acpcbot.evaluation.decisions.judged_hands import Judge, JudgedAction
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition, format_definition, parse_definition
from acpcbot.poker.hands import all_hands
from acpcbot.web.bots import stored_strategy
from acpcbot.worker_processes import WorkerProcess, spawn_worker

MOST_HANDS_HERE = 100
"""Games with at most so many hands of hole cards are judged without another process."""


@dataclass(frozen=True, slots=True)
class Order:
    """A finished hand and the *seat* whose decisions the strategy is to judge.

    With *action*, this one alone is judged, as if it had been taken at the decision *place*.
    Everything is plain, so that it can be sent to another process.
    """

    strategy: str
    definition: str
    betting: str
    hole_cards: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]
    seat: int
    place: int = 0
    action: Action | None = None


def make_order(
    strategy: str, hand: PlayedHand, seat: int, place: int = 0, action: Action | None = None
) -> Order:
    """Return the order to judge *hand*."""
    definition = format_definition(hand.betting.game.definition)
    betting = hand.betting.text
    return Order(strategy, definition, betting, hand.hole_cards, hand.board, seat, place, action)


class LocalJudges:
    """Judges in this process; strategies are loaded once."""

    def __init__(self) -> None:
        self._judges: dict[str, Judge] = {}
        self._rules: dict[str, BettingRules] = {}

    def judged(self, order: Order) -> list[JudgedAction]:
        """Return the judged decisions; raises AcpcbotError."""
        if order.strategy not in self._judges:
            self._judges[order.strategy] = Judge(stored_strategy(order.strategy))
        if order.definition not in self._rules:
            self._rules[order.definition] = BettingRules(parse_definition(order.definition))
        betting = self._rules[order.definition].parse(order.betting)
        hand = PlayedHand(betting, order.hole_cards, order.board)
        judge = self._judges[order.strategy]
        if order.action is None:
            return judge.judge_hand(hand, order.seat)
        return [judge.judge_action(hand, order.place, order.action)]


class Judges:
    """Judges here in small games, and in another process in others. For one thread at a time."""

    def __init__(self) -> None:
        self._local = LocalJudges()
        self._worker: WorkerProcess | None = None

    def judged(self, order: Order, definition: GameDefinition) -> list[JudgedAction]:
        """Return the judged decisions of a hand of the game *definition*; raises AcpcbotError."""
        if len(all_hands(definition)) <= MOST_HANDS_HERE:
            return self._local.judged(order)
        if self._worker is None or not self._worker.process.is_alive():
            self._worker = spawn_worker(judge_orders)
        try:
            self._worker.orders.send(order)
            answer: list[JudgedAction] | str = self._worker.orders.recv()
        except (EOFError, OSError):
            raise UsageError("the process that judges hands has ended") from None
        if isinstance(answer, str):
            raise UsageError(answer)
        return answer

    def close(self) -> None:
        """End the process, in the middle of its work too; callable from any thread."""
        if self._worker is not None:
            self._worker.process.terminate()


def judge_orders(orders: Connection) -> None:
    """Judge what comes through the pipe until it is closed; errors are answered as text."""
    judges = LocalJudges()
    while True:
        try:
            order = orders.recv()
        except EOFError:
            return
        try:
            orders.send(judges.judged(order))
        except AcpcbotError as error:
            orders.send(str(error))
