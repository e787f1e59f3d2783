"""The player of a finished strategy: legal everywhere, as often as the strategy says, and found
by its name.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.agents.blueprint import BlueprintAgent
from acpcbot.agents.decision_stream import decision_stream
from acpcbot.agents.names import KNOWN
from acpcbot.agents.registry import make_agent, verify_name
from acpcbot.errors import BadSnapshot, UnknownStrategy, UsageError
from acpcbot.matches.in_process import play_in_process
from acpcbot.matches.match_files import MatchFiles
from acpcbot.matches.settings import MatchSettings, TimeLimits
from acpcbot.poker.definition import format_definition
from acpcbot.poker.shipped import find_definition
from acpcbot.protocol.messages import MatchState
from acpcbot.strategies import finding
from acpcbot.strategies.policy import PlaySettings, drawn_index
from acpcbot.strategies.snapshot import Snapshot
from tests.agents.playing import NO_DEADLINE, action_text, decision, decisions, hands
from tests.strategies.random_snapshots import GAMES, saved
from tests.support.games import KUHN, LEDUC, LIMIT_2P, definition_of

ROOT = Path(__file__).parents[2]


@pytest.fixture
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def stored(
    snapshot: Snapshot, state: MatchState, settings: PlaySettings | None = None
) -> dict[str, float]:
    """Return the strategy's probabilities at a decision, by action."""
    place = snapshot.place(state.betting)
    row = snapshot.probabilities(
        place, snapshot.bucket(place, state.own_cards, state.board), settings
    )
    return dict(zip(["fcr"[kind] for kind in place.kinds], row.tolist(), strict=True))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("settings", [None, PlaySettings("greedy")])
def test_whole_matches_are_played_without_a_fallback(
    game: str, settings: PlaySettings | None, tmp_path: Path
) -> None:
    """A fallback stands for any answer that was illegal, and for any exception."""
    snapshot, definition = saved(tmp_path / "x", game), definition_of(game)
    agents = [
        BlueprintAgent(definition, seat, snapshot, settings)
        for seat in range(definition.num_players)
    ]
    names = tuple(f"p{seat}" for seat in range(definition.num_players))
    limits = TimeLimits.from_milliseconds(0, 0, 0, 60)
    match = MatchSettings(str(tmp_path / "match"), game, definition, 60, 3, names, limits)
    files = MatchFiles(match.name, keeps_log=True, keeps_transactions=False, appends=False)
    assert play_in_process(match, agents, files) == 0
    files.close()
    assert Path(f"{match.name}.log").read_text().count("STATE:") == 60


@pytest.mark.parametrize(
    "state",
    [
        decision(LEDUC, "cr", "Ks"),
        decision(LEDUC, "rc/r", "Qs", "Kh"),
        decision(LIMIT_2P, "r", "7d6d"),
        decision(LIMIT_2P, "crc/r", "AsKd", "2c7dTh"),
        decision(LIMIT_2P, "cc/cc/cc/r", "AsKd", "2c7dThJh4d"),
    ],
    ids=lambda state: f"{state.definition.num_streets} streets, {state.betting.text}",
)
@pytest.mark.parametrize("text", ["average", "threshold:0.3", "purified"])
def test_actions_come_as_often_as_the_strategy_says(
    state: MatchState, text: str, tmp_path: Path
) -> None:
    """Would catch a wrong node, bucket or street, and actions in another order: chi-square, two
    degrees of freedom.
    """
    snapshot = saved(tmp_path / "x", LEDUC if state.definition.num_streets == 2 else LIMIT_2P)
    mode, _, number = text.partition(":")
    settings = PlaySettings(mode, float(number or 0))
    agent, num_hands = BlueprintAgent(state.definition, 11, snapshot, settings), 1_000
    states = [
        MatchState(state.seat, hand, state.betting, state.hole_cards, state.board, "")
        for hand in range(num_hands)
    ]
    seen = Counter(agent.act(each, NO_DEADLINE).text for each in states)
    expected = {
        kind: num_hands * chance
        for kind, chance in stored(snapshot, state, settings).items()
        if chance
    }
    assert set(seen) <= set(expected)
    assert (
        sum((seen[kind] - mean) ** 2 / mean for kind, mean in expected.items()) < 13.8
    )  # one in a thousand


