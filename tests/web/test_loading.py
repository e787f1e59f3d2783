"""The page is there at once.

Strategies are loaded behind a line of progress, and what fails is said.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from acpcbot.errors import UnknownStrategy
from acpcbot.net.journal import open_journal
from acpcbot.web import table_host
from acpcbot.web.loading import Loading, Service
from acpcbot.web.table_settings import TableOptions, TableSettings
from tests.support.games import LEDUC, definition_of
from tests.web.served import Message, run, served

LIGHT = ("acpcbot.cli.commands.table", "acpcbot.web.startup", "acpcbot.web.server")
BROKEN = """
class Broken:
    def __init__(self, definition, seed):
        raise OSError("its file is gone")
"""
HEAVY = ("numba", "llvmlite", "scipy", "numpy")


def test_the_server_listens_before_anything_heavy_is_imported() -> None:
    """Catches seconds of imports before the page answers."""
    code = (
        f"import sys, {', '.join(LIGHT)}; print([name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_page_answers_and_tells_how_far_loading_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Catches a page that waits for bots, a line that stands still, a request that is lost
    because it came early.
    """
    goes_on = threading.Event()

    def prepare(loading: Loading) -> None:
        loading.step("loading call for kuhn.limit.2p", 1, 3)
        assert goes_on.wait(60)

    async def visit() -> None:
        async with served(tmp_path, prepare=prepare) as place:
            async with place.browser.get(place.address) as page:
                assert page.status == 200
                assert 'id="loading"' in await page.text()
            async with place.socket() as socket:
                while (told := await socket.hear("loading"))[
                    "text"
                ] != "loading call for kuhn.limit.2p":
                    pass
                assert (told["done"], told["total"], told["isOver"]) == (1, 3, False)
                await socket.say(type="sit", game=0, bots=[0], name="Ann")
                assert (await socket.hear("opening", "seated"))["type"] == "opening"
                goes_on.set()
                assert (await socket.hear("seated", "refused"))["type"] == "seated"
                assert {
                    "type": "loading",
                    "text": "",
                    "done": 1,
                    "total": 3,
                    "failures": [],
                    "isOver": True,
                } in socket.heard

    run(visit())
    talk = capsys.readouterr().err
    assert talk.startswith("loading call for kuhn.limit.2p ...\nready after ")


def test_a_request_before_there_is_a_lobby_is_answered_when_there_is_one(tmp_path: Path) -> None:
    """Catches a page whose table is taken up again, and that is told nothing."""
    goes_on = threading.Event()
    found: list[Service] = []

    async def visit() -> None:
        def load(loading: Loading) -> Service:
            loading.step("starting")
            assert goes_on.wait(60)
            return found[0]

        async with served(tmp_path) as other:
            while other.server._service is None:
                await asyncio.sleep(0.001)
            found.append(other.server._service)
            async with served(tmp_path, load=load) as place, place.socket() as socket:
                await socket.say(type="resume", table="no such table")
                await socket.hear("loading")
                goes_on.set()
                assert (await socket.hear("gone", "refused"))["type"] == "gone"

    run(visit())


def test_one_strategy_that_fails_is_told_of_and_the_others_are_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Catches a failure in the thread that nobody hears of, and one that takes the rest with it."""
    bot = tmp_path / "broken.py"
    bot.write_text(BROKEN)
    settings = TableSettings(tmp_path, 100, 7)
    options = TableOptions(
        (LEDUC, definition_of(LEDUC)), (f"{bot}:Broken", "call"), (), None, settings
    )

    def load(loading: Loading) -> Service:
        return table_host.make_host(options, open_journal(), loading)

    async def visit() -> None:
        async with served(tmp_path, load=load) as place, place.socket() as socket:
            while not (told := await socket.hear("loading"))["isOver"]:
                pass
            (failure,) = told["failures"]
            assert failure.startswith(f"{bot}:Broken: ")
            assert "its file is gone" in failure
            assert (await socket.sit([1]))["type"] == "seated"

    run(visit())
    assert "its file is gone" in capsys.readouterr().err


def test_a_fault_that_prevents_playing_ends_the_server(tmp_path: Path) -> None:
    """Catches a server that stays and never deals, and a page that only says that the
    connection is lost.
    """
    goes_on = threading.Event()

    async def visit() -> None:
        def load(_loading: Loading) -> Service:
            assert goes_on.wait(60)
            raise UnknownStrategy("nobody", ("call",))

        async with served(tmp_path, load=load) as place:
            async with place.socket() as socket:
                await socket.hear("loading")
                goes_on.set()
                assert "unknown strategy 'nobody'" in (await socket.hear("failed"))["reason"]
            with pytest.raises(UnknownStrategy):
                await place.server.failed

    run(visit())


def test_compiled_functions_are_told_at_a_bounded_rate() -> None:
    """Catches a page that is told of every kernel, and a line that stays when nothing is
    compiled any more.
    """
    told: list[Message] = []
    loading = Loading(told.append)
    for number in range(500):
        loading.compiled("cards.strength.outer", is_over=False)
        loading.compiled(f"cards.strength.inner{number}", is_over=False)
        loading.compiled(f"cards.strength.inner{number}", is_over=True)
    assert len(told) < 100
    for _ in range(500):
        loading.compiled("cards.strength.outer", is_over=True)
    assert told[-1]["text"] == "starting"
