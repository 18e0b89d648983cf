"""What solvers hand over that neither watch nor listen."""

from fractions import Fraction
from pathlib import Path

import numpy as np

from cutscore.benchmarks.repurpose.shortcuts import END, PRINTED, SPREAD, START, shortcuts
from cutscore.core.ask import Ask
from cutscore.core.evidence import Evidence
from cutscore.media.footage import load_whole_clip
from cutscore.media.render import write_clip
from cutscore.store import Store

BRIEF = "- final.mp4: the teaser (mp4, picture 4:3, 4 s ± 1 s, without sound)"


def test_solvers_cut_by_the_clock(tmp_path: Path) -> None:
    """Each second of the clip has a grey of its own: 0, 30, 60, …"""
    store = Store(tmp_path / "store")
    pictures = [np.full((48, 64, 3), 30 * (number // 2), np.uint8) for number in range(16)]
    write_clip(tmp_path / "a.mp4", pictures, rate=Fraction(2))
    given = store.put(tmp_path / "a.mp4", name="a.mp4", media_type="video/mp4")
    made = shortcuts(Ask(item="a", brief=BRIEF, files=(given,)), store)
    shown = {}
    for name, each in made.items():
        evidence = Evidence(files=each.files).bind(store)
        assert evidence.text("report.md")
        film = load_whole_clip(evidence.path("final.mp4"))
        assert film.length_s == 4
        shown[name] = [round(float(picture.mean()) / 30) for picture in film.pictures()][::2]
    assert PRINTED.keys() == shown.keys() - {"brief only"}
    assert (shown[START], shown[END], shown[SPREAD]) == ([0, 1, 2, 3], [4, 5, 6, 7], [1, 2, 5, 6])