def test_greedy_and_purified_players_always_do_the_same(tmp_path: Path) -> None:
    snapshot = saved(tmp_path / "x", LEDUC)
    for text in ("greedy", "purified"):
        agents = [
            BlueprintAgent(definition_of(LEDUC), seed, snapshot, PlaySettings(text))
            for seed in range(20)
        ]
        state = decision(LEDUC, "rc/r", "Qs", "Kh")
        [action] = {action_text(agent, state) for agent in agents}
        assert stored(snapshot, state, PlaySettings(text))[action] == 1


def test_a_decision_is_a_function_of_the_seed_and_the_decision(tmp_path: Path) -> None:
    """Would catch numbers that run on from decision to decision: a match that is taken up again
    would change.
    """
    snapshot, definition = saved(tmp_path / "x", LEDUC), definition_of(LEDUC)
    lasting = [BlueprintAgent(definition, seat, snapshot) for seat in range(2)]
    for hand in hands(LEDUC, 50, seed=4):
        for view, action in decisions(lasting, hand):
            assert BlueprintAgent(definition, view.seat, snapshot).act(view, NO_DEADLINE) == action


@given(
    weights=st.lists(st.sampled_from([0.0, 1e-9, 0.25, 1.0]), min_size=1, max_size=3).filter(any),
    unit=st.floats(0, 1, exclude_max=True),
)
def test_an_impossible_action_is_never_drawn(weights: list[float], unit: float) -> None:
    """At either end of the numbers that are drawn from."""
    assert weights[drawn_index(np.array(weights) / sum(weights), unit)] > 0


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("text", ["average", "greedy", "purified", "threshold:0.3"])
def test_a_player_draws_from_the_probabilities_that_are_told_of_it(
    game: str, text: str, tmp_path: Path
) -> None:
    """Catches a bucket of the hand before, and a draw without arrays that ends elsewhere than
    the one with them.
    """
    mode, _, number = text.partition(":")
    settings = PlaySettings(mode, float(number or 0))
    snapshot, definition = saved(tmp_path / "x", game), definition_of(game)
    agents = [
        BlueprintAgent(definition, seat, snapshot, settings)
        for seat in range(definition.num_players)
    ]
    for hand in hands(game, 25, seed=9):
        for view, action in decisions(agents, hand):
            place = snapshot.place(view.betting)
            row = snapshot.probabilities(
                place, snapshot.bucket(place, view.own_cards, view.board), settings
            )
            assert (
                action == place.actions[drawn_index(row, decision_stream(view.seat, view).unit())]
            )


@pytest.mark.parametrize("game", [LEDUC, LIMIT_2P])
def test_players_of_stored_strategies_answer_where_they_are_called(
    game: str, tmp_path: Path
) -> None:
    """Catches a way through another thread, which costs more than the decision."""
    assert BlueprintAgent(definition_of(game), 1, saved(tmp_path / "x", game)).is_instant


# Names


@pytest.mark.usefixtures("_own_folder")
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("strategies/leduc", PlaySettings()),
        ("strategies/leduc/", PlaySettings()),
        ("./strategies/leduc?play=average", PlaySettings()),
        ("strategies/leduc?play=greedy", PlaySettings("greedy")),
        ("strategies/leduc?play=threshold:0.15", PlaySettings("threshold", 0.15)),
    ],
)
def test_a_folder_is_a_strategys_name(name: str, settings: PlaySettings) -> None:
    saved(Path("strategies/leduc"), LEDUC)
    verify_name(name)
    verify_name(name, definition_of(LEDUC))
    agent = make_agent(name, definition_of(LEDUC), 5)
    assert isinstance(agent, BlueprintAgent)
    assert (agent.settings, agent.seed) == (settings, 5)


@pytest.mark.usefixtures("_own_folder")
def test_a_folder_right_here_needs_no_slash() -> None:
    saved(Path("mine"), KUHN)
    assert isinstance(make_agent("mine", definition_of(KUHN), 1), BlueprintAgent)
    assert isinstance(make_agent("mine?play=greedy", definition_of(KUHN), 1), BlueprintAgent)


def test_a_path_of_a_snapshot_names_an_agent(tmp_path: Path) -> None:
    saved(tmp_path / "mine", KUHN)
    assert isinstance(make_agent(str(tmp_path / "mine"), definition_of(KUHN), 1), BlueprintAgent)


