"""Action translation: the formula by hand, laws over random hands, and draws against the
probabilities told.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acpcbot.errors import UsageError
from acpcbot.poker import rules
from acpcbot.poker.actions import CALLING, FOLDING, Action, raising
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.strategies import translation
from acpcbot.strategies.translation import (
    Translator,
    drawn_translation,
    lower_probability,
    nearest_view,
    real_action,
    translations,
)
from acpcbot.trees.bet_menu import BetMenu, parse_menu
from acpcbot.trees.betting_tree import BettingPlaces, build_betting_tree
from tests.support.games import FEW_RAISES_2P, LEDUC_NOLIMIT, NOLIMIT_2P, NOLIMIT_3P, rules_of
from tests.support.playouts import Playout, generators, play

MENU = parse_menu("0.5,1,all-in;1,all-in")
SMALL_MENU = parse_menu("1,all-in/0.5,all-in;all-in/all-in")
MENUS = {LEDUC_NOLIMIT: MENU, FEW_RAISES_2P: SMALL_MENU, NOLIMIT_2P: SMALL_MENU}
PLACES: dict[str, BettingPlaces] = {}

hands = st.builds(
    lambda name, random: play(random, rules_of(name)), st.sampled_from(sorted(MENUS)), generators
)


def places_of(name: str, menu: BetMenu | None = None) -> BettingPlaces:
    if menu is not None:
        return BettingPlaces(build_betting_tree(rules_of(name).start, menu))
    return PLACES.setdefault(
        name, BettingPlaces(build_betting_tree(rules_of(name).start, MENUS[name]))
    )


def places_for(hand: Playout) -> BettingPlaces:
    return places_of(next(name for name in MENUS if rules_of(name) is hand.game))


def seen_texts(places: BettingPlaces, betting: BettingState) -> dict[str | None, float]:
    found: dict[str | None, float] = {}
    for way in translations(places.place_after, betting):
        text = seen.text if (seen := way.seen[-1]) else None
        found[text] = found.get(text, 0.0) + way.probability
    return found


def test_a_bet_of_three_quarters_of_the_pot_is_half_a_pot_in_three_cases_of_seven() -> None:
    assert lower_probability(0.5, 1.0, 0.75) == pytest.approx(3 / 7)
    places = places_of(NOLIMIT_2P, parse_menu("1,all-in/0.5,1,all-in"))
    state = rules_of(NOLIMIT_2P).parse(
        "r300c/r450"
    )  # 450 - 300 is a quarter of 600; the smallest is 100
    assert seen_texts(places, state) == pytest.approx({"r300c/c": 0.4, "r300c/r600": 0.6})
    state = rules_of(NOLIMIT_2P).parse("r300c/r750")
    assert seen_texts(places, state) == pytest.approx({"r300c/r600": 3 / 7, "r300c/r900": 4 / 7})


@given(st.floats(0, 5), st.floats(0.01, 5), st.floats(0, 1))
def test_the_translation_probability_falls_from_one_to_zero(
    lower: float, width: float, place: float
) -> None:
    upper = lower + width
    assert lower_probability(lower, upper, lower) == pytest.approx(1)
    assert lower_probability(lower, upper, upper) == pytest.approx(0)
    assert 0 <= lower_probability(lower, upper, min(upper, lower + place * width)) <= 1 + 1e-12


def test_the_deterministic_threshold_is_that_of_the_paper() -> None:
    lower, upper = 0.5, 2.0
    threshold = (lower + upper + 2 * lower * upper) / (lower + upper + 2)
    assert lower_probability(lower, upper, threshold) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("betting", "seen"),
    [
        ("r200", {"c": 1 / 3, "r300": 2 / 3}),  # half a pot, where a pot is the smallest
        ("r19999", {"r300": 2 / 19901, "r20000": 19899 / 19901}),  # a chip less than all-in
        ("r20000", {"r20000": 1}),
        # A third of the pot, where there is nothing but all-in, 197 / 6 pots. Called, the flop comes.
        ("r300r500", {None: 195 / 197 * 3 / 4, "r300r20000": 1 - 195 / 197 * 3 / 4}),
    ],
)
def test_sizes_beyond_the_menu_become_its_ends(betting: str, seen: dict[str | None, float]) -> None:
    places = places_of(NOLIMIT_2P, parse_menu("1,all-in;all-in"))
    assert seen_texts(places, rules_of(NOLIMIT_2P).parse(betting)) == pytest.approx(seen, abs=1e-4)


@pytest.mark.parametrize(
    ("betting", "seen"),
    [
        # A sixth of the pot, where half is the smallest, is a check in four cases of seven. The
        # first player's check leaves the second one to act,
        ("r300c/r400", {"r300c/c": 4 / 7, "r300c/r600": 3 / 7}),
        ("r300c/r400c/", {"r300c/cc/": 4 / 7, "r300c/r600c/": 3 / 7}),
        ("r300c/r400r1200", {"r300c/cr900": 4 / 7, "r300c/r600r1800": 3 / 7}),
        # the second player's brings the turn. Until it is there the first player calls.
        ("r300c/cr400", {None: 4 / 7, "r300c/cr600": 3 / 7}),
        ("r300c/cr400c/", {"r300c/cc/": 4 / 7, "r300c/cr600c/": 3 / 7}),
        ("r300c/cr400c/c", {"r300c/cc/c": 4 / 7, "r300c/cr600c/c": 3 / 7}),
        # Who raises instead raises half a pot.
        ("r300c/cr400r1200", {"r300c/cr600r1800": 1}),
    ],
)
def test_a_small_bet_is_a_check_or_the_smallest_bet(
    betting: str, seen: dict[str | None, float]
) -> None:
    places = places_of(NOLIMIT_2P, parse_menu("1,all-in/0.5,1,all-in;1,all-in"))
    state = rules_of(NOLIMIT_2P).parse(betting)
    assert seen_texts(places, state) == pytest.approx(seen)
    assert nearest_view(places.place_after, state).text == next(
        text for text in reversed(seen) if text is not None
    )


def test_on_the_last_street_a_small_bet_taken_for_a_check_is_called() -> None:
    places = places_of(NOLIMIT_2P, parse_menu("1,all-in"))
    parse = rules_of(NOLIMIT_2P).parse
    assert seen_texts(places, parse("r300c/cc/cc/cr400")) == pytest.approx(
        {None: 5 / 7, "r300c/cc/cc/cr900": 2 / 7}
    )


def test_with_three_players_a_small_bet_is_the_smallest_bet() -> None:
    @dataclass(frozen=True)
    class PotBet:
        actions: tuple[Action, ...] = (FOLDING, CALLING, raising(350))

    (way,) = translations(lambda _seen: PotBet(), rules_of(NOLIMIT_3P).parse("r200"))
    assert way.seen[-1] == rules_of(NOLIMIT_3P).parse("r350")


def test_a_bet_translated_to_all_in_is_called_to_the_end() -> None:
    places = places_of(NOLIMIT_2P, parse_menu("all-in"))
    checked = 50 / 99.5 / 50.5
    assert seen_texts(places, rules_of(NOLIMIT_2P).parse("r10000")) == pytest.approx(
        {"c": checked, "r20000": 1 - checked}
    )
    assert seen_texts(places, rules_of(NOLIMIT_2P).parse("r10000c/c")) == pytest.approx(
        {"cc/c": checked, None: 1 - checked}
    )


@given(hands)
@settings(max_examples=100, deadline=None)
def test_translation_probabilities_sum_to_one_over_legal_actions(hand: Playout) -> None:
    """Catches an illegal size at any stack, after any raise, in either direction."""
    places = places_for(hand)
    for betting in hand.states[:-1]:
        try:
            ways = translations(places.place_after, betting)
        except UsageError:
            continue
        assert sum(way.probability for way in ways) == pytest.approx(1)
        for way in ways:
            seen = way.seen[-1]
            if seen is not None:
                assert (seen.actor, seen.street) == (betting.actor, betting.street)
                for action in places.place_after(seen).actions:
                    betting.verify_action(real_action(betting, seen, action))


@pytest.mark.parametrize("name", [LEDUC_NOLIMIT, FEW_RAISES_2P, NOLIMIT_2P])
def test_betting_of_the_tree_is_seen_as_it_is(name: str) -> None:
    """Catches rounding that takes a tree's own bet for another one."""
    places, random = places_of(name), Random(1)
    for _ in range(40):
        betting = rules_of(name).start
        while not betting.is_over:
            assert seen_texts(places, betting) == {betting.text: 1.0}
            assert nearest_view(places.place_after, betting).text == betting.text
            actions = places.place_after(betting).actions
            assert [real_action(betting, betting, action) for action in actions] == list(actions)
            betting = betting.apply(random.choice(actions))


