"""Agents that search from the rules: what they play, when they answer, what they save."""

from __future__ import annotations

import gc
import json
import threading
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import acpcbot
from acpcbot.agents.names import SEARCHING
from acpcbot.agents.registry import make_agent, verify_name
from acpcbot.agents.tree_search.background import NAME, BackgroundSearch
from acpcbot.agents.tree_search.hand_strategies import states_with
from acpcbot.agents.tree_search.ismcts import ISMCTSAgent
from acpcbot.agents.tree_search.oos import OOSAgent
from acpcbot.agents.tree_search.options import OOSOptions
from acpcbot.agents.tree_search.searched_game import make_searched_game
from acpcbot.cards.deck import parse_cards
from acpcbot.errors import UsageError
from acpcbot.games.game import is_reached
from acpcbot.matches.agent import closing_agents
from acpcbot.poker.actions import CALLING
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.hands import all_hands, hands_without
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.tree_search import OOSSearch, OOSSettings
from tests.agents.playing import decision, decisions, hands
from tests.support.games import (
    ALL_GAMES,
    KUHN,
    LEDUC,
    LEDUC_NOLIMIT,
    LIMIT_2P,
    definition_of,
    rules_of,
)

FLOP_LIMIT = "flop_holdem.limit.2p"
TWO_PLAYERS = tuple(name for name in ALL_GAMES if definition_of(name).num_players == 2)
# Three hole cards, two streets without a board card, a deck of 20: no view but cards.
ODD_GAME = """GAMEDEF
nolimit
numPlayers = 2
numRounds = 3
stack = 50 50
blind = 1 2
firstPlayer = 1 2 2
numSuits = 4
numRanks = 5
numHoleCards = 3
numBoardCards = 0 0 3
END GAMEDEF
"""


def make_oos(name: str, game: str, seed: int = 1) -> OOSAgent:
    agent = make_agent(name, definition_of(game), seed)
    assert isinstance(agent, OOSAgent)
    return agent


def search_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == NAME]


@pytest.mark.parametrize("name", SEARCHING)
@pytest.mark.parametrize("game", TWO_PLAYERS)
def test_every_action_is_legal_in_every_game_for_two(game: str, name: str) -> None:
    """Caught: a bet of the menu that the real stacks do not allow, a view that a game lacks."""
    definition = definition_of(game)
    view = "" if len(definition.deck) < 20 else "&buckets=cards"
    agent = make_agent(f"{name}?samples=4{view}", definition, 3)
    other = make_agent("random", definition, 1)
    for number, hand in enumerate(hands(game, 12, seed=4)):
        seats = [agent, other] if number % 2 else [other, agent]
        for state, action in decisions(seats, hand):
            state.betting.verify_action(action)


@pytest.mark.parametrize("name", SEARCHING)
def test_an_odd_game_is_played_too(name: str, tmp_path: Path) -> None:
    """Caught: a game that neither exact buckets nor hold'em's fit."""
    path = tmp_path / "odd.game"
    path.write_text(ODD_GAME, encoding="utf-8")
    result = acpcbot.play_match(
        [f"{name}?samples=3&bets=0.5,all-in", "random"],
        game=str(path),
        hands=15,
        folder=tmp_path / "match",
    )
    assert result.num_fallbacks == 0


def test_buckets_of_hold_em_are_played_and_saved(tmp_path: Path) -> None:
    """Caught: a hand of a bucket that the board blocks, a street without its table."""
    folder = tmp_path / "saved"
    agent = make_oos(f"oos?samples=300&buckets=grid:4&save={folder}", FLOP_LIMIT)
    for hand in hands(FLOP_LIMIT, 6, seed=4):
        for state, action in decisions([agent, agent], hand):
            state.betting.verify_action(action)
        agent.observe(hand.view(0))
    agent.close()
    compare_with_saved(agent, folder, [parse_cards("2c7dKh"), parse_cards("AsAd5c")])


def compare_with_saved(agent: OOSAgent, folder: Path, boards: list[tuple[int, ...]]) -> None:
    """Compare what *agent* would play with the stored strategy, at all betting of the menu."""
    saved = SnapshotStrategy(load_snapshot(folder))
    assert saved.snapshot.manifest.training.num_episodes == agent.clock.num_samples
    waiting, count = [BettingRules(agent.definition).start], 0
    while waiting:
        betting = waiting.pop()
        for board in {known[: agent.definition.board_size(betting.street)] for known in boards}:
            running, stored = agent.strategy.table(betting, board), saved.table(betting, board)
            assert running.actions == stored.actions
            # Large strategies are stored in steps of 1/255.
            error = np.abs(running.probabilities - stored.probabilities).max()
            assert error <= (1e-12 if saved.snapshot.manifest.storage == "exact" else 1 / 255)
            count += 1
        following = [betting.apply(action) for action in agent.searched.place(betting).actions]
        waiting += [state for state in following if not state.is_over]
    assert count > 3


