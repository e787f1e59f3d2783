"""Names of strategies, recipes and programs: from a clone, from wheels, and what is said of
what is missing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.agents.registry import find_maker
from acpcbot.errors import AcpcbotError, UsageError
from acpcbot.strategies import finding
from acpcbot.strategies.by_name import verify_entrant
from acpcbot.strategies.finding import (
    find_file,
    find_folder,
    find_recipe,
    missing_text,
    places_text,
)
from acpcbot.training.recipe import load_recipe

ROOT = Path(__file__).parents[2]
LARGE = "strategies/holdem.nolimit.2p.reverse_blinds/cfr_br"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The shipped folder beside a package that was installed from a wheel, without the large
    strategies.
    """
    shipped = tmp_path / "site-packages" / "acpcbot_shipped"
    (shipped / "strategies").mkdir(parents=True)
    for game in ("leduc.limit.2p", "kuhn.limit.2p"):
        (shipped / "strategies" / game).symlink_to(ROOT / "strategies" / game)
    (shipped / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "here").mkdir()
    monkeypatch.setattr(finding, "PACKAGE", tmp_path / "site-packages" / "acpcbot")
    monkeypatch.chdir(tmp_path / "here")
    return shipped


@pytest.mark.parametrize("name", ["strategies/leduc.limit.2p/dcfr", "leduc.limit.2p/dcfr"])
def test_strategies_and_recipes_of_a_wheel_are_found_alike(name: str, installed: Path) -> None:
    folder = installed / "strategies/leduc.limit.2p/dcfr"
    assert find_folder(name) == folder
    assert find_recipe(name) == folder / "recipe.toml"
    assert find_recipe(f"{name}/recipe.toml") == folder / "recipe.toml"
    assert load_recipe(name) == load_recipe(ROOT / "strategies/leduc.limit.2p/dcfr/recipe.toml")


def test_a_file_of_ones_own_goes_before_a_shipped_one(installed: Path) -> None:
    own = Path("leduc.limit.2p/dcfr")
    own.mkdir(parents=True)
    assert find_folder(str(own)) == own
    assert find_recipe(str(own)) == installed / "strategies/leduc.limit.2p/dcfr/recipe.toml"
    (own / "recipe.toml").touch()
    assert find_recipe(str(own)) == own / "recipe.toml"


def test_a_bare_word_is_no_folder_of_a_game(installed: Path) -> None:
    """Catches the name of a game that is taken for a folder of strategies."""
    assert find_folder("leduc.limit.2p") is None


def test_programs_of_a_wheel_are_found(installed: Path) -> None:
    assert find_file("examples/odds_agent.py") == installed / "examples/odds_agent.py"
    assert callable(find_maker("examples/odds_agent.py:OddsAgent"))


def test_a_missing_large_strategy_names_its_distribution(installed: Path) -> None:
    text = missing_text(LARGE)
    assert "acpcbot-strategies" in text
    for fail in (find_maker, verify_entrant, load_recipe):
        with pytest.raises(AcpcbotError) as error:
            fail(LARGE)
        assert text in str(error.value.hint)


def test_an_unknown_strategy_is_told_with_the_folders_searched(installed: Path) -> None:
    assert missing_text("strategies/nosuch") == (
        f"it was looked for in {places_text()}; acpcbot strategies lists what there is"
    )
    assert str(installed) in places_text()
    with pytest.raises(UsageError) as error:
        load_recipe("nosuch")
    assert str(installed) in str(error.value.hint)


def test_a_large_strategy_that_is_there_is_not_said_to_be_missing(installed: Path) -> None:
    """Catches a wrong name in the right folder that is put down to the other distribution."""
    (installed / "strategies/holdem.nolimit.2p.reverse_blinds").mkdir()
    assert "acpcbot-strategies" not in missing_text(f"{LARGE}2")
