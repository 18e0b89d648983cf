"""The candidates of a slot: made in three ways, all written alike, measured, and refused by name when not fit."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest

from cutscore.authoring.build_folder import BuildFolder, open_build_folder
from cutscore.authoring.footage import SourceClip
from cutscore.authoring.model_writer import ModelCaller, ModelWriter
from cutscore.benchmarks.assembly.build import PROMPTS
from cutscore.benchmarks.assembly.construction.candidates import (
    CandidateBuilder,
    DistractorRequest,
    SlotCandidates,
    SlotRequest,
)
from cutscore.benchmarks.assembly.dataset import StoryboardEntry
from cutscore.benchmarks.assembly.framing import ROOM, Reframing, frame_footage
from cutscore.core.errors import BadInput
from cutscore.core.timeline import Span
from cutscore.media.footage import change_pictures, load_footage, write_footage
from cutscore.media.orientation import Pixels
from cutscore.media.probe import probe
from cutscore.media.render import write_clip
from cutscore.prompts import load_prompt

RATE, COUNT = Fraction(8), 8
WIDE = StoryboardEntry(description="Boxes.", shot_size="wide shot", camera_movement="static")


def boxes(seed: int) -> Pixels:
    draw = np.random.default_rng(seed)
    pixels = np.full((144, 256, 3), 110, np.uint8)
    for _ in range(50):
        left, top = int(draw.integers(0, 235)), int(draw.integers(0, 130))
        wide, tall = draw.integers(8, 36, 2).tolist()
        pixels[top : top + tall, left : left + wide] = draw.integers(0, 256, 3)
    return pixels


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seconds at 256×144: boxes that do not move, then other boxes."""
    path = tmp_path_factory.mktemp("films") / "boxes.mp4"
    write_clip(path, [boxes(1)] * COUNT + [boxes(2)] * COUNT, rate=RATE)
    return path


@pytest.fixture
def out(tmp_path: Path) -> Iterator[BuildFolder]:
    with open_build_folder(tmp_path / "pack", {}) as folder:
        yield folder


@pytest.fixture
def filmed(out: BuildFolder, film: Path) -> Callable[..., SlotCandidates]:
    def call(
        filming: CandidateBuilder,
        *,
        step: int = 0,
        second: int = 0,
        entry: StoryboardEntry = WIDE,
        before: tuple[SlotCandidates, ...] = (),
    ) -> SlotCandidates:
        kept = out.store.put(film, name="boxes")
        clip = SourceClip(name="boxes", ref=kept, path=out.store.path(kept), source=str(film), length_s=Fraction(2))
        span = Span(start_s=second, end_s=second + 1)
        wanted = SlotRequest(clip, "story-1", 1 + second, span, entry, step)
        writer = ModelWriter("", "", load_prompt("storyboard", folder=PROMPTS), ModelCaller(out, ()))
        return filming.film(wanted, before, Counter(), Random(1), writer)

    return call


def test_the_right_clip_stands_on_its_step_and_all_are_written_alike(
    out: BuildFolder, filmed: Callable[..., SlotCandidates]
) -> None:
    found = filmed(CandidateBuilder(out, 72), step=1)
    assert found.entry.shot_size == "medium wide shot"
    assert [(each.dimension, each.term) for each in found.clips] == [
        ("", ""),
        ("shot_size", "wide shot"),
        ("shot_size", "medium shot"),
    ]
    farther, closer = (dict(each.amounts)["shot_size"] for each in found.clips[1:])
    assert farther < -4 < 4 < closer
    facts = [probe(each.path) for each in found.clips]
    assert {(each.width, each.height, each.rate, each.frames, each.sound) for each in facts} == {
        (128, 72, RATE, COUNT, None)
    }
    assert found.length_s == 1


@pytest.mark.real
def test_a_slot_that_shows_the_same_as_another_is_refused(
    out: BuildFolder, filmed: Callable[..., SlotCandidates]
) -> None:
    first = filmed(CandidateBuilder(out, 72))
    with pytest.raises(BadInput, match=r"shows the same as 'Boxes\.'"):
        filmed(CandidateBuilder(out, 72), step=2, before=(first,))
    assert filmed(CandidateBuilder(out, 72), second=1, before=(first,)).entry.shot_size == "wide shot"


