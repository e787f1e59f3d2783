"""Speed of reading and checking match logs on one core, and of averaging all-in hands."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from math import comb
from random import Random

from acpcbot.logs.match_log import read_match_log
from acpcbot.poker.actions import raising
from acpcbot.poker.all_in import all_in_payoffs, all_in_street
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.dealing import Dealing
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.payoffs import payoffs
from acpcbot.poker.shipped import shipped_definition
from acpcbot.protocol.records import format_state_record
from benchmarks.figure import Figure, seconds

SEED = 1
NUM_HANDS = 20_000
TARGET = 100_000
GAMES = {
    "2p limit": "holdem.limit.2p.reverse_blinds",
    "2p no-limit": "holdem.nolimit.2p.reverse_blinds",
    "3p limit": "holdem.limit.3p",
    "6p no-limit": "holdem.nolimit.6p",
}
ALL_INS = {
    "preflop": ("r20000c///", 20),
    "flop": ("cc/r20000c//", None),
    "turn": ("cc/cc/r20000c/", None),
}
NUM_ALL_INS = 20


def figures() -> Iterator[Figure]:
    for label, name in GAMES.items():
        yield reading(label, shipped_definition(name))
    definition = shipped_definition("holdem.nolimit.2p.reverse_blinds")
    for label, (betting, target) in ALL_INS.items():
        yield averaging(label, betting, definition, target)


def reading(label: str, definition: GameDefinition) -> Figure:
    lines = list(random_lines(definition))
    log = "".join(lines).encode()
    rate = NUM_HANDS / seconds(lambda: read_all(log, definition))
    target = TARGET if definition.num_players == 2 else None
    note = f"{NUM_HANDS:,} hands, {len(log) / NUM_HANDS:.0f} bytes each"
    return Figure(
        name=f"{label} log, read and checked", value=rate, unit="hands/s", target=target, note=note
    )


def averaging(label: str, text: str, definition: GameDefinition, target: float | None) -> Figure:
    """Return all-ins of two players, averaged one by one."""
    betting, dealing = BettingRules(definition).parse(text), Dealing(definition, SEED)
    deals = [dealing.next_deal() for _ in range(NUM_ALL_INS)]
    num_known = definition.board_size(all_in_street(betting) or 0)

    def average_all() -> None:
        for deal in deals:
            all_in_payoffs(betting, deal.hole_cards, deal.board[:num_known])

    rate = NUM_ALL_INS / seconds(average_all)
    note = f"{comb(48 - num_known, 5 - num_known):,} boards each"
    return Figure(
        name=f"2p {label} all-in, averaged over all boards",
        value=rate,
        unit="hands/s",
        target=target,
        note=note,
    )


def read_all(log: bytes, definition: GameDefinition) -> None:
    for _ in read_match_log(BytesIO(log), definition):
        pass


def random_lines(definition: GameDefinition) -> Iterator[str]:
    """STATE lines of random play: fold, call and raise equally often, as far as they are legal."""
    game, dealing, random = BettingRules(definition), Dealing(definition, SEED), Random(SEED)
    names = [f"player{seat + 1}" for seat in range(definition.num_players)]
    for hand_id in range(NUM_HANDS):
        deal, betting = dealing.next_deal(), played_out(game, random)
        values = payoffs(betting, deal.hole_cards, deal.board)
        yield format_state_record(hand_id, betting, deal, values, names) + "\n"
        names = [*names[1:], names[0]]


def played_out(game: BettingRules, random: Random) -> BettingState:
    betting = game.start
    while not betting.is_over:
        action = random.choice(betting.legal_actions())
        if action.raise_to:
            action = raising(random.randint(*betting.raise_range or (0, 0)))
        betting = betting.apply(action)
    return betting
