"""What solvers hand over that neither look nor listen."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from cutscore.authoring.gates.shortcuts import judge_shortcuts, shortcut_scores
from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.benchmarks.repair.dataset import RepairItem
from cutscore.benchmarks.repair.defect import CUT_OUT
from cutscore.benchmarks.repair.report import FIXED, REPORT, ReportedRange
from cutscore.benchmarks.repair.shortcuts import EVERY, GUESSES, STARTS, TEETH_S, comb, shortcuts
from cutscore.benchmarks.repair.verify.range_match import match_ranges
from cutscore.benchmarks.repair.verify.ranges import RangeReport, read_ranges
from cutscore.core.ask import Ask
from cutscore.core.evidence import Evidence
from cutscore.media.footage import Footage
from cutscore.media.probe import extent_of
from cutscore.media.render import write_clip
from cutscore.store import Store


def test_shortcuts_hand_over_clips_and_reports_that_can_be_read(tmp_path: Path) -> None:
    """The clip has 12 pictures at 8 a second: two halves of a second, and four pictures."""
    store = Store(tmp_path / "store")
    write_clip(tmp_path / "a.mp4", [np.full((48, 64, 3), 9 * n, np.uint8) for n in range(12)], rate=Fraction(8))
    given = store.put(tmp_path / "a.mp4", name="a.mp4", media_type="video/mp4")
    made = shortcuts(Ask(item="a", brief="Mend it.", files=(given,)), store)
    said = {}
    assert set(GUESSES) < set(made)
    for name, each in made.items():
        if name in GUESSES:
            continue
        evidence = Evidence(files=each.files).bind(store)
        extent = extent_of(evidence.path(FIXED))
        report = read_ranges(evidence.text(REPORT), clip_s=Fraction(3, 2))
        assert isinstance(report, RangeReport), name
        said[name] = (len(report.ranges), extent.end_s - extent.start_s)
    assert said == {
        "the input": (0, Fraction(3, 2)),
        "the input, encoded once more": (0, Fraction(3, 2)),
        "the whole clip is reported": (1, Fraction(3, 2)),
        "every half second is reported": (2, Fraction(3, 2)),
        "every half second is reported and cut out": (2, Fraction(1, 2)),
        "every third half second is reported and cut out": (1, Fraction(1)),
    }


def clip(count: int) -> Footage:
    return Footage(lambda: iter(()), count, Fraction(8), None, "a")


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("tooth_s", TEETH_S)
def test_a_comb_cuts_out_what_the_brief_lets_it(tooth_s: Fraction, start: Fraction) -> None:
    teeth = list(comb(clip(80), tooth_s, start))
    assert teeth[0].start_s == start * EVERY * tooth_s
    assert all(later.start_s - tooth.start_s == EVERY * tooth_s for tooth, later in pairwise(teeth))
    cut_s = sum(tooth.length_s for tooth in teeth)
    assert len(teeth) >= 3
    assert 3 <= cut_s <= Fraction(45, 10)


def test_no_comb_is_made_where_the_whole_length_is_asked_for(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    write_clip(tmp_path / "a.mp4", [np.full((48, 64, 3), 9 * n, np.uint8) for n in range(24)], rate=Fraction(8))
    given = store.put(tmp_path / "a.mp4", name="a.mp4", media_type="video/mp4")
    for within, files in (("0.25", 0), ("1.05", 2)):
        ask = Ask(item="a", brief=f"fixed.mp4: repaired (mp4, 3 s ± {within} s)", files=(given,))
        made = shortcuts(ask, store)
        assert len(made["comb: 0.5 s of every 1.25 s from 0.00 s are cut out"].files) == files


@pytest.mark.release
@pytest.mark.real
def test_the_best_comb_gets_what_the_card_calls_chance(bench: Callable[[str], LoadedBenchmark]) -> None:
    repair = bench("repair")
    found = judge_shortcuts(repair, [shortcut_scores(repair, item) for item in repair.items])
    best = max((each for each in found if each.guess), key=lambda each: each.mean)
    assert best.mean == pytest.approx(repair.found.card.scores["reward"].chance, abs=0.0005)
    assert not any(each.fault for each in found)


def test_combs_get_less_in_precision_and_strict(bench: Callable[[str], LoadedBenchmark]) -> None:
    """By their ranges alone: that they are rendered as reported is tested above."""
    items = [item for item in bench("repair").items if isinstance(item, RepairItem)]
    cut = [item for item in items if item.defect.kind in CUT_OUT]
    assert len(cut) == 3
    means = []
    for tooth_s, start in GUESSES.values():
        found = [
            match_ranges(
                [ReportedRange(tooth) for tooth in comb(clip(37), tooth_s, start)],
                item.ranges,
                tolerance_s=item.tolerance_s,
                most_clean_s=item.most_clean_s,
            )
            for item in cut
        ]
        means.append(
            [sum(values) / len(items) for values in zip(*((m.precision, m.strict) for m in found), strict=True)]
        )
    precision, strict = (max(values) for values in zip(*means, strict=True))
    assert precision == pytest.approx(0.083, abs=0.005)
    assert strict == pytest.approx(0.083, abs=0.005)
