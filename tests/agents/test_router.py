"""A file that names a strategy for each game: games by their rules, fallbacks in order,
refusals by name.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.agents.baseline import CallAgent, FoldAgent, RaiseAgent
from acpcbot.agents.blueprint import BlueprintAgent
from acpcbot.agents.registry import make_agent, verify_name
from acpcbot.agents.router import load_router, name_from
from acpcbot.errors import UsageError
from acpcbot.poker.definition import format_definition
from acpcbot.poker.shipped import find_definition
from tests.strategies.random_snapshots import saved
from tests.support.games import KUHN, LEDUC, LIMIT_2P, definition_of

MINE = "from acpcbot.agents.baseline import CallAgent\n\n\nclass Mine(CallAgent): pass\n"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(text: str, path: str = "bots.toml") -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(f"[strategies]\n{text}", encoding="utf-8")


def refusal(name: str = "bots.toml", game: str = KUHN) -> str:
    """Return the one line by which making an agent is refused."""
    with pytest.raises(UsageError) as caught:
        make_agent(name, definition_of(game), 1)
    assert caught.value.hint
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


def test_each_game_is_played_by_its_own_strategy() -> None:
    write(f'"{KUHN}" = "call"\n"{LEDUC}" = "raise"\n"{LIMIT_2P}" = ["fold"]\n')
    expected = {KUHN: CallAgent, LEDUC: RaiseAgent, LIMIT_2P: FoldAgent}
    for game, agent_type in expected.items():
        for name in ("bots.toml", "router", str(Path("bots.toml").resolve())):
            verify_name(name, definition_of(game))
            agent = make_agent(name, definition_of(game), 7)
            assert isinstance(agent, agent_type)
            assert vars(agent)["seed"] == 7


def test_a_game_is_known_by_its_rules_and_not_by_its_name() -> None:
    """The dealer's file may be called anything, and so may the file that the table names."""
    Path("dealers.game").write_text(format_definition(definition_of(LEDUC)))
    write(f'"{LEDUC}" = "raise"\n')
    assert isinstance(make_agent("router", find_definition("dealers.game")[1], 1), RaiseAgent)
    write('"dealers.game" = "fold"\n')
    assert isinstance(make_agent("router", definition_of(LEDUC), 1), FoldAgent)


def test_names_with_dots_need_no_quotes() -> None:
    """TOML takes leduc.limit.2p for tables within tables."""
    write(f'{LEDUC} = "raise"\n{KUHN} = "call"\n')
    assert isinstance(make_agent("router", definition_of(LEDUC), 1), RaiseAgent)
    assert isinstance(make_agent("router", definition_of(KUHN), 1), CallAgent)


def test_paths_are_taken_from_the_folder_of_the_file() -> None:
    saved(Path("bots/strategies/kuhn"), KUHN)
    Path("bots/my.game").write_text(format_definition(definition_of(LEDUC)))
    Path("bots/mine.py").write_text(MINE)
    write(
        f'"{KUHN}" = "strategies/kuhn?play=purified"\n"my.game" = "mine.py:Mine"\n', "bots/all.toml"
    )
    agent = make_agent("bots/all.toml", definition_of(KUHN), 1)
    assert isinstance(agent, BlueprintAgent)
    assert (agent.snapshot.path, agent.settings.mode) == (Path("bots/strategies/kuhn"), "purified")
    assert type(make_agent("bots/all.toml", definition_of(LEDUC), 1)).__name__ == "Mine"


def test_a_shipped_name_is_no_path_even_where_a_folder_has_it() -> None:
    Path("bots/call").mkdir(parents=True)
    assert name_from(Path("bots"), "call") == "call"


