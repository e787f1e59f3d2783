"""``acpcbot report``: every form, files and folders, and when all-ins are averaged."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from acpcbot.cli.commands import report
from acpcbot.cli.dispatch import main
from acpcbot.reports.export import SUMMARY_HEADINGS
from tests.protocol.log_making import HANDS, HEADER, LOG, match_log
from tests.reports.logs import write_log
from tests.support.games import LEDUC, NOLIMIT_6P
from tests.support.matches import plan_of, play
from tests.support.unknown_player import UNKNOWN

EQUILIBRIUM = "strategies/leduc.limit.2p/dcfr"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with a log of three hands.

    In the last one both are all-in before the flop.
    """
    monkeypatch.chdir(tmp_path)
    write_log(tmp_path, LOG)
    return tmp_path


def printed(capfd: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["report", *words]) == 0
    return capfd.readouterr().out


@pytest.mark.usefixtures("folder")
def test_text_tells_result_statistics_groups_and_pots(capfd: pytest.CaptureFixture[str]) -> None:
    """Catches a table that is missing, and numbers of somebody else."""
    words = printed(capfd, "match.log")
    assert words.startswith("holdem.nolimit.2p.reverse_blinds: 3 hands, 1 log\n")
    for title in (
        "Result",
        "Statistics",
        "A by seat",
        "A by last street",
        "A by showdown",
        "A by pot",
        "Biggest pots",
    ):
        assert f"\n{title}\n" in words
    assert "+19,600" in words
    assert re.search(r"hand 2 +40,000 +400\.0 +A \+20,000 +match\.log:4\n", words)


