#!/usr/bin/env python3
"""A container's work, named by one word and by the environment.

The same words run without a container.

    entrypoint.py bot          keep a bot at a dealer, with metrics and health
    entrypoint.py dealer       play a match with the bots that take the seats; go on with it if it was begun before
    entrypoint.py tournament   play a round robin; go on with it if it was begun before
    entrypoint.py report       write the page of a match
    entrypoint.py health       status 0 if the bot of this container is ready
    entrypoint.py ANYTHING     the same as "acpcbot ANYTHING ..."

docs/guides/deploy.md lists the variables. An empty one counts as not given.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

DEFAULT_GAME = "holdem.limit.2p.reverse_blinds"
DEFAULT_METRICS = "127.0.0.1:9464"
HEALTH_S = 3.0
EVERY_IPV4 = "0.0.0.0"  # nosec B104 # recognised, not listened at
ANYWHERE = (EVERY_IPV4, "[::]", "")

Environment = Mapping[str, str]
Words = list[str]


class Refused(Exception):
    """The environment does not make sense; the text says why."""


def main(words: Words, environment: Environment) -> int:
    """Become the program that *words* and *environment* ask for.

    Comes back only with the status of a refusal.
    """
    given = {name: value for name, value in environment.items() if value}
    try:
        if words == ["health"]:
            return check_health(given)
        command = COMMANDS[words[0]](given) if len(words) == 1 and words[0] in COMMANDS else words
    except Refused as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    program = [sys.executable, "-m", "acpcbot", *command]
    return os.execv(sys.executable, program)  # nosec B606 # to become the program is what an entry point is for


def bot(given: Environment) -> Words:
    """One bot, as ``acpcbot serve`` keeps it."""
    folder = Path(tempfile.mkdtemp(prefix="acpcbot-"))
    (folder / "bots.toml").write_text(bots_toml(given), encoding="utf-8")
    return ["serve", str(folder / "bots.toml"), "--metrics", given.get("METRICS", DEFAULT_METRICS)]


def bots_toml(given: Environment) -> str:
    """The bot that *given* describes, as ``acpcbot serve`` reads it."""
    game = given.get("GAME", DEFAULT_GAME)
    bot = {
        "strategy": needed(given, "STRATEGY"),
        "game": str(Path(game).resolve()) if Path(game).is_file() else game,
        "host": needed(given, "DEALER_HOST"),
        "port": number(given, "DEALER_PORT"),
        "seed": number(given, "SEED", 0),
        "rejoin": is_wanted(given, "REJOIN", default=True),
    }
    bot["name"] = given.get("NAME", str(bot["strategy"]))
    return "\n".join(
        ["[[bot]]", *[f"{key} = {json.dumps(value)}" for key, value in bot.items()], ""]
    )


def dealer(given: Environment) -> Words:
    """A match of those who come to the ports of their seats."""
    seats = [seat.partition("=") for seat in needed(given, "SEATS").split()]
    doors = [word for name, _, port in seats for word in ("--port", f"{name}={port}")]
    doors += [
        "--host",
        given.get("LISTEN", "127.0.0.1"),
        "--start-timeout",
        given.get("START_TIMEOUT", "600"),
    ]
    entrants = [f"remote:{name}" for name, _, _ in seats]
    folder = Path(given.get("MATCH", "match"))
    terms = {
        "strategies": entrants,
        **terms_of(given),
        "is_duplicate": is_wanted(given, "DUPLICATE", default=False),
    }
    if is_begun(folder / "match.json", terms):
        return ["match", "--resume", str(folder), *doors]
    duplicate = ["--duplicate"] if terms["is_duplicate"] else []
    return ["match", *entrants, *options_of(given), *duplicate, "-o", str(folder), *doors]


def tournament(given: Environment) -> Words:
    """A round robin between strategies that are played here."""
    entrants = needed(given, "ENTRANTS").split()
    folder = Path(given.get("TOURNAMENT", "tournament"))
    if is_begun(folder / "tournament.json", {"strategies": entrants, **terms_of(given)}):
        return ["tournament", "run", "--resume", str(folder)]
    return ["tournament", "run", *entrants, *options_of(given), "-o", str(folder)]


def report(given: Environment) -> Words:
    """The page of a match."""
    match = given.get("MATCH", "match")
    return ["report", match, "-o", str(Path(given.get("PAGES", "."), f"{Path(match).name}.html"))]


COMMANDS: dict[str, Callable[[Environment], Words]] = {
    "bot": bot,
    "dealer": dealer,
    "tournament": tournament,
    "report": report,
}


def check_health(given: Environment) -> int:
    """0 if the bot in this container says that it is ready."""
    from urllib.error import URLError
    from urllib.request import (
        ProxyHandler,
        build_opener,
    )  # a tenth of a second, which nothing else needs

    host, _, port = given.get("METRICS", DEFAULT_METRICS).rpartition(":")
    url = f"http://{'127.0.0.1' if host in ANYWHERE else host}:{port}/ready"
    try:
        with build_opener(ProxyHandler({})).open(url, timeout=HEALTH_S):
            return 0
    except (URLError, OSError) as error:
        print(f"{url}: {error}", file=sys.stderr)
        return 1


def terms_of(given: Environment) -> dict[str, object]:
    """Return the terms of play as the plan in a folder says them."""
    return {"num_hands": number(given, "HANDS", 1000), "seed": number(given, "SEED", 0)}


def options_of(given: Environment) -> Words:
    """Return the terms of play as options of the command line."""
    terms = terms_of(given)
    return [
        "--game",
        given.get("GAME", DEFAULT_GAME),
        "--hands",
        str(terms["num_hands"]),
        "--seed",
        str(terms["seed"]),
    ]


def is_begun(plan: Path, terms: Mapping[str, object]) -> bool:
    """Return True if *plan* can be gone on with; raises Refused where it is of other *terms*."""
    if not plan.exists():
        return False
    kept = json.loads(plan.read_text(encoding="utf-8"))
    for name, wanted in terms.items():
        if kept.get(name) != wanted:
            problem = f"{plan} has {name} {kept.get(name)}, not {wanted}"
            raise Refused(
                f"{problem}: leave it as it was, or give another folder by MATCH or TOURNAMENT"
            )
    return True


def needed(given: Environment, name: str) -> str:
    """The variable *name*, which must be there."""
    if name not in given:
        raise Refused(f"{name} is not set")
    return given[name]


def number(given: Environment, name: str, default: int | None = None) -> int:
    """The variable *name* as a whole number."""
    text = needed(given, name) if default is None else given.get(name, str(default))
    if not (text.isascii() and text.isdecimal()):
        raise Refused(f"{name}={text} is no number")
    return int(text)


def is_wanted(given: Environment, name: str, *, default: bool) -> bool:
    """The variable *name* as true or false."""
    text = given.get(name, str(default).lower())
    if text not in ("true", "false"):
        raise Refused(f"{name}={text} is neither true nor false")
    return text == "true"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ))
