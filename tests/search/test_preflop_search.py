"""Search before the flop: leaf values between stored ones, decisions off the tree, solutions
that are kept.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from acpcbot.agents.registry import make_agent
from acpcbot.agents.search import SearchAgent
from acpcbot.cards.deck import parse_cards
from acpcbot.errors import BadSnapshot, UsageError
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hand_classes import game_classes
from acpcbot.rollouts.preflop_accumulation import PreflopRollouts, PreflopSettings, preflop_states
from acpcbot.rollouts.preflop_table import (
    PreflopValues,
    TableRecord,
    finished_table,
    save_preflop_values,
    strategy_checksum,
)
from acpcbot.rollouts.rollouts import BIASES
from acpcbot.search.blueprint import BlueprintPlay, blueprint_values
from acpcbot.search.folder import find_search, make_search
from acpcbot.search.leaves import CHECKED_DOWN, RolloutLeaves, StoredLeaves
from acpcbot.search.names import FILE
from acpcbot.search.settings import OFF_TREE, SearchSettings, StreetSettings
from acpcbot.search.solution import Solution
from acpcbot.search.strategy import SearchStrategy
from acpcbot.search.subgame import MIN_REACH, Spot, entering_ranges
from acpcbot.strategies.range_play import tabulate_strategy
from acpcbot.strategies.translation import lower_probability
from acpcbot.subgames.best_response import response_values
from acpcbot.subgames.game import make_range_game
from acpcbot.trees.bet_menu import pot_share, same_menu
from tests.search.searching import FEW, FLOP, LATE, STREET_SETTINGS, shipped_blueprint
from tests.search.test_search_agent import match_of, playing
from tests.strategies.menu_snapshots import saved_menu_snapshot
from tests.support.games import LEDUC_NOLIMIT, NOLIMIT_2P, definition_of, rules_of

OPENING = StreetSettings((FEW,), OFF_TREE, iterations=30, num_continuations=4)
NO_BETS = same_menu([])
OFF = [
    "r310",
    "r299",
    "r201",
    "cr301",
    "cr1111",
    "r300r1000",
    "r15000",
    "r19999",
    "cr19999",
    "r301r19000",
]
"""Before the flop of hold'em, after bets that the tree of the tests does not have."""
HOLDEM_TOML = """
blueprint = "../blueprint"
preflop_values = "../values"

[profiles.few.preflop]
decisions = "off_tree"
iterations = 3
min_iterations = 1
num_continuations = 4
menus = ["1,all-in;all-in"]
"""


def leduc_table(blueprint: BlueprintPlay) -> PreflopValues:
    roll_outs = PreflopRollouts(blueprint, PreflopSettings())
    while roll_outs.num_done < roll_outs.num_boards:
        roll_outs.step()
    return finished_table(roll_outs)


def random_table(blueprint: BlueprintPlay) -> PreflopValues:
    """A table of random values, where making one would take long."""
    states = preflop_states(blueprint)
    count = int(game_classes(blueprint.definition).max()) + 1
    won = np.random.default_rng(1).normal(size=(len(states), 7, count, count)).astype(np.float32)
    checksum = strategy_checksum(blueprint.snapshot.manifest)
    biases = tuple([tuple(bias) for bias in BIASES])
    texts = tuple([state.text for state in states])
    return PreflopValues(TableRecord(checksum, texts, biases, 1, 1, (0.0,) * len(states)), won)  # type: ignore[arg-type]


@cache
def leduc_leaves() -> StoredLeaves:
    blueprint = shipped_blueprint(LEDUC_NOLIMIT)
    return StoredLeaves(blueprint, leduc_table(blueprint), RolloutLeaves(blueprint, 1, 1))


def leduc_search(**changes: object) -> SearchStrategy:
    """Searches both streets; *changes* are of the first one's settings."""
    opening = replace(OPENING, **changes)  # type: ignore[arg-type]
    streets = {0: opening, 1: replace(FLOP, root_gadget="resolve", iterations=20)}
    return SearchStrategy(
        shipped_blueprint(LEDUC_NOLIMIT), SearchSettings(streets), leaves=leduc_leaves()
    )


def holdem_search(folder: Path) -> SearchStrategy:
    """Searches all streets, with random values and a random blueprint that is saved as *folder*."""
    blueprint = BlueprintPlay(saved_menu_snapshot(folder, NOLIMIT_2P))
    opening = replace(OPENING, iterations=3, min_iterations=1)
    streets = {
        0: opening,
        1: replace(STREET_SETTINGS, num_continuations=1, rollout_boards=2),
        **LATE,
    }
    leaves = StoredLeaves(blueprint, random_table(blueprint), RolloutLeaves(blueprint, 1, 1))
    return SearchStrategy(blueprint, SearchSettings(streets), leaves=leaves)