@pytest.mark.usefixtures("folder")
def test_the_form_follows_the_files_name(capfd: pytest.CaptureFixture[str]) -> None:
    """Catches text in a file that says that it is something else."""
    for name in ("a.html", "a.json", "a.csv", "a.txt"):
        assert printed(capfd, "match.log", "-o", name) == f"{name}\n"
    assert Path("a.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert json.loads(Path("a.json").read_text(encoding="utf-8"))["num_hands"] == 3
    assert (
        Path("a.csv")
        .read_text(encoding="utf-8")
        .startswith("player,table,row,column,measure,value\n")
    )
    assert Path("a.txt").read_text(encoding="utf-8").startswith("holdem.nolimit.2p")


@pytest.mark.usefixtures("folder")
def test_json_and_csv_hold_the_same_numbers(capfd: pytest.CaptureFixture[str]) -> None:
    """Catches a form that leaves something out, or names it otherwise."""
    summary = json.loads(printed(capfd, "match.log", "--format", "json"))
    lines = csv.DictReader(printed(capfd, "match.log", "--format", "csv").splitlines())
    found = {tuple(line[name] for name in SUMMARY_HEADINGS[:-1]): line["value"] for line in lines}
    for player in summary["players"]:
        for column, won in player["total"].items():
            for measure, value in won.items():
                assert found[player["name"], "result", "", column, measure] == str(value)
        for title, groups in player["groups"].items():
            for label, columns in groups.items():
                assert found[player["name"], title, label, "chips", "chips"] == str(
                    columns["chips"]["chips"]
                )
        for rate in player["rates"]:
            assert found[player["name"], "statistics", rate["name"], "", "count"] == str(
                rate["count"]
            )


@pytest.mark.usefixtures("folder")
def test_a_single_deal_has_no_interval_in_any_form(capfd: pytest.CaptureFixture[str]) -> None:
    """Catches Infinity in JSON, which no other program reads."""
    text = printed(capfd, "match.log", "--format", "json")
    assert "Infinity" not in text
    assert (
        json.loads(text)["players"][0]["groups"]["seat"]["2 SB"]["chips"]["half_width_mbb"] is None
    )
    assert "inf" not in printed(capfd, "match.log", "--format", "csv").replace("information", "")


@pytest.mark.usefixtures("folder")
def test_rows_are_one_for_each_hand_and_seat(capfd: pytest.CaptureFixture[str]) -> None:
    """Catches columns that are shifted against each other."""
    rows = list(csv.DictReader(printed(capfd, "match.log", "--format", "rows").splitlines()))
    assert len(rows) == 6
    raiser = rows[3]
    place = ("log", "line", "hand", "seat", "player", "hole_cards", "hand_class", "chips")
    assert [raiser[name] for name in place] == [
        "match.log", "3", "1", "2", "A", "4d5s", "54o", "-300.0",
    ]  # fmt: skip
    assert [raiser[name] for name in ("put_money_in", "preflop_calls", "river_folds", "last_street")] == [
        "1", "2", "1", "river",
    ]  # fmt: skip


def test_the_folder_of_a_match_is_read_by_its_plan(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Catches a half of a duplicate match left out, and logs that need their game named."""
    plan = plan_of("random", "call", game=LEDUC, is_duplicate=True)
    plan.save(folder / "day")
    play(plan, folder / "day")
    assert printed(capfd, "day").startswith(
        "leduc.limit.2p: 40 hands, 20 deals of a duplicate match, 2 logs\n"
    )


def test_details_are_of_the_player_that_is_asked_for(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Catches an option without effect."""
    write_log(folder, match_log(NOLIMIT_6P), "six.log")
    words = printed(capfd, "six.log", "--player", "Dan", "--player", "Eve")
    assert "Dan by seat" in words
    assert "Eve by seat" in words
    assert "Alice by seat" not in words


def played(folder: Path) -> Path:
    """A duplicate match of the Leduc equilibrium, called dcfr, and of one whose strategy is unknown."""
    plan = plan_of(EQUILIBRIUM, UNKNOWN, game=LEDUC, num_hands=30, is_duplicate=True)
    plan.save(folder / "day")
    play(plan, folder / "day")
    return folder / "day"


def test_the_aivat_of_a_report_is_that_of_an_evaluation(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Catches hands, seats or players taken for others on the way to the column, and another
    interval.
    """
    day = str(played(folder))
    report = printed(capfd, day, "--known", f"dcfr={EQUILIBRIUM}")
    assert main(["evaluate", day, "--known", f"dcfr={EQUILIBRIUM}"]) == 0
    evaluated = re.findall(r"^  AIVAT +([-+.0-9]+ ± [.0-9]+)", capfd.readouterr().out, re.MULTILINE)
    rows = re.findall(r"^  (\w+) +60 +\S+ +\S+ ± \S+ +([-+.0-9]+ ± [.0-9]+)$", report, re.MULTILINE)
    by_name = dict(rows)
    assert [by_name["dcfr"], by_name["Unknown"]] == evaluated


def test_estimators_are_columns_in_every_form(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Catches a form without the column, and a zero where a player has no such value."""
    words = [str(played(folder)), "--estimator", "imaginary observations", "--estimator", "AIVAT"]
    summary = json.loads(printed(capfd, *words, "--format", "json"))
    assert summary["columns"] == ["chips", "imaginary observations", "AIVAT"]
    players = {player["name"]: player["total"] for player in summary["players"]}
    assert (
        players["dcfr"]["imaginary observations"]["num_hands"]
        == players["Unknown"]["AIVAT"]["num_hands"]
        == 60
    )
    assert players["Unknown"]["imaginary observations"]["num_hands"] == 0
    rows = list(csv.DictReader(printed(capfd, *words, "--format", "rows").splitlines()))
    assert {row["player"] for row in rows if row["imaginary_observations_chips"] == ""} == {
        "Unknown"
    }
    total = sum(float(row["aivat_chips"]) for row in rows if row["player"] == "dcfr")
    assert total == pytest.approx(players["dcfr"]["AIVAT"]["chips"])
    page = printed(capfd, *words, "--format", "html")
    assert '"columns":["imaginary observations","AIVAT"]' in page
    assert "dcfr,result,,AIVAT,mean_mbb," in printed(capfd, *words, "--format", "csv")


def test_a_player_against_itself_has_no_column_of_its_own(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Catches the value of one seat taken for both: in hands like these a player's name does
    not say which.
    """
    header = f"# name/game/hands/seed m {LEDUC}.game 1 1"
    for name, names in (("self.log", "ann|ann"), ("other.log", "ann|bob")):
        write_log(folder, [header, f"STATE:0:cc/cc:Ah|Kh/Qh:1|-1:{names}"], name)
    words = ["self.log", "other.log", "--known", f"ann={EQUILIBRIUM}", "--format", "rows"]
    rows = list(csv.DictReader(printed(capfd, *words).splitlines()))
    assert [row["aivat_chips"] == "" for row in rows] == [True, True, False, False]


@pytest.mark.usefixtures("folder")
def test_many_all_ins_are_averaged_on_demand_only(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Catches minutes spent without being asked, and luck left in without a word."""
    monkeypatch.setattr(report, "MAX_BOARDS", 1000)
    words = printed(capfd, "match.log")
    assert "the luck of 1 all-ins is not averaged out" in words
    assert "adjusted" not in words
    assert "all-in adjusted" in printed(capfd, "match.log", "--all-in")


def test_a_name_cannot_command_the_terminal(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Catches escape sequences in names, and names that rich takes for its markup."""
    write_log(folder, [HEADER, HANDS[0].replace("A|B", "[red]A[/]|\x1b[2JB")], "evil.log")
    words = printed(capfd, "evil.log")
    assert "\x1b" not in words
    assert "[red]A[/]" in words
