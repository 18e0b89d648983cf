"""Marking of web tasks: seconds for the 2,021 released ones, and memory that does not grow.

    python bench/web_marking.py [--folder DIR] [--times 3]

DIR is the released folder; without it there is nothing to measure. Records are made up (`made_records`): everything is
as the task wants it, on pages of a usual length (200 kB) where a whole page is read. All are marked in both modes with
a judge that knows what is wanted, several times over. Wanted:
- full marks for every valid task, in both modes, but those that are named;
- peak memory of the last round at most 5 % above that of the first.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from memory import peak_kib

from cutscore.benchmarks.videowebarena.dataset import WebItem, items
from cutscore.benchmarks.videowebarena.made_records import RecordMaker
from cutscore.benchmarks.videowebarena.mark import mark
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import ScoreGap
from cutscore.core.evidence import Evidence
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import Judgement, Question
from cutscore.store import Store

SHARED = Path(os.environ.get("CUTSCORE_SHARED") or Path(__file__).parents[2] / "shared")


@dataclass(frozen=True)
class TruthJudge:
    """Finds every text right, and sees in images what is wanted there."""

    item: WebItem
    name: str = "truth"

    def ask(
        self, questions: Sequence[Question], evidence: Evidence, *, view: JudgeView = WHOLE_VIEW
    ) -> list[Judgement]:
        """Return the wanted answers."""
        return [Judgement(question=each.id, judge=self.name, answer=self._answer(each)) for each in questions]

    def _answer(self, question: Question) -> str:
        if question.kind == "choice":
            return question.choices[0]
        queries = self.item.checks.final.page_image_query if self.item.checks.final else ()
        return next(pair.answer for query in queries for pair in query.eval_vqa if pair.question == question.text)


def main() -> None:
    """Mark all, several times, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=SHARED / "data" / "videowebarena")
    parser.add_argument("--times", type=int, default=3)
    told = parser.parse_args()
    if not told.folder.is_dir():
        print(f"nothing measured: no folder '{told.folder}' with the released tasks; name it with --folder")
        return
    with tempfile.TemporaryDirectory(prefix="cutscore-bench-") as folder:
        store = Store(Path(folder) / "store")
        picture = cv2.imencode(".png", np.random.default_rng(1).integers(0, 255, (64, 64, 3), np.uint8))[1].tobytes()
        maker = RecordMaker(store, picture, filler="<div class='row'>12 of 40. It is not here.</div>\n" * 4_500)
        records = [(item, maker.make(item)) for item in items(store, told.folder)]
        peaks = []
        for number in range(1, told.times + 1):
            started, worked = time.perf_counter(), time.process_time()
            short = [each for item, left in records if (each := lacking(item, *left))]
            peaks.append(peak_kib(os.getpid()))
            took_s, cpu_s = time.perf_counter() - started, time.process_time() - worked
            took = f"{took_s:.1f} s ({cpu_s:.1f} s of CPU)"
            print(f"round {number}: {len(records)} records in {took}, {peaks[-1]} KiB at most")
        print(f"without full marks: {len(short)}", *short, sep="\n  ")
        assert peaks[-1] <= 1.05 * peaks[0], "memory grows"


def lacking(item: WebItem, deliverable: Deliverable, evidence: Evidence) -> str:
    """Return what a record lacks of full marks; nothing where it has them."""
    found = mark(deliverable, evidence, item, {"judge": TruthJudge(item)}, options={"overlay": "on"})
    scores = [each for each in found if each.name in ("final", "intermediate")]
    bad = [each for each in scores if isinstance(each, ScoreGap) or each.value < 1]
    return f"{item.id} {bad[0].mode}: {bad[0].because}" if bad else ""


if __name__ == "__main__":
    main()
