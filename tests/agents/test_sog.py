"""Student of Games at the table: what it plays, in every state, and what it refuses."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import acpcbot
from acpcbot.agents.registry import make_agent, verify_name
from acpcbot.agents.tree_search.public_games import find_public_game
from acpcbot.agents.tree_search.sog import SoGAgent, sog_maker
from acpcbot.agents.tree_search.sog_strategy import SoGStrategy
from acpcbot.cli.dispatch import main
from acpcbot.errors import AcpcbotError, UsageError
from acpcbot.games.game import new_state
from acpcbot.games.generic_poker import LEDUC as LEDUC_RULES
from acpcbot.games.sequence_form import sequence_form
from acpcbot.games.solvers.best_response import sequence_best_response
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import parse_definition
from acpcbot.poker.hands import all_hands, hand_number
from acpcbot.poker.shipped import shipped_path
from acpcbot.tree_search.growing_cfr import GrowingCFR, GrowingCFRSettings
from acpcbot.tree_search.public_tree import ROOT, PublicTree
from acpcbot.tree_search.resolving import SeatChain
from tests.agents.playing import decision, decisions, duplicate_values, hands
from tests.support.fresh_programs import run_python
from tests.support.games import KUHN, LEDUC, LEDUC_NOLIMIT, LIMIT_2P, definition_of, rules_of

SHIPPED = "strategies/leduc.limit.2p/sog"
FOLDER = Path(__file__).parents[2] / SHIPPED
ACE, KING = "As", "Kh"


def sog(options: str = "s=30") -> SoGAgent:
    agent = make_agent(f"{FOLDER}?{options}", definition_of(LEDUC), 1)
    assert isinstance(agent, SoGAgent)
    return agent


@cache
def strategy(options: str = "s=30") -> SoGStrategy:
    return sog_maker(f"{FOLDER}?{options}").strategy()


def all_bettings(game: str) -> list[BettingState]:
    """Return every state of the betting in which a seat is to act."""
    found, waiting = [], [rules_of(game).start]
    while waiting:
        betting = waiting.pop()
        if not betting.is_over:
            found.append(betting)
            waiting += [betting.apply(action) for action in betting.legal_actions()]
    return found


def boards_of(betting: BettingState) -> list[tuple[int, ...]]:
    deck = betting.game.definition.deck
    return [(card,) for card in deck] if betting.street else [()]


def test_histories_have_the_chips_and_the_actions_of_the_table() -> None:
    """Caught: a call for a check, a board dealt late, a rank that is another's."""
    game, rules = find_public_game(definition_of(LEDUC)), LEDUC_RULES
    bettings = all_bettings(LEDUC)
    for betting in bettings:
        for board in boards_of(betting):
            state = new_state(rules)
            rules.start(state)
            for action in game.history(betting, board):
                assert action < rules.num_actions(state)
                rules.apply(state, action)
            assert rules.actor(state) == betting.actor
            assert rules.num_actions(state) == len(game.actions(betting))
            assert tuple(state[12:14].tolist()) == betting.spent
            if board:
                assert state[11] == sorted({card // 4 for card in definition_of(LEDUC).deck}).index(
                    board[0] // 4
                )
    # 96 public states with a decision: six before the board, and for each of three ranks thirty.
    assert (
        sum(len(boards_of(betting)) // (2 if betting.street else 1) for betting in bettings) == 96
    )


def test_its_exploitability_is_that_of_the_same_policies_in_the_research_game() -> None:
    """Caught: a row that stands for another hand, an action in another's column, another unit."""
    played = strategy()
    found = acpcbot.exploitability(f"{FOLDER}?s=30")
    tree, form = played.searcher.tree, sequence_form(LEDUC_RULES)
    slots, policy = form.slots_by_key(), np.ones(form.num_slots)
    for betting in all_bettings(LEDUC):
        for board in boards_of(betting):
            own = played.searched(betting, board)
            rows = tree.arrays.rows[tree.rows_of(own.node, betting.actor)]
            for row, chances in zip(rows, own.policy, strict=True):
                policy[slots[int(row["key"])]] = chances[: int(row["count"])]
    expected = sequence_best_response(form, policy).exploitability
    assert found.exploitability_chips == pytest.approx(expected, abs=1e-9)
    # Of ten seeds of the composed searches at s = 33 the network's were 190 to 250.
    assert 0.15 < expected < 0.32


def test_the_command_measures_it_exactly(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["exploitability", f"{FOLDER}?s=30", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["exploitability_mbb"]
    assert found == pytest.approx(acpcbot.exploitability(f"{FOLDER}?s=30").exploitability_mbb)


def test_each_seat_is_bound_by_its_own_searches() -> None:
    """The second decision of a seat follows its first one, and no search of the other seat."""
    played = strategy("s=30&seed=4")
    searcher = GrowingCFR(
        PublicTree(LEDUC_RULES),
        GrowingCFRSettings(simulations=30, averaging_power=3),
        played.searcher.leaf_values,
    )
    rules = rules_of(LEDUC)
    # Check, bet: seat 0 has checked and faces a bet.
    chain = SeatChain(searcher, 0, 4).after(ROOT)
    node = searcher.tree.children(searcher.tree.children(ROOT)[0])[1]
    own = played.searched(rules.parse("cr"), ())
    assert own.chain.num_searches == 3
    assert own.policy.tolist() == chain.after(node).policy().tolist()
    # By hand: rows of the research game are ranks in the order in which histories were met.
    by_hand = played.table(rules.parse("cr"), ()).probabilities
    ranks = [int(card) // 4 for card in all_hands(definition_of(LEDUC))[:, 0]]
    for hand, rank in enumerate(ranks):
        assert by_hand[hand].tolist() == own.policy[own.places.tolist().index(rank - 10)].tolist()


def test_tables_do_not_depend_on_what_was_asked_before() -> None:
    """Caught: random numbers that run on, a tree that grew in another order."""
    states = [(betting, board) for betting in all_bettings(LEDUC) for board in boards_of(betting)]
    first, second = (sog_maker(f"{FOLDER}?s=12").strategy() for _ in range(2))
    expected = [first.table(*state).probabilities for state in states]
    found = [second.table(*state).probabilities for state in reversed(states)]
    for one, other in zip(expected, reversed(found), strict=True):
        assert one == pytest.approx(other, abs=1e-12)
    third = sog_maker(f"{FOLDER}?s=12&seed=2").strategy()
    assert any(
        (third.table(*state).probabilities != one).any()
        for state, one in zip(states, expected, strict=True)
    )


def test_suits_mean_nothing() -> None:
    played, betting = strategy(), rules_of(LEDUC).parse("rc/")
    deck = sorted(definition_of(LEDUC).deck)
    for low, high in zip(deck[::2], deck[1::2], strict=True):
        one, other = (played.table(betting, (card,)).probabilities for card in (low, high))
        assert one.tolist() == other.tolist()


def test_actions_are_legal_and_match_seeds_draw_them() -> None:
    agents = [sog(), sog()]
    seen = set()
    for number, hand in enumerate(hands(LEDUC, 60, seed=4)):
        for state, action in decisions(agents[:: 1 if number % 2 else -1], hand):
            state.betting.verify_action(action)
            seen.add(action.text)
    assert seen == {"f", "c", "r"}
    assert [agent.num_fallbacks for agent in agents] == [0, 0]
    states = [decision(LEDUC, "", KING, hand_id=number) for number in range(40)]
    texts = ["".join(sog_with(seed).act(state, 0).text for state in states) for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


def sog_with(seed: int) -> SoGAgent:
    agent = make_agent(f"{FOLDER}?s=12&c=2&temperature=2", definition_of(LEDUC), seed)
    assert isinstance(agent, SoGAgent)
    return agent


@pytest.mark.parametrize("opponent", ["call", "random"])
def test_it_wins_from_simple_players(opponent: str) -> None:
    """A thousand deals in both seats; the mean is more than three standard errors above 0."""
    own, other = sog("s=100"), make_agent(opponent, definition_of(LEDUC), 5)
    values = duplicate_values(LEDUC, own, other, 1000, seed=8)
    mean, error = np.mean(values), np.std(values) / np.sqrt(len(values))
    assert mean > 3 * error
    assert own.num_fallbacks == 0


def test_a_match_of_a_thousand_hands_has_no_fallback(tmp_path: Path) -> None:
    result = acpcbot.play_match(
        [f"{FOLDER}?s=60&c=1", "random"], hands=1000, folder=tmp_path / "match"
    )
    assert result.num_fallbacks == 0
    assert result.scores[0].mean_mbb > 0
    # Its probabilities are recorded, so luck can be taken out of its result.
    assert list((tmp_path / "match").glob("*.strategies"))


def test_it_plays_without_the_trainer_of_networks(tmp_path: Path) -> None:
    """Caught: an import of JAX or optax on the way to the table."""
    program = f"""
import sys
from acpcbot.agents.registry import make_agent
from tests.agents.playing import decision
from tests.support.games import definition_of
agent = make_agent({f"{FOLDER}?s=4"!r}, definition_of({LEDUC!r}), 1)
print(agent.act(decision({LEDUC!r}, "", "Ks"), 0.0).text)
print([name for name in ("jax", "optax") if name in sys.modules])
"""
    done = run_python("-c", program, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1] == "[]"


def test_a_state_that_the_seat_never_leads_to_is_answered_and_counted(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Its chain has no range there; in the first state with a policy of zeros it goes on."""
    agent = sog("s=30")
    never = BettingRules(definition_of(LEDUC))
    start = agent.searches.searched(never.start, ())
    assert start.chain.last is not None
    # Seat 0 always raises now, so a check never comes from it.
    tree = agent.searches.searcher.tree
    for row in tree.arrays.rows[tree.rows_of(start.node, 0)]:
        first = int(row["first_slot"])
        start.chain.last.policy[first : first + 2] = (0, 1)
    state = decision(LEDUC, "cr", ACE)
    state.betting.verify_action(agent.act(state, 0))
    assert agent.num_fallbacks == 1
    line = json.loads(capfd.readouterr().err)
    assert (line["event"], line["betting"]) == ("search fallback", "cr")
    assert not agent.searches.searched(never.parse("cr"), ()).is_reached


def test_a_tree_beyond_the_memory_allowed_is_an_error_and_leaves_the_tree_whole() -> None:
    """In the middle of a match; the client's fallback acts and is counted."""
    agent, fresh = sog("s=12"), sog("s=12")
    tree, state = agent.searches.searcher.tree, decision(LEDUC, "rc/r", ACE, "Ks")
    allowed, tree.memory_bytes = tree.memory_bytes, 0
    with pytest.raises(UsageError, match="the public tree of GenericPoker") as caught:
        agent.act(state, 0)
    assert "\n" not in str(caught.value)
    tree.memory_bytes = allowed
    found, expected = (each.table(state, 0).probabilities for each in (agent, fresh))
    assert found == pytest.approx(expected, abs=1e-12)


def test_the_arena_takes_no_network(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", str(FOLDER), "random", "--game", LEDUC, "--deals", "10"]) == 1
    assert "is a network with a search, and no stored strategy" in capsys.readouterr().err


def refusal(name: str, game: str = LEDUC) -> str:
    """Return the problem of making the agent *name*: one line, with a hint of one line."""
    with pytest.raises(AcpcbotError) as caught:
        make_agent(name, definition_of(game), 1)
    assert "\n" not in str(caught.value)
    assert caught.value.hint
    assert "\n" not in caught.value.hint
    return str(caught.value)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("s=0", "s: expected"),
        ("s=-3", "s: expected"),
        ("s=a", "s: expected a number, found 'a'"),
        ("c=0", "c: expected"),
        ("c=nan", "c: expected a number (above 0), found NaN"),
        ("temperature=0", "temperature: expected"),
        ("samples=3", "has no option 'samples'"),
        ("s=3&s=4", "s: expected one value"),
        ("network=maybe", "network: expected"),
        ("memory=0.01", "the public tree of GenericPoker"),
    ],
)
def test_options_that_do_not_fit_are_refused(options: str, problem: str) -> None:
    assert problem in refusal(f"{FOLDER}?{options}")


@pytest.mark.parametrize("game", [KUHN, LEDUC_NOLIMIT, LIMIT_2P, "kuhn.limit.3p"])
def test_other_games_are_refused(game: str) -> None:
    assert f"plays {LEDUC}, not {game}" in refusal(str(FOLDER), game)
    with pytest.raises(UsageError):
        verify_name(str(FOLDER), definition_of(game))


def test_games_of_other_shapes_are_refused() -> None:
    """Three seats, and a Leduc whose raises, stacks or first seats are others."""
    for name in ("kuhn.limit.3p", KUHN, LIMIT_2P):
        with pytest.raises(UsageError, match=name):
            find_public_game(definition_of(name))
    text = shipped_path(LEDUC).read_text()
    for old, new in (("2 4", "2 6"), ("1 1\nr", "1 2\nr"), ("= 2 2", "= 2 3")):
        assert old in text
        with pytest.raises(UsageError, match="no game with a hole card each"):
            find_public_game(parse_definition(text.replace(old, new, 1)))
    larger = text.replace("numRanks = 3", "numRanks = 5").replace(
        "maxRaises = 2 2", "maxRaises = 3 3"
    )
    game = find_public_game(parse_definition(larger))
    assert (
        repr(game.encoding.game)
        == "GenericPoker(num_ranks=5, num_copies=2, max_raises=2, num_sizes=1)"
    )
    assert set(game.places().tolist()) == {0, 1, 2, 3, 4}


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    place = tmp_path / "networks" / "mine"
    shutil.copytree(FOLDER, place)
    return place


def change_manifest(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    path = folder / "network.json"
    table = json.loads(path.read_text())
    del table["checksum"]
    change(table)
    table["checksum"] = hashlib.sha256(json.dumps(table).encode()).hexdigest()
    path.write_text(json.dumps(table))


def test_networks_that_do_not_fit_are_refused(copied: Path) -> None:
    name = str(copied)
    assert make_agent(f"{name}?s=2", definition_of(LEDUC), 1)
    change_manifest(copied, lambda table: table["interface"].update(rows="by suit"))
    assert "rows: expected" in refusal(name)
    change_manifest(copied, lambda table: table["training"].pop("game"))
    assert "is a network of no ACPC game" in refusal(name)
    (copied / "network.json").write_text("{}")
    assert "network.json: expected format 1" in refusal(name)


def test_weights_that_are_no_numbers_are_refused(copied: Path) -> None:
    parameters = np.load(copied / "parameters.npy")
    parameters[3] = np.nan
    file = BytesIO()
    np.lib.format.write_array(file, parameters)
    (copied / "parameters.npy").write_bytes(file.getvalue())
    digest = hashlib.sha256(file.getvalue()).hexdigest()
    change_manifest(copied, lambda table: table["files"].update({"parameters.npy": digest}))
    assert "finite" in refusal(str(copied))


def test_a_hand_that_the_board_blocks_has_probabilities_too() -> None:
    table = strategy().table(rules_of(LEDUC).parse("cc/"), (50,))
    assert table.probabilities.sum(axis=1) == pytest.approx(1)
    assert len(table.probabilities) == len(definition_of(LEDUC).deck)
    blocked = table.probabilities[hand_number(definition_of(LEDUC), (50,))]
    # The other ace is there, and suits mean nothing.
    assert (
        blocked.tolist() == table.probabilities[hand_number(definition_of(LEDUC), (51,))].tolist()
    )