def leduc(text: str) -> BettingState:
    return rules_of(LEDUC_NOLIMIT).parse(text)


def holdem(text: str) -> BettingState:
    return rules_of(NOLIMIT_2P).parse(text)


def test_a_state_of_the_table_has_its_own_values() -> None:
    """In chips, for both choosers.

    Levelled, so that the first continuation alone stays as it was.
    """
    leaves = leduc_leaves()
    table = leduc_table(shipped_blueprint(LEDUC_NOLIMIT))
    for number, text in enumerate(table.record.states):
        assert leaves.weights(leduc(text)) == {number: 1.0}
        before = leduc(text.removesuffix("c/"))
        game = make_range_game(before, menu=NO_BETS, suits_alike=False, one_street=True)
        pot = leduc(text).pot
        for chooser in range(2):
            found = leaves.values(game, chooser, 4)[0]
            assert found[0] == pytest.approx(
                pot * table.of_other(number, chooser)[0], abs=1e-3 * pot
            )
            assert leaves.values(game, chooser, 2)[0] == pytest.approx(found[:2])


def test_a_bet_between_two_of_the_tree_lies_between_their_values() -> None:
    """The pseudo-harmonic weights by hand, from the shares of the pot of r300 and r500 in
    Leduc's tree.
    """
    leaves, table = leduc_leaves(), leduc_table(shipped_blueprint(LEDUC_NOLIMIT))
    place = shipped_blueprint(LEDUC_NOLIMIT).snapshot.place
    start = leduc("")
    sizes = [action.raise_to for action in place(start).actions if action.raise_to]
    lower, upper = sizes[0], sizes[1]
    between = (lower + upper) // 2
    shares = [
        pot_share(start.game.vector, start.vector, raise_to) for raise_to in (lower, upper, between)
    ]
    chance = lower_probability(*shares)
    numbers = [table.record.states.index(f"r{raise_to}c/") for raise_to in (lower, upper)]
    assert leaves.weights(leduc(f"r{between}c/")) == pytest.approx(
        dict(zip(numbers, (chance, 1 - chance), strict=True))
    )
    game = make_range_game(leduc(f"r{between}"), menu=NO_BETS, suits_alike=False, one_street=True)
    found = leaves.values(game, 1, 1)[0, 0]
    own = [table.of_other(number, 1)[0] for number in numbers]
    assert found == pytest.approx(
        2 * between * (chance * own[0] + (1 - chance) * own[1]), abs=1e-3 * between
    )


def test_betting_that_is_seen_in_too_many_ways_lies_between_the_pots_next_to_its_own(
    tmp_path: Path,
) -> None:
    blueprint = BlueprintPlay(saved_menu_snapshot(tmp_path / "x", NOLIMIT_2P))
    leaves = StoredLeaves(blueprint, random_table(blueprint), RolloutLeaves(blueprint, 1, 1))
    states = preflop_states(blueprint)
    pots = sorted({state.pot for state in states})
    pot = (pots[0] + 3 * pots[1]) // 4
    found = leaves._neighbouring_pots(pot)
    assert {states[number].pot for number in found} == {pots[0], pots[1]}
    assert sum(found.values()) == pytest.approx(1)
    mean = sum(weight * states[number].pot for number, weight in found.items())
    assert mean == pytest.approx(pot)
    for beyond, end in ((1, pots[0]), (40_000, pots[-1])):
        assert {states[number].pot for number in leaves._neighbouring_pots(beyond)} == {end}
    text = "".join([f"r{raise_to}" for raise_to in range(210, 210 + 8 * 113, 113)]) + "c/"
    assert sum(leaves.weights(holdem(text)).values()) == pytest.approx(1)


def test_nobody_wins_more_than_the_stacks_and_what_is_seen_as_all_in_is_checked_down(
    tmp_path: Path,
) -> None:
    blueprint = BlueprintPlay(saved_menu_snapshot(tmp_path / "x", NOLIMIT_2P))
    table = random_table(blueprint)
    wild = PreflopValues(table.record, 1000 * table.won)
    leaves = StoredLeaves(blueprint, wild, RolloutLeaves(blueprint, 1, 1))
    game = make_range_game(holdem("r310"), menu=same_menu([], []), one_street=True)
    assert np.abs(leaves.values(game, 0, 4)).max() == 20_000
    weights = leaves.weights(holdem("r19000c/"))
    assert 0.5 < weights[CHECKED_DOWN] < 1
    game = make_range_game(holdem("r310"), menu=same_menu([], []), one_street=True)
    assert leaves.values(game, 0, 1).shape == (1, 1, 169, 169)


