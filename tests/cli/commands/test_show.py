"""``acpcbot show``: the probabilities of a state, for strategies whose numbers are known."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from acpcbot.cards.deck import RANKS
from acpcbot.cli.dispatch import main
from acpcbot.strategies.files import save_snapshot
from tests.cli.running import acpcbot
from tests.strategies.menu_snapshots import saved_menu_snapshot
from tests.strategies.random_snapshots import content_of, game_of, saved
from tests.support.games import KUHN, LEDUC, LEDUC_NOLIMIT, LIMIT_2P

SOG = Path(__file__).parents[3] / "strategies" / "leduc.limit.2p" / "sog"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def out(capfd: pytest.CaptureFixture[str], *words: str) -> list[str]:
    status = main(["show", *words])
    captured = capfd.readouterr()
    assert (status, captured.err) == (0, "")
    return captured.out.splitlines()


def kuhn_with_known_numbers() -> None:
    """Each bucket's first decision, from queens up: check 90, 75 and 10 per cent."""
    layout = game_of(KUHN).layout
    policy = game_of(KUHN).normalised(np.zeros(layout.num_slots))
    rows = layout.street_rows(policy, 0)
    rows[:, :2] = [[0.9, 0.1], [0.75, 0.25], [0.1, 0.9]]
    save_snapshot(Path("x"), content_of(KUHN, policy=policy, greedy=None))


def test_a_small_game_has_a_line_for_the_cards_in_hand_and_one_for_each_rank(
    capfd: pytest.CaptureFixture[str],
) -> None:
    kuhn_with_known_numbers()
    assert out(capfd, "x", "MATCHSTATE:0:3::Ks|") == [
        "kuhn.limit.2p, played as average",
        "preflop, seat 1 to act",
        "",
        "Ks  call 0.7500  raise 0.2500",
        "",
        "A  call 0.1000  raise 0.9000",
        "K  call 0.7500  raise 0.2500",
        "Q  call 0.9000  raise 0.1000",
    ]


def test_the_way_of_playing_changes_the_output(capfd: pytest.CaptureFixture[str]) -> None:
    kuhn_with_known_numbers()
    lines = out(capfd, "x?play=threshold:0.2", "MATCHSTATE:0:3::Ks|")
    assert lines[0] == "kuhn.limit.2p, played as threshold:0.2"
    assert lines[3:] == [
        "Ks  call 0.7500  raise 0.2500",
        "",
        "A  call 0.0000  raise 1.0000",
        "K  call 0.7500  raise 0.2500",
        "Q  call 1.0000  raise 0.0000",
    ]


def test_small_decks_may_be_named_by_either_convention(capfd: pytest.CaptureFixture[str]) -> None:
    """Older servers deal Kuhn's king as a three."""
    kuhn_with_known_numbers()
    assert out(capfd, "x", "MATCHSTATE:0:3::3c|")[3] == "Ks  call 0.7500  raise 0.2500"


def test_without_the_actors_cards_there_is_the_range_alone(
    capfd: pytest.CaptureFixture[str],
) -> None:
    kuhn_with_known_numbers()
    lines = out(capfd, "x", "MATCHSTATE:1:3::|As")
    assert lines[1:3] == ["preflop, seat 1 to act", ""]
    assert lines[3] == "A  call 0.1000  raise 0.9000"


def test_show_prints_a_chart_of_all_holdem_hands(capfd: pytest.CaptureFixture[str]) -> None:
    """A strategy that raises with aces and folds the rest, on a flop with two aces."""
    layout = game_of(LIMIT_2P).layout
    policy = game_of(LIMIT_2P).normalised(np.zeros(layout.num_slots))
    rows = layout.street_rows(policy, 0)
    rows[:, :3] = [1.0, 0.0, 0.0]
    rows[168, :3] = [0.0, 0.0, 1.0]
    save_snapshot(Path("x"), content_of(LIMIT_2P, policy=policy, greedy=None))
    lines = out(capfd, "x", "MATCHSTATE:1:0::|AsAd")
    assert lines[:5] == [
        "holdem.limit.2p.reverse_blinds, played as average",
        "preflop, seat 2 to act",
        "",
        "AsAd  fold 0.0000  call 0.0000  raise 1.0000",
        "",
    ]
    assert lines[5] == "raise/call in per cent, else fold"
    assert lines[6].split() == list(reversed(RANKS))
    assert lines[7].split() == ["A", "100/0", *["0/0"] * 12]
    assert [line.split()[1:] for line in lines[8:]] == [["0/0"] * 13] * 12
    assert len(lines) == 20


