"""Roll-outs in slow plain Python: one pair of hands and one board at a time, through the game's
own betting.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from acpcbot.cards.any_strength import strength
from acpcbot.poker.betting import BettingState
from acpcbot.rollouts.rollouts import Bias
from acpcbot.strategies.snapshot import Snapshot

Hand = tuple[int, ...]


def plain_value(
    snapshot: Snapshot,
    betting: BettingState,
    hands: tuple[Hand, Hand],
    board: Sequence[int],
    chooser: int,
    bias: Bias,
) -> float:
    """Return the other seat's winnings with ``hands`` [seat] while the chooser plays by *bias*."""
    other = 1 - chooser
    if betting.is_over:
        stake = float(min(betting.spent))
        if any(betting.folded):
            return stake if betting.folded[chooser] else -stake
        first, second = (strength((*hand, *board)) for hand in (hands[other], hands[chooser]))
        return stake * ((first > second) - (first < second))
    place, actor = snapshot.place(betting), betting.actor
    own_board = board[: snapshot.definition.board_size(betting.street)]
    probabilities = snapshot.probabilities(
        place, snapshot.bucket(place, hands[actor], own_board)
    ).tolist()
    if actor == chooser:
        probabilities = [
            chance * bias[kind] for chance, kind in zip(probabilities, place.kinds, strict=True)
        ]
    total = 0.0
    for chance, action in zip(probabilities, place.actions, strict=True):
        if chance > 0:
            total += chance * plain_value(
                snapshot, betting.apply(action), hands, board, chooser, bias
            )
    return float(total / sum(probabilities))


def plain_mean(
    snapshot: Snapshot,
    betting: BettingState,
    hands: tuple[Hand, Hand],
    board: Sequence[int],
    chooser: int,
    bias: Bias,
) -> float:
    """The mean of ``plain_value`` over all ways in which the cards that are left can fall."""
    definition = snapshot.definition
    gone = (*hands[0], *hands[1], *board)
    free = [card for card in definition.deck if card not in gone]
    rests = list(permutations(free, sum(definition.num_board_cards) - len(board)))
    return sum(
        plain_value(snapshot, betting, hands, (*board, *rest), chooser, bias) for rest in rests
    ) / len(rests)
