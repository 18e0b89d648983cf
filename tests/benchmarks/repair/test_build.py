"""Packs of broken clips: one defect where it is wanted, the rest as it was, and nothing that tells."""

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutscore.authoring.build_folder import open_build_folder
from cutscore.authoring.footage import read_footage
from cutscore.authoring.loaded_benchmark import load_benchmark
from cutscore.authoring.recipe_options import BuildOptions, BuildResult, parse_options
from cutscore.benchmarks.repair import build as recipe
from cutscore.benchmarks.repair import keyless, oracle
from cutscore.benchmarks.repair.dataset import RepairItem, find_giveaway, items
from cutscore.benchmarks.repair.defect import CUT_OUT, KINDS
from cutscore.benchmarks.repair.verify.ranges import RangeReport, read_ranges
from cutscore.core.ask import Ask
from cutscore.core.errors import BadInput
from cutscore.core.subject import WorkContext
from cutscore.core.timeline import Span
from cutscore.media.audio import read_sound
from cutscore.media.footage import Footage, load_whole_clip, write_footage
from cutscore.media.images import read_picture
from cutscore.media.probe import probe
from cutscore.media.render import write_clip
from cutscore.media.sound import Sound
from cutscore.registry import benchmark
from cutscore.stage import library
from cutscore.stage.render import frames
from cutscore.stage.render import write as render
from cutscore.store import Store

WINDOW = Span(start_s=1, end_s="2.5")