@pytest.mark.parametrize("game", [KUHN, LEDUC, LEDUC_NOLIMIT])
def test_the_saved_strategy_is_the_running_one(game: str, tmp_path: Path) -> None:
    """Caught: a row in another node's place, an information set that is missed."""
    folder = tmp_path / "saved"
    agent = make_oos(f"oos?samples=400&save={folder}", game)
    for hand in hands(game, 10, seed=4):
        for _ in decisions([agent, agent], hand):
            pass
        agent.observe(hand.view(0))
    agent.close()
    boards: list[tuple[int, ...]] = [()]
    if game != KUHN:
        boards = [(card,) for card in agent.definition.deck]
    compare_with_saved(agent, folder, boards)


def test_a_running_match_is_saved_every_so_many_hands(tmp_path: Path) -> None:
    acpcbot.play_match(
        [f"oos?samples=50&save={tmp_path}/kuhn{{hands}}&save_every=4", "call"],
        game=KUHN,
        hands=9,
        folder=tmp_path / "match",
    )
    found = {path.name: load_snapshot(path) for path in tmp_path.glob("kuhn*")}
    # The match may be over before an earlier one is written; the last is always there.
    assert "kuhn9" in found
    assert found.keys() <= {"kuhn4", "kuhn8", "kuhn9"}
    assert found["kuhn9"].manifest.training.settings["hands"] == 9


def test_the_saved_strategy_becomes_less_exploitable(tmp_path: Path) -> None:
    """Caught: regrets or averages that go to the wrong place."""
    found = []
    for samples in (100, 10_000, 400_000):
        folder = tmp_path / str(samples)
        agent = make_oos(f"oos?samples={samples}&save={folder}", KUHN)
        agent.act(decision(KUHN, "", "As"), float("inf"))
        agent.num_hands = 1
        agent.close()
        found.append(acpcbot.exploitability(str(folder)).exploitability_mbb)
    assert found[0] > 3 * found[1] > 9 * found[2]
    assert found[2] < 10


@cache
def played(seed: int, folder: Path) -> str:
    acpcbot.play_match(
        ["oos?samples=200", "ismcts?samples=100&policy=rm"],
        game=LEDUC_NOLIMIT,
        hands=30,
        seed=seed,
        folder=folder / str(seed),
    )
    (log,) = (folder / str(seed)).glob("*.log")
    # The header names the folder.
    return "".join(line for line in log.open(encoding="utf-8") if line.startswith("STATE"))


def test_a_seed_and_a_number_of_samples_give_the_same_play(tmp_path: Path) -> None:
    """Caught: samples between decisions, random numbers that a clock decides."""
    first, second = played(5, tmp_path / "first"), played(5, tmp_path / "second")
    assert first == second
    assert played(6, tmp_path / "first") != first


@pytest.fixture
def busy_machine() -> Iterator[None]:
    """More threads at work than there are cores, in Python and in kernels."""
    is_over = threading.Event()

    def work() -> None:
        while not is_over.is_set():
            sum(range(10_000))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    yield
    is_over.set()
    for thread in threads:
        thread.join()


@pytest.mark.slow
@pytest.mark.usefixtures("busy_machine")
@pytest.mark.parametrize("name", ["oos?seconds=60", "ismcts?seconds=60"])
def test_deadlines_are_kept_under_load(name: str) -> None:
    """Caught: a decision of the length that the option asks for, a thread that is waited for."""
    agent = make_agent(name, definition_of(LEDUC), 1)
    states = [
        decision(LEDUC, "", "As"),
        decision(LEDUC, "r", "Kh"),
        decision(LEDUC, "rc/", "Qs", "Kh"),
    ]
    with closing_agents([agent]):
        for state in states:
            deadline_s = time.monotonic() + 3.0
            state.betting.verify_action(agent.act(state, deadline_s))
            assert time.monotonic() < deadline_s


def test_a_deadline_that_is_over_is_answered_without_a_sample() -> None:
    agent = make_oos("oos?samples=1000", LEDUC)
    state = decision(LEDUC, "", "As")
    state.betting.verify_action(agent.act(state, time.monotonic() - 1))
    assert agent.clock.num_samples == 0


