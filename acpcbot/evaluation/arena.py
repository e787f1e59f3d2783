"""Arena: matches of millions of hands between stored policies, on the public tree of a limit game.

Every deal is played in every seating of the entrants (two for two players, up to six for three),
which cancels most of the luck of the cards; random actions are drawn anew in every hand. Results
are in mbb, thousandths of a big blind a hand; intervals hold 95 %, as ``matches/intervals.py``
says. Hold'em deals that share a board make one sample: they are not independent, and counting them
one by one could make errors look smaller than they are.

The result depends on the seed alone and not on the number of threads: each block of deals has a
random stream of its own.

Hands are played side by side: one policy acts in all of them as long as it is its turn, then the
next. A hand exists for every deal and seating. Those not yet over are the first rows of *hands*
int32 [hand, 3]: decision node, deal, and seating, a row of *seatings* uint8 [seating, seat] with
the entrant of each seat. Deals are as in ``abstraction/dealing.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.card_abstraction import Abstraction
from acpcbot.abstraction.deal_sources import DealSources, run_length, same_deals, tables_bytes
from acpcbot.abstraction.dealing import Deals
from acpcbot.arrays import Bytes, Floats, Number
from acpcbot.errors import UsageError
from acpcbot.jit import kernel
from acpcbot.learning.policies import ONE, WHOLE, ZERO, is_policy
from acpcbot.matches.intervals import central_sums, half_widths
from acpcbot.poker.definition import GameDefinition
from acpcbot.random_kernels import RandomState, below, seed_state
from acpcbot.strategies.whole_policy import TablePolicy, num_buckets_of
from acpcbot.trees.infosets import SubtreeSizes, infoset_layout
from acpcbot.trees.public_tree import (
    LIMIT_CHILD,
    LIMIT_INFO,
    LIMIT_SLOT,
    AbstractGame,
    PublicTree,
    info_seat,
    info_street,
    tree_bytes,
)
from acpcbot.worker_threads import Progress, worker_threads

NODE, DEAL, SEATING = np.uint64(0), np.uint64(1), np.uint64(2)
TWO = np.uint64(2)
Hands = NDArray[np.int32]
BLOCK = 1 << 14
MBB = 1000.0
NUM_SUMS = 4
"""Sums over samples of the first three powers of the winnings, and over hands of their squares."""


def play(
    tree: PublicTree,
    entrants: Sequence[TablePolicy],
    num_deals: int,
    seed: int,
    *,
    num_threads: int = 1,
    deal_sources: DealSources | None = None,
    on_progress: Progress | None = None,
) -> ArenaScore:
    """Play at least *num_deals* deals between *entrants*, one for each seat of the game.

    One policy may sit in several seats; its mean is then over all of them. *num_deals* is rounded
    up to whole boards. *deal_sources* keeps card tables from match to match; *on_progress* is
    called with the deals done and their total. Raises UsageError for policies of another game.
    """
    match = _ArenaMatch(tree, entrants, deal_sources or DealSources(tree.definition), seed)
    num_deals = -(-num_deals // match.run_length) * match.run_length
    starts = range(0, num_deals, BLOCK)
    sizes = [min(BLOCK, num_deals - start) for start in starts]
    sums = np.zeros((NUM_SUMS, len(match.entrants)))
    with worker_threads(num_threads) as threads:
        for start, size, part in zip(
            starts, sizes, threads.map(match.play_block, starts, sizes), strict=True
        ):
            sums += part
            if on_progress is not None:
                on_progress(start + size, num_deals)
    results = match.results(sums, num_deals // match.run_length)
    return ArenaScore(results, num_deals, num_deals * len(match.seatings))


def arena_bytes(definition: GameDefinition, abstractions: Sequence[Abstraction | None]) -> int:
    """Return the memory of a match between policies with these abstractions, in bytes.

    The policies are included. Left out are the payoffs, the deals of small games, a few megabytes a
    thread, and what is needed for a moment while tables are made.
    """
    size = SubtreeSizes(definition).whole()
    buckets = [num_buckets_of(definition, abstraction) for abstraction in abstractions]
    policies = sum(infoset_layout(size, num_buckets).num_slots for num_buckets in buckets)
    return tree_bytes(definition) + policies + tables_bytes(abstractions)


@dataclass(frozen=True, slots=True)
class ArenaResult:
    """Mean winnings a hand of one entrant in all its seats, with half its interval's width."""

    name: str
    mean_mbb: float
    standard_error_mbb: float
    half_width_mbb: float

    @property
    def interval_mbb(self) -> tuple[float, float]:
        """Both ends of the interval."""
        return self.mean_mbb - self.half_width_mbb, self.mean_mbb + self.half_width_mbb

    def __str__(self) -> str:
        return f"{self.name} {self.mean_mbb:+.1f} +- {self.half_width_mbb:.1f} mbb"


