"""Names of positions: blinds, button, cutoff and so on, as players say them.

Positions are the seats of one hand, 0 first. The button is the seat that acts last on the last
street. With two players it usually posts the small blind ("reverse blinds") and is named SB.
Where everybody posts the same, as in Kuhn and Leduc, positions are named by the order of action.
"""

from __future__ import annotations

from acpcbot.poker.definition import GameDefinition

LATE_NAMES = ("BTN", "CO", "HJ", "LJ")
"""From the button backwards."""
EARLY_NAME = "UTG"
ORDINALS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)
# With as many seats beside the blinds the first of them is under the gun, whatever is behind it.
_FULL = 4


def button_position(definition: GameDefinition) -> int:
    """Return the position of the dealer button."""
    return (definition.first_seats[-1] - 1) % definition.num_players


def names_blinds(definition: GameDefinition) -> bool:
    """Return whether blinds differ, so that positions have names of their own."""
    return len(set(definition.blinds)) > 1


def position_names(definition: GameDefinition) -> tuple[str, ...]:
    """Return the name of each position.

    >>> from acpcbot.poker.shipped import shipped_definition
    >>> position_names(shipped_definition("holdem.nolimit.6p"))
    ('SB', 'BB', 'UTG', 'HJ', 'CO', 'BTN')
    >>> position_names(shipped_definition("kuhn.limit.3p"))
    ('first', 'second', 'third')
    """
    count = definition.num_players
    if not names_blinds(definition):
        first = definition.first_seats[0]
        return tuple([ORDINALS[(seat - first) % count] for seat in range(count)])
    posted = sorted(set(definition.blinds) - {0}, reverse=True)
    names = {
        definition.blinds.index(blind): name
        for blind, name in zip(posted, ("BB", "SB"), strict=False)
    }
    button = button_position(definition)
    others = [(button - behind) % count for behind in range(count)]
    others = [seat for seat in others if seat not in names]
    late = LATE_NAMES if button in others else LATE_NAMES[1:]
    names.update(zip(others, _names_from_button(len(others), late), strict=True))
    return tuple([names[seat] for seat in range(count)])


def _names_from_button(count: int, late: tuple[str, ...]) -> list[str]:
    """Return the names of *count* seats beside the blinds, from the last to act backwards."""
    if count < _FULL:
        return list(late[:count])
    early = max(1, count - len(late))
    names = [EARLY_NAME, *[f"{EARLY_NAME}+{number}" for number in range(1, early)]]
    return [*late[: count - early], *reversed(names)]
