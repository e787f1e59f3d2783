"""Deal sources: the right cards in the right columns, every deal as often as it should come."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from acpcbot.abstraction.buckets import Bucketing, Lossless169, grid
from acpcbot.abstraction.canonical_boards import canonical_boards
from acpcbot.abstraction.card_abstraction import (
    ExactAbstraction,
    SmallGameDeals,
    all_deals,
    make_deal_source,
    merge_deals,
)
from acpcbot.abstraction.dealing import BLOCK, Deals, HoldemDeals
from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction
from acpcbot.abstraction.table_lookup import combos_of, look_up
from acpcbot.cards.any_strength import strength
from acpcbot.cards.combos import NUM_COMBOS, all_combos
from acpcbot.cards.orderings import ordering_code, ordering_numbers
from acpcbot.errors import UsageError
from acpcbot.poker.definition import GameDefinition, parse_definition
from acpcbot.random_kernels import seed_state
from acpcbot.worker_threads import Progress
from tests.support.games import KUHN, LEDUC, LIMIT_2P, LIMIT_3P, NOLIMIT_6P, definition_of


class SuitCounts:
    """A bucketing whose table is made by a formula: its bucket is the ranks and how the suits
    meet, hashed.

    It tells apart what suit changes do not mix, so a wrong row or a wrong permutation shows.
    """

    num_buckets = 1000

    def __init__(self, board_size: int) -> None:
        self.board_size = board_size

    def bucket(self, hole_cards: Sequence[int], board: Sequence[int]) -> int:
        (low, first), (high, second) = sorted(
            (card >> 2, sum(card & 3 == other & 3 for other in board)) for card in hole_cards
        )
        return int(hashed(low, first, high, second, sum(card >> 2 for card in board)))

    def fill_table(self, on_progress: Progress | None = None) -> NDArray[Any]:
        return table_of_suit_counts(self.board_size)

    def board_buckets(self, board: Sequence[int]) -> NDArray[Any]:
        return np.array([self.bucket(pair, board) for pair in all_combos().tolist()])

    def spec(self) -> dict[str, object]:
        return {"kind": "suit counts"}

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {}


def hashed(low: Any, first: Any, high: Any, second: Any, ranks: Any) -> Any:
    return (
        (low * 6 + first) * 677 + (high * 6 + second) * 7919 + ranks * 104_729
    ) % SuitCounts.num_buckets


@cache
def table_of_suit_counts(board_size: int) -> NDArray[np.uint16]:
    boards, combos = canonical_boards(board_size).boards, all_combos()[:, ::-1]
    meeting = [
        (boards[:, None, :] & 3 == combos[None, :, place, None] & 3).sum(2, dtype=np.int32)
        for place in (0, 1)
    ]
    low, high = (combos >> 2).T.astype(np.int32)
    is_swapped = (low == high) & (meeting[0] > meeting[1])
    first, second = np.where(is_swapped, meeting[::-1], meeting)
    ranks = (boards >> 2).sum(1, dtype=np.int32)[:, None]
    return np.asarray(hashed(low, first, high, second, ranks), np.uint16)


class NoBuckets(SuitCounts):
    """One bucket, for tests that look at nothing else.

    A table of zeros takes no memory until it is read.
    """

    num_buckets = 1

    def bucket(self, hole_cards: Sequence[int], board: Sequence[int]) -> int:
        return 0

    def fill_table(self, on_progress: Progress | None = None) -> NDArray[Any]:
        return np.zeros((len(canonical_boards(self.board_size)), NUM_COMBOS), np.uint8)


def short_holdem(num_players: int, num_streets: int = 2) -> GameDefinition:
    """Hold'em that ends with the flop, or with the turn."""
    blinds = "1 2 " + "0 " * (num_players - 2)
    sizes, cards = " ".join(["2"] * num_streets), " ".join(["0", "3", "1"][:num_streets])
    lines = [
        f"numRounds = {num_streets}",
        f"raiseSize = {sizes}",
        "numSuits = 4",
        "numRanks = 13",
        "numHoleCards = 2",
    ]
    text = "\n".join(
        ["GAMEDEF", "limit", f"numPlayers = {num_players}", f"blind = {blinds}", *lines]
    )
    return parse_definition(f"{text}\nnumBoardCards = {cards}\nEND GAMEDEF\n")


@cache
def source(name: str) -> HoldemDeals:
    """Deals without buckets worth mentioning."""
    streets: tuple[Bucketing, ...] = (Lossless169(), *[NoBuckets(size) for size in (3, 4, 5)])
    return HoldemDeals(definition_of(name), HoldemAbstraction(streets))


