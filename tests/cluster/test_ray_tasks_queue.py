"""Parts in the hands of a Ray that is played: how many at once, the end, and losses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from acpcbot.cluster.build import current_build
from acpcbot.cluster.ray_cluster import QUEUED_PER_CPU, RayCluster, _Tasks
from acpcbot.cluster.ray_tasks import Order
from acpcbot.cluster.shared_folders import list_folders
from acpcbot.errors import UsageError
from tests.support.cluster_works import Draws


class RayError(Exception):
    pass


class RayTaskError(RayError):
    def __init__(self, cause: Exception) -> None:
        self.cause = cause


class Exceptions:
    RayError, RayTaskError = RayError, RayTaskError


class PlayedRay:
    """Ray with *num_cpus* processors; tasks end last in, first out, in this process."""

    exceptions = Exceptions

    def __init__(self, num_cpus: int, answer: Callable[[int], Any]) -> None:
        self.num_cpus, self.answer = num_cpus, answer
        self.sent: list[int] = []
        self.cancelled: list[tuple[int, bool]] = []
        self.options_given: dict[str, Any] = {}
        self.most = 0

    def put(self, value: object) -> object:
        return value

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": float(self.num_cpus)}

    def remote(self, task: object) -> Any:
        ray = self

        class Task:
            def options(self, **given: Any) -> Task:
                ray.options_given = given
                return self

            def remote(self, key: str, order: list[Order], part: int) -> int:
                ray.sent.append(part)
                return part

        return Task()

    def wait(self, references: list[int], **_: Any) -> tuple[list[int], list[int]]:
        self.most = max(self.most, len(references))
        return references[-1:], references[:-1]

    def get(self, reference: int) -> Any:
        return self.answer(reference)

    def cancel(self, reference: int, *, force: bool) -> None:
        self.cancelled.append((reference, force))


def tasks(ray: PlayedRay, **settings: Any) -> _Tasks:
    order = Order("key", Draws(1), current_build(), list_folders(()), ())
    return _Tasks(ray, order, RayCluster("127.0.0.1:1", **settings))


def test_a_thousand_parts_come_once_each_and_few_wait_at_a_time() -> None:
    ray = PlayedRay(3, lambda part: part * part)
    found = list(tasks(ray).results(range(1000)))
    assert sorted(found) == [(part, part * part) for part in range(1000)]
    assert ray.most == QUEUED_PER_CPU * 3
    assert ray.options_given["max_retries"] > 0


def test_jobs_are_the_most_parts_at_a_time() -> None:
    ray = PlayedRay(50, lambda part: part)
    assert len(list(tasks(ray, max_parts=4, part_bytes=1 << 30).results(range(20)))) == 20
    assert ray.most == 4
    assert ray.options_given["memory"] == 1 << 30


def test_an_end_in_the_middle_cancels_what_is_at_work_by_force() -> None:
    ray = PlayedRay(2, lambda part: part)
    queue = tasks(ray)
    for _ in queue.results(range(100)):
        break
    queue.cancel()
    queue.cancel()
    assert sorted(ray.cancelled) == [(0, True), (1, True), (2, True)]
    assert ray.sent == [0, 1, 2, 3]


def test_errors_of_a_part_and_lost_parts_are_told() -> None:
    def fault(part: int) -> int:
        raise RayTaskError(UsageError("at fault", "leave it out"))

    with pytest.raises(UsageError, match="at fault") as caught:
        list(tasks(PlayedRay(1, fault)).results([7]))
    assert caught.value.hint == "leave it out"

    def lose(part: int) -> int:
        raise RayError("many lines\nthe worker died")

    with pytest.raises(UsageError, match="part 0 was lost with 6 workers: the worker died"):
        list(tasks(PlayedRay(1, lose)).results([7]))
