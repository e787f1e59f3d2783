"""Action values by slow plain Python: every deal, every action, one after another.

It knows nothing of arrays over deals: it asks the strategy for one table at each state, and the
rules for the payoffs of each hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from random import Random

from acpcbot.evaluation.aivat.estimator import PlayedHand
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import hand_number
from acpcbot.poker.payoffs import payoffs
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy

Cards = tuple[int, ...]


class Remembered:
    """A ``PublicStrategy`` that is asked for each table once."""

    def __init__(self, strategy: PublicStrategy) -> None:
        self._strategy = strategy
        self._tables: dict[tuple[str, Cards], ActionTable] = {}

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        key = (betting.text, tuple(board))
        if key not in self._tables:
            self._tables[key] = self._strategy.table(betting, board)
        return self._tables[key]


def plain_values(
    asked: PublicStrategy, hand: PlayedHand, place: int, actions: tuple[Action, ...]
) -> list[float]:
    """Return the chips that each of *actions* brings at the decision numbered *place*."""
    strategy = Remembered(asked)
    betting = list(hand.betting.decisions())[place][0]
    hero = betting.actor
    seen = hand.board[: hand.betting.game.definition.board_size(betting.street)]
    total, sums = 0.0, [0.0] * len(actions)
    for cards, board in _deals(betting.game.definition, hero, hand.hole_cards[hero], seen):
        weight = _reach(strategy, betting, hero, cards, board)
        total += weight
        if weight:
            for number, action in enumerate(actions):
                sums[number] += weight * _value(strategy, betting.apply(action), hero, cards, board)
    return [one / total for one in sums]


def _deals(
    definition: GameDefinition, hero: int, own: Cards, seen: Cards
) -> list[tuple[tuple[Cards, ...], Cards]]:
    """Return all hole cards by seat with all boards; each seat has one hole card."""
    rest = [card for card in definition.deck if card not in (*own, *seen)]
    others = definition.num_players - 1
    num_missing = definition.board_size(definition.num_streets - 1) - len(seen)
    found = []
    for held in permutations(rest, others):
        hands: list[Cards] = [(card,) for card in held]
        hands.insert(hero, tuple(own))
        left = [card for card in rest if card not in held]
        found += [(tuple(hands), (*seen, *more)) for more in combinations(left, num_missing)]
    return found


def _probability(
    strategy: PublicStrategy, betting: BettingState, cards: Cards, board: Cards, action: Action
) -> float:
    definition = betting.game.definition
    table = strategy.table(betting, board[: definition.board_size(betting.street)])
    if action not in table.actions:
        return 0.0
    row = table.probabilities[hand_number(definition, cards)]
    return float(row[table.actions.index(action)])


def _reach(
    strategy: PublicStrategy,
    betting: BettingState,
    hero: int,
    cards: tuple[Cards, ...],
    board: Cards,
) -> float:
    reach = 1.0
    for before, action in betting.decisions():
        if before.actor != hero:
            reach *= _probability(strategy, before, cards[before.actor], board, action)
    return reach


def _value(
    strategy: PublicStrategy,
    betting: BettingState,
    hero: int,
    cards: tuple[Cards, ...],
    board: Cards,
) -> float:
    if betting.is_over:
        return payoffs(betting, cards, board)[hero]
    seen = board[: betting.game.definition.board_size(betting.street)]
    value = 0.0
    for action in strategy.table(betting, seen).actions:
        weight = _probability(strategy, betting, cards[betting.actor], board, action)
        if weight:
            value += weight * _value(strategy, betting.apply(action), hero, cards, board)
    return value


def drawn_hand(
    strategy: PublicStrategy, definition: GameDefinition, random: Random, *, mixes: float = 0.2
) -> PlayedHand:
    """Return a hand in which all play *strategy*, but for a share of actions that are any."""
    deck = list(definition.deck)
    random.shuffle(deck)
    size, seats = definition.num_hole_cards, definition.num_players
    hole = tuple([tuple(deck[seat * size : (seat + 1) * size]) for seat in range(seats)])
    rest = deck[seats * size :]
    board = tuple(rest[: definition.board_size(definition.num_streets - 1)])
    betting = BettingRules(definition).start
    while not betting.is_over:
        table = strategy.table(betting, board[: definition.board_size(betting.street)])
        row = table.probabilities[hand_number(definition, hole[betting.actor])].tolist()
        if random.random() < mixes:
            row = [1.0] * len(table.actions)
        betting = betting.apply(random.choices(table.actions, row)[0])
    return PlayedHand(betting, hole, board[: definition.board_size(betting.street)])
