"""Sizes of a network, and the meaning of its inputs and outputs.

Inputs are the beliefs of seat 0 by row, those of seat 1, and the public features; outputs are the
values of seat 0 by row, those of seat 1, and the policy logits of the seat to act by row and
action. A *row* is an information set of a seat in the public state, in an order that the interface
names: a private card, say.

The paper draws two sets of policy outputs, one for each seat. Here one set serves the seat to act,
which the features tell: it has as many rows as the seat with more of them. A network for states in
which no seat acts, such as those of chance, has no actions and values alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

from msgspec import Meta

Size = Annotated[int, Meta(ge=1)]
Sizes = Annotated[tuple[Size, ...], Meta(min_length=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkShape:
    """Sizes of a multilayer perceptron: rows by seat, features, actions, and *hidden* layers."""

    num_rows: tuple[int, int]
    num_features: int
    num_actions: int
    hidden: tuple[int, ...]

    def __post_init__(self) -> None:
        if min(*self.num_rows, *self.hidden, self.num_features + 1, self.num_actions + 1) < 1:
            raise ValueError(
                f"expected at least 1 row and hidden unit, and no negative size, found {self}"
            )
        if not self.hidden:
            raise ValueError("expected at least one hidden layer, found none")

    @property
    def num_inputs(self) -> int:
        """Numbers of one query: beliefs of both seats and features."""
        return sum(self.num_rows) + self.num_features

    @property
    def num_values(self) -> int:
        """Values of both seats, which are the first outputs."""
        return sum(self.num_rows)

    @property
    def policy_rows(self) -> int:
        """Rows of the policy logits: those of the seat with more rows."""
        return max(self.num_rows)

    @property
    def num_outputs(self) -> int:
        """Numbers of one answer: values of both seats and policy logits."""
        return self.num_values + self.policy_rows * self.num_actions

    @property
    def layer_sizes(self) -> tuple[int, ...]:
        """Sizes of inputs, hidden layers and outputs."""
        return (self.num_inputs, *self.hidden, self.num_outputs)

    @property
    def num_parameters(self) -> int:
        """Weights and biases of all layers."""
        return sum((size + 1) * following for size, following in pairwise(self.layer_sizes))


@dataclass(frozen=True, slots=True)
class Feature:
    """A public feature that takes *size* inputs, in the interface's order."""

    name: str
    size: Size


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkInterface:
    """Meaning of inputs and outputs. Networks of equal interfaces can stand in for each other.

    *game* and *game_fingerprint* name the game and its rules, *rows* says in words which row is
    which information set; *actions* are the columns of the policy, empty where there is none.
    """

    game: str
    game_fingerprint: str
    rows: str
    num_rows: tuple[Size, Size]
    features: tuple[Feature, ...]
    actions: tuple[str, ...]

    def shape(self, hidden: tuple[int, ...]) -> NetworkShape:
        """Return the sizes of a network with *hidden* layers."""
        return NetworkShape(
            num_rows=self.num_rows,
            num_features=sum(feature.size for feature in self.features),
            num_actions=len(self.actions),
            hidden=hidden,
        )
