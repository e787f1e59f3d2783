"""The page of measured figures: made from what is kept, and from nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks import __main__ as program
from benchmarks.__main__ import kept_modules
from benchmarks.figure import Figure
from benchmarks.kept import PAGE, Kept, all_kept, keep, keep_beside_others, page

QUICK = Figure(name="hands", value=1234.5, unit="hands/s", target=1000, note="alone")
STRONG = Figure(name="won", value=-0.25, unit="mbb", note="± 0.1", higher_is_better=False)


def module(name: str, about: str, **content: object) -> ModuleType:
    made = ModuleType(f"benchmarks.{name}", about)
    vars(made).update(content)
    return made


ROOT = Path(__file__).parents[1]

MODULES = [
    module(
        "speed", "How fast it is, as\nfar as known.\n\nAnd more.", figures=lambda: iter([QUICK])
    ),
    module(
        "duel", "Who wins.", figures=lambda: iter([STRONG]), SECTION="Strength", ONLY_BY_NAME=True
    ),
]


def test_the_page_is_what_the_kept_figures_make_it() -> None:
    """Catches a page that was edited, or figures that were changed without it."""
    assert PAGE.read_text(encoding="utf-8") == page(all_kept(), kept_modules())


def test_a_kept_figure_replaces_the_old_one(tmp_path: Path) -> None:
    kept = Kept("speed", "2026-01-02", "a machine", (QUICK, STRONG))
    keep(kept, tmp_path)
    keep(replace(kept, name="duel"), tmp_path)
    keep(replace(kept, figures=(QUICK,)), tmp_path)
    assert all_kept(tmp_path) == [replace(kept, name="duel"), replace(kept, figures=(QUICK,))]


def test_ratios_are_kept_beside_those_to_the_same_commit_alone(tmp_path: Path) -> None:
    """Catches a table whose figures are ratios to different versions."""
    first = Kept("speed", "2026-01-02", "a machine", (QUICK, STRONG), "speed --against abc")
    keep_beside_others(first, tmp_path)
    newer = replace(QUICK, value=2.0)
    keep_beside_others(replace(first, figures=(newer,)), tmp_path)
    assert all_kept(tmp_path) == [replace(first, figures=(newer, STRONG))]
    keep_beside_others(replace(first, figures=(newer,), words="speed --against abd"), tmp_path)
    assert [found.figures for found in all_kept(tmp_path)] == [(newer,)]


def test_figures_of_an_earlier_day_say_so_beside_newer_ones(tmp_path: Path) -> None:
    kept = Kept("duel", "2026-01-02", "a machine", (QUICK, STRONG))
    keep(kept, tmp_path)
    newer = replace(STRONG, value=7.0)
    for day in ("2026-01-03", "2026-01-04"):
        keep_beside_others(replace(kept, day=day, figures=(newer,)), tmp_path)
    (found,) = all_kept(tmp_path)
    assert found.day == "2026-01-04"
    assert found.figures == (replace(QUICK, note="alone, 2026-01-02"), newer)


def test_a_benchmark_may_keep_its_figures_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches figures that are lost when a long benchmark is interrupted, and others with them."""

    def interrupted() -> Iterator[Figure]:
        yield replace(STRONG, value=1.0)
        raise KeyboardInterrupt

    keep(Kept("duel", "2026-01-02", "a machine", (QUICK, STRONG)), tmp_path)
    monkeypatch.setattr(
        program, "keep_beside_others", lambda kept: keep_beside_others(kept, tmp_path)
    )
    with pytest.raises(KeyboardInterrupt):
        program.measure(module("duel", "", figures=interrupted, KEEPS_OTHERS=True), is_kept=True)
    (found,) = all_kept(tmp_path)
    assert [figure.value for figure in found.figures] == [QUICK.value, 1.0]


