"""Stored strategies by name: their decisions, and their tables as OpenSpiel takes them.

    strategy = acpcbot.load_strategy("leduc.limit.2p/dcfr")
    strategy.decision()["Ks"]                      # the first decision with one card
    strategy.decision("rc/", "Qs")["Ks"]           # after a raise and a call, on the board Qs
    pyspiel.TabularPolicy(strategy.openspiel_policy())

Betting is written as dealers write it: f, c and r, in no-limit games with the chips that the
player has then put in over the whole hand, and a slash behind each street.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.agents.public_strategies import ANY_GAME, find_strategy
from acpcbot.cards.deck import parse_cards
from acpcbot.errors import UnknownStrategy, UsageError
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import hands_without
from acpcbot.poker.shipped import find_definition
from acpcbot.reports.notebook import decision_markup, notebook_markup, result_markup
from acpcbot.research.decisions import RangeDecision
from acpcbot.research.openspiel import SpielTable, spiel_policy
from acpcbot.search.names import game_of, is_search
from acpcbot.strategies.by_name import find_played
from acpcbot.strategies.finding import missing_text
from acpcbot.strategies.network_strategy import find_network
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy
from acpcbot.strategies.range_play import state_range
from acpcbot.subgames.solution import Decision, Place, action_word


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Strategy:
    """A strategy of one game, for every seat.

    ``name``        as it was asked for
    ``game_name``   the shipped game, as in ``leduc.limit.2p``
    ``definition``  its rules
    ``learner``     the algorithm that trained it; ``search`` where it searches at the table, and
                    the name itself where it plays any game by simple rules
    ``num_steps``   episodes or iterations of training, 0 where nothing was trained
    ``hours``       hours of training

    ``exploitability``, ``lbr`` and ``play_match`` take it, or its name.
    """

    name: str
    game_name: str
    definition: GameDefinition
    learner: str
    num_steps: int
    hours: float
    _public: PublicStrategy

    def decision(self, betting: str = "", board: str = "") -> RangeDecision:
        """Return what is done with every hand after *betting*, as dealers write it (``cr300c/``),
        on *board* (``KsTd9h``).

        The weights of its hands are those with which the strategy itself gets there. Raises
        ProtocolError for betting that is not legal, BadCards, and UsageError for a hand that is
        over, or a board of the wrong size.
        """
        state, cards = BettingRules(self.definition).parse(betting), parse_cards(board)
        wanted = self.definition.board_size(state.street)
        if state.is_over:
            raise UsageError(f"after {betting!r} the hand is over", "leave out the last action")
        if len(cards) != wanted or not set(cards) <= set(self.definition.deck):
            raise UsageError(
                f"a board of {len(cards)} cards, {board!r}, after {betting!r}:"
                f" expected {wanted} of the game's deck",
                "board cards are written as in KsTd9h",
            )
        table = self._public.table(state, cards)
        held = np.flatnonzero(hands_without(self.definition, cards))[::-1]
        reaches = np.stack(
            [
                state_range(self._public, state, cards, seat)[held]
                for seat in range(self.definition.num_players)
            ]
        )
        totals = reaches.sum(axis=1, keepdims=True)
        return RangeDecision(
            Decision(
                place=Place(-1, state, cards),
                choices=tuple([action_word(state, action) for action in table.actions]),
                hands=held,
                weights=np.divide(reaches, totals, out=np.zeros_like(reaches), where=totals > 0),
                probabilities=table.probabilities[held],
                ev_chips=np.full(reaches.shape, np.nan),
                reaches=reaches,
                action_ev_chips=np.full((len(held), len(table.actions)), np.nan),
            )
        )

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """Return the probabilities of the actor after *betting* with every hand, as arrays.

        *board* has the cards dealt so far. With this method it is a ``PublicStrategy``.
        """
        return self._public.table(betting, board)

    def openspiel_policy(self) -> SpielTable:
        """Return the strategy as ``pyspiel.TabularPolicy`` takes it.

        A dictionary from the information state string of OpenSpiel to pairs of an action's number
        and its probability, of Kuhn poker for two or three and of Leduc poker: in OpenSpiel
        ``kuhn_poker``, ``kuhn_poker(players=3)`` and ``leduc_poker``. Chips are the same there, so
        that ``pyspiel.exploitability(game, policy)`` compares with ``exploitability_chips``.
        Raises UsageError for other games, and where OpenSpiel is not installed.
        """
        return spiel_policy(self.game_name, self.definition, self._public)

    def __repr__(self) -> str:
        trained = f", {self.num_steps:,} steps in {self.hours:.2g} hours" if self.num_steps else ""
        return f"<Strategy {self.name} of {self.game_name}: {self.learner}{trained}>"

    def _repr_html_(self) -> str:
        facts = {"game": self.game_name, "learner": self.learner}
        if self.num_steps:
            facts |= {"steps": f"{self.num_steps:,}", "hours of training": f"{self.hours:.2g}"}
        parts = [result_markup(self.name, facts)]
        if self.learner != "search":  # whose answer would take a solver, and seconds
            parts.append(decision_markup(self.decision()._decision))
        return notebook_markup(*parts)


def load_strategy(name: str, *, game: str | None = None) -> Strategy:
    """Load the strategy called *name*.

    ``name``  a folder that training left, as in ``strategies/leduc.limit.2p/dcfr``, where the
              first part may be left out; the folder of one that searches at the table; or
              ``call``, ``fold``, ``raise``, ``tight`` and, in limit games, ``random``. Behind ``?play=``
              stands how a stored one is played: ``average``, ``greedy``, ``purified``,
              ``threshold:0.1``.
    ``game``  the game of ``call`` and the others, which play any: a shipped name or the path of
              a definition

    Every byte of a stored one is checked. Raises UnknownStrategy, BadSnapshot and UsageError.
    """
    game_name, definition = _find_game(name, game)
    if name in ANY_GAME or is_search(name) or find_network(name) is not None:
        learner = name if name in ANY_GAME else "search"
        public = find_strategy(name, DealSources(definition))
        return Strategy(name, game_name, definition, learner, 0, 0.0, public)
    snapshot, settings = find_played(name, definition)
    training = snapshot.manifest.training
    return Strategy(
        name,
        game_name,
        definition,
        training.learner,
        training.num_episodes,
        training.hours,
        SnapshotStrategy(snapshot, settings),
    )


def as_strategy(strategy: Strategy | str, game: str | None = None) -> Strategy:
    """Return *strategy*, loaded where it is a name."""
    return load_strategy(strategy, game=game) if isinstance(strategy, str) else strategy


def _find_game(name: str, game: str | None) -> tuple[str, GameDefinition]:
    """The label and the rules of the game that the strategy called *name* plays."""
    if name in ANY_GAME:
        if game is None:
            raise UsageError(f"{name} plays any game: expected one", 'pass game="leduc.limit.2p"')
        return find_definition(game)
    own = game_of(name)
    if own is None:
        error = UnknownStrategy(name, ANY_GAME)
        error.hint = (
            f"expected a trained folder or one of {', '.join(ANY_GAME)}; {missing_text(name)}"
        )
        raise error
    if game is not None and find_definition(game)[1] != own[1]:
        raise UsageError(f"{name} plays {own[0]}, and not {game}", "omit game=")
    return own
