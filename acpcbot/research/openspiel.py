"""Poker in OpenSpiel's terms: its games as ours, its numbers of actions and cards, its states.

OpenSpiel has Kuhn and Leduc poker as games of their own and all others as ``universal_poker``.
``SpielRules`` stands for one of them and translates both ways.

Actions are numbers:

``kuhn_poker``       0 checks or folds, 1 bets or calls
``leduc_poker``      0 folds, 1 checks or calls, 2 bets or raises
``universal_poker``  the same in limit games; in no-limit games, with
                     ``bettingAbstraction=fullgame``, every number from 2 on raises to so many chips

Cards are numbered from the lowest of the deck, suits fastest. Chance deals hole cards seat by seat,
then the board. Chips are the same here and there.

Other settings of OpenSpiel's games would be other games, and raise ``UsageError``: fewer sizes of
bets than the rules allow, dealt boards, isomorphic suits, and stacks in limit games, which OpenSpiel
does not look at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from acpcbot.cards.deck import format_cards
from acpcbot.errors import UsageError
from acpcbot.poker import rules
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, Action, raising
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import (
    UNLIMITED_STACK,
    GameDefinition,
    format_definition,
    parse_definition,
)
from acpcbot.poker.hands import hand_number
from acpcbot.poker.shipped import shipped_definition
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy

SpielTable = dict[str, list[tuple[int, float]]]
"""For every information state the numbers of its actions, and their probabilities."""

SPIEL_NAMES = {
    "kuhn.limit.2p": "kuhn_poker",
    "kuhn.limit.3p": "kuhn_poker(players=3)",
    "leduc.limit.2p": "leduc_poker",
}
"""OpenSpiel's names of the games that are no ``universal_poker`` there."""

INSTALL_HINT = "install the extra: pip install 'acpcbot[openspiel]'; there is none for Windows"
_KUHN, _LEDUC, _UNIVERSAL = "kuhn_poker", "leduc_poker", "universal_poker"
_CHANCE = -1
_PLAIN: dict[str, dict[str, object]] = {
    _KUHN: {},
    _LEDUC: {"action_mapping": False, "starting_player": 0, "suit_isomorphism": False},
    _UNIVERSAL: {"boardCards": "", "handReaches": "", "potSize": 0},
}
"""Settings that our rules have no counterpart of, and their values that stand for none."""


def import_spiel(purpose: str) -> Any:
    """Return the module ``pyspiel``; raises UsageError where it is missing."""
    try:
        import pyspiel
    except ImportError:
        raise UsageError(
            f"{purpose} needs OpenSpiel, which is not installed", INSTALL_HINT
        ) from None
    return pyspiel


def spiel_game(definition: GameDefinition) -> Any:
    """Return the game *definition* as ``pyspiel.Game``; raises UsageError.

    Kuhn and Leduc poker are OpenSpiel's own; others are ``universal_poker`` with bets of every
    size.
    """
    pyspiel = import_spiel("a game of OpenSpiel")
    for name, spiel_name in SPIEL_NAMES.items():
        if definition == shipped_definition(name):
            return pyspiel.load_game(spiel_name)
    if definition.is_limit and definition.has_stacks:
        raise UsageError(
            "a limit game with stacks has no counterpart in OpenSpiel, which does not look at them",
            "expected one whose definition names no stacks",
        )
    game = pyspiel.universal_poker.load_universal_poker_from_acpc_gamedef(
        format_definition(definition)
    )
    if definition.is_limit:
        return game
    return pyspiel.load_game(
        _UNIVERSAL, {**game.get_parameters(), "bettingAbstraction": "fullgame"}
    )


