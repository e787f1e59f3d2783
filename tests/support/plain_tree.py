"""A betting tree walked by the immutable betting states: the slow twin of the compiled one."""

from __future__ import annotations

from collections.abc import Iterator

from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition, parse_definition

SMALL_LIMIT = """GAMEDEF
limit
numPlayers = {players}
numRounds = {streets}
blind = {blinds}
raiseSize = {raises}
maxRaises = {caps}
{stack}numSuits = 2
numRanks = 6
numHoleCards = 1
numBoardCards = {board}
firstPlayer = {first}
END GAMEDEF
"""


def small_limit(
    players: int,
    raise_sizes: tuple[int, ...],
    caps: tuple[int, ...],
    blinds: tuple[int, ...],
    stack: int = 0,
) -> GameDefinition:
    """A limit game with a deck of twelve cards; all stacks alike, unlimited where *stack* is 0."""
    streets = len(raise_sizes)
    return parse_definition(
        SMALL_LIMIT.format(
            players=players,
            streets=streets,
            blinds=" ".join(map(str, blinds)),
            raises=" ".join(map(str, raise_sizes)),
            caps=" ".join(map(str, caps)),
            stack=f"stack = {' '.join([str(stack)] * players)}\n" if stack else "",
            board=" ".join(["0", *["1"] * (streets - 1)]),
            first=" ".join(["1"] * streets),
        )
    )


def walk(definition: GameDefinition) -> Iterator[BettingState]:
    """All states, parents first, subtrees in the order fold, call, raise."""
    yield from _below(BettingRules(definition).start)


def _below(state: BettingState) -> Iterator[BettingState]:
    yield state
    if not state.is_over:
        for action in sorted(state.legal_actions(), key=lambda action: action.kind):
            yield from _below(state.apply(action))
