"""What editors take in: Table 7 as numbers, and real clips that were prepared by it."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutscore.benchmarks.covebench.around import wrap
from cutscore.benchmarks.covebench.input_rules import InputRule, PreparedInput, frame_numbers, input_size, read_rules
from cutscore.core.ask import Ask, AskPart, RequestedFile
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput
from cutscore.core.subject import WorkContext
from cutscore.media.frames import read_frames
from cutscore.media.plan import FramePlan
from cutscore.media.probe import probe
from cutscore.media.render import write_clip
from cutscore.registry import benchmark
from cutscore.store import Store

# Table 7: model, fewest and most frames.
TABLE_7 = {
    "omniweaving": (33, 161),
    "kiwi": (33, 161),
    "reco": (17, 257),
    "vace": (33, 81),
    "ditto": (33, 257),
    "icve": (17, 209),
    "lucy": (17, 257),
}


def test_the_card_names_every_rule() -> None:
    assert benchmark("covebench").card.conditions["input_rule"].choices == ("none", *read_rules())


@pytest.mark.parametrize(("name", "bounds"), TABLE_7.items())
def test_counts_are_the_largest_4k_and_1_within_the_bounds(name: str, bounds: tuple[int, int]) -> None:
    fewest, most = bounds
    for total in (1, 16, 17, 33, 34, 80, 100, 257, 258, 900):
        fits = [4 * k + 1 for k in range(total) if 4 * k + 1 <= min(total, most)]
        numbers = frame_numbers(total, read_rules()[name])
        assert len(numbers) == max(fits[-1], fewest)
        assert list(numbers) == sorted(numbers)
        assert (numbers[0], numbers[-1]) == (0, total - 1)
        assert len(set(numbers)) == min(total, len(numbers)), "none comes twice but the last one"


def test_a_fixed_count_is_held_or_thinned_out_and_no_frames_are_refused() -> None:
    rule = read_rules()["insv2v"]
    assert [len(frame_numbers(total, rule)) for total in (10, 64, 500)] == [64, 64, 64]
    assert frame_numbers(10, rule)[8:] == (8, *[9] * 55)
    assert len(frame_numbers(200, read_rules()["efficiency"])) == 41
    with pytest.raises(BadInput, match="has no frames"):
        frame_numbers(0, rule)


@pytest.mark.parametrize(
    ("name", "size", "made"),
    [
        ("omniweaving", (1920, 1080), (848, 480)),
        ("ditto", (1080, 1920), (480, 832)),
        ("insv2v", (1920, 1080), (384, 384)),
        ("kiwi", (1920, 1080), (1280, 720)),
        ("lucy", (640, 360), (640, 360)),
        ("icve", (1000, 1000), (480, 480)),
        ("reco", (4000, 10), (832, 2)),
    ],
)
def test_sizes_are_those_of_the_table(name: str, size: tuple[int, int], made: tuple[int, int]) -> None:
    assert input_size(*size, read_rules()[name]) == made


class Copying:
    """An editor that hands back its source, and remembers it."""

    def __init__(self) -> None:
        self.saw: Path | None = None

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        self.saw = context.store.path(ask.files[0])
        return Deliverable(files=(ask.files[0].model_copy(update={"name": "edited.mp4"}),))


def make_sample(folder: Path, frames: int) -> tuple[Ask, WorkContext]:
    """A clip of 64 × 36 that gets lighter from frame to frame, ten a second."""
    clip = folder / "clip.mp4"
    step = 250 // frames
    write_clip(
        clip, (np.full((36, 64, 3), step * number, np.uint8) for number in range(frames)), rate=Fraction(10), crf=1
    )
    store = Store(folder / "store")
    source = store.put(clip, name="clip.mp4", media_type="video/mp4")
    parts = (AskPart(role="instruction", text="nothing"), AskPart(role="source", file="clip.mp4"))
    ask = Ask(item="a", brief="b", files=(source,), parts=parts, wanted=(RequestedFile(name="edited.mp4"),))
    place = folder / "work"
    place.mkdir()
    return ask, WorkContext(store=store, make_workspace=lambda: place, epoch=1, seed=7)


@pytest.mark.real  # real decoders and encoders
@pytest.mark.anyio
@pytest.mark.parametrize(
    ("frames", "rule", "count", "length_s", "said"),
    [
        (20, "icve", 17, 2.0, "20 frames of 64×36 became 17 of 64×36"),
        (10, "icve", 17, 1.7, "10 frames of 64×36 became 17 of 64×36"),
        (8, "insv2v", 64, 6.4, "8 frames of 64×36 became 64 of 384×384"),
    ],
)
async def test_an_editor_gets_a_clean_encode_of_what_it_takes(
    tmp_path: Path, frames: int, rule: str, count: int, length_s: float, said: str
) -> None:
    ask, context = make_sample(tmp_path, frames)
    editor = Copying()
    await PreparedInput(editor, rule).work(ask, context)
    assert editor.saw is not None
    facts = probe(editor.saw)
    assert (facts.frames, float(facts.duration_s or 0)) == (count, pytest.approx(length_s, abs=0.01))
    shown = read_frames(editor.saw, FramePlan.parse("every@0-9"))
    step, numbers = 250 // frames, frame_numbers(frames, read_rules()[rule])
    assert [round(float(frame.pixels.mean()) / step) for frame in shown] == list(numbers)
    trajectory = context.steps.trajectory()
    assert trajectory is not None
    assert trajectory.steps[0].saw == said
    assert trajectory.steps[0].did[0].arguments["held"] == count - len(set(numbers))


def test_a_rule_stands_between_each_edit_and_the_editor() -> None:
    editor = Copying()
    assert wrap(editor, {"decompose": "whole", "input_rule": "none"}) is editor
    both = wrap(editor, {"decompose": "sequential", "input_rule": "vace"})
    assert isinstance(getattr(both, "subject", None), PreparedInput)
    with pytest.raises(ValueError, match="greater than or equal to 2"):
        InputRule(width=0, height=2, fit="exact")
