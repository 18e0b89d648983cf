"""videowebarena: the starter pack on django-oscar, django-machina and Trac gets the marks that it should.

Oracle and null are here; near misses, slots and marking without the sites are for a release.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cutscore.benchmarks.videowebarena.dataset import STARTER
from cutscore.benchmarks.videowebarena.environment.software.start import RunningSites, find_software, start_sites
from cutscore.bridge.rows import read_rows
from cutscore.core.errors import Stopped
from cutscore.core.row import canonical_rows

pytestmark = pytest.mark.real

COUNT = 12


@pytest.fixture(scope="module")
def sites(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSites]:
    pytest.importorskip("playwright", reason="Playwright is not installed: pip install 'cutscore[web]'")
    try:
        find_software()
    except Stopped as error:
        pytest.skip(str(error))
    with start_sites(tmp_path_factory.mktemp("sites")) as running:
        yield running


@pytest.fixture
def final(child: Any, sites: RunningSites, tmp_path: Path) -> Callable[..., list[float]]:
    """Runs a subject over all tasks, and returns `final` of each."""

    def run(subject: str, logs: str, *, slots: int = 1) -> list[float]:
        words = ("run", "videowebarena", "--data", STARTER, "--subject", subject, "--log-dir", logs)
        ran = child(*words, CUTSCORE_WORKERS=str(slots), **sites.variables)
        assert ran.code == 0, ran.err
        return [row.ending.scores.get("final@reference", row.ending.because) for row in read_rows(tmp_path / logs)]

    return run


def test_the_oracle_gets_all_and_null_nothing(final: Callable[..., list[float]]) -> None:
    assert final("oracle", "oracle", slots=3) == [1.0] * COUNT
    assert final("null", "null", slots=3) == [0.0] * COUNT


@pytest.mark.release
def test_near_misses_get_nothing_and_the_reason_is_told(final: Callable[..., list[float]], tmp_path: Path) -> None:
    for number in (1, 2, 3):
        assert final(f"nearly:{number}", f"nearly-{number}") == [0.0] * COUNT
        rows = read_rows(tmp_path / f"nearly-{number}")
        told = [finding for row in rows for finding in row.ending.findings if finding.name == "final"]
        assert all("seen" in finding.because for finding in told)


@pytest.mark.release
def test_runs_are_equal_twice_in_three_slots_and_without_the_sites(
    final: Callable[..., list[float]], child: Any, tmp_path: Path
) -> None:
    for logs, slots in (("one", 1), ("again", 1), ("three", 3)):
        assert final("oracle", logs, slots=slots) == [1.0] * COUNT
    one, again, three = (canonical_rows(read_rows(tmp_path / logs)) for logs in ("one", "again", "three"))
    assert one == again == three
    # Neither sites nor a browser: what was read is enough.
    ran = child("rescore", "one", CUTSCORE_CHROMIUM="/nowhere/chromium")
    assert ran.code == 0, ran.err
    scores = [row.ending.scores["final@reference"] for row in read_rows(tmp_path / "one")]
    assert scores == [1.0] * 2 * COUNT  # of the run, and of marking it again
