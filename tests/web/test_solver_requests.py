"""The solver's requests: known values, the same numbers as the solver in Python, and refusals."""

from __future__ import annotations

import asyncio
import io
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acpcbot.cards.combos import NUM_COMBOS
from acpcbot.cards.deck import parse_cards
from acpcbot.cards.range_notation import format_range, parse_range
from acpcbot.errors import UsageError
from acpcbot.net.journal import open_journal
from acpcbot.poker.spots import holdem_spot
from acpcbot.reports.solution import solution_json
from acpcbot.reports.solved_study import decision_study
from acpcbot.subgames.game import make_range_game
from acpcbot.subgames.solution import place_after, read_solution, street_decisions
from acpcbot.subgames.solver import Progress, RangeCFR
from acpcbot.trees.bet_menu import parse_menu
from acpcbot.web.solver.jobs import SolverJobs
from acpcbot.web.solver.painted_ranges import class_combos, range_classes
from acpcbot.web.solver.routes import LONGEST_BODY
from acpcbot.web.solver.spot import SolverSpot
from tests.web.served import Served, run, served

Answer = dict[str, Any]
CLAIRVOYANCE: Answer = {
    "board": "KsTd9h4s2c",
    "pot": 100,
    "stack1": 100,
    "stack2": 100,
    "range1": "QsJs,5h3h",
    "range2": "AA",
    "bets": "all-in",
    "target": 0.05,
    "seconds": 60,
    "int16": False,
}
"""The nuts and a bluff against a hand between them: the nuts bets always, the bluff half as often,
and seat 1 wins three quarters of the pot.
"""
TURN: Answer = {
    **CLAIRVOYANCE,
    "board": "KsTd9h4s",
    "stack1": 200,
    "stack2": 200,
    "range1": "TT+,AKs,76s:0.5",
    "range2": "QQ-99,AQs,KQo:0.25",
    "target": 0.5,
}
LONG: Answer = {
    **TURN,
    "range1": "all",
    "range2": "all",
    "bets": "0.5,1,all-in;1,all-in",
    "target": 0.001,
}


async def post(place: Served, name: str, question: object, **headers: str) -> tuple[int, Answer]:
    sent = {"Origin": place.address, **headers}
    address = f"{place.address}/solver/{name}"
    async with place.browser.post(address, data=json.dumps(question), headers=sent) as answer:
        text = await answer.text()
        return answer.status, json.loads(text) if text.startswith("{") else {"text": text}


async def jobs(place: Served, **headers: str) -> list[Answer]:
    async with place.browser.get(f"{place.address}/solver/jobs", headers=headers) as answer:
        found: list[Answer] = (await answer.json())["jobs"]
        return found


async def solved(place: Served, spot: Answer) -> Answer:
    """Solve *spot*; the job when it is over."""
    status, begun = await post(place, "solve", spot)
    assert status == 200, begun
    return await until(place, begun["job"], lambda job: job["phase"] not in RUNNING)


RUNNING = ("building", "solving")


async def until(place: Served, number: int, is_so: Callable[[Answer], bool]) -> Answer:
    """Look again and again at a job until *is_so*; it."""
    while True:
        (job,) = [job for job in await jobs(place) if job["job"] == number]
        if is_so(job):
            return job
        await asyncio.sleep(0.02)


@cache
def solver_of(text: str, num_iterations: int) -> RangeCFR:
    """The solver in this process, after as many iterations."""
    spot = json.loads(text)
    board = parse_cards(spot["board"])
    ranges = np.stack([parse_range(spot["range1"]), parse_range(spot["range2"])])
    root = holdem_spot(len(board), spot["pot"], min(spot["stack1"], spot["stack2"]))
    solver = RangeCFR(make_range_game(root, board, parse_menu(spot["bets"]), ranges))
    solver.step(num_iterations)
    return solver


