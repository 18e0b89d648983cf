"""Defects in footage that nobody staged: a film with music, and a president's speech; both are fetched by `tools/`."""

import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from release_marks import rest_at_release

from cutscore.authoring.build_folder import open_build_folder
from cutscore.authoring.footage import read_footage
from cutscore.authoring.loaded_benchmark import load_benchmark
from cutscore.authoring.recipe_options import BuildOptions, BuildResult, parse_options
from cutscore.benchmarks.repair import build as recipe
from cutscore.benchmarks.repair import keyless, oracle
from cutscore.benchmarks.repair.dataset import RepairItem, items
from cutscore.benchmarks.repair.edits.insertions import cut_out
from cutscore.benchmarks.repair.planting.stretches import find_pauses
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.subject import WorkContext
from cutscore.core.timeline import Span
from cutscore.media.audio import read_sound
from cutscore.media.edit import trim
from cutscore.media.footage import Footage, change_pictures, load_footage, load_whole_clip, write_footage
from cutscore.media.orientation import Pixels
from cutscore.media.render import write_clip
from cutscore.media.sound import Sound
from cutscore.registry import benchmark
from cutscore.store import Store

pytestmark = pytest.mark.real


def sample(name: str, tool: str) -> Path:
    path = Path(sys.prefix) / "share" / "cutscore" / name
    if not path.is_file():
        pytest.skip(f"{name} is missing: 'sh tools/{tool}' fetches it")
    return path


@pytest.fixture(scope="module")
def bunny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Big Buck Bunny at an eighth of its sides and half of its rate: 160×90, 12.5 pictures a second, music."""
    film = load_footage(sample("bigbuckbunny.mp4", "sample_film.sh"), rate=Fraction(25, 2), trusted=False)

    def smaller(old: Iterator[Pixels]) -> Iterator[Pixels]:
        return (each.reshape(90, 8, 160, 8, 3).mean(axis=(1, 3)).astype(np.uint8) for each in old)

    path = tmp_path_factory.mktemp("films") / "bunny.mp4"
    write_footage(change_pictures(film, smaller), path)
    return path


@pytest.fixture(scope="module")
def kennedy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eleven seconds of John F. Kennedy's inaugural address over pictures that drift, 64×36, 5 a second."""
    speech = read_sound(sample("jfk.wav", "speech_sample.sh"), rate_hz=48_000, channels="mono")
    texture = np.kron(np.random.default_rng(1).integers(0, 256, (9, 40, 3)), np.ones((4, 4, 1))).astype(np.uint8)
    count = int(speech.length_s * 5)
    path = tmp_path_factory.mktemp("films") / "kennedy.mp4"
    pictures = (np.ascontiguousarray(np.roll(texture, 3 * number, axis=1)[:, :64]) for number in range(count))
    write_clip(path, pictures, rate=Fraction(5), sound=speech)
    return path


@pytest.fixture
def build(tmp_path: Path) -> Callable[..., list[RepairItem]]:
    def call(film: Path, **own: str) -> list[RepairItem]:
        options = BuildOptions(own=parse_options(own, recipe.OPTIONS, recipe="repair"))
        with open_build_folder(tmp_path / "pack", own) as out:
            built: BuildResult = recipe.build(
                read_footage([str(film)], out, licence="CC-BY-3.0", tell=lambda line: None), out, options
            )
        assert (built.items, built.refused) == (1, ())
        return list(items(Store(tmp_path / "store"), tmp_path / "pack"))

    return call


@pytest.mark.parametrize("kind", rest_at_release(["blur", "colour_shift", "noise"], "blur"))
def test_a_film_is_broken_measured_and_looked_at(
    build: Callable[..., list[RepairItem]], bunny: Path, tmp_path: Path, kind: str
) -> None:
    (item,) = build(bunny, defect=kind, at="1.6-3.2")
    gaps = {measure.name: measure.gap / max(measure.noise, 1e-9) for measure in item.measures if measure.where == "in"}
    assert gaps
    assert min(gaps.values()) > 2
    assert item.encode_noise < 0.6  # what filters without knowledge reach
    store = Store(tmp_path / "store")
    context = WorkContext(store=store, make_workspace=lambda: tmp_path, epoch=1, seed=1)
    files = keyless.reader(Ask(item=item.id, brief=item.brief, files=item.materials), context).files
    assert files[-1].name == "report.md"
    if kind != "noise":  # the music never pauses, and so there is no floor to hear it by
        fixed = load_whole_clip(store.path(files[0]))
        assert fixed.count == 66


