"""Places in betting trees: every decision is found again, and nothing else is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.trees.bet_menu import parse_menu
from acpcbot.trees.betting_tree import BettingPlaces, build_betting_tree
from acpcbot.trees.infosets import SubtreeSizes
from tests.support.games import LEDUC, definition_of, rules_of
from tests.support.menu_games import menu_game


def decisions(places: BettingPlaces, betting: BettingState) -> Iterator[BettingState]:
    yield betting
    for action in places.place_after(betting).actions:
        after = betting.apply(action)
        if not after.is_over:
            yield from decisions(places, after)


def test_every_decision_has_its_own_slots_and_there_are_no_others() -> None:
    """Catches two decisions that share a place, and one that nobody finds."""
    small = menu_game()
    found = [
        small.places.place_after(betting)
        for betting in decisions(small.places, small.game.tree.root)
    ]
    assert sorted(place.node for place in found) == list(range(len(small.game.tree.nodes)))
    for street in range(2):
        own = [place for place in found if place.street == street]
        slots = [
            slot for place in own for slot in range(place.slot, place.slot + len(place.actions))
        ]
        assert sorted(slots) == list(range(small.game.tree.size.num_slots[street]))
        assert sorted(place.street_node for place in own) == list(
            range(small.game.tree.size.num_nodes[street])
        )


def test_a_limit_games_places_are_those_that_are_counted_without_a_tree() -> None:
    definition = definition_of(LEDUC)
    counted, walked = (
        SubtreeSizes(definition),
        BettingPlaces(build_betting_tree(BettingRules(definition).start)),
    )
    assert walked.whole() == counted.whole()
    for betting in decisions(walked, rules_of(LEDUC).start):
        ours, theirs = walked.place_after(betting), counted.place_after(betting)
        assert (ours.street, ours.slot, ours.actions) == (
            theirs.street,
            theirs.slot,
            theirs.actions,
        )
        assert ours.kinds == theirs.kinds


@pytest.mark.parametrize("betting", ["r201", "cc/r250", "r200r1200"])
def test_bets_that_the_tree_does_not_have_are_refused(betting: str) -> None:
    small = menu_game(menu=parse_menu("0.5,1"))
    with pytest.raises(UsageError, match="no decision in the tree"):
        small.places.place_after(rules_of("leduc.nolimit.2p").parse(betting))


def test_earlier_questions_do_not_change_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Catches steps that are remembered for other betting, and what happens once there is no
    room for more.
    """
    small = menu_game()
    states = list(decisions(small.places, small.game.tree.root))
    monkeypatch.setattr("acpcbot.trees.betting_tree.MAX_KEPT_STEPS", 5)
    again = BettingPlaces(small.game.tree)
    for betting in [*reversed(states), *states]:
        assert again.place_after(betting) == small.places.place_after(betting)