@pytest.mark.parametrize("viewer", ["infoset", "public"])
@pytest.mark.parametrize(("game", "betting"), [(LEDUC, "rc/r"), (LEDUC_NOLIMIT, "r300c/")])
def test_the_target_is_the_present_of_the_match(game: str, betting: str, viewer: str) -> None:
    """Caught: a target of the other seat, of another board, or of another hand."""
    agent = make_oos(f"oos?samples=20&target={viewer}", game)
    state = decision(game, betting, "As", "Kh")
    agent.act(state, float("inf"))
    seat = state.seat

    def in_target(own: str, board: str) -> list[bool]:
        cards, known = parse_cards(own), parse_cards(board)
        free = all_hands(agent.definition)[hands_without(agent.definition, [*cards, *known])]
        states = states_with(
            agent.searched.game,
            seat,
            np.array(cards),
            free.astype(np.int64),
            np.array(known),
            agent.searched.choices(state.betting),
        )
        return [is_reached(agent.searched.game, agent.search.target, words) for words in states]

    assert all(in_target("As", "Kh"))
    # Suits make no difference to exact buckets; another rank does, but not to the public.
    assert all(in_target("Ah", "Ks"))
    assert set(in_target("Qs", "Kh")) == {viewer == "public"}


def test_no_target_samples_the_whole_game() -> None:
    agent = make_oos("oos?samples=20&target=none", LEDUC)
    agent.act(decision(LEDUC, "rc/r", "As", "Kh"), float("inf"))
    assert not agent.search.is_targeted


def test_a_bet_that_the_menu_lacks_is_translated() -> None:
    """Caught: a decision without actions, a target that the game does not have."""
    agent = make_oos("oos?samples=50&bets=1,all-in", LEDUC_NOLIMIT)
    for text in ("r250", "r377", "r1200", "r377c/r600"):
        state = decision(LEDUC_NOLIMIT, text, "As", "Kh" if "/" in text else "")
        state.betting.verify_action(agent.act(state, float("inf")))
        table = agent.strategy.table(state.betting, state.board)
        free = hands_without(agent.definition, state.board)
        assert table.probabilities[free].sum(axis=1) == pytest.approx(1)
        for action in table.actions:
            state.betting.verify_action(action)


def test_the_thread_ends_with_the_match(tmp_path: Path) -> None:
    """Caught: a search that goes on for nobody."""
    before = search_threads()
    acpcbot.play_match(["oos?seconds=0.001", "call"], game=KUHN, hands=5, folder=tmp_path / "match")
    assert search_threads() == before


def test_the_thread_ends_with_an_agent_that_is_dropped() -> None:
    before = len(search_threads())
    agent = make_oos("oos?seconds=0.001", KUHN)
    agent.act(decision(KUHN, "", "As"), float("inf"))
    assert len(search_threads()) == before + 1
    del agent
    gc.collect()
    wait_until(lambda: len(search_threads()) == before)


def wait_until(holds: object, longest_s: float = 20.0) -> None:
    assert callable(holds)
    end_s = time.monotonic() + longest_s
    while not holds() and time.monotonic() < end_s:
        time.sleep(0.01)
    assert holds()


def test_it_searches_on_between_decisions_and_stops_when_it_is_asked() -> None:
    """Caught: a thread that never starts, or samples while the search is held."""
    definition = definition_of(LEDUC)
    game = make_searched_game(definition, OOSOptions()).game
    search = OOSSearch(game, OOSSettings(), 1)
    background = BackgroundSearch(search, is_idle=False)
    with background.paused():
        assert background.clock.num_samples == 0
    wait_until(lambda: background.clock.num_samples > 100)
    with background.paused():
        before = search.table.sums.copy()
        time.sleep(0.05)
        assert (search.table.sums == before).all()
    background.close()
    count = background.clock.num_samples
    time.sleep(0.05)
    assert background.clock.num_samples == count


def test_the_whole_game_is_sampled_between_hands() -> None:
    agent = make_oos("oos?seconds=0.001", LEDUC)
    with closing_agents([agent]):
        agent.act(decision(LEDUC, "", "As"), float("inf"))
        assert agent.search.is_targeted
        agent.observe(next(hands(LEDUC, 1, seed=1)).view(0))
        wait_until(lambda: not agent.search.is_targeted)


@pytest.mark.parametrize("name", ["oos", "ismcts"])
def test_full_memory_is_told_once_and_the_search_goes_on(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = make_agent(f"{name}?samples=4000&buckets=cards&memory=0.06", definition_of(LIMIT_2P), 1)
    for hand_id in range(2):
        for betting, board in (("", ""), ("cc/r", "2c7dKh"), ("cc/cc/", "2c7dKhTs")):
            state = decision(LIMIT_2P, betting, "AsAd", board, hand_id)
            state.betting.verify_action(agent.act(state, float("inf")))
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["event"] for line in lines] == [f"{name} memory full"]
    assert lines[0]["infosets"] > 300
    assert isinstance(agent, OOSAgent | ISMCTSAgent)
    assert agent.search.is_full


