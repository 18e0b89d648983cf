"""The websites, served once for the tests of a file."""

from collections.abc import Iterator

import pytest

pytest.importorskip("uvicorn", reason="the sites need an extra: pip install 'cutscore[web]'")

from cutscore.benchmarks.videowebarena.websites.serving import ServedSites, serve


@pytest.fixture(scope="module")
def served() -> Iterator[ServedSites]:
    made = serve()
    yield made
    made.close()
