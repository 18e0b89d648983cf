"""A second that stands still in a film of storyboard clips is found wherever its clip moves, and nowhere else."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.benchmarks.assembly.dataset import FILM, AssemblyItem
from cutscore.core.deliverable import Deliverable
from cutscore.media.edit import join_footage
from cutscore.media.footage import Footage, change_pictures, load_footage, write_footage

pytestmark = pytest.mark.real


def hold(clip: Footage) -> Footage:
    first = next(clip.pictures())
    return change_pictures(clip, lambda old: (first for _ in old))


def moves(clip: Footage) -> bool:
    """Return whether anything is seen to move, as large as a part of 8 by 5 pixels."""
    small = [cv2.resize(one, (16, 16), interpolation=cv2.INTER_AREA).astype(np.int16) for one in clip.pictures()]
    return max(int(np.abs(one.mean(axis=2) - small[0].mean(axis=2)).max()) for one in small) >= 12


@pytest.mark.parametrize("number", [1, 2], ids=["story-2", "story-3"])
def test_a_frozen_second_costs_where_its_clip_moves(
    number: int, bench: Callable[[str], LoadedBenchmark], tmp_path: Path
) -> None:
    starter = bench("assembly")
    item = starter.items[number]
    assert isinstance(item, AssemblyItem)
    made = starter.oracle_deliverable("perfect", item)
    assert isinstance(made, Deliverable)
    clips = [load_footage(starter.store.path(ref)) for ref in item.clips(list(item.golden.values()))]
    assert sum(map(moves, clips)) >= 2
    for place, clip in enumerate(clips):
        write_footage(join_footage([*clips[:place], hold(clip), *clips[place + 1 :]]), tmp_path / FILM)
        film = starter.store.put(tmp_path / FILM, name=FILM, media_type="video/mp4")
        rest = (ref for ref in made.files if ref.name != FILM)
        ending = starter.mark(Deliverable(files=(film, *rest)), item)
        stills = [each.at for each in ending.findings if each.name == "fault/still"]
        assert [at is not None and at.start_s for at in stills] == ([place] if moves(clip) else []), place
        share = 1 - len(stills) / len(clips)
        assert (ending.scores["score@paper"], ending.scores["score@strict"]) == (1, pytest.approx(share, abs=0.03))
