"""Actions as the protocol spells them: fold, call (check) and raise (bet).

An agent answers with ``FOLDING``, ``CALLING`` (a check, where nothing is to be called), in limit
games ``LIMIT_RAISING``, in no-limit games ``raising(raise_to)``. ``raise_to`` is the number of
chips that the player has then put in over the whole hand, blinds and earlier streets included; in
limit games it is 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from acpcbot.poker import rules

LETTERS = {rules.FOLD: "f", rules.CALL: "c", rules.RAISE: "r"}


@dataclass(frozen=True, slots=True)
class Action:
    """One action: *kind* is ``rules.FOLD``, ``rules.CALL`` or ``rules.RAISE``, a number.

    >>> raising(300).text, CALLING.text
    ('r300', 'c')
    """

    kind: int
    raise_to: int = 0

    @property
    def text(self) -> str:
        """The action as written on the wire; ``?`` if it is none."""
        letter = LETTERS.get(self.kind, "?")
        return f"{letter}{self.raise_to}" if self.raise_to else letter

    def __str__(self) -> str:
        return self.text


FOLDING = Action(rules.FOLD)
CALLING = Action(rules.CALL)
LIMIT_RAISING = Action(rules.RAISE)


def raising(raise_to: int) -> Action:
    """Return a no-limit raise to *raise_to* chips over the whole hand."""
    return Action(rules.RAISE, raise_to)
