"""Examples of every command, as ``--help`` and the reference show them.

They stand in one place because they tell one story: what one of them makes, such as the
folder ``day``, a later one reads. Typed in this order each of them works, and is small.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Example(NamedTuple):
    """A line to type, and what it does."""

    command: str
    effect: str


LEDUC = "strategies/leduc.limit.2p/dcfr"
LEDUC_BETS = "strategies/leduc.nolimit.2p/external_sampling"
KUHN = "strategies/kuhn.limit.2p"

EXAMPLES: Mapping[str, tuple[Example, ...]] = {
    "acpcbot": (
        Example(
            "acpcbot match tight call --game leduc.limit.2p --duplicate",
            "two shipped bots at the built-in dealer",
        ),
        Example("acpcbot strategies", "the trained strategies that can be named instead"),
    ),
    "acpcbot match": (
        Example(
            f"acpcbot match {LEDUC} tight --duplicate -o day",
            "1000 deals of Leduc hold'em in both orders of seats, the logs in day",
        ),
        Example(
            "acpcbot match tight random --game "
            "holdem.nolimit.2p.reverse_blinds --hands 100 -o evening",
            "100 hands of no-limit hold'em",
        ),
        Example(
            "acpcbot match call tight --game leduc.limit.2p --duplicate -o night",
            "another agent with the deals of the first match, for compare",
        ),
    ),
    "acpcbot tournament run": (
        Example(
            "acpcbot tournament run tight call random --game leduc.limit.2p --hands 100 -o cup",
            "everybody against everybody, 100 deals in both orders of seats",
        ),
    ),
    "acpcbot tournament show": (
        Example("acpcbot tournament show cup", "how it stands, also while it is played"),
        Example("acpcbot tournament show cup --format csv", "the same as data"),
    ),
    "acpcbot deal": (
        Example(
            "acpcbot deal demo leduc.limit.2p 1000 42 Alice Bob -p 18791,18792",
            "wait for two programs at two ports, deal 1000 hands, keep them in demo.log",
        ),
    ),
    "acpcbot play": (
        Example(
            "acpcbot play tight 127.0.0.1 18791 --game leduc.limit.2p",
            "take the seat of that port, until the match ends",
        ),
        Example(
            f"acpcbot play {LEDUC} 127.0.0.1 18792 --game leduc.limit.2p", "with a trained strategy"
        ),
    ),
    "acpcbot serve": (
        Example("acpcbot serve bots.toml --check", "say what is wrong with the bots"),
        Example(
            "acpcbot serve bots.toml --metrics 9464",
            "keep them playing until SIGTERM, and tell at port 9464 how they do",
        ),
    ),
    "acpcbot table": (
        Example(
            "acpcbot table", "print an address where every shipped game can be played, until Ctrl-C"
        ),
        Example(
            "acpcbot table --watch day", "the same, and a view of the matches whose logs are in day"
        ),
    ),
    "acpcbot startme": (
        Example(
            "acpcbot startme tight --game holdem.limit.2p.reverse_blinds",
            "write startme.sh, started with HOST PORT",
        ),
    ),
    "acpcbot report": (
        Example("acpcbot report day", "who won what, and how everybody played"),
        Example(
            "acpcbot report day -o day.html", "a page with plots and a replayer, for any browser"
        ),
    ),
    "acpcbot evaluate": (
        Example(
            "acpcbot evaluate day",
            "the result with the luck taken out, from what the folder says of the players",
        ),
    ),
    "acpcbot compare": (
        Example(
            "acpcbot compare day night",
            "how much more the agent of one match won than that of another with the same deals",
        ),
    ),
    "acpcbot exploitability": (
        Example(
            f"acpcbot exploitability {LEDUC}",
            "what a best response wins from an equilibrium: next to nothing",
        ),
        Example(
            "acpcbot exploitability call --game leduc.limit.2p",
            "and from a player who calls everything",
        ),
    ),
    "acpcbot lbr": (
        Example(
            "acpcbot lbr call --deals 200",
            "what local best response wins from a caller in limit hold'em",
        ),
    ),
    "acpcbot street-loss": (
        Example(
            "acpcbot street-loss holdem.nolimit.2p.reverse_blinds/cfr_br --spots 4",
            "what a stored strategy loses on rivers, in percent of the pot",
        ),
    ),
    "acpcbot explain": (
        Example(
            f"acpcbot explain day --hand 7 --strategy {LEDUC}",
            "what the strategy would have done in hand 7, and which part of its result was luck",
        ),
        Example(
            f"acpcbot explain day --strategy {LEDUC} --player tight",
            "what the decisions of tight cost, by street, position and action",
        ),
    ),
    "acpcbot log check": (
        Example("acpcbot log check day/table000.log", "play every hand again, and add up who won"),
    ),
    "acpcbot log all-in": (
        Example(
            "acpcbot log all-in evening/table000.log -o fair.log",
            "the same hands, each all-in paid by its average",
        ),
    ),
    "acpcbot log to-phh": (
        Example(
            "acpcbot log to-phh evening/table000.log evening.phhs",
            "one file that PHH readers understand",
        ),
    ),
    "acpcbot log from-phh": (
        Example("acpcbot log from-phh evening.phhs -o back.log", "and back to a match log"),
    ),
    "acpcbot log to-pokerstars": (
        Example(
            "acpcbot log to-pokerstars evening/table000.log evening.txt",
            "text that programs for PokerStars' files read",
        ),
    ),
    "acpcbot log from-pokerstars": (
        Example("acpcbot log from-pokerstars evening.txt -o back.log", "and back to a match log"),
    ),
    "acpcbot train": (
        Example(
            f"acpcbot train {KUHN}/dcfr/recipe.toml --run-dir run --output mine",
            "Kuhn poker to its equilibrium, in seconds, into the folder mine",
        ),
    ),
    "acpcbot build-preflop-values": (
        Example(
            f"acpcbot build-preflop-values {LEDUC_BETS} --output preflop_values",
            "the table of no-limit Leduc, which has six boards",
        ),
    ),
    "acpcbot arena": (
        Example(f"acpcbot arena {LEDUC} call --deals 100000", "200,000 hands in a moment"),
    ),
    "acpcbot solve": (
        Example(
            "acpcbot solve --board KsTd9h4s2c --pot 100 --stack 400",
            "a river with all hands, to half a percent of the pot",
        ),
        Example(
            "acpcbot solve --game leduc.limit.2p --target 0.1 -o leduc.html",
            "a whole small game, as a page",
        ),
    ),
    "acpcbot lab": (
        Example("acpcbot lab list", "all experiments, their sources, and the time that they take"),
        Example(
            "acpcbot lab coordination",
            "a game in which search from the present alone is not sound; some 15 seconds",
        ),
    ),
    "acpcbot strategies": (
        Example("acpcbot strategies", "all that are found, with game, learner, size and strength"),
        Example(f"acpcbot strategies show {LEDUC}", "all that one says of itself"),
        Example(
            f"acpcbot strategies verify {KUHN}",
            "compare every byte below a folder with its checksums",
        ),
    ),
    "acpcbot show": (
        Example(
            f"acpcbot show {LEDUC} 'MATCHSTATE:0:0:r:Ks|'",
            "what it does with a king after a bet, and with every hand",
        ),
    ),
    "acpcbot games": (
        Example("acpcbot games", "all shipped games"),
        Example("acpcbot games leduc.limit.2p", "the definition of one"),
    ),
    "acpcbot completion": (
        Example(
            "acpcbot completion bash",
            "for .bashrc, as in: source <(acpcbot completion bash); in "
            "fish: acpcbot completion fish | source",
        ),
    ),
    "acpcbot warmup": (
        Example("acpcbot warmup", "compile what matches need, and print where that is kept"),
    ),
}


def examples_of(command: str) -> tuple[Example, ...]:
    """The examples of *command*, such as ``acpcbot log check``.

    Of a group like ``acpcbot log`` each verb's first.

    Raises KeyError for a command that has none.
    """
    below = tuple(
        examples[0] for name, examples in EXAMPLES.items() if name.startswith(f"{command} ")
    )
    return EXAMPLES[command] if command in EXAMPLES or not below else below


def examples_text(command: str) -> str:
    """The end of the help of *command*."""
    lines = [f"  {example.command}\n      {example.effect}\n" for example in examples_of(command)]
    return "\nexamples:\n" + "".join(lines)
