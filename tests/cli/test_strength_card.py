"""Strength cards: which figures of a manifest's records are read, and which one stands in front."""

from __future__ import annotations

import pytest

from acpcbot.cli.strength_card import headline, measurements

TRAINED = {
    "measured": "by training",
    "nash_conv": 0.004,
    "exploitability": 0.002,
    "largest_gain": 1,
}
PLAYED = {
    "call_mbb": 215.6,
    "call_mbb_ci": 1.49,
    "s/leduc/uct_mbb": -96.25,
    "s/leduc/uct_mbb_ci": 4,
}
LOCAL = {"lbr_fc_mbb": 41.3, "lbr_fc_mbb_ci": 50.9, "lbr_fcpa_mbb": 1434.8, "lbr_fcpa_mbb_ci": 198}

BOUNDS = {
    "exploitability_low_mbb": 301.5,
    "exploitability_high_mbb": 311.7,
    "exploitability_high_mbb_ci": 60.0,
}


@pytest.mark.parametrize(
    ("strength", "text"),
    [
        ([PLAYED, LOCAL, TRAINED], "exploitable 2"),
        ([PLAYED, LOCAL], "LBR fcpa 1435 ± 198"),
        ([BOUNDS, PLAYED, LOCAL], "exploitable ≤ 312 ± 60"),
        ([BOUNDS, TRAINED], "exploitable 2"),
        ([PLAYED], "uct -96.2 ± 4"),
        ([TRAINED, {"exploitability_mbb": 21.6}], "exploitable 21.6"),
        ([{"exploitability": 4.5e-12}], "exploitable < 0.001"),
        ([{"call_mbb": 3}], "call +3"),
    ],
)
def test_the_figure_that_says_most_stands_in_front(
    strength: list[dict[str, object]], text: str
) -> None:
    found = headline(measurements(strength))
    assert found is not None
    assert found.text == text


def test_a_later_figure_of_the_same_thing_replaces_the_earlier_one() -> None:
    found = measurements([{"lbr_fc_mbb": 40.0}, {"lbr_fc_mbb": 50.0, "lbr_fc_mbb_ci": 5.0}])
    assert [(figure.mbb, figure.half_width_mbb) for figure in found] == [(50.0, 5.0)]


def test_a_card_without_a_figure_leaves_it_out() -> None:
    """Caught: a bool, a word or a sum of gains taken for winnings."""
    assert (
        measurements([{"old": 1, "exploitability": True, "call_mbb": "9", "nash_conv_mbb": 2}])
        == []
    )
    assert measurements([{"exploitability_low_mbb": 3.0}, {"exploitability_high_mbb": 3.0}]) == []
    assert headline([]) is None
