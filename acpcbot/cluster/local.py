"""Parts of work in this process, or in several of this machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context

from acpcbot.cluster.kept_parts import KeptParts
from acpcbot.cluster.work import PartT, ResultT, Work, Workers
from acpcbot.worker_processes import end_with_parent


@dataclass(frozen=True, slots=True)
class LocalProcesses:
    """As many processes of this machine; one is this process itself."""

    num_processes: int

    def run(
        self,
        work: Work[PartT, ResultT],
        parts: Sequence[PartT],
        keep: Callable[[int, ResultT], None],
    ) -> None:
        """Carry out *parts*; see ``Workers``."""
        if self.num_processes == 1 or len(parts) < 2:
            if parts:
                work.prepare()
            for index, part in enumerate(parts):
                keep(index, work.part(part))
            return
        # Workers ignore an interrupt: the caller gets it and shuts them down. They end with it.
        with ProcessPoolExecutor(
            min(self.num_processes, len(parts)),
            get_context("spawn"),
            initializer=end_with_parent,
        ) as pool:
            try:
                waiting = {
                    pool.submit(_part, work, part): index for index, part in enumerate(parts)
                }
                for done in as_completed(waiting):
                    keep(waiting.pop(done), done.result())
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def results_in_order(
    work: Work[int, ResultT],
    num_parts: int,
    workers: Workers | int,
    on_progress: Callable[[int, int], None] | None = None,
    *,
    kept: KeptParts[int, ResultT] | None = None,
) -> list[ResultT]:
    """Return the results of *num_parts* parts, 0 and up, the same for any *workers*.

    A number stands for as many processes of this machine. What *kept* has is not done again.
    """
    found: dict[int, ResultT] = {}

    def keep(number: int, result: ResultT) -> None:
        found[number] = result
        if on_progress is not None:
            on_progress(len(found), num_parts)

    if isinstance(workers, int):
        workers = LocalProcesses(workers)
    if kept is None:
        workers.run(work, range(num_parts), keep)
    else:
        kept.run(workers, work, range(num_parts), keep)
    return [found[number] for number in range(num_parts)]


def _part(work: Work[PartT, ResultT], part: PartT) -> ResultT:
    _prepare_once(work)
    return work.part(part)


@cache
def _prepare_once(work: Work[PartT, ResultT]) -> None:
    work.prepare()
