"""``acpcbot evaluate``: what it prints, and what it takes from a match's plan."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from acpcbot.cli.dispatch import main
from acpcbot.evaluation.aivat import self_play_values
from acpcbot.evaluation.exploitability import lbr_match
from tests.cli.running import REFUSAL
from tests.support.games import LEDUC, LEDUC_NOLIMIT, NOLIMIT_2P
from tests.support.matches import plan_of, play
from tests.support.unknown_player import UNKNOWN

EQUILIBRIUM = "strategies/leduc.limit.2p/dcfr"
NO_LIMIT = "strategies/leduc.nolimit.2p/external_sampling"
FLOP_STRATEGY = "strategies/flop_holdem.limit.2p/external_sampling"
NAMES = ["chips", "all-in equity", "imaginary observations", "MIVAT", "MIVAT, imaginary", "AIVAT"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match, which the tests only read."""
    made = tmp_path_factory.mktemp("match") / "m"
    plan = plan_of(EQUILIBRIUM, UNKNOWN, game=LEDUC, num_hands=60, is_duplicate=True)
    plan.save(made)
    play(plan, made)
    return made


def out(capfd: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["evaluate", *words]) == 0
    captured = capfd.readouterr()
    assert captured.err == ""
    return captured.out.splitlines()


def names_of(lines: list[str]) -> list[str]:
    """The estimators of the lines of one player."""
    return [line[2:].rpartition("±")[0].rsplit(None, 1)[0].strip() for line in lines]


