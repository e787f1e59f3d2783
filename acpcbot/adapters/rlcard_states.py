"""Views of a hand as the dictionaries that RLCard's environments give to agents.

``RlcardForm`` stands for a game in RLCard's terms. There are three forms, with its names:

``leduc-holdem``      limit games for two with one hole card, three ranks in two suits
``limit-holdem``      limit hold'em of four streets, at most four raises on each
``no-limit-holdem``   no-limit hold'em of four streets

A dictionary has five entries:

``obs``                float64 vector: of Leduc 36 numbers, of limit hold'em 72, of no-limit 54
``legal_actions``      ordered dictionary whose keys are the numbers of the legal actions
``raw_obs``            what the vector is made of, as words and numbers
``raw_legal_actions``  the legal actions: words, in no-limit hold'em members of RLCard's enum
``action_record``      all actions of the hand as pairs of a player and a raw action

Leduc: 1 for the own rank (3), for the rank of the board (3), for the own chips (15, from 0), for
the other's chips (15). Limit hold'em: 1 for each card seen (52: spades, hearts, diamonds, clubs,
each from the ace, the two and on to the king), for the number of raises on each street (4 x 5).
No-limit: the cards, then the own chips and the most chips of any player.

Chips are RLCard's: its small bet is two chips, in no-limit its big blind. Sizes that are not whole
there are floats. Folding is always listed, as there; where checking is free it is played as a
check. ``raw_obs`` has ``current_player`` in all three games, RLCard in two of them.

The raw actions of no-limit hold'em are members of RLCard's own enum where the library is installed,
else of one with the same names and numbers. Bets of other sizes are recorded as the nearest.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from enum import Enum
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from acpcbot.cards.deck import RANKS, SUITS, format_card
from acpcbot.errors import UsageError
from acpcbot.poker import rules
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, Action, raising
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition

LEDUC, LIMIT, NO_LIMIT = "leduc-holdem", "limit-holdem", "no-limit-holdem"
VECTOR_LENGTHS = {LEDUC: 36, LIMIT: 72, NO_LIMIT: 54}
LIMIT_WORDS = ("call", "raise", "fold", "check")
LEDUC_RANKS = "JQK"
MOST_LEDUC_CHIPS = 14
MOST_RAISES = 4
CARD_SUITS, CARD_RANKS = "SHDC", "A23456789TJQK"
HOLDEM = (4, 13, 2, (0, 3, 1, 1))
LEDUC_CARDS = (2, 3, 1, (0, 1))
NUM_CARDS = len(CARD_SUITS) * len(CARD_RANKS)


@cache
def no_limit_actions() -> Any:
    """Return the enum of actions of no-limit hold'em."""
    own = {"FOLD": 0, "CHECK_CALL": 1, "RAISE_HALF_POT": 2, "RAISE_POT": 3, "ALL_IN": 4}
    return _enum_of_rlcard("round", "Action", own)


@cache
def stages() -> Any:
    """Return the enum of streets of no-limit hold'em."""
    names = ("PREFLOP", "FLOP", "TURN", "RIVER", "END_HIDDEN", "SHOWDOWN")
    return _enum_of_rlcard("game", "Stage", {name: place for place, name in enumerate(names)})


def _enum_of_rlcard(module: str, name: str, members: dict[str, int]) -> Any:
    try:
        return getattr(import_module(f"rlcard.games.nolimitholdem.{module}"), name)
    except ImportError:
        return Enum(name, members)


