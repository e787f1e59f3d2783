"""Ranges, equities and values of the study of a hand, against slow sums and against what judging
the same decisions says.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import pytest

from acpcbot.cards.any_strength import strength
from acpcbot.cards.deck import parse_cards
from acpcbot.errors import BadRequest
from acpcbot.evaluation.aivat.estimator import PlayedHand
from acpcbot.evaluation.decisions.judged_hands import Judge
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import hand_number
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.web.bots import PlayedTables, make_bot
from acpcbot.web.range_study import ESTIMATING, TWO_PLAYERS, UNKNOWN_PLAY
from acpcbot.web.study import FinishedHand, estimated_study, hand_line, thoughts
from tests.support.games import LIMIT_2P, NOLIMIT_2P, definition_of
from tests.web.test_study import leduc_hand

LIMIT_STORED = "strategies/holdem.limit.2p.reverse_blinds/external_sampling"
NOLIMIT_STORED = "strategies/holdem.nolimit.2p.reverse_blinds/cfr_br"


@cache
def limit_hand() -> FinishedHand:
    """Return a hand that the strategy plays against itself to a river where the bot decides."""
    return self_play(LIMIT_2P, LIMIT_STORED)


@cache
def nolimit_hand() -> FinishedHand:
    """Return the same of no-limit hold'em, with bets of several sizes."""
    return self_play(NOLIMIT_2P, NOLIMIT_STORED)


def self_play(game: str, name: str) -> FinishedHand:
    definition = definition_of(game)
    bot = make_bot(name, "bot", definition, 1).in_hand(0)
    assert bot is not None
    for seed in range(200):
        random = Random(f"{game} {seed}")
        cards = random.sample(definition.deck, 9)
        hole, board = (tuple(cards[:2]), tuple(cards[2:4])), tuple(cards[4:])
        betting = BettingRules(definition).start
        while not betting.is_over:
            table = bot.table(betting, board[: definition.board_size(betting.street)])
            own = table.probabilities[hand_number(definition, hole[betting.actor])]
            (action,) = random.choices(table.actions, own.tolist())
            betting = betting.apply(action)
        streets = [before.street for before, _ in betting.decisions() if before.actor == 1]
        if set(streets) == {0, 1, 2, 3} and "r" in betting.text.split("/")[-1]:
            return FinishedHand(0, PlayedHand(betting, hole, board), ("Ann", "bot"), 0, {1: bot})
    raise AssertionError("no hand reached a bet on the river")


def strategy_of(found: FinishedHand) -> SnapshotStrategy:
    strategy = found.strategies[1]
    assert isinstance(strategy, SnapshotStrategy)
    return strategy


def rows_of(view: dict[str, Any]) -> dict[str, list[float]]:
    return dict(zip(view["hands"], view["rows"], strict=True))


@pytest.mark.parametrize("make", [limit_hand, nolimit_hand, leduc_hand])
def test_values_of_the_hand_held_are_those_of_its_judgement(make: Any) -> None:
    """Catches values of another action, and ranges other than those that judging assumes."""
    found = make()
    definition: GameDefinition = found.hand.betting.game.definition
    judged = Judge(strategy_of(found)).judge_hand(found.hand, 1)
    told = thoughts(found)
    num_known = 0
    for thought, one in zip(told, judged, strict=True):
        study = thought["study"]
        if not study["actionValues"]:
            assert study["canEstimate"]
            assert ESTIMATING in study["notes"]
            continue
        assert not study["canEstimate"]
        num_known += 1
        place = study["ranges"][0]["hands"].index(study["held"])
        betting = list(found.hand.betting.decisions())[one.place][0]
        expected = [value * definition.big_blind + betting.spent[1] for value in one.values_bb]
        # Judging draws deals where it would list too many: these are exact all the same.
        near = 1e-4 * betting.pot if one.is_exact else 0.3 * betting.pot
        assert study["actionValues"][place] == pytest.approx(expected, abs=near)
        mean = sum(
            probability * value
            for probability, value in zip(
                study["probabilities"][place], study["actionValues"][place], strict=True
            )
        )
        assert study["ranges"][0]["rows"][place][2] == pytest.approx(mean, rel=1e-4, abs=1e-6)
    assert num_known >= 1
    assert told[-1]["study"]["actionValues"]


def test_a_flop_has_estimates_near_those_of_judging_single_hands() -> None:
    """Catches estimates against another range, and studies without what the page needs."""
    found = limit_hand()
    place = 2
    thought, one = (
        thoughts(found)[place],
        Judge(strategy_of(found)).judge_hand(found.hand, 1)[place],
    )
    assert thought["street"] == "flop"
    assert thought["study"]["canEstimate"]
    study, again = (estimated_study(found, place) for _ in range(2))
    assert study is not None
    assert study == again
    assert not study["canEstimate"]
    assert study["notes"][-1].startswith("Values are estimates from ")
    held = study["ranges"][0]["hands"].index(study["held"])
    betting = list(found.hand.betting.decisions())[one.place][0]
    expected = [
        value * betting.game.definition.big_blind + betting.spent[1] for value in one.values_bb
    ]
    # Judging draws deals, too: the interval there is that of a cost.
    near = one.half_width_bb * betting.game.definition.big_blind
    for action, value in enumerate(study["actionValues"][held]):
        width = study["actionHalfWidths"][held][action]
        assert value == pytest.approx(expected[action], abs=2 * (width + near) + 1e-6)
    for view in study["ranges"]:
        assert len(view["halfWidths"]) == len(view["hands"])
        assert view["classHalfWidths"].keys() == view["classes"].keys()


