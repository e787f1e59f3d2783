"""Write the README.md of every shipped strategy: ``python docs/make_strategy_cards.py``.

A card says what a strategy is, what training it took and how strong it is, from its manifest, that
of a network likewise, and that of a searching strategy from its ``search.toml``; bounds on
exploitability and the strength of a search are figures that ``./dev bench strength`` has kept.
tests/test_docs.py holds the files to what ``files`` returns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from acpcbot.cli.strength_card import (
    BOUNDS,
    EXPLOITABILITY,
    LBR,
    Measurement,
    measurements,
)
from acpcbot.networks.manifest import read_network_manifest
from acpcbot.networks.names import networks_below
from acpcbot.search.names import read_outline, searches_below
from acpcbot.strategies.finding import snapshots_below
from acpcbot.strategies.manifest import RECIPE_FILE, Manifest, read_manifest, stored_definition
from acpcbot.strategies.network_strategy import GAME
from acpcbot.trees.bet_menu import MOST_PLAYERS
from benchmarks.kept import DAY, Kept, all_kept
from tooling.markdown import wrapped

ROOT = Path(__file__).resolve().parents[1]
STRATEGIES = ROOT / "strategies"
MADE = "Made by `docs/make_strategy_cards.py`; do not edit."
LEARNERS = {
    "uct": "UCT",
    "smooth_uct": "Smooth UCT (Heinrich & Silver 2015)",
    "external_sampling": "external sampling MCCFR (Lanctot et al. 2009)",
    "public_sampling": "public chance sampling CFR (Johanson et al. 2012)",
    "cfr_br": "CFR-BR (Johanson et al. 2012)",
    "dcfr": "discounted CFR (Brown & Sandholm 2019)",
}
BUCKETS = {
    "lossless": "every hand up to suits",
    "exact": "every hand",
    "grid": "a grid of E[HS] and E[HS2]",
    "percentile": "percentiles of E[HS2]",
    "kmeans": "k-means clusters, earth mover's distance",
    "ochs": "k-means clusters of strength against opponent clusters",
}
PLAYED = {
    "average": "its average strategy",
    "greedy": "the action with the highest value",
    "purified": "the most likely action of its average strategy",
}
LBR_NOTE = "Losses to local best response are lower bounds on exploitability."
WIDTH_NOTE = "± is half of a 95 % confidence interval."
GUIDE = "[the guide](../../../docs/guides/search.md#strength)"
SOG_GUIDE = "[the guide](../../../docs/guides/student_of_games.md)"
HEAD = "| measure | mbb/hand | ± | measured |\n|---|---:|---:|---|"


def files() -> dict[Path, str]:
    """Return the text of every card by its path."""
    stored = {folder: "\n".join(_stored(folder)) for folder in snapshots_below(STRATEGIES)}
    searching = {folder: "\n".join(_searching(folder)) for folder in searches_below(STRATEGIES)}
    networks = {folder: "\n".join(_network(folder)) for folder in networks_below(STRATEGIES)}
    return {
        folder / "README.md": wrapped(re.sub(r"\n{3,}", "\n\n", text).rstrip("\n") + "\n")
        for folder, text in {**stored, **searching, **networks}.items()
    }


def _stored(folder: Path) -> Iterator[str]:
    """Yield the parts of the card of a stored strategy."""
    manifest = read_manifest(folder)
    training, name = manifest.training, folder.relative_to(ROOT).as_posix()
    yield f"# {folder.name}, {manifest.game_label}\n\n{MADE}\n"
    yield "| | |\n|---|---|"
    yield f"| method | {LEARNERS[training.learner]} |"
    effort = f"{training.num_episodes:,} iterations, {_hours(training.hours)}"
    yield f"| training | {effort}, {_threads(training.num_threads)}, seed {training.seed} |"
    yield f"| abstraction | {_abstraction(manifest.abstraction)} |"
    if manifest.bets:
        yield f"| bets, in pots | {_bets(manifest.bets)} |"
    yield f"| plays | {PLAYED[manifest.play]} |\n"
    yield f"## Strength\n\n{HEAD}"
    yield from _strength(manifest)
    yield from _rows_of_bounds(folder.relative_to(STRATEGIES).as_posix())
    yield f"\n{_note(manifest)}"
    yield f"""## Commands

