import json
import subprocess
import sys
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.errors import BadInput
from cutscore.media.plan import (
    Every,
    FramePlan,
    Released,
    ReleasedTutorial,
    Shuffled,
    Steps,
    Times,
    Uniform,
    canonical_plan,
    middle_numbers,
    shuffled_order,
)

second = st.fractions(min_value=0, max_value=10_000, max_denominator=100_000)
rates = st.fractions(min_value=Fraction(1, 1000), max_value=240, max_denominator=1001)
plans = st.one_of(
    st.builds(Uniform, st.integers(1, 10_000)),
    st.builds(Steps, rates, st.none() | st.integers(1, 10_000)),
    st.builds(Steps, rates, st.integers(1, 10_000), st.just(True)),
    st.builds(Released, st.integers(1, 10_000)),
    st.builds(Times, st.lists(second, min_size=1, max_size=20).map(tuple)),
    st.tuples(second, second).filter(lambda ends: ends[0] != ends[1]).map(lambda ends: Every(*sorted(ends))),
)


shuffled = st.builds(Shuffled, plans)


@given(plans | shuffled)
def test_text_reads_back_as_the_same_plan(plan: FramePlan) -> None:
    assert FramePlan.parse(str(plan)) == plan


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("uniform=10", "uniform=10"),
        (" uniform = 010 ", "uniform=10"),
        ("fps=2", "fps=2"),
        ("fps=0.50, max=060", "fps=0.5,max=60"),
        ("fps=30000/1001,max=8", "fps=30000/1001,max=8"),
        ("fps=1, max=8, head", "fps=1,max=8,head"),
        ("times=1.25;0.5;1.250", "times=0.5;1.25"),
        ("times=1:02.5", "times=62.5"),
        ("times=1/3", "times=1/3"),
        ("times=1/16;0.000001;0.0000001", "times=1/10000000;0.000001;0.0625"),
        ("every@3.2-5", "every@3.2-5"),
        ("every@0-1/3", "every@0-1/3"),
        (" released:covebench", "released:covebench"),
        ("released:covebench, frames=010", "released:covebench"),
        ("released:covebench,frames=16", "released:covebench,frames=16"),
        ("released:videowebarena,frames=60", "released:videowebarena"),
        ("released:videowebarena,frames=5", "released:videowebarena,frames=5"),
        ("shuffled: fps=1, max=08", "shuffled:fps=1,max=8"),
    ],
)
def test_canonical_text(text: str, canonical: str) -> None:
    assert str(FramePlan.parse(text)) == canonical


def test_uniform_gives_the_centres_of_equal_parts() -> None:
    assert FramePlan.parse("uniform=4").times(Fraction(2)) == tuple(map(Fraction, ("1/4", "3/4", "5/4", "7/4")))


@given(st.integers(1, 200), st.fractions(min_value=Fraction(1, 100), max_value=10_000))
def test_uniform_is_symmetric_and_inside(count: int, duration_s: Fraction) -> None:
    times = Uniform(count).times(duration_s)
    assert len(times) == count
    assert all(0 < at < duration_s for at in times)
    assert [duration_s - at for at in reversed(times)] == list(times)


@pytest.mark.parametrize(
    ("spec", "duration", "expected"),
    [
        ("fps=1", "3", ["0", "1", "2"]),  # 3 s is the end and no longer inside
        ("fps=1", "3.01", ["0", "1", "2", "3"]),
        ("fps=2,max=3", "3", ["1/2", "3/2", "5/2"]),  # steps 1, 3, 5 of 6
        ("fps=1,max=4", "6", ["0", "2", "3", "5"]),  # floor((2i+1)·6/8)
        ("fps=1,max=1", "60", ["30"]),
        ("fps=1,max=8", "61", ["3", "11", "19", "26", "34", "41", "49", "57"]),
        ("fps=1,max=4,head", "6", ["0", "1", "2", "3"]),
        ("fps=1,max=8,head", "3", ["0", "1", "2"]),
        ("fps=30000/1001,max=2", "1001/15000", ["0", "1001/30000"]),
        ("fps=0.1", "5", ["0"]),
    ],
)
def test_steps(spec: str, duration: str, expected: list[str]) -> None:
    assert FramePlan.parse(spec).times(Fraction(duration)) == tuple(map(Fraction, expected))


