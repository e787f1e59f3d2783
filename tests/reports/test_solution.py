"""The page of a solved game: whole, without anything from outside, and every link leads to the
decision it names.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from acpcbot.cards.any_strength import strength
from acpcbot.cards.deck import format_cards, parse_cards
from acpcbot.cards.range_notation import parse_range
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.hands import all_hands
from acpcbot.poker.spots import holdem_spot
from acpcbot.reports.page_files import source_hash
from acpcbot.reports.solution import solution_page
from acpcbot.reports.solved_study import decision_study
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.solution import (
    Decision,
    Solution,
    place_after,
    read_solution,
    root_place,
)
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
        links = dict(re.findall(r'<a href="#(d\d+)"[^>]*>(.*?)</a>', sections[by_words[words]]))
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
    for decision in solution.decisions:
        grid = decision_study(decision)["strategy"]
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


@cache
def later() -> Solution:
    """A turn that is solved to its river, read after a line of both streets."""
    ranges = np.stack([parse_range("AKs,QJs,44,T9s"), parse_range("KQs,99,A5s,JTs")])
    game = make_range_game(
        holdem_spot(4, 100, 200), parse_cards("KsTd9h4s"), parse_menu("0.5;all-in"), ranges
    )
    solver = RangeCFR(game)
    solver.step(20)
    place = place_after(game, ["check", "bet 50", "call", "2c", "check"])
    return read_solution(solver, Progress(20, 0.0, solver.exploitability()), place)


def test_the_line_so_far_leads_back_through_both_streets() -> None:
    """Catches a line without the street before, a player that took another's action, and a page
    that opens at the start of the line.
    """
    page = solution_page(later(), "a turn")
    first = re.findall(r'<section class="decision" id="(d\d+)">(.*?)</section>', page, re.DOTALL)[0]
    line = re.findall(r"<li>(?:<span class=\"who\">(.*?) </span>)?(.*?)</li>", first[1])
    words = [(who, re.sub(r"<.*?>", "", word)) for who, word in line]
    assert words == [
        ("", "start"),
        ("Seat 1", "check"),
        ("Seat 2", "bet 50"),
        ("Seat 1", "call"),
        ("", "2c"),
        ("Seat 1", "check"),
    ]
    names = {
        decision.place.words: f"d{number}"
        for number, decision in enumerate((*later().decisions, *later().path))
    }
    links = re.findall(r'href="#(d\d+)"', "".join(word for _, word in line))
    assert first[0] == names["check", "bet 50", "call", "2c", "check"]
    assert links == [
        names[()],
        names[("check",)],
        names["check", "bet 50"],
        names["check", "bet 50", "call", "2c"],
        first[0],
    ]


@pytest.mark.parametrize("make", [river, later, leduc])
def test_studies_hold_the_numbers_of_the_solution(make: Callable[[], Solution]) -> None:
    """Catches ranges of the other seat, a hand's row at another hand, and lost digits."""
    solution = make()
    for decision in (*solution.decisions, *solution.path):
        study = decision_study(decision)
        cards = all_hands(solution.game.definition)[decision.hands]
        for seat, shown in zip((decision.seat, 1 - decision.seat), study["ranges"], strict=True):
            held = np.flatnonzero(decision.weights[seat] > 0)
            assert shown["name"] == f"Seat {seat + 1}"
            assert shown["hands"] == [format_cards(hand) for hand in cards[held].tolist()]
            expected = np.stack([decision.weights[seat, held], decision.ev_chips[seat, held]])
            found = np.array(shown["rows"], dtype=float)
            np.testing.assert_allclose(found[:, [0, 2]].T, expected, rtol=1e-5, atol=1e-6)
            equities = plain_equities(decision, seat, held[:5])
            np.testing.assert_allclose(found[:5, 1], equities, rtol=1e-5)
        held = decision.weights[decision.seat] > 0
        np.testing.assert_allclose(
            study["probabilities"], decision.probabilities[held], rtol=1e-5, atol=1e-12
        )
        np.testing.assert_allclose(
            np.array(study["actionValues"], dtype=float),
            decision.action_ev_chips[held],
            rtol=1e-5,
            atol=1e-6,
        )


def plain_equities(decision: Decision, seat: int, places: NDArray[np.int64]) -> list[float]:
    """Return the equities of hands of *seat* by going through pairs of hands and boards."""
    place = decision.place
    definition = place.betting.game.definition
    hands = all_hands(definition)[decision.hands].tolist()
    missing = sum(definition.num_board_cards) - len(place.board)
    found = []
    for own in places:
        won = met = 0.0
        for rival, reach in zip(hands, decision.reaches[1 - seat].tolist(), strict=True):
            known = (*hands[own], *rival, *place.board)
            if reach and len(set(known)) == len(known):
                rest = [card for card in definition.deck if card not in known]
                for later_cards in combinations(rest, missing):
                    board = (*place.board, *later_cards)
                    first, second = strength((*hands[own], *board)), strength((*rival, *board))
                    won += reach * (1.0 if first > second else 0.5 * (first == second))
                    met += reach
        found.append(won / met)
    return found


def test_classes_are_means_over_their_hands() -> None:
    """Catches a class whose hands count alike however rare they are."""
    decision = river().decisions[1]
    study = decision_study(decision)
    (mine, theirs) = study["ranges"]
    assert set(mine["classes"]) == set(study["strategy"]["rows"])
    for shown in (mine, theirs):
        by_class: dict[str, list[list[float]]] = {}
        for hand, row in zip(shown["hands"], shown["rows"], strict=True):
            ranks = hand[0] + hand[2]
            kind = "" if hand[0] == hand[2] else "s" if hand[1] == hand[3] else "o"
            by_class.setdefault(ranks + kind, []).append(row)
        for name, rows in by_class.items():
            reach, equity, value = shown["classes"][name]
            total = sum(one for one, *_ in rows)
            assert equity == pytest.approx(sum(row[0] * row[1] for row in rows) / total, abs=1e-4)
            assert value == pytest.approx(sum(row[0] * row[2] for row in rows) / total, abs=1e-3)
            assert reach <= max(one for one, *_ in rows) * (1 + 1e-5)
