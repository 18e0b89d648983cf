"""Marking a repair: every hard gate, every rule of H.1 with a case on each side of it, and what the report is told."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.benchmarks.repair import oracle
from cutscore.benchmarks.repair.dataset import RepairItem
from cutscore.benchmarks.repair.edits.effects import black_out, freeze
from cutscore.benchmarks.repair.edits.insertions import cut_out
from cutscore.benchmarks.repair.report import FIXED, REPORT
from cutscore.benchmarks.repair.verify import job
from cutscore.benchmarks.repair.verify.placement import RepairReward
from cutscore.cells.marking import mark_one
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileRef
from cutscore.core.timeline import Span
from cutscore.media.edit import join_footage, replace_sound, trim
from cutscore.media.footage import Footage, change_pictures, load_whole_clip, write_footage
from cutscore.media.sound import Sound
from cutscore.media.variants import write_as
from cutscore.submissions import read_submission

Change = Callable[[Footage], Footage]


class Desk:
    """Makes and marks submissions for the starter clips."""

    def __init__(self, bench: LoadedBenchmark, folder: Path) -> None:
        self.bench, self._folder = bench, folder
        self.items = {item.defect.kind: item for item in bench.items if isinstance(item, RepairItem)}

    def clip(
        self, item: RepairItem, change: Change = lambda film: film, *, of: str = "golden", crf: int = 18
    ) -> FileRef:
        source = item.golden if of == "golden" else item.broken
        write_footage(change(load_whole_clip(self.bench.store.path(source))), self._folder / FIXED, crf=crf)
        return self.file(FIXED)

    def file(self, name: str) -> FileRef:
        return self.bench.store.put(self._folder / name, name=FIXED, media_type="video/mp4")

    def path(self, name: str) -> Path:
        return self._folder / name

    def report(self, *spans: tuple[float, float], kind: str = "blur") -> FileRef:
        return oracle.report(self.bench.store, kind, [Span(start_s=start, end_s=end) for start, end in spans])

    def words(self, text: str) -> FileRef:
        return self.bench.store.put_bytes(text.encode(), name=REPORT, media_type="text/markdown")

    def mark(self, item: RepairItem, *files: FileRef, **options: str) -> Ending:
        return mark_one(
            self.bench.found,
            Deliverable(files=files),
            Evidence(files=files),
            item,
            store=self.bench.store,
            options=options,
        )


@pytest.fixture(scope="module")
def context(bench: Callable[[str], LoadedBenchmark], tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(bench("repair"), tmp_path_factory.mktemp("repairs"))


@pytest.fixture(scope="module", autouse=True)
def forgotten() -> Iterator[None]:
    yield
    for each in (
        job.find_delivery_fault,
        job.find_copy_fault,
        job.compare_clips,
        job.check_cuts,
        job.find_film_faults,
        job.clip_length_s,
    ):
        each.cache_clear()


def rewards(ending: Ending) -> tuple[float, float, float]:
    assert ending.scores["reward@strict"] <= ending.scores["reward@paper"]
    paper, strict, table2 = (ending.scores[f"reward@{mode}"] for mode in ("paper", "strict", "table2"))
    return paper, strict, table2


def because(ending: Ending, name: str = "reward") -> str:
    return next(each.because for each in ending.findings if each.name == name)


def values(ending: Ending, name: str) -> list[float]:
    return [each.value for each in ending.findings if each.name == name]


def slowed(film: Footage) -> Footage:
    return replace(
        film, rate=film.rate / 2, pictures=lambda: islice(film.pictures(), 0, None, 2), count=film.count // 2
    )


def resampled(film: Footage) -> Footage:
    assert film.sound is not None
    return replace_sound(film, Sound(film.sound.samples.repeat(3, axis=0), 3 * film.sound.rate_hz))


def wider(film: Footage) -> Footage:
    return change_pictures(film, lambda old: (np.pad(each, ((0, 0), (1, 1), (0, 0))) for each in old))


def longer(film: Footage, pictures: int) -> Footage:
    return join_footage([film, trim(film, Span(start_s=0, end_s=pictures / film.rate))])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (wider, "size: fixed.mp4 is 130×72, asked was 128×72"),
        (slowed, "rate: fixed.mp4 has 4 pictures a second, asked were 8"),
        (lambda film: longer(film, 3), "length: fixed.mp4 lasts 4.38 s, asked were 4 ± 0.25 s"),
        (lambda film: trim(film, Span(start_s=0, end_s="29/8")), "length: fixed.mp4 lasts 3.62 s"),
        (lambda film: replace_sound(film, None), "sound: fixed.mp4 has no sound track, asked was one"),
        (resampled, "sample rate: fixed.mp4 has sound of 48000 Hz, asked were 16000 Hz"),
    ],
    ids=["size", "rate", "longer", "shorter", "sound", "sample rate"],
)
def test_a_file_that_is_not_as_asked_stops_at_a_gate(context: Desk, change: Change, told: str) -> None:
    item = context.items["blur"]
    ending = context.mark(item, context.clip(item, change))
    assert rewards(ending) == (0, 0, 0)
    assert because(ending).startswith(told)
    assert ending.scores["s_in@paper"] == ending.scores["s_out@paper"] == 0


def test_a_length_at_the_edge_of_what_the_brief_allows_passes(context: Desk) -> None:
    """A quarter of a second is two pictures."""
    item = context.items["blur"]
    ending = context.mark(item, context.clip(item, lambda film: longer(film, 2)))
    assert rewards(ending)[:2] == (1, 1)


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"container": "matroska"}, "container: fixed.mp4 is matroska, asked was mp4"),
        ({"codec": "mpeg4"}, "codec: fixed.mp4 is encoded as mpeg4, asked was h264"),
    ],
)
def test_another_container_or_codec_stops_at_a_gate(context: Desk, how: Mapping[str, str], told: str) -> None:
    item = context.items["blur"]
    write_as(load_whole_clip(context.bench.store.path(item.golden)), context.path("other.mp4"), **how)
    assert because(context.mark(item, context.file("other.mp4"))).startswith(told)


@pytest.mark.parametrize("kind", ["blur", "noise", "swapped_shots", "filler_words"])
def test_nothing_is_worth_nothing_and_named(context: Desk, kind: str) -> None:
    item = context.items[kind]
    ending = context.mark(item, context.report((0, 1)))
    assert rewards(ending) == (0, 0, 0)
    assert because(ending) == "missing file: fixed.mp4 was not delivered"


def test_a_link_is_not_called_undelivered(context: Desk, tmp_path: Path) -> None:
    """Its file was handed in and refused, and the reason says so."""
    (tmp_path / "handed-in" / "blur").mkdir(parents=True)
    (tmp_path / "handed-in" / "blur" / "fixed.mp4").symlink_to(context.path("elsewhere.mp4"))
    deliverable = read_submission(tmp_path / "handed-in", "blur", store=context.bench.store)
    told = because(context.bench.mark(deliverable, context.items["blur"]))
    assert told.startswith("missing file: fixed.mp4 was not taken in; refused: 'fixed.mp4' ")


@pytest.mark.parametrize("kind", ["blur", "filler_words"])
def test_a_report_that_is_a_link_is_not_called_undelivered(context: Desk, tmp_path: Path, kind: str) -> None:
    handed_in = tmp_path / "handed-in" / "clip"
    handed_in.mkdir(parents=True)
    fixed = oracle.perfect(context.items[kind], context.bench.store).files[0]
    (handed_in / FIXED).write_bytes(context.bench.store.path(fixed).read_bytes())
    (handed_in / REPORT).symlink_to(context.path("elsewhere.md"))
    deliverable = read_submission(tmp_path / "handed-in", "clip", store=context.bench.store)
    ending = context.bench.mark(deliverable, context.items[kind])
    assert because(ending, "located").startswith("missing file: report.md was not taken in; refused: 'report.md' ")


def test_what_is_no_video_is_worth_nothing(context: Desk) -> None:
    item = context.items["blur"]
    context.path("list.mp4").write_text("ffconcat version 1.0\nfile golden.mp4\n")
    ending = context.mark(item, context.file("list.mp4"))
    assert rewards(ending) == (0, 0, 0)
    assert because(ending).startswith("not a video: fixed.mp4 ")


@pytest.mark.parametrize(("kind", "of"), [("colour_shift", "broken"), ("noise", "broken"), ("filler_words", "broken")])
def test_the_broken_clip_encoded_anew_is_a_copy(context: Desk, kind: str, of: str) -> None:
    item = context.items[kind]
    spans = [(float(span.start_s), float(span.end_s)) for span in oracle.true_spans(item)]
    ending = context.mark(item, context.clip(item, of=of, crf=24), context.report(*spans, kind=kind))
    assert rewards(ending) == (0, 0, 0)
    assert because(ending).startswith("near copy: ")
    assert ending.scores["located@paper"] == 1  # what the report found is told all the same


def test_the_broken_clip_itself_is_a_copy(context: Desk) -> None:
    item = context.items["swapped_shots"]
    same = item.broken.model_copy(update={"name": FIXED})
    assert because(context.mark(item, same)) == "same file: is the broken clip, byte for byte"


def test_an_untouched_rest_is_worth_a_tenth_in_paper_and_nothing_in_strict(context: Desk) -> None:
    """The window is black: no copy, and no better than broken."""
    item = context.items["blur"]
    black = context.clip(item, lambda film: black_out(film, item.defect.window), of="broken")
    ending = context.mark(item, black)
    assert ending.scores["s_in@paper"] == 0
    assert rewards(ending) == (pytest.approx(0.1, abs=0.005), 0, 0)
    window = item.defect.window
    located = context.mark(item, black, context.report((float(window.start_s), float(window.end_s))))
    assert rewards(located)[1:] == (0, 0)
    strict = next(each for each in ending.findings if each.mode == "strict")
    assert "0.000 counts nothing, encodes and filters without knowledge reach 0." in strict.because


def test_the_reward_is_nine_tenths_inside_and_one_tenth_outside(context: Desk) -> None:
    """Golden, with a second of black before the window."""
    item = context.items["colour_shift"]
    ending = context.mark(item, context.clip(item, lambda film: black_out(film, Span(start_s=0, end_s=1))))
    inside, outside = ending.scores["s_in@paper"], ending.scores["s_out@paper"]
    assert inside == 1
    assert 0.3 < outside < 0.9
    assert ending.scores["reward@paper"] == pytest.approx(0.9 * inside + 0.1 * outside)
    assert ending.scores["reward@strict"] == pytest.approx(ending.scores["reward@paper"] * 3 / 4)
    (black,) = [each for each in ending.findings if each.name == "fault/black"]
    assert black.at == Span(start_s=0, end_s=1)


def test_a_still_in_the_window_mends_nothing(context: Desk) -> None:
    """The first picture of golden's window has the right colours, and is near to those that follow."""
    item = context.items["colour_shift"]
    window = item.defect.window
    shown = {}
    for count, end_s in (("some", window.start_s + window.length_s / 3), ("all", window.end_s)):
        span = Span(start_s=window.start_s, end_s=end_s)
        shown[count] = context.mark(item, context.clip(item, lambda film, span=span: freeze(film, span)))
    assert shown["some"].scores["s_in@paper"] > 0.5
    assert values(shown["some"], "moved")[0] > 0.5
    assert rewards(shown["all"])[:2] == (pytest.approx(0.1, abs=0.01), 0)
    assert because(shown["all"], "moved") == "inside the window fixed.mp4 shows 0% of golden's movement"


