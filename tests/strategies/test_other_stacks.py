"""Translation between games that differ in their stacks: shares by hand, and laws over random hands."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest

from acpcbot.errors import ProtocolError, UsageError
from acpcbot.poker.actions import CALLING, FOLDING, Action, raising
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import with_stacks
from acpcbot.poker.hands import hands_without
from acpcbot.strategies.by_name import verify_same_game
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.finding import find_folder
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.translation import (
    Translator,
    drawn_translation,
    lower_probability,
    nearest_view,
    real_action,
    translations,
)
from acpcbot.trees.bet_menu import parse_menu
from acpcbot.trees.betting_tree import BettingPlaces, build_betting_tree
from tests.support.games import LEDUC_NOLIMIT, NOLIMIT_2P, NOLIMIT_3P, definition_of, rules_of
from tests.support.playouts import play

STACKS = [(2000,), (5000,), (40_000,), (20_000, 3000), (700, 9000)]
PLACES = BettingPlaces(
    build_betting_tree(rules_of(NOLIMIT_2P).start, parse_menu("1,all-in/0.5,all-in;all-in/all-in"))
)
START = rules_of(NOLIMIT_2P).start


@cache
def rules_with(*stacks: int, name: str = NOLIMIT_2P) -> BettingRules:
    """Return the rules of the game *name* with other *stacks*."""
    return BettingRules(with_stacks(definition_of(name), stacks))


def seen_texts(betting: BettingState) -> dict[str | None, float]:
    """Return the tree's views of *betting* with their probabilities."""
    found: dict[str | None, float] = {}
    for way in translations(PLACES.place_after, betting, START):
        text = seen.text if (seen := way.seen[-1]) else None
        found[text] = found.get(text, 0.0) + way.probability
    return found


def test_an_all_in_of_a_short_stack_is_a_bet_of_so_many_pots() -> None:
    """All-in for 2,000 is 1,900 into 200; the tree has 200 and 19,900 into 200."""
    lower = lower_probability(1.0, 99.5, 9.5)
    found = seen_texts(rules_with(2000).parse("r2000"))
    assert found == pytest.approx({"r300": lower, "r20000": 1 - lower})
    assert lower == pytest.approx(90 * 2 / (98.5 * 10.5))


def test_of_a_deep_stack_counts_what_the_other_can_call() -> None:
    """Catches 20,000 chips against 2,000 that are taken for a bet of a hundred pots."""
    rules = rules_with(20_000, 2000)
    sizes = [seen_texts(rules.parse(f"cr{chips}")) for chips in (2000, 9000, 20_000)]
    assert sizes[0] == sizes[1] == sizes[2]
    assert sizes[0] == pytest.approx(seen_texts(rules_with(2000).parse("cr2000")))


def test_the_all_in_of_the_tree_is_a_bet_of_so_many_pots_in_a_deeper_game() -> None:
    all_in = raising(20_000)
    assert real_action(rules_with(40_000).start, START, all_in) == all_in
    assert real_action(rules_with(2000).start, START, all_in) == raising(2000)
    assert real_action(START, START, all_in) == all_in
    # The pot is three times the tree's here, and so is the bet.
    real, seen = rules_with(400_000).parse("r900"), rules_of(NOLIMIT_2P).parse("r300")
    assert real_action(real, seen, all_in) == raising(900 + 3 * (20_000 - 300))


def test_beyond_the_stacks_of_the_tree_its_hand_is_over() -> None:
    """The strategy checks and calls, as after an all-in of its tree that stood for less."""
    betting = rules_with(60_000).parse("r30000c/")
    assert seen_texts(betting) == {None: 1.0}