def street_text(spot: Answer, num_iterations: int, *words: str) -> str:
    """The text that ``acpcbot solve --format json`` writes."""
    solver = solver_of(json.dumps(spot), num_iterations)
    progress = Progress(num_iterations, 0.0, solver.exploitability())
    label = "hold'em, board {board}, pot {pot}, stacks {stack1}, bets {bets}".format(**spot)
    return solution_json(read_solution(solver, progress, place_after(solver.game, words)), label)


def test_solutions_have_known_values_and_are_those_of_the_solver(tmp_path: Path) -> None:
    """Catches a range of the wrong seat, a pot that is not the spot's, streets of another job, and
    numbers that are not the solver's own.
    """

    async def visit() -> None:
        async with served(tmp_path) as place:
            job = await solved(place, CLAIRVOYANCE)
            assert (job["phase"], job["reason"], job["isKept"]) == ("solved", "", True)
            iterations, _, percent = job["curve"][-1]
            assert percent <= 0.05
            status, street = await post(place, "street", {"job": job["job"], "words": []})
            assert status == 200
            assert street["values_chips"] == pytest.approx([25, -25], abs=0.1)
            first = street["decisions"][0]
            bets = dict(zip(first["hands"], first["probabilities"], strict=True))
            assert bets["QsJs"][1] == pytest.approx(1, abs=0.01)
            assert bets["5h3h"][1] == pytest.approx(0.5, abs=0.01)
            equities = dict(zip(first["hands"], first["equities"][0], strict=True))
            assert (equities["QsJs"], equities["5h3h"]) == (1, 0)
            assert street == json.loads(street_text(CLAIRVOYANCE, iterations))

            turn = await solved(place, TURN)
            for words in ([], ["check", "check", "2c"], ["check", "check", "Ah"]):
                _, street = await post(place, "street", {"job": turn["job"], "words": words})
                assert street["decisions"][0]["after"] == words
                assert street == json.loads(street_text(TURN, turn["curve"][-1][0], *words))
            assert street["decisions"][0]["board"] == "KsTd9h4sAh"
            # The two last solutions are kept, and no more.
            await solved(place, {**CLAIRVOYANCE, "range2": "KK"})
            assert [job["isKept"] for job in await jobs(place)] == [True, True, False]
            status, gone = await post(place, "street", {"job": job["job"], "words": []})
            assert status == 400
            assert "no longer in memory" in gone["reason"]
            status, unknown = await post(place, "street", {"job": turn["job"], "words": ["bet 7"]})
            assert (status, "expected one of: check" in unknown["reason"]) == (400, True)

    run(visit())


def test_a_study_is_that_of_the_decision(tmp_path: Path) -> None:
    """Catches a study of another decision or board, and one whose numbers the page of a solved game
    would not have.
    """

    async def visit() -> None:
        async with served(tmp_path) as place:
            job = await solved(place, TURN)
            iterations = job["curve"][-1][0]
            solver = solver_of(json.dumps(TURN), iterations)
            for words in ([], ["check"], ["check", "check", "2c"], ["all-in"]):
                asked = {"job": job["job"], "words": words}
                status, study = await post(place, "study", asked)
                assert status == 200
                decision = next(street_decisions(solver, place_after(solver.game, words)))
                assert study == json.loads(json.dumps(decision_study(decision)))
            status, refused = await post(place, "study", {"job": 9, "words": []})
            assert (status, "no longer in memory" in refused["reason"]) == (400, True)

    run(visit())


PARTS = ("board", "seat", "pot_chips", "actions", "hands", "weights", "probabilities", "ev_chips")


def file_decision(street: Answer, words: Sequence[str]) -> Answer:
    """The decision after *words* of the file *street*, as the page sends it."""
    (found,) = [one for one in street["decisions"] if one["after"] == list(words)]
    return {name: found[name] for name in (*PARTS, "equities")}