def test_the_current_folder_comes_before_the_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("here", "package"):
        (tmp_path / place).mkdir()
    saved(tmp_path / "package" / "strategies" / "x", KUHN)
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(finding, "PACKAGE", tmp_path / "package" / "acpcbot")
    agent = make_agent("strategies/x", definition_of(KUHN), 1)
    assert isinstance(agent, BlueprintAgent)
    assert agent.snapshot.path == tmp_path / "package" / "strategies" / "x"
    saved(tmp_path / "here" / "strategies" / "x", KUHN)
    agent = make_agent("strategies/x", definition_of(KUHN), 1)
    assert isinstance(agent, BlueprintAgent)
    assert agent.snapshot.path == Path("strategies/x")


@pytest.mark.usefixtures("_own_folder")
def test_a_folder_that_is_not_there_is_unknown_and_the_hint_says_where_it_was_looked_for(
    tmp_path: Path,
) -> None:
    with pytest.raises(UnknownStrategy) as refusal:
        make_agent("strategies/nothing", definition_of(KUHN), 1)
    assert refusal.value.known == KNOWN
    assert (
        f"no folder strategies/nothing: it was looked for in {tmp_path}, {ROOT}"
        in refusal.value.hint
    )


@pytest.mark.usefixtures("_own_folder")
@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ("?", "no setting ''"),
        ("?speed=3", "no setting 'speed'"),
        ("?play=best", "play cannot be 'best'"),
        ("?play=greedy", "cannot be played as greedy"),
    ],
)
def test_settings_that_cannot_be_are_refused_before_anything_is_played(
    options: str, fault: str
) -> None:
    saved(Path("x"), KUHN, greedy=None)
    with pytest.raises(UsageError, match=fault) as refusal:
        verify_name(f"x{options}")
    assert refusal.value.hint


@pytest.mark.usefixtures("_own_folder")
def test_a_damaged_folder_is_told_as_one() -> None:
    saved(Path("x"), KUHN)
    Path("x/policy.0.npy").write_bytes(b"")
    verify_name("x", definition_of(KUHN))
    with pytest.raises(BadSnapshot, match=r"policy\.0\.npy does not match its checksum"):
        make_agent("x", definition_of(KUHN), 1)
    Path("x/manifest.json").unlink()
    with pytest.raises(BadSnapshot, match=r"manifest\.json cannot be read"):
        verify_name("x")


# Games


@pytest.mark.usefixtures("_own_folder")
def test_another_game_is_refused_with_both_names() -> None:
    saved(Path("x"), KUHN)
    for refused in (verify_name, lambda name, definition: make_agent(name, definition, 1)):
        with pytest.raises(UsageError, match=rf"x plays {KUHN}, not {LEDUC}"):
            refused("x", definition_of(LEDUC))


@pytest.mark.usefixtures("_own_folder")
def test_a_renamed_file_with_the_same_rules_is_the_same_game() -> None:
    saved(Path("x"), KUHN)
    Path("my.game").write_text(f"# mine\n{format_definition(definition_of(KUHN))}")
    make_agent("x", find_definition("my.game")[1], 1)
    Path("my.game").write_text(
        format_definition(definition_of(KUHN)).replace("blind = 1 1", "blind = 2 2")
    )
    with pytest.raises(UsageError, match=f"x plays {KUHN}, not a game with fingerprint"):
        make_agent("x", find_definition("my.game")[1], 1)


def test_a_player_of_a_small_game_loads_nothing_of_holdem_and_builds_no_tree(
    tmp_path: Path,
) -> None:
    """Would catch an import that makes every start pay for tables and compilers."""
    saved(tmp_path / "x", LEDUC)
    code = """
import sys
from acpcbot.agents.registry import make_agent
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.shipped import shipped_definition
from acpcbot.protocol.messages import MatchState

game = BettingRules(shipped_definition("leduc.limit.2p"))
make_agent(sys.argv[1], game.definition, 1).act(MatchState(0, 0, game.start, ((51,), ()), (), ""), 0.0)
heavy = {"acpcbot.abstraction.holdem_abstraction", "acpcbot.abstraction.equity", "acpcbot.trees.public_tree"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "x")], check=True, cwd=ROOT)
