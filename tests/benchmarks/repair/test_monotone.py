"""More repair never scores less, and half of it lies between broken and golden: for each kind, on the starter clips."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from release_marks import rest_at_release

from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.benchmarks.repair import oracle
from cutscore.benchmarks.repair.dataset import RepairItem
from cutscore.benchmarks.repair.defect import AUDIO, VISUAL
from cutscore.benchmarks.repair.edits.insertions import cut_out
from cutscore.benchmarks.repair.report import FIXED
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.timeline import Span
from cutscore.media.edit import join_footage, trim
from cutscore.media.footage import Footage, load_whole_clip, write_footage
from cutscore.media.orientation import Pixels
from cutscore.media.sound import Sound

pytestmark = pytest.mark.real

# What two encodes of equal pictures may differ by.
NOISE = 0.01
SHARES = (0.35, 0.7)


@pytest.fixture(scope="module")
def repair(bench: Callable[[str], LoadedBenchmark]) -> LoadedBenchmark:
    return bench("repair")


def item_of(bench: LoadedBenchmark, kind: str) -> RepairItem:
    return next(item for item in bench.items if isinstance(item, RepairItem) and item.defect.kind == kind)


def marked(
    bench: LoadedBenchmark, item: RepairItem, film: Footage, folder: Path, spans: list[Span] | None = None
) -> Ending:
    write_footage(film, folder / FIXED)
    fixed = bench.store.put(folder / FIXED, name=FIXED, media_type="video/mp4")
    report = oracle.report(bench.store, item.defect.kind, oracle.true_spans(item) if spans is None else spans)
    return bench.mark(Deliverable(files=(fixed, report)), item)


def clips(bench: LoadedBenchmark, item: RepairItem) -> tuple[Footage, Footage]:
    broken, golden = (load_whole_clip(bench.store.path(ref)) for ref in (item.broken, item.golden))
    return broken, golden


def blended(broken: Footage, golden: Footage, share: float) -> Footage:
    """Go so far on the way from broken to golden, in every pixel and sample."""

    def pictures() -> Iterator[Pixels]:
        for one, other in zip(broken.pictures(), golden.pictures(), strict=True):
            yield np.rint((1 - share) * one + share * other.astype(np.float64)).astype(np.uint8)

    assert broken.sound is not None
    assert golden.sound is not None
    samples = (1 - share) * broken.sound.samples + share * golden.sound.samples
    return replace(golden, pictures=pictures, sound=Sound(samples.astype(np.float32), golden.sound.rate_hz))


def mended_until(broken: Footage, golden: Footage, end_s: Fraction) -> Footage:
    """Give golden up to a moment and broken from there on."""
    join_s = round(end_s * golden.rate) / golden.rate
    mended, rest = Span(start_s=0, end_s=join_s), Span(start_s=join_s, end_s=golden.length_s)
    return join_footage([trim(golden, mended), trim(broken, rest)])


@pytest.mark.parametrize("kind", rest_at_release([*AUDIO, *VISUAL], "echo", "blur"))
def test_going_further_toward_golden_never_scores_less(repair: LoadedBenchmark, kind: str, tmp_path: Path) -> None:
    item = item_of(repair, kind)
    broken, golden = clips(repair, item)
    scores = [marked(repair, item, blended(broken, golden, share), tmp_path).scores["reward@paper"] for share in SHARES]
    assert 0 <= scores[0] <= scores[1] + NOISE
    assert 0.1 < scores[1] < 1


@pytest.mark.parametrize("kind", rest_at_release([*AUDIO, *VISUAL], "echo", "blur"))
def test_half_of_a_window_lies_between(repair: LoadedBenchmark, kind: str, tmp_path: Path) -> None:
    item = item_of(repair, kind)
    window = item.defect.window
    film = mended_until(*clips(repair, item), window.start_s + window.length_s / 2)
    ending = marked(repair, item, film, tmp_path)
    assert 0.02 < ending.scores["s_in@paper"] < 0.98
    assert ending.scores["s_out@paper"] > 0.95


def test_one_of_two_shots_put_back_lies_between(repair: LoadedBenchmark, tmp_path: Path) -> None:
    item = item_of(repair, "swapped_shots")
    broken, golden = clips(repair, item)
    window = item.defect.window
    half = mended_until(broken, golden, window.start_s + window.length_s / 2)
    assert 0.02 < marked(repair, item, half, tmp_path).scores["reward@paper"] < 0.98


def test_each_range_that_is_cut_out_scores_more(repair: LoadedBenchmark, tmp_path: Path) -> None:
    item = item_of(repair, "filler_words")
    broken, _ = clips(repair, item)
    true = oracle.true_spans(item)
    assert len(true) > 1
    for count in range(1, len(true) + 1):
        ending = marked(repair, item, cut_out(broken, true[:count]), tmp_path, true[:count])
        assert ending.scores["reward@paper"] == pytest.approx(count / len(true))


@pytest.mark.parametrize("kind", ["filler_words", "wrong_sentences"])
def test_half_of_a_range_is_not_the_range(repair: LoadedBenchmark, kind: str, tmp_path: Path) -> None:
    """Of repeated pictures several stretches may go, and a part of one may lie within the tolerance of another."""
    item = item_of(repair, kind)
    broken, _ = clips(repair, item)
    first, *rest = oracle.true_spans(item)
    half = Span(start_s=first.start_s, end_s=first.start_s + max(1 / broken.rate, first.length_s / 4))
    ending = marked(repair, item, cut_out(broken, [half, *rest]), tmp_path, [half, *rest])
    assert ending.scores["reward@paper"] == pytest.approx(len(rest) / (len(rest) + 1))