def drawn(name: str, num_deals: int, seed: int = 1) -> NDArray[np.uint8]:
    cards = np.empty((num_deals, source(name).num_cards), np.uint8)
    source(name).draw_cards(cards, seed_state(seed))
    return cards


def filled(deals_source: HoldemDeals | SmallGameDeals, num_deals: int, seed: int = 1) -> Deals:
    deals = np.full((num_deals, deals_source.width), 65_535, np.uint16)
    deals_source.fill(deals, seed_state(seed))
    return deals


def chi_square(counts: NDArray[Any], expected: NDArray[Any]) -> float:
    return float(((counts - expected) ** 2 / expected).sum())


# Small games


@pytest.mark.parametrize(("name", "limit"), [(KUHN, 21), (LEDUC, 50), ("kuhn.limit.3p", 50)])
def test_deals_of_small_games_come_as_often_as_they_should(name: str, limit: float) -> None:
    """Catches deals that never come, and deals that are drawn after merging as if they were
    equally likely.
    """
    definition = definition_of(name)
    abstraction = ExactAbstraction(definition)
    rows, weights = merge_deals(all_deals(definition, abstraction))
    deals = filled(SmallGameDeals(definition, abstraction), 100_000)
    found, counts = np.unique(deals, axis=0, return_counts=True)
    assert np.array_equal(found, rows)
    # The limits are exceeded by one fair source in about a thousand.
    assert chi_square(counts, weights * len(deals)) < limit


def test_the_source_fits_the_abstraction() -> None:
    """Catches widths and numbers of buckets that a learner's arrays would not fit."""
    small = make_deal_source(definition_of(LEDUC), ExactAbstraction(definition_of(LEDUC)))
    assert (small.num_buckets, small.width) == ((3, 9), 5)
    assert (source(LIMIT_3P).num_buckets, source(LIMIT_3P).width) == ((169, 1, 1, 1), 13)


# Cards


@pytest.mark.parametrize("name", [LIMIT_2P, LIMIT_3P, NOLIMIT_6P])
def test_no_card_is_dealt_twice(name: str) -> None:
    """Catches hole cards from the board, and cards that do not exist."""
    cards = np.sort(drawn(name, 20_000), axis=1)
    assert cards.max() == 51
    assert (np.diff(cards.astype(int)) > 0).all()


def test_every_card_is_as_likely_as_any_other_in_every_place() -> None:
    """Catches a shuffle that favours cards, or places: the dumbest deals the same nine cards in
    some order.
    """
    cards = drawn(LIMIT_2P, 160_000)
    # Cards of the board are the same sixteen times.
    for place, step in [(0, 1), (1, 1), (2, 1), (3, 1), (4, 16), (6, 16), (8, 16)]:
        column = cards[::step, place]
        assert chi_square(np.bincount(column, minlength=52), np.full(52, len(column) / 52)) < 95


def test_every_pair_of_cards_is_as_likely_as_any_other() -> None:
    """Catches hole cards of two seats that hang together."""
    cards = drawn(LIMIT_2P, 160_000).astype(int)
    for first, second in [(0, 1), (1, 2), (0, 3)]:
        counts = np.bincount(52 * cards[:, first] + cards[:, second], minlength=52 * 52).reshape(
            52, 52
        )
        assert (np.diag(counts) == 0).all()
        others = counts[~np.eye(52, dtype=bool)]
        assert (
            chi_square(others, np.full(len(others), len(cards) / len(others))) < 2900
        )  # 2,651 degrees of freedom


def test_so_many_hands_share_a_board_and_no_more() -> None:
    """Catches a board for each hand, which is slow, and one for all, which is no deal."""
    boards = drawn(LIMIT_2P, 1600)[:, 4:]
    runs = boards.reshape(100, 16, 5)
    assert (runs == runs[:, :1]).all()
    assert len(np.unique(runs[:, 0], axis=0)) == 100


def test_equal_states_give_equal_deals_and_go_on_from_there() -> None:
    """Catches a run that cannot be repeated, and a state that is not moved on."""
    state = seed_state(5)
    pools = [np.zeros((100, 9), np.uint16) for _ in range(3)]
    for pool in pools[:2]:
        source(LIMIT_2P).fill(pool, state)
    source(LIMIT_2P).fill(pools[2], seed_state(5))
    assert np.array_equal(pools[0], pools[2])
    assert not np.array_equal(pools[0], pools[1])


# Buckets and orderings


