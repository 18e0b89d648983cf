"""`run --audit`: a planted leak is found, where there is none it is not, and arms without sense are left out."""

from pathlib import Path

import pytest

from cutscore.bridge.rows import CellRecord
from cutscore.cells.cell import Cell
from cutscore.core.card import Card, ScoreCard
from cutscore.core.ending import Ending
from cutscore.core.row import Row
from cutscore.core.subject import SubjectSpec
from cutscore.results.benchmark import BenchmarkResult
from cutscore.results.cells import CellResult
from cutscore.results.input_audit import AuditArm, audit_arms, audit_finding

ARMS = ["question", "transcript", "frames", "one frame", "shuffled", "contradicted"]
ENTRY = [
    "arm", "subject", "model", "cell", "against", "value", "value_of_all", "kept", "estimate", "first", "second",
    "leaves_out_zero", "only_first", "only_second", "separable", "verdict", "p_value", "p_adjusted", "test", "tests",
    "needed", "detectable", "unscored",
]  # fmt: skip


@pytest.mark.real  # long, and needs nothing else
def test_a_leak_that_was_planted_in_the_transcript_is_found(cli, planted) -> None:
    words = ("run", "planted", "--subject", "reader", "--data", planted("said"), "--audit")
    ran = cli(*words, "--json")
    assert ran.code == 0
    arms = {arm["arm"]: arm for arm in ran.json["audit"]}
    assert list(arms) == ARMS
    assert [list(arm) for arm in arms.values()] == [ENTRY] * 6
    assert (arms["transcript"]["kept"], arms["transcript"]["separable"]) == (1.0, False)
    assert arms["question"]["kept"] < 0.5
    assert arms["question"]["separable"]
    assert arms["contradicted"]["separable"], "it believes what is said"
    assert all(arm["p_adjusted"] >= arm["p_value"] for arm in arms.values())
    assert {arm["against"] for arm in arms.values()} == {ran.json["cells"][0]["id"]}
    assert [cell.get("input") for cell in ran.json["cells"]] == [None, *ARMS[:3], None, *ARMS[4:]]
    assert [line.partition(", ")[2] for line in ran.said] == [
        f"input '{arm}': 1 of 16 samples had nothing to change" for arm in ("frames", "contradicted")
    ]

    shown = cli(*words)
    assert not any(event["event"] == "sample" for event in shown.events), "the same command asks nobody again"
    lines = shown.out.splitlines()
    assert lines[0] == "planted v1 reader: accuracy 0.938, chance 0.250"
    assert [line.split("   ")[0].strip() for line in lines[1:8]] == ["arm", *ARMS]
    assert lines[3].endswith("0.000   –                  16         16   1.000    1.00   equal on every clip")
    assert lines[8] == ("finding: the transcript alone keeps 1.00 of the score; equal on every clip")
    assert lines[9].startswith("p: paired by item, adjusted for 6 comparisons (Holm)")
    again = cli("rescore", *Path("logs/planted").glob("reader-*"))
    assert again.code == 0, "an arm is marked again by what its subject was shown"


@pytest.mark.real  # long, and needs nothing else
def test_where_the_answer_is_to_be_seen_no_shortcut_is_found(cli, planted) -> None:
    ran = cli("run", "planted", "--subject", "reader", "--data", planted("seen"), "--audit")
    assert "finding: pictures are needed; without them, the question alone keeps 0.19 of the score at most" in ran.out
    plain = cli("run", "planted", "--subject", "reader", "--data", "seen", "--audit", "--json").json
    kept = {arm["arm"]: arm["kept"] for arm in plain["audit"]}
    assert kept["frames"] == kept["shuffled"] == kept["contradicted"] == 1
    assert kept["transcript"] == kept["one frame"] == kept["question"] < 0.2


@pytest.mark.real
def test_arms_without_sense_are_left_out_and_said(cli, planted) -> None:
    words = ("run", "planted", "--data", planted("mute"), "--limit", 3, "--audit", "--dry-run")
    plain = cli(*words, "--subject", "reader", "--subject", "oracle", "--json").json
    assert [(cell["subject"], cell.get("input")) for cell in plain["cells"]] == [
        ("reader", None),
        ("oracle", None),
        ("reader", "question"),
        ("reader", None),
        ("reader", "shuffled"),
    ]
    no_text = ["transcript: no item has a text beside its pictures", "frames: no item has a text beside its pictures"]
    assert plain["not_run"] == [*no_text, "contradicted: no two clips have different texts"]
    sent = cli(*words, "--model", "google/x").out
    assert "not run: shuffled: google/x is sent whole clips" in sent
    assert "not run: one frame: google/x is sent whole clips" in sent
    twice = ("--subject", "model", "--subject", "transcript", "--model", "scripted/s.json", "--json")
    Path("s.json").write_text("{}")
    plain = cli("run", "planted", "--data", planted("said"), "--audit", "--dry-run", *twice).json
    assert [cell["subject"] for cell in plain["cells"]] == ["model", "transcript", *["model"] * 5]
    assert plain["not_run"] == ["transcript: its settings are those of another cell"]
    alone = cli("run", "planted", "--data", "mute", "--subject", "reader", "--ablate", "input=frames", "--json")
    assert (alone.code, alone.json["error"]["kind"]) == (2, "NothingToChange")


