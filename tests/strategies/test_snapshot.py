"""A snapshot's answers, against the tree that it does not build and the arrays that were saved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acpcbot.errors import BadSnapshot, UsageError
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.strategies import snapshot as snapshot_module
from acpcbot.strategies import whole_policy
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.policy import MODES, PlaySettings
from acpcbot.strategies.snapshot import Snapshot
from acpcbot.strategies.whole_policy import played_policy
from acpcbot.trees.public_tree import (
    LIMIT_CHILD,
    LIMIT_INFO,
    LIMIT_SLOT,
    info_kinds,
    info_street,
    num_actions,
)
from tests.strategies.random_snapshots import (
    GAMES,
    game_of,
    random_greedy,
    random_policy,
    saved,
    sign,
)
from tests.support.games import KUHN, LEDUC, LIMIT_2P, rules_of


def walk(game: str) -> Iterator[tuple[int, BettingState]]:
    """Every decision node of the tree, children taken from its records, with the betting that
    leads there.
    """
    nodes = game_of(game).tree.nodes
    waiting = [(0, rules_of(game).start)]
    while waiting:
        node, betting = waiting.pop()
        yield node, betting
        for index, action in enumerate(betting.legal_actions()):
            child = int(nodes[node, LIMIT_CHILD + index])
            if child >= 0:
                waiting.append((child, betting.apply(action)))


def some(game: str, count: int) -> list[tuple[int, BettingState]]:
    """Nodes from all over the tree."""
    found = sorted(walk(game), key=lambda pair: pair[0])
    return found[:: -(-len(found) // count)]


@pytest.mark.parametrize("game", GAMES)
def test_places_are_those_of_the_tree(game: str, tmp_path: Path) -> None:
    """Would catch a node that is counted on the wrong street, or siblings counted twice."""
    snapshot, nodes = saved(tmp_path / "x", game), game_of(game).tree.nodes
    info: Any = nodes[:, LIMIT_INFO]
    streets: Any = info_street(info)
    for node, betting in some(game, 400):
        place = snapshot.place(betting)
        assert (place.node, place.street, place.slot) == (
            node,
            betting.street,
            nodes[node, LIMIT_SLOT],
        )
        assert place.street_node == np.count_nonzero(streets[:node] == betting.street)
        assert place.kinds == tuple(action.kind for action in betting.legal_actions())


@pytest.mark.parametrize("game", GAMES)
def test_one_information_set_is_played_as_in_the_whole_policy(game: str, tmp_path: Path) -> None:
    """Two ways to the same number: what a player looks up, and what the evaluation sees."""
    snapshot, abstract = saved(tmp_path / "x", game), game_of(game)
    for mode in MODES:
        settings = PlaySettings(mode, 0.2 if mode == "threshold" else 0.0)
        whole = played_policy(snapshot, abstract, settings)
        for _, betting in some(game, 50):
            place = snapshot.place(betting)
            bucket = (7 * place.node) % abstract.num_buckets[place.street]
            row = abstract.layout.street_rows(whole, place.street)[bucket]
            expected = row[place.slot : place.slot + len(place.kinds)]
            assert snapshot.probabilities(place, bucket, settings).tolist() == expected.tolist()


@pytest.mark.parametrize("game", GAMES)
def test_stored_probabilities_and_greedy_actions_are_those_that_were_saved(
    game: str, tmp_path: Path
) -> None:
    """Read by hand from the arrays that went in."""
    snapshot, abstract = saved(tmp_path / "x", game), game_of(game)
    policy, greedy = random_policy(game), random_greedy(game)
    nodes = abstract.tree.nodes
    info: Any = nodes[:, LIMIT_INFO]
    streets: Any = info_street(info)
    first_infoset = 0
    for street, num_buckets in enumerate(abstract.num_buckets):
        own = np.flatnonzero(streets == street).tolist()
        for node, betting in some(game, 100):
            if betting.street != street:
                continue
            place, bucket = snapshot.place(betting), node % num_buckets
            start = (
                abstract.layout.row_starts[street]
                + bucket * abstract.layout.row_widths[street]
                + nodes[node, LIMIT_SLOT]
            )
            expected = policy[start : start + len(place.kinds)]
            assert snapshot.probabilities(place, bucket) == pytest.approx(expected, abs=1 / 255)
            infoset = first_infoset + bucket * len(own) + own.index(node)
            chosen = snapshot.probabilities(place, bucket, PlaySettings("greedy"))
            assert chosen.tolist() == [
                float(index == greedy[infoset]) for index in range(len(place.kinds))
            ]
        first_infoset += num_buckets * len(own)


def test_a_greedy_snapshot_is_played_greedily_unless_told_otherwise(tmp_path: Path) -> None:
    snapshot = saved(tmp_path / "x", LEDUC, policy=None, play="greedy")
    place = snapshot.place(rules_of(LEDUC).start)
    assert sorted(snapshot.probabilities(place, 0).tolist()) == [0.0, 1.0]


def test_a_stored_action_that_its_node_does_not_have_is_refused(tmp_path: Path) -> None:
    """A foreign file may say 3 everywhere; a node has at most three actions."""
    saved(tmp_path / "x", KUHN)
    np.save(tmp_path / "x" / "greedy.0.npy", np.full(3, 255, np.uint8))
    sign(tmp_path / "x")
    foreign = load_snapshot(tmp_path / "x")
    with pytest.raises(BadSnapshot, match="does not have"):
        foreign.probabilities(foreign.place(rules_of(KUHN).start), 0, PlaySettings("greedy"))
    with pytest.raises(BadSnapshot, match="does not have"):
        foreign.drawn_action(
            foreign.place(rules_of(KUHN).start), 0, PlaySettings("greedy"), lambda: 0.5
        )


def test_places_are_found_again_after_the_store_was_emptied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Would catch a store that grows without bound, or forgets what it has just found."""
    monkeypatch.setattr(snapshot_module, "MAX_KEPT_PLACES", 3)
    snapshot = saved(tmp_path / "x", LEDUC)
    places = [snapshot.place(betting) for _, betting in some(LEDUC, 20)]
    assert [snapshot.place(betting) for _, betting in some(LEDUC, 20)] == places
    assert len(snapshot._known) <= 3