@pytest.mark.parametrize("text", OFF)
def test_tables_are_legal_against_any_bet(text: str, tmp_path: Path) -> None:
    betting = holdem(text)
    search = holdem_search(tmp_path / "x")
    table = search.table(betting, ())
    assert search.counts.num_searched >= 1
    assert all(betting.can_act(action) for action in table.actions)
    assert table.probabilities.sum(axis=1) == pytest.approx(np.ones(1326), abs=1e-9)
    classes = game_classes(search.definition)
    _, firsts = np.unique(classes, return_index=True)
    assert np.array_equal(table.probabilities, table.probabilities[firsts][classes])


def test_only_what_the_tree_does_not_have_is_searched() -> None:
    search = leduc_search()
    place = search.blueprint.place
    size = next(action.raise_to for action in place(leduc("")).actions if action.raise_to)
    for text in ("", "c", f"r{size}", f"cr{size}"):
        table = search.table(leduc(text), ())
        assert np.array_equal(
            table.probabilities, search.blueprint.table(leduc(text), ()).probabilities
        )
    assert search.counts.num_searched == 0
    search.table(leduc(f"r{size + 1}"), ())
    assert search.counts.num_searched == 1
    everything = leduc_search(decisions="all")
    everything.table(leduc(""), ())
    assert everything.counts.num_searched == 1