def spiel_definition(game: Any) -> GameDefinition:
    """Return the definition of OpenSpiel's *game*; raises UsageError if we have none of it."""
    name, settings = game.get_type().short_name, game.get_parameters()
    if name not in _PLAIN:
        raise UsageError(
            f"{name} of OpenSpiel has no counterpart here", f"expected one of {', '.join(_PLAIN)}"
        )
    for key, plain in _PLAIN[name].items():
        if settings[key] != plain:
            raise UsageError(
                f"{name} with {key}={settings[key]} has no counterpart here",
                f"expected {key}={plain!r}",
            )
    if name == _UNIVERSAL:
        return _universal_definition(settings)
    players = settings["players"]
    for ours, spiel_name in SPIEL_NAMES.items():
        if spiel_name in (f"{name}(players={players})", name if players == 2 else ""):
            return shipped_definition(ours)
    raise UsageError(
        f"{name} for {players} players has no counterpart here",
        f"expected one of {', '.join(SPIEL_NAMES.values())}",
    )


def _universal_definition(settings: Mapping[str, Any]) -> GameDefinition:
    is_limit = settings["betting"] == "limit"
    wanted, found = "fcpa" if is_limit else "fullgame", settings["bettingAbstraction"]
    if found != wanted:
        raise UsageError(
            f"universal_poker with bettingAbstraction={found} has other bets than the rules",
            f"expected bettingAbstraction={wanted} in a {settings['betting']} game",
        )
    players, streets = settings["numPlayers"], settings["numRounds"]
    # OpenSpiel does not look at the stacks of limit games, and reports a default.
    stacks = f"{UNLIMITED_STACK} " * players if is_limit else settings["stack"]
    entries = {
        "numPlayers": players,
        "numRounds": streets,
        "stack": stacks,
        "blind": settings["blind"],
        "raiseSize": settings.get("raiseSize", "") if is_limit else "",
        "firstPlayer": settings["firstPlayer"],
        "maxRaises": settings["maxRaises"],
        "numSuits": settings["numSuits"],
        "numRanks": settings["numRanks"],
        "numHoleCards": settings["numHoleCards"],
        "numBoardCards": settings["numBoardCards"],
    }
    lines = [f"{key} = {value}" for key, value in entries.items() if str(value).strip()]
    return parse_definition("\n".join(["GAMEDEF", settings["betting"], *lines, "END GAMEDEF", ""]))


@dataclass(frozen=True, slots=True)
class SpielPosition:
    """A state of OpenSpiel by our rules.

    *betting*     the betting up to now
    *hole_cards*  those of each seat
    *board*       the cards dealt up to now
    """

    betting: BettingState
    hole_cards: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]


class SpielRules:
    """OpenSpiel's *game* beside our rules of it; raises UsageError if we have none.

    ``definition``  our definition
    ``betting``     our betting rules
    ``deck``        our card of each of OpenSpiel's numbers
    """

    def __init__(self, game: Any) -> None:
        self.game = game
        self.definition = spiel_definition(game)
        self.betting = BettingRules(self.definition)
        self.deck = tuple(sorted(self.definition.deck))
        self._card_numbers = {card: number for number, card in enumerate(self.deck)}
        self._is_kuhn = game.get_type().short_name == _KUHN

    def number(self, betting: BettingState, action: Action) -> int:
        """Return OpenSpiel's number of the legal *action* after *betting*."""
        if self._is_kuhn:
            return betting.legal_actions().index(action)
        return action.raise_to or action.kind

    def action(self, betting: BettingState, number: int) -> Action:
        """Return the action of OpenSpiel's *number* after *betting*.

        Raises UsageError if it is not legal.
        """
        legal, action = betting.legal_actions(), None
        if self._is_kuhn:
            action = legal[number] if 0 <= number < len(legal) else None
        elif number in (rules.FOLD, rules.CALL):
            action = (FOLDING, CALLING)[number]
        elif self.definition.is_limit:
            action = LIMIT_RAISING if number == rules.RAISE else None
        else:
            action = raising(number)
        if action is None or not betting.can_act(action):
            raise UsageError(
                f"OpenSpiel's action {number} is not legal after {betting.text!r}",
                f"expected one of {', '.join(map(str, legal))}",
            )
        return action

    def position(self, state: Any) -> SpielPosition:
        """Return *state*, no chance node, by our rules."""
        betting, dealt = self.betting.start, []
        for step in state.full_history():
            if int(step.player) == _CHANCE:
                dealt.append(self.deck[step.action])
            else:
                betting = betting.apply(self.action(betting, step.action))
        size, num_players = self.definition.num_hole_cards, self.definition.num_players
        hands = tuple(
            [tuple(dealt[seat * size : (seat + 1) * size]) for seat in range(num_players)]
        )
        return SpielPosition(betting, hands, tuple(dealt[num_players * size :]))

    def states(self, position: SpielPosition) -> Iterator[tuple[Any, int]]:
        """Yield every decision up to *position* as OpenSpiel's state and the number played there.

        The last one is *position* itself, with the number -1. It is one state that changes from
        one to the next: clone those that are kept.
        """
        state = self.game.new_initial_state()
        dealt = [card for held in position.hole_cards for card in held] + list(position.board)
        cards = iter([self._card_numbers[card] for card in dealt])
        self._deal(state, cards)
        for betting, action in position.betting.decisions():
            number = self.number(betting, action)
            yield state, number
            state.apply_action(number)
            self._deal(state, cards)
        yield state, -1

    def state(self, position: SpielPosition) -> Any:
        """Return *position* as OpenSpiel's state."""
        *_, (state, _) = self.states(position)
        return state

    @staticmethod
    def _deal(state: Any, cards: Iterator[int]) -> None:
        while state.is_chance_node():
            state.apply_action(next(cards))


