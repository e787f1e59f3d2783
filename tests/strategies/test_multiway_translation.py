"""Translation into trees that lack much of what can be played: more than two players, and menus
that end raises or leave calls out.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings

from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingState
from acpcbot.strategies.translation import (
    Translator,
    drawn_translation,
    nearest_view,
    real_action,
    translations,
)
from acpcbot.trees.bet_menu import parse_menu
from acpcbot.trees.betting_tree import BettingPlaces, build_betting_tree
from acpcbot.trees.nearest_decision import NearestDecisions
from tests.support.games import LEDUC_NOLIMIT, NOLIMIT_2P, NOLIMIT_3P, NOLIMIT_6P, rules_of
from tests.support.playouts import generators, play

MENUS = {
    LEDUC_NOLIMIT: parse_menu("0.5,1;"),
    NOLIMIT_3P: parse_menu("0.5,1;1;all-in;/1;all-in;"),
    NOLIMIT_6P: replace(parse_menu("1;all-in;/1;"), max_players=2),
}
GAMES = sorted(MENUS)


@cache
def places_of(name: str) -> BettingPlaces:
    return BettingPlaces(build_betting_tree(rules_of(name).start, MENUS[name]))


def seen_after(name: str, betting: str) -> str:
    places = places_of(name)
    return nearest_view(
        places.place_after, rules_of(name).parse(betting), nearest=places.nearest
    ).text


@pytest.mark.parametrize("name", GAMES)
@given(random=generators)
@settings(max_examples=60, deadline=None)
def test_every_decision_is_seen_at_one_of_the_same_seat_and_street(
    name: str, random: Random
) -> None:
    """Catches a strategy that is lost after some betting, and illegal sizes on the way back."""
    places, hand = places_of(name), play(random, rules_of(name))
    translator = Translator(places.place_after, nearest=places.nearest)
    draws = [random.random() for _ in hand.states]
    for betting in hand.states[:-1]:
        seen = translator.seen("hand", betting, draws.__getitem__)
        first = drawn_translation(
            places.place_after, betting, draws.__getitem__, nearest=places.nearest
        )
        assert (seen and seen.text) == (first and first.text)
        if seen is None:
            # Two players: a bet taken for a check ended the street in the tree.
            assert name == LEDUC_NOLIMIT
            continue
        assert (seen.actor, seen.street) == (betting.actor, betting.street)
        for action in places.place_after(seen).actions:
            betting.verify_action(real_action(betting, seen, action))


@pytest.mark.parametrize("name", GAMES)
@given(random=generators)
@settings(max_examples=40, deadline=None)
def test_translation_probabilities_still_sum_to_one(name: str, random: Random) -> None:
    places = places_of(name)
    for betting in play(random, rules_of(name)).states[:-1]:
        try:
            ways = translations(places.place_after, betting, nearest=places.nearest)
        except UsageError:
            continue
        assert sum(way.probability for way in ways) == pytest.approx(1)


@pytest.mark.parametrize("name", GAMES)
def test_betting_of_the_tree_is_seen_as_it_is(name: str) -> None:
    places, random = places_of(name), Random(1)
    for _ in range(40):
        betting = rules_of(name).start
        while not betting.is_over:
            (way,) = translations(places.place_after, betting, nearest=places.nearest)
            assert way.seen[-1] is not None
            assert way.seen[-1].text == betting.text
            view = nearest_view(places.place_after, betting, nearest=places.nearest)
            assert view.text == betting.text
            betting = betting.apply(random.choice(places.place_after(betting).actions))


@pytest.mark.parametrize(
    ("name", "betting", "seen"),
    [
        # A third raise, where only all-in is left, is that one.
        (NOLIMIT_3P, "r350r1200r3000", "r350r1150r20000"),
        # Bet, raise, and a raise of the bettor on the flop: in the tree its opponent faces bets only,
        # and a bet of such a pot comes after three raises before the flop.
        (NOLIMIT_3P, "r350fc/r800r2400r6000", "cr400cr1600fc/r5200"),
        # A second caller, where the tree lets two in: a limp, a raise and a call have the same seats
        # in, a bet to call, and almost the same pot.
        (NOLIMIT_6P, "r350cc", "cr450c"),
    ],
)
def test_betting_beyond_the_tree_is_seen_as_the_nearest_decision(
    name: str, betting: str, seen: str
) -> None:
    found, real = rules_of(name).parse(seen_after(name, betting)), rules_of(name).parse(betting)
    assert (found.actor, found.street) == (real.actor, real.street)
    assert found.text == seen


def test_the_nearest_decision_is_found_by_looking_at_all() -> None:
    """Hold the arrays against plain Python over every decision of the tree."""
    places = places_of(NOLIMIT_3P)
    finder, random = NearestDecisions(places.tree), Random(4)
    every, waiting = [], [places.tree.root]
    while waiting:
        state = waiting.pop()
        every.append(state)
        waiting += [
            after
            for action in places.place_after(state).actions
            if not (after := state.apply(action)).is_over
        ]
    for _ in range(20):
        for real in play(random, rules_of(NOLIMIT_3P)).states[:-1]:
            same = [own for own in every if (own.actor, own.street) == (real.actor, real.street)]
            found = finder.nearest(real)
            assert found is not None
            assert found.text in {own.text for own in same}
            fewest = min(num_unlike(own, real) for own in same)
            assert num_unlike(found, real) == fewest
            alike = [own for own in same if num_unlike(own, real) == fewest]
            if any((own.to_call > 0) == (real.to_call > 0) for own in alike):
                assert (found.to_call > 0) == (real.to_call > 0)


def num_unlike(one: BettingState, other: BettingState) -> int:
    return sum(own != theirs for own, theirs in zip(one.folded, other.folded, strict=True))


def test_trees_for_two_without_an_end_of_raises_need_no_other_decision() -> None:
    tree = build_betting_tree(rules_of(NOLIMIT_2P).start, parse_menu("1,all-in;all-in"))
    assert BettingPlaces(tree).nearest is None
    assert places_of(LEDUC_NOLIMIT).nearest is not None