@dataclass(frozen=True, slots=True)
class ArenaScore:
    """Results of the different entrants, in the order in which they were first named."""

    results: tuple[ArenaResult, ...]
    num_deals: int
    num_hands: int


class _ArenaMatch:
    """Entrants with their seatings and cards; threads may play blocks of deals at once."""

    def __init__(
        self, tree: PublicTree, seats: Sequence[TablePolicy], deal_sources: DealSources, seed: int
    ) -> None:
        _verify_seats(tree, seats, deal_sources)
        self.entrants = list(dict.fromkeys(seats))
        self.seatings = np.array(
            sorted(set(permutations(map(self.entrants.index, seats)))), np.uint8
        )
        self._tree, self._seed = tree, seed
        self._rows = [_rows(tree, entrant) for entrant in self.entrants]
        # An entrant without an abstraction never reads its buckets: it shares another's deals.
        seen = next((entrant.abstraction for entrant in self.entrants if entrant.abstraction), None)
        self._sources = [
            deal_sources.source(entrant.abstraction or seen) for entrant in self.entrants
        ]
        self.run_length = run_length(self._sources[0])
        # Seats of each entrant over all seatings of a deal.
        self._num_seats = np.bincount(self.seatings.reshape(-1))

    def play_block(self, start: int, num_deals: int) -> Floats:
        """Return sums of the winnings in *num_deals* deals from *start* on, [NUM_SUMS, entrant]."""
        random_state = seed_state(self._seed, start)
        sources = list(dict.fromkeys(self._sources))
        pools = dict(zip(sources, same_deals(sources, num_deals, random_state), strict=True))
        outcomes = self._outcomes([pools[source] for source in self._sources], random_state)
        winnings = np.empty((num_deals, len(self.entrants)))
        squares = np.zeros(len(self.entrants))
        fill_winnings(
            self._tree.payoffs, outcomes, pools[sources[0]][:, -1], self.seatings, winnings, squares
        )
        samples = (
            winnings.reshape(-1, self.run_length, len(self.entrants)).mean(axis=1)
            / self._num_seats
            * MBB
        )
        seconds = samples**2
        powers = [samples, seconds, seconds * samples]
        return np.stack([*[power.sum(axis=0) for power in powers], squares * MBB**2])

    def results(self, sums: Floats, num_samples: int) -> tuple[ArenaResult, ...]:
        """Return the results of *num_samples* samples with these *sums* [NUM_SUMS, entrant]."""
        means = sums[0] / num_samples
        # One sample has no standard error.
        errors = half = np.full(len(means), np.inf)
        if num_samples > 1:
            squares, cubes = central_sums(sums[:3], num_samples)
            errors = np.sqrt(squares / (num_samples - 1) / num_samples)
            num_deals = num_samples * self.run_length
            hand_rms = np.sqrt(sums[3] / (num_deals * len(self.seatings)))
            # A sample is a mean over seats and deals, so that one hand moves it by so much less.
            hand_rms /= self.run_length * self._num_seats
            half = half_widths(squares, cubes, num_samples, num_samples, hand_rms)
        return tuple(
            ArenaResult(entrant.name, *numbers)
            for entrant, *numbers in zip(
                self.entrants, means.tolist(), errors.tolist(), half.tolist(), strict=True
            )
        )

    def _outcomes(self, pools: Sequence[Deals], random_state: RandomState) -> NDArray[np.int32]:
        """Return the outcome of every hand, [seating, deal]; *pools* are each entrant's deals."""
        outcomes = np.empty((len(self.seatings), len(pools[0])), np.int32)
        hands = np.empty((outcomes.size, 3), np.int32)
        start_hands(hands, len(pools[0]))
        while len(hands):
            for number, (entrant, rows, deals) in enumerate(
                zip(self.entrants, self._rows, pools, strict=True)
            ):
                policy, seatings = entrant.probabilities, self.seatings
                num_left = act(
                    self._tree.nodes,
                    *rows,
                    policy,
                    deals,
                    seatings,
                    number,
                    hands,
                    outcomes,
                    random_state,
                )
                hands = hands[:num_left]
        return outcomes


def _verify_seats(
    tree: PublicTree, seats: Sequence[TablePolicy], deal_sources: DealSources
) -> None:
    if len(seats) != tree.num_seats:
        raise UsageError(
            f"{len(seats)} entrants for {tree.num_seats} seats", "name one for each seat"
        )
    if deal_sources.definition != tree.definition:
        raise UsageError("the deal sources are of another game than the tree")


