"""Options of the agents that search from the rules, as they stand behind a question mark::

    oos?seconds=0.5&target=public&bets=0.5,1,all-in;1,all-in&save=oos_leduc
    ismcts?policy=rm&final=most-visits
    strategies/leduc.limit.2p/sog?s=400&c=1

An option that does not exist, or has a value that does not fit, raises UsageError.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Literal, TypeVar

from msgspec import Meta

from acpcbot.decoding import decode_settings
from acpcbot.errors import UsageError
from acpcbot.spelling import nearest_hint

OOS, ISMCTS = "oos", "ismcts"
HINT = "docs/guides/agents.md lists the options of agents that search"
MEGABYTE = 1_000_000

Seconds = Annotated[float, Meta(gt=0, le=1e6)]
Count = Annotated[int, Meta(ge=1)]
Megabytes = Annotated[float, Meta(gt=0, le=1e6)]
Target = Literal["infoset", "public", "none"]
Policy = Literal["uct", "rm"]
Answer = Literal["yes", "no"]
Final = Literal["visits", "most-visits", "best-value"]


@dataclass(frozen=True, slots=True)
class TableOptions:
    """Options of both agents.

    ``seconds``  the time for a decision, at most half of what is left until the deadline
    ``samples``  the number of samples for a decision, in place of the time
    ``bets``     the bet menu of a no-limit game, as in ``parse_menu``
    ``buckets``  the view of the cards (``searched_game.py``)
    ``memory``   the largest size of the tree, in megabytes
    """

    seconds: Seconds = 1.0
    samples: Count | None = None
    bets: str | None = None
    buckets: str | None = None
    memory: Megabytes = 500.0

    @property
    def memory_bytes(self) -> int:
        """The largest size of the tree."""
        return int(self.memory * MEGABYTE)


@dataclass(frozen=True, slots=True)
class OOSOptions(TableOptions):
    """Options of ``oos``.

    ``target``             what samples are aimed at: the own information set, the public state, or
                           nothing, so that the whole game is sampled throughout
    ``delta, epsilon``     the probability of a targeted sample, and exploration
    ``gamma``              the uniform part of strategies
    ``weigh_targets``      whether updates carry the weighting factor w_T of the paper
    ``save, save_every``   a folder for what would be played, and after how many hands it is written
                           besides at the end of the match; 0 means at the end alone
    """

    target: Target = "public"
    delta: Annotated[float, Meta(ge=0, le=1)] = 0.5
    epsilon: Annotated[float, Meta(gt=0, le=1)] = 0.6
    gamma: Annotated[float, Meta(gt=0, le=1)] = 0.001
    weigh_targets: Answer = "no"
    save: str | None = None
    save_every: Annotated[int, Meta(ge=0)] = 0


@dataclass(frozen=True, slots=True)
class ISMCTSOptions(TableOptions):
    """Options of ``ismcts``.

    ``policy``  selection by UCT or by regret matching
    ``C``       the exploration of UCT, in big blinds
    ``final``   the move after the search: drawn by the share of visits, the most visited action, or
                that of the highest mean value
    """

    policy: Policy = "uct"
    C: Annotated[float, Meta(gt=0)] = 5.0
    final: Final = "visits"


@dataclass(frozen=True, slots=True)
class SoGOptions:
    """Options of the folder of a network.

    ``s, c``         of SoG(s, c): the simulations of a search, and those for each update
    ``temperature``  that of the softmax by which the network's policy becomes a prior
    ``exploration``  the constant of PUCT
    ``averaging_power``  the power of t with which update t weighs in averages; the paper has 1
    ``network``      no: without values and priors, to compare
    ``seed``         that of the searches
    ``memory``       the largest size of the public tree, in megabytes
    """

    s: Count = 1000
    c: Annotated[float, Meta(gt=0)] = 1.0
    temperature: Annotated[float, Meta(gt=0)] = 1.0
    exploration: Annotated[float, Meta(ge=0)] = 1.5
    averaging_power: Annotated[float, Meta(ge=0, le=10)] = 3.0
    network: Answer = "yes"
    seed: Annotated[int, Meta(ge=0)] = 1
    memory: Megabytes = 1000.0

    @property
    def memory_bytes(self) -> int:
        """The largest size of the public tree."""
        return int(self.memory * MEGABYTE)


AnyOptions = TypeVar("AnyOptions", OOSOptions, ISMCTSOptions, SoGOptions)


def read_options(kind: type[AnyOptions], name: str) -> AnyOptions:
    """Return the options of the agent's *name*; raises UsageError."""
    agent, _, words = name.partition("?")
    types = {field.name: str(field.type) for field in fields(kind)}
    found: dict[str, object] = {}
    for word in words.split("&") if words else []:
        key, equals, value = word.partition("=")
        if key not in types:
            raise UsageError(
                f"{agent} has no option {key!r}",
                f"{nearest_hint(key, types)}options are {', '.join(types)}",
            )
        if not equals or key in found:
            raise UsageError(f"{agent}, {key}: expected one value", f"as in {agent}?{key}=VALUE")
        is_text = types[key].startswith(("str", "Target", "Policy", "Final", "Answer"))
        found[key] = value if is_text else _number(agent, key, value)
    return decode_settings(kind, found, agent, HINT)


def _number(agent: str, key: str, text: str) -> int | float:
    try:
        return int(text) if text.isdecimal() else float(text)
    except ValueError:
        raise UsageError(f"{agent}, {key}: expected a number, found {text!r}", HINT) from None
