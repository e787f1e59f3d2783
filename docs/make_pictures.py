"""Make the pictures of README and of guides anew: ``python docs/make_pictures.py [NAME ...]``, some minutes.

Each picture is what its commands show: a hand at the table, a report, a solved spot, the solver's
page, a learning curve. Needs Chromium and what ``./dev extras`` installs.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

from tests.support.chromium import BrowserPage, browser_page

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "docs" / "figures"
LIMIT = "strategies/holdem.limit.2p.reverse_blinds"
GAME = "holdem.nolimit.2p.reverse_blinds"
BLUEPRINT = f"strategies/{GAME}/external_sampling"
NUM_COLOURS = 128
LONGEST_S = 600.0
IS_SEATED = "!document.querySelector('#table').hidden"
IS_OVER = "!document.querySelector('#deal').hidden"
MAY_CALL = "!document.querySelector('#call').hidden && !document.querySelector('#call').disabled"
CLICK_THOUGHTS = "[...document.querySelectorAll('#after button')].at(-1).click()"
HAS_CHART = "document.querySelector('#after .hand-grid') !== null"


def acpcbot(folder: Path, *words: str) -> None:
    """Run a command of the program in *folder*."""
    subprocess.run(
        [sys.executable, "-m", "acpcbot", *words], cwd=folder, env=environment(), check=True
    )


def environment() -> dict[str, str]:
    """Return the environment of the program's processes."""
    return os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}


def table(page: BrowserPage, folder: Path) -> None:
    """Play one hand against the no-limit blueprint, every decision a check or a call."""
    with table_address(folder) as address:
        resize(page, 1280, 1360)
        page.open_address(address)
        page.wait_for("!document.querySelector('#lobby').hidden")
        page.evaluate("document.querySelector('#name').value = 'Ann'")
        page.click("#sit-down")
        page.wait_for(IS_SEATED)
        page.evaluate("document.querySelector('#fast').checked = true")
        while not page.evaluate(IS_OVER):
            page.wait_for(f"({MAY_CALL}) || ({IS_OVER})")
            page.evaluate(f"({MAY_CALL}) && document.querySelector('#call').click()")
        page.wait_for("document.querySelectorAll('#after button').length > 0")
        page.evaluate(CLICK_THOUGHTS)
        page.wait_for(HAS_CHART)
        keep(page, "table")
        page.open_address("about:blank")


@contextmanager
def table_address(folder: Path, *more: str) -> Iterator[str]:
    """Yield the address of a table that a process of its own serves, with *more* options."""
    words = ["table", BLUEPRINT, "--game", GAME, "--port", "0", "--seed", "11", "-o", "logs", *more]
    process = subprocess.Popen(
        [sys.executable, "-m", "acpcbot", *words],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate()


def report(page: BrowserPage, folder: Path) -> None:
    """Play a match of 3,000 deals in both seats, and open its report."""
    players = [f"{LIMIT}/external_sampling", f"{LIMIT}/smooth_uct"]
    words = ["--hands", "3000", "--duplicate", "--in-process", "--seed", "1", "-o", "day"]
    acpcbot(folder, "match", *players, *words)
    acpcbot(folder, "report", "day", "-o", "report.html")
    resize(page, 1280, 1100)
    page.open(folder / "report.html", "#street=flop%2B&order=pot")
    page.wait_for("!document.querySelector('#hands').hidden")
    # The last step shows the whole board.
    page.press("End")
    page.evaluate("scrollTo(0, 0)")
    keep(page, "report")


def spot(page: BrowserPage, folder: Path) -> None:
    """Solve a river, and open its page."""
    words = ["--board", "KsTd9h4s2c", "--pot", "100", "--stack", "400"]
    acpcbot(folder, "solve", *words, "-o", "spot.html")
    resize(page, 720, 1040)
    page.open(folder / "spot.html")
    keep(page, "spot")


def solver(page: BrowserPage, folder: Path) -> None:
    """Solve a river on the solver's page, and go to the first decision's bets."""
    with table_address(folder) as address:
        resize(page, 1280, 1000)
        page.open_address(f"{address}solver")
        page.wait_for("document.querySelector('#size').innerText.includes('decisions')")
        page.click("#solve")
        page.wait_for("!document.querySelector('#solution').hidden")
        page.evaluate("document.querySelector('#decision .cell[data-hand=QQ]').focus()")
        page.evaluate("document.querySelector('#solution').scrollIntoView()")
        keep(page, "solver")
        page.open_address("about:blank")


def curve(_page: BrowserPage, folder: Path) -> None:
    """Train Leduc hold'em's strategy again; its curve is exploitability by iterations."""
    acpcbot(folder, "train", "leduc.limit.2p/dcfr", "--output", "leduc", "--run-dir", "run")
    (found,) = folder.glob("run/*.png")
    shrink(found, TARGET / "curve.png", width=760)


def watching(page: BrowserPage, folder: Path) -> None:
    """Play a tournament of four, and watch it while its matches go on."""
    names = ("external_sampling", "smooth_uct", "uct")
    players = [*[f"{LIMIT}/{name}" for name in names], "tight"]
    words = ["--hands", "6000", "--jobs", "2", "--seed", "1", "-o", "cup"]
    playing = subprocess.Popen(
        [sys.executable, "-m", "acpcbot", "tournament", "run", *players, *words],
        cwd=folder,
        env=environment(),
        stdout=subprocess.DEVNULL,
    )
    try:
        while not (folder / "cup" / "tournament.json").exists():
            time.sleep(0.1)
        with table_address(folder, "--watch", "cup") as address:
            resize(page, 1280, 1100)
            page.open_address(f"{address}#watch")
            page.wait_for("document.querySelectorAll('.match').length >= 3", LONGEST_S)
            page.wait_for(
                "[...document.querySelectorAll('.match')].some("
                "(match) => match.innerText.includes('ends in'))"
            )
            page.wait_for("document.querySelectorAll('.pot-row').length === 25")
            keep(page, "watching")
            page.open_address("about:blank")
    finally:
        playing.terminate()
        playing.wait()


PICTURES = {make.__name__: make for make in (table, report, spot, solver, curve, watching)}


def resize(page: BrowserPage, width: int, height: int) -> None:
    """Make the window *width* by *height* pixels, without scroll bars."""
    page.call("Emulation.setScrollbarsHidden", hidden=True)
    page.call(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=height,
        deviceScaleFactor=1,
        mobile=False,
    )


def keep(page: BrowserPage, name: str) -> None:
    """Write what is seen to the file of the picture *name*."""
    page.evaluate("new Promise((done) => setTimeout(done, 500))")
    path = TARGET / f"{name}.png"
    page.picture(path)
    shrink(path, path)


def shrink(source: Path, target: Path, width: int | None = None) -> None:
    """Write the picture *source* to *target* with few colours, and *width* pixels wide if given."""
    with Image.open(source) as opened:
        image = opened.convert("RGB")
    if width:
        image = image.resize((width, image.height * width // image.width), Image.Resampling.LANCZOS)
    # An octree keeps rare colours, such as the red of hearts, which the median cut merges.
    few = image.quantize(NUM_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(target, optimize=True)


def main(names: list[str]) -> None:
    """Make the pictures called *names*, or all."""
    for name in names or PICTURES:
        with tempfile.TemporaryDirectory() as place, browser_page(Path(place) / "browser") as page:
            folder = Path(place) / "work"
            folder.mkdir()
            PICTURES[name](page, folder)
        sys.stderr.write(f"{name}: {(TARGET / f'{name}.png').stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main(sys.argv[1:])