def _rows(tree: PublicTree, entrant: TablePolicy) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the row starts and row widths of the *entrant*'s table, by street.

    Raises UsageError unless they are of this game.
    """
    abstraction, num_buckets = entrant.abstraction, entrant.num_buckets
    if num_buckets != num_buckets_of(tree.definition, abstraction):
        raise UsageError(
            f"{entrant.name} has the buckets of another abstraction or game: {num_buckets}"
        )
    game = AbstractGame(tree, num_buckets)
    if not is_policy(entrant.probabilities, game):
        raise UsageError(
            f"the probabilities of {entrant.name} are no policy of this game in steps of 1/255"
        )
    # Without an abstraction all buckets lead to the one row.
    widths = game.layout.row_widths if abstraction else np.zeros_like(game.layout.row_widths)
    return game.layout.row_starts, widths


@kernel
def start_hands(hands: Hands, num_deals: int) -> None:
    """Fill *hands* with a hand for every deal and seating, at the first decision."""
    # Seating-major order: consecutive hands use consecutive deals, so that ``act`` reads the rows
    # of *deals* in order, once a seating.
    for hand in range(len(hands)):
        hands[hand, NODE], hands[hand, DEAL], hands[hand, SEATING] = (
            0,
            hand % num_deals,
            hand // num_deals,
        )


@kernel
def act(
    nodes: NDArray[np.int32],
    row_starts: NDArray[np.int64],
    row_widths: NDArray[np.int64],
    policy: Bytes,
    deals: NDArray[np.uint16],
    seatings: Bytes,
    entrant: int,
    hands: Hands,
    outcomes: NDArray[np.int32],
    random_state: RandomState,
) -> Number:
    """Let *entrant* act by *policy* in every hand as long as it is its turn.

    Returns the number of hands that go on; they are moved to the front. *outcomes* [seating, deal]
    is written where a hand is over.
    """
    # One policy at a time over many hands: the kernel takes one table, whatever the number of
    # entrants, and the random reads of one hand do not depend on those of another, so that the
    # processor overlaps their cache misses. Unsigned indices spare the checks for negative ones.
    num_seats = np.uint64(seatings.shape[1])
    num_left = ZERO
    for hand in range(np.uint64(len(hands))):
        node, deal, seating = (
            hands[hand, NODE],
            np.uint64(hands[hand, DEAL]),
            np.uint64(hands[hand, SEATING]),
        )
        # Children below 0 are leaves: ~node is the number of the outcome.
        while node >= 0:
            here = np.uint64(node)
            info = nodes[here, LIMIT_INFO]
            seat = np.uint64(info_seat(info))
            if seatings[seating, seat] != entrant:
                break
            street = np.uint64(info_street(info))
            # A row holds the whole street of one bucket. Without an abstraction its width is 0,
            # so that every bucket leads to the one row.
            row = row_starts[street] + row_widths[street] * np.int64(
                deals[deal, street * num_seats + seat]
            )
            slot = np.uint64(row) + np.uint64(nodes[here, LIMIT_SLOT])
            node = nodes[here, np.uint64(LIMIT_CHILD) + drawn_action(policy, slot, random_state)]
        # Hands that go on are compacted in place; num_left never passes the reading index.
        if node >= 0:
            hands[num_left, NODE], hands[num_left, DEAL], hands[num_left, SEATING] = (
                node,
                deal,
                seating,
            )
            num_left += ONE
        else:
            outcomes[seating, deal] = ~node
    return num_left


@kernel(inline=True)
def drawn_action(policy: Bytes, slot: Number, random_state: RandomState) -> Number:
    """Return a random action of the information set at *slot*, without a draw if there is one.

    Its probabilities sum to 255, so what lies behind the information set is never read.
    """
    # Purified and threshold policies often have one action: compare before drawing.
    first = np.uint64(policy[slot])
    if first == WHOLE:
        return ZERO
    second = np.uint64(policy[slot + ONE])
    if second == WHOLE:
        return ONE
    if first + second == ZERO:
        return TWO
    # Two comparisons summed instead of branches, which a random draw would mispredict.
    draw = below(random_state, WHOLE)
    return np.uint64(draw >= first) + np.uint64(draw >= first + second)


@kernel
def fill_winnings(
    payoffs: NDArray[np.float64],
    outcomes: NDArray[np.int32],
    orderings: NDArray[np.uint16],
    seatings: Bytes,
    winnings: NDArray[np.float64],
    squares: NDArray[np.float64],
) -> None:
    """Write each entrant's winnings with each deal to *winnings* [deal, entrant].

    All seatings and seats are summed. The squares of an entrant's winnings in each hand, in all its
    seats there, are added to *squares* [entrant].
    """
    # Seatings outside, as *outcomes* is [seating, deal]: its rows are read in order. *payoffs*
    # [outcome, ordering, seat] has the seats of one hand side by side.
    winnings[:] = 0.0
    for seating in range(np.uint64(len(seatings))):
        for deal in range(np.uint64(len(orderings))):
            outcome, ordering = np.uint64(outcomes[seating, deal]), np.uint64(orderings[deal])
            for entrant in range(np.uint64(winnings.shape[1])):
                # An entrant in two seats of a hand wins their sum: from itself, nothing.
                won = 0.0
                for seat in range(np.uint64(seatings.shape[1])):
                    if seatings[seating, seat] == entrant:
                        won += payoffs[outcome, ordering, seat]
                winnings[deal, entrant] += won
                squares[entrant] += won * won