@pytest.mark.parametrize("stacks", STACKS)
def test_translations_are_legal_at_both_tables(stacks: tuple[int, ...]) -> None:
    """Catches illegal sizes, streets that part, and a translator that differs from the draws."""
    rules, translator = rules_with(*stacks), Translator(PLACES.place_after, START)
    num_translated = 0
    for number in range(60):
        draws = [Random(100 * number + index).random() for index in range(60)]
        for betting in play(Random(number), rules).states[:-1]:
            try:
                ways = translations(PLACES.place_after, betting, START)
            except UsageError:
                continue
            assert sum(way.probability for way in ways) == pytest.approx(1)
            for way in ways:
                seen = way.seen[-1]
                if seen is not None:
                    num_translated += 1
                    assert seen.game is START.game
                    assert (seen.actor, seen.street) == (betting.actor, betting.street)
                    for action in PLACES.place_after(seen).actions:
                        betting.verify_action(real_action(betting, seen, action))
            drawn = drawn_translation(PLACES.place_after, betting, draws.__getitem__, START)
            assert translator.seen(number, betting, draws.__getitem__) == drawn
            assert drawn in [way.seen[-1] for way in ways]
            assert nearest_view(PLACES.place_after, betting, START).game is START.game
    assert num_translated > 60


def test_stacks_beyond_the_shorter_one_change_nothing() -> None:
    """Catches shares that count chips which nobody can call."""
    short, uneven, num_compared = rules_with(5000), rules_with(20_000, 5000), 0
    for number in range(60):
        for betting in play(Random(number), short).states[:-1]:
            try:
                same = uneven.parse(betting.text)
            except ProtocolError:
                # Too small a raise, but all-in with the shorter stack.
                continue
            views = [
                drawn_translation(PLACES.place_after, state, lambda index: index % 7 / 7, START)
                for state in (betting, same)
            ]
            assert views[0] == views[1]
            num_compared += 1
    assert num_compared > 200


@pytest.mark.parametrize("stacks", [(300,), (600,), (3600,), (1200, 500)])
def test_a_stored_strategy_plays_other_stacks_with_every_hand(stacks: tuple[int, ...]) -> None:
    folder = find_folder(f"strategies/{LEDUC_NOLIMIT}/external_sampling")
    assert folder is not None
    strategy, rules = (
        SnapshotStrategy(load_snapshot(folder)),
        rules_with(*stacks, name=LEDUC_NOLIMIT),
    )
    for number in range(40):
        for betting in play(Random(number), rules).states[:-1]:
            board = rules.definition.deck[-1:][: rules.definition.board_size(betting.street)]
            try:
                table = strategy.table(betting, board)
            except UsageError:
                continue
            free = hands_without(rules.definition, board)
            assert table.probabilities[free].sum(axis=1) == pytest.approx(np.ones(free.sum()))
            for action in table.actions:
                betting.verify_action(action)


def test_with_its_own_stacks_a_strategy_plays_as_ever() -> None:
    """The rules are another object, and nothing is cut or translated."""
    rules = BettingRules(definition_of(NOLIMIT_2P))
    for text in ("r300", "r20000", "r300c/r900", "cr300r20000"):
        assert seen_texts(rules.parse(text)) == {
            way.seen[-1].text: way.probability
            for way in translations(PLACES.place_after, rules_of(NOLIMIT_2P).parse(text))
            if way.seen[-1] is not None
        }
    assert real_action(rules.parse("r400"), START.game.parse("r300"), raising(20_000)) == (
        raising(20_000)
    )


def test_other_games_are_refused_and_other_stacks_where_nothing_is_translated() -> None:
    folder = find_folder(f"strategies/{LEDUC_NOLIMIT}/external_sampling")
    assert folder is not None
    own = definition_of(NOLIMIT_2P)
    other = with_stacks(own, (5000,))
    verify_same_game(folder, own, other, any_stacks=True)
    with pytest.raises(UsageError, match="plays"):
        verify_same_game(folder, own, other)
    with pytest.raises(UsageError, match="plays"):
        verify_same_game(folder, own, definition_of(LEDUC_NOLIMIT), any_stacks=True)
    three = definition_of(NOLIMIT_3P)
    with pytest.raises(UsageError, match="plays"):
        verify_same_game(folder, three, with_stacks(three, (5000,)), any_stacks=True)


def test_folds_and_calls_stay_what_they_are() -> None:
    real, seen = rules_with(2000).parse("r600"), START.game.parse("r300")
    assert real_action(real, seen, FOLDING) == FOLDING
    assert real_action(real, seen, CALLING) == CALLING
    assert real_action(rules_with(2000).parse("r2000"), seen, Action(2, 900)) == CALLING
