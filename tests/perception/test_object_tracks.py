"""Things over time: how many, where, and which is which."""

import sys
from pathlib import Path

import numpy as np

from cutscore.perception.analysis import analyze_clip
from cutscore.perception.report import ObjectTrack, Report

sys.path.append(str(Path(__file__).parent))

from drawing import RATE, film, graded, plain, put, textured  # lies beside this file


def by_name(report: Report) -> dict[str, ObjectTrack]:
    return {track.name: track for track in report.tracks}


def off(track: ObjectTrack, place) -> float:
    """Largest distance in pixels between where a thing was seen and where it was."""
    true = np.array([place(round(at_s * RATE)) for at_s in track.at_s])
    return float(np.linalg.norm(track.centres - true, axis=1).max())


def test_moving_things_are_followed_within_two_pixels() -> None:
    """A red circle goes to the right by 3 pixels a frame, a green square up by 1."""
    circle, square = (lambda n: (20 + 3 * n, 30)), (lambda n: (110, 78 - n))
    report = analyze_clip(
        film(lambda n: put(put(graded(), "circle", "red", circle(n)), "square", "green", square(n)), 36)
    )
    tracks = by_name(report)
    assert sorted(tracks) == ["green square", "red circle"]
    assert off(tracks["red circle"], circle) < 2
    assert off(tracks["green square"], square) < 2
    assert all(len(track.at_s) == 36 for track in report.tracks)


def test_identity_survives_a_crossing_of_equal_things() -> None:
    """Two red circles cross at frame 20: one from left to right, one from right to left, 2 pixels a frame."""
    right, left = (lambda n: (30 + 2 * n, 40)), (lambda n: (110 - 2 * n, 50))
    report = analyze_clip(film(lambda n: put(put(plain(), "circle", "red", right(n)), "circle", "red", left(n)), 41))
    assert len(report.tracks) == 2
    first, second = sorted(report.tracks, key=lambda track: track.centres[0][0])
    assert first.centres[-1][0] > 100 > 60 > second.centres[-1][0]


def test_identity_survives_a_short_occlusion() -> None:
    """A yellow circle passes behind a black bar that hides it for about ten frames."""

    def scene(number: int) -> np.ndarray:
        picture = put(graded(), "circle", "yellow", (15 + 3 * number, 45), 8)
        picture[10:80, 62:92] = (10, 10, 12)
        return picture

    report = analyze_clip(film(scene, 45))
    assert sorted(track.colour.name for track in report.tracks) == ["black", "yellow"]
    yellow = next(track for track in report.tracks if track.colour.name == "yellow")
    assert yellow.span.length_s > 1.6
    assert [event.kind for event in report.events if event.track == yellow.id] == []


def test_resting_things_count_and_do_not_move() -> None:
    def scene(number: int) -> np.ndarray:
        picture = textured(7)
        for place in ((25, 25), (60, 60), (95, 25), (130, 60)):
            picture = put(picture, "square", "blue", place)
        return picture

    report = analyze_clip(film(scene, 15))
    assert [track.name for track in report.tracks] == ["blue square"] * 4
    assert report.events == ()
    assert report.camera == ()


def test_noise_gives_no_things() -> None:
    noise = np.random.default_rng(1)
    report = analyze_clip(film(lambda number: noise.integers(0, 256, (90, 160, 3), dtype=np.uint8), 12))
    assert report.tracks == ()
    assert [each.what for each in report.blind_spots if "noise" in each.because] == ["things of low contrast"]


def test_an_eye_is_part_of_the_face_that_moves_with_it() -> None:
    def scene(number: int) -> np.ndarray:
        face = put(plain(), "circle", "yellow", (50 + number, 45), 24)
        return put(face, "circle", "black", (44 + number, 40), 5)

    report = analyze_clip(film(scene, 25))
    face, eye = (next(track for track in report.tracks if track.colour.name == name) for name in ("yellow", "black"))
    assert (face.part_of, eye.part_of) == (None, face.id)


def test_what_rests_on_another_thing_counts_for_itself() -> None:
    def scene(number: int) -> np.ndarray:
        board = put(plain(), "square", "white", (80, 45), 42)
        return put(put(board, "circle", "red", (65, 45), 8), "circle", "blue", (95, 45), 8)

    report = analyze_clip(film(scene, 8))
    assert sorted(track.name for track in report.tracks if track.part_of is None) == [
        "blue circle",
        "red circle",
        "white square",
    ]


def test_a_thing_that_only_passes_before_another_is_no_part() -> None:
    def scene(number: int) -> np.ndarray:
        return put(put(plain(), "square", "green", (80, 45), 40), "circle", "red", (65 + number, 45), 5)

    report = analyze_clip(film(scene, 25))
    assert all(track.part_of is None for track in report.tracks)