def test_a_window_with_black_around_it_is_another_film(context: Desk) -> None:
    item = context.items["blur"]
    window = item.defect.window
    around = (Span(start_s=0, end_s=window.start_s), Span(start_s=window.end_s, end_s=4))
    ending = context.mark(item, context.clip(item, lambda film: black_out(black_out(film, around[0]), around[1])))
    assert rewards(ending) == (0, 0, 0)
    assert because(ending).startswith("another film: ")
    assert because(ending).endswith("of the pictures outside of the window lie below 20 dB")


@pytest.mark.parametrize(("pictures", "factor"), [(3, 1), (4, Fraction(32, 36))])
def test_a_swap_may_differ_by_a_tenth_in_length(context: Desk, pictures: int, factor: Fraction) -> None:
    """Three pictures more than 32 are 9.4%, four are 12.5%."""
    item = context.items["swapped_shots"]
    ending = context.mark(item, context.clip(item, lambda film: longer(film, pictures)))
    assert ending.scores["s_in@paper"] == 1
    assert ending.scores["reward@paper"] == pytest.approx(float(factor))
    assert values(ending, "length_factor") == [pytest.approx(float(factor))]
    assert "s_out@paper" not in ending.scores


def cut(context: Desk, item: RepairItem, spans: list[Span]) -> FileRef:
    return context.clip(item, lambda film: cut_out(film, spans), of="broken")


