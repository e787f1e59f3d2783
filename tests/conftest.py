"""Settings for every test, and the browser that tests of pages share.

No property test fails for being slow, because tests time nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.support.chromium import BrowserPage, browser_page

settings.register_profile("acpcbot", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("acpcbot")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserPage]:
    """Return a page in a browser that the tests of one module share."""
    with browser_page(tmp_path_factory.mktemp("profile")) as page:
        yield page