def test_the_page_says_how_each_figure_was_measured_and_what_it_was_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, target = tmp_path / "kept", tmp_path / "measured.md"
    monkeypatch.setattr(program, "find_benchmarks", lambda: MODULES)
    monkeypatch.setattr(program, "kept_modules", lambda: MODULES)
    monkeypatch.setattr(program, "PAGE", target)
    monkeypatch.setattr(program, "keep", lambda kept: keep(kept, folder))
    monkeypatch.setattr(program, "all_kept", lambda: all_kept(folder))
    monkeypatch.setattr(program, "describe_machine", lambda: "a machine")
    assert program.main(["--keep", "speed", "duel"]) == 0
    assert "1,234" in capsys.readouterr().out
    text = target.read_text(encoding="utf-8")
    strong, fast = text.split("\n## Strength\n")[1].split("\n## Speed\n")
    assert "### Who wins\n" in strong
    assert "| won | -0.25 mbb | ± 0.1 |" in strong
    assert "### How fast it is, as far as known\n" in fast
    assert "a machine" in fast
    assert "`./dev bench speed`" in fast
    assert "| hands | 1,234 hands/s | 1,000 ok | alone |" in fast


def test_figures_are_kept_on_request_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "find_benchmarks", lambda: MODULES)
    monkeypatch.setattr(program, "keep", lambda kept: keep(kept, tmp_path))
    assert program.main(["speed"]) == 0
    assert all_kept(tmp_path) == []