def true_of(item: RepairItem) -> list[Span]:
    return oracle.true_spans(item)


def said(spans: list[Span]) -> list[tuple[float, float]]:
    return [(float(span.start_s), float(span.end_s)) for span in spans]


def test_ranges_count_when_they_were_rendered(context: Desk) -> None:
    item = context.items["filler_words"]
    true = oracle.true_spans(item)
    fixed = cut(context, item, true)
    ending = context.mark(item, fixed, context.report(*said(true), kind="filler_words"))
    assert rewards(ending) == (1, 1, 1)
    assert values(ending, "honest") == [1]
    lied = context.mark(item, fixed, context.report(*said(true[:1]), kind="filler_words"))
    assert rewards(lied) == (0, 0, 0)
    assert values(lied, "honest") == [0]
    assert because(lied).startswith("length: lasts ")
    assert lied.scores["located@paper"] == pytest.approx(1 / 3)


@pytest.mark.parametrize("kind", ["filler_words", "repeated_frames", "wrong_sentences"])
def test_half_of_every_range_is_worth_half_at_most(context: Desk, kind: str) -> None:
    item = context.items[kind]
    half = [Span(start_s=span.start_s, end_s=span.start_s + span.length_s / 2) for span in oracle.true_spans(item)]
    ending = context.mark(item, cut(context, item, half), context.report(*said(half), kind=kind))
    assert values(ending, "honest") == [1]
    assert max(ending.scores[f"reward@{mode}"] for mode in ("paper", "precision", "strict", "table2")) <= 0.6


