"""``acpcbot explain``: what it prints, whom it judges, and what it says where luck cannot be
told.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from acpcbot.cli.dispatch import main
from tests.cli.running import REFUSAL
from tests.support.games import KUHN, LEDUC
from tests.support.matches import plan_of, play
from tests.support.rounding import same_but_rounding
from tests.support.small_games import KUHN_3P

EQUILIBRIUM = "strategies/leduc.limit.2p/dcfr"
LINE = "STATE:7:rrc/crc:Ah|Kh/Ks:-9|9:ann|bob"
OTHER_DECK = "STATE:7:rrc/crc:4d|3d/3c:-9|9:ann|bob"


def log_of(folder: Path, *lines: str, game: str = LEDUC) -> str:
    path = folder / "foreign.log"
    path.write_text(
        "\n".join([f"# name/game/hands/seed m {game}.game 1 1", *lines, ""]), encoding="latin-1"
    )
    return str(path)


def printed(capfd: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["explain", *words]) == 0
    captured = capfd.readouterr()
    assert captured.err == ""
    return captured.out


def parsed(capfd: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    hands: list[dict[str, Any]] = json.loads(printed(capfd, *words, "--format", "json"))
    return hands


def test_a_foreign_log_is_explained_street_by_street(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = printed(capfd, log_of(tmp_path, LINE), "--hand", "7", "--strategy", EQUILIBRIUM)
    assert "seat 2  bob  Kh  +9 chips\n" in text
    streets = re.findall(r"^(preflop|flop Ks)$", text, re.MULTILINE)
    assert streets == ["preflop", "flop Ks"]
    assert re.findall(
        r"^  (\w+), pot (\d+), (\d) to call: (\w+), 0\.\d{4}|1\.0000", text, re.MULTILINE
    )[:2] == [
        ("ann", "2", "0", "raise"),
        ("bob", "4", "2", "raise"),
    ]
    assert len(re.findall(r"^    range  .* of +[0-9.]+ % of all hands$", text, re.MULTILINE)) == 6
    assert "ann: -9 chips = -0.0856 by AIVAT, -8.9144 by luck" in text
    assert re.search(r"^  flop Ks +-\d+\.\d{4}  for bob$", text, re.MULTILINE)


@pytest.mark.parametrize("name", ["ann", "bob"])
def test_the_numbers_of_an_account_add_up_in_text_and_json(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = [log_of(tmp_path, LINE), "--hand", "7", "--strategy", EQUILIBRIUM, "--player", name]
    (hand,) = parsed(capfd, *words)
    (account,) = hand["accounts"]
    assert (
        {decision["seat"] for decision in hand["decisions"]}
        == {account["seat"]}
        == {1 + (name == "bob")}
    )
    lucks = [luck["chips"] for luck in account["lucks"]]
    assert account["value_chips"] + sum(lucks) == pytest.approx(account["chips"], abs=1e-9)
    assert account["chips"] == (-9 if name == "ann" else 9)
    lines = printed(capfd, *words).rpartition("by luck\n")[2].splitlines()
    assert [float(re.split(" {2,}", line.strip())[1]) for line in lines] == pytest.approx(
        lucks, abs=1e-4
    )


def test_the_deck_of_other_servers_is_the_same_game(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Their diamonds are our spades: the suits are exchanged, so sums go over the hands in
    another order.

    On some processors (SkylakeX kernels of OpenBLAS) these differ in the last bit.
    """
    words = ["--hand", "7", "--strategy", EQUILIBRIUM]
    (ours,) = parsed(capfd, log_of(tmp_path, LINE), *words)
    (theirs,) = parsed(capfd, log_of(tmp_path, OTHER_DECK), *words)
    assert theirs["board"] == ["", "3c"]
    assert same_but_rounding(theirs["decisions"], ours["decisions"])
    assert same_but_rounding(theirs["accounts"], ours["accounts"])


