"""bots.toml: what is read, and each refusal, with the file, the bot and the fault in its text."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.agents.baseline import RaiseAgent
from acpcbot.agents.registry import make_agent
from acpcbot.errors import UsageError
from acpcbot.net.serve import BotConfig, load_bots
from acpcbot.poker.shipped import find_definition, shipped_path

BOT = '[[bot]]\nstrategy = "tight"\ngame = "kuhn.limit.2p"\nhost = "127.0.0.1"\nport = 18791\n'


def bots(folder: Path, text: str | bytes) -> list[BotConfig]:
    path = folder / "bots.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_bots(path)


def test_the_least_bot_has_the_documented_defaults(tmp_path: Path) -> None:
    expected = BotConfig(
        "tight", "kuhn.limit.2p", "127.0.0.1", 18791, name="tight", seed=0, rejoin=True
    )
    assert bots(tmp_path, BOT) == [expected]


def test_every_key_is_read_and_bots_keep_their_order(tmp_path: Path) -> None:
    second = BOT.replace("tight", "call") + 'name = "ann"\nseed = 5\nrejoin = false\n'
    assert bots(tmp_path, BOT + second)[1] == BotConfig(
        "call", "kuhn.limit.2p", "127.0.0.1", 18791, name="ann", seed=5, rejoin=False
    )


def test_a_games_file_is_looked_for_beside_bots_toml(tmp_path: Path) -> None:
    (tmp_path / "own.game").write_bytes(shipped_path("leduc.limit.2p").read_bytes())
    [bot] = bots(tmp_path, BOT.replace("kuhn.limit.2p", "own.game"))
    assert find_definition(bot.game)[1] == find_definition("leduc.limit.2p")[1]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "expected one or more [[bot]] tables, found none"),
        ("bot = 5", "bot: expected a list of tables, found 5"),
        ("bot = []", "expected one or more [[bot]] tables"),
        (f"speed = 3\n{BOT}", "bots.toml: unknown key speed"),
        ("[[bots]]\n", "bots.toml: unknown key bots"),
        ("[[bot]\n", "bots.toml: "),
        (b"\xff\xfe", "bots.toml: "),
        (BOT.replace('strategy = "tight"\n', ""), "bot 1: no strategy (a text)"),
        (BOT.replace('game = "kuhn.limit.2p"\n', ""), "bot 1: no game (a text)"),
        (BOT.replace('host = "127.0.0.1"\n', ""), "bot 1: no host (a text)"),
        (BOT.replace("port = 18791\n", ""), "bot 1: no port (a whole number)"),
        (BOT + BOT + "sped = 1\n", "bot 2: unknown key sped"),
        (
            BOT.replace("18791", '"18791"'),
            'bot 1, port: expected a whole number, found "18791"',
        ),
        (BOT.replace("18791", "true"), "bot 1, port: expected a whole number, found true"),
        (BOT + "seed = 1.5\n", "bot 1, seed: expected a whole number, found 1.5"),
        (BOT + "rejoin = 1\n", "bot 1, rejoin: expected true or false, found 1"),
        (BOT + "name = 1\n", "bot 1, name: expected a text, found 1"),
        (BOT.replace("18791", "0"), "bot 1: port = 0: expected 1 to 65535"),
        (BOT.replace("18791", "65536"), "bot 1: port = 65536: expected 1 to 65535"),
        (BOT.replace("18791", "-1"), "bot 1: port = -1: expected 1 to 65535"),
        ("bot = [5]\n", "bot, entry 1: expected a table, found 5"),
        ('bot = ["tight"]\n', 'bot, entry 1: expected a table, found "tight"'),
    ],
)
def test_a_wrong_setting_is_refused_by_name(text: str | bytes, fault: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refusal:
        bots(tmp_path, text)
    assert fault in str(refusal.value)
    assert str(tmp_path / "bots.toml") in str(refusal.value)
    assert refusal.value.hint


def test_a_bot_may_follow_the_files_own_table_of_strategies(tmp_path: Path) -> None:
    """Its name stays short: it is what logs call it."""
    table = '[strategies]\n"kuhn.limit.2p" = "raise"\n'
    [bot] = bots(tmp_path, table + BOT.replace("tight", "router"))
    assert (bot.name, bot.strategy) == ("router", str(tmp_path / "bots.toml"))
    assert isinstance(make_agent(bot.strategy, find_definition(bot.game)[1], 1), RaiseAgent)


def test_a_strategys_folder_is_looked_for_beside_bots_toml(tmp_path: Path) -> None:
    (tmp_path / "strategies" / "kuhn").mkdir(parents=True)
    [here] = bots(tmp_path, BOT.replace("tight", "strategies/kuhn?play=greedy"))
    assert here.strategy == str(tmp_path / "strategies" / "kuhn?play=greedy")
    [elsewhere] = bots(tmp_path, BOT.replace("tight", "strategies/leduc"))
    assert elsewhere.strategy == "strategies/leduc"


@pytest.mark.parametrize(
    "table", ["strategies = 5\n", "[strategies]\n", "[strategies]\nnosuch = 'call'\n"]
)
def test_a_table_of_strategies_that_makes_no_sense_is_refused(table: str, tmp_path: Path) -> None:
    """Even where no bot follows it."""
    with pytest.raises(UsageError, match=r"bots\.toml"):
        bots(tmp_path, table + BOT)


def test_several_faults_of_a_bot_are_told_together_with_the_nearest_key(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refusal:
        bots(tmp_path, '[[bot]]\nstrategy = "tight"\nhost = "h"\nports = 5\n')
    faults = "bot 1: no game (a text); no port (a whole number); unknown key ports"
    assert str(refusal.value).endswith(faults)
    assert refusal.value.hint.startswith("did you mean port? ")


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_bots(tmp_path / "none.toml")
