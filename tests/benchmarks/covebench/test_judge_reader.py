"""covebench: the judge without a model answers by what it sees, and is silent about all else."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cutscore.benchmarks.covebench import judge_reader
from cutscore.benchmarks.covebench.judge_reader import ClipSight, films_differ, judge_by_reading, see_clip
from cutscore.benchmarks.covebench.video_names import EDITED, VIDEO_A
from cutscore.core.evidence import Evidence
from cutscore.core.judgement import Question
from cutscore.media.render import write_clip
from cutscore.store import Store

RED, BLUE, GREEN, SKY = (220, 20, 20), (30, 50, 200), (20, 150, 40), (235, 230, 215)
Picture = np.ndarray[Any, Any]


def picture(*squares: tuple[tuple[int, int, int], int], ground: tuple[int, int, int] = SKY) -> Picture:
    """Draw squares of 20 pixels on a ground of 160 × 90, each by its colour and where its left side is."""
    drawn = np.full((90, 160, 3), ground, np.uint8)
    drawn[60:] = np.array(ground) * GREEN / np.uint16(255) if ground != SKY else GREEN
    for colour, left in squares:
        drawn[20:40, left : left + 20] = colour
    return drawn


def film(draw: Callable[[int], Picture], count: int = 12) -> list[Picture]:
    return [draw(number) for number in range(count)]


@pytest.fixture
def shown(tmp_path: Path) -> Callable[..., Evidence]:
    """Return the evidence that shows two films; the second is the edited one."""
    store = Store(tmp_path / "store")

    def show(source: Sequence[Picture], edited: Sequence[Picture], rate: Fraction = Fraction(10)) -> Evidence:
        files = []
        for name, pictures, fps in ((VIDEO_A, source, Fraction(10)), (EDITED, edited, rate)):
            write_clip(tmp_path / name, list(pictures), rate=fps)
            files.append(store.put(tmp_path / name, name=name, media_type="video/mp4"))
        return Evidence(files=tuple(files)).bind(store)

    return show


def choice(text: str, first: str, second: str) -> Question:
    return Question(id="Q1", kind="choice", text=f"{text} A: {first} B: {second}", choices=("A", "B", "A and B"))


def yes_no(text: str) -> Question:
    return Question(id="Q1", kind="yes_no", text=text)


def answer(question: Question, evidence: Evidence) -> Any:
    (said,) = judge_by_reading([question], evidence)
    return said.answer


STILL_RED = film(lambda _: picture((RED, 60)))
STILL_BLUE = film(lambda _: picture((BLUE, 60)))


@pytest.mark.real
def test_colour_presence_count_and_place(shown: Callable[..., Evidence]) -> None:
    evidence = shown(STILL_RED, film(lambda _: picture((BLUE, 10), (RED, 60), (RED, 100))))
    assert answer(yes_no("In Video B, is there a blue ball?"), evidence) == "yes"
    assert answer(yes_no("Is a purple ball visible anywhere in Video B?"), evidence) == "no"
    assert answer(yes_no("Are there two red cups in Video B?"), evidence) == "yes"
    assert answer(yes_no("Are there three red cups in Video B?"), evidence) == "no"
    assert answer(choice("Where is it?", "A blue ball on the left", "A blue ball on the right"), evidence) == "A"


@pytest.mark.real
@pytest.mark.parametrize(
    ("stem", "right", "wrong", "pictures"),
    [
        ("What colour is the ball in Video B?", "The ball is blue", "The ball is red", STILL_BLUE),
        ("How is the light in Video B?", "Night", "Daylight", film(lambda _: picture(ground=(30, 30, 40)))),
        ("What does the car do?", "It moves to the left", "It moves to the right",
         film(lambda n: picture((RED, 120 - 8 * n)))),
        ("What does the car do?", "It stands still", "It moves", STILL_RED),
        ("How does Video B look?", "In black, grey and white", "In its natural colours",
         film(lambda n: picture((RED, 60)).mean(axis=2, keepdims=True).repeat(3, axis=2).astype(np.uint8))),
    ],
)  # fmt: skip
def test_swapped_options_swap_the_answer(
    shown: Callable[..., Evidence], stem: str, right: str, wrong: str, pictures: list[Picture]
) -> None:
    evidence = shown(STILL_RED, pictures)
    assert answer(choice(stem, right, wrong), evidence) == "A"
    assert answer(choice(stem, wrong, right), evidence) == "B"


@pytest.mark.real
def test_two_films_are_compared_by_light_speed_and_motion(shown: Callable[..., Evidence]) -> None:
    source = film(lambda n: picture((RED, 20 + 8 * n)))
    dark = shown(source, [(each * 0.4).astype(np.uint8) for each in source])
    assert answer(yes_no("Comparing Video A and Video B, is Video B darker than Video A?"), dark) == "yes"
    assert answer(yes_no("Comparing Video A and Video B, is Video B brighter than Video A?"), dark) == "no"
    slow = shown(source, source, Fraction(5))
    assert answer(yes_no("Comparing Video A and Video B, is everything slower in Video B?"), slow) == "yes"
    assert answer(yes_no("Comparing Video A and Video B, is everything faster in Video B?"), slow) == "no"
    turned = shown(source, source[::-1])
    other = yes_no("Comparing Video A and Video B, does the car move otherwise in Video B than in Video A?")
    assert answer(other, turned) == "yes"


@pytest.mark.real
def test_where_nothing_differs_nothing_has_changed_and_all_is_kept(shown: Callable[..., Evidence]) -> None:
    kept = Question(id="Q1", kind="scale", text="Comparing Video A and Video B, how well is the tree kept?")
    gone = yes_no("Comparing Video A and Video B, is the bench of Video A missing in Video B?")
    same, other = shown(STILL_RED, STILL_RED), shown(STILL_RED, STILL_BLUE)
    assert (answer(kept, same), answer(gone, same)) == (10, "no")
    assert (answer(kept, other), answer(gone, other)) == (None, None)


@pytest.mark.real
def test_a_film_without_jumps_has_none_at_the_thing_either(shown: Callable[..., Evidence]) -> None:
    flicker = yes_no("In Video B, does the colour of the ball flicker or spill over its edges?")
    keeps = yes_no("In Video B, does the ball keep one colour throughout the video?")
    calm = shown(STILL_RED, STILL_RED)
    assert (answer(flicker, calm), answer(keeps, calm)) == ("no", "yes")
    torn = shown(STILL_RED, film(lambda n: picture((BLUE if n == 6 else RED, 60))))
    assert (answer(flicker, torn), answer(keeps, torn)) == (None, None)


@pytest.mark.real
def test_what_it_does_not_understand_is_left_with_a_reason(shown: Callable[..., Evidence]) -> None:
    evidence = shown(STILL_RED, STILL_BLUE)
    released = [
        yes_no("In Video B, is the table surface made of smooth dark stone?"),
        choice("What is the hiker carrying in Video B?", "A backpack is still visible.", "No backpack is visible."),
        choice("What does the camera do?", "It stands still and shows the whole place", "It shows a medium shot"),
        yes_no("Is the blue ball no longer visible in Video B?"),
        yes_no("Comparing Video A and Video B, is the girl's path directed toward the house?"),
    ]
    said = judge_by_reading(released, evidence)
    assert [each.answer for each in said] == [None] * 5
    assert {each.because for each in said} == {"it cannot tell"}
    (blind,) = judge_by_reading([yes_no("In Video B, is there a red ball?")], Evidence())
    assert (blind.answer, blind.because) == (None, "it was shown no video")


@pytest.mark.real
def test_a_clip_is_looked_at_once_and_the_source_only_where_it_is_compared(
    shown: Callable[..., Evidence], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def see(path: Path, sha256: str) -> ClipSight:
        opened.append(sha256)
        return see_clip(path, sha256)

    monkeypatch.setattr(judge_reader, "see_clip", see)
    evidence = shown(STILL_RED, STILL_BLUE)
    judge_by_reading([yes_no("In Video B, is there a red ball?")], evidence)
    assert opened == [evidence.files[1].sha256]
    see_clip.cache_clear()
    judge_by_reading([yes_no("In Video B, is there a red ball?")] * 3, evidence)
    assert see_clip.cache_info().misses == 1


@pytest.mark.real
def test_an_encoder_makes_no_difference(tmp_path: Path) -> None:
    pictures = film(lambda n: picture((RED, 20 + 8 * n)))
    for name, crf in (("fine.mp4", 15), ("coarse.mp4", 32)):
        write_clip(tmp_path / name, pictures, rate=Fraction(10), crf=crf)
    assert not films_differ(see_clip(tmp_path / "fine.mp4", "fine"), see_clip(tmp_path / "coarse.mp4", "coarse"))