def test_a_sliver_of_each_filler_is_worth_a_sliver(context: Desk) -> None:
    """An eighth of a second out of three: both ends lie within the tolerance of half a range."""
    item = context.items["filler_words"]
    slivers = [Span(start_s=span.start_s + Fraction(1, 8), end_s=span.end_s - Fraction(1, 8)) for span in true_of(item)]
    ending = context.mark(item, cut(context, item, slivers), context.report(*said(slivers), kind="filler_words"))
    assert values(ending, "range_found") == [1, 1, 1], because(ending)
    assert rewards(ending)[:2] == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert because(ending) == "3 of 3 ranges found, 3 reported; 67% of what was found is not reported"


def test_one_of_three_ranges_is_a_third_in_paper_and_strict_and_all_in_precision(context: Desk) -> None:
    item = context.items["filler_words"]
    first = true_of(item)[:1]
    ending = context.mark(item, cut(context, item, first), context.report(*said(first), kind="filler_words"))
    assert rewards(ending)[:2] == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert ending.scores["reward@precision"] == 1


def test_sprayed_ranges_locate_little(context: Desk) -> None:
    """Every quarter of a second but the window's is reported, and the window."""
    item = context.items["blur"]
    window, fixed = said([item.defect.window])[0], oracle.perfect(item, context.bench.store).files[0]
    spray = [(n / 4, n / 4 + 0.25) for n in range(16) if not window[0] - 0.25 < n / 4 < window[1]]
    ending = context.mark(item, fixed, context.report(*spray, window))
    assert len(spray) == 10
    assert ending.scores["located@paper"] == pytest.approx(1 / 11)


@pytest.mark.parametrize("how", ["backwards", "twice", "overlapping"])
def test_ranges_that_mean_the_same_are_worth_the_same(context: Desk, how: str) -> None:
    item = context.items["filler_words"]
    true = said(oracle.true_spans(item))
    (start, end), *rest = true
    lists = {
        "backwards": true[::-1],
        "twice": [*true, *true],
        "overlapping": [(start, end - 0.1), (start + 0.1, end), *rest],
    }
    fixed = cut(context, item, oracle.true_spans(item))
    ending = context.mark(item, fixed, context.report(*lists[how], kind="filler_words"))
    assert set(rewards(ending)) == {1}
    assert values(ending, "ranges_read") == [3]
    assert because(ending, "ranges_read").startswith("ranges are read as the stretches that they cover: ")


def test_who_cuts_out_most_of_a_clip_finds_nothing(context: Desk) -> None:
    """The right range is reported and cut out, and two clean seconds with it: by recall alone this would be all."""
    item = context.items["repeated_frames"]
    spans = [Span(start_s=0, end_s=2), *oracle.true_spans(item)]
    ending = context.mark(item, cut(context, item, spans), context.report(*said(spans), kind="repeated_frames"))
    assert rewards(ending) == (0, 0, 0)
    assert because(ending) == "length: fixed.mp4 lasts 2.00 s, asked were 4.1625 ± 1.61875 s"
    assert ending.scores["located@paper"] == 1 / 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "malformed ranges: missing file: report.md was not delivered"),
        ("I cut it.", "malformed ranges: no block: "),
        (
            '```json\n{"schema": "cutscore-ranges-1", "ranges": [{"start_s": 2, "end_s": 1}]}\n```',
            "malformed ranges: reversed",
        ),
    ],
)
def test_a_report_without_ranges_is_a_gate_where_they_decide(context: Desk, text: str | None, told: str) -> None:
    item = context.items["filler_words"]
    files = [cut(context, item, oracle.true_spans(item)), *([context.words(text)] if text else [])]
    ending = context.mark(item, *files)
    assert rewards(ending) == (0, 0, 0)
    assert because(ending).startswith(told)