def test_a_whole_policy_of_another_game_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="another game or abstraction"):
        played_policy(saved(tmp_path / "x", KUHN), game_of(LEDUC))


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_whole_policies_come_in_other_numbers_too(dtype: type[Any], tmp_path: Path) -> None:
    snapshot, abstract = saved(tmp_path / "x", LIMIT_2P), game_of(LIMIT_2P)
    exact = played_policy(snapshot, abstract, PlaySettings("purified"))
    other = played_policy(snapshot, abstract, PlaySettings("purified"), dtype=dtype)
    assert other.dtype == dtype
    assert np.abs(other / (255 if dtype is np.uint8 else 1) - exact).max() < 1 / 255


def test_blocks_hold_every_slot_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut into many blocks, as the river of a large game is."""
    monkeypatch.setattr(whole_policy, "BLOCK_SLOTS", 100)
    for game in (LEDUC, KUHN):
        abstract = game_of(game)
        seen: Counter[tuple[int, int, int]] = Counter()
        for block in whole_policy.blocks(abstract):
            buckets, columns = np.broadcast_arrays(*block.slots)
            seen.update(
                (block.street, int(b), int(c))
                for b, c in zip(buckets.flat, columns.flat, strict=True)
            )
        assert set(seen.values()) == {1}
        assert len(seen) == abstract.layout.num_slots
    info: Any = abstract.tree.nodes[:, LIMIT_INFO]
    assert (
        int(np.sum(num_actions(info_kinds(info))))
        == abstract.layout.num_slots / abstract.num_buckets[0]
    )


def test_a_finished_hand_has_no_place(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        saved(tmp_path / "x", KUHN).place(rules_of(KUHN).start.apply(Action(1)).apply(Action(1)))


def test_a_snapshot_knows_whether_hands_are_looked_up(tmp_path: Path) -> None:
    snapshots: list[Snapshot] = [saved(tmp_path / game, game) for game in (KUHN, LIMIT_2P)]
    assert [snapshot.is_exact for snapshot in snapshots] == [True, False]