README, SEARCH = ROOT / "README.md", ROOT / "docs" / "guides" / "search.md"
BLUEPRINT = "holdem.nolimit.2p.reverse_blinds/cfr_br, local best response by"
FAST = "holdem.nolimit.2p.reverse_blinds/search?profile=fast, local best response by"
DEFAULT = "holdem.nolimit.2p.reverse_blinds/search?profile=preflop, local best response by"
LIMIT, NOLIMIT = "holdem.limit.2p.reverse_blinds", "holdem.nolimit.2p.reverse_blinds"
METHODS = ROOT / "docs" / "methods" / "search.md"
ROLLOUTS = "flops, rollouts with four continuations"
TURNS, RIVERS = "turns, 120 iterations", "rivers, 300 iterations, as in fast"
SHOWN = {
    (METHODS, "street_loss", "turns, blueprint, against expected bets"): "9.83 ± 4.79",
    (METHODS, "street_loss", "turns, blueprint, against more bets"): "11.0 ± 4.99",
    (METHODS, "street_loss", f"{TURNS}, against expected bets"): "0.03 ± 0.03",
    (METHODS, "street_loss", f"{TURNS}, against more bets"): "0.16 ± 0.43",
    (METHODS, "street_loss", "flops, blueprint, against bets between"): "6.68 ± 13.95",
    (METHODS, "street_loss", f"{ROLLOUTS}, against bets between"): "0.98 ± 2.28",
    (METHODS, "street_loss", "flops, as in match, against bets between"): "0.30 ± 1.17",
    (METHODS, "street_loss", f"{RIVERS}, against expected bets"): "0.14 ± 0.08",
    (METHODS, "street_loss", f"{RIVERS}, against more bets"): "0.47 ± 0.14",
    (README, "strength", "leduc.nolimit.2p/search, exactly"): "for 0.62 mbb/hand",
    (README, "strength", "leduc.nolimit.2p/external_sampling, exactly"): "for 1.16 mbb/hand",
    (README, "strength", "flop_holdem.limit.2p/external_sampling, exactly"): "for 21.6 mbb/hand",
    (README, "limit_exact", "external_sampling, exactly"): "for 283.5 mbb/hand, exactly",
    (
        README,
        "strength",
        f"{LIMIT}/external_sampling?play=purified, best response on 32 flops",
    ): "512 ± 36",
    (README, "limit_exact", "cfr_br, exactly"): "for 82.8 mbb/hand",
    (README, "limit_exact", "smooth_uct?play=greedy, exactly"): "for 553.9 and",
    (README, "limit_exact", "uct, exactly"): "and 652.4 mbb/hand, exactly",
    (README, "strength", f"{BLUEPRINT} 56bets"): "-642 ± 158",
    (README, "strength", f"{DEFAULT} 56bets"): "-742 ± 172",
    (README, "dealer", "holdem.limit.2p, callers in 1 process(es)"): "19,800 actions/s",
    (README, "cards", "random 7-card hands in an array"): "344 million/s",
    (README, "small_games", "CFR+ in Leduc"): "126,000 iterations/s",
    (
        SEARCH,
        "search_gains",
        f"{NOLIMIT}, search against cfr_br, gain over its blueprint",
    ): "25.9 ± 4.6",
    (
        SEARCH,
        "search_gains",
        f"{NOLIMIT}, search?profile=match&preflop=off&turn=off&river=off&flop.seconds=inf&threads=1"
        " against cfr_br, gain over its blueprint",
    ): "3.3 ± 6.3",
    (
        SEARCH,
        "search_gains",
        f"{NOLIMIT}, search against coarse, gain over its blueprint",
    ): "40.0 ± 19.4",
    (
        SEARCH,
        "search_gains",
        f"{NOLIMIT}, search?profile=fast against tight, gain over its blueprint",
    ): "-82.4 ± 46.9",
    (
        SEARCH,
        "search_gains",
        f"{NOLIMIT}, search?profile=fast&river.weak_prior=0.1 against tight, gain over its blueprint",
    ): "47.5 ± 36.5",
    (
        SEARCH,
        "search_gains",
        f"{LIMIT}, search?profile=fast against external_sampling?play=purified, gain over its"
        " blueprint",
    ): "22.9 ± 1.7",
    (
        SEARCH,
        "search_gains",
        f"{LIMIT}, search?profile=fast against external_sampling, gain over its blueprint",
    ): "14.2 ± 1.1",
    (
        SEARCH,
        "search_gains",
        f"{LIMIT}, search against external_sampling?play=purified, gain over its blueprint",
    ): "35.9 ± 3.1",
    (SEARCH, "strength", f"{BLUEPRINT} fc"): "-48 ± 46",
    (SEARCH, "strength", f"{FAST} fc"): "-181 ± 57",
    (SEARCH, "strength", f"{BLUEPRINT} fcpa"): "-860 ± 110",
    (SEARCH, "strength", f"{FAST} fcpa"): "-1,038 ± 139",
    (SEARCH, "strength", f"{BLUEPRINT} 2r56bets"): "-752 ± 114",
    (SEARCH, "strength", f"{FAST} 2r56bets"): "-852 ± 205",
    (SEARCH, "strength", f"{FAST} 56bets"): "-986 ± 160",
    (SEARCH, "strength", f"{DEFAULT} fc"): "-176 ± 58",
    (SEARCH, "strength", f"{DEFAULT} fcpa"): "-953 ± 148",
    (SEARCH, "strength", f"{DEFAULT} 56bets"): "-742 ± 172",
    (SEARCH, "strength", f"{DEFAULT} 2r56bets"): "-707 ± 227",
    (SEARCH, "strength", f"{BLUEPRINT} 1r56bets"): "28 ± 164",
    (SEARCH, "strength", f"{FAST} 1r56bets"): "-59 ± 291",
    (SEARCH, "search_match", "default against its blueprint, AIVAT"): "5 ± 80",
    (SEARCH, "search_match", "default against coarse, gain over its blueprint, AIVAT"): "15 ± 97",
    (SEARCH, "search_match", "default against tight, gain over its blueprint, AIVAT"): "-123 ± 481",
    (SEARCH, "strength", f"{LIMIT}/cfr_br, local best response by limit"): "-27 ± 36",
    (SEARCH, "strength", f"{LIMIT}/search?profile=fast, local best response by limit"): "-65 ± 37",
    (README, "strength", f"{LIMIT}/search?profile=fast, local best response by limit"): "-65 ± 37",
}


@pytest.mark.parametrize(
    ("place", "shown"),
    SHOWN.items(),
    ids=[f"{path.name} {shown}" for (path, *_), shown in SHOWN.items()],
)
def test_pages_show_the_figures_that_are_kept(place: tuple[Path, str, str], shown: str) -> None:
    """Catches a page that keeps an old figure after a new one was measured."""
    path, name, title = place
    assert shown in path.read_text(encoding="utf-8")
    (kept,) = [found for found in all_kept() if found.name == name]
    (figure,) = [found for found in kept.figures if found.name == title]
    text = re.findall(r"[+-]?[\d,.]*\d", shown)[0].replace(",", "")
    scale = 1e6 if "million" in shown and figure.value > 1e6 else 1.0
    last_digit = 10.0 ** -len(text.partition(".")[2])
    rounded = pytest.approx(figure.value / scale, rel=4e-3, abs=0.51 * last_digit)
    assert float(text) == rounded
    if "±" in shown:
        assert float(shown.partition("± ")[2]) == pytest.approx(half_width(figure), abs=0.51)


def half_width(figure: Figure) -> float:
    return float(re.findall(r"± ([\d.]+)", figure.note)[0])