```console
$ ./dev strategies show {name}
$ ./dev match {name}{_opponents(manifest)} \\
    --game {manifest.game_name} --hands 1000
$ ./dev train {name}/{RECIPE_FILE} \\
    --output my_strategy
```
"""


def _strength(manifest: Manifest) -> Iterator[str]:
    """Yield a row for each figure that the list of strategies takes, too."""
    sources = {
        figure: str(record["measured"])
        for record in manifest.strength
        for figure in measurements([record])
    }
    for figure in measurements(manifest.strength):
        if figure.kind == BOUNDS:  # told by each way to play, as the benchmark has kept them
            continue
        width = "" if figure.half_width_mbb is None else f"{figure.half_width_mbb:,.1f}"
        source = re.sub(r"acpcbot (\w[^:]*)$", r"`acpcbot \1`", sources[figure])
        yield f"| {_measure(figure)} | {_number(figure.mbb)} | {width} | {source} |"


def _rows_of_bounds(key: str) -> Iterator[str]:
    """Yield the rows of the stored strategy *key* in the kept bounds on exploitability, by play."""
    for kept in all_kept():
        for figure in kept.figures if kept.name == "strength" else ():
            name = re.fullmatch(
                rf"{re.escape(key)}\?play=(\S+), best response on (\d+) flops", figure.name
            )
            if name:
                width, low, *rest = figure.note.removeprefix("± ").split(", ")
                day = "" if any(map(DAY.fullmatch, rest)) else f", {kept.day}"
                measure = f"`{name[1]}`: exploitability, {low} and at most"
                source = f"`./dev bench strength`, {name[2]} flops, {', '.join(rest)}{day}"
                yield f"| {measure} | {_number(figure.value)} | {width} | {source} |"


def _measure(figure: Measurement) -> str:
    if figure.kind == EXPLOITABILITY:
        return "exploitability, exact"
    against = figure.against.rpartition("/")[2]
    return f"lost to {LBR}, bets `{against}`" if figure.kind == LBR else f"won from `{against}`"


def _number(mbb: float) -> str:
    return f"{mbb:,.1f}" if abs(mbb) >= 1 else f"{mbb:.2g}"


def _hours(hours: float) -> str:
    """Return a time in the unit that suits it."""
    if hours >= 1:
        return f"{hours:.1f} hours"
    return f"{60 * hours:.0f} minutes" if 60 * hours >= 2 else f"{3600 * hours:.0f} seconds"


def _threads(count: int) -> str:
    return "1 thread" if count == 1 else f"{count} threads"


def _abstraction(abstraction: dict[str, Any]) -> str:
    if "kind" in abstraction:
        return BUCKETS[abstraction["kind"]]
    return "; ".join(f"{street}: {BUCKETS[part['kind']]}" for street, part in abstraction.items())


def _bets(bets: dict[str, Any]) -> str:
    """Return the sizes of first bets and of raises, street by street."""
    streets = [
        f"{street}: " + ", then ".join(" ".join(map(_size, sizes)) or "none" for sizes in menus)
        for street, menus in bets.items()
        if street != MOST_PLAYERS
    ]
    most = bets.get(MOST_PLAYERS)
    return "; ".join([*streets, *([f"at most {most} players bet after a call"] if most else [])])


def _size(size: float | str) -> str:
    return size if isinstance(size, str) else f"{size:g}"


def _opponents(manifest: Manifest) -> str:
    """Return an opponent for each other seat of the game."""
    return " random" * (stored_definition(manifest).num_players - 1)


def _note(manifest: Manifest) -> str:
    """Return what explains the columns of the table."""
    found = measurements(manifest.strength)
    notes = [LBR_NOTE] if any(figure.kind == LBR for figure in found) else []
    notes += [WIDTH_NOTE] if any(figure.half_width_mbb is not None for figure in found) else []
    return " ".join(notes) + "\n" if notes else ""


def _searching(folder: Path) -> Iterator[str]:
    """Yield the parts of the card of a strategy that searches."""
    outline = read_outline(folder)
    blueprint = read_manifest(outline.blueprint)
    name = folder.relative_to(ROOT).as_posix()
    key = folder.relative_to(STRATEGIES).as_posix()
    yield f"# {folder.name}, {blueprint.game_label}\n\n{MADE}\n"
    yield "| | |\n|---|---|"
    yield "| method | continual re-solving at the table: [Search](../../../docs/guides/search.md) |"
    yield f"| blueprint | [{outline.blueprint.name}](../{outline.blueprint.name}/README.md) |"
    if outline.values is not None:
        yield f"| values before the flop | {_leaf_network(folder, outline.values)} |"
    others = [f"`{profile}`" for profile in outline.profiles if profile != outline.usual]
    usual = f"`{outline.usual}`" + (", if nothing is said" if others else "")
    yield f"| profiles | {'; '.join([usual, *others])} |\n"
    rows = [row for kept in all_kept() if kept.name == "strength" for row in _kept_rows(kept, key)]
    yield "## Strength\n"
    if rows:
        yield "\n".join([HEAD, *rows])
        if any(LBR in row for row in rows):
            yield f"\n{LBR_NOTE} {WIDTH_NOTE}"
        yield ""
    yield f"Exact figures in small games, matches, and the time of each profile: {GUIDE}.\n"
    yield f"""## Commands

