"""The law of trainings that can be saved: going on from the arrays equals no interruption."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from acpcbot.arrays import AnyArray
from acpcbot.networks.mlp import Network


class Training(Protocol):
    """A training by episodes, saved as arrays."""

    @property
    def network(self) -> Network: ...

    @property
    def progress(self) -> Any: ...

    def arrays(self) -> dict[str, AnyArray]: ...

    def restore(self, arrays: dict[str, AnyArray]) -> None: ...


T = TypeVar("T", bound=Training)


def resumed(make: Callable[[], T], play: Callable[[T], None], before: int, after: int) -> T:
    """Return a training of *before* + *after* calls of *play* that equals one resumed in between."""
    whole, first, second = make(), make(), make()
    for training, count in ((whole, before + after), (first, before)):
        for _ in range(count):
            play(training)
    second.restore(first.arrays())
    for _ in range(after):
        play(second)
    expected, found = whole.arrays(), second.arrays()
    assert expected.keys() == found.keys()
    for name, array in expected.items():
        assert found[name].tolist() == array.tolist(), name
    assert whole.progress == second.progress
    assert whole.network.parameters.tolist() == second.network.parameters.tolist()
    return whole
