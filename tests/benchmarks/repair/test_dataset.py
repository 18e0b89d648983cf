"""What a broken clip must say about itself, and what its client must not say."""

from fractions import Fraction
from typing import Any

import pytest
from pydantic import ValidationError

from cutscore.benchmarks.repair.dataset import RepairItem, authoring_faults, deliveries, find_giveaway, group_of
from cutscore.benchmarks.repair.defect import KINDS, TIMELINE, Defect, DefectKind
from cutscore.benchmarks.repair.planting.briefs import hints, wordings
from cutscore.benchmarks.repair.verify.placement import Measure
from cutscore.benchmarks.repair.verify.range_match import TrueRange
from cutscore.core.files import FileRef
from cutscore.core.timeline import Span

WINDOW = Span(start_s=1, end_s=3)


def ref(name: str, digit: str) -> FileRef:
    return FileRef(name=name, sha256=digit * 64, size_bytes=1)


def defect(kind: DefectKind) -> Defect:
    return Defect(kind=kind, window=WINDOW, strength={})


def fields(kind: DefectKind = "echo", **other: Any) -> dict[str, Any]:
    spec = deliveries(kind, size=(64, 36), rate=Fraction(10), length_s=Fraction(5), sound_hz=48_000)
    return {
        "id": "clip-1",
        "cluster": "film",
        "brief": "Please mend it.",
        "materials": (ref("clip-1/broken.mp4", "a"),),
        "hidden": (ref("clip-1/golden.mp4", "b"),),
        "deliveries": spec,
        "licence": "CC0-1.0",
        "defect": defect(kind),
        "measures": (Measure(name="psnr", broken=20, golden=40),),
        "tolerance_s": Fraction(1, 4),
        "most_clean_s": Fraction(1, 2),
        **other,
    }


RANGE = TrueRange(spans=(Span(start_s=1, end_s=2),), kind="filler_words")


def test_windows_have_measures_and_what_is_cut_out_has_ranges() -> None:
    assert RepairItem(**fields()).broken.name == "clip-1/broken.mp4"
    assert RepairItem(**fields("filler_words", measures=(), ranges=(RANGE,))).golden.name == "clip-1/golden.mp4"
    assert RepairItem(**fields("swapped_shots", ranges=(RANGE,))).ranges == (RANGE,)


@pytest.mark.parametrize(
    ("kind", "other", "said"),
    [
        ("echo", {"measures": ()}, "echo needs a measure inside the window"),
        ("echo", {"measures": (Measure(name="psnr", where="out", broken=1, golden=2),)}, "needs a measure inside"),
        ("echo", {"ranges": (RANGE,)}, "echo has a window and no ranges"),
        ("filler_words", {"measures": ()}, "filler_words needs ranges that should go, and no measures"),
        ("filler_words", {"ranges": (RANGE,)}, "filler_words needs ranges that should go, and no measures"),
        ("swapped_shots", {"measures": ()}, "swapped_shots needs a measure"),
        ("blur", {"groups": {"kind": "echo"}}, "groups say otherwise than the defect, which is blur"),
        ("blur", {"groups": {"group": "audio"}}, "groups say otherwise"),
        ("blur", {"hidden": ()}, "hidden is the one golden clip"),
        ("blur", {"deliveries": fields()["deliveries"][::-1]}, "deliveries are fixed.mp4 and report.md"),
        (
            "filler_words",
            {"measures": (), "ranges": (TrueRange(spans=(Span(start_s=0, end_s=2),)),)},
            "every range lies inside",
        ),
    ],
)
def test_what_does_not_fit_its_kind_is_refused(kind: DefectKind, other: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        RepairItem(**fields(kind, **other))


def test_all_truth_is_marked() -> None:
    named = {"defect", "measures", "encode_noise", "ranges", "tolerance_s", "most_clean_s", "hidden", "hints"}
    assert named <= set(RepairItem.truth_fields())


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_of_one_group_are_told_the_same_delivery(kind: DefectKind) -> None:
    fixed, report = deliveries(kind, size=(64, 36), rate=Fraction(25), length_s=Fraction(9), sound_hz=44_100)
    length = "8.1 s ± 3.15 s" if kind in TIMELINE else "9 s ± 0.25 s"
    told = f"fixed.mp4: the whole clip, repaired (mp4, h264, 64×36 pixels, 25 pictures a second, {length}, with sound,"
    assert fixed.brief_line == f"{told} sampled at 44100 Hz)"
    assert report.name == "report.md"
    assert (kind in TIMELINE) == (group_of(kind) == "timeline")


@pytest.mark.parametrize("kind", KINDS)
def test_our_own_requests_tell_neither_time_nor_defect_and_hints_do(kind: DefectKind) -> None:
    texts = wordings(kind)
    assert len(set(texts)) >= 4
    assert [find_giveaway(text, defect(kind)) for text in texts] == [""] * len(texts)
    said = hints(defect(kind))
    assert "00:01.000 to 00:03.000" in said["location"]
    assert "names the time" in find_giveaway(said["location"], defect(kind))
    assert "names the defect" in find_giveaway(said["fix"].partition("What is wrong: ")[2], defect(kind))


@pytest.mark.parametrize(
    ("brief", "kind", "found"),
    [
        ("It goes wrong at 0:12.", "echo", "0:1"),
        ("It goes wrong after 12 seconds.", "echo", "12 seconds"),
        ("Look at frame 1400 frames in.", "echo", "1400 frames"),
        ("It goes wrong near the end.", "echo", "near the end"),
        ("Only the first few seconds are good.", "echo", "first few seconds"),
        ("It goes wrong half-way.", "echo", "half-way"),
        ("About 60 % in it goes wrong.", "echo", "0 %"),
        ("There is some hiss.", "noise", "hiss"),
        ("It sounds like a bathroom.", "echo", "bathroom"),
        ("The voice is distorted.", "clipping", "distort"),
        ("There is a green cast.", "colour_shift", "green"),
        ("It is out of focus.", "blur", "focus"),
        ("It lost its crispness.", "lost_sharpness", "crisp"),
        ("Shots are in the wrong order.", "swapped_shots", "Shots"),
        ("Take the ums out; he says um.", "filler_words", "um"),
        ("A bit is frozen.", "repeated_frames", "frozen"),
        ("She says something that is not a fact.", "wrong_sentences", "fact"),
    ],
)
def test_a_request_that_names_time_or_defect_is_found_out(brief: str, kind: DefectKind, found: str) -> None:
    assert f"'{found}'" in find_giveaway(brief, defect(kind))


@pytest.mark.parametrize(
    ("brief", "kind"),
    [
        ("Finally the client wants it clean, in order to send it out.", "swapped_shots"),
        ("We use other software.", "lost_sharpness"),
        ("It took two of us a while.", "echo"),
        ("In fact it should simply play.", "wrong_sentences"),
    ],
)
def test_a_request_in_plain_words_passes(brief: str, kind: DefectKind) -> None:
    assert find_giveaway(brief, defect(kind)) == ""


def test_the_gate_hears_of_a_client_who_says_too_much() -> None:
    assert authoring_faults(RepairItem(**fields())) == []
    told = authoring_faults(RepairItem(**fields(brief="There is an echo in it.")))
    assert told == ["the brief tells too much: it names the defect: 'echo' gives echo away"]