def test_what_is_said_of_no_dimension_cannot_be_changed(
    out: BuildFolder, filmed: Callable[..., SlotCandidates]
) -> None:
    with pytest.raises(BadInput, match="nothing is said of how it was filmed that could be changed"):
        filmed(CandidateBuilder(out, 72), entry=StoryboardEntry(description="Boxes.", camera_movement="pan left"))


def closer_by(out: BuildFolder, tmp_path: Path, times: float) -> Callable[[DistractorRequest], Path]:
    """A generator that knows how to come closer: by so many times for each step."""
    steps = {"medium wide shot": 1, "medium shot": 2}

    def make(order: DistractorRequest) -> Path:
        assert (order.dimension, order.instead) == ("shot_size", "wide shot")
        right = load_footage(out.store.path(order.right))
        made = frame_footage(right, Reframing(zoom=times ** steps[order.term] / ROOM), size=(128, 72))
        path = tmp_path / f"{order.term}.mp4"
        write_footage(replace(made, rate=right.rate), path, crf=30)
        return path

    return make


@pytest.mark.real
def test_a_generator_may_make_distractors_and_is_held_to_the_same_measures(
    out: BuildFolder, filmed: Callable[..., SlotCandidates], tmp_path: Path
) -> None:
    found = filmed(CandidateBuilder(out, 72, maker=closer_by(out, tmp_path, 1.4)), step=2)  # it is cut: no step of ours
    assert found.entry == WIDE
    first, second = (dict(each.amounts)["shot_size"] for each in found.clips[1:])
    assert 3 < first < second
    assert probe(found.clips[1].path).frames == COUNT


def test_beside_distractors_of_others_the_right_clip_is_cut_from_the_film(
    out: BuildFolder, filmed: Callable[..., SlotCandidates], film: Path, tmp_path: Path
) -> None:
    """Pixel for pixel the film's own picture, but for size and encode; ours would show four fifths of it."""
    source = next(load_footage(film).pictures())
    found = filmed(CandidateBuilder(out, 72, maker=closer_by(out, tmp_path, 1.4)))
    cut = next(load_footage(found.clips[0].path).pictures())
    assert cut.shape == (72, 128, 3)
    assert np.abs(cut.astype(int) - shrink(source).astype(int)).mean() < 6
    ours = next(load_footage(filmed(CandidateBuilder(out, 72)).clips[0].path).pictures())
    assert np.abs(ours.astype(int) - shrink(source).astype(int)).mean() > 20


def shrink(pixels: Pixels) -> Pixels:
    """Half the size, each pixel the mean of four."""
    height, width = pixels.shape[0] // 2, pixels.shape[1] // 2
    return pixels.reshape(height, 2, width, 2, 3).mean(axis=(1, 3)).round().astype(np.uint8)


def test_a_generator_that_changes_nothing_is_refused(
    out: BuildFolder, filmed: Callable[..., SlotCandidates], tmp_path: Path
) -> None:
    with pytest.raises(BadInput, match=r"shot_size changed by 0\.\d tolerances, 2 are wanted"):
        filmed(CandidateBuilder(out, 72, maker=lambda order: out.store.path(order.right)))


@pytest.mark.real
def test_ready_clips_are_taken_from_a_folder(
    out: BuildFolder, filmed: Callable[..., SlotCandidates], film: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "ready"
    folder.mkdir()
    shot = load_footage(film, span=Span(start_s=0, end_s=1))
    closer, bent = Reframing(zoom=1.45 / ROOM), Reframing(zoom=1.03 / ROOM, bend=-0.15)
    write_footage(frame_footage(shot, closer, size=(128, 72)), folder / "boxes.slot1.shot_size.mp4")
    with pytest.raises(BadInput, match="1 distractors lie ready for shot 1, 2 are wanted"):
        filmed(CandidateBuilder(out, 72, folder=folder))
    write_footage(frame_footage(shot, bent, size=(192, 108)), folder / "boxes.slot1.lens.mp4")
    found = filmed(CandidateBuilder(out, 72, folder=folder))
    assert [each.dimension for each in found.clips] == ["", "shot_size", "lens"]
    assert found.entry == WIDE
    black = change_pictures(shot, lambda old: (np.zeros_like(one) for one in old))
    write_footage(black, folder / "boxes.slot2.lens.mp4")
    write_footage(black, folder / "boxes.slot2.shot_size.mp4")
    with pytest.raises(BadInput, match="cannot be compared with the right clip"):
        filmed(CandidateBuilder(out, 72, folder=folder), second=1)
