"""The requests of the solver's page: JSON in, JSON out, faults as ``{"reason": ...}``.

    GET   /solver              the page
    GET   /solver/jobs         all jobs and how far they are
    POST  /solver/range        a range as text, spelled class by class
    POST  /solver/size         what a spot takes, before it is solved
    POST  /solver/solve        begin to solve a spot
    POST  /solver/stop         stop a job
    POST  /solver/street       the decisions of a street of a solution, as ``acpcbot solve`` writes
    POST  /solver/study        the study of a decision of a solution: ``reports/study_data.py``
    POST  /solver/file-study   the same of a decision that a file holds

Bodies are limited in size and in the time that they take to come. A refusal is answered with the
status 400, a solver that is busy with 409.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

import msgspec
from aiohttp import web
from msgspec import Meta

from acpcbot.decoding import BadValue, decode
from acpcbot.errors import AcpcbotError, BadRequest
from acpcbot.net.journal import Journal
from acpcbot.web.solver.file_decision import LONGEST_FILE_BODY, FileDecision
from acpcbot.web.solver.jobs import SolverBusy, SolverJobs
from acpcbot.web.solver.spot import LONGEST_RANGE, SolverSpot

LONGEST_BODY = 40_000
"""Two ranges of the longest kind, and the rest of a spot."""
BODY_S = 5.0
MOST_WORDS = 100
SHOWN_LENGTH = 200
JSON_TYPE = "application/json"

Body = TypeVar("Body")
Handler = Callable[[web.Request], Awaitable[web.Response]]


@dataclass(frozen=True, slots=True)
class RangeQuestion:
    """A range as a person has written it."""

    text: Annotated[str, Meta(max_length=LONGEST_RANGE)]


@dataclass(frozen=True, slots=True)
class JobNumber:
    """One of the jobs."""

    job: Annotated[int, Meta(ge=0)]


@dataclass(frozen=True, slots=True)
class PlaceQuestion:
    """The decision or street of solution *job* that *words*, actions and cards, lead to."""

    job: Annotated[int, Meta(ge=0)]
    words: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=MOST_WORDS)]


class SolverRoutes:
    """Handlers of the requests about *jobs*; *guest_of* tells browsers apart."""

    def __init__(
        self, jobs: SolverJobs, guest_of: Callable[[web.Request], str], journal: Journal
    ) -> None:
        self._jobs, self._guest_of, self._journal = jobs, guest_of, journal

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Let *router* know the requests; the page itself is served with the other files."""
        router.add_get("/solver/jobs", self._guarded(self._list))
        router.add_post("/solver/range", self._guarded(self._range))
        router.add_post("/solver/size", self._guarded(self._size))
        router.add_post("/solver/solve", self._guarded(self._solve))
        router.add_post("/solver/stop", self._guarded(self._stop))
        router.add_post("/solver/street", self._guarded(self._street))
        router.add_post("/solver/study", self._guarded(self._study))
        router.add_post("/solver/file-study", self._guarded(self._study_file))

    def _guarded(self, handler: Handler) -> Handler:
        """Answer faults of *handler* as JSON."""

        async def answer(request: web.Request) -> web.Response:
            try:
                return await handler(request)
            except AcpcbotError as error:
                reason = f"{error}; {error.hint}" if error.hint else str(error)
                self._journal.info("refused", reason=reason, path=request.path)
                status = 409 if isinstance(error, SolverBusy) else 400
                return web.json_response({"reason": reason}, status=status)

        return answer

    async def _list(self, request: web.Request) -> web.Response:
        return web.json_response(self._jobs.plain(self._guest_of(request)))

    async def _range(self, request: web.Request) -> web.Response:
        question = await _body(request, RangeQuestion)
        # Not at the top: the server listens before it loads arrays.
        from acpcbot.web.solver.painted_ranges import range_classes

        return web.json_response(range_classes(question.text))

    async def _size(self, request: web.Request) -> web.Response:
        return web.json_response(await self._jobs.measure(await _body(request, SolverSpot)))

    async def _solve(self, request: web.Request) -> web.Response:
        spot = await _body(request, SolverSpot)
        return web.json_response(self._jobs.solve(spot, self._guest_of(request)))

    async def _stop(self, request: web.Request) -> web.Response:
        question = await _body(request, JobNumber)
        self._jobs.stop(question.job, self._guest_of(request))
        return web.json_response({})

    async def _street(self, request: web.Request) -> web.Response:
        question = await _body(request, PlaceQuestion)
        text = await self._jobs.read(question.job, question.words)
        return web.Response(text=text, content_type=JSON_TYPE)

    async def _study(self, request: web.Request) -> web.Response:
        question = await _body(request, PlaceQuestion)
        text = await self._jobs.study(question.job, question.words)
        return web.Response(text=text, content_type=JSON_TYPE)

    async def _study_file(self, request: web.Request) -> web.Response:
        decision = await _body(request, FileDecision, LONGEST_FILE_BODY)
        text = await self._jobs.study_file(decision)
        return web.Response(text=text, content_type=JSON_TYPE)


async def _body(request: web.Request, kind: type[Body], longest: int = LONGEST_BODY) -> Body:
    """Return the JSON of *request* as a record of *kind*; raises BadRequest."""
    data = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for chunk in request.content.iter_any():
                data += chunk
                if len(data) > longest:
                    raise BadRequest("", f"a body of more than {longest:,} bytes")
    except TimeoutError:
        raise BadRequest("", f"no whole body within {BODY_S:g} s") from None
    try:
        found: Any = msgspec.json.decode(bytes(data))
        if not isinstance(found, dict):
            raise BadValue("", f"expected an object, found {json.dumps(found)[:SHOWN_LENGTH]}")
        return decode(kind, found)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise BadRequest(data[:SHOWN_LENGTH].decode("utf-8", "replace"), "no JSON") from None
    except BadValue as fault:
        raise BadRequest("", str(fault)) from None
