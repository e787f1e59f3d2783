"""Laws of the whole report, further columns, all-in luck, and the numbers of recorded matches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from acpcbot.logs.match_log import SeatingTotals
from acpcbot.poker.all_in import all_in_payoffs, all_in_street
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hand_classes import class_name, class_numbers
from acpcbot.reports.all_in import all_ins, without_all_in_luck
from acpcbot.reports.groupings import GROUPS, group_numbers, seat_labels
from acpcbot.reports.hands import HandTable, read_hands
from acpcbot.reports.summary import ALL_IN, CHIPS, NUM_POTS, Summary, summarise
from tests.protocol.log_making import SHARED, hands, match_log
from tests.reports.logs import NOLIMIT_HEADER, table_of
from tests.support.games import (
    ALL_GAMES,
    KUHN,
    LEDUC_NOLIMIT,
    LIMIT_3P,
    NOLIMIT_2P,
    NOLIMIT_3P,
    NOLIMIT_6P,
    definition_of,
)


@pytest.mark.parametrize("game_name", ALL_GAMES)
def test_every_grouping_adds_up_to_the_total(game_name: str, tmp_path: Path) -> None:
    """Catches rows that are in no group, or in two."""
    summary = summarise(table_of(tmp_path, match_log(game_name, 40), game_name))
    for player in summary.players:
        for groups in player.groups.values():
            assert sum(found[CHIPS].num_hands for found in groups.values()) == player.num_hands
            assert sum(found[CHIPS].chips for found in groups.values()) == pytest.approx(
                player.total[CHIPS].chips
            )
    assert sum(player.total[CHIPS].chips for player in summary.players) == pytest.approx(
        0, abs=1e-4
    )
    assert (
        sum(player.num_hands for player in summary.players)
        == 40 * definition_of(game_name).num_players
    )


@pytest.mark.parametrize("game_name", [NOLIMIT_2P, NOLIMIT_6P, KUHN])
def test_totals_are_those_of_a_plain_sum(game_name: str, tmp_path: Path) -> None:
    """Catches chips of somebody else."""
    lines = match_log(game_name, 50)
    totals = SeatingTotals()
    for hand in hands(lines):
        totals.add(hand)
    summary = summarise(table_of(tmp_path, lines, game_name))
    assert {player.name: player.total[CHIPS].chips for player in summary.players} == pytest.approx(
        totals.by_name()
    )


def test_groups_are_what_their_labels_say(tmp_path: Path) -> None:
    """Catches labels that moved against their groups."""
    lines = [
        NOLIMIT_HEADER,
        "STATE:0:r300f:QcKc|4d2h:-100|100:A|B",
        "STATE:1:cr300c/cr600c/cc/r700f:7hTh|4d5s/2c3c8d/Ks/Kd:600|-600:B|A",
    ]
    (first, second) = (player.groups for player in summarise(table_of(tmp_path, lines)).players)
    assert {label: found[CHIPS].chips for label, found in first["seat"].items()} == {
        "1 BB": 600,
        "2 SB": 100,
    }
    assert {label: found[CHIPS].chips for label, found in first["last street"].items()} == {
        "preflop": 100,
        "river": 600,
    }
    assert {label: found[CHIPS].chips for label, found in second["showdown"].items()} == {
        "no showdown": -700
    }
    assert {label: found[CHIPS].chips for label, found in second["hand"].items()} == {
        "KQs": -100,
        "54o": -600,
    }
    assert list(second["hand group"]) == ["suited K-T", "offsuit others"]
    assert list(first["pot"]) == ["under 3 bb", "12 to 25 bb"]


def test_pots_are_the_biggest_with_the_place_to_find_them(tmp_path: Path) -> None:
    """Catches pots in the wrong order, and lines of another hand."""
    table = table_of(tmp_path, match_log(NOLIMIT_6P, 50), NOLIMIT_6P)
    pots = summarise(table).pots
    assert [pot.chips for pot in pots] == sorted(table.pot_chips.tolist(), reverse=True)[:NUM_POTS]
    for pot in pots:
        line = (tmp_path / pot.source).read_text().splitlines()[pot.line_number - 1]
        assert line.startswith(f"STATE:{pot.hand_id}:")
        assert sum(pot.won_chips.values()) == pytest.approx(0, abs=1e-5)


def test_columns_of_others_are_joined_by_hand_and_player(tmp_path: Path) -> None:
    """Catches values of another seat, and hands without a value counted as zero."""
    table = table_of(tmp_path, match_log(NOLIMIT_3P, 20), NOLIMIT_3P)
    values = np.arange(60.0).reshape(20, 3)
    values[:5, 1] = np.nan
    found = {
        player.name: player for player in summarise(table, extra_columns={"AIVAT": values}).players
    }
    totals = {name: player.total["AIVAT"] for name, player in found.items()}
    assert totals["Alice"].chips == values[:, 0].sum()
    assert (totals["Bob"].num_hands, totals["Bob"].chips) == (15, values[5:, 1].sum())
    by_seat = found["Cara"].groups["seat"].values()
    assert sum(columns["AIVAT"].chips for columns in by_seat) == values[:, 2].sum()


@pytest.mark.parametrize("game_name", [LEDUC_NOLIMIT, "test.nolimit.10p"])
def test_all_in_luck_is_averaged_in_the_hands_that_had_it(game_name: str, tmp_path: Path) -> None:
    """Catches hands passed over, other hands changed, and boards drawn from the wrong deck."""
    lines = match_log(game_name, 60)
    table = table_of(tmp_path, lines, game_name)
    found = [all_in for all_in in all_ins(table) if all_in.num_boards < 100_000]
    assert found
    chips = without_all_in_luck(table, found)
    places = [all_in.hand for all_in in found]
    for row, hand in enumerate(hands(lines, definition_of(game_name))):
        street = all_in_street(hand.betting)
        assert (street is not None) == (row in {all_in.hand for all_in in all_ins(table)})
        if row in places and street is not None:
            board = hand.board[: hand.game.definition.board_size(street)]
            deck = hand.game.definition.deck
            assert tuple(chips[row]) == all_in_payoffs(
                hand.betting, hand.hole_cards, board, deck=deck
            )
        else:
            assert tuple(chips[row]) == hand.values


def test_two_outs_on_the_turn_are_two_in_forty_four(tmp_path: Path) -> None:
    """Catches a deck that still holds cards that are out, and a river card taken for known."""
    lines = [NOLIMIT_HEADER, "STATE:0:cc/cc/r20000c/:AsAh|KsKh/2c3d7s/9d/Kd:-20000|20000:A|B"]
    table = table_of(tmp_path, lines)
    summary = summarise(table, all_in_chips=without_all_in_luck(table, all_ins(table)))
    assert summary.columns == (CHIPS, ALL_IN)
    assert summary.players[1].total[ALL_IN].chips == pytest.approx(40_000 * 42 / 44 - 20_000)


def test_classes_and_groups_fill_the_chart() -> None:
    """Catches two cells with one name, and a class without a group."""
    names = [class_name(number, 2) for number in range(169)]
    assert len(set(names)) == 169
    groups = group_numbers(np.arange(169))
    of_group = {
        GROUPS[group]: [name for name, found in zip(names, groups, strict=True) if found == group]
        for group in range(9)
    }
    assert sum(map(len, of_group.values())) == 169
    assert [len(of_group[group]) for group in GROUPS] == [5, 8, 12, 6, 8, 52, 12, 6, 60]
    assert {"AA", "TT"} <= set(of_group["pairs AA-TT"])
    assert {"KQs", "JTs"} <= set(of_group["suited K-T"])
    assert {"T9s", "32s"} <= set(of_group["suited neighbours"])


def test_classes_do_not_depend_on_the_order_of_the_cards(tmp_path: Path) -> None:
    """Catches 54 and 45 as two hands."""
    lines = [NOLIMIT_HEADER, "STATE:0:f:QcKc|4d5h:50|-50:A|B", "STATE:1:f:5h4d|KcQc:50|-50:B|A"]
    classes = class_numbers(table_of(tmp_path, lines).hole_cards)
    assert [[class_name(number, 2) for number in row] for row in classes.tolist()] == [
        ["KQs", "54o"],
        ["54o", "KQs"],
    ]


@pytest.mark.parametrize(
    ("game_name", "labels"),
    [
        (NOLIMIT_2P, ("1 BB", "2 SB")),
        (LIMIT_3P, ("1 SB", "2 BB", "3 BTN")),
        (NOLIMIT_6P, ("1 SB", "2 BB", "3 UTG", "4 HJ", "5 CO", "6 BTN")),
        (KUHN, ("1", "2")),
    ],
)
def test_seats_are_called_what_players_call_them(game_name: str, labels: tuple[str, ...]) -> None:
    """Catches a button at the wrong seat."""
    assert seat_labels(definition_of(game_name)) == labels


def recorded(pattern: str, definition: GameDefinition | None = None) -> tuple[HandTable, Summary]:
    paths: Iterable[Path] = sorted((SHARED / "data").glob(pattern))
    if not paths:
        pytest.skip(f"no {pattern} at {SHARED / 'data'}")
    table = read_hands(list(paths), definition)
    return table, summarise(table)


def chips_of(summary: Summary, name: str) -> float:
    return next(player.total[CHIPS].chips for player in summary.players if player.name == name)


@pytest.mark.slow
def test_pluribus_won_what_was_published() -> None:
    """Catches six-player rows and logs without headers."""
    table, summary = recorded(
        "pluribus/*.log", replace(definition_of(NOLIMIT_6P), stacks=(10_000,) * 6)
    )
    assert (table.num_hands, summary.num_deals, len(summary.players)) == (5_070, 5_070, 14)
    assert chips_of(summary, "Pluribus") == -14_321.5


@pytest.mark.slow
def test_deepstack_won_what_was_published() -> None:
    """Catches players of several logs mixed up.

    The published mean is over each player's first 3,000 hands.
    """
    table, summary = recorded("deepstack_aivat/*.log", definition_of(NOLIMIT_2P))
    assert (table.num_hands, len(summary.players)) == (18_271, 18)
    agent = table.players.index("DeepStack")
    starts = np.searchsorted(table.source, np.arange(len(table.sources)))
    counted = np.arange(table.num_hands) - starts[table.source] < 3000
    chips = table.chips[counted][table.player[counted] == agent]
    assert (len(chips), chips.mean() * 10) == (18_119, pytest.approx(524.28, abs=0.005))
    assert chips.std(ddof=1) / 100 == pytest.approx(22.381, abs=0.0005)


@pytest.mark.slow
def test_fifty_thousand_hands_of_leduc_add_up() -> None:
    """Catches the small deck of the highest suits."""
    _, summary = recorded("leduc_acpc/sample_log-large.log")
    assert (summary.num_hands, chips_of(summary, "Random_1")) == (50_000, 48_745)


@pytest.mark.parametrize("name", ["2p.limit", "2p.nolimit", "3p.limit", "3p.nolimit"])
def test_logs_of_the_official_dealer_add_up_to_their_scores(name: str) -> None:
    """Catches anything that a real dealer writes and we do not."""
    path = f"acpc_dealer_logs/{name}.h1000.r0.log"
    _, summary = recorded(path)
    score = (SHARED / "data" / path).read_text().rsplit("SCORE:", 1)[1].split(":")
    expected = dict(zip(score[1].strip().split("|"), map(float, score[0].split("|")), strict=True))
    assert {player.name: player.total[CHIPS].chips for player in summary.players} == pytest.approx(
        expected
    )


def test_a_player_in_two_seats_wins_nothing_for_sure(tmp_path: Path) -> None:
    """Catches one seat of a bot that plays itself left out, or both taken for independent."""
    table = table_of(tmp_path, match_log(NOLIMIT_2P, 20, names=("Ann", "Ann")))
    (player,) = summarise(table).players
    total = player.total[CHIPS]
    assert (total.num_hands, total.chips, total.half_width_mbb) == (40, 0, 0)