def test_a_study_of_a_file_is_that_of_the_solution_but_for_the_values_of_actions(
    tmp_path: Path,
) -> None:
    """Catches a class that counts only the hands of the file, a hand in the place of another, and
    a file before the flop, which has no equities.
    """
    solver = solver_of(json.dumps(TURN), 20)
    street = json.loads(street_text(TURN, 20))

    async def visit() -> None:
        async with served(tmp_path) as place:
            for words in ((), ("check",)):
                asked = file_decision(street, words)
                status, study = await post(place, "file-study", asked)
                assert (status, study["actionValues"]) == (200, [])
                assert study["notes"] == ["A file does not hold the values of single actions."]
                decision = next(street_decisions(solver, place_after(solver.game, words)))
                verify_near(study, decision_study(decision))
            asked = file_decision(street, ()) | {"equities": None}
            _, study = await post(place, "file-study", asked)
            assert {row[1] for shown in study["ranges"] for row in shown["rows"]} == {None}
            for changes, reason in BROKEN.items():
                status, refused = await post(place, "file-study", asked | json.loads(changes))
                assert (status, reason in refused["reason"]) == (400, True), refused

    run(visit())


BROKEN = {
    '{"board": "KsTd9h4s4s"}': "'KsTd9h4s4s'",
    '{"board": "QcTd9h4s"}': "on the board 'QcTd9h4s'; expected two cards that are not on",
    '{"seat": 3}': "seat: expected a whole number (at least 1, at most 2), found 3",
    '{"actions": ["check"]}': "2 probabilities of a hand; expected 1",
    '{"hands": []}': "probabilities; expected 0: the lists have to fit together",
    '{"weights": [[1.0], [1.0]]}': "1 weights of a seat",
    '{"ev_chips": [[1.0]]}': "ev_chips",
    '{"after": []}': "unknown key after",
}


def verify_near(study: Answer, expected: Answer) -> None:
    """Check a study whose numbers were rounded to six decimals before its means were taken."""
    assert study["pot"] == expected["pot"]
    assert study["strategy"]["actions"] == expected["strategy"]["actions"]
    assert study["strategy"]["rows"].keys() == expected["strategy"]["rows"].keys()
    for name, row in expected["strategy"]["rows"].items():
        assert study["strategy"]["rows"][name] == pytest.approx(row, rel=2e-3, abs=2e-6)
    np.testing.assert_allclose(study["probabilities"], expected["probabilities"], atol=1e-6)
    for shown, wanted in zip(study["ranges"], expected["ranges"], strict=True):
        assert (shown["name"], shown["hands"]) == (wanted["name"], wanted["hands"])
        found, rows = (np.array(one["rows"], dtype=float) for one in (shown, wanted))
        np.testing.assert_allclose(found, rows, atol=2e-6, rtol=1e-5)
        assert shown["classes"].keys() == wanted["classes"].keys()
        for name, row in wanted["classes"].items():
            assert shown["classes"][name] == pytest.approx(row, rel=2e-3, abs=2e-6)


def test_of_unequal_stacks_the_smaller_one_is_bet(tmp_path: Path) -> None:
    """Catches an all-in of the larger stack, and stacks of the label that are not the spot's."""

    async def visit() -> None:
        async with served(tmp_path) as place:
            for stacks in ((100, 700), (700, 100)):
                unequal = CLAIRVOYANCE | dict(zip(("stack1", "stack2"), stacks, strict=True))
                job = await solved(place, unequal)
                assert f"stacks {stacks[0]} and {stacks[1]} (effective 100)" in job["label"]
                assert job["spot"] == unequal
                _, street = await post(place, "street", {"job": job["job"], "words": []})
                plain = json.loads(street_text(CLAIRVOYANCE, job["curve"][-1][0]))
                assert street["decisions"] == plain["decisions"]
                (call,) = [one for one in street["decisions"] if one["after"] == ["all-in"]]
                assert (call["pot_chips"], call["to_call_chips"]) == (200, 100)

    run(visit())


