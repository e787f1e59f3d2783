"""``acpcbot.exploitability`` and ``acpcbot.lbr``: values that are known, and their errors."""

from __future__ import annotations

import pytest

import acpcbot
from acpcbot.errors import UsageError

HOLDEM = "holdem.limit.2p.reverse_blinds/smooth_uct"


def test_the_shipped_strategy_of_leduc_is_an_equilibrium_to_a_ten_thousandth() -> None:
    """Catches a measure in other units; that OpenSpiel agrees is tested beside the strategies."""
    found = acpcbot.exploitability("leduc.limit.2p/dcfr")
    assert 0 < found.exploitability_mbb < 0.001
    assert found.nash_conv_mbb == pytest.approx(2 * found.exploitability_mbb)
    assert found.exploitability_chips == pytest.approx(found.exploitability_mbb / 1000)
    assert sum(found.values_mbb) == pytest.approx(0, abs=1e-9)
    assert all(
        best >= own for own, best in zip(found.values_mbb, found.best_values_mbb, strict=True)
    )


def test_a_calling_player_loses_the_gain_of_a_best_response() -> None:
    """Catches another best response: against a caller one raises with the better half, and the
    caller loses as much in both seats of Kuhn poker.
    """
    found = acpcbot.exploitability("call", game="kuhn.limit.2p")
    # A caller checks and calls. With an ace one bets for 2, with a jack one checks for -1, with a
    # queen either way for 0: (2 + 0 - 1) / 3 of an ante.
    assert found.best_values_mbb == pytest.approx((1000 / 3, 1000 / 3))
    assert found.values_mbb == pytest.approx((0, 0))
    assert found.exploitability_mbb == pytest.approx(1000 / 3)


def test_no_limit_games_have_the_bets_of_the_strategy_or_those_that_are_named() -> None:
    """Catches a menu that is lost: more sizes win more from the same strategy."""
    name = "leduc.nolimit.2p/external_sampling"
    own, more = acpcbot.exploitability(name), acpcbot.exploitability(name, bets="0.5,1,2,all-in")
    assert 0 < own.exploitability_mbb < more.exploitability_mbb
    with pytest.raises(UsageError, match="call has no bet sizes"):
        acpcbot.exploitability("call", game="leduc.nolimit.2p")


def test_holdem_is_too_large_whole_and_the_error_names_what_is_not() -> None:
    """Catches an error that leaves its reader alone."""
    with pytest.raises(UsageError, match="53,084,201 boards are too many") as caught:
        acpcbot.exploitability(HOLDEM)
    assert "acpcbot.lbr(strategy)" in caught.value.hint
    assert "betting=" in caught.value.hint


def test_a_river_of_holdem_is_measured_exactly_with_its_ranges() -> None:
    """Catches a start that forgets the betting: on a river best responses gain something."""
    found = acpcbot.exploitability(HOLDEM, betting="cc/cc/cc/", board="KsTd9h4s2c", threads=1)
    assert 0 < found.exploitability_mbb < 2000
    assert sum(found.values_mbb) == pytest.approx(0, abs=1e-6)


def test_more_players_are_measured_from_the_start_only() -> None:
    """Catches a board that is passed over in silence."""
    found = acpcbot.exploitability("kuhn.limit.3p/dcfr")
    assert len(found.values_mbb) == 3
    assert found.nash_conv_mbb == pytest.approx(3 * found.exploitability_mbb)
    with pytest.raises(UsageError, match="with 3 players: expected two"):
        acpcbot.exploitability("kuhn.limit.3p/dcfr", betting="c")


@pytest.mark.parametrize("deals", [3, pytest.param(100, marks=pytest.mark.slow)])
def test_local_best_response_wins_all_blinds_from_who_folds(deals: int) -> None:
    """Catches seats or units: half a blind from the small one, a whole one from the big."""
    found = acpcbot.lbr("fold", game="holdem.limit.2p.reverse_blinds", deals=deals)
    assert found.mean_mbb == pytest.approx(750, abs=found.half_width_mbb)
    assert found.num_deals == deals
    assert found.menu == "limit"
    assert repr(found).startswith("<LBR (limit) against fold in holdem.limit.2p.reverse_blinds: +")
    assert f"{found.mean_mbb:+.1f}" in found._repr_html_()


def test_faults_of_measures_are_named() -> None:
    """Catches a limit that is met far below, by an error that does not know the argument."""
    with pytest.raises(UsageError, match="expected two-player hold'em") as caught:
        acpcbot.lbr("leduc.limit.2p/dcfr")
    assert "acpcbot.exploitability" in caught.value.hint
    with pytest.raises(UsageError, match="deals=0"):
        acpcbot.lbr("fold", game="holdem.limit.2p.reverse_blinds", deals=0)
    with pytest.raises(UsageError, match="no menu 'mine'"):
        acpcbot.lbr("fold", game="holdem.limit.2p.reverse_blinds", menu="mine")


def test_measured_results_print_as_one_line() -> None:
    """Catches a dataclass that prints its fields."""
    found = acpcbot.exploitability("kuhn.limit.2p/dcfr")
    assert repr(found).startswith("<Exploitability of kuhn.limit.2p/dcfr in kuhn.limit.2p: ")
    assert "NashConv" in found._repr_html_()