def test_a_report_without_ranges_costs_a_mended_window_nothing_but_what_table2_pays_for_it(context: Desk) -> None:
    item = context.items["colour_shift"]
    fixed = oracle.perfect(item, context.bench.store).files[0]
    assert rewards(context.mark(item, fixed)) == (1, 1, pytest.approx(0.025 + 0.60))
    wrong = context.mark(item, fixed, context.report((0, 0.5), kind="echo"))
    assert rewards(wrong) == (1, 1, pytest.approx(0.05 + 0.60))
    assert (wrong.scores["located@paper"], wrong.scores["named@paper"]) == (0, 0)
    assert values(wrong, "start_error_s") == [-float(item.defect.window.start_s)]
    assert values(wrong, "range_iou") == [0]


@pytest.mark.parametrize(("off", "found"), [("1/4", 1), ("13/50", 0)])
def test_the_tolerance_is_itself_within(context: Desk, off: str, found: int) -> None:
    item = context.items["blur"]
    window, fixed = item.defect.window, oracle.perfect(item, context.bench.store).files[0]
    assert item.tolerance_s == Fraction(1, 4)
    start, end = float(window.start_s + Fraction(off)), float(window.end_s)
    ending = context.mark(item, fixed, context.report((start, end)))
    assert ending.scores["located@paper"] == found
    assert ending.scores["named@paper"] == 1
    assert context.mark(item, fixed, context.report((start, end)), tolerance_s="1").scores["located@paper"] == 1


def test_table2_may_measure_overlap(context: Desk) -> None:
    item = context.items["blur"]
    fixed, window = oracle.perfect(item, context.bench.store).files[0], item.defect.window
    half = context.report((float(window.start_s), float(window.start_s + window.length_s / 2)))
    assert context.mark(item, fixed, half, localisation="iou").scores["reward@table2"] == pytest.approx(0.65 + 0.35 / 2)
    assert context.mark(item, fixed, half).scores["reward@table2"] == pytest.approx(0.65)


def test_weights_can_be_chosen(context: Desk) -> None:
    item = context.items["noise"]
    half = oracle.near_miss(item, context.bench.store).files
    placed = {name: values(context.mark(item, *half), f"{name}_in")[0] for name in ("fw_seg_snr", "si_sdr")}
    for options, share in (({}, 0.5), ({"quality": "3"}, 0.75), ({"fidelity": "0"}, 1.0)):
        expected = share * placed["fw_seg_snr"] + (1 - share) * placed["si_sdr"]
        assert context.mark(item, *half, **options).scores["s_in@paper"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"quality": "-1"}, "--set quality=-1: is not a weight; give 0 or more"),
        ({"psnr": "nan"}, "--set psnr=nan: is not a weight"),
        ({"tolerance_s": "soon"}, "--set tolerance_s=soon: is no number of seconds"),
        ({"quality": "0", "fidelity": "0"}, "nothing is measured inside the window"),
    ],
)
def test_a_choice_that_cannot_be_is_said(context: Desk, options: Mapping[str, str], told: str) -> None:
    item = context.items["noise"]
    ending = context.mark(item, *oracle.perfect(item, context.bench.store).files, **options)
    assert ending.status == "unscored"
    assert told in ending.because


def test_the_blob_holds_every_measurement(context: Desk) -> None:
    item = context.items["noise"]
    ending = context.mark(item, *oracle.near_miss(item, context.bench.store).files)
    blob = RepairReward.model_validate_json(because(ending, "blob"))
    assert blob.reward == ending.scores["reward@paper"]
    assert (blob.s_in, blob.s_out) == (ending.scores["s_in@paper"], ending.scores["s_out@paper"])
    assert blob.window == item.defect.window
    assert {(each.measure.name, each.measure.where) for each in blob.measures} == {
        (each.name, each.where) for each in item.measures
    }
    assert json.loads(because(ending, "blob"))["measures"][0]["measure"]["broken"] == item.measures[0].broken


def test_findings_name_the_file_and_the_stretch(context: Desk) -> None:
    item = context.items["blur"]
    window = item.defect.window
    files = oracle.near_miss(item, context.bench.store).files
    ending = context.mark(item, *files)
    by_name = {each.name: each for each in ending.findings}
    for name in ("reward", "s_in", "s_out", "psnr_in", "sdr_out"):
        assert (by_name[name].file, by_name[name].at) == (FIXED, window)
    assert (by_name["range_found"].file, by_name["range_found"].at) == (item.broken.name, window)
    assert by_name["pictures_late_s"].value == 0
    assert "is 0 and" in by_name["psnr_in"].because