def test_one_spot_is_solved_at_a_time_and_can_be_stopped_by_its_browser(tmp_path: Path) -> None:
    """Catches a second job beside the first, one that others stop or that reloading loses, and
    what was found until then being thrown away.
    """

    async def visit() -> None:
        async with served(tmp_path) as place:
            async with place.browser.get(f"{place.address}/solver") as page:
                cookie = page.headers["Set-Cookie"].partition(";")[0]
            _, begun = await post(place, "solve", LONG, Cookie=cookie)
            for name in ("solve", "size"):
                status, refused = await post(place, name, CLAIRVOYANCE)
                assert (status, "busy with hold'em, board KsTd9h4s" in refused["reason"]) == (
                    409,
                    True,
                )
            job = await until(place, begun["job"], lambda job: len(job["curve"]) > 0)
            assert not job["isOwn"]
            assert {name: job["spot"][name] for name in LONG} == LONG
            assert job["size"]["boards"] == 49
            status, refused = await post(place, "stop", {"job": job["job"]})
            assert (status, "another browser" in refused["reason"]) == (400, True)
            (reloaded,) = await jobs(place, Cookie=cookie)
            assert (reloaded["isOwn"], reloaded["phase"]) == (True, "solving")
            assert (await post(place, "stop", {"job": job["job"]}, Cookie=cookie))[0] == 200
            job = await until(place, begun["job"], lambda job: job["phase"] not in RUNNING)
            assert (job["phase"], job["isKept"]) == ("stopped", True)
            _, street = await post(place, "street", {"job": job["job"], "words": []})
            assert street["num_iterations"] == job["curve"][-1][0]
            assert street["exploitability_percent"] > LONG["target"]

    run(visit())


def test_a_process_that_is_lost_is_told_of_and_replaced(tmp_path: Path) -> None:
    """Catches a page that waits for ever for a process that ran out of memory."""

    async def visit() -> None:
        async with served(tmp_path) as place:
            _, begun = await post(place, "solve", LONG)
            await until(place, begun["job"], lambda job: len(job["curve"]) > 0)
            worker = place.server._solver_jobs._worker
            assert worker is not None
            worker.process.kill()
            job = await until(place, begun["job"], lambda job: job["phase"] not in RUNNING)
            assert (job["phase"], "has ended" in job["reason"]) == ("failed", True)
            assert (await solved(place, CLAIRVOYANCE))["phase"] == "solved"

    run(visit())


def test_solutions_that_nobody_asks_about_are_forgotten() -> None:
    """Catches gigabytes that a solution keeps for ever, a process that ends while it solves, and a
    solution that is forgotten as soon as it is there, since the last order is long ago.
    """
    idle_s = 0.5

    async def visit() -> None:
        jobs = SolverJobs(open_journal(io.StringIO(), as_json=True), idle_s)
        number = jobs.solve(SolverSpot(**CLAIRVOYANCE), "Ann")["job"]
        while (phase := jobs.plain("Ann")["jobs"][0]["phase"]) in ("building", "solving"):
            last_s = time.monotonic()  # it was not solved yet
            await asyncio.sleep(0.001)
        assert phase == "solved"
        while jobs.plain("Ann")["jobs"][0]["isKept"]:
            await asyncio.sleep(0.01)
        assert time.monotonic() - last_s >= idle_s
        with pytest.raises(UsageError, match="no longer in memory"):
            await jobs.read(number, ())
        jobs.close()

    run(visit())


REFUSED: list[tuple[Answer, str]] = [
    ({"board": "KsTd"}, "a board of 2 cards; expected three, four or five, as in KsTd9h4s2c"),
    ({"board": "KsTdXx"}, "'KsTdXx'"),
    ({"board": "KsKsTd"}, "'KsKsTd'"),
    ({"pot": 0}, "pot: expected a whole number (at least 1, at most 1000000000), found 0"),
    (
        {"pot": "many"},
        'pot: expected a whole number (at least 1, at most 1000000000), found "many"',
    ),
    ({"pot": 101}, "a pot of 101 cannot have come half from each"),
    (
        {"stack1": 100_001, "stack2": 100_002},
        "a stack of 100001 behind a pot of 100; expected at most 1000 pots",
    ),
    ({"stack2": 0}, "stack2: expected a whole number (at least 1"),
    ({"bets": "min", "stack1": 400, "stack2": 500}, "expected stacks of at most 200"),
    ({"bets": "half"}, "bets are shares of the pot"),
    ({"bets": ",".join(["0.5"] * 13)}, "more than 12 sizes in one row of the bets"),
    ({"range1": "AAx"}, "expected hands like TT+, A5s-A2s, AK or AsKd, at column 0: 'AAx'"),
    ({"range2": "AA:0"}, "the range of seat 2 is empty"),
    ({"range1": "KsTd", "range2": "Td9h"}, "range"),
    ({"target": 0}, "target: expected a number"),
    ({"seconds": 1e9}, "seconds: expected a number"),
    ({"colour": "red"}, "unknown key colour"),
    (
        {
            "board": "KsTd9h",
            "stack1": 2000,
            "stack2": 2000,
            "range1": "all",
            "range2": "all",
            "bets": "0.3,0.5,1,2",
        },
        "are missing; fewer sizes of bets",
    ),
]