@pytest.mark.parametrize("num_streets", [2, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("num_players", [2, 3])
def test_every_column_is_the_bucket_of_its_seat_on_its_street(
    num_players: int, num_streets: int
) -> None:
    """Catches columns, rows or permutations that are mixed up, in the second block too."""
    abstraction = HoldemAbstraction((Lossless169(), SuitCounts(3), SuitCounts(4))[:num_streets])
    deals_source = HoldemDeals(
        short_holdem(num_players, num_streets), abstraction, hands_per_board=3
    )
    cards = np.empty((300, deals_source.num_cards), np.uint8)
    deals_source.draw_cards(cards, seed_state(1))
    deals = np.empty((300, deals_source.width), np.uint16)
    deals_source.fill_buckets(cards, deals)
    for hand, deal in zip(cards.tolist(), deals.tolist(), strict=True):
        hands, board = (
            [hand[2 * seat : 2 * seat + 2] for seat in range(num_players)],
            hand[2 * num_players :],
        )
        assert deal[:-1] == [
            abstraction.bucket(street, pair, board)
            for street in range(num_streets)
            for pair in hands
        ]
        assert deal[-1] == ordering([strength([*pair, *board]) for pair in hands])


def ordering(strengths: list[int]) -> int:
    return int(ordering_numbers(len(strengths))[ordering_code(strengths, len(strengths))])


@pytest.mark.slow
def test_rivers_are_looked_up_in_the_right_row() -> None:
    """Catches cells beyond the range of the numbers that hold them: the last rows of the
    biggest table.
    """
    bucketing, random = grid(5, 200), Random(1)
    hands = np.array([random.sample(range(52), 7) for _ in range(400)], np.uint8)
    buckets = np.zeros((400, 1), np.uint16)
    look_up(combos_of(hands[:, :2]), hands[:, 2:], bucketing.fill_table(), buckets)
    assert buckets[:, 0].tolist() == [
        bucketing.bucket(hand[:2], hand[2:]) for hand in hands.tolist()
    ]


@pytest.mark.parametrize("name", [LIMIT_2P, LIMIT_3P, NOLIMIT_6P])
def test_orderings_are_those_of_the_showdown(name: str) -> None:
    """Catches seats in the wrong order, and a board that is not counted in."""
    deals_source, cards = source(name), drawn(name, 300)
    deals = np.zeros((300, deals_source.width), np.uint16)
    deals_source.fill_buckets(cards, deals)
    num_seats = deals_source.num_seats
    for hand, found in zip(cards.tolist(), deals[:, -1].tolist(), strict=True):
        board = hand[2 * num_seats :]
        assert found == ordering(
            [strength([*hand[2 * seat : 2 * seat + 2], *board]) for seat in range(num_seats)]
        )


def test_two_seats_win_and_tie_as_often_as_is_known() -> None:
    """Catches a seat that is favoured: random hands tie 4.06 times of 100."""
    shares = np.bincount(filled(source(LIMIT_2P), 400_000)[:, -1], minlength=3) / 400_000
    assert shares == pytest.approx([0.4797, 0.0406, 0.4797], abs=0.005)


@pytest.mark.parametrize("num_deals", [1, 15, BLOCK - 1, BLOCK + 1, 2 * BLOCK + 5])
def test_pools_of_any_size_are_filled_to_the_end(num_deals: int) -> None:
    """Catches rows behind the last whole block."""
    deals = filled(source(LIMIT_2P), num_deals)
    assert (deals[:, :2] < 169).all()
    assert (deals[:, 2:-1] == 0).all()
    assert (deals[:, -1] < 3).all()


def test_two_sources_see_the_same_cards_through_their_own_buckets() -> None:
    """Catches cards that depend on the abstraction."""
    streets: list[tuple[Bucketing, ...]] = [
        (Lossless169(), NoBuckets(3)),
        (Lossless169(), SuitCounts(3)),
    ]
    first, second = [
        filled(HoldemDeals(short_holdem(2), HoldemAbstraction(each)), 500) for each in streets
    ]
    assert np.array_equal(first[:, [0, 1, -1]], second[:, [0, 1, -1]])
    assert not np.array_equal(first, second)


def test_games_without_a_flop_are_refused() -> None:
    """Catches hands of two cards that no table ranks."""
    definition = parse_definition(
        "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 1\nblind = 1 2\nraiseSize = 2\n"
        "numSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0\nEND GAMEDEF\n"
    )
    with pytest.raises(UsageError, match="flop"):
        make_deal_source(definition, HoldemAbstraction((Lossless169(),)))
