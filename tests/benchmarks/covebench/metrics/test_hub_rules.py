"""covebench: what numbers of hub models become, and which tasks and frames they are asked about."""

from fractions import Fraction

import numpy as np
import pytest

from cutscore.benchmarks.covebench.checklist import Category, Checklist
from cutscore.benchmarks.covebench.dataset import EditTask
from cutscore.benchmarks.covebench.metrics.hub_rules import (
    describe_mean,
    describe_regions,
    describe_replies,
    first_of_shots,
    fit_frame,
    leaves_out_regions,
    through_jpeg,
)
from cutscore.core.ending import ScoreGap
from cutscore.core.finding import Finding
from cutscore.models.hub.region_consistency import RegionFeatures, compare_regions, resize_mask
from cutscore.models.hub.visual_quality import parse_quality
from cutscore.scoring.metrics.metric import MetricFrame


def task(*, whole: str = "", group: str = "Subject") -> EditTask:
    """A task of one edit point in a dimension, and a dimension of the whole task."""
    question = {"id": "Q1", "format": "Single-TF", "text": "?", "expected": "Yes"}
    point = {"target": "it", "questions": [question], "categories": [{"level_1": group, "level_2": "any"}]}
    overall = [Category(level_1=whole, level_2="any").model_dump()] if whole else []
    checklist = Checklist.model_validate({"points": [point], "categories": overall})
    return EditTask(id="one", cluster="one", instruction="Do it.", checklist=checklist)


@pytest.mark.parametrize(
    ("reply", "number"),
    [
        ("<think>2 flaws</think><answer>3.50</answer>", 3.5),
        ("<answer>1</answer> no, <answer>about 4.25 of 5</answer>", 4.25),
        ("<answer>fine</answer> I say 3", 3.0),  # no number in the tag: the first one anywhere
        ("<answer>4", 4.0),
        ("-1.5", -1.5),
        ("9 of 5", 9.0),  # not clipped
        ("", None),
        ("very good", None),
    ],
)
def test_the_number_of_a_reply(reply: str, number: float | None) -> None:
    assert parse_quality(reply) == number


def test_one_reply_without_a_number_voids_the_video() -> None:
    said = describe_replies(["<answer>4</answer>", "I cannot tell"], "weights")
    assert isinstance(said, ScoreGap)
    assert (said.status, said.because) == ("unscored", "frame 2 of 2 got no number: 'I cannot tell'")
    whole = describe_replies(["<answer>4</answer>", "<answer>3</answer>"], "weights abc on cpu, float32")
    assert isinstance(whole, Finding)
    assert (whole.value, whole.mode) == (3.5, "")
    assert whole.because == "vqr is 3.5000: mean of 2 frames, sampled replies; weights abc on cpu, float32"


@pytest.mark.parametrize("scores", [[], [1.0, float("nan")], [float("inf")]])
def test_what_is_no_number_is_told(scores: list[float]) -> None:
    said = describe_mean("aes", scores, "10 frames", mode="paper")
    assert said == ScoreGap(name="aes", status="unscored", because="aes is no number: 10 frames", mode="paper")


def test_regions_count_where_the_source_has_something() -> None:
    said = describe_regions([None, 0.0, 0.5, 0.7500004], ["dog"], "weights")
    assert isinstance(said, Finding)
    assert said.value == 0.416667  # six decimals, as released
    assert "3 frames with dog; 1 of them without anything there" in said.because
    empty = describe_regions([None, None], ["dog"], "weights")
    assert isinstance(empty, ScoreGap)
    assert (empty.status, empty.because[:10]) == ("excluded", "empty_mask")


def test_alike_is_a_cosine_from_nothing_to_one() -> None:
    vectors = np.array([[1, 0], [1, 0], [1, 0], [1, 0], [1, 0]], np.float32)
    others = np.array([[2, 0], [0, 3], [-1, 0], [0, 0], [1, 0]], np.float32)
    source = RegionFeatures(np.array([64, 64, 64, 63, 64]), vectors)
    edited = RegionFeatures(np.array([64, 64, 64, 64, 63]), others)
    assert compare_regions(source, edited) == [1.0, 0.5, 0.0, None, 0.0]
    shorter = RegionFeatures(edited.areas[:2], others[:2])
    assert compare_regions(source, shorter) == [1.0, 0.5]


@pytest.mark.parametrize("dimension", ["Camera", "Style"])
def test_edits_of_everything_have_no_regions(dimension: str) -> None:
    said = f"skipped: an edit of {dimension.lower()} is asked for, which changes every region"
    assert leaves_out_regions(task(whole=dimension)) == said
    assert leaves_out_regions(task(group=dimension)) == said  # a task that names no dimension of its own
    assert leaves_out_regions(task(whole="Subject", group=dimension)) == ""
    assert leaves_out_regions(task(whole="Background")) == ""


def test_each_shot_has_a_first_frame() -> None:
    random = np.random.default_rng(1)
    shots = [random.integers(0, 255, (54, 96, 3), np.uint8) for _ in range(2)]
    frames = [MetricFrame(Fraction(n, 10), shots[n >= 12]) for n in range(24)]
    assert first_of_shots(frames) == [Fraction(0), Fraction(12, 10)]
    assert first_of_shots(frames[:12]) == [Fraction(0)]
    assert first_of_shots([]) == []


def test_frames_go_through_jpeg_and_to_the_size_of_the_source() -> None:
    frame = np.random.default_rng(1).integers(0, 255, (40, 60, 3), np.uint8)
    grey = np.repeat(frame[..., :1], 3, axis=2)
    assert 0 < np.abs(through_jpeg(grey).astype(int) - grey).mean() < 4
    red = through_jpeg(np.full((16, 16, 3), (200, 10, 10), np.uint8))
    assert red[8, 8, 0] > 150 > red[8, 8, 2]  # red stays red
    assert fit_frame(frame, 20, 30)[0, 0].tolist() == frame[:2, :2].reshape(4, 3).mean(axis=0).round().tolist()
    assert fit_frame(frame, 40, 60) is frame
    assert resize_mask(np.array([[True, False]]), 2, 4).tolist() == [[True, True, False, False]] * 2
