"""The page of a solved game: whole, without anything from outside, and every link leads to the
decision it names.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from acpcbot.cards.deck import format_cards, parse_cards
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.hands import all_hands
from acpcbot.poker.spots import holdem_spot
from acpcbot.reports.page_files import source_hash
from acpcbot.reports.solution import solution_grids, solution_page
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.solution import Solution, read_solution, root_place
from acpcbot.subgames.solver import Progress, RangeCFR
from acpcbot.trees.bet_menu import parse_menu
from tests.reports.pages import ADDRESS, Tags
from tests.support.chromium import browser_page, needs_chromium
from tests.support.games import LEDUC, definition_of


def solution_of(game: RangeGame) -> Solution:
    solver = RangeCFR(game)
    solver.step(20)
    return read_solution(solver, Progress(20, 0.0, solver.exploitability()), root_place(game))


@cache
def river() -> Solution:
    return solution_of(
        make_range_game(
            holdem_spot(5, 100, 400), parse_cards("KsTd9h4s2c"), parse_menu("0.5,1,all-in;1,all-in")
        )
    )


@cache
def leduc() -> Solution:
    return solution_of(make_range_game(BettingRules(definition_of(LEDUC)).start))


@pytest.mark.parametrize("make", [river, leduc])
def test_the_page_is_whole_and_asks_nobody_for_anything(make: Callable[[], Solution]) -> None:
    solution = make()
    page = solution_page(solution, "a spot")
    script = page.partition('<script type="module">')[2].partition("</script>")[0]
    assert f"script-src 'sha256-{source_hash(script)}';" in page
    tags = Tags()
    tags.feed(page)
    assert (tags.open, tags.faults) == ([], [])
    assert not re.search(
        r"\b(nan|inf|None)\b",
        re.sub(r"<style>.*?</style>", "", page.replace(script, ""), flags=re.DOTALL),
    )
    assert {re.sub(r"\d+", "", address) for address in ADDRESS.findall(page)} <= {"#d", "data:,"}
    assert page.count("<script") == 2
    assert page.count('class="decision"') == len(solution.decisions)


@pytest.mark.parametrize("make", [river, leduc])
def test_links_lead_to_what_follows_their_action(make: Callable[[], Solution]) -> None:
    solution = make()
    page = solution_page(solution, "a spot")
    sections = dict(
        re.findall(r'<section class="decision" id="(d\d+)">(.*?)</section>', page, re.DOTALL)
    )
    by_words = {
        decision.place.words: f"d{number}" for number, decision in enumerate(solution.decisions)
    }
    for decision in solution.decisions:
        words = decision.place.words
        links = dict(re.findall(r'<a href="#(d\d+)">(.*?)</a>', sections[by_words[words]]))
        following = {
            by_words[(*words, word)]: word
            for word in decision.choices
            if (*words, word) in by_words
        }
        path = {
            by_words[words[:length]]: words[length - 1] if length else "start"
            for length in range(len(words) + 1)
        }
        assert links == following | path


def test_a_label_cannot_break_out_of_the_page() -> None:
    assert "<img" not in solution_page(leduc(), "</title><img src=x>")


def test_reach_of_a_class_is_the_mean_weight_of_its_hands() -> None:
    """Catches a class of few hands that seems rare, and a row of another class."""
    solution = river()
    for decision, grid in zip(solution.decisions, solution_grids(solution), strict=True):
        weights: dict[str, list[float]] = {}
        for hand, weight in zip(decision.hands, decision.weights[decision.seat], strict=True):
            first, second = all_hands(solution.game.definition)[hand].tolist()
            pair = sorted([format_cards([first]), format_cards([second])], key=by_rank)
            ranks = pair[0][0] + pair[1][0]
            kind = "" if ranks[0] == ranks[1] else "s" if pair[0][1] == pair[1][1] else "o"
            weights.setdefault(ranks + kind, []).append(weight)
        assert len(grid["rows"]) == 169
        for name, (reach, *shares) in grid["rows"].items():
            assert reach == pytest.approx(sum(weights[name]) / len(weights[name]), rel=1e-3)
            assert sum(shares) == pytest.approx(1, abs=1e-3)
        assert [action["text"] for action in grid["actions"]] == list(decision.choices)


def by_rank(card: str) -> int:
    return "AKQJT98765432".index(card[0])


def test_games_without_a_grid_have_tables() -> None:
    """Catches a grid of hands that the game does not have."""
    page = solution_page(leduc(), "Leduc")
    assert solution_grids(leduc()) == []
    assert "<figure" not in page


@needs_chromium
def test_a_click_shows_one_decision_after_another(tmp_path: Path) -> None:
    """Catches a policy that forbids the page's own style, and a style that shows all decisions,
    or none.
    """
    path = tmp_path / "page.html"
    path.write_text(solution_page(river(), "a spot"), encoding="utf-8")
    shown = "[...document.querySelectorAll('.decision')].filter(part => part.offsetHeight).map(part => part.id).join()"
    with browser_page(tmp_path / "profile") as browser:
        browser.open(path)
        assert browser.evaluate(shown) == "d0"
        browser.evaluate("document.querySelector('#d0 .actions a').click()")
        assert browser.evaluate(shown) == "d1"
        assert browser.complaints() == []
        assert {url for url in browser.requests() if not url.startswith("data:")} == {path.as_uri()}
