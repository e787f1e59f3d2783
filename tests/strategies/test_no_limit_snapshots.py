"""Strategies of no-limit games: stored with their bets, found again, and told exactly for bets
they lack.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from acpcbot.errors import BadSnapshot, UsageError
from acpcbot.poker.actions import CALLING, Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import all_hands, hands_without
from acpcbot.strategies import translation
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.policy import PlaySettings
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.translation import translations
from acpcbot.strategies.whole_policy import played_policy
from acpcbot.trees.bet_menu import parse_menu
from tests.strategies.menu_snapshots import menu_tree, random_policy, saved_menu_snapshot
from tests.strategies.random_snapshots import saved, sign
from tests.support.games import LEDUC, LEDUC_NOLIMIT, NOLIMIT_2P, rules_of
from tests.support.menu_games import MENU
from tests.trees.test_betting_places import decisions


def test_every_information_set_is_read_where_it_was_written(tmp_path: Path) -> None:
    """Catches a wrong street, node, bucket or order of actions."""
    snapshot, game = saved_menu_snapshot(tmp_path / "x", LEDUC_NOLIMIT), menu_tree(LEDUC_NOLIMIT)
    policy = random_policy(LEDUC_NOLIMIT)
    rows = [game.layout.street_rows(policy, street) for street in range(2)]
    for betting in decisions(snapshot.places, rules_of(LEDUC_NOLIMIT).start):  # type: ignore[arg-type]
        place = snapshot.place(betting)
        for bucket in range(game.num_buckets[place.street]):
            expected = rows[place.street][bucket, place.slot : place.slot + len(place.actions)]
            assert snapshot.probabilities(place, bucket).tolist() == expected.tolist()
    assert np.array_equal(played_policy(snapshot, game), policy)


def test_large_ones_are_stored_in_bytes(tmp_path: Path) -> None:
    snapshot = saved_menu_snapshot(tmp_path / "x", NOLIMIT_2P)
    assert snapshot.manifest.storage == (
        "bytes_but_last" if menu_tree(NOLIMIT_2P).layout.num_slots > 100_000 else "exact"
    )
    place = snapshot.place(rules_of(NOLIMIT_2P).parse("r300c/"))
    assert [action.text for action in place.actions] == ["c", "r900", "r20000"]
    assert snapshot.probabilities(place, 3).sum() == pytest.approx(1)


def test_the_manifest_tells_the_bets_and_limit_games_have_none(tmp_path: Path) -> None:
    snapshot = saved_menu_snapshot(tmp_path / "x", LEDUC_NOLIMIT)
    bets = {"preflop": [[0.5, 1.0, "all-in"]], "flop": [[0.75, "all-in"], [1.0, 2.0, "all-in"]]}
    assert json.loads((tmp_path / "x" / "manifest.json").read_text())["bets"] == bets
    assert snapshot.menu == MENU
    saved(tmp_path / "y", LEDUC)
    assert "bets" not in json.loads((tmp_path / "y" / "manifest.json").read_text())


@pytest.mark.parametrize(
    ("game", "bets", "fault"),
    [
        (LEDUC_NOLIMIT, {"preflop": [[1]], "flop": [[1]]}, "policy.0.npy is float64"),
        (LEDUC_NOLIMIT, {"preflop": [[1]]}, "a bet menu for preflop"),
        (LEDUC_NOLIMIT, {"preflop": [["pot"]], "flop": [[1]]}, "'pot' is no size"),
        (LEDUC_NOLIMIT, {}, "which bets it has"),
        (LEDUC, {"preflop": [[1]], "flop": [[1]]}, "no bets of its own"),
    ],
)
def test_bets_that_do_not_fit_are_refused(
    game: str, bets: dict[str, object], fault: str, tmp_path: Path
) -> None:
    folder = tmp_path / "x"
    if game == LEDUC:
        saved(folder, game)
    else:
        saved_menu_snapshot(folder, game)
    sign(folder, bets=bets)
    with pytest.raises(BadSnapshot) as refusal:
        load_snapshot(folder)
    assert fault in f"{refusal.value} {refusal.value.hint}"


# What is done with every hand


@pytest.mark.parametrize("betting", ["", "r200", "r300r900", "cr300"])
def test_betting_of_the_tree_is_answered_from_its_place(betting: str, tmp_path: Path) -> None:
    strategy = SnapshotStrategy(
        saved_menu_snapshot(tmp_path / "x", LEDUC_NOLIMIT), PlaySettings("purified")
    )
    state = rules_of(LEDUC_NOLIMIT).parse(betting)
    table, place = strategy.table(state, ()), strategy.snapshot.place(state)
    assert table.actions == place.actions
    for hand, (card,) in enumerate(all_hands(state.game.definition).tolist()):
        bucket = strategy.snapshot.bucket(place, [card], [])
        expected = strategy.snapshot.probabilities(place, bucket, PlaySettings("purified"))
        assert table.probabilities[hand].tolist() == expected.tolist()
        assert strategy.row(state, [card], ()) is not None


@pytest.mark.parametrize(("betting", "board"), [("r270", ""), ("r270c/r455", "Kh"), ("cr777", "")])
def test_bets_that_the_tree_lacks_are_answered_with_probabilities_of_legal_actions(
    betting: str, board: str, tmp_path: Path
) -> None:
    strategy = SnapshotStrategy(saved_menu_snapshot(tmp_path / "x", LEDUC_NOLIMIT))
    state = rules_of(LEDUC_NOLIMIT).parse(betting)
    cards = (47,) if board else ()
    table = strategy.table(state, cards)
    for action in table.actions:
        state.verify_action(action)
    assert len(set(table.actions)) == len(table.actions)
    free = hands_without(state.game.definition, cards)
    assert table.probabilities[free].sum(axis=1) == pytest.approx(1)
    assert strategy.row(state, [51], cards) is None


def test_a_mixture_of_two_views_by_hand(tmp_path: Path) -> None:
    """A raise of 85 % of the pot before the flop, between a half and all of it."""
    strategy = SnapshotStrategy(saved_menu_snapshot(tmp_path / "x", LEDUC_NOLIMIT))
    parse = rules_of(LEDUC_NOLIMIT).parse
    chance = (1 - 0.85) * 1.5 / (0.5 * 1.85)
    lower, upper = strategy.table(parse("r200"), ()), strategy.table(parse("r300"), ())
    mixed = strategy.table(parse("r270"), ())
    for action in (Action(0), CALLING):
        expected = chance * lower.probabilities[:, lower.actions.index(action)]
        expected = expected + (1 - chance) * upper.probabilities[:, upper.actions.index(action)]
        assert mixed.probabilities[:, mixed.actions.index(action)] == pytest.approx(expected)


def enumerated(
    strategy: SnapshotStrategy, betting: BettingState, board: Sequence[int]
) -> dict[Action, NDArray[np.float64]]:
    """The mixture over all translations one by one, each with what the actor has done in it."""
    play, place = strategy.translated, strategy.snapshot.place
    found: dict[Action, NDArray[np.float64]] = {}
    ways = translations(place, betting, nearest=strategy.snapshot.nearest)
    weights = []
    for way in ways:
        weight = np.full(len(all_hands(strategy.definition)), way.probability)
        for (before, action), seen in zip(betting.decisions(), way.seen, strict=False):
            if before.actor == betting.actor:
                shown = board[: strategy.definition.board_size(before.street)]
                weight = weight * play.in_view(before, seen, shown).get(action, 0.0)
        weights.append(weight)
    total = np.sum(weights, axis=0)
    for way, weight in zip(ways, weights, strict=True):
        share = np.where(total > 0, weight / np.where(total > 0, total, 1.0), way.probability)
        for action, column in play.in_view(betting, way.seen[-1], board).items():
            found[action] = found.get(action, 0.0) + share * column
    return found


@pytest.mark.parametrize(
    ("game", "betting"),
    [
        (LEDUC_NOLIMIT, "r270r600"),
        (LEDUC_NOLIMIT, "r270c/r455r700"),
        (LEDUC_NOLIMIT, "cr230c/cr330r430"),
        (NOLIMIT_2P, "r250r450c/r550r650c/r750"),
        (NOLIMIT_2P, "r350c/r450r550c/cr700r900r1100"),
    ],
)
def test_views_that_meet_are_the_mixture_of_all_ways_there(
    game: str, betting: str, tmp_path: Path
) -> None:
    """Catches a way that is lost where two meet, and weights of another player's actions."""
    strategy = SnapshotStrategy(saved_menu_snapshot(tmp_path / "x", game))
    state = rules_of(game).parse(betting)
    deck = state.game.definition.deck
    board = tuple(deck[: state.game.definition.board_size(state.street)])
    table, expected = strategy.table(state, board), enumerated(strategy, state, board)
    assert set(table.actions) == set(expected)
    for number, action in enumerate(table.actions):
        assert table.probabilities[:, number] == pytest.approx(expected[action], abs=1e-12)