def test_a_chart_after_the_flop_tells_the_board_and_leaves_its_cards_out(
    capfd: pytest.CaptureFixture[str],
) -> None:
    saved(Path("x"), LIMIT_2P)
    lines = out(capfd, "x", "MATCHSTATE:0:0:cc/:KsKd|/AcAdAh")
    assert lines[1] == "flop, seat 1 to act, board AcAdAh"
    assert lines[3].startswith("KsKd  call ")
    assert [line.split()[1] for line in lines if line.startswith("A ")] == ["-"]


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["x", ""], "MATCHSTATE:"),
        (["x", "MATCHSTATE:0:0::|"], "own hole cards"),
        (["x", "MATCHSTATE:0:0::As|As"], "different cards"),
        (["x", "MATCHSTATE:0:0::2h|"], "cards of this game"),
        (["x", "MATCHSTATE:0:0:cc:As|Ks"], "the hand is over"),
        (["x", "# a remark"], "not one state"),
        (["x", "MATCHSTATE:0:0::As|\nMATCHSTATE:0:0:c:As|"], "not one state"),
        (["x", "MATCHSTATE:0:0:\u20ac:As|"], "expected"),
        (["nothing/here", "MATCHSTATE:0:0::As|"], "unknown strategy"),
        (["x?play=greedy", "MATCHSTATE:0:0::As|"], "cannot be played as greedy"),
    ],
)
def test_show_refuses_strategies_and_states_that_it_cannot_show(
    words: list[str], fault: str, capfd: pytest.CaptureFixture[str]
) -> None:
    saved(Path("x"), KUHN, greedy=None)
    assert main(["show", *words]) == 1
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert "\nhint: " in captured.err
    assert fault in captured.err


def test_a_no_limit_strategy_tells_the_sizes_that_it_would_raise_to(
    capfd: pytest.CaptureFixture[str],
) -> None:
    saved_menu_snapshot(Path("x"), LEDUC_NOLIMIT)
    known = out(capfd, "x", "MATCHSTATE:1:0:r300:|Ks")
    assert [word for word in known[3].split() if word.isdigit()] == ["600", "900", "1200"]
    between = out(capfd, "x", "MATCHSTATE:1:0:r250:|Ks")
    assert [word for word in between[3].split() if word.isdigit()] == ["500", "750", "1200"]
    for line in (known[3], between[3]):
        probabilities = [float(word) for word in line.split() if "." in word]
        assert sum(probabilities) == pytest.approx(1, abs=3e-4)


def test_a_pipe_gets_plain_text(tmp_path: Path) -> None:
    """Would catch colours, or lines wrapped at a terminal's width, in what a program reads."""
    saved(tmp_path / "x", LEDUC)
    shown = acpcbot(tmp_path, "show", "x", "MATCHSTATE:0:0:cc/:As|/Kh")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "\x1b" not in shown.stdout
    assert shown.stdout.startswith(
        "leduc.limit.2p, played as average\nflop, seat 1 to act, board Kh\n\nAs  call "
    )


def test_a_network_and_its_search_stand_side_by_side(capfd: pytest.CaptureFixture[str]) -> None:
    lines = out(capfd, f"{SOG}?s=20", "MATCHSTATE:0:0:cr:Ks|")
    assert lines[:2] == ["leduc.limit.2p, SoG(20,1) with a network", "preflop, seat 1 to act"]
    assert lines[3].startswith("Ks  fold ")
    lines = lines[1:]
    assert lines[4].split() == ["seat", "1", "belief", "network", "search"]
    assert [line[0] for line in lines[5:8]] == ["A", "K", "Q"]
    assert all(line.count("fold ") == 2 for line in lines[5:8])
    assert lines[8].split() == ["seat", "2", "belief", "network", "search"]
    assert all(len(line.split()) == 4 for line in lines[9:12])
    assert len(lines) == 12


def test_a_search_without_its_network_stands_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", f"{SOG}?s=20&network=no", "MATCHSTATE:0:0::Ks|", "--json"]) == 0
    seats = json.loads(capsys.readouterr().out)["seats"]
    assert [view["seat"] for view in seats] == [1, 2]
    assert seats[0].keys() == {"seat", "beliefs", "search_values_chips", "search_probabilities"}
    assert seats[1].keys() == {"seat", "beliefs", "search_values_chips"}
