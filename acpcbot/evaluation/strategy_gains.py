"""Gains of one strategy over another against an opponent, where the two differ late in a hand.

The two play alike before some street, but for their answers to all-ins, as a search of rivers and
its blueprint do. A *gain* follows one hand to where they part, by the opponent's play and theirs,
and there counts all hands at once: both seats' ranges are known, and with them the value of either
strategy's play to the end of the hand. So neither the hands that were dealt nor the actions that
would follow add to the noise, as they do in matches on the same deals. Board cards that follow are
drawn, the same ones for both.

The opponent's strategy must be known. Values are sums over pairs of hands by both ranges; equities
before the flop are those of the 169 classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb
from pathlib import Path

import numpy as np

from acpcbot.abstraction.pair_equities import can_compare, pair_equities
from acpcbot.agents.public_strategies import loaded_strategy
from acpcbot.agents.strategy_folders import moved_name, strategy_folders
from acpcbot.arrays import AnyArray, Floats
from acpcbot.cluster.local import results_in_order
from acpcbot.cluster.work import Move, Workers
from acpcbot.errors import UsageError
from acpcbot.matches.intervals import interval_of_samples, root_mean_square
from acpcbot.poker.actions import CALLING, FOLDING
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.dealing import Dealing
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import hand_masks, hand_number, hands_without
from acpcbot.rng import Stream
from acpcbot.search.subgame import board_at
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy
from acpcbot.worker_threads import Progress

NUM_SEATS = 2
MBB = 1000.0
LEAST_DIFFERENCE = 1e-9
KEPT_BOARDS = 4
"""Boards whose pairs of hands are kept: those of a hand."""


@dataclass(frozen=True, slots=True)
class Gain:
    """The gain of the first strategy in one hand, in chips.

    ``answers``  by its answer to an all-in before the street on which the two may differ
    ``later``    from that street on
    """

    answers: float = 0.0
    later: float = 0.0


@dataclass(frozen=True, slots=True)
class GainRun:
    """Gains of the strategy called *first* over *second* against *opponent*; *seed* draws hands.

    The two may differ from *street* on, 0 being the first one.
    """

    definition: GameDefinition
    first: str
    second: str
    opponent: str
    street: int
    seed: int

    def verify(self) -> None:
        """Raise UsageError for a game that cannot be measured."""
        if self.definition.num_players != NUM_SEATS:
            raise UsageError("gains are measured for two players", "name strategies of such a game")
        if self.street >= self.definition.num_streets:
            raise UsageError(
                f"the game has no street number {self.street + 1}", "name an earlier one"
            )

    def prepare(self, on_progress: Progress | None = None) -> None:
        """Make card tables once, before several processes would, and load the strategies."""
        self._strategies(on_progress)

    def folders(self) -> tuple[Path, ...]:
        """Return the folders of the strategies."""
        return tuple([folder for name in self._names for folder in strategy_folders(name)])

    def moved(self, move: Move) -> GainRun:
        """Return the same run where the strategies lie elsewhere."""
        first, second, opponent = [moved_name(name, move) for name in self._names]
        return replace(self, first=first, second=second, opponent=opponent)

    def part(self, part: int) -> tuple[Gain, Gain]:
        """Return the gains of the strategy in either seat, with the cards of deal number *part*."""
        stream = Stream(self.seed, part)
        deal = Dealing(self.definition, stream.below(1 << 32)).next_deal()
        held = [hand_number(self.definition, cards) for cards in deal.hole_cards]
        first, second, opponent = self._strategies()
        players = Players(first, second, opponent, self.street)
        return (
            hand_gain(self.definition, players, 0, held, deal.board, stream),
            hand_gain(self.definition, players, 1, held, deal.board, stream),
        )

    @property
    def _names(self) -> tuple[str, str, str]:
        return self.first, self.second, self.opponent

    def _strategies(self, on_progress: Progress | None = None) -> list[PublicStrategy]:
        return [loaded_strategy(self.definition, name, on_progress) for name in self._names]


@dataclass(frozen=True, slots=True)
class MeanGain:
    """Means over deals in both seats, in mbb a hand, with a 95 % interval of the whole.

    ``shares`` are those of hands in which an answer to an all-in differed, and play from the street
    on.
    """

    mbb: float
    half_width: float
    answers: float
    later: float
    shares: tuple[float, float]


def gains(
    run: GainRun, num_deals: int, workers: Workers | int, on_progress: Progress | None = None
) -> list[tuple[Gain, Gain]]:
    """Return the gains in *num_deals* deals, [deal][seat], the same for any *workers*.

    A number stands for as many processes of this machine.
    """
    return results_in_order(run, num_deals, workers, on_progress)


def mean_gain(found: Sequence[tuple[Gain, Gain]], definition: GameDefinition) -> MeanGain:
    """Return the means of gains [deal][seat]; the seats of a deal are one sample."""
    scale = MBB / (definition.big_blind or 1)
    answers, later = (
        scale * np.array([[getattr(gain, name) for gain in both] for both in found])
        for name in ("answers", "later")
    )
    samples = (answers + later).mean(axis=1)
    half_width = interval_of_samples(
        samples - samples.mean(), len(samples), root_mean_square(samples)
    ).half_width
    shares = float((answers != 0).mean()), float((later != 0).mean())
    return MeanGain(
        float(samples.mean()), half_width, float(answers.mean()), float(later.mean()), shares
    )


@dataclass(frozen=True, slots=True)
class Players:
    """The strategies that are compared, which may differ from *street* on, and their *opponent*."""

    first: PublicStrategy
    second: PublicStrategy
    opponent: PublicStrategy
    street: int


def hand_gain(
    definition: GameDefinition,
    players: Players,
    seat: int,
    held: Sequence[int],
    board: tuple[int, ...],
    stream: Stream,
) -> Gain:
    """Return what the first of *players* wins more than the second in *seat*, in one hand.

    *held* are the numbers of both seats' hands; the *stream* draws actions, and cards for *board*
    from the street on. Raises UsageError where the two differ before that otherwise than in an
    answer to an all-in.
    """
    betting = BettingRules(definition).start
    ranges = np.ones((NUM_SEATS, len(hand_masks(definition))))
    while not betting.is_over:
        shown = board_at(betting, board)
        if betting.street >= players.street:
            return Gain(
                later=_later_gain(players, seat, betting, _drawn(definition, shown, stream), ranges)
            )
        actor = betting.actor
        table = (players.second if actor == seat else players.opponent).table(betting, shown)
        if actor == seat:
            other = players.first.table(betting, shown)
            if not _is_same(table, other, hands_without(definition, shown)):
                return Gain(answers=_answer_gain(betting, shown, ranges, (other, table)))
        sums = np.cumsum(table.probabilities[held[actor]])
        column = int(np.searchsorted(sums, stream.unit() * sums[-1], "right"))
        ranges[actor] *= table.probabilities[:, column]
        betting = betting.apply(table.actions[column])
    return Gain()


def _drawn(definition: GameDefinition, shown: tuple[int, ...], stream: Stream) -> tuple[int, ...]:
    """Return the whole board, what follows *shown* drawn from all cards that are not on it."""
    board, left = list(shown), [card for card in definition.deck if card not in shown]
    while len(board) < sum(definition.num_board_cards):
        board.append(left.pop(stream.below(len(left))))
    return tuple(board)


def _is_same(one: ActionTable, other: ActionTable, hands: AnyArray) -> bool:
    """Return whether both tables play all *hands* alike."""
    for action in {*one.actions, *other.actions}:
        shares = [
            table.probabilities[hands, table.actions.index(action)]
            if action in table.actions
            else 0.0
            for table in (one, other)
        ]
        if np.abs(shares[0] - shares[1]).max() > LEAST_DIFFERENCE:
            return False
    return True


def _answer_gain(
    betting: BettingState,
    board: tuple[int, ...],
    ranges: Floats,
    tables: tuple[ActionTable, ActionTable],
) -> float:
    """Return the gain of the first of *tables* as an answer to an all-in, in chips."""
    definition, seat = betting.game.definition, betting.actor
    if set(betting.legal_actions()) != {FOLDING, CALLING} or not can_compare(definition, board):
        raise UsageError(
            f"the strategies differ after {betting.text!r}, before the street that was named",
            "name an earlier street; before it they may differ in answers to all-ins",
        )
    own, other = ranges[:, hands_without(definition, board)][[seat, 1 - seat]]
    called, met = min(betting.apply(CALLING).spent), _beside(definition, board) @ other
    better = called * (_equities(definition, board) @ other) + betting.spent[seat] * met
    calls = [
        table.probabilities[hands_without(definition, board), table.actions.index(CALLING)]
        if CALLING in table.actions
        else np.zeros(len(own))
        for table in tables
    ]
    return float((own * (calls[0] - calls[1])) @ better / (own @ met))


def _later_gain(
    players: Players, seat: int, betting: BettingState, board: tuple[int, ...], ranges: Floats
) -> float:
    """Return the gain by play from *betting* on to the end of the hand, in chips."""
    shown = board_at(betting, board)
    reaches = ranges * hands_without(betting.game.definition, shown)
    first, second = (
        _won(
            (own, players.opponent) if seat == 0 else (players.opponent, own),
            seat,
            betting,
            board,
            reaches,
        )
        for own in (players.first, players.second)
    )
    return (first - second) / _met(betting.game.definition, shown, seat, reaches)


def _won(
    players: tuple[PublicStrategy, PublicStrategy],
    seat: int,
    betting: BettingState,
    board: tuple[int, ...],
    reaches: Floats,
) -> float:
    """Return the chips that *seat* wins behind *betting*, summed over pairs of hands by *reaches*."""
    actor, shown = betting.actor, board_at(betting, board)
    table, total = players[actor].table(betting, shown), 0.0
    for action, column in zip(table.actions, table.probabilities.T, strict=True):
        below, after = reaches.copy(), betting.apply(action)
        below[actor] *= column
        if not below[actor].any():
            continue
        if after.is_over:
            total += _end_value(after, shown, seat, below)
        elif after.street == betting.street:
            total += _won(players, seat, after, board, below)
        else:
            total += _won(players, seat, after, board, _dealt(after, shown, board, below))
    return total


def _dealt(
    betting: BettingState, before: tuple[int, ...], board: tuple[int, ...], reaches: Floats
) -> Floats:
    """Return *reaches* behind the next cards of *board*: 0 for hands that hold one of them.

    Cards are drawn whoever holds them. So the other pairs of hands meet them more rarely than when
    they are dealt, and the reaches of the first seat make that good.
    """
    definition = betting.game.definition
    left = hands_without(definition, board_at(betting, board))
    drawn = definition.board_size(betting.street) - len(before)
    unseen = len(definition.deck) - len(before)
    found = reaches * left
    found[0] *= comb(unseen, drawn) / comb(unseen - NUM_SEATS * definition.num_hole_cards, drawn)
    return found


def _end_value(betting: BettingState, board: tuple[int, ...], seat: int, reaches: Floats) -> float:
    """Return the chips that *seat* wins at the end of a hand, summed over pairs by *reaches*."""
    definition, chips = betting.game.definition, float(min(betting.spent))
    if not betting.is_showdown:
        sign = -1 if betting.folded[seat] else 1
        return sign * chips * _met(definition, board, seat, reaches)
    own, other = reaches[:, hands_without(definition, board)][[seat, 1 - seat]]
    return chips * float(own @ (_equities(definition, board) @ other))


def _met(definition: GameDefinition, board: tuple[int, ...], seat: int, reaches: Floats) -> float:
    """Return the sum of *reaches* over all pairs of hands on *board*."""
    own, other = reaches[:, hands_without(definition, board)][[seat, 1 - seat]]
    return float(own @ (_beside(definition, board) @ other))


@lru_cache(KEPT_BOARDS)
def _equities(definition: GameDefinition, board: tuple[int, ...]) -> Floats:
    """Return the equities of all pairs of hands in double precision, [hand, hand]."""
    found: Floats = pair_equities(definition, board).astype(np.float64)
    return found


@lru_cache(KEPT_BOARDS)
def _beside(definition: GameDefinition, board: tuple[int, ...]) -> Floats:
    """Return 1 for pairs of hands without a common card, 0 for others, [hand, hand]."""
    masks = hand_masks(definition)[hands_without(definition, board)]
    found: Floats = ((masks[:, None] & masks) == 0).astype(np.float64)
    return found