def test_the_first_strategy_that_can_be_made_plays(capfd: pytest.CaptureFixture[str]) -> None:
    """Damage, another game, and names that lead nowhere: each is told, and the next one has its
    turn.
    """
    saved(Path("damaged"), KUHN)
    Path("damaged/policy.0.npy").write_bytes(b"")
    saved(Path("other"), LEDUC)
    write(
        f'"{KUHN}" = ["damaged", "other", "strategies/nothing", "no_module:Mine", "raise", "call"]\n'
    )
    assert isinstance(make_agent("bots.toml", definition_of(KUHN), 1), RaiseAgent)
    captured = capfd.readouterr()
    assert captured.out == ""
    told = captured.err.splitlines()
    assert [line.split(f"{KUHN} by ")[1].split(":")[0] for line in told] == [
        "damaged",
        "other",
        "strategies/nothing",
        "no_module",
    ]
    assert "does not match its checksum" in told[0]
    assert f"plays {LEDUC}, not {KUHN}" in told[1]


def test_a_failure_is_told_once_however_often_agents_are_made(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """A server makes an agent for each match."""
    write(f'"{KUHN}" = ["strategies/lost", "call"]\n', "told_once.toml")
    for _ in range(3):
        make_agent("told_once.toml", definition_of(KUHN), 1)
    assert len(capfd.readouterr().err.splitlines()) == 1


def test_without_a_strategy_that_can_be_made_there_is_no_agent() -> None:
    """No fallback that nobody wrote down."""
    write(f'"{KUHN}" = ["strategies/one", "strategies/two"]\n')
    told = refusal()
    assert f"bots.toml: no strategy for {KUHN} can be played" in told
    assert "strategies/one" in told
    assert "strategies/two" in told
    with pytest.raises(UsageError):
        verify_name("bots.toml", definition_of(KUHN))


def test_a_game_without_an_entry_is_refused_by_name() -> None:
    write(f'"{LEDUC}" = "call"\n')
    verify_name("bots.toml")
    assert refusal() == f"bots.toml names no strategy for {KUHN}"
    with pytest.raises(UsageError, match="names no strategy"):
        verify_name("router", definition_of(KUHN))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "bots.toml: strategies is not a table, or an empty one"),
        ('"nosuch.game" = "call"', "bots.toml: no game definition 'nosuch.game'"),
        (f'"{KUHN}" = 5', f"bots.toml: {KUHN} needs the name of a strategy"),
        (f'"{KUHN}" = []', f"bots.toml: {KUHN} needs the name of a strategy"),
        (f'"{KUHN}" = ["call", 3]', f"bots.toml: {KUHN} needs the name of a strategy"),
        (f'"{KUHN}" = "router"', f"bots.toml: {KUHN} cannot be left to another file"),
        (f'"{KUHN}" = ["call", "bots.toml"]', f"bots.toml: {KUHN} cannot be left to another file"),
        (
            f'"{KUHN}" = "call"\n"{KUHN}.game" = "fold"',
            f"bots.toml: {KUHN}.game is listed twice",
        ),
        (f'"{KUHN}" = "call', "bots.toml: "),
    ],
)
def test_a_wrong_router_file_is_refused_with_its_fault(text: str, fault: str) -> None:
    write(text)
    assert fault in refusal()


def test_a_file_without_the_table_is_refused() -> None:
    Path("bots.toml").write_text("")
    assert refusal() == "bots.toml has no table [strategies]"
    Path("bots.toml").write_text("strategies = 5")
    assert "not a table, or an empty one" in refusal()


def test_a_broken_definition_is_refused_with_the_files_name() -> None:
    Path("bad.game").write_text("GAMEDEF\nlimit\nnumRounds = 77\nEND GAMEDEF\n")
    write('"bad.game" = "call"')
    assert "bots.toml: " in refusal()
    assert "77" in refusal()


@pytest.mark.parametrize("name", ["router", "nowhere.toml"])
def test_a_missing_file_is_an_os_error(name: str) -> None:
    with pytest.raises(FileNotFoundError):
        verify_name(name)


def test_a_router_may_be_asked_again_and_again() -> None:
    write(f'"{KUHN}" = "call"\n')
    router = load_router(Path("bots.toml"), make_agent, verify_name)
    assert router(definition_of(KUHN), 1) is not router(definition_of(KUHN), 1)
