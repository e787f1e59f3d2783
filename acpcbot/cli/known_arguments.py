"""Arguments that say which strategies the players of a match played, for reports and evaluation."""

from __future__ import annotations

import argparse


def add_known_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the known strategies of players, and the strategy behind the value function."""
    parser.add_argument(
        "--known",
        action="append",
        default=[],
        metavar="NAME=STRATEGY",
        help="what a player plays: a trained folder, call, fold, raise, "
        "random, or recorded:FILE, again for each log"
        " [what a match's folder says]",
    )
    parser.add_argument(
        "--values",
        metavar="STRATEGY",
        help="a trained folder whose self-play tells what hands are "
        "worth; in hold'em also strength, a formula"
        " [a known one; without one the formula]",
    )
