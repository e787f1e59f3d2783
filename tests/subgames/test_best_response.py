"""Best responses with ranges against OpenSpiel, against the rules played out in plain Python,
and by what must hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.agents.public_strategies import find_strategy
from acpcbot.arrays import Floats
from acpcbot.cards.deck import parse_cards
from acpcbot.errors import UsageError
from acpcbot.evaluation.exploitability.small_games import best_response_values
from acpcbot.games.best_response_result import BestResponse
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition, parse_definition
from acpcbot.poker.hands import all_hands
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.policy import parse_name
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.public_strategy import ActionTable
from acpcbot.strategies.range_play import (
    state_range,
    tabulate_cardless,
    tabulate_snapshot,
    tabulate_strategy,
)
from acpcbot.subgames.best_response import (
    TabularStrategy,
    Walker,
    abstract_response_values,
    response_values,
)
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.trees.bet_menu import ALL_IN, LIMIT_MENU, SMALLEST, same_menu
from acpcbot.trees.public_tree import AbstractGame
from tests.evaluation.plain_best_response import Cards, PlainGame, all_deals
from tests.support.games import KUHN, LEDUC, definition_of
from tests.support.openspiel_policies import spiel_values
from tests.support.small_games import SmallGame, random_policy, shipped_small_game

ALL_RAISES = same_menu([SMALLEST, ALL_IN])
"""The raises that ``legal_actions`` tells of."""


class PolicyStrategy:
    """A policy [slot] of a small game, by its exact buckets."""

    def __init__(self, small: SmallGame, policy: Floats) -> None:
        self.small, self.policy = small, policy

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        definition = self.small.definition
        actions = betting.legal_actions()
        table = np.zeros((len(all_hands(definition)), len(actions)))
        node = self._node(betting)
        for number, hand in enumerate(all_hands(definition).tolist()):
            if not set(hand) & set(board):
                bucket = self.small.abstraction.bucket(betting.street, hand, board)
                table[number] = self.policy[self.small.slots(node, bucket)]
        return ActionTable(actions, table)

    def _node(self, betting: BettingState) -> int:
        node = 0
        for before, action in betting.decisions():
            node = int(self.small.game.tree.nodes[node, before.legal_actions().index(action)])
        return node


class DrawnStrategy:
    """Probabilities drawn for every betting, hand and board."""

    def __init__(self, definition: GameDefinition, seed: int) -> None:
        self.definition, self.seed = definition, seed

    def play(self, betting: BettingState, hole_cards: Cards, board: Sequence[int]) -> list[float]:
        draw = Random(f"{self.seed} {betting.text} {sorted(hole_cards)} {sorted(board)}")
        weights = [draw.choice([0.0, draw.random()]) for _ in betting.legal_actions()]
        return (
            [weight / sum(weights) for weight in weights]
            if any(weights)
            else [1 / len(weights)] * len(weights)
        )

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        hands = all_hands(self.definition).tolist()
        rows = [self.play(betting, tuple(hand), board) for hand in hands]
        return ActionTable(betting.legal_actions(), np.array(rows))


def answered(game: RangeGame, strategy: object, threads: int = 1) -> BestResponse:
    play = tabulate_strategy(game, strategy)  # type: ignore[arg-type]
    return response_values(game, (play, play), Walker(threads))


def close(ours: BestResponse, theirs: BestResponse) -> bool:
    return bool(
        ours.values == pytest.approx(theirs.values, abs=1e-9)
        and ours.policy_values == pytest.approx(theirs.policy_values, abs=1e-9)
    )


@pytest.mark.parametrize("name", [KUHN, LEDUC])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_seat_or_a_card_is_not_taken_for_another(name: str, seed: int) -> None:
    pytest.importorskip("pyspiel")
    small = shipped_small_game(name)
    policy = random_policy(small, seed)
    ours = answered(
        make_range_game(BettingRules(small.definition).start), PolicyStrategy(small, policy)
    )
    best, values = spiel_values(name, policy)
    assert ours.values == pytest.approx(best, abs=1e-9)
    assert ours.policy_values == pytest.approx(values, abs=1e-9)


@st.composite
def games(draw: st.DrawFn) -> GameDefinition:
    """Two-player games, limit and no-limit, small enough for plain Python."""
    streets, hole_cards = draw(st.integers(1, 2)), draw(st.integers(1, 2))
    suits, ranks = draw(st.integers(1, 2)), draw(st.integers(2, 4))
    board_cards = [0, draw(st.integers(0, 1))][:streets]
    assume(2 * hole_cards + sum(board_cards) <= suits * ranks)
    is_limit = draw(st.booleans())

    def numbers(smallest: int, largest: int, count: int) -> str:
        return " ".join([str(draw(st.integers(smallest, largest))) for _ in range(count)])

    return parse_definition(
        f"GAMEDEF\n{'limit' if is_limit else 'nolimit'}\nnumPlayers = 2\nnumRounds = {streets}\n"
        f"blind = {numbers(1, 2, 2)}\nstack = {numbers(3, 9, 2)}\n"
        + (f"raiseSize = {numbers(1, 3, streets)}\n" if is_limit else "")
        + f"maxRaises = {numbers(0, 2, streets)}\nfirstPlayer = {numbers(1, 2, streets)}\n"
        f"numSuits = {suits}\nnumRanks = {ranks}\nnumHoleCards = {hole_cards}\n"
        f"numBoardCards = {' '.join(map(str, board_cards))}\nEND GAMEDEF\n"
    )


@given(definition=games(), seed=st.integers(0, 9))
@settings(max_examples=40, deadline=None)
def test_any_game_gets_what_the_rules_give(definition: GameDefinition, seed: int) -> None:
    assume(sum(1 for _ in all_deals(definition)) <= 400)
    strategy = DrawnStrategy(definition, seed)
    plain = PlainGame(definition, strategy.play)
    # A strategy drawn for every hand tells suits apart: no board may stand for another.
    menu = LIMIT_MENU if definition.is_limit else ALL_RAISES
    game = make_range_game(plain.start, menu=menu, suits_alike=False)
    ours = answered(game, strategy)
    assert ours.values == pytest.approx([plain.best_value(seat) for seat in range(2)], abs=1e-9)
    assert ours.policy_values == pytest.approx(
        [plain.policy_value(seat) for seat in range(2)], abs=1e-9
    )


class RankStrategy(DrawnStrategy):
    """Drawn for the ranks of hands and boards and for whether they are suited, so that suits
    are alike.
    """

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        hands = all_hands(self.definition).tolist()
        rows = [self.play(betting, suitless(hand, board), ()) for hand in hands]
        return ActionTable(betting.legal_actions(), np.array(rows))


def suitless(hand: list[int], board: Sequence[int]) -> Cards:
    """The ranks of a hand, and how many cards of the board are of its suits."""
    suits = [sum(card & 3 == other & 3 for other in board) for card in hand]
    cards = sorted(10 * (card >> 2) + count for card, count in zip(hand, suits, strict=True))
    return (*cards, 100 + int(hand[0] & 3 == hand[1] & 3))


def deck_of_twelve(board: str) -> GameDefinition:
    streets = len(board.split())
    return parse_definition(
        f"GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = {streets}\nblind = 2 1\nstack = 12 12\n"
        f"maxRaises = {'1 ' * streets}\nfirstPlayer = 2 {'1 ' * (streets - 1)}\n"
        f"numSuits = 4\nnumRanks = 3\nnumHoleCards = 2\nnumBoardCards = {board}\nEND GAMEDEF\n"
    )


@pytest.mark.parametrize(
    "board", ["0 2", *[pytest.param(board, marks=pytest.mark.slow) for board in ("0 3", "0 1 1")]]
)
def test_boards_that_stand_for_others_change_nothing(board: str) -> None:
    definition = deck_of_twelve(board)
    root, strategy = BettingRules(definition).start, RankStrategy(definition, 5)
    alike = make_range_game(root, (), ALL_RAISES)
    apart = make_range_game(root, (), ALL_RAISES, suits_alike=False)
    assert 3 * len(alike.boards.boards) < len(apart.boards.boards)
    assert close(answered(alike, strategy), answered(apart, strategy))


def test_best_responses_are_the_same_at_any_number_of_threads() -> None:
    definition = deck_of_twelve("0 3")
    game, strategy = (
        make_range_game(BettingRules(definition).start, (), ALL_RAISES),
        RankStrategy(definition, 6),
    )
    assert answered(game, strategy, threads=2) == answered(game, strategy)


def test_ends_of_hands_make_up_the_whole() -> None:
    """Catches a wrong chance or a wrong weight where the game begins late: a game is worth what
    its parts are.
    """
    small = shipped_small_game(LEDUC)
    strategy = PolicyStrategy(small, random_policy(small, 3))
    rules = BettingRules(small.definition)
    whole = make_range_game(rules.start)
    total = 0.0
    for text in ("cc/", "crc/", "crrc/", "rc/", "rrc/"):
        state = rules.parse(text)
        for card in small.definition.deck:
            ranges = reaches_of(strategy, state)
            ranges[
                :, [hand for hand, cards in enumerate(all_hands(small.definition)) if card in cards]
            ] = 0
            part = make_range_game(state, (card,), ranges=ranges)
            # Four cards are left for the board once both have theirs.
            total += part.num_pairs / 4 * answered(part, strategy).policy_values[0]
    for text in ("rf", "crf", "rrf", "crrf"):
        state = rules.parse(text)
        pairs = make_range_game(rules.start, ranges=reaches_of(strategy, state)).num_pairs
        total += (
            pairs * (1 if state.folded[1] else -1) * min(state.spent) / small.definition.big_blind
        )
    assert total / whole.num_pairs == pytest.approx(answered(whole, strategy).policy_values[0])


def reaches_of(strategy: PolicyStrategy, state: BettingState) -> Floats:
    """[seat, hand]"""
    return np.stack([state_range(strategy, state, (), seat) for seat in range(2)])


def test_a_response_in_buckets_wins_the_abstract_games_value() -> None:
    """Jacks and queens look alike before the flop, and on it all hands without a pair that
    looked alike before.
    """
    small = shipped_small_game(LEDUC)
    rows, counts = merged_buckets(small)
    game = AbstractGame(small.game.tree, counts)
    draw = np.random.default_rng(8)
    policy = game.normalised(draw.random(game.layout.num_slots))
    theirs = best_response_values(game, rows, small.weights, policy)
    ranged = make_range_game(BettingRules(small.definition).start)
    play = bucket_play(ranged, small, policy, game.layout.row_starts)
    ours = abstract_response_values(ranged, (play, play), counts)
    assert close(ours, theirs)
    real = response_values(ranged, (play, play))
    assert real.nash_conv > ours.nash_conv + 0.1
    assert real.policy_values == pytest.approx(ours.policy_values)


def merged_buckets(small: SmallGame) -> tuple[np.ndarray, tuple[int, ...]]:
    """The deals with buckets merged, and the numbers of buckets."""
    rows = small.rows.copy()
    rows[:, :2] = coarse_preflop(small)[small.rows[:, :2]]
    rows[:, 2:4] = coarse_flop(small)[small.rows[:, 2:4]]
    return rows, (2, 4)


def coarse_preflop(small: SmallGame) -> np.ndarray:
    """[exact bucket]"""
    table = np.zeros(small.game.num_buckets[0], np.uint16)
    for card in small.definition.deck:
        table[small.abstraction.bucket(0, [card], [])] = card >> 2 == 12
    return table


def coarse_flop(small: SmallGame) -> np.ndarray:
    table = np.zeros(small.game.num_buckets[1], np.uint16)
    for card in small.definition.deck:
        for board in small.definition.deck:
            if card != board:
                bucket = small.abstraction.bucket(1, [card], [board])
                table[bucket] = 2 * (card >> 2 == 12) + (card >> 2 == board >> 2)
    return table


def bucket_play(
    ranged: RangeGame, small: SmallGame, policy: Floats, starts: np.ndarray
) -> TabularStrategy:
    boards = ranged.boards
    rows = np.zeros(len(boards.arrays.hands), np.int64)
    for number, board in enumerate(boards.boards):
        street = len(board)
        coarse = coarse_flop(small) if street else coarse_preflop(small)
        for row in range(boards.rows(number).start, boards.rows(number).stop):
            card = int(boards.arrays.cards[row, 0])
            rows[row] = coarse[small.abstraction.bucket(street, [card], board)]
    return TabularStrategy(policy, starts, ranged.tree.row_widths, rows)


def test_a_stored_strategy_does_what_it_says_when_it_is_asked() -> None:
    strategy = stored("strategies/leduc.limit.2p/dcfr")
    game = make_range_game(BettingRules(strategy.snapshot.definition).start)
    play = tabulate_snapshot(game, strategy)
    assert close(response_values(game, (play, play)), answered(game, strategy))
    assert response_values(game, (play, play)).nash_conv < 1e-6


@pytest.mark.parametrize("played", ["?play=average", "?play=purified"])
def test_a_limit_river_reads_the_right_place_of_a_stored_strategy(
    played: str,
) -> None:
    strategy = stored("strategies/holdem.limit.2p.reverse_blinds/external_sampling" + played)
    state = BettingRules(strategy.snapshot.definition).parse("rc/rc/rrc/c")
    game = make_range_game(state, parse_cards("KsTd9h4s2c"))
    play = tabulate_snapshot(game, strategy)
    response = response_values(game, (play, play))
    assert close(response, answered(game, strategy))
    assert response.nash_conv > 0.01


def test_baselines_in_leduc_have_their_known_nash_conv() -> None:
    definition = definition_of(LEDUC)
    game = make_range_game(BettingRules(definition).start)
    for name, expected in (
        ("call", 2.9333333333),
        ("raise", 4.7333333333),
        ("fold", 2.0),
        ("random", 4.7472222222),
    ):
        play = tabulate_cardless(game, find_strategy(name, DealSources(definition)))
        assert response_values(game, (play, play)).nash_conv == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
def test_folding_in_holdem_loses_three_quarters_of_a_big_blind() -> None:
    """750 mbb, the mean of both blinds, in limit and no-limit alike."""
    for name in ("flop_holdem.limit.2p", "flop_holdem.nolimit.2p"):
        definition = definition_of(name)
        menu = LIMIT_MENU if definition.is_limit else same_menu([ALL_IN])
        game = make_range_game(BettingRules(definition).start, menu=menu)
        play = tabulate_cardless(game, find_strategy("fold", DealSources(definition)))
        assert response_values(game, (play, play), Walker(2)).exploitability == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("betting", "board", "reason"),
    [
        ("", "", "boards are too many"),
        ("cc/", "KsTd", "a board of 2 cards"),
        ("cc/", "", "a board of 0 cards"),
    ],
)
def test_too_many_boards_and_wrong_ones_are_refused(betting: str, board: str, reason: str) -> None:
    state = BettingRules(definition_of("holdem.limit.2p.reverse_blinds")).parse(betting)
    with pytest.raises(UsageError, match=reason):
        make_range_game(state, parse_cards(board))


def test_a_state_that_nobody_reaches_is_refused() -> None:
    state = BettingRules(definition_of("holdem.limit.2p.reverse_blinds")).parse("cc/cc/cc/")
    with pytest.raises(UsageError, match="no pair of hands"):
        make_range_game(state, parse_cards("KsTd9h4s2c"), ranges=np.zeros((2, 1326)))


def stored(name: str) -> SnapshotStrategy:
    folder, settings = parse_name(name)
    return SnapshotStrategy(load_snapshot(Path(folder)), settings)
