"""Chance states before the first board card as queries of a counterfactual value network.

Betting before the first board card does not tell suits apart, so hands are rows of classes
(``poker/hand_classes.py``): 169 in hold'em, which are exact here. Inputs are the beliefs of both
seats by class, each summing to one, and what either seat has put in, one-hot: in a limit game that
says all of the betting that matters from here on.

The value of a hand is counterfactual and has two parts,

    checked down (exact)  +  pot * mass * output of the network,

where the *mass* of a class is the other seat's reach over the hands that can be held beside a hand
of it. So values scale with the other seat's reach, and a network that returns zeros checks down.
What both seats' outputs add up to is taken away from them evenly: values add up to zero.

Sources: Moravcik et al. (2017), DeepStack (values as shares of the pot, the zero-sum layer); Schmid
et al. (2023), Student of Games (networks at chance states).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from acpcbot.abstraction.table_cache import cached_table, code_of
from acpcbot.arrays import AnyArray, Floats, Floats32, Ints
from acpcbot.errors import UsageError
from acpcbot.jit import kernel
from acpcbot.networks.mlp import Network
from acpcbot.networks.shape import Feature, NetworkInterface
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hand_classes import game_classes, num_class_pairs
from acpcbot.poker.hands import hand_strengths
from acpcbot.subgames.terminal_values import showdown_values
from acpcbot.trees.bet_menu import LIMIT_MENU
from acpcbot.trees.betting_tree import NODE_STREET, build_betting_tree
from acpcbot.trees.board_tree import first_boards, hand_cards, hands_on

NUM_SEATS = 2
TABLE_MODULES = (
    "acpcbot.subgames.chance_encoding",
    "acpcbot.subgames.terminal_values",
    "acpcbot.trees.board_tree",
    "acpcbot.cards.strength",
)
"""The modules whose code decides the table of showdowns."""


@dataclass(frozen=True, slots=True, eq=False)
class ChanceEncoding:
    """The states of a limit game for two in which its first board falls.

    ``roots``       the betting of such a state for each size of the pot, rising
    ``classes``     int64 [hand]: the row of each hand of ``poker/hands.py``
    ``sizes``       float64 [class]: the hands of each class
    ``beside``      float64 [class, class]: the share of pairs of hands of two classes that can be
                    held together
    ``showdowns``   float64 [class, class]: what a hand of the first class wins of one chip from the
                    second class where nobody bets any more, as a mean over all pairs of hands
    """

    definition: GameDefinition
    interface: NetworkInterface
    roots: tuple[BettingState, ...]
    classes: Ints
    sizes: Floats
    beside: Floats
    showdowns: Floats

    @property
    def num_classes(self) -> int:
        """The rows of a seat."""
        return len(self.sizes)

    def pot_number(self, chips: int) -> int:
        """Return the number of the root in which either seat has put in *chips*."""
        return [root.max_spent for root in self.roots].index(chips)

    def by_class(self, reaches: AnyArray) -> AnyArray:
        """Return sums of *reaches* [..., hand] over the hands of each class, [..., class]."""
        flat = reaches.reshape(-1, reaches.shape[-1])
        sums = np.zeros((len(flat), self.num_classes), reaches.dtype)
        _add_by_class(flat, self.classes, sums)
        return sums.reshape(*reaches.shape[:-1], self.num_classes)

    def masses(self, sums: AnyArray) -> AnyArray:
        """Return the other seat's mass [..., class] that can be held beside a hand of each class.

        *sums* [..., class] are the other seat's reach by class.
        """
        found: AnyArray = sums @ self.beside.astype(sums.dtype)
        return found

    def inputs(self, pots: Ints, sums: AnyArray) -> Floats32:
        """Return queries [query, input] of the roots *pots* [query].

        *sums* [query, seat, class] are reaches by class; a seat without any gets uniform beliefs.
        """
        totals = sums.sum(axis=2, keepdims=True)
        uniform = np.broadcast_to(self.sizes / self.sizes.sum(), sums.shape)
        beliefs = np.divide(sums, totals, out=uniform.astype(sums.dtype), where=totals > 0)
        one_hot = np.eye(len(self.roots), dtype=np.float32)[pots]
        flat = beliefs.reshape(len(beliefs), -1).astype(np.float32)
        # Beliefs are mostly below a hundredth: inputs of a size near one are learnt faster.
        return np.concatenate([flat * self.num_classes, one_hot], axis=1)

    def outputs(self, network: Network, pots: Ints, sums: AnyArray) -> AnyArray:
        """Return the network's outputs [query, seat, class], made to add up to zero.

        *pots* [query] and *sums* [query, seat, class] are as in ``inputs``.
        """
        outputs = network.outputs(self.inputs(pots, sums)).reshape(sums.shape)
        # Each seat's own reach weighs its values; what both sum to, over the weight of all pairs of
        # hands, is taken from both seats' outputs evenly.
        weights = sums * self.masses(sums[:, ::-1])
        excess, total = (weights * outputs).sum(axis=(1, 2)), weights.sum(axis=(1, 2))
        mean = np.divide(excess, total, out=np.zeros_like(excess), where=total > 0)
        found: AnyArray = outputs - mean[:, None, None].astype(outputs.dtype)
        return found

    def values(self, pots: Ints, sums: AnyArray, outputs: AnyArray) -> AnyArray:
        """Return counterfactual values of one hand of each class, in chips, [query, seat, class].

        *sums* [query, seat, class] are reaches by class, *outputs* [query, seat, class] those of
        the network: for these reaches, or for others that stand for them.
        """
        others = sums[:, ::-1]
        chips = np.array([root.max_spent for root in self.roots], sums.dtype)[pots, None, None]
        showdowns = others @ self.showdowns.T.astype(sums.dtype)
        found: AnyArray = chips * (showdowns + NUM_SEATS * self.masses(others) * outputs)
        return found


def chance_encoding(name: str, definition: GameDefinition) -> ChanceEncoding:
    """Return the encoding of the game *name*; raises UsageError for one that it is not made for."""
    boards = [street for street, added in enumerate(definition.num_board_cards) if added]
    is_fit = (
        definition.num_players == NUM_SEATS
        and definition.is_limit
        and boards == [1]
        and definition.num_streets == 2
        and definition.num_hole_cards <= 2
    )
    if not is_fit:
        raise UsageError(
            f"{name}: networks at chance states are for limit games for two with one board",
            "name flop_holdem.limit.2p or leduc.limit.2p",
        )
    roots = _roots(definition)
    sizes = np.bincount(game_classes(definition)).astype(np.float64)
    pots = ", ".join([str(root.max_spent) for root in roots])
    interface = NetworkInterface(
        game=name,
        game_fingerprint=definition.fingerprint,
        rows="classes of hands that only suits tell apart, in the order of poker/hand_classes.py",
        num_rows=(len(sizes), len(sizes)),
        features=(Feature(f"chips of either seat, one of {pots}", len(roots)),),
        actions=(),
    )
    return ChanceEncoding(
        definition,
        interface,
        roots,
        game_classes(definition),
        sizes,
        num_class_pairs(definition) / np.outer(sizes, sizes),
        _showdowns(definition),
    )


def _roots(definition: GameDefinition) -> tuple[BettingState, ...]:
    """Return a state before the first board for each size of the pot, rising."""
    start = BettingRules(definition).start
    tree, found = build_betting_tree(start, LIMIT_MENU), dict[int, BettingState]()
    waiting = [(0, start)]
    while waiting:
        node, betting = waiting.pop()
        if tree.nodes[node, NODE_STREET] > 0:
            found.setdefault(betting.max_spent, betting)
            continue
        for action, child in tree.children(node).items():
            if child >= 0:
                waiting.append((child, betting.apply(action)))
    return tuple([found[chips] for chips in sorted(found)])


def _showdowns(definition: GameDefinition) -> Floats:
    """Return the mean winnings of pairs of classes at a showdown, [class, class]; kept on disk."""
    recipe = code_of(*TABLE_MODULES) + definition.fingerprint.encode()
    table = cached_table(
        f"class_showdowns_{definition.fingerprint[:16]}",
        recipe,
        lambda: _mean_showdowns(definition),
    )
    return np.array(table)


def _mean_showdowns(definition: GameDefinition) -> Floats:
    classes = game_classes(definition)
    sizes = np.bincount(classes)
    sums = np.zeros((len(sizes), len(sizes)))
    for board, weight in first_boards(definition):
        hands = hands_on(definition, board)
        ranks = hand_strengths(definition, board)[hands]
        order = np.argsort(ranks, kind="stable")
        cards = hand_cards(definition, hands[order])
        _add_showdowns(cards, ranks[order].astype(np.int32), classes[hands[order]], weight, sums)
    return sums / np.outer(sizes, sizes)


@kernel
def _add_showdowns(
    cards: AnyArray, ranks: AnyArray, classes: Ints, weight: float, sums: Floats
) -> None:
    """Add the winnings of all pairs of hands on one board to *sums* [class, class]."""
    # One class of the other seat after another: its reach is one on that class, so that the values
    # of a showdown against it are sums over pairs.
    reach, values = np.zeros(len(classes)), np.zeros(len(classes))
    card_sums = np.empty(52 + len(classes))
    for other in range(len(sums)):
        for hand in range(len(classes)):
            reach[hand] = 1.0 if classes[hand] == other else 0.0
        showdown_values(reach, cards, ranks, weight, card_sums, values)
        for hand in range(len(classes)):
            sums[classes[hand], other] += values[hand]


@kernel
def _add_by_class(reaches: AnyArray, classes: Ints, sums: AnyArray) -> None:
    """Add *reaches* [row, hand] to *sums* [row, class]."""
    for row in range(len(reaches)):
        for hand in range(len(classes)):
            sums[row, classes[hand]] += reaches[row, hand]
