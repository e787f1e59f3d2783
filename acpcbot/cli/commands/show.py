"""``acpcbot show STRATEGY MATCHSTATE``: action probabilities of one hand, and of all hands."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from rich.text import Text

from acpcbot.agents.blueprint import find_blueprint
from acpcbot.agents.hand_range import Range, actions_text, chart_lines, hand_range, list_lines
from acpcbot.agents.tree_search.sog import sog_maker
from acpcbot.agents.tree_search.sog_strategy import SoGStrategy
from acpcbot.cards.deck import format_cards
from acpcbot.cli.output import add_json_argument, print_lines, write_json
from acpcbot.cli.phases import phase
from acpcbot.cli.seat_views import SeatView, seat_views
from acpcbot.errors import ProtocolError, UsageError
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.deck_convention import DeckConvention
from acpcbot.poker.definition import STREET_NAMES, GameDefinition
from acpcbot.poker.hand_classes import has_chart
from acpcbot.poker.hands import hand_number
from acpcbot.poker.shipped import recognise
from acpcbot.protocol.client_side import ClientConnection
from acpcbot.protocol.messages import MatchState
from acpcbot.search.folder import find_search, make_search
from acpcbot.search.names import is_search
from acpcbot.search.strategy import SearchStrategy
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.network_strategy import find_network
from acpcbot.strategies.policy import Probabilities
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.public_strategy import ActionTable

Shown = SnapshotStrategy | SearchStrategy | SoGStrategy

STATE_HINT = "a state is a line as the dealer sends it, as in 'MATCHSTATE:1:0:r:|AsKd'"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A strategy and a state."""
    parser.add_argument(
        "strategy", help="a strategy's folder; ?play=purified behind it, for example, as in a match"
    )
    parser.add_argument("state", metavar="MATCHSTATE", help="the line that a dealer sends")
    add_json_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the action probabilities with the cards of the state, and with every class of hands."""
    with phase(f"loading {arguments.strategy}"):
        strategy, label = _strategy(arguments.strategy)
    state = _state(strategy.definition, arguments.state)
    with phase("asking the strategy"):
        answer = _answer(strategy, state)
    if arguments.json:
        write_json({"strategy": arguments.strategy, **_document(state, answer)})
        return 0
    print_lines(_lines(label, state, answer))
    return 0


def _strategy(name: str) -> tuple[Shown, str]:
    """The strategy called *name*, and what it is in a line."""
    if find_network(name) is not None:
        maker = sog_maker(name)
        found = maker.strategy()
        kind = "with a network" if maker.options.network == "yes" else "without a network"
        return found, f"{recognise(found.definition)}, {found.searcher.settings} {kind}"
    if is_search(name):
        search = find_search(name)
        snapshot = search.load()
        return make_search(search, snapshot), f"{snapshot.manifest.game_label}, searched"
    blueprint = find_blueprint(name)
    strategy = SnapshotStrategy(load_snapshot(blueprint.folder), blueprint.settings)
    return strategy, f"{strategy.snapshot.manifest.game_label}, played as {strategy.settings}"


def _state(definition: GameDefinition, line: str) -> MatchState:
    """The state that *line* tells of; raises UsageError, ProtocolError."""
    connection = ClientConnection(BettingRules(definition))
    try:
        events = connection.receive(f"{line}\n".encode("latin-1", "replace"))
    except ProtocolError as error:
        error.hint = STATE_HINT
        raise
    state = events[0]
    if len(events) > 1 or not isinstance(state, MatchState):
        raise UsageError(f"not one state: {line!r}", STATE_HINT)
    if state.betting.is_over:
        raise UsageError(
            f"nobody is to act after {state.betting.text}: the hand is over", STATE_HINT
        )
    return state


class _Answer(NamedTuple):
    """Action probabilities in a state: of the own hand (None if others act) and of all hands.

    *views* are by seat what a network and its search say, empty of other strategies.
    """

    definition: GameDefinition
    table: ActionTable
    own: Probabilities | None
    by_class: Range
    views: Sequence[SeatView]


def _answer(strategy: Shown, state: MatchState) -> _Answer:
    definition, betting = strategy.definition, state.betting
    convention = DeckConvention(definition.num_suits, definition.num_ranks)
    convention.see([*state.own_cards, *state.board])
    hand, cards = (
        [convention.to_canonical(card) for card in part] for part in (state.own_cards, state.board)
    )
    table = strategy.table(betting, cards)
    own = table.probabilities[hand_number(definition, hand)] if state.is_my_turn else None
    views = seat_views(strategy, betting, cards) if isinstance(strategy, SoGStrategy) else []
    return _Answer(definition, table, own, hand_range(definition, table, cards), views)


def _document(state: MatchState, answer: _Answer) -> dict[str, Any]:
    """Return what ``--json`` prints: probabilities by action, for each class of hands."""
    own = None if answer.own is None else answer.own.tolist()
    return {
        "betting": state.betting.text,
        "street": STREET_NAMES[state.betting.street],
        "seat": state.betting.actor + 1,
        "board": format_cards(state.board),
        "actions": [action.text for action in answer.table.actions],
        "hand": format_cards(state.own_cards) if state.is_my_turn else None,
        "hand_probabilities": own,
        "range": {name: row.tolist() for name, row in answer.by_class.items()},
        **({"seats": [view.document() for view in answer.views]} if answer.views else {}),
    }


def _lines(label: str, state: MatchState, answer: _Answer) -> Iterator[Text | str]:
    betting, actions = state.betting, answer.table.actions
    board = f", board {format_cards(state.board)}" if state.board else ""
    yield label
    yield f"{STREET_NAMES[betting.street]}, seat {betting.actor + 1} to act{board}"
    yield ""
    if answer.own is not None:
        yield f"{format_cards(state.own_cards)}  {actions_text(answer.own, actions)}"
        yield ""
    if answer.views:
        for view in answer.views:
            yield from view.lines(actions)
        return
    as_lines = chart_lines if has_chart(answer.definition) else list_lines
    yield from as_lines(answer.by_class, actions)
