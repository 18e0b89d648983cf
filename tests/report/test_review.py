"""Films in step: what is shown at first, and what the timeline says."""

from fractions import Fraction

import cv2
import numpy as np
import pytest

from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.finding import Finding
from cutscore.core.judgement import Judgement
from cutscore.core.timeline import Span
from cutscore.media.render import write_clip
from cutscore.media.sound import Sound
from cutscore.report.embed import EmbeddedFile
from cutscore.report.page_parts import PageClip
from cutscore.report.preview import BINS, PICTURES, Preview, loudest, preview
from cutscore.report.review import MOST_ON, LaneNotes, ReviewFilm, TimedNote, judge_evidence, lay_out_review, wave_path


def film(number: int, *whose: str, length_s: int = 4, **seen) -> ReviewFilm:
    clip = PageClip(
        f"film-{number}", EmbeddedFile(name=f"{number}.mp4", sha256=str(number), size="1 kB", tag="video"), film=True
    )
    facts = {"rate": Fraction(25), "frames": 25 * length_s, "length_s": Fraction(length_s)}
    return ReviewFilm(clip, whose, Preview(**(facts | seen)))


def shown(films: list[ReviewFilm]) -> list[str]:
    return [film.clip.id for film in lay_out_review(films, ()).films if film.on]


def test_what_was_handed_in_is_shown_with_all_that_is_as_long():
    given, golden = film(1, "given"), film(2, "reference")
    assert shown([given, golden, film(3, "reader"), film(4, "other", length_s=9)]) == ["film-1", "film-2", "film-3"]


def test_clips_that_a_film_was_made_of_stay_away_at_first():
    clips = [film(number, "given", length_s=1) for number in range(1, 10)]
    assert shown([*clips, film(10, "oracle", length_s=9)]) == ["film-10"]


def test_a_film_alone_is_shown_and_so_are_at_most_four():
    assert shown([film(1, "given"), film(2, "given")]) == ["film-1"]
    assert len(shown([film(number, "oracle") for number in range(9)])) == MOST_ON


def test_without_a_film_there_is_nothing_to_review():
    assert lay_out_review([], [LaneNotes("oracle", [TimedNote(Span(start_s=0, end_s=1), "x")])]) is None


def test_the_clock_counts_frames_of_the_first_film_that_is_shown():
    made = lay_out_review([film(1, "given", length_s=1), film(2, "oracle", rate=Fraction(30000, 1001))], ())
    first, second = made.axes
    assert (first.lead.rate, first.frames, first.length) == ("29.97003", 120, "00:04.000")
    assert (second.lead.clip.id, second.length) == ("film-1", "00:01.000")


def test_what_is_said_of_a_source_lies_on_the_clock_of_the_source():
    notes = [TimedNote(Span(start_s=1, end_s=2), "x")]
    lanes = [
        LaneNotes("of the source", notes, "film-1"),
        LaneNotes("of the cut", notes, "film-2"),
        LaneNotes("?", notes),
    ]
    made = lay_out_review([film(1, "given", length_s=10), film(2, "reader")], lanes)
    told = [[(lane.name, lane.marks[0].width_pc) for lane in axis.lanes] for axis in made.axes]
    assert told == [[("of the cut", "25.000%"), ("?", "25.000%")], [("of the source", "10.000%")]]
    assert shown([film(1, "given", length_s=10), film(2, "reader")]) == ["film-1", "film-2"]


def test_marks_lie_where_they_belong_and_stay_on_the_timeline():
    told = [
        TimedNote(Span(start_s=1, end_s=3), "found", href="#r1-f1"),
        TimedNote(Span(start_s=2, end_s=90), "too far"),
    ]
    told.append(TimedNote(Span(start_s=2, end_s=2), "an instant"))
    made = lay_out_review([film(1, "given")], [LaneNotes("oracle", told), LaneNotes("empty", [])])
    ((lane,),) = (axis.lanes for axis in made.axes)
    assert [(mark.left_pc, mark.width_pc) for mark in lane.marks] == [
        ("25.000%", "50.000%"),
        ("50.000%", "50.000%"),
        ("50.000%", "0.000%"),
    ]
    assert [mark.instant for mark in lane.marks] == [False, False, True]
    assert [text for _, text in made.axes[0].loops] == ["00:01.000–00:03.000", "00:02.000–01:30.000"]