def test_a_matchs_plan_tells_who_is_known(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lines = out(capfd, str(folder))
    assert lines[0] == "dcfr, 120 hands, 60 deals of a duplicate match"
    assert names_of(lines[1:7]) == NAMES
    assert lines[7] == "Unknown, 120 hands, 60 deals of a duplicate match"
    # Of this one nothing is known, of the opponent all.
    assert names_of(lines[8:]) == ["chips", "all-in equity", "MIVAT", "AIVAT"]


def test_the_tight_player_is_known(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Its whole range narrows the interval of the other player, too."""
    plan = plan_of(EQUILIBRIUM, "tight", game=LEDUC, num_hands=1000, is_duplicate=True)
    plan.save(tmp_path)
    play(plan, tmp_path)
    lines = out(capfd, str(tmp_path))
    assert names_of(lines[1:7]) == names_of(lines[8:]) == NAMES
    logs = [str(tmp_path / f"table00{table}.log") for table in range(2)]
    known = "--known", f"dcfr={EQUILIBRIUM}"
    without = out(capfd, *logs, "--game", LEDUC, "--player", "dcfr", *known)
    half_widths = [float(line.rpartition("±")[2].split()[0]) for line in (lines[6], without[-1])]
    assert half_widths[0] < 0.9 * half_widths[1]


def test_in_a_no_limit_game_a_stored_strategy_tells_what_hands_are_worth(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Against bets that its menu does not have; the report has the same column."""
    plan = plan_of(NO_LIMIT, "random", game=LEDUC_NOLIMIT, num_hands=150)
    plan.save(tmp_path / "m")
    play(plan, tmp_path / "m")
    lines = out(capfd, str(tmp_path / "m"), "--player", "external_sampling")
    assert names_of(lines[1:]) == NAMES
    half_widths = [float(line.rpartition("±")[2].split()[0]) for line in lines[1:]]
    assert half_widths[NAMES.index("AIVAT")] < 0.6 * half_widths[0]
    known = ["--known", f"external_sampling={NO_LIMIT}"]
    assert main(["report", str(tmp_path / "m"), *known]) == 0
    report = capfd.readouterr().out
    assert f"± {half_widths[NAMES.index('AIVAT')]}" in report


def test_logs_alone_tell_of_chips_and_what_is_told_of_the_rest(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = [str(folder / "table000.log"), "--game", LEDUC, "--player"]
    assert names_of(out(capfd, *words, "dcfr")[1:]) == NAMES[:2]
    assert names_of(out(capfd, *words, "Unknown", "--values", EQUILIBRIUM)[1:]) == [
        *NAMES[:2],
        "MIVAT",
    ]
    assert names_of(out(capfd, *words, "dcfr", "--known", f"dcfr={EQUILIBRIUM}")[1:]) == NAMES


BOT = """
from acpcbot.agents.table_agent import TableAgent
from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.agents.public_strategies import find_strategy


class Writer(TableAgent):
    def __init__(self, definition, seed):
        super().__init__(definition, seed, find_strategy({name!r}, DealSources(definition)))
"""


def test_recorded_strategies_are_found_beside_the_logs(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Over sockets; catches decisions that lie beside another log, and a file that is missed."""
    (tmp_path / "bot.py").write_text(BOT.format(name=EQUILIBRIUM), encoding="utf-8")
    folder = tmp_path / "m"
    match = [
        "match",
        f"{tmp_path / 'bot.py'}:Writer",
        "random",
        "--game",
        LEDUC,
        "--hands",
        "40",
        "--duplicate",
    ]
    assert main([*match, "-o", str(folder)]) == 0
    files = sorted(path.name for path in folder.glob("*.strategies"))
    assert files == ["table000.player0.strategies", "table001.player1.strategies"]
    capfd.readouterr()
    told = out(capfd, str(folder), "--player", "Writer", "--values", EQUILIBRIUM)
    assert names_of(told[1:]) == NAMES
    words = [f"--known=Writer=recorded:{folder / name}" for name in files]
    logs = [str(folder / f"table00{table}.log") for table in range(2)]
    assert (
        out(capfd, *logs, "--game", LEDUC, "--player", "Writer", "--values", EQUILIBRIUM, *words)[
            :6
        ]
        == told[:6]
    )
    assert main(["evaluate", *logs, "--game", LEDUC, "--values", EQUILIBRIUM, words[0]]) == 1
    assert "1 files of Writer's decisions for 2 logs" in capfd.readouterr().err


def test_in_holdem_nothing_need_be_known(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    play(plan_of("tight", "call", game=NOLIMIT_2P, num_hands=20), tmp_path)
    words = [str(tmp_path / "table000.log"), "--game", NOLIMIT_2P]
    lines = out(capfd, *words, "--known", "call=call")
    assert names_of(lines[1:5]) == ["chips", "all-in equity", "MIVAT", "AIVAT"]
    assert main(["evaluate", *words, "--values", EQUILIBRIUM]) == 1
    assert f"plays {LEDUC}" in capfd.readouterr().err
    assert main(["evaluate", *words, "--values", "call"]) == 1
    assert "call has no values of hands" in capfd.readouterr().err


def test_in_holdem_a_stored_strategys_self_play_tells_unless_the_formula_is_asked_for(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(self_play_values, "NUM_DEALS", 1 << 12)
    plan = plan_of(FLOP_STRATEGY, "call", game="flop_holdem.limit.2p", num_hands=40)
    plan.save(tmp_path / "m")
    play(plan, tmp_path / "m")
    words = [str(tmp_path / "m"), "--player", "external_sampling"]
    by_default, told = (out(capfd, *words, *more) for more in ([], ["--values", FLOP_STRATEGY]))
    by_strength = out(capfd, *words, "--values", "strength")
    assert by_default == told
    assert names_of(told[1:]) == names_of(by_strength[1:]) == NAMES
    # Guesses change what they are for, and nothing else.
    changed = [
        name
        for name, one, other in zip(NAMES, told[1:], by_strength[1:], strict=True)
        if one != other
    ]
    assert changed == NAMES[3:]


@pytest.mark.parametrize(
    ("num_deals", "half_widths"), [(12, 1), pytest.param(60, 2, marks=pytest.mark.slow)]
)
def test_local_best_response_beats_who_always_calls(
    num_deals: int, half_widths: int, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["lbr", "call", "--deals", str(num_deals), "--seed", "3", "--jobs", "1"]) == 0
    captured = capfd.readouterr()
    first, second, third, fourth = captured.out.splitlines()
    assert first == f"holdem.limit.2p.reverse_blinds, {num_deals} deals in both seats"
    found = re.fullmatch(
        r"  local best response \(limit\) against call: \+([0-9.]+) ± ([0-9.]+) mbb/hand", second
    )
    assert found is not None
    assert float(found[1]) > half_widths * float(found[2]) > 0
    assert third.startswith("± is a 95 %")
    effort = re.fullmatch(r"± 50 mbb/hand takes about ([0-9,]+) deals", fourth)
    assert effort is not None
    assert int(effort[1].replace(",", "")) == pytest.approx(
        num_deals * (float(found[2]) / 50) ** 2, rel=0.01
    )
    assert re.fullmatch(
        rf"{num_deals} deals in [0-9.]+ s, {effort[1]} in about [0-9.]+ (s|minutes)\n", captured.err
    )


def test_blocks_that_are_kept_are_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Catches a block of another length that is taken for a kept one, and one that is left out."""
    monkeypatch.setattr(lbr_match, "BLOCK_DEALS", 4)
    words = ["lbr", "call", "--menu", "fc", "--game", "holdem.nolimit.2p.reverse_blinds"]
    kept = ["--run-dir", str(tmp_path / "run"), "--jobs", "1"]
    assert main([*words, "--deals", "12", "--jobs", "1"]) == 0
    expected = capfd.readouterr().out
    assert main([*words, "--deals", "6", *kept]) == 0
    capfd.readouterr()
    assert main([*words, "--deals", "12", *kept]) == 0
    again = capfd.readouterr()
    assert again.out == expected
    assert again.err.splitlines()[-1].startswith("8 deals in")
    monkeypatch.setattr(lbr_match, "_play", None)
    assert main([*words, "--deals", "12", *kept]) == 0
    assert capfd.readouterr().out == expected
    assert main([*words, "--deals", "12", "--seed", "1", *kept]) == 1
    assert "results of other work" in capfd.readouterr().err


def test_a_single_deal_does_not_tell_how_many_it_takes(capfd: pytest.CaptureFixture[str]) -> None:
    """Catches a number of deals out of an interval that is infinite."""
    assert main(["lbr", "call", "--deals", "1", "--jobs", "1"]) == 0
    captured = capfd.readouterr()
    assert "takes about" not in captured.out
    assert re.fullmatch(r"1 deals in [0-9.]+ s\n", captured.err)


@pytest.mark.parametrize(
    "words",
    [
        "lbr",
        "lbr nosuch",
        "lbr call --game leduc.limit.2p",
        "lbr call --menu every",
        "lbr call --deals 0",
        "nosuch",
    ],
)
def test_a_response_that_cannot_be_played_is_refused(
    words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(words.split()) == 1
    captured = capfd.readouterr()
    assert captured.out == ""
    assert REFUSAL.fullmatch(captured.err)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--known", "dcfr"], "--known dcfr"),
        (["--known", f"nobody={EQUILIBRIUM}"], "nobody"),
        (["--known", "dcfr=nosuch"], "nosuch"),
        (
            ["--known", "dcfr=recorded:nosuch", "--known", "dcfr=recorded:nosuch"],
            "could not read nosuch",
        ),
        (["--known", "dcfr=strategies/kuhn.limit.2p/dcfr"], "kuhn.limit.2p"),
        (["--known", "Unknown=raise"], "has no action f"),
        (["--player", "nobody"], "nobody"),
        (["--values", "nosuch"], "nosuch"),
    ],
)
def test_evaluate_refuses_options_that_contradict_each_other(
    words: list[str], problem: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", str(folder), *words]) == 1
    captured = capfd.readouterr()
    assert captured.out == ""
    assert REFUSAL.fullmatch(captured.err)
    assert problem in captured.err


def exact(capfd: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["exploitability", *words]) == 0
    return capfd.readouterr().out.splitlines()


def test_an_equilibrium_is_exploitable_by_nothing_and_a_caller_by_what_is_known(
    capfd: pytest.CaptureFixture[str],
) -> None:
    lines = exact(capfd, EQUILIBRIUM, "--abstract")
    assert lines[0] == f"{LEDUC}: {EQUILIBRIUM}"
    assert lines[1].startswith("  seat 1  wins -85.606 mbb/hand, and a best response -85.60")
    assert float(lines[3].split()[1]) < 1e-6
    assert exact(capfd, "call", "--game", LEDUC)[3].split() == [
        "NashConv",
        "2.93333",
        "chips,",
        "2933.33",
        "mbb",
    ]
    assert exact(capfd, "call", "--game", LEDUC)[4].split()[1] == "1.46667"
    bets = ["call", "--game", "leduc.nolimit.2p", "--bets"]
    assert (
        float(exact(capfd, *bets, "min,all-in")[3].split()[1])
        > float(exact(capfd, *bets, "min;")[3].split()[1])
        > 0
    )


def test_a_no_limit_strategy_is_answered_with_its_own_bets_or_with_more(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Catches bets of the tree that are translated, and others that are not."""
    own = exact(capfd, NO_LIMIT)
    assert exact(capfd, NO_LIMIT, "--bets", "0.5,1,all-in") == own
    assert exact(capfd, NO_LIMIT, "--abstract")[3:] == own[3:]
    more = exact(capfd, NO_LIMIT, "--bets", "0.5,0.75,1,2,all-in")
    assert float(own[3].split()[1]) < 0.25
    assert float(more[3].split()[1]) > 10


def test_a_small_game_of_three_is_answered_too(capfd: pytest.CaptureFixture[str]) -> None:
    lines = exact(capfd, "strategies/kuhn.limit.3p/dcfr")
    assert len(lines) == 7
    assert float(lines[4].split()[1]) < 1e-9


def test_the_end_of_a_hand_is_named_by_its_betting_and_board(
    capfd: pytest.CaptureFixture[str],
) -> None:
    lines = exact(capfd, EQUILIBRIUM, "--betting", "rc/r", "--board", "Ks", "--threads", "1")
    assert lines[0] == f"{LEDUC}, rc/r, Ks: {EQUILIBRIUM}"
    assert float(lines[3].split()[1]) < 1e-6


@pytest.mark.parametrize(
    "words",
    [
        "exploitability",
        "exploitability nosuch",
        "exploitability call",
        f"exploitability {EQUILIBRIUM} --game kuhn.limit.2p",
        f"exploitability {EQUILIBRIUM} --threads 0",
        f"exploitability {NO_LIMIT} --bets 0.75,all-in",
        f"exploitability {NO_LIMIT} --bets 0.5,0.75,1,2,all-in --abstract",
        f"exploitability {EQUILIBRIUM} --betting rc/",
        f"exploitability {EQUILIBRIUM} --betting rc/ --board Zz",
        "exploitability call --game leduc.nolimit.2p",
        "exploitability call --game leduc.nolimit.2p --bets pot",
        "exploitability call --game leduc.limit.2p --abstract",
        "exploitability random --game leduc.nolimit.2p --bets 1",
        "exploitability raise --game leduc.nolimit.2p --bets all-in",
        "exploitability strategies/kuhn.limit.3p/dcfr --abstract",
        "exploitability strategies/holdem.limit.3p/smooth_uct",
        "exploitability strategies/holdem.limit.2p.reverse_blinds/external_sampling?play=purified"
        " --betting rc/rc/rrc/ --board KsTd9h4s2c",
    ],
)
def test_exploitability_without_an_exact_answer_is_refused(
    words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(words.split()) == 1
    captured = capfd.readouterr()
    assert captured.out == ""
    assert REFUSAL.fullmatch(captured.err)
