"""Kuhn and Leduc poker as OpenSpiel plays them: our policies in its terms, and its values of them.

Its actions are, in Kuhn poker, 0 to check or fold and 1 to bet or call, and in Leduc 0, 1
and 2 to fold, call and raise: always in our order, so that the legal action number k is
the same one here and there. Its Leduc cards keep their suits, of which ours know nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from acpcbot.arrays import Floats
from acpcbot.trees.public_tree import LIMIT_CHILD, LIMIT_INFO, info_seat, info_street
from tests.support.games import KUHN, LEDUC
from tests.support.oracle import oracle_cards
from tests.support.small_games import KUHN_3P, SmallGame, shipped_small_game, uniform_policy

SPIEL_NAMES = {KUHN: "kuhn_poker", LEDUC: "leduc_poker", KUHN_3P: "kuhn_poker(players=3)"}

SpielPolicy = dict[str, list[tuple[int, float]]]
"""For every information state its actions and their probabilities."""


@cache
def spiel_game(name: str) -> Any:
    """The game *name* in OpenSpiel."""
    import pyspiel

    return pyspiel.load_game(SPIEL_NAMES[name])


def to_spiel(name: str, policy: Floats) -> SpielPolicy:
    """Our *policy* [slot] of the game *name* for OpenSpiel."""
    return {
        infoset: list(zip(actions, policy[slots].tolist(), strict=True))
        for infoset, (actions, slots) in _infosets(name).items()
    }


def from_spiel(name: str, policy: Callable[[str], list[tuple[int, float]]]) -> Floats:
    """Ours [slot] of OpenSpiel's *policy*, which tells the actions and probabilities of an
    information state.
    """
    ours = uniform_policy(shipped_small_game(name))
    for infoset, (actions, slots) in _infosets(name).items():
        probabilities = dict(policy(infoset))
        ours[slots] = [probabilities[action] for action in actions]
    return ours


def spiel_values(name: str, policy: Floats) -> tuple[list[float], list[float]]:
    """By seat: OpenSpiel's values of best responses to *policy* [slot], and of the policy
    itself.
    """
    import pyspiel

    game, table = spiel_game(name), to_spiel(name, policy)
    root = game.new_initial_state()
    best = [
        pyspiel.TabularBestResponse(game, seat, table).value_from_state(root)
        for seat in range(game.num_players())
    ]
    return best, pyspiel.expected_returns(root, pyspiel.TabularPolicy(table), -1, True)


def spiel_nash_conv(name: str, policy: Floats) -> float:
    """OpenSpiel's NashConv of *policy* [slot]."""
    import pyspiel

    return float(pyspiel.nash_conv(spiel_game(name), pyspiel.TabularPolicy(to_spiel(name, policy))))


@cache
def _infosets(name: str) -> dict[str, tuple[list[int], slice]]:
    """OpenSpiel's information states: their legal actions, and our slots of these."""
    found: dict[str, tuple[list[int], slice]] = {}
    cards = {number: card for card, number in oracle_cards(name).items()}
    _walk(shipped_small_game(name), spiel_game(name).new_initial_state(), 0, [], cards, found)
    return found


def _walk(
    small: SmallGame,
    state: Any,
    node: int,
    dealt: list[int],
    cards: dict[int, int],
    found: dict[str, tuple[list[int], slice]],
) -> None:
    """Follow every course of the game there and, at *node*, here.

    *dealt* are our cards, hole cards first.
    """
    if state.is_terminal():
        assert node < 0, node
    elif state.is_chance_node():
        for number, _ in state.chance_outcomes():
            _walk(small, state.child(number), node, [*dealt, cards[number]], cards, found)
    else:
        info = int(small.game.tree.nodes[node, LIMIT_INFO])
        seat = info_seat(info)
        assert seat == state.current_player(), (seat, state)
        num_players = small.definition.num_players
        bucket = small.abstraction.bucket(
            info_street(info), dealt[seat : seat + 1], dealt[num_players:]
        )
        actions, slots = state.legal_actions(), small.slots(node, bucket)
        assert len(actions) == slots.stop - slots.start, (actions, slots)
        assert found.setdefault(state.information_state_string(), (actions, slots)) == (
            actions,
            slots,
        )
        for index, action in enumerate(actions):
            _walk(
                small,
                state.child(action),
                int(small.game.tree.nodes[node, LIMIT_CHILD + index]),
                dealt,
                cards,
                found,
            )