def test_fillers_go_into_the_pauses_of_a_speech(
    build: Callable[..., list[RepairItem]], kennedy: Path, tmp_path: Path
) -> None:
    um = Sound((0.3 * np.sin(np.arange(14_400) * 0.02)).astype(np.float32), 48_000)
    still = np.zeros((36, 64, 3), np.uint8)
    write_footage(Footage(lambda: iter([still] * 2), 2, Fraction(5), um, "um"), tmp_path / "um.mp4")
    (item,) = build(kennedy, defect="filler_words", insert=str(tmp_path / "um.mp4"))
    quiet = find_pauses(load_whole_clip(kennedy).sound or um)
    assert item.ranges
    assert item.defect.strength["pictures"] in ("go on", "swing")
    assert len(quiet) > 4


def test_a_speech_echoes_and_its_intelligibility_counts(build: Callable[..., list[RepairItem]], kennedy: Path) -> None:
    (item,) = build(kennedy, defect="echo", at="3-6", speech="yes")
    assert {measure.name for measure in item.measures if measure.where == "in"} >= {"stoi", "si_sdr"}


def test_a_sentence_that_is_wrong_is_put_into_a_speech(
    build: Callable[..., list[RepairItem]], kennedy: Path, tmp_path: Path
) -> None:
    write_footage(trim(load_whole_clip(kennedy), Span(start_s=0, end_s=3)), tmp_path / "words.mp4")
    (item,) = build(kennedy, defect="wrong_sentences", insert=str(tmp_path / "words.mp4"), at="2-9")
    (true,) = item.ranges
    assert 3 <= true.spans[0].length_s <= Fraction(16, 5)
    golden, broken = (load_whole_clip(tmp_path / "pack" / ref.name) for ref in (item.golden, item.broken))
    assert broken.length_s - golden.length_s == true.spans[0].length_s


MODES = ("paper", "precision", "strict", "table2")


@pytest.mark.parametrize("kind", rest_at_release(["repeated_frames", "filler_words"], "filler_words"))
def test_what_is_cut_out_of_a_film_has_the_marks_that_are_known(
    build: Callable[..., list[RepairItem]], bunny: Path, tmp_path: Path, kind: str
) -> None:
    um = Sound((0.3 * np.sin(np.arange(17_280) * 0.02)).astype(np.float32), 48_000)
    still = np.zeros((36, 64, 3), np.uint8)
    write_footage(Footage(lambda: iter([still] * 2), 2, Fraction(5), um, "um"), tmp_path / "um.mp4")
    (item,) = build(bunny, defect=kind, **({"insert": str(tmp_path / "um.mp4")} if kind == "filler_words" else {}))
    bench = load_benchmark(benchmark("repair"), Store(tmp_path / "store"), data=tmp_path / "pack")
    broken, true = load_whole_clip(tmp_path / "pack" / item.broken.name), oracle.true_spans(item)

    def rewards(film: Footage, spans: list[Span], crf: int = 18) -> list[float]:
        write_footage(film, tmp_path / "fixed.mp4", crf=crf)
        fixed = bench.store.put(tmp_path / "fixed.mp4", name="fixed.mp4", media_type="video/mp4")
        ending = bench.mark(Deliverable(files=(fixed, oracle.report(bench.store, kind, spans))), item)
        return [ending.scores[f"reward@{mode}"] for mode in MODES]

    golden = cut_out(broken, true)
    assert all(min(rewards(golden, true, crf)) >= 0.96 for crf in (18, 28))
    half = [Span(start_s=span.start_s, end_s=span.start_s + span.length_s / 2) for span in true]
    assert max(rewards(cut_out(broken, half), half)) <= 0.6
    turned = change_pictures(golden, lambda old: (np.ascontiguousarray(each[::-1, ::-1]) for each in old))
    assert max(rewards(broken, true) + rewards(turned, true)) == 0