```console
$ ./dev match {name} random \\
    --game {blueprint.game_name} --hands 100
```
"""


def _network(folder: Path) -> Iterator[str]:
    """Yield the parts of the card of a network that is played with a search."""
    manifest = read_network_manifest(folder)
    training, name = manifest.training, folder.relative_to(ROOT).as_posix()
    layers = " x ".join(str(size) for size in manifest.hidden)
    yield f"# {folder.name}, {training[GAME]}\n\n{MADE}\n"
    yield "| | |\n|---|---|"
    yield f"| method | growing-tree CFR with a network (Schmid et al. 2023): {SOG_GUIDE} |"
    effort = f"{training['num_episodes']:,} episodes, {training['num_steps']:,} steps"
    yield f"| training | sound self-play, {effort}, seed {training['settings']['seed']} |"
    yield f"| network | hidden layers {layers} |\n"
    yield "## Strength\n"
    yield f"Exploitability of the searches, exact, in mbb/hand: {training['measured']}.\n"
    yield "| simulations | with the network | without |\n|---:|---:|---:|"
    without = training["exploitability_without"]
    for simulations, mbb in training["exploitability"].items():
        yield f"| {int(simulations):,} | {_number(mbb)} | {_number(without[simulations])} |"
    yield f"""
## Commands

```console
$ ./dev strategies show {name}
$ ./dev match '{name}?s=400&c=1' random \\
    --game {training[GAME]} --hands 1000
$ ./dev train {name}/{RECIPE_FILE} \\
    --output my_network
```
"""


def _leaf_network(folder: Path, network: Path) -> str:
    """Return the card's line on the *network* that the search in *folder* has at its leaves."""
    manifest = read_network_manifest(network)
    training, layers = manifest.training, " x ".join(str(size) for size in manifest.hidden)
    return (
        f"[network]({network.relative_to(folder).as_posix()}/{RECIPE_FILE}) of {layers},"
        f" {training['num_examples']:,} labels, {training['cpu_seconds']:,.0f} seconds of CPU,"
        f" seed {training['settings']['seed']}"
    )


def _kept_rows(kept: Kept, key: str) -> Iterator[str]:
    """Yield the rows of the searching strategy *key* in the kept figures of strength."""
    for figure in kept.figures:
        if figure.name == f"{key}, exactly":
            source = f"`./dev bench strength`, {figure.note or kept.day}: `acpcbot exploitability`"
            yield f"| exploitability, exact | {_number(figure.value)} | | {source} |"
        profile = re.fullmatch(rf"{re.escape(key)}\?profile=(\w+), {LBR} by (.+)", figure.name)
        if profile:
            width = figure.note.removeprefix("± ").partition(",")[0]
            deals = figure.note.partition(", ")[2]
            day = "" if DAY.search(deals) else f"{kept.day}, "
            measure = f"`{profile[1]}`: lost to {LBR}, bets `{profile[2]}`"
            source = f"`./dev bench strength`, {day}{deals}"
            yield f"| {measure} | {_number(figure.value)} | {width} | {source} |"


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
