"""Ranges as players write them: what each form means, round trips, and where a mistake stands."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.cards.combos import NUM_COMBOS, all_combos, combo_index, format_combo
from acpcbot.cards.deck import RANKS, parse_cards
from acpcbot.cards.range_notation import format_range, parse_range
from acpcbot.errors import BadRange

WEIGHTS = st.floats(0, 1) | st.sampled_from([0.0, 1.0, 0.5])
PAIRS = [rank * 2 for rank in RANKS]


def names(text: str) -> set[str]:
    """The classes that have weight in *text*, found card by card."""
    found = set()
    for number in np.flatnonzero(parse_range(text)):
        high, low = all_combos()[number].tolist()
        kind = "" if high >> 2 == low >> 2 else "s" if high & 3 == low & 3 else "o"
        found.add(RANKS[high >> 2] + RANKS[low >> 2] + kind)
    return found


@pytest.mark.parametrize(
    ("text", "classes", "num_combos"),
    [
        ("AA", "AA", 6),
        ("AKs", "AKs", 4),
        ("AKo", "AKo", 12),
        ("KA", "AKs AKo", 16),
        ("TT+", "TT JJ QQ KK AA", 30),
        ("22+", " ".join(PAIRS), 78),
        ("AA+", "AA", 6),
        ("ATs+", "ATs AJs AQs AKs", 16),
        ("76s+", "76s", 4),
        ("A5s-A2s", "A5s A4s A3s A2s", 16),
        ("A2s-A5s", "A5s A4s A3s A2s", 16),
        ("99-66", "99 88 77 66", 24),
        ("T9s-65s", "T9s 98s 87s 76s 65s", 20),
        ("J9o-97o", "J9o T8o 97o", 36),
        ("K9-K8", "K9s K9o K8s K8o", 32),
        ("aKS, qq", "AKs QQ", 10),
    ],
)
def test_each_form_means_what_players_mean(text: str, classes: str, num_combos: int) -> None:
    assert names(text) == set(classes.split())
    assert parse_range(text).sum() == num_combos


def test_all_is_every_combo_and_a_combo_is_one() -> None:
    assert (parse_range("all") == 1).all()
    assert np.flatnonzero(parse_range("KdAs")).tolist() == [combo_index(*parse_cards("AsKd"))]


def test_weights_stand_behind_colons_and_the_later_one_counts() -> None:
    weights = parse_range("AA:0.25, AsAh : 0.5,KK:1")
    assert sorted(weights[weights > 0].tolist()) == [*[0.25] * 5, 0.5, *[1.0] * 6]


@pytest.mark.parametrize(
    ("text", "column", "word"),
    [
        ("", 0, "expected hands"),
        ("AA,", 3, "expected hands"),
        ("AA, XX", 4, "expected hands"),
        ("AA:2", 0, "weight"),
        ("KK,AA:nan", 3, "weight"),
        ("AA:", 0, "weight"),
        ("QQ,AAs", 3, "pair"),
        ("AsAs", 0, "twice"),
        ("A5s-A2o", 0, "suited"),
        ("AKs-T8s", 0, "distance"),
        ("AA-KQ", 0, "distance"),
        ("TT++", 0, "expected hands"),
        ("AKs+-AQs", 0, "expected hands"),
    ],
)
def test_mistakes_are_shown_with_their_column(text: str, column: int, word: str) -> None:
    with pytest.raises(BadRange, match=word) as raised:
        parse_range(text)
    assert raised.value.column == column


@given(st.dictionaries(st.integers(0, NUM_COMBOS - 1), WEIGHTS, max_size=30))
def test_any_weights_of_combos_survive_the_way_through_text(found: dict[int, float]) -> None:
    weights = np.zeros(NUM_COMBOS)
    weights[list(found)] = list(found.values())
    assert (parse_range(format_range(weights)) == weights).all()


@given(
    st.lists(
        st.tuples(st.sampled_from([*PAIRS, "AKs", "T9o", "72", "22+", "A5s-A2s"]), WEIGHTS),
        min_size=1,
    )
)
def test_any_weights_of_classes_survive_the_way_through_text(
    items: list[tuple[str, float]],
) -> None:
    weights = parse_range(",".join(f"{name}:{weight!r}" for name, weight in items))
    assert (parse_range(format_range(weights)) == weights).all()


def test_ranges_are_written_short() -> None:
    assert format_range(parse_range("all")) == "all"
    assert format_range(parse_range("QQ+,AK:0.5")) == "AA,AKs:0.5,AKo:0.5,KK,QQ"
    one = int(np.flatnonzero(parse_range("7h2c"))[0])
    assert format_range(parse_range("7h2c")) == format_combo(one) == "7h2c"