def spiel_policy(
    game_name: str, definition: GameDefinition, strategy: PublicStrategy
) -> SpielTable:
    """Return *strategy* as ``pyspiel.TabularPolicy`` takes it; raises UsageError."""
    if game_name not in SPIEL_NAMES:
        raise UsageError(
            f"{game_name} is too large for a table, or has no counterpart in OpenSpiel here",
            f"expected one of {', '.join(SPIEL_NAMES)};"
            " policy_of of acpcbot.adapters.openspiel asks for one decision at a time",
        )
    import_spiel("openspiel_policy()")
    walk = _Walk(SpielRules(spiel_game(definition)), strategy)
    walk.visit(walk.rules.game.new_initial_state(), walk.rules.betting.start, ())
    return walk.table


class _Walk:
    """A walk through both games in step, from deal to deal and from action to action.

    So every information state string of OpenSpiel is met together with the betting and the cards
    that it stands for. *table* grows with it.
    """

    def __init__(self, spiel_rules: SpielRules, strategy: PublicStrategy) -> None:
        self.rules, self._strategy = spiel_rules, strategy
        self.table: SpielTable = {}
        self._tables: dict[tuple[str, tuple[int, ...]], ActionTable] = {}

    def visit(self, state: Any, betting: BettingState, dealt: tuple[int, ...]) -> None:
        """Visit *state* of OpenSpiel, which is *betting* with the cards *dealt*.

        These are the players' own, by seat, and then the board.
        """
        if state.is_terminal():
            return
        if state.is_chance_node():
            for number, _ in state.chance_outcomes():
                self.visit(state.child(number), betting, (*dealt, self.rules.deck[number]))
            return
        definition = self.rules.definition
        own, board = dealt[betting.actor], dealt[definition.num_players :]
        actions = betting.legal_actions()
        numbers = [self.rules.number(betting, action) for action in actions]
        assert numbers == state.legal_actions(), (str(state), format_cards(dealt))
        table = self._action_table(betting, board)
        row = table.probabilities[hand_number(definition, [own])].tolist()
        played = dict(zip(table.actions, row, strict=True))
        self.table[state.information_state_string()] = [
            (number, played.get(action, 0.0))
            for number, action in zip(numbers, actions, strict=True)
        ]
        for number, action in zip(numbers, actions, strict=True):
            self.visit(state.child(number), betting.apply(action), dealt)

    def _action_table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        key = betting.text, tuple(board)
        if key not in self._tables:
            self._tables[key] = self._strategy.table(betting, board)
        return self._tables[key]