def test_the_states_of_is_mcts_are_all_hands_of_the_other_seat() -> None:
    agent = make_agent("ismcts?samples=10", definition_of(LEDUC), 1)
    assert isinstance(agent, ISMCTSAgent)
    betting: BettingState = rules_of(LEDUC).parse("rc/r")
    states = agent.states(betting, parse_cards("As"), parse_cards("Kh"))
    # Six cards without its own and the board's.
    assert len({tuple(state) for state in states.tolist()}) == 4
    assert len({state[betting.actor] for state in states.tolist()}) == 1
    assert len({state[1 - betting.actor] for state in states.tolist()}) == 3


@pytest.mark.parametrize(
    ("policy", "final"),
    [
        ("uct", "visits"),
        ("uct", "most-visits"),
        ("uct", "best-value"),
        ("rm", "visits"),
        ("rm", "most-visits"),
    ],
)
def test_is_mcts_takes_what_it_cannot_lose(policy: str, final: str) -> None:
    """An ace calls a bet in Kuhn, a queen never does."""
    agent = make_agent(
        f"ismcts?samples=4000&policy={policy}&final={final}&C=1", definition_of(KUHN), 1
    )
    states = [
        (decision(KUHN, "r", cards, "", hand_id), cards == "As")
        for hand_id in range(10)
        for cards in ("As", "Qs")
    ]
    # Shares of visits keep some exploration.
    right = [(agent.act(state, float("inf")) == CALLING) == calls for state, calls in states]
    assert sum(right) >= (15 if final == "visits" else 20)


@pytest.mark.parametrize(
    ("name", "game", "problem"),
    [
        ("oos", "kuhn.limit.3p", "a game for 3 players"),
        ("ismcts?samples=3", "kuhn.limit.3p", "a game for 3 players"),
        ("oos?bets=", LEDUC_NOLIMIT, "a bet menu without sizes"),
        ("oos?bets=x", LEDUC_NOLIMIT, "'x' is no size of a bet"),
        ("oos?bets=1", LEDUC, "bets are for no-limit games"),
        ("oos?memory=0.01", LEDUC, "memory of 10000 bytes is too small"),
        ("ismcts?memory=0.01", LEDUC, "memory of 10000 bytes is too small"),
        (
            "oos?delta=1.5",
            LEDUC,
            "oos, delta: expected a number (at least 0, at most 1), found 1.5",
        ),
        ("oos?delta=much", LEDUC, "oos, delta: expected a number, found 'much'"),
        ("oos?seconds=0", LEDUC, "oos, seconds"),
        ("oos?target=seat", LEDUC, "oos, target"),
        ("oos?secnods=1", LEDUC, "oos has no option 'secnods'"),
        ("oos?seconds", LEDUC, "oos, seconds: expected one value"),
        ("oos?seconds=1&seconds=2", LEDUC, "oos, seconds: expected one value"),
        ("ismcts?target=public", LEDUC, "ismcts has no option 'target'"),
        ("ismcts?policy=rm&final=best-value", LEDUC, "ismcts, final"),
        ("oos?buckets=percentile:50", LEDUC, "another game"),
        ("oos?buckets=many", LIMIT_2P, "'many' is no view of the cards"),
        ("oos?buckets=exact", LIMIT_2P, "fewer than five cards"),
        ("oos?buckets=grid:5/grid:5", FLOP_LIMIT, "names 2 streets, and 1 come after the first"),
    ],
)
def test_bad_input_is_refused_before_the_match(name: str, game: str, problem: str) -> None:
    with pytest.raises(UsageError) as refusal:
        verify_name(name, definition_of(game))
    assert problem in str(refusal.value)
    assert refusal.value.hint
    assert "\n" not in f"{refusal.value}{refusal.value.hint}"


def test_a_strategy_that_cannot_be_saved_is_refused_before_the_match(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="sees the cards themselves cannot be saved"):
        make_agent(f"oos?buckets=cards&save={tmp_path}/new", definition_of(LEDUC), 1)
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "letter.txt").touch()
    with pytest.raises(UsageError, match="is there and holds no strategy"):
        make_agent(f"oos?save={tmp_path}/taken", definition_of(LEDUC), 1)


def test_delta_1_is_allowed_with_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    agent = make_agent("oos?samples=2&delta=1", definition_of(KUHN), 1)
    assert "does not converge to an equilibrium" in capsys.readouterr().err
    agent.act(decision(KUHN, "", "As"), float("inf"))


def test_a_match_can_be_valued_by_aivat(tmp_path: Path) -> None:
    """Caught: tables that are not recorded, or not of what was played."""
    result = acpcbot.play_match(
        ["oos?samples=100", "call"], game=LEDUC, hands=40, folder=tmp_path / "match"
    )
    score = acpcbot.aivat(result.folder)[result.scores[0].name]
    assert score.estimates[-1].num_hands == 40
    # The cards' luck is out, and most of that of its own draws.
    assert score.estimates[-1].sd_mbb < score.estimates[0].sd_mbb
