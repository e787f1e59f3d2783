"""The page of a solved game: whole, without anything from outside, and every link leads to the
decision it names.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from acpcbot.cards.deck import parse_cards
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.spots import holdem_spot
from acpcbot.reports.solution import action_styles, solution_page
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
    tags = Tags()
    tags.feed(page)
    assert (tags.open, tags.faults) == ([], [])
    assert not re.search(
        r"\b(nan|inf|None)\b", re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    )
    assert {re.sub(r"\d+", "", address) for address in ADDRESS.findall(page)} <= {"#d", "data:,"}
    assert "<script" not in page
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


def test_folds_calls_and_raises_of_each_size_are_told_apart() -> None:
    assert action_styles(["check", "bet 50", "bet 100", "all-in"]) == [
        "call",
        "raise0",
        "raise1",
        "raise2",
    ]
    assert action_styles(["fold", "call", *["raise"] * 6])[2:] == [
        "raise0",
        "raise1",
        "raise2",
        *["raise3"] * 3,
    ]


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