@given(rates, st.integers(1, 100), st.fractions(min_value=Fraction(1, 10), max_value=600, max_denominator=100))
def test_thinned_steps_are_steps_and_evenly_spread(rate: Fraction, most: int, duration_s: Fraction) -> None:
    every = Steps(rate).times(duration_s)
    kept = Steps(rate, most).times(duration_s)
    assert len(kept) == min(most, len(every))
    assert set(kept) <= set(every)
    before, after = kept[0] * rate, len(every) - 1 - kept[-1] * rate
    assert abs(before - after) <= 1, "as much is left out at the start as at the end"
    gaps = [later - earlier for earlier, later in pairwise(kept)]
    assert all(gap > 0 for gap in gaps)
    if gaps:
        assert max(gaps) - min(gaps) <= 1 / rate


@given(st.integers(0, 500), st.integers(1, 50))
def test_middles_are_symmetric_to_within_one(total: int, most: int) -> None:
    kept = middle_numbers(total, most)
    assert len(kept) == min(total, most)
    assert sorted(set(kept)) == list(kept)
    assert all(abs(one + other - (total - 1)) <= 1 for one, other in zip(kept, reversed(kept), strict=True))


@pytest.mark.parametrize(
    ("spec", "kept"),
    [
        ("fps=1,max=4", (1, 3, 6, 8)),
        ("fps=1,max=4,head", (0, 1, 2, 3)),
        ("uniform=1", (5,)),
        ("uniform=20", tuple(range(10))),
        ("fps=1", tuple(range(10))),
        ("times=0;1", tuple(range(10))),
    ],
)
def test_pictures_that_lie_ready_are_kept_as_steps_are(spec: str, kept: tuple[int, ...]) -> None:
    assert FramePlan.parse(spec).among(10) == kept


@pytest.mark.parametrize(
    ("text", "usual", "frames"),
    [
        ("1", "fps=1,max=8", "fps=1,max=1"),
        (" 008 ", "fps=1,max=8", "fps=1,max=8"),
        ("8", "fps=2", "fps=2,max=8"),
        ("8", "fps=1,max=60,head", "fps=1,max=8,head"),
        ("4", "uniform=10", "uniform=4"),
        ("4", "every@0-9", "uniform=4"),
        ("4", "", "uniform=4"),
        ("fps=1, max=08", "uniform=10", "fps=1,max=8"),
    ],
)
def test_a_bare_number_caps_the_usual_plan(text: str, usual: str, frames: str) -> None:
    assert canonical_plan(text, usual) == frames


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "١", "many"])
def test_what_is_no_number_of_frames_is_a_bad_plan(text: str) -> None:
    with pytest.raises(BadInput, match="does not say how to choose frames"):
        canonical_plan(text, "fps=1,max=8")


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("", "does not say how to choose frames"),
        ("unifrm=4", "does not say how to choose frames"),
        ("every=1-2", "does not say how to choose frames"),
        ("uniform=0", "asks for 0 frames, at least 1 is needed"),
        ("uniform=2.5", "'2.5' is not a number of frames;"),
        ("fps=0", "fps is 0, it must be above 0"),
        ("fps=-1", "fps is -1, it must be above 0"),
        ("fps=1/0", "'1/0' is not a number of frames a second"),
        ("fps=1e999999999", "'1e999999999' is not a number of frames a second"),
        ("fps=1:02", "'1:02' is not a number of frames a second"),
        ("fps=1,max=many", "'many' is not a number of frames;"),
        ("fps=1,max=0", "max is 0, it must be at least 1"),
        ("fps=1,60", "'60' should be max= and a number of frames"),
        ("fps=1,head", "'head' should be max= and a number of frames"),
        ("fps=1,max=8,tail", "'tail' should be head, or nothing"),
        ("fps=1,max=8,", "'' should be head, or nothing"),
        ("times=", "'' is not a number of seconds"),
        ("times=0.5,1.25", "'0.5,1.25' is not a number of seconds"),
        ("times=-1", "-1 s lies before the clip"),
        ("every@5-3.2", "nothing lies from 5 s to 3.2 s"),
        ("every@5-5", "nothing lies from 5 s to 5 s"),
        ("every@5", "a stretch is a start and an end with a dash between them"),
        ("every@-1-5", "'' is not a number of seconds"),
        ("released:vbench", "does not say how to choose frames"),
        ("released:covebench,max=3", "',max=3' should be ,frames= and a number of frames"),
        ("released:covebench,frames=0", "asks for 0 frames, at least 1 is needed"),
        ("shuffled:shuffled:uniform=2", "shuffles twice"),
    ],
)
def test_wrong_plans_say_what_is_wrong_and_give_examples(text: str, fact: str) -> None:
    with pytest.raises(BadInput) as caught:
        FramePlan.parse(text)
    assert str(caught.value).startswith(f"frame plan '{text}': {fact}")
    assert caught.value.next == "write uniform=10, fps=1,max=60, times=0.5;1.25, every@3.2-5 or released:covebench"


