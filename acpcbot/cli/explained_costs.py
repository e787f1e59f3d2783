"""Costs of all decisions in whole logs: ``acpcbot explain LOG`` without ``--hand``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.text import Text

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.agents.public_strategies import find_strategy
from acpcbot.cards.deck import format_cards
from acpcbot.cli.decision_text import action_name, cost_text, summary_lines
from acpcbot.cli.output import print_lines, write_json
from acpcbot.cli.phases import phase
from acpcbot.cli.progress_bars import Advance, make_bars, new_bar
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat.estimates import CanonicalHands
from acpcbot.evaluation.decisions.deal_play import as_rolled_out
from acpcbot.evaluation.decisions.decision_costs import CostSummary, JudgedSpot, sum_costs
from acpcbot.evaluation.decisions.judged_hands import Judge, JudgedAction
from acpcbot.evaluation.decisions.plain_decisions import plain_decision, plain_summary
from acpcbot.logs.match_log import HandRecord
from acpcbot.poker.definition import STREET_NAMES
from acpcbot.poker.shipped import recognise
from acpcbot.reports.groupings import seat_labels
from acpcbot.reports.tables import printable
from acpcbot.strategies.public_strategy import PublicStrategy

Found = Sequence[tuple[Path, HandRecord]]


def find_judge(strategy: PublicStrategy, num_deals: int) -> Judge | None:
    """Return the judge by *strategy*; None for no deals, or if its play cannot be rolled out."""
    rolled_out = as_rolled_out(strategy)
    if rolled_out is None or num_deals == 0:
        return None
    return Judge(rolled_out, num_deals)


def no_costs(name: str) -> str:
    """Return why decisions have no costs by the strategy *name*."""
    return (
        f"costs are not known: {name} is asked for one state at a time, which is too slow; "
        "name a stored strategy"
    )


@dataclass(frozen=True, slots=True)
class PlayerCosts:
    """The costs of one player in the *hands* that it played."""

    name: str
    hands: Found
    summary: CostSummary

    def record(self, spot: JudgedSpot) -> HandRecord:
        """Return the hand of *spot*."""
        return self.hands[spot.hand_place][1]


def explain_costs(
    arguments: argparse.Namespace, found: Found, hands: CanonicalHands, *, is_json: bool
) -> int:
    """Judge all decisions of the players that are named, else of everybody, and print the sums."""
    names = arguments.player or list(
        dict.fromkeys(name for _, record in found for name in record.names)
    )
    definition = found[0][1].game.definition
    with make_bars(in_files=False) as bars, phase(f"asking {arguments.strategy}"):
        dealer = DealSources(definition, new_bar(bars, "card tables"))
        judge = find_judge(find_strategy(arguments.strategy, dealer), arguments.deals)
        if judge is None:
            raise UsageError(
                f"--deals {arguments.deals} without --hand"
                if arguments.deals == 0
                else no_costs(arguments.strategy),
                "costs need a stored strategy and at least 2 deals",
            )
        bar = new_bar(bars, "hands judged")
        costs = [_player_costs(name, found, hands, judge, bar) for name in names]
    positions = seat_labels(definition)
    if is_json:
        write_json(
            {
                "log": str(arguments.log),
                "game": recognise(definition),
                "strategy": arguments.strategy,
                "players": [_plain(player, positions) for player in costs],
            }
        )
    else:
        print_lines(_lines(costs, positions, arguments.strategy))
    return 0


def _player_costs(
    name: str, found: Found, hands: CanonicalHands, judge: Judge, bar: Advance
) -> PlayerCosts:
    own = [(log, record) for log, record in found if name in record.names]
    if not own:
        others = sorted({other for _, record in found for other in record.names})
        raise UsageError(f"{name} played none of these hands", f"there are {', '.join(others)}")
    judged: list[list[JudgedAction]] = []
    for number, (_, record) in enumerate(own):
        judged.append(judge.judge_hand(hands.hand(record), record.names.index(name)))
        bar(number + 1, len(own))
    return PlayerCosts(name, own, sum_costs(judged))


def _lines(
    costs: Sequence[PlayerCosts], positions: Sequence[str], strategy: str
) -> Iterator[Text | str]:
    count = len(costs[0].hands)
    yield f"{count:,} hand{'s' if count != 1 else ''}, judged by {strategy}"
    for player in costs:
        yield ""
        spots = [_spot_text(player.record(spot), spot) for spot in player.summary.most_expensive]
        yield from summary_lines(printable(player.name), player.summary, positions, spots)


def _spot_text(record: HandRecord, spot: JudgedSpot) -> str:
    one = spot.action
    cards = format_cards(record.hole_cards[one.seat])
    board = format_cards(record.board[: record.game.definition.board_size(one.street)])
    preferred = action_name(one.preferred) if one.preferred else ""
    return (
        f"hand {record.hand_id}, {f'{STREET_NAMES[one.street]} {board}'.rstrip()}, with {cards}: "
        f"{action_name(one.taken)} for {preferred}, {cost_text(one.cost_bb, one.half_width_bb)}"
    )


def _plain(player: PlayerCosts, positions: Sequence[str]) -> dict[str, Any]:
    return {
        "name": player.name,
        "hands": len(player.hands),
        **plain_summary(player.summary, positions),
        "most_expensive": [
            {
                "hand": player.record(spot).hand_id,
                "log": str(player.hands[spot.hand_place][0]),
                "line": player.record(spot).line_number,
                **plain_decision(spot.action),
            }
            for spot in player.summary.most_expensive
        ],
    }