class RlcardForm:
    """The game *definition* in RLCard's terms; raises UsageError where it has no such form.

    ``name``  RLCard's name of the form
    ``unit``  the chips of ours that are one of RLCard's
    """

    def __init__(self, definition: GameDefinition) -> None:
        self.definition = definition
        self.name = _form_name(definition)
        smallest = definition.raise_sizes[0] if definition.is_limit else definition.big_blind
        self.unit = smallest / 2
        if self.name == LEDUC:
            self._verify_leduc_chips()
        if definition.is_limit and max(definition.max_raises) > MOST_RAISES:
            raise UsageError(
                f"up to {max(definition.max_raises)} raises on a street",
                f"RLCard counts at most {MOST_RAISES}",
            )
        ranks = sorted({card // len(SUITS) for card in definition.deck})
        letters = LEDUC_RANKS if self.name == LEDUC else RANKS
        self._letters = dict(zip(ranks, letters, strict=True))
        self._cards = {self.card(card): card for card in definition.deck}

    def _verify_leduc_chips(self) -> None:
        definition = self.definition
        bets = zip(definition.raise_sizes, definition.max_raises, strict=True)
        most = definition.big_blind + sum(size * count for size, count in bets)
        amounts = (*definition.blinds, *definition.raise_sizes)
        is_whole = all((amount / self.unit).is_integer() for amount in amounts)
        if not is_whole or most > MOST_LEDUC_CHIPS * self.unit:
            raise UsageError(
                f"up to {most / self.unit:g} chips of RLCard in a hand, from {amounts} of ours",
                f"expected whole ones, at most {MOST_LEDUC_CHIPS}: its vector has no more places",
            )

    @property
    def raw_actions(self) -> tuple[Any, ...]:
        """The raw action of each number."""
        return LIMIT_WORDS if self.definition.is_limit else tuple(no_limit_actions())

    @property
    def vector_length(self) -> int:
        """The length of ``obs``."""
        return VECTOR_LENGTHS[self.name]

    def card(self, card: int) -> str:
        """Return RLCard's name of *card*: suit and rank, as in ``SA``."""
        return format_card(card)[1].upper() + self._letters[card // len(SUITS)]

    def parse_cards(self, names: Sequence[str]) -> tuple[int, ...]:
        """Return our cards of RLCard's *names*; raises UsageError for one of another deck."""
        try:
            return tuple([self._cards[name] for name in names])
        except KeyError as error:
            raise UsageError(f"{error.args[0]!r} is no card of {self.name}") from None

    def chips(self, amount: float) -> float:
        """Return *amount* of our chips in RLCard's, an int where it is whole."""
        found = amount / self.unit
        return int(found) if found.is_integer() else found

    def raise_to(self, betting: BettingState, raw: Any) -> int:
        """Return the chips to which the no-limit raise *raw* of the actor would go."""
        if raw.name == "ALL_IN":
            return self.definition.stacks[betting.actor]
        added = float(betting.pot)
        if raw.name == "RAISE_HALF_POT":
            added = int(self.chips(betting.pot) / 2) * self.unit  # whole chips of RLCard's
        return int(betting.spent[betting.actor] + added)

    def legal_actions(self, betting: BettingState) -> list[Any]:
        """Return the raw actions that RLCard lists, without raises that our rules forbid.

        Behind the end of a hand there are those of a player who may check, without raises.
        """
        if self.definition.is_limit:
            without = {"check" if betting.to_call else "call"}
            without |= set() if betting.raise_range else {"raise"}
            return [word for word in LIMIT_WORDS if word not in without]
        return [
            raw
            for raw in no_limit_actions()
            if raw.name in ("FOLD", "CHECK_CALL") or self._allows(betting, raw)
        ]

    def _allows(self, betting: BettingState, raw: Any) -> bool:
        smallest, largest = betting.raise_range or (1, 0)
        return smallest <= self.raise_to(betting, raw) <= largest

    def action(self, betting: BettingState, raw: Any) -> Action:
        """Return our action of RLCard's *raw* one; a fold where checking is free is a check.

        Raises UsageError if it is not legal.
        """
        name = getattr(raw, "name", raw)
        for legal in self.legal_actions(betting):
            if not betting.is_over and getattr(legal, "name", legal) == name:
                return self._action(betting, legal)
        raise UsageError(
            f"RLCard's action {raw!r} is not legal after {betting.text!r}",
            f"expected one of {', '.join(map(str, self.legal_actions(betting)))}",
        )

    def _action(self, betting: BettingState, raw: Any) -> Action:
        name = getattr(raw, "name", raw)
        if name in ("fold", "FOLD"):
            return FOLDING if betting.can_act(FOLDING) else CALLING
        if name in ("call", "check", "CHECK_CALL"):
            return CALLING
        return LIMIT_RAISING if name == "raise" else raising(self.raise_to(betting, raw))

    def raw_action(self, betting: BettingState, action: Action) -> Any:
        """Return RLCard's raw action of our *action*, of raises in no-limit games the nearest."""
        if self.definition.is_limit:
            if action.kind == rules.CALL:
                return "call" if betting.to_call else "check"
            return "fold" if action.kind == rules.FOLD else "raise"
        actions = no_limit_actions()
        if action.kind == rules.FOLD:
            return actions["FOLD"]
        if action.kind == rules.CALL:
            return actions["CHECK_CALL"]
        raises = [actions["RAISE_HALF_POT"], actions["RAISE_POT"], actions["ALL_IN"]]
        return min(raises, key=lambda raw: abs(self.raise_to(betting, raw) - action.raise_to))

    def record(self, betting: BettingState, players: Sequence[int]) -> list[tuple[int, Any]]:
        """Return all actions up to now; *players* are the players' numbers by position."""
        return [
            (players[before.actor], self.raw_action(before, action))
            for before, action in betting.decisions()
        ]

    def state(
        self,
        betting: BettingState,
        seat: int,
        own_cards: Sequence[int],
        board: Sequence[int],
        *,
        players: Sequence[int] | None = None,
        record: list[tuple[int, Any]] | None = None,
    ) -> dict[str, Any]:
        """Return what the player at position *seat* is given after *betting*.

        *players* are the players' numbers by position, the positions themselves if left out;
        *record* is the action record, made of *betting* if left out.
        """
        players = range(self.definition.num_players) if players is None else players
        legal = self.legal_actions(betting)
        numbers = [self.raw_actions.index(raw) for raw in legal]
        raw = self._raw_obs(betting, seat, own_cards, board, players)
        return {
            "legal_actions": OrderedDict.fromkeys(numbers),
            "obs": self._vector(raw),
            "raw_obs": raw | {"legal_actions": legal},
            "raw_legal_actions": list(legal),
            "action_record": self.record(betting, players) if record is None else record,
        }

    def _raw_obs(
        self,
        betting: BettingState,
        seat: int,
        own_cards: Sequence[int],
        board: Sequence[int],
        players: Sequence[int],
    ) -> dict[str, Any]:
        spent = [self.chips(betting.spent[players.index(player)]) for player in sorted(players)]
        hand, dealt = list(map(self.card, own_cards)), list(map(self.card, board))
        actor = 0 if betting.is_over else betting.actor
        raw: dict[str, Any] = {
            "hand": hand,
            "public_cards": dealt,
            "all_chips": spent,
            "my_chips": self.chips(betting.spent[seat]),
            "current_player": players[actor],
        }
        if self.name == LEDUC:
            del raw["public_cards"]
            return raw | {"hand": hand[0], "public_card": dealt[0] if dealt else None}
        if self.name == LIMIT:
            return raw | {"raise_nums": _raises_by_street(betting)}
        left = zip(self.definition.stacks, betting.spent, strict=True)
        stakes = [self.chips(stack - chips) for stack, chips in left]
        return raw | {
            "stakes": [stakes[players.index(player)] for player in sorted(players)],
            "pot": self.chips(betting.pot),
            "stage": stages()(betting.street),
        }

    def _vector(self, raw: dict[str, Any]) -> Any:
        vector = np.zeros(self.vector_length)
        if self.name == LEDUC:
            vector[LEDUC_RANKS.index(raw["hand"][1])] = 1
            if raw["public_card"]:
                vector[3 + LEDUC_RANKS.index(raw["public_card"][1])] = 1
            vector[6 + raw["my_chips"]] = 1
            vector[21 + sum(raw["all_chips"]) - raw["my_chips"]] = 1
            return vector
        vector[[_card_place(name) for name in raw["public_cards"] + raw["hand"]]] = 1
        if self.name == LIMIT:
            for street, count in enumerate(raw["raise_nums"]):
                vector[NUM_CARDS + street * (MOST_RAISES + 1) + count] = 1
        else:
            vector[NUM_CARDS:] = raw["my_chips"], max(raw["all_chips"])
        return vector


def _form_name(definition: GameDefinition) -> str:
    cards = (
        definition.num_suits,
        definition.num_ranks,
        definition.num_hole_cards,
        definition.num_board_cards,
    )
    if cards == LEDUC_CARDS and definition.is_limit and definition.num_players == 2:
        return LEDUC
    if cards == HOLDEM:
        return LIMIT if definition.is_limit else NO_LIMIT
    raise UsageError(
        "the game has no counterpart in RLCard",
        "expected hold'em of four streets, or limit Leduc hold'em for two",
    )


def _raises_by_street(betting: BettingState) -> list[int]:
    counts = [street.count("r") for street in betting.text.split("/")]
    return (counts + [0] * len(HOLDEM[3]))[: len(HOLDEM[3])]


def _card_place(name: str) -> int:
    return CARD_SUITS.index(name[0]) * len(CARD_RANKS) + CARD_RANKS.index(name[1])