def test_only_the_clip_knows_the_times_of_every_frame() -> None:
    with pytest.raises(BadInput, match="frame plan 'every@1-2': takes the frames that a clip has"):
        FramePlan.parse("every@1-2").times(Fraction(10))


@pytest.mark.parametrize(
    ("frames", "total", "numbers"),
    [
        (10, 100, (0, 11, 22, 33, 44, 55, 66, 77, 88, 99)),
        (10, 150, (0, 17, 33, 50, 66, 83, 99, 116, 132, 149)),
        (10, 11, (0, 1, 2, 3, 4, 6, 7, 8, 9, 10)),
        (3, 6, (0, 2, 5)),  # 2.5 is rounded to even
        (3, 8, (0, 4, 7)),  # and so is 3.5
        (10, 4, (0, 1, 2, 3)),
        (10, 1, (0,)),
        (1, 9, (4,)),
        (10, 0, ()),
    ],
)
def test_the_released_numbers(frames: int, total: int, numbers: tuple[int, ...]) -> None:
    assert Released(frames).numbers(total) == numbers


@given(st.integers(1, 100), st.integers(0, 5000))
def test_the_released_rule_in_floats_gives_the_same(frames: int, total: int) -> None:
    """As the rule is written down, with Python's own round."""
    n = min(total, frames)
    plain = [] if n <= 0 else [total // 2] if n == 1 else sorted({round(i * (total - 1) / (n - 1)) for i in range(n)})
    assert list(Released(frames).numbers(total)) == plain


def test_a_tutorial_is_sampled_as_the_released_code_does_but_for_its_defect(shared: Path) -> None:
    cases = json.loads((shared / "data/videowebarena/reference_cases.json").read_text())["cases"]
    own = [case for case in cases if case["kind"] == "sample_frames"]
    assert len(own) == 7
    for case in own:
        given, total = case["input"], case["input"]["frame_count"]
        made = ReleasedTutorial(given["max_frame_num"]).numbers(total, Fraction(total) / Fraction(given["fps"]))
        # At 29.97 frames a second it takes the first frame alone; ours takes one a second.
        wanted = [0, 30, 60] if case.get("reference_defect") else case["expected"]["frame_indices"]
        assert list(made) == wanted, case["id"]


def test_only_the_clip_knows_the_times_of_frames_by_number() -> None:
    with pytest.raises(BadInput, match="frame plan 'released:covebench': counts the frames of a clip"):
        FramePlan.parse("released:covebench").times(Fraction(10))


def test_a_shuffled_plan_is_about_order_and_has_the_frames_of_the_other() -> None:
    plan = FramePlan.parse("shuffled:fps=1,max=8")
    assert (plan.among(20), str(plan.capped(2))) == (FramePlan.parse("fps=1,max=8").among(20), "shuffled:fps=1,max=2")
    with pytest.raises(BadInput, match="frame plan 'shuffled:fps=1,max=8': says in which order frames are shown"):
        plan.times(Fraction(10))
    with pytest.raises(BadInput, match="frame plan 'fast=1': does not say"):
        FramePlan.parse("shuffled:fast=1")


@given(st.integers(0, 20), st.text(max_size=5))
def test_another_order_has_everything_once_and_is_another(count: int, seed: str) -> None:
    order = shuffled_order(count, seed)
    assert sorted(order) == list(range(count))
    assert (list(order) != sorted(order)) == (count > 1)
    assert order == shuffled_order(count, seed)


def test_reading_a_plan_loads_nothing_heavy() -> None:
    code = "import sys, cutscore.media.plan; print(sorted({'av', 'numpy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