def test_a_solution_is_found_once_and_then_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when the tables of decisions were forgotten, as after many hands.

    What it says stays the same.
    """
    search = leduc_search()
    betting = leduc("r310")
    found = search.table(betting, ())
    values = search._preflop_solutions[betting.text, ()].values(0, (), 0)
    search._decided.clear()
    search._solved.clear()
    monkeypatch.setattr(search, "_solve", None)
    again = search.table(betting, ())
    assert again is not found
    assert np.array_equal(again.probabilities, found.probabilities)
    assert np.array_equal(search._preflop_solutions[betting.text, ()].values(0, (), 0), values)


def test_a_solution_by_classes_says_what_the_whole_one_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    search, wholes = leduc_search(), list[Solution]()
    solve = search._solve

    def solve_and_keep(spot: Spot, deadline_s: float) -> Solution:
        wholes.append(solve(spot, deadline_s))
        return wholes[-1]

    monkeypatch.setattr(search, "_solve", solve_and_keep)
    betting = leduc("r310")
    search.table(betting, ())
    (whole,), small = wholes, search._preflop_solutions[betting.text, ()]
    assert small.solver is None
    node = small.node(betting)
    assert node == whole.node(betting) > 0
    assert small.table(node, ()).probabilities == pytest.approx(
        whole.table(node, ()).probabilities, abs=1e-5
    )
    for seat in range(2):
        assert small.values(node, (), seat) == pytest.approx(
            whole.values(node, (), seat), rel=1e-4, abs=1e-2
        )
        assert small.reach(node, (), seat) == pytest.approx(whole.reach(node, (), seat), abs=1e-5)


def test_joined_in_the_middle_of_a_hand_it_plays_the_same_tables() -> None:
    texts = ["r310", "r310r900", "r310r900c/", "r310r900c/c", "r310r900c/cr1200"]
    board = parse_cards("Kh")
    played, joined = leduc_search(), leduc_search()
    tables = {text: played.table(leduc(text), board if "/" in text else ()) for text in texts}
    for text in reversed(texts):
        found = joined.table(leduc(text), board if "/" in text else ())
        assert found.actions == tables[text].actions
        assert np.array_equal(found.probabilities, tables[text].probabilities), text


def test_beliefs_go_on_from_the_solution() -> None:
    """On the flop: its own range is what it played before it, the other's what the solution
    expects of it.
    """
    search = leduc_search()
    first, flop = leduc("r310"), leduc("r310c/")
    seat, other = first.actor, 1 - first.actor
    table = search.table(first, ())
    solution = search._preflop_solutions[first.text, ()]
    found = search.ranges(Spot(flop, parse_cards("Kh")), seat)
    start = entering_ranges(search.definition, np.ones((2, 6)), ())
    opened = solution.table(0, ())
    assert found[other] == pytest.approx(
        start[other]
        * opened.probabilities[:, [action.raise_to for action in opened.actions].index(310)]
    )
    called = [action.kind for action in table.actions].index(1)
    assert found[seat] == pytest.approx(
        start[seat] * table.probabilities[:, called], abs=2 * MIN_REACH
    )


def test_a_mean_over_flops_gives_no_alternative_value_on_one_flop() -> None:
    """Catches values of a mean over flops where the best response on one flop decides."""
    search = leduc_search()
    flop, board = leduc("r310c/"), parse_cards("Kh")
    table = search.table(flop, board)
    later = replace(search.settings.streets[1], gadget="maxmargin")
    streets = {0: search.settings.streets[0], 1: later}
    other = SearchStrategy(search.blueprint, SearchSettings(streets), leaves=leduc_leaves())
    assert np.array_equal(other.table(flop, board).probabilities, table.probabilities)


def test_preflop_alternative_values_are_those_of_a_best_response() -> None:
    """With values of the exact table, by the whole of the game: the blueprint's own tree gone
    through to its end.
    """
    blueprint, leaves = shipped_blueprint(LEDUC_NOLIMIT), leduc_leaves()
    root, ranges = Spot(leduc(""), ()), np.ones((2, 6))
    for seat in range(2):
        whole = blueprint_values(blueprint, root, ranges, seat, 1e9)
        short = blueprint_values(
            blueprint,
            root,
            ranges,
            seat,
            1e9,
            lambda game, seat=seat: leaves(game, seat, OPENING, 1.0),  # type: ignore[misc]
        )
        assert whole is not None
        assert short is not None
        # The blueprint is nearly an equilibrium: that a best response may do better beyond is
        # little.
        assert short == pytest.approx(whole, abs=5)
        assert np.abs(whole).max() > 100


@pytest.mark.parametrize("gadget", ["unsafe", "resolve", "maxmargin"])
def test_gadgets_stand_before_subgames_that_begin_in_the_middle(gadget: str) -> None:
    search = leduc_search(root_gadget=gadget, gadget=gadget)
    for text in ("cr310", "r270r777", "cr310r900"):
        table = search.table(leduc(text), ())
        assert all(leduc(text).can_act(action) for action in table.actions)
        assert table.probabilities.sum(axis=1) == pytest.approx(np.ones(6))


@pytest.mark.slow
def test_the_first_street_of_leduc_by_the_table_stays_near_the_blueprint() -> None:
    """All of its decisions searched with four values, and the flops of the blueprint behind
    them.
    """
    blueprint = shipped_blueprint(LEDUC_NOLIMIT)
    streets = {0: replace(OPENING, decisions="all", iterations=300)}
    search = SearchStrategy(blueprint, SearchSettings(streets), leaves=leduc_leaves())
    assert blueprint.snapshot.menu is not None
    game = make_range_game(leduc(""), menu=blueprint.snapshot.menu, suits_alike=False)
    play = tabulate_strategy(game, search)
    assert 1000 * response_values(game, (play, play)).exploitability < 300


@pytest.mark.parametrize("num_hands", [12, pytest.param(60, marks=pytest.mark.slow)])
def test_whole_matches_against_any_bets_are_played_without_a_fallback(
    num_hands: int, tmp_path: Path
) -> None:
    blueprint = BlueprintPlay(saved_menu_snapshot(tmp_path / "blueprint", NOLIMIT_2P))
    save_preflop_values(tmp_path / "values", random_table(blueprint))
    (tmp_path / "search").mkdir()
    (tmp_path / "search" / FILE).write_text(HOLDEM_TOML)
    agent = make_agent(str(tmp_path / "search"), definition_of(NOLIMIT_2P), 1)
    assert isinstance(agent, SearchAgent)
    assert playing(match_of(tmp_path, NOLIMIT_2P, num_hands), agent) == 0
    assert agent.search.counts.num_searched > num_hands / 6


def test_the_table_of_another_blueprint_is_refused(tmp_path: Path) -> None:
    (tmp_path / "search").mkdir()
    (tmp_path / "search" / FILE).write_text(HOLDEM_TOML)
    saved_menu_snapshot(tmp_path / "blueprint", NOLIMIT_2P)
    found = find_search(str(tmp_path / "search"))
    with pytest.raises(BadSnapshot, match="acpcbot build-preflop-values"):
        make_search(found, found.load())
    other = BlueprintPlay(saved_menu_snapshot(tmp_path / "other", NOLIMIT_2P, seed=2))
    save_preflop_values(tmp_path / "values", random_table(other))
    with pytest.raises(BadSnapshot, match="another strategy"):
        make_search(found, found.load())


def test_more_values_than_the_table_has_are_refused() -> None:
    with pytest.raises(UsageError, match="num_continuations = 5"):
        leduc_leaves().verify_num_continuations(0, 5)


def test_hold_em_to_the_end_of_the_hand_is_refused(tmp_path: Path) -> None:
    blueprint = BlueprintPlay(saved_menu_snapshot(tmp_path / "x", NOLIMIT_2P))
    with pytest.raises(UsageError, match="boards are too many"):
        SearchStrategy(blueprint, SearchSettings({0: replace(OPENING, num_continuations=0)}))