def test_bad_spots_are_refused_with_what_was_expected(tmp_path: Path) -> None:
    """Catches a spot that is begun though it cannot be solved, a message without what was expected,
    and one that takes more memory than there is.
    """

    async def visit() -> None:
        async with served(tmp_path) as place:
            for changes, reason in REFUSED:
                status, refused = await post(place, "size", CLAIRVOYANCE | changes)
                assert (status, reason in refused["reason"]) == (400, True), refused
                status, refused = await post(place, "solve", CLAIRVOYANCE | changes)
                if status == 200:  # what only the process can see
                    number = refused["job"]
                    refused = await until(place, number, lambda job: job["phase"] not in RUNNING)
                    assert refused["phase"] == "failed"
                assert reason in refused["reason"]
            status, size = await post(place, "size", CLAIRVOYANCE)
            assert (status, size["decisions"], size["boards"]) == (200, 4, 1)

    run(visit())


def test_requests_of_other_pages_and_bodies_that_are_too_long_are_refused(tmp_path: Path) -> None:
    """Catches a page of another site that makes this server solve, and bodies without a limit."""

    async def visit() -> None:
        async with served(tmp_path) as place:
            for name in ("solve", "size", "range", "stop", "street", "study", "file-study"):
                for origin in ("http://localhost:1", "null"):
                    status, _ = await post(place, name, CLAIRVOYANCE, Origin=origin)
                    assert status == 403
                async with place.browser.get(f"{place.address}/solver/{name}") as answer:
                    assert answer.status == 405
            assert await jobs(place) == []
            status, refused = await post(place, "range", {"text": "A" * LONGEST_BODY})
            assert (status, "40,000 bytes" in refused["reason"]) == (400, True)
            questions: list[object] = [3, [], {}, {"text": 3}, {"text": "AA", "more": 1}]
            for question in questions:
                assert (await post(place, "range", question))[0] == 400

    run(visit())


def test_a_range_is_spelled_class_by_class() -> None:
    """Catches a class that is missing, and text that another range would be read from."""
    names = list(class_combos())
    assert (len(names), names[:4], names[-1]) == (169, ["AA", "AKs", "AKo", "AQs"], "22")
    combos = [combo for own in class_combos().values() for combo in own]
    assert sorted(combos) == list(range(NUM_COMBOS))
    for text in ("all", "TT+,A5s-A2s,76s:0.5,AsKd", "AA:0.3,AsKs:0.1,KK", "AK,AdKh:0"):
        found = range_classes(text)
        again = ",".join([spelled for _, spelled in found["classes"].values()])
        assert np.array_equal(parse_range(again), parse_range(text))
        assert format_range(parse_range(again)) == format_range(parse_range(text))
        assert found["combos"] == pytest.approx(parse_range(text).sum())
    assert range_classes("AsKd:0.6")["classes"] == {"AKo": [pytest.approx(0.05), "AsKd:0.6"]}


def test_the_server_does_not_load_the_compiler() -> None:
    """Catches an import of the solver by the server, whose page would come seconds later."""
    program = "import sys, acpcbot.web.server; print('numba' in sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "False"
