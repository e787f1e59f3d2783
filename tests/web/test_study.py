"""The bots' thoughts and the person's luck, against slow sums."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acpcbot.agents.blueprint import find_blueprint
from acpcbot.evaluation.aivat.estimator import PlayedHand
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import STREET_NAMES
from acpcbot.poker.hand_classes import class_name, class_numbers
from acpcbot.poker.hands import all_hands, hands_without
from acpcbot.reports.hand_grid import significant
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.web.bots import make_bot
from acpcbot.web.study import FinishedHand, Study, plain_account, thoughts
from acpcbot.web.table_view import frames, plain_words
from tests.support.games import LEDUC, LEDUC_NOLIMIT, LIMIT_2P, NOLIMIT_2P, definition_of
from tests.web.served import run, served

DCFR = "strategies/leduc.limit.2p/dcfr"


def finished(
    game: str, strategy: str, text: str, hole: list[list[int]], board: list[int]
) -> FinishedHand:
    """A hand of the bot in seat 1 against the person in seat 0."""
    betting = BettingRules(definition_of(game)).parse(text)
    hand = PlayedHand(betting, tuple(map(tuple, hole)), tuple(board))
    bot = make_bot(strategy, "bot", betting.game.definition, 1).in_hand(0)
    assert bot is not None
    return FinishedHand(0, hand, ("Ann", "bot"), 0, {1: bot})


def leduc_hand() -> FinishedHand:
    deck = definition_of(LEDUC).deck
    return finished(LEDUC, DCFR, "cc/rc", [[deck[0]], [deck[4]]], [deck[1]])


def test_a_thought_is_the_strategys_own_row(tmp_path: Path) -> None:
    """Catches the row of another hand, and a range that does not follow what was played."""
    found = leduc_hand()
    before, after = thoughts(found)
    maker = find_blueprint(DCFR)
    strategy = SnapshotStrategy(load_snapshot(maker.folder))
    definition, board = found.hand.betting.game.definition, found.hand.board
    first = strategy.table(found.hand.betting.game.parse("c"), ())
    second = strategy.table(found.hand.betting.game.parse("cc/r"), board)
    hands, numbers = all_hands(definition), class_numbers(all_hands(definition))
    checked = first.probabilities[
        :, first.actions.index(list(found.hand.betting.decisions())[1][1])
    ]
    free = hands_without(definition, board)
    for number in set(numbers.tolist()):
        rows = [row for row in range(len(hands)) if numbers[row] == number and free[row]]
        told = after["classes"][class_name(number, 1)]
        assert told[0] == pytest.approx(np.mean([checked[row] for row in rows]), abs=1e-4)
        weights = [checked[row] for row in rows]
        expected = sum(
            weight * second.probabilities[row] for weight, row in zip(weights, rows, strict=True)
        ) / sum(weights)
        assert told[1:] == pytest.approx(expected.tolist(), abs=1e-4)
    assert [before["classes"][name][0] for name in "AKQ"] == [1, 1, 1]
    assert after["actions"][after["taken"]]["text"] == after["lastAction"] == "calls 4"


def test_the_grid_of_holdem_is_whole() -> None:
    """Catches classes that are missing, shares that do not add up, a class that the board
    blocks.
    """
    strategy = "strategies/holdem.limit.2p.reverse_blinds/external_sampling"
    found = finished(LIMIT_2P, strategy, "cc/rf", [[50, 51], [0, 5]], [48, 46, 43])
    for thought in thoughts(found)[:1]:
        assert len(thought["classes"]) == 169
        assert all(
            sum(shares) == pytest.approx(1, abs=1e-3) for _, *shares in thought["classes"].values()
        )
        assert thought["own"] == "32o"
    (flop,) = thoughts(found)[1:]
    assert flop["board"] == "AsKhQs" or len(flop["board"]) == 6
    assert all(0 <= weight <= 1 for weight, *_ in flop["classes"].values())


def nolimit_thoughts() -> tuple[FinishedHand, list[dict[str, Any]]]:
    """Decisions of the no-limit blueprint on four streets, all-in among its actions."""
    strategy = "strategies/holdem.nolimit.2p.reverse_blinds/cfr_br"
    found = finished(
        NOLIMIT_2P, strategy, "cr300c/cc/cc/cr600c", [[50, 51], [0, 5]], [48, 46, 43, 20, 30]
    )
    return found, thoughts(found)


def test_a_thought_knows_the_step_of_the_replay_that_leads_to_it() -> None:
    """Catches a tab that opens at the step of another decision."""
    found, told = nolimit_thoughts()
    steps = frames(found.hand.betting, found.names)
    assert [thought["street"] for thought in told] == [
        "preflop",
        "preflop",
        "flop",
        "turn",
        "river",
    ]
    for thought in told:
        before, after = steps[thought["step"]], steps[thought["step"] + 1]
        assert before.betting.actor == 1
        assert STREET_NAMES[before.street] == thought["street"]
        assert plain_words(after.caption) == f"bot {thought['lastAction']}."


def test_every_size_has_its_own_colour_and_all_in_is_named() -> None:
    """Catches two sizes of one colour, and an all-in that looks like a large bet."""
    for thought in nolimit_thoughts()[1]:
        fills = [action["fill"] for action in thought["actions"]]
        assert len(set(fills)) == len(fills) >= 4
        assert fills[-1] == "all-in"
        assert thought["actions"][-1]["text"].startswith("goes all-in for ")
        assert "all-in" not in fills[:-1]


def test_frequencies_are_the_mean_over_the_range() -> None:
    """Catches a mean over classes instead of hands, and a hand that the board blocks."""
    for thought in nolimit_thoughts()[1]:
        dead = {thought["board"][place : place + 2] for place in range(0, len(thought["board"]), 2)}
        deck = [
            rank + suit for rank in "AKQJT98765432" for suit in "cdhs" if rank + suit not in dead
        ]
        sums, total = [0.0] * len(thought["actions"]), 0.0
        for place, first in enumerate(deck):
            for second in deck[place + 1 :]:
                kind = "" if first[0] == second[0] else "s" if first[1] == second[1] else "o"
                reach, *shares = thought["classes"][first[0] + second[0] + kind]
                total += reach
                sums = [old + reach * share for old, share in zip(sums, shares, strict=True)]
        assert thought["frequencies"] == pytest.approx([one / total for one in sums], abs=1e-3)


def test_small_reaches_stay_apart_from_zero() -> None:
    """Catches a river whose grid is empty, for all that is in the range was rounded to nothing."""
    assert significant([0.0000123456, 0.25]) == [1.235e-05, 0.25]


def test_luck_and_skill_add_up_to_the_chips() -> None:
    """Catches an account that loses something on its way to the page."""
    found = leduc_hand()
    account, note = Study().split(found, [DCFR])
    assert note == ""
    assert account is not None
    plain = plain_account(account, found.names)
    assert plain["chips"] == pytest.approx(plain["skill"] + plain["luck"])
    assert plain["luck"] == pytest.approx(sum(luck["chips"] for luck in plain["lucks"]))


def test_without_a_known_strategy_that_is_said() -> None:
    """Catches a number where nothing is known."""
    found = leduc_hand()
    unknown = FinishedHand(0, found.hand, found.names, 0, {})
    assert Study().split(unknown, [DCFR])[0] is None
    account, note = Study().split(found, [])
    assert account is None
    assert "nobody tells" in note


def test_an_agent_that_searches_tells_what_it_played(tmp_path: Path) -> None:
    """Catches a second search that finds another strategy than the one that played, and a file
    that lacks decisions.
    """
    strategies = [
        "strategies/leduc.nolimit.2p/search",
        "strategies/leduc.nolimit.2p/external_sampling",
    ]

    async def visit() -> None:
        async with served(tmp_path, strategies, LEDUC_NOLIMIT) as place, place.socket() as socket:
            await socket.sit()
            table = await socket.turn()
            while table["phase"] == "turn":
                await socket.act(table, "c")
                table = await socket.turn()
            split = await socket.hear("split")
            assert split["split"] is not None, split
            await socket.say(type="explain", hand=0)
            told = await socket.hear("thoughts")
            assert [thought["name"] for thought in told["decisions"]] == ["Search"] * len(
                told["decisions"]
            )
            assert told["decisions"]
            assert all(
                thought["probabilities"][thought["taken"]] > 0 for thought in told["decisions"]
            )
            recorded = (place.folder / "table000.player1.strategies").read_text().splitlines()
            assert len(recorded) == 1 + len(told["decisions"])

    run(visit())


def test_estimates_are_asked_for_by_decision(tmp_path: Path) -> None:
    """Catches a request that no one answers, and one beyond the hand that ends the connection."""

    async def visit() -> None:
        async with served(tmp_path, [DCFR], LEDUC) as place, place.socket() as socket:
            await socket.sit()
            table = await socket.turn()
            while table["phase"] == "turn":
                await socket.act(table, "c")
                table = await socket.turn()
            await socket.say(type="explain", hand=0)
            told = await socket.hear("thoughts")
            await socket.say(type="estimate", hand=0, place=0)
            estimated = await socket.hear("estimated")
            assert (estimated["hand"], estimated["place"]) == (0, 0)
            # Few decisions follow in this game: values are exact either way.
            assert estimated["study"] == told["decisions"][0]["study"]
            for _ in range(2):
                await socket.say(type="estimate", hand=0, place=99)
                assert "the bots had" in (await socket.hear("refused"))["reason"]

    run(visit())
