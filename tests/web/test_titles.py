"""Titles of games and strategies for people, and the strength cards that a browser may read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from acpcbot.poker.definition import parse_definition
from acpcbot.poker.game_titles import game_title
from acpcbot.poker.shipped import SHIPPED_NAMES, find_definition, shipped_definition
from acpcbot.web.lobby import LobbyGame, found_offers
from acpcbot.web.titles import count_text, seat_names, strategy_title
from tests.support.games import KUHN, LEDUC
from tests.web.served import run, served

ROOT = Path(__file__).parents[2]
DCFR = "strategies/leduc.limit.2p/dcfr"


@pytest.mark.parametrize(
    ("game", "title"),
    [
        ("holdem.limit.2p.reverse_blinds", "Heads-up limit hold'em"),
        ("holdem.nolimit.2p.reverse_blinds", "Heads-up no-limit hold'em, 200 bb"),
        ("holdem.nolimit.2p.reverse_blinds@10000,5000", "Heads-up no-limit hold'em, 100/50 bb"),
        ("holdem.limit.3p", "Three-player limit hold'em"),
        ("holdem.nolimit.6p@4000", "Six-player no-limit hold'em, 40 bb"),
        ("flop_holdem.limit.2p", "Heads-up limit flop hold'em"),
        ("leduc.limit.2p", "Leduc hold'em"),
        ("leduc.nolimit.2p", "No-limit Leduc hold'em, 12 antes"),
        ("kuhn.limit.2p", "Kuhn poker"),
        ("kuhn.limit.3p", "Three-player Kuhn poker"),
    ],
)
def test_games_have_the_titles_that_players_use(game: str, title: str) -> None:
    """Known values."""
    assert game_title(find_definition(game)[1]) == title


def test_shipped_games_have_titles_of_their_own() -> None:
    """Catches two games of a list that nobody can tell apart."""
    titles = [game_title(shipped_definition(name)) for name in SHIPPED_NAMES]
    assert len(set(titles)) == len(titles)


def test_a_game_that_has_no_name_is_described_by_its_cards() -> None:
    """Catches a game file of one's own that has no title, or another game's."""
    text = (
        "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 2\nblind = 5 10\nraiseSize = 10 10\n"
        "firstPlayer = 1 1\nmaxRaises = 3 3\nnumSuits = 4\nnumRanks = 6\nnumHoleCards = 2\n"
        "numBoardCards = 0 2\nEND GAMEDEF\n"
    )
    assert game_title(parse_definition(text)) == (
        "Heads-up limit poker, 24-card deck, 2 hole and 2 board cards, big blind on the button"
    )


@pytest.mark.parametrize("offer", found_offers(), ids=lambda offer: offer.name)
def test_strategies_of_a_game_have_titles_of_their_own(offer: LobbyGame) -> None:
    """Catches a method or an amount of training that is not the manifest's, a title twice, and a
    path where a title should be.
    """
    titles = [strategy_title(name) for name in offer.strategies]
    assert len({one.title for one in titles}) == len(titles)
    assert all("/" not in one.title for one in titles)
    for name, one in zip(offer.strategies, titles, strict=True):
        folder = ROOT / name
        assert (one.card is not None) == (folder / "README.md").is_file()
        if (folder / "manifest.json").is_file():
            training = json.loads((folder / "manifest.json").read_text())["training"]
            assert count_text(training["num_episodes"]) in one.title


@pytest.mark.parametrize(
    ("name", "title"),
    [
        (
            "strategies/holdem.limit.2p.reverse_blinds/external_sampling",
            "MCCFR, 160 M iterations",
        ),
        ("holdem.limit.2p.reverse_blinds/cfr_br", "CFR-BR, 459 k iterations"),
        ("holdem.limit.2p.reverse_blinds/smooth_uct", "Smooth UCT, 15 bn episodes"),
        (f"{DCFR}?play=greedy", "DCFR, 2 M iterations (play=greedy)"),
        ("strategies/leduc.limit.2p/sog", "Student of Games, 4,000 episodes"),
        ("leduc.nolimit.2p/search", "Search on MCCFR, 100 M iterations"),
        ("bots/solid.py:Solid", "Solid (solid.py)"),
        ("tight", "Tight: plays by simple rules"),
    ],
)
def test_a_strategy_is_called_by_its_method_and_training(name: str, title: str) -> None:
    """Known values, of every kind of strategy."""
    assert strategy_title(name).title == title


def test_a_folder_that_holds_no_strategy_keeps_its_name(tmp_path: Path) -> None:
    """Catches a damaged manifest that ends the lobby."""
    (tmp_path / "manifest.json").write_text("{")
    assert strategy_title(str(tmp_path)).title == tmp_path.name


def test_alike_strategies_are_numbered() -> None:
    assert seat_names([DCFR, "tight", DCFR, DCFR]) == ["DCFR", "Tight", "DCFR 2", "DCFR 3"]


def test_strength_cards_are_read_by_their_places(tmp_path: Path) -> None:
    """Catches a card of another strategy, and a number that leads to another file."""

    async def visit() -> None:
        async with served(tmp_path, [DCFR, "call"], LEDUC) as place:
            async with place.socket() as socket:
                (game,) = (await socket.hear("lobby"))["games"]
            assert [one["card"] for one in game["strategies"]] == ["/card/0/0", None]
            async with place.browser.get(f"{place.address}/card/0/0") as answer:
                assert answer.content_type == "text/plain"
                assert await answer.text() == (ROOT / DCFR / "README.md").read_text()
            for wrong in ("/card/0/1", "/card/0/9999", "/card/1/0", "/card/0/..", "/card/0/-1"):
                async with place.browser.get(f"{place.address}{wrong}") as answer:
                    assert answer.status == 404

    run(visit())


def test_a_person_with_a_bots_name_is_told_from_it(tmp_path: Path) -> None:
    """Catches two seats of one name at the table."""

    async def visit() -> None:
        async with served(tmp_path, ["call"], KUHN) as place, place.socket() as socket:
            seated = await socket.sit(name="Caller")
            assert [one["name"] for one in seated["opponents"]] == ["Caller (bot)"]

    run(visit())
