"""Two agents on the same deals: pairs of hands, differences, and matches that do not fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from math import hypot
from pathlib import Path

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat.comparison import Side, differences
from acpcbot.evaluation.aivat.estimates import MBB, SeatedHand, chips_estimate, seated_hands
from acpcbot.logs.match_log import HandRecord, read_match_log
from tests.support.games import KUHN, LEDUC, definition_of
from tests.support.matches import plan_of, play

NUM_DEALS = 60
BIG_BLIND = definition_of(LEDUC).big_blind or 1
EQUILIBRIUM = "strategies/leduc.limit.2p/dcfr"
SIMILAR = f"{EQUILIBRIUM}?play=threshold:0.15"
AGENTS = "tight", "call", "random", EQUILIBRIUM, SIMILAR


def side_of(folder: Path, *strategies: str, game: str = LEDUC, **changes: object) -> Side:
    """Play a duplicate match, and return the hands of the first of its *strategies*."""
    folder.mkdir()
    play(plan_of(*strategies, game=game, num_hands=NUM_DEALS, is_duplicate=True, **changes), folder)
    records, keys = [], []
    for table in range(2):
        for entry in read_match_log(folder / f"table{table:03d}.log", definition_of(game)):
            if isinstance(entry, HandRecord):
                records.append(entry)
                keys.append((table, entry.hand_id))
    hands = seated_hands(records, [record.hand_id for record in records], records[0].names[0])
    return Side(hands, keys, {"chips": np.array([hand.chips for hand in hands])})


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Side]:
    """Agents against the one that always raises, with the same deals."""
    folder = tmp_path_factory.mktemp("matches")
    return {name: side_of(folder / Path(name).name, name, "raise") for name in AGENTS}


def part(side: Side, places: Sequence[int]) -> Side:
    """The hands of *side* at *places*."""
    return Side(
        [side.hands[place] for place in places],
        [side.keys[place] for place in places],
        {name: chips[list(places)] for name, chips in side.chips.items()},
    )


def changed(side: Side, hands: Sequence[SeatedHand]) -> Side:
    return replace(side, hands=hands)


def test_a_difference_is_that_of_the_two_results(sides: dict[str, Side]) -> None:
    (found,) = differences(sides["tight"], sides["call"])
    own, other = (chips_estimate(sides[name].hands).mean_mbb for name in ("tight", "call"))
    assert (found.first_mbb, found.second_mbb) == pytest.approx((own, other))
    assert found.mean_mbb == pytest.approx(own - other)
    assert (found.num_hands, found.num_deals) == (2 * NUM_DEALS, NUM_DEALS)
    (back,) = differences(sides["call"], sides["tight"])
    assert back.mean_mbb == pytest.approx(-found.mean_mbb)
    assert back.half_width_mbb == pytest.approx(found.half_width_mbb)


def test_a_difference_has_a_narrower_interval_than_two_results(sides: dict[str, Side]) -> None:
    """Of similar agents by half or more: what one lost in luck, so did the other."""
    (found,) = differences(sides[EQUILIBRIUM], sides[SIMILAR])
    halves = [chips_estimate(sides[name].hands).half_width_mbb for name in (EQUILIBRIUM, SIMILAR)]
    assert 0 < found.half_width_mbb < 0.5 * hypot(*halves)


def test_an_agent_against_itself_has_no_difference(sides: dict[str, Side]) -> None:
    (found,) = differences(sides["call"], sides["call"])
    assert (found.mean_mbb, found.half_width_mbb) == (0, 0)


def test_hands_are_paired_by_their_keys_and_not_by_their_places(sides: dict[str, Side]) -> None:
    """The second match has hands in another order, and lacks some."""
    own, other = sides["tight"], sides["random"]
    places = list(np.random.default_rng(4).permutation(len(other.hands))[:70])
    (found,) = differences(own, part(other, places))
    (expected,) = differences(part(own, sorted(places)), part(other, sorted(places)))
    assert asdict(found) == pytest.approx(asdict(expected))
    assert found.num_hands == 70
    gains = [own.hands[place].chips - other.hands[place].chips for place in places]
    assert found.mean_mbb == pytest.approx(np.mean(gains) * MBB / BIG_BLIND)


def test_only_estimators_of_both_sides_are_compared(sides: dict[str, Side]) -> None:
    own, other = sides["tight"], sides["call"]
    more = {**own.chips, "AIVAT": own.chips["chips"] / 2}
    assert [found.name for found in differences(replace(own, chips=more), other)] == ["chips"]
    both = {**other.chips, "AIVAT": other.chips["chips"] / 2}
    chips, half = differences(replace(own, chips=more), replace(other, chips=both))
    assert half.mean_mbb == pytest.approx(chips.mean_mbb / 2)


def refusal(first: Side, second: Side) -> str:
    with pytest.raises(UsageError) as caught:
        differences(first, second)
    return str(caught.value)


def test_matches_that_do_not_fit_are_refused(sides: dict[str, Side], tmp_path: Path) -> None:
    own, other = sides["tight"], sides["call"]
    assert "no hands with the same numbers" in refusal(part(own, [0, 1]), part(other, [2, 3]))
    assert "no hands with the same numbers" in refusal(part(own, []), other)
    kuhn = side_of(tmp_path / "kuhn", "call", "raise", game=KUHN)
    assert "different games" in refusal(own, kuhn)
    deals = side_of(tmp_path / "deals", "call", "raise", seed=4)
    assert "have other cards or seats" in refusal(own, deals)
    seats = changed(other, [replace(hand, hero=1 - hand.hero) for hand in other.hands])
    assert "have other cards or seats" in refusal(own, seats)
    rivals = side_of(tmp_path / "rivals", "call", "tight")
    assert "have different opponents, raise and tight" in refusal(own, rivals)
    assert "hand 0 of the first match" in refusal(own, rivals)


def test_other_boards_are_other_cards(sides: dict[str, Side]) -> None:
    """A board that ends with the hand earlier is the same as far as it goes."""
    own = sides["call"]
    place = next(number for number, hand in enumerate(own.hands) if hand.hand.board)
    hand = own.hands[place]
    spare = next(
        card for card in range(52) if card not in hand.hand.board + sum(hand.hand.hole_cards, ())
    )
    hands = list(own.hands)
    hands[place] = replace(hand, hand=replace(hand.hand, board=(spare,)))
    assert "have other cards or seats" in refusal(own, changed(own, hands))
