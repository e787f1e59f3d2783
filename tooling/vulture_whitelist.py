"""Names that vulture takes for dead code because only other programs use them.

``./dev check`` reads this file together with the source (``[tool.vulture]`` in pyproject.toml). A
name belongs here if a library calls it or reads it; code that nobody uses is deleted instead.
"""

from __future__ import annotations

from typing import Any


def names(of: Any) -> tuple[object, ...]:
    """Return the names; the comments say which program uses them."""
    return (
        # Python: a module's own attributes (PEP 562), and what inspect and the interpreter read.
        of.__dir__,
        of.__getattr__,
        of.__signature__,
        of.unraisablehook,
        # acpcbot/agents/names.py names them as text, so that a light command does not import them.
        of.ismcts_maker,
        of.oos_maker,
        # asyncio keeps weak references to tasks only, so that somebody has to hold them.
        of._opening,
        # numba, of a cache and its locator.
        of._impl_class,
        of._py_file,
        of.ensure_cache_path,
        of.from_function,
        of.get_cache_path,
        of.get_disambiguator,
        of.get_source_stamp,
        # rich, of a table's column.
        of.justify,
        # html.parser, of a parser in the tests.
        of.handle_endtag,
        of.handle_starttag,
        # http.server, of a handler of requests in the tests.
        of.log_message,
        # mkdocs, of its settings and of a file of hooks.
        of.nav,
        of.on_config,
        of.on_page_markdown,
        of.on_post_build,
        # numba, of the cache of a function.
        of._cache_file,
        # A result that no module of ours uses.
        of.interval_mbb,
        # The clock that a soak test puts in the place of datetime's.
        of.utcnow,
        # A tuple has to have a field to be passed to a method in a kernel.
        of.no_field,
        # OpenSpiel, of a bot.
        of.restart_at,
        # pytest, of a conftest.py.
        of.collect_ignore,
        # PettingZoo, of an environment.
        of._cumulative_rewards,
        of.infos,
        of.observation_space,
        of.truncations,
        # RLCard, of an environment.
        of.action_shape,
        of.allow_step_back,
        # acpcbot, of an agent that is named FILE.py:CLASS.
        of.OddsAgent,
    )
