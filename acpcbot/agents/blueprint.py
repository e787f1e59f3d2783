"""Player of a stored strategy: a folder made by training.

It is named by the folder, with play settings after a question mark where they differ from the
strategy's own:

    strategies/leduc.limit.2p/dcfr
    strategies/leduc.limit.2p/dcfr?play=purified
    strategies/leduc.limit.2p/dcfr?play=threshold:0.15

Bets of sizes that a no-limit strategy lacks are translated, and so are other stacks than those it
was trained for (``strategies/translation.py``). A name that leads to no folder raises
UnknownStrategy, a damaged folder BadSnapshot, and settings or games that do not fit it UsageError.
"""

from __future__ import annotations

from acpcbot.agents.decision_stream import decision_stream, view_stream
from acpcbot.agents.names import KNOWN
from acpcbot.poker.actions import CALLING, Action
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition
from acpcbot.protocol.messages import MatchState
from acpcbot.strategies.by_name import StoredStrategy, find_stored, verify_same_game
from acpcbot.strategies.policy import PlaySettings, verify_settings
from acpcbot.strategies.snapshot import Snapshot
from acpcbot.strategies.translation import Seen, Translator
from acpcbot.trees.infosets import Place


class BlueprintAgent:
    """Player of *snapshot* with *settings*.

    Raises UsageError if the snapshot does not fit the game or the settings.
    """

    is_instant = True

    def __init__(
        self,
        definition: GameDefinition,
        seed: int,
        snapshot: Snapshot,
        settings: PlaySettings | None = None,
    ) -> None:
        verify_same_game(snapshot.path, snapshot.definition, definition, any_stacks=True)
        self.definition = definition
        self.seed = seed
        self.snapshot = snapshot
        self.settings = settings or snapshot.own_settings
        verify_settings(snapshot.path, snapshot.manifest, self.settings)
        self._hand: tuple[int, tuple[int, ...], tuple[int, ...]] | None = None
        self._bucket = 0
        start = BettingRules(snapshot.definition).start
        self._translator = Translator(snapshot.place, start, nearest=snapshot.nearest)
        self._warm_up()

    def _warm_up(self) -> None:
        """Compile kernels and read tables now, not in the middle of a hand."""
        deck, size = self.definition.deck, self.definition.num_hole_cards
        for street in range(self.definition.num_streets):
            board = deck[size : size + self.definition.board_size(street)]
            self.snapshot.abstraction.bucket(street, deck[:size], board)
        if self.snapshot.nearest is not None:
            self.snapshot.nearest(BettingRules(self.definition).start)

    def act(self, state: MatchState, deadline_s: float) -> Action:
        """Return an action drawn by the strategy's probabilities.

        The same decision always gets the same action.
        """
        seen = self._seen(state)
        if seen is None:
            return CALLING

        def draw() -> float:
            return decision_stream(self.seed, state).unit()

        place = self.snapshot.place(seen)
        index = self.snapshot.drawn_action(
            place, self._bucket_of(place, state), self.settings, draw
        )
        action = place.actions[index]
        return (
            action
            if self.definition.is_limit
            else self._translator.real_action(state.betting, seen, action)
        )

    def _bucket_of(self, place: Place, state: MatchState) -> int:
        """Return the bucket of the hand, which is worked out once a street."""
        hand = (place.street, state.own_cards, state.board)
        if hand != self._hand:
            self._bucket, self._hand = (
                self.snapshot.bucket(place, state.own_cards, state.board),
                hand,
            )
        return self._bucket

    def _seen(self, state: MatchState) -> Seen:
        """Return the betting as the strategy's tree has it, the same view in the whole hand."""
        if self.definition.is_limit:
            return state.betting

        def draw(num_actions: int) -> float:
            return view_stream(self.seed, state, num_actions).unit()

        return self._translator.seen((state.hand_id, state.seat), state.betting, draw)


class BlueprintMaker(StoredStrategy):
    """Maker of blueprint agents from a stored strategy."""

    __slots__ = ()

    def verify_game(self, definition: GameDefinition, *, any_stacks: bool = True) -> None:
        """Raise UsageError unless the strategy plays this game, with whatever stacks."""
        super().verify_game(definition, any_stacks=any_stacks)

    def __call__(self, definition: GameDefinition, seed: int) -> BlueprintAgent:
        return BlueprintAgent(definition, seed, self.load(), self.settings)


def find_blueprint(name: str) -> BlueprintMaker:
    """Return the maker of the agents called *name*.

    Raises UnknownStrategy, BadSnapshot or UsageError.
    """
    stored = find_stored(name, KNOWN)
    return BlueprintMaker(stored.folder, stored.settings)