@pytest.fixture
def build(tmp_path: Path) -> Callable[..., BuildResult]:
    def call(*words: object, into: str = "pack", seed: int = 0, licence: str = "CC0-1.0", **own: str) -> BuildResult:
        options = BuildOptions(seed=seed, own=parse_options(own, recipe.OPTIONS, recipe="repair"))
        with open_build_folder(tmp_path / into, {"words": [str(word) for word in words], "seed": seed, **own}) as out:
            taken = read_footage([str(word) for word in words], out, licence=licence, tell=lambda line: None)
            return recipe.build(taken, out, options)

    return call


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four seconds of the lost kite with its sound, 96×54 at 8 pictures a second."""
    path = tmp_path_factory.mktemp("films") / "Secret Title.mp4"
    scene = library.scene("lost-kite", seed=1, length_s=4)
    render(scene.model_copy(update={"width": 96, "height": 54, "rate": Fraction(8)}), path)
    return path


def read(folder: Path) -> list[RepairItem]:
    return list(items(Store(folder.parent / f"{folder.name}-store"), folder))


def test_own_footage_echoes_where_it_is_told_to_and_says_nothing_of_it(
    build: Callable[..., BuildResult], film: Path, tmp_path: Path
) -> None:
    built = build(film, defect="echo", at="1-2.5")
    (item,) = read(tmp_path / "pack")
    assert (built.items, built.clips, built.refused, built.warnings) == (1, 1, (), ())
    assert built.counts["group"] == {"audio": 1, "visual": 0, "timeline": 0}
    assert (item.defect.kind, item.defect.window) == ("echo", WINDOW)
    assert {measure.name for measure in item.measures if measure.where == "in"} <= {"fw_seg_snr", "si_sdr"}
    assert find_giveaway(item.brief, item.defect) == ""
    public = str({**item.without_truth(), "groups": {}})
    assert not any(word in public for word in ("echo", "Secret", "lost", "golden"))
    assert item.provenance[item.broken.name].source == "Secret Title.mp4"
    assert item.hints["location"].startswith("The defect of this clip lies here: 00:01.000 to 00:02.500")
    broken, golden = (probe(tmp_path / "pack" / ref.name) for ref in (item.broken, item.golden))
    same = ("container", "codec", "width", "height", "rate", "frames", "duration_s", "sound")
    assert [getattr(broken, name) for name in same] == [getattr(golden, name) for name in same]
    heard = [
        read_sound(tmp_path / "pack" / ref.name, rate_hz=8000, channels="mono").samples
        for ref in (item.broken, item.golden)
    ]
    differs = np.abs(heard[0] - heard[1])
    # AAC smears what changes over a block on each side, and later spends its bits otherwise.
    assert differs[:7800].max() < 0.05 < differs[8000:20_000].max()
    assert differs[20_300:].max() < 0.05


@pytest.mark.real
def test_what_cannot_be_planted_is_refused_by_name(
    build: Callable[..., BuildResult], film: Path, tmp_path: Path
) -> None:
    with pytest.raises(BadInput, match=r"film 'Secret-Title, blur': span 00:03.000–00:09.000: has no picture inside"):
        build(film, into="late", defect="blur", at="3-9")
    with pytest.raises(BadInput, match=r"repeated_frames': 3.00 of 7.00 s would have to be cut out; give a shorter"):
        build(film, into="much", defect="repeated_frames", at="0.5-3.5")
    (film.parent / "Secret Title.request.md").write_text("The echo near the end has to go.")
    try:
        with pytest.raises(BadInput, match="tells too much: it names the time: 'near the end'"):
            build(film, into="loud", defect="repeated_frames", at="1-2")
    finally:
        (film.parent / "Secret Title.request.md").unlink()


@pytest.mark.real
def test_a_silent_track_is_left_out_and_golden_is_all_right(build: Callable[..., BuildResult], tmp_path: Path) -> None:
    scene = library.scene("lost-kite", seed=1, length_s=4).model_copy(update={"width": 96, "height": 54, "rate": 8})
    silent = Sound(np.zeros(4 * 16_000, np.float32), 16_000)
    write_clip(tmp_path / "quiet.mp4", frames(scene), rate=Fraction(8), sound=silent)
    built = build(tmp_path / "quiet.mp4", defect="all", at="1-2.5")
    remedy = "nothing is heard in it; plant what is seen, or take a clip with sound"
    heard = {"noise", "echo", "clipping", "filler_words", "wrong_sentences"}
    assert {each.what for each in built.refused if each.because == remedy} == {f"quiet, {kind}" for kind in heard}
    bench = load_benchmark(benchmark("repair"), Store(tmp_path / "store"), data=tmp_path / "pack")
    blurred = next(item for item in bench.items if item.groups["kind"] == "blur")
    assert probe(tmp_path / "pack" / blurred.golden.name).sound is None
    ending = bench.mark(bench.oracle_deliverable("perfect", blurred), blurred)
    rewards = {each.mode: each.value for each in ending.findings if each.name == "reward"}
    assert rewards, ending.because
    assert set(rewards.values()) == {1.0}, ending.findings


@pytest.mark.real
def test_what_an_encode_would_hide_is_refused(build: Callable[..., BuildResult], tmp_path: Path) -> None:
    still = np.full((36, 64, 3), 90, np.uint8)
    write_footage(Footage(lambda: iter([still] * 24), 24, Fraction(8), None, "grey"), tmp_path / "grey.mp4")
    with pytest.raises(BadInput, match="is no nearer to broken than an encode is"):
        build(tmp_path / "grey.mp4", into="grey", defect="blur", at="1-2")


@pytest.mark.release
@pytest.mark.real
def test_each_kind_is_planted_in_one_scene_of_the_stage(build: Callable[..., BuildResult], tmp_path: Path) -> None:
    built = build("stage:race,seed=1,length_s=6,height=54,rate=6", defect="all")
    made = read(tmp_path / "pack")
    assert {item.defect.kind for item in made} == set(KINDS), built.refused
    assert len({item.cluster for item in made}) == 1
    sheet = (tmp_path / "pack" / "DATASHEET.md").read_text()
    assert "cutscore run repair --data DIR" in sheet
    assert "Apache-2.0" in sheet


@pytest.mark.release
@pytest.mark.real
def test_a_drawn_defect_follows_from_the_seed(build: Callable[..., BuildResult], film: Path, tmp_path: Path) -> None:
    for into, seed in (("one", 1), ("again", 1), ("two", 3)):
        assert build(film, into=into, seed=seed).items == 1
    one, again, two = ((tmp_path / into / "items.jsonl").read_bytes() for into in ("one", "again", "two"))
    assert one == again != two


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(tmp_path_factory.mktemp("starter") / "store")


@pytest.fixture(scope="module")
def starter(store: Store) -> dict[str, RepairItem]:
    return {item.defect.kind: item for item in items(store)}


def test_the_starter_has_all_kinds_small_and_alike(starter: dict[str, RepairItem], store: Store) -> None:
    assert list(starter) == list(KINDS)
    facts = [probe(store.path(item.broken)) for item in starter.values()]
    assert {(each.width, each.height, each.rate, each.sound and each.sound.rate_hz) for each in facts} == {
        (128, 72, Fraction(8), 16_000)
    }
    assert {len(item.brief) > 40 and find_giveaway(item.brief, item.defect) for item in starter.values()} == {""}
    assert len({item.cluster for item in starter.values()}) >= 4


@pytest.mark.real
def test_oracles_hand_over_what_they_say(starter: dict[str, RepairItem], store: Store) -> None:
    for kind, item in starter.items():
        reports = []
        for who in (oracle.perfect, oracle.near_miss):
            fixed, report = who(item, store).files
            clip_s = load_whole_clip(store.path(item.broken)).length_s
            read = read_ranges(store.path(report).read_text(), clip_s=clip_s)
            assert isinstance(read, RangeReport)
            cut_s = sum(each.span.length_s for each in read.ranges)
            reports.append(read)
            length_s = probe(store.path(fixed)).duration_s
            assert length_s == pytest.approx(float(clip_s - (cut_s if kind in CUT_OUT else 0)), abs=0.07)
        assert (reports[0] == reports[1]) == (kind not in CUT_OUT)


def asked(item: RepairItem) -> Ask:
    return Ask(item=item.id, brief=item.brief, files=item.materials)


def test_the_reader_mends_what_it_measures_and_is_silent_otherwise(
    starter: dict[str, RepairItem], store: Store, tmp_path: Path
) -> None:
    told = {}
    for kind, item in starter.items():
        context = WorkContext(store=store, make_workspace=lambda: tmp_path, epoch=1, seed=1)
        *fixed, report = keyless.reader(asked(item), context).files
        read = read_ranges(store.path(report).read_text(), clip_s=Fraction(99))
        assert isinstance(read, RangeReport)
        assert len(read.ranges) == len(fixed)
        told[kind] = [(each.kind, each.span.iou(item.defect.window) > 0.8) for each in read.ranges]
        (seen,) = context.tally.seen
        assert len(seen.frames) >= 25
    found = {kind for kind, ranges in told.items() if ranges == [(kind, True)]}
    assert found == {"noise", "clipping", "colour_shift", "blur", "repeated_frames"}
    assert told["lost_sharpness"] == [("blur", True)]  # it cannot tell one from the other
    assert not told["swapped_shots"] + told["filler_words"] + told["wrong_sentences"]


def test_the_reader_says_what_it_found_what_it_did_and_shows_it(
    starter: dict[str, RepairItem], store: Store, tmp_path: Path
) -> None:
    item = starter["colour_shift"]
    context = WorkContext(store=store, make_workspace=lambda: tmp_path, epoch=1, seed=1)
    _, report = keyless.reader(asked(item), context).files
    looked, mended = context.steps.trajectory() or ()
    (found,) = read_ranges(store.path(report).read_text(), clip_s=Fraction(99)).ranges
    assert looked.did[0].arguments == {"clip": item.broken.name, "at": "00:00.000–00:04.000"}
    assert looked.saw.startswith(f"colour_shift {found.span}, ")
    assert mended.did[0].arguments == {"fault": "colour_shift", "at": str(found.span)}
    red, green, blue = (float(value) for value in re.findall(r"by (\d\.\d+)", mended.said))
    assert red < green < blue, "the shift is towards yellow"
    (picture,) = mended.media
    given, fixed = np.split(read_picture(store.path(picture)), 2)
    inside = slice(150, 300)  # the second of three
    assert given[:, inside, 2].mean() < fixed[:, inside, 2].mean() - 10, "above as it was, below as it is"


def test_the_reader_says_that_it_found_nothing(starter: dict[str, RepairItem], store: Store) -> None:
    context = WorkContext(store=store, make_workspace=Path, epoch=1, seed=1)
    keyless.reader(asked(starter["swapped_shots"]), context)
    looked, wrote = context.steps.trajectory() or ()
    assert looked.saw == "nothing differs from what surrounds it"
    assert (wrote.said, wrote.media) == ("Nothing is mended, so there is no clip.", ())


def test_who_gets_nothing_or_looks_at_nothing_hands_over_nothing(starter: dict[str, RepairItem], store: Store) -> None:
    item = starter["echo"]
    (report,) = keyless.blind(asked(item), 1, store).files
    assert read_ranges(store.path(report).read_text(), clip_s=Fraction(9)) == RangeReport()
    context = WorkContext(store=store, make_workspace=Path, epoch=1, seed=1)
    assert keyless.reader(Ask(item="a", brief="b"), context).files == ()
    assert oracle.empty(item, store).files == ()


def test_a_clip_without_sound_can_be_mended(store: Store, starter: dict[str, RepairItem], tmp_path: Path) -> None:
    clip = load_whole_clip(store.path(starter["colour_shift"].broken))
    write_footage(Footage(clip.pictures, clip.count, clip.rate, None, "mute"), tmp_path / "mute.mp4")
    ref = store.put(tmp_path / "mute.mp4", name="a/broken.mp4", media_type="video/mp4")
    context = WorkContext(store=store, make_workspace=lambda: tmp_path, epoch=1, seed=1)
    fixed, _ = keyless.reader(Ask(item="a", brief="b", files=(ref,)), context).files
    assert probe(store.path(fixed)).sound is None
