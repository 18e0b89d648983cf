"""What solvers hand over that neither look nor listen."""

from fractions import Fraction
from pathlib import Path

import numpy as np

from cutscore.benchmarks.repair.report import FIXED, REPORT
from cutscore.benchmarks.repair.shortcuts import shortcuts
from cutscore.benchmarks.repair.verify.ranges import RangeReport, read_ranges
from cutscore.core.ask import Ask
from cutscore.core.evidence import Evidence
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
    for name, each in made.items():
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