def test_shots_and_sounds_have_lanes_and_equal_sounds_share_one():
    shots = (Span(start_s=0, end_s=1), Span(start_s=1, end_s=4))
    films = [film(1, "given", shots=shots, peaks=(50,) * BINS), film(2, "oracle", peaks=(50,) * BINS)]
    lanes = lay_out_review([*films, film(3, "reader", peaks=(0,) * BINS)], ()).axes[0].lanes
    assert [lane.name for lane in lanes] == ["shots of 1.mp4", "sound of 1.mp4, given", "sound of 3.mp4, reader"]


def test_a_shorter_sound_ends_before_the_timeline_does():
    assert wave_path((100, 100), share=Fraction(1, 2)).startswith("M0,0.0L0.5,0.0L")


def test_what_a_judge_points_to_is_on_the_timeline(run):
    said = [Judgement(question="q1", judge="j", answer="no", at=(1, 2)), Judgement(question="q2", judge="j")]
    row = run.rows[0].model_copy(update={"judgements": tuple(said)})
    assert [(each.at, each.said) for each in judge_evidence(row)] == [(Span(start_s=1, end_s=2), "q1: no")]


def test_peaks_of_a_sound_that_ends_early_are_silent_there():
    peaks = loudest(np.full(500, -0.25, np.float32), 1000)
    assert (len(peaks), set(peaks[:200]), set(peaks[200:])) == (BINS, {25}, {0})


def test_a_preview_tells_frames_shots_and_sound_and_is_kept(tmp_path, monkeypatch):
    """Two seconds: black, then white from 1.0 s on; a tone in the second half."""
    colours = [0] * 10 + [255] * 10
    wave = np.concatenate([np.zeros(8000), 0.5 * np.sin(np.arange(8000))]).astype(np.float32)
    clip = tmp_path / "clip.mp4"
    frames = (np.full((36, 64, 3), each, np.uint8) for each in colours)
    write_clip(clip, frames, rate=Fraction(10), sound=Sound(wave, 8000))
    seen = preview(clip, "a" * 64)
    assert (seen.rate, seen.frames, seen.length_s) == (10, 20, 2)
    assert [shot.start_s for shot in seen.shots] == [0, 1]
    assert max(seen.peaks[:190]) <= 2 < 40 <= min(seen.peaks[210:390])
    strip = cv2.imdecode(np.frombuffer(seen.strip, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert strip.shape == (90, PICTURES * 160)
    assert strip[:, : 6 * 160 - 8].max() < 20 < 230 < strip[:, 6 * 160 + 8 :].min()
    clip.unlink()
    assert preview(clip, "a" * 64) == seen


@pytest.mark.parametrize("data", [b"", b"ffconcat version 1.0\nfile golden.mp4\n", b"\0\0\0\x18ftypisom" + bytes(64)])
def test_what_cannot_be_decoded_has_no_preview(tmp_path, data):
    path = tmp_path / "film.mp4"
    path.write_bytes(data)
    assert preview(path, "b" * 64) is None


def test_the_page_shows_each_content_once_and_names_all_who_have_it(build, read, run, clips):
    golden = run.store.put(clips["green"], name="golden.mp4")
    fixed = golden.model_copy(update={"name": "fixed.mp4"})
    found = Finding(name="accuracy", value=1, because="mended", file="fixed.mp4", at=(1, 3))
    ending = Ending(status="marked", scores={"accuracy": 1}, findings=(found,), references=(golden,))
    run.add("editor", run.rows[0].ask, ending, deliverable=Deliverable(files=(fixed,)))
    page = read(build().parent / "colorbars" / "items" / "red-1.html")
    labels = [attrs["aria-label"] for attrs in page.find("video")]
    assert labels == ["bars.mp4, given", "golden.mp4, reference, editor"]
    assert "editor: fixed.mp4" in page.text
    assert [attrs["href"] for attrs in page.find("a") if attrs.get("data-end") == "3.000000"] == ["#r5-f1"]
    assert "frames that openai/x-1 saw" in page.text


def test_findings_about_one_stretch_are_one_mark(build, read, run):
    found = [Finding(name=name, value=0.5, because="x", file="bars.mp4", at=(1, 3)) for name in ("accuracy", "s_in")]
    run.add("two", run.rows[0].ask, Ending(status="marked", scores={"accuracy": 0.5}, findings=tuple(found)))
    page = read(build().parent / "colorbars" / "items" / "red-1.html")
    assert [attrs["href"] for attrs in page.find("a") if attrs.get("data-end") == "3.000000"] == ["#r5-f1"]
    assert "accuracy 0.500: x s_in 0.500: x" in page.text
