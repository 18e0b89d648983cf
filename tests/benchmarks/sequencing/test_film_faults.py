"""What a viewer would send back costs in `strict`, with a finding at its second, and nothing in `paper`."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from cutscore.authoring.gates.verifier import try_honest
from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.benchmarks.sequencing.dataset import FILM, SequencingItem
from cutscore.benchmarks.sequencing.hostile import honest
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.timeline import Span
from cutscore.media.edit import change_speed, join_footage, replace_sound, trim
from cutscore.media.footage import Footage, change_pictures, hold_picture, load_footage
from cutscore.media.sound import Sound
from cutscore.media.variants import write_as
from cutscore.scoring.verifiers.film_faults import find_label_faults

Change = Callable[[Footage], Footage]


def blur(footage: Footage) -> Footage:
    return change_pictures(footage, lambda old: (cv2.GaussianBlur(one, (0, 0), 2) for one in old))


def heard(change: Callable[[np.ndarray, int], np.ndarray]) -> Change:
    def changed(footage: Footage) -> Footage:
        assert footage.sound is not None
        samples = change(footage.sound.samples, footage.sound.rate_hz)
        return replace_sound(footage, Sound(np.clip(samples, -1, 1).astype(np.float32), footage.sound.rate_hz))

    return changed


def delay(samples: np.ndarray, by: int) -> np.ndarray:
    return np.concatenate([np.zeros_like(samples[:by]), samples])[: len(samples)]


FAULTS: dict[str, Change] = {
    "silent": lambda footage: replace_sound(footage, None),
    "out of step": heard(lambda samples, rate_hz: delay(samples, rate_hz * 3 // 10)),
    "doubled": heard(lambda samples, rate_hz: samples + delay(samples, rate_hz // 4)),
    "clipped": heard(lambda samples, rate_hz: samples * 8),
}


def deliver(starter: LoadedBenchmark, change: Change, folder: Path, **options: str) -> Ending:
    """Mark the right order of the first film with its film changed, or encoded with other options of x264."""
    item = starter.items[0]
    made = starter.oracle_deliverable("perfect", item)
    assert isinstance(made, Deliverable)
    film = next(ref for ref in made.files if ref.name == FILM)
    changed_film = change(load_footage(starter.store.path(film)))
    write_as(changed_film, folder / FILM, codec="libx264", options={"crf": "18", **options})
    changed = starter.store.put(folder / FILM, name=FILM, media_type="video/mp4")
    return starter.mark(Deliverable(files=(changed, *(ref for ref in made.files if ref is not film))), item)


def test_a_blurred_film_costs_in_strict_alone(bench: Callable[[str], LoadedBenchmark], tmp_path: Path) -> None:
    ending = deliver(bench("sequencing"), blur, tmp_path)
    assert (ending.scores["score@paper"], ending.scores["score@strict"]) == (1, 0)
    fault = next(each for each in ending.findings if each.name == "fault/blurred")
    assert fault.at is not None
    assert fault.at.start_s == 0
    assert fault.because.startswith("solution.mp4 is blurred: its edges are ")
    strict = next(each for each in ending.findings if (each.name, each.mode) == ("score", "strict"))
    assert "; 0% of the film is without fault, it is blurred" in strict.because


@pytest.mark.real
@pytest.mark.parametrize("name", FAULTS)
def test_sound_that_is_not_the_clips_costs(name: str, bench: Callable[[str], LoadedBenchmark], tmp_path: Path) -> None:
    ending = deliver(bench("sequencing"), FAULTS[name], tmp_path)
    assert (ending.scores["score@paper"], ending.scores["score@strict"]) == (1, 0)
    assert {each.name for each in ending.findings if each.name.startswith("fault/")} == {f"fault/{name}"}


def lengthen(footage: Footage) -> Footage:
    """Stand on the last picture for half a second more, 8% of the film."""
    *_, last = footage.pictures()
    more = hold_picture(last, count=int(footage.rate / 2), rate=footage.rate)
    return join_footage([footage, more])


@pytest.mark.real
@pytest.mark.parametrize("name", ["out of step", "doubled", "clipped"])
def test_sound_is_heard_in_a_film_of_another_length(
    name: str, bench: Callable[[str], LoadedBenchmark], tmp_path: Path
) -> None:
    ending = deliver(bench("sequencing"), lambda footage: lengthen(FAULTS[name](footage)), tmp_path)
    assert f"fault/{name}" in {each.name for each in ending.findings}
    assert ending.scores["score@paper"] == 1
    assert ending.scores["score@strict"] <= 0.5


@pytest.mark.real
@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda footage: trim(footage, Span(start_s=0, end_s=Fraction(45, 8))), []),
        (lambda footage: change_speed(footage, Fraction(9, 10)), []),
        (lambda footage: FAULTS["out of step"](change_speed(footage, Fraction(9, 10))), ["fault/out of step"]),
    ],
    ids=["shorter", "slower", "slower and late"],
)
def test_honest_films_of_another_length_stay_full(
    change: Change, named: list[str], bench: Callable[[str], LoadedBenchmark], tmp_path: Path
) -> None:
    ending = deliver(bench("sequencing"), change, tmp_path)
    assert sorted({each.name for each in ending.findings if each.name.startswith("fault/")}) == named


@pytest.mark.real
@pytest.mark.parametrize(
    ("options", "name"), [("sar=4/1", "aspect"), ("transfer=smpte2084", "hdr"), ("transfer=arib-std-b67", "hdr")]
)
def test_a_film_that_players_stretch_or_brighten_costs(
    options: str, name: str, bench: Callable[[str], LoadedBenchmark], tmp_path: Path
) -> None:
    ending = deliver(bench("sequencing"), lambda footage: footage, tmp_path, **{"x264-params": options})
    assert (ending.scores["score@paper"], ending.scores["score@strict"]) == (1, 0)
    assert [each.name for each in ending.findings if each.name.startswith("fault/")] == [f"fault/{name}"]


@pytest.mark.real
def test_a_muted_second_costs_its_share(bench: Callable[[str], LoadedBenchmark], tmp_path: Path) -> None:
    def mute(samples: np.ndarray, rate_hz: int) -> np.ndarray:
        return np.where((np.arange(len(samples)) // rate_hz == 2)[:, None], 0, samples)

    ending = deliver(bench("sequencing"), heard(mute), tmp_path)
    faults = [each for each in ending.findings if each.name.startswith("fault/")]
    assert [each.name for each in faults] == ["fault/silent"]
    assert faults[0].at is not None
    assert 2 <= faults[0].at.start_s < faults[0].at.end_s <= 3
    assert 0.8 <= ending.scores["score@strict"] < 1


@pytest.mark.real
@pytest.mark.parametrize("crf", [18, 23, 28, 38])
def test_honest_encodes_stay_full(crf: int, bench: Callable[[str], LoadedBenchmark], tmp_path: Path) -> None:
    ending = deliver(bench("sequencing"), lambda footage: footage, tmp_path, crf=str(crf))
    assert ending.scores["score@strict"] == 1


def labelled(path: Path, *, aspect: Fraction = Fraction(1), transfer: int = 1) -> Path:
    """Write two pictures whose pixels have an aspect, and whose colours are meant in some way."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=8)
        assert isinstance(stream, VideoStream)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        stream.codec_context.sample_aspect_ratio = aspect
        stream.codec_context.color_trc = transfer
        for number in range(2):
            picture = VideoFrame.from_ndarray(np.full((48, 64, 3), 90, np.uint8), format="rgb24")
            picture.pts = number
            out.mux(stream.encode(picture))
        out.mux(stream.encode(None))
    return path


def test_labels_that_change_what_a_player_shows_are_faults(tmp_path: Path) -> None:
    plain = labelled(tmp_path / "plain.mp4")
    wide = labelled(tmp_path / "wide.mp4", aspect=Fraction(2))
    hdr = labelled(tmp_path / "hdr.mp4", transfer=16)

    def faults(film: Path, clip: Path) -> list[str]:
        return [each.because for each in find_label_faults(film, [clip], Fraction(1))]

    assert faults(plain, plain) == faults(wide, wide) == faults(hdr, hdr) == []
    assert faults(wide, plain) == ["is shown 2.667 times as wide as high, the clips 1.333"]
    assert faults(hdr, plain) == ["is labelled as HDR (smpte2084), what it is made of is not"]


@pytest.mark.real
@pytest.mark.parametrize("number", [1, 6, 7])
def test_a_slower_film_of_tones_is_neither_doubled_nor_late(
    number: int, bench: Callable[[str], LoadedBenchmark]
) -> None:
    starter = bench("sequencing")
    item = starter.items[number]
    assert isinstance(item, SequencingItem)
    slower = next(each for each in honest(item, starter.store) if each.name == "a tenth slower")
    assert try_honest(starter, item, slower).scores["strict"] == 1