def test_a_hand_of_many_small_raises_is_answered(tmp_path: Path) -> None:
    """Catches translations that double with each raise: they meet in few states of the tree."""
    strategy = SnapshotStrategy(saved_menu_snapshot(tmp_path / "x", NOLIMIT_2P))
    state = rules_of(NOLIMIT_2P).parse("r250r400r550r700c/r800r900r1000r1100c/r1200r1300c/r1400")
    with pytest.raises(UsageError, match="more than 64 translations"):
        translations(strategy.snapshot.place, state)
    board = (0, 5, 10, 20, 30)
    table, free = strategy.table(state, board), hands_without(state.game.definition, board)
    assert table.probabilities[free].sum(axis=1) == pytest.approx(1)


def test_too_many_views_are_said_to_be_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(translation, "MAX_STATES", 1)
    monkeypatch.setattr(translation, "MAX_TRANSLATIONS", 1)
    strategy = SnapshotStrategy(saved_menu_snapshot(tmp_path / "x", LEDUC_NOLIMIT))
    state = rules_of(LEDUC_NOLIMIT).parse("r270")
    with pytest.raises(UsageError, match="more than 1 states"):
        strategy.table(state, ())
    assert strategy.row(state, [51], ()) is None


def test_a_menu_for_all_streets_is_spelt_out() -> None:
    assert parse_menu("1,all-in").for_streets(2) == parse_menu("1,all-in/1,all-in")
    assert parse_menu("1/2/0.5").for_streets(2) == parse_menu("1/2")
