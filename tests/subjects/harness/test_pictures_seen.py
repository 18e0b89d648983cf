"""Pixels seen: pictures of requests are traced to seconds of the materials, and told among the steps."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutscore.core.files import FileRef
from cutscore.core.trajectory import Action, Step
from cutscore.media.frames import encode_jpeg
from cutscore.media.render import write_clip
from cutscore.models.endpoint.pictures import PictureBook, RequestPicture
from cutscore.models.endpoint.server import EndpointCall
from cutscore.results.behaviour.seen import SeenMaterials
from cutscore.store import Store
from cutscore.subjects.harness import pictures_seen
from cutscore.subjects.harness.pictures_seen import SeenPicture, look_at_pictures, match_pictures, search_materials
from cutscore.subjects.harness.run_record import insert_pictures

CALLS = [EndpointCall(n, 10.0 * n, "messages", "main", "m", ()) for n in (1, 2, 3)]


def scene(seed: int) -> np.ndarray:
    small = np.random.default_rng(seed).integers(40, 210, (3, 4, 3), dtype=np.uint8)
    return np.kron(small, np.ones((24, 32, 1), np.uint8))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def film(store: Store, tmp_path: Path) -> FileRef:
    """A film of three seconds, each with a picture of its own."""
    path = tmp_path / "film.mp4"
    write_clip(path, (scene(number // 4) for number in range(12)), rate=Fraction(4))
    return store.put(path, name="take/film.mp4", media_type="video/mp4")


def show(store: Store, pixels: np.ndarray, call: int) -> RequestPicture:
    made = store.put_bytes(encode_jpeg(pixels), name="seen.jpeg", media_type="image/jpeg")
    return RequestPicture(call, made)


def test_pictures_are_traced_to_their_seconds(store: Store, film: FileRef) -> None:
    pictures = [show(store, scene(2), 1), show(store, np.hstack([scene(0), scene(1)]), 2), show(store, scene(99), 3)]
    text = store.put_bytes(b"words", name="brief.md", media_type="text/markdown")
    found = look_at_pictures(PictureBook(None, pictures), CALLS, [film, text], store)
    assert [[(part.film, int(part.at_s or 0)) for part in each.known] for each in found.seen] == [
        [("take/film.mp4", 2)],
        [("take/film.mp4", 0), ("take/film.mp4", 1)],
        [],
    ]
    summary = SeenMaterials.model_validate(found.summary())
    assert (summary.pictures, summary.unknown, summary.parts, summary.known_parts) == (3, 1, 4, 3)
    assert summary.seconds == {"take/film.mp4": 3}
    searched = {"name": "take/film.mp4", "length_s": 3.0, "searched_s": 3.0, "key_frames": 0}
    assert found.as_json()["materials"] == [searched]


def test_without_pictures_nothing_is_opened_and_without_time_it_is_said(store: Store, film: FileRef) -> None:
    gone = film.model_copy(update={"sha256": "0" * 64})
    assert look_at_pictures(PictureBook(), CALLS, [gone], store).summary()["seconds"] == {"take/film.mp4": 0}
    (late,) = search_materials([film], store, clock_s=0.0)
    assert (late.length_s, late.searched_s) == (3.0, 0.0)
    (lost,) = search_materials([gone], store)
    (unseen,) = match_pictures([show(store, scene(0), 1)], CALLS, [lost], store)
    assert (unseen.known, unseen.fault) == ([], "")
    (hurried,) = match_pictures([show(store, scene(0), 1)], CALLS, [lost], store, clock_s=0.0)
    assert hurried.fault == "no time was left"
    torn = RequestPicture(1, store.put_bytes(b"\x89PNG\r\n", name="seen.png", media_type="image/png"))
    assert "cannot be decoded" in match_pictures([torn], CALLS, [lost], store)[0].fault


def test_of_a_long_film_key_frames_come_before_the_rest(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "long.mp4"
    write_clip(path, (scene(number // 300) for number in range(900)), rate=Fraction(30), preset="ultrafast")
    long = store.put(path, name="long.mp4", media_type="video/mp4")
    monkeypatch.setattr(pictures_seen, "FRAMES", "times=0")  # as if there were no time for more
    (found,) = search_materials([long], store)
    assert found.key_frames >= 3
    (seen,) = match_pictures([show(store, scene(2), 1)], CALLS, [found], store)
    assert [int(part.at_s or 0) // 10 for part in seen.known] == [2]


def test_what_was_shown_stands_before_the_answer_to_it(store: Store) -> None:
    first, second = (show(store, scene(number), number).file for number in (1, 2))
    steps = [
        Step(n=1, at_s=1.0, did=(Action(tool="Read"),)),
        Step(n=2, at_s=9.0, by="tool", media=(first,)),
        Step(n=3, at_s=12.0, said="I see."),
        Step(n=4, at_s=5.0, parent=1, said="I help."),
    ]
    made = insert_pictures(steps, [SeenPicture(1, 10.0, "main", first), SeenPicture(2, 20.0, "main", second)])
    assert [step.n for step in made] == [1, 2, 5, 3, 4, 6]
    assert (made[2].media, made[-1].media, made[2].by) == ((), (second,), "environment")
    assert insert_pictures([], [SeenPicture(1, 10.0, "main", first)])[0].media == (first,)
    untimed = [Step(n=1), Step(n=2)]
    assert [step.n for step in insert_pictures(untimed, [SeenPicture(1, 10.0, "main", first)])] == [1, 2, 3]
