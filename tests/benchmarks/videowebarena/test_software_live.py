"""videowebarena: the pack `software` on django-oscar, django-machina and Trac gets the marks that it should.

A task of each program is played here; all twelve, null, near misses, slots and marking without the sites are for a
release.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cutscore.benchmarks.videowebarena.environment.software.start import RunningSites, find_software, start_sites
from cutscore.bridge.rows import read_rows
from cutscore.core.errors import Stopped
from cutscore.core.row import canonical_rows

pytestmark = pytest.mark.real

COUNT = 12
PATIENCE_S = 900.0
EACH = ("factual-oscar-0", "vwa-machina-3", "vwa-trac-0")  # a tutorial and a basket; a picture handed in; a repository


Final = Callable[..., list[float | str]]


@pytest.fixture(scope="module")
def software(chromium: str) -> Path:
    """Where the programs are."""
    pytest.importorskip("playwright", reason="Playwright is not installed: pip install 'cutscore[web]'")
    try:
        return find_software()
    except Stopped as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def sites(software: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSites]:
    with start_sites(tmp_path_factory.mktemp("sites")) as running:
        yield running


@pytest.fixture
def final(child: Any, tmp_path: Path) -> Final:
    """Runs a subject over tasks, all of them unless told, and returns `final` of each, or why there is none."""

    def run(sites: RunningSites, subject: str, logs: str, *more: str, slots: int = 1) -> list[float | str]:
        words = ("run", "videowebarena", "--data", "software", "--subject", subject, "--log-dir", logs, *more)
        ran = child(*words, seconds=PATIENCE_S, CUTSCORE_WORKERS=str(slots), **sites.variables)
        assert ran.code == 0, ran.err
        return [row.ending.scores.get("final@reference", row.ending.because) for row in read_rows(tmp_path / logs)]

    return run


def test_the_oracle_gets_a_task_of_each_program(final: Final, sites: RunningSites) -> None:
    items = [word for item in EACH for word in ("--item", item)]
    assert final(sites, "oracle", "oracle", *items, slots=3) == [1.0] * len(EACH)


@pytest.mark.release
def test_who_does_nothing_gets_nothing(final: Final, sites: RunningSites) -> None:
    assert final(sites, "null", "null", slots=3) == [0.0] * COUNT


@pytest.mark.release
@pytest.mark.parametrize(("number", "of", "count"), [(1, (), COUNT), (2, (), COUNT), (3, ("--item", "vwa-trac-0"), 1)])
def test_near_misses_get_nothing_and_the_reason_is_told(
    final: Final, sites: RunningSites, tmp_path: Path, number: int, of: tuple[str, ...], count: int
) -> None:
    assert final(sites, f"nearly:{number}", "logs", *of, slots=3) == [0.0] * count
    rows = read_rows(tmp_path / "logs")
    told = [finding for row in rows for finding in row.ending.findings if finding.name in ("final", "intermediate")]
    assert len(told) >= count
    assert all(finding.value == 0.0 and "seen" in finding.because for finding in told)


@pytest.mark.release
def test_runs_are_equal_twice_in_three_slots_and_marked_again_without_the_sites(
    final: Final, software: Path, child: Any, tmp_path: Path
) -> None:
    with start_sites(tmp_path / "sites") as running:
        for logs, slots in (("one", 1), ("again", 1), ("three", 3)):
            assert final(running, "oracle", logs, slots=slots) == [1.0] * COUNT
        assert final(running, "nearly:1", "nearly", slots=3) == [0.0] * COUNT
    one, again, three = (canonical_rows(read_rows(tmp_path / logs)) for logs in ("one", "again", "three"))
    assert one == again == three
    # The sites have ended and there is no browser: what was read is enough.
    for logs, score in (("one", 1.0), ("nearly", 0.0)):
        ran = child("rescore", logs, CUTSCORE_CHROMIUM="/nowhere/chromium")
        assert ran.code == 0, ran.err
        scores = [row.ending.scores["final@reference"] for row in read_rows(tmp_path / logs)]
        assert scores == [score] * 2 * COUNT  # of the run, and of marking it again