def test_decisions_that_are_not_there_have_no_estimates() -> None:
    """Catches a browser that makes the server fail."""
    found = limit_hand()
    with pytest.raises(BadRequest, match="the bots had 5 in this hand"):
        estimated_study(found, 99)


@pytest.mark.parametrize("make", [limit_hand, nolimit_hand])
def test_equities_on_turn_and_river_are_plain_sums(make: Any) -> None:
    """Catches an equity against the own range, boards left out, and ties that count whole."""
    found = make()
    definition = found.hand.betting.game.definition
    for thought in thoughts(found):
        if thought["street"] not in ("turn", "river"):
            continue
        board = parse_cards(thought["board"])
        mine, theirs = thought["study"]["ranges"]
        for own, rivals in ((mine, theirs), (theirs, mine)):
            for place in range(0, len(own["hands"]), 300):
                hand = parse_cards(own["hands"][place])
                won = met = 0.0
                for text, (reach, *_) in rows_of(rivals).items():
                    known = (*hand, *parse_cards(text), *board)
                    if len(set(known)) < len(known):
                        continue
                    rest = [card for card in definition.deck if card not in known]
                    for later in combinations(rest, 5 - len(board)):
                        first = strength((*hand, *board, *later))
                        second = strength((*parse_cards(text), *board, *later))
                        won += reach * (1.0 if first > second else 0.5 * (first == second))
                        met += reach
                expected = pytest.approx(won / met, rel=1e-4, abs=1e-6) if met else None
                assert own["rows"][place][1] == expected


def test_the_range_of_the_person_is_that_of_the_bots_strategy() -> None:
    """Catches a range that leaves out an action, and one of the other seat."""
    found = limit_hand()
    strategy, definition = strategy_of(found), found.hand.betting.game.definition
    river = thoughts(found)[-1]
    shown = rows_of(river["study"]["ranges"][1])
    assert river["study"]["ranges"][1]["name"] == "Ann"
    decisions = list(found.hand.betting.decisions())
    last = max(place for place, (betting, _) in enumerate(decisions) if betting.actor == 1)
    for text in list(shown)[::97]:
        number, expected = hand_number(definition, parse_cards(text)), 1.0
        for betting, taken in decisions[:last]:
            if betting.actor == 0:
                board = found.hand.board[: definition.board_size(betting.street)]
                table = strategy.table(betting, board)
                expected *= float(table.probabilities[number, table.actions.index(taken)])
        assert shown[text][0] == pytest.approx(expected, rel=1e-4)
    assert "weighted as if it played like bot" in river["study"]["notes"][0]


def test_a_search_that_knows_its_own_decisions_alone_says_so() -> None:
    """Catches values from nowhere, and a range that is said to follow the person's actions."""
    found = limit_hand()
    strategy, board = strategy_of(found), found.hand.board
    definition = found.hand.betting.game.definition
    played = PlayedTables(
        {
            betting.text: strategy.table(betting, board[: definition.board_size(betting.street)])
            for betting, _ in found.hand.betting.decisions()
            if betting.actor == 1
        }
    )
    told = thoughts(FinishedHand(0, found.hand, found.names, 0, {1: played}))
    river = told[-1]["study"]
    assert river["actionValues"] == []
    assert UNKNOWN_PLAY in river["notes"]
    assert any("Ann took an action that the strategy" in note for note in river["notes"])
    assert all(row[2] is None for view in river["ranges"] for row in view["rows"])
    assert all(row[0] == 1 for row in river["ranges"][1]["rows"])


def test_more_than_two_players_have_ranges_alone() -> None:
    """Catches an equity against one of several opponents."""
    definition = definition_of("holdem.limit.3p")
    betting = BettingRules(definition).parse("ccc/ccc/ccc/ccc")
    bot = make_bot("call", "bot", definition, 1).in_hand(0)
    assert bot is not None
    hand = PlayedHand(betting, ((50, 41), (0, 5), (1, 6)), (48, 46, 43, 20, 30))
    told = thoughts(FinishedHand(0, hand, ("Ann", "bot", "Bob"), 0, {1: bot}))
    for thought in told:
        assert thought["study"]["ranges"][0]["name"] == "bot"
        assert len(thought["study"]["ranges"]) == 3
        assert TWO_PLAYERS in thought["study"]["notes"]
        assert all(row[1:] == [None, None] for row in thought["study"]["ranges"][0]["rows"])


def test_the_line_of_a_hand_says_what_led_to_each_step() -> None:
    """Catches a line whose steps are not those of the decisions."""
    found = limit_hand()
    line = hand_line(found)
    for thought in thoughts(found):
        assert line[thought["step"] + 1] == f"bot {thought['lastAction']}."
    assert [text for text in line if "is dealt" in text] == [
        "The flop is dealt.",
        "The turn is dealt.",
        "The river is dealt.",
    ]
