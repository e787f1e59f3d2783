"""``acpcbot arena A B ...``: millions of hands between strategies of a limit game, in memory."""

from __future__ import annotations

import argparse
import os
from dataclasses import asdict

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.cli.game_arguments import add_game_arguments, choose_game, stacked
from acpcbot.cli.output import add_json_argument, write_json
from acpcbot.cli.phases import phase
from acpcbot.cli.progress_bars import make_bars, new_bar
from acpcbot.errors import UsageError
from acpcbot.evaluation.arena import ArenaScore, play
from acpcbot.strategies.by_name import verify_entrant
from acpcbot.strategies.entrants import find_entrant
from acpcbot.trees.public_tree import build_tree


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the entrants, their game, and the number of deals."""
    parser.add_argument(
        "strategies",
        nargs="+",
        metavar="STRATEGY",
        help="one for each seat: a snapshot's folder, with ?play=greedy "
        "and the like, or call, fold, raise, random",
    )
    add_game_arguments(parser, "the one that trained strategies play")
    parser.add_argument("--deals", type=int, default=1_000_000, help="each is played in all seats")
    parser.add_argument("--seed", type=int, default=0, help="seed of the cards and the actions")
    parser.add_argument(
        "--threads",
        type=int,
        default=os.cpu_count() or 1,
        help="the result is the same [one a core]",
    )
    add_json_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play and print the score."""
    if arguments.deals < 1 or arguments.threads < 1 or arguments.seed < 0:
        raise UsageError(
            "--deals and --threads must be at least 1, --seed not negative",
            "omit them to use the defaults",
        )
    num_entrants = len(arguments.strategies)
    game = choose_game(
        arguments.game,
        arguments.strategies,
        lambda game: game.is_limit and game.num_players == num_entrants,
        verify_entrant,
    )
    name, definition = stacked(arguments, game)
    with phase("building the tree of the game"):
        tree = build_tree(definition)
    with phase(f"loading {' and '.join(dict.fromkeys(arguments.strategies))}"):
        known = {
            strategy: find_entrant(strategy, tree)
            for strategy in dict.fromkeys(arguments.strategies)
        }
    with make_bars(in_files=False) as bars, phase("playing"):
        score = play(
            tree,
            [known[strategy] for strategy in arguments.strategies],
            arguments.deals,
            arguments.seed,
            num_threads=arguments.threads,
            deal_sources=DealSources(definition, new_bar(bars, "card tables")),
            on_progress=new_bar(bars, "deals"),
        )
    if arguments.json:
        write_json({"game": name, **asdict(score)})
    else:
        _print(name, score)
    return 0


def _print(game_name: str, score: ArenaScore) -> None:
    width = max(len(result.name) for result in score.results)
    print(f"{game_name}, {score.num_deals} deals in all seats, {score.num_hands} hands")
    for result in score.results:
        print(
            f"  {result.name:<{width}}  {result.mean_mbb:+8.1f} ± "
            f"{result.half_width_mbb:.1f} mbb/hand"
        )
    print("± is a 95 % confidence interval")