def test_a_deal_of_a_duplicate_match_is_explained_in_both_seatings(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    plan = plan_of(
        "strategies/kuhn.limit.2p/dcfr", "call", game=KUHN, num_hands=5, is_duplicate=True
    )
    plan.save(tmp_path / "m")
    play(plan, tmp_path / "m")
    hands = parsed(
        capfd, str(tmp_path / "m"), "--hand", "3", "--strategy", "call", "--player", "call"
    )
    assert {hand["players"][0]["name"] for hand in hands} == {"call", "dcfr"}
    assert all(
        decision["probabilities"] == [1.0] for hand in hands for decision in hand["decisions"]
    )


def test_games_of_three_have_an_account_for_each(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = log_of(tmp_path, "STATE:0:crfc:Ks|As|Qs:-2|3|-1:a|b|c", game=KUHN_3P)
    (hand,) = parsed(capfd, log, "--hand", "0", "--strategy", "strategies/kuhn.limit.3p/dcfr")
    assert [account["seat"] for account in hand["accounts"]] == [1, 2, 3]
    assert sum(account["value_chips"] for account in hand["accounts"]) == pytest.approx(0, abs=1e-6)


def test_without_values_the_decisions_are_shown_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = [log_of(tmp_path, LINE), "--hand", "7", "--strategy", "call", "--player", "bob"]
    text = printed(capfd, *words)
    assert "bob, pot 4, 2 to call: raise, never" in text
    assert text.count("no hand would have been played like this") == 1
    assert text.endswith(
        "luck and play are not told apart: call knows no values of hands; --values names a trained strategy\n"
    )
    note = printed(capfd, *words, "--values", EQUILIBRIUM).splitlines()[-1]
    assert note.startswith("luck and play are not told apart: the strategy of seat 2")


def test_names_cannot_command_the_terminal(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = log_of(tmp_path, LINE.replace("ann", "[red]ann[/]\x1b[2J"))
    text = printed(capfd, log, "--hand", "7", "--strategy", "call")
    assert "\x1b" not in text
    assert "[red]ann[/]" in text


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--hand", "8", "--strategy", "call"], "no hand 8"),
        (["--hand", "7", "--strategy", "call", "--player", "cid"], "cid did not play"),
        (["--hand", "7", "--strategy", "nosuch"], "nosuch"),
        (["--hand", "7", "--strategy", "strategies/kuhn.limit.2p/dcfr"], "kuhn.limit.2p"),
        (
            ["--hand", "7", "--strategy", "call", "--values", "strategies/kuhn.limit.2p/dcfr"],
            "kuhn.limit.2p",
        ),
        (["--hand", "7", "--strategy", f"{EQUILIBRIUM}?play=greedy"], "cannot be played as greedy"),
        (["--hand", "7"], "--strategy"),
    ],
)
def test_hands_that_cannot_be_explained_are_refused(
    words: list[str], problem: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", log_of(tmp_path, LINE), *words]) == 1
    captured = capfd.readouterr()
    assert captured.out == ""
    assert REFUSAL.fullmatch(captured.err)
    assert problem in captured.err


def test_costs_stand_in_text_and_json(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Catches values of another decision, chips for big blinds, and a sum that is another's."""
    words = [log_of(tmp_path, LINE), "--hand", "7", "--strategy", EQUILIBRIUM, "--player", "bob"]
    (hand,) = parsed(capfd, *words)
    found = [decision["judged"] for decision in hand["decisions"]]
    for decision, judged in zip(hand["decisions"], found, strict=True):
        assert judged["is_exact"] is True
        assert judged["taken"] == decision["taken"]
        assert judged["actions"] == decision["actions"]
        assert judged["probabilities"] == decision["probabilities"]
        mixed = sum(
            probability * value
            for probability, value in zip(judged["probabilities"], judged["values_bb"], strict=True)
        )
        assert judged["strategy_value_bb"] == pytest.approx(mixed, abs=1e-12)
        assert judged["cost_bb"] == pytest.approx(mixed - judged["taken_value_bb"], abs=1e-12)
        best = max(judged["probabilities"])
        assert judged["preferred"] == judged["actions"][judged["probabilities"].index(best)]
    text = printed(capfd, *words)
    costs = [float(cost) for cost in re.findall(r"^    cost   (\S+) bb, exact", text, re.MULTILINE)]
    assert costs == pytest.approx([judged["cost_bb"] for judged in found], abs=6e-5)
    total = re.search(r"^bob: 2 decisions cost (\S+) bb$", text, re.MULTILINE)
    assert total is not None
    assert float(total[1]) == pytest.approx(sum(costs), abs=2e-4)
    assert printed(capfd, *words, "--json") == printed(capfd, *words, "--format", "json")


def test_costs_can_be_left_out(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Catches values that are worked out where nobody asked for them."""
    words = [log_of(tmp_path, LINE), "--hand", "7", "--strategy", EQUILIBRIUM, "--deals", "0"]
    assert " cost " not in printed(capfd, *words)
    (hand,) = parsed(capfd, *words)
    assert all(decision["judged"] is None for decision in hand["decisions"])


def test_without_a_hand_all_decisions_are_summed_up(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Catches hands or decisions that are left out, and spots that are not the dearest."""
    lines = [LINE, "STATE:8:crc/crf:Qh|Ks/Ah:-3|3:ann|bob", "STATE:9:rf:Ks|Ah:1|-1:bob|ann"]
    log = log_of(tmp_path, *lines)
    words = [log, "--strategy", EQUILIBRIUM]
    single = {
        number: parsed(capfd, log, "--hand", number, "--strategy", EQUILIBRIUM)[0]
        for number in ("7", "8", "9")
    }
    found: dict[str, Any] = json.loads(printed(capfd, *words, "--json"))
    assert [player["name"] for player in found["players"]] == ["ann", "bob"]
    for player in found["players"]:
        own = [
            (int(number), decision["judged"])
            for number, hand in single.items()
            for decision in hand["decisions"]
            if hand["players"][decision["seat"] - 1]["name"] == player["name"]
        ]
        costs = [judged["cost_bb"] for _, judged in own]
        assert player["hands"] == 3
        assert player["total"]["decisions"] == len(own)
        for name in ("by_street", "by_position", "by_kind"):
            assert sum(group["decisions"] for group in player[name]) == len(own)
            assert sum(group["cost_bb"] for group in player[name]) == pytest.approx(sum(costs))
        dearest = sorted(costs, reverse=True)[: len(player["most_expensive"])]
        assert [spot["cost_bb"] for spot in player["most_expensive"]] == pytest.approx(dearest)
        for spot in player["most_expensive"]:
            assert any(
                number == spot["hand"] and judged["place"] == spot["place"]
                for number, judged in own
            )
    text = printed(capfd, *words, "--player", "ann")
    assert text.startswith(f"3 hands, judged by {EQUILIBRIUM}\n\nann: ")
    assert "\nbob: " not in text


def test_a_strategy_that_searches_has_no_costs(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Catches a search for every state below every action."""
    lines = "STATE:0:cc/cc:Ah|Kh/Ks:-100|100:ann|bob"
    log = log_of(tmp_path, lines, game="leduc.nolimit.2p")
    words = ["--hand", "0", "--strategy", "strategies/leduc.nolimit.2p/search", "--player", "ann"]
    text = printed(capfd, log, *words)
    assert "costs are not known: strategies/leduc.nolimit.2p/search" in text