def test_translations_are_drawn_by_their_probabilities() -> None:
    places, random = places_of(LEDUC_NOLIMIT), Random(2)
    betting = rules_of(LEDUC_NOLIMIT).parse("r270c/r580")
    probabilities = seen_texts(places, betting)
    assert len(probabilities) > 3
    drawn: Counter[str | None] = Counter()
    for _ in range(4000):
        seen = drawn_translation(places.place_after, betting, lambda _index: random.random())
        drawn[seen.text if seen else None] += 1
    assert {text: count / 4000 for text, count in drawn.items()} == pytest.approx(
        probabilities, abs=0.04
    )


def test_a_translator_sees_every_hand_as_if_it_were_the_first() -> None:
    """Catches what is kept of another hand, of another table's game, or of later betting of the
    same hand.
    """
    places, random = places_of(LEDUC_NOLIMIT), Random(3)
    translator = Translator(places.place_after)
    games = [rules_of(LEDUC_NOLIMIT), BettingRules(rules_of(LEDUC_NOLIMIT).definition)]
    num_translated = 0
    for number in range(400):
        hand = number // 2
        draws = [Random(100 * hand + index).random() for index in range(40)]
        end = play(Random(random.choice([hand, number])), games[number // 50 % 2]).end
        bettings = [before for before, _ in end.decisions()]
        if number % 3 == 0:
            random.shuffle(bettings)
        for betting in bettings:
            expected = drawn_translation(places.place_after, betting, draws.__getitem__)
            seen = translator.seen(hand, betting, draws.__getitem__)
            assert (seen and seen.text) == (expected and expected.text)
            if seen is not None and expected is not None:
                num_translated += seen.text != betting.text
                for action in places.place_after(seen).actions:
                    assert translator.real_action(betting, seen, action) == real_action(
                        betting, expected, action
                    )
    assert num_translated > 100


def test_a_view_is_kept_all_along_the_hand() -> None:
    """Catches a hand that is seen in one way before the flop and in another on it."""
    places = places_of(LEDUC_NOLIMIT)
    for number in range(30):
        draws = [Random(100 * number + index).random() for index in range(20)]
        early, late = (
            drawn_translation(
                places.place_after, rules_of(LEDUC_NOLIMIT).parse(text), draws.__getitem__
            )
            for text in ("r270c/", "r270c/r480")
        )
        assert early is not None
        assert late is not None
        assert late.text.startswith(early.text)


def test_sizes_are_taken_back_as_shares_of_the_pot_that_there_is() -> None:
    parse = rules_of(LEDUC_NOLIMIT).parse
    seen, real = parse("r200"), parse("r260")
    assert real_action(real, seen, Action(rules.RAISE, 600)) == raising(780)
    assert real_action(real, seen, Action(rules.RAISE, 1200)) == raising(1200)
    assert real_action(real, seen, CALLING) == CALLING
    assert real_action(parse("r1200"), seen, Action(rules.RAISE, 600)) == CALLING


def test_too_many_views_are_refused_and_not_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translation, "MAX_TRANSLATIONS", 2)
    with pytest.raises(UsageError, match="more than 2 translations"):
        translations(
            places_of(LEDUC_NOLIMIT).place_after, rules_of(LEDUC_NOLIMIT).parse("r270c/r580")
        )


@pytest.mark.parametrize("raise_to", [200, 270, 330, 400, 700, 1199, 1200])
def test_the_nearest_view_is_the_likeliest(raise_to: int) -> None:
    places, betting = (
        places_of(LEDUC_NOLIMIT),
        rules_of(LEDUC_NOLIMIT).start.apply(raising(raise_to)),
    )
    probabilities = seen_texts(places, betting)
    assert probabilities[nearest_view(places.place_after, betting).text] == max(
        probabilities.values()
    )


@pytest.mark.parametrize("betting", ["r10000", "r10000r20000", "r5000r10000r20000"])
def test_the_nearest_view_stays_where_the_tree_has_no_more_raise(betting: str) -> None:
    places = places_of(NOLIMIT_2P, parse_menu("all-in"))
    assert nearest_view(places.place_after, rules_of(NOLIMIT_2P).parse(betting)).text == "r20000"
    over = nearest_view(places.place_after, rules_of(NOLIMIT_2P).parse("r10000c/cr15000"))
    assert over.is_over
    assert over.text.startswith("r20000c")