CARD = Card(
    name="qa", title="QA", about="", version="1", licence="", headline="score", frames="fps=1,max=8",
    scores={"score": ScoreCard(about="", chance=0.25)}, splits={"all": 16},
)  # fmt: skip


def cell(values: list[float], *, input: str = "", frames: str = CARD.frames, subject: str = "reader") -> CellResult:
    """Give a cell with one question about each of its clips."""
    made = Cell(benchmark="qa", version="1", data="", subject=SubjectSpec.parse(subject), frames=frames, input=input)
    rows = tuple(
        Row(
            benchmark="qa",
            version="1",
            cell=made.id,
            subject=subject,
            item=f"item-{number:02d}",
            epoch=1,
            cluster=f"clip-{number:02d}",
            ending=Ending(status="marked", scores={"score": value}),
        )
        for number, value in enumerate(values)
    )
    return CellResult(CellRecord(made, Path(), Path(), ()), rows)


GOOD, BAD = [0.9, 0.8] * 8, [0.3, 0.2] * 8


def found(**arms: list[float]) -> dict[str, AuditArm]:
    cells = [cell(values, input=name) for name, values in arms.items() if name != "one_frame"]
    cells += [cell(arms["one_frame"], frames="fps=1,max=1")] if "one_frame" in arms else []
    return {arm.name: arm for arm in audit_arms([BenchmarkResult(CARD, (cell(GOOD), *cells))])}


def test_every_arm_is_paired_with_the_cell_that_was_shown_everything() -> None:
    arms = found(question=BAD, transcript=[0.85, 0.78] * 8, one_frame=[0.5] * 16, shuffled=GOOD)
    assert list(arms) == ["question", "transcript", "shuffled", "one frame"]
    assert {name: round(arm.kept or 0, 3) for name, arm in arms.items()} == {
        "question": 0.294,
        "transcript": 0.959,
        "shuffled": 1.0,
        "one frame": 0.588,
    }
    assert {name: arm.comparison.verdict for name, arm in arms.items()} == {
        "question": "all is better than question",
        "transcript": "all is better than transcript",
        "shuffled": "equal on every clip",
        "one frame": "all is better than one frame",
    }
    difference = arms["question"].comparison.difference
    assert (difference.first, difference.second, difference.estimate.n) == ("question", "all", 16)
    assert difference.estimate.value == pytest.approx(-0.6)
    assert arms["question"].comparison.tests == 4


def test_two_subjects_are_not_mixed_and_an_arm_without_its_whole_is_no_arm() -> None:
    cells = (cell(GOOD), cell(BAD, subject="blind"), cell(BAD, input="question", subject="blind"))
    (arm,) = audit_arms([BenchmarkResult(CARD, cells)])
    assert (arm.cell.record.cell.subject.kind, arm.kept) == ("blind", 1.0)
    assert audit_arms([BenchmarkResult(CARD, (cell(BAD, input="question"), cell(GOOD, subject="blind")))]) == []


@pytest.mark.parametrize(
    ("arms", "said"),
    [
        (
            {"question": BAD, "transcript": GOOD},
            "the transcript alone keeps 1.00 of the score; equal on every clip",
        ),
        (
            {"question": BAD, "transcript": [0.5] * 16, "frames": GOOD},
            "pictures are needed; without them, the transcript alone keeps 0.59 of the score at most",
        ),
        ({"question": [1.0] * 16}, "the question alone keeps 1.18 of the score: pictures do harm"),
        ({"shuffled": GOOD}, "none; no arm without pictures can be compared"),
    ],
)
def test_the_finding_is_about_looking(arms: dict[str, list[float]], said: str) -> None:
    assert audit_finding(list(found(**arms).values())) == f"finding: {said}"


def test_too_few_clips_cannot_say_anything_and_nothing_cannot_be_kept() -> None:
    few = found(question=BAD[:4])
    assert few["question"].comparison.verdict == "too few clips to decide: 4, needs 6"
    assert audit_finding([few["question"]]) == (
        "finding: the question alone keeps 0.29 of the score; too few clips to decide: 4, needs 6"
    )
    (none,) = audit_arms([BenchmarkResult(CARD, (cell([0.0] * 16), cell(BAD, input="question")))])
    assert none.kept is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--subject", "reader", "--ablate", "frames=1"), "--audit: has ablations of its own"),
        (("--subject", "reader", "--frames", "4"), "--audit: compares with the benchmark's own frame plan"),
        (("--subject", "oracle"), "nobody among the subjects (oracle) looks at an input"),
    ],
)
def test_what_an_audit_cannot_do_is_said(cli, words: tuple[str, ...], said: str) -> None:
    ran = cli("run", "colorbars", "--audit", *words)
    assert ran.code == 2
    assert said in ran.err
    assert not Path("logs").exists()
