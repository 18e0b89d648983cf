"""What a viewer would send back of an edited film costs in `strict`, and what editors do does not."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np
import pytest

from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.benchmarks.repurpose.dataset import FILM
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.media.edit import replace_sound
from cutscore.media.footage import Footage, change_pictures, load_footage
from cutscore.media.orientation import Pixels
from cutscore.media.sound import Sound
from cutscore.media.variants import delay_pictures, write_as

pytestmark = pytest.mark.real

Change = Callable[[Footage], Footage]
RECAP, SOCIAL_CUT = 0, 2  # 16:9 of a talk, and 9:16 of a match


def blur(sigma: float) -> Change:
    return lambda footage: change_pictures(footage, lambda old: (cv2.GaussianBlur(one, (0, 0), sigma) for one in old))


def heard(change: Callable[[np.ndarray, int], np.ndarray]) -> Change:
    def changed(footage: Footage) -> Footage:
        assert footage.sound is not None
        samples = change(footage.sound.samples, footage.sound.rate_hz)
        return replace_sound(footage, Sound(np.clip(samples, -1, 1).astype(np.float32), footage.sound.rate_hz))

    return changed


def delay(samples: np.ndarray, by: int) -> np.ndarray:
    return np.concatenate([np.zeros_like(samples[:by]), samples])[: len(samples)]


def mute(samples: np.ndarray, rate_hz: int) -> np.ndarray:
    muted = samples.copy()
    muted[2 * rate_hz : 4 * rate_hz] = 0
    return muted


def music(samples: np.ndarray, rate_hz: int) -> np.ndarray:
    at = np.arange(len(samples)) / rate_hz
    chord = sum(np.sin(2 * np.pi * hz * at) for hz in (220, 277, 330)) * (1 + np.sin(2 * np.pi * 2 * at)) / 12
    return np.asarray(samples + chord.reshape(-1, *[1] * (samples.ndim - 1)))


def deliver(starter: LoadedBenchmark, number: int, change: Change, folder: Path, **options: str) -> Ending:
    """Mark the perfect film of a commission, changed or encoded with other options of x264."""
    item = starter.items[number]
    made = starter.oracle_deliverable("perfect", item)
    assert isinstance(made, Deliverable)
    film = next(ref for ref in made.files if ref.name == FILM)
    write_as(change(load_footage(starter.store.path(film))), folder / FILM, options={"crf": "18", **options})
    changed = starter.store.put(folder / FILM, name=FILM, media_type="video/mp4")
    return starter.mark(Deliverable(files=(changed, *(ref for ref in made.files if ref is not film))), item)


def faults(ending: Ending) -> list[str]:
    return [each.name for each in ending.findings if each.name.startswith("fault/")]


@pytest.mark.parametrize("number", [RECAP, SOCIAL_CUT])
@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("blurred", blur(1.5)),
        ("out of step", heard(lambda samples, rate_hz: delay(samples, rate_hz * 3 // 10))),
        ("doubled", heard(lambda samples, rate_hz: samples + delay(samples, rate_hz // 4))),
        ("clipped", heard(lambda samples, _: samples * 30)),
    ],
)
def test_a_film_spoilt_throughout_is_worth_nothing(
    name: str, change: Change, number: int, bench: Callable[[str], LoadedBenchmark], tmp_path: Path
) -> None:
    ending = deliver(bench("repurpose"), number, change, tmp_path)
    assert faults(ending) == [f"fault/{name}"]
    assert ending.scores["score@strict"] == 0
    assert ending.scores["score@paper"] >= 0.5
    assert ending.scores["format@strict"] == 1


def test_a_muted_stretch_costs_its_share(bench: Callable[[str], LoadedBenchmark], tmp_path: Path) -> None:
    ending = deliver(bench("repurpose"), RECAP, heard(mute), tmp_path)
    assert faults(ending) == ["fault/silent"]
    at = next(each.at for each in ending.findings if each.name == "fault/silent")
    assert at is not None
    assert Fraction(3, 2) <= at.start_s < at.end_s <= Fraction(9, 2)
    assert ending.scores["score@strict"] < 0.9 * ending.scores["score@paper"]


@pytest.mark.parametrize("transfer", ["smpte2084", "arib-std-b67"])
def test_a_false_label_of_hdr_is_worth_nothing(
    transfer: str, bench: Callable[[str], LoadedBenchmark], tmp_path: Path
) -> None:
    label = {"x264-params": f"transfer={transfer}"}
    ending = deliver(bench("repurpose"), RECAP, lambda footage: footage, tmp_path, **label)
    assert faults(ending) == ["fault/hdr"]
    assert (ending.scores["score@paper"], ending.scores["score@strict"]) == (1, 0)


@pytest.mark.parametrize("number", [RECAP, SOCIAL_CUT])
@pytest.mark.parametrize(
    "change",
    [
        heard(music),
        heard(lambda samples, rate_hz: music(0 * samples, rate_hz)),
        heard(lambda samples, _: samples * 0.3),
        lambda footage: change_pictures(footage, darker),
    ],
    ids=["under music", "music alone", "less loud", "darker"],
)
def test_what_editors_do_is_no_fault(
    number: int, change: Change, bench: Callable[[str], LoadedBenchmark], tmp_path: Path
) -> None:
    assert faults(deliver(bench("repurpose"), number, change, tmp_path, crf="28")) == []


def darker(old: Iterator[Pixels]) -> Iterator[Pixels]:
    return ((one * 0.8).astype(np.uint8) for one in old)


@pytest.mark.parametrize("number", [RECAP, SOCIAL_CUT])
def test_pictures_late_by_one_are_no_echo(number: int, bench: Callable[[str], LoadedBenchmark], tmp_path: Path) -> None:
    assert deliver(bench("repurpose"), number, delay_pictures, tmp_path).scores["score@strict"] == 1
