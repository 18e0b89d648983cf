"""Judges without a model, and what a name means."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cutscore import registry
from cutscore.core.errors import BadInput, BrokenData, UnknownName
from cutscore.core.evidence import Evidence
from cutscore.core.judgement import CellJudge, Judgement, JudgeSession, JudgeSpec, Question
from cutscore.core.subject import SubjectSpec
from cutscore.scoring.judges.choose import asks_model, open_judge
from cutscore.scoring.judges.constant import ConstantJudge

RED = Question(id="red", kind="yes_no", text="Is it red?")
PICK = Question(id="pick", kind="choice", text="Which?", choices=("left", "right"))
HOW = Question(id="how", kind="scale", text="How?")
FAULTS = Question(id="faults", kind="weaknesses", text="What is wrong?")
BETTER = Question(id="better", kind="pairwise", text="Which is better?")


def open_named(name: str, **options: Any) -> CellJudge:
    items = options.pop("items", {})
    return open_judge(JudgeSpec(name, **options), registry.benchmark("colorbars"), items)


def ask(
    judge: CellJudge, *questions: Question, subject: str = "blind", model: str = "", **options: Any
) -> list[Judgement]:
    session = JudgeSession("item", SubjectSpec(kind=subject, label=subject), print, model=model, **options)
    return list(judge.for_sample(session).ask(questions, Evidence()))


def test_a_constant_judge_says_the_first_that_is_short_enough() -> None:
    held = Question(id="held", kind="short", text="What?", max_chars=3)
    assert [each.answer for each in ask(open_named("constant:nothing,cup"), held)] == ["cup"]


def test_a_constant_judge_says_the_same_to_everything() -> None:
    judge = open_named("constant:yes,right,8,B")
    made = ask(judge, RED, PICK, HOW, FAULTS, BETTER)
    assert [each.answer for each in made] == ["yes", "right", 8, "yes", "B"]
    assert made[3].weaknesses[0].text == "always named"
    assert {each.judge for each in made} == {"constant:yes,right,8,B"}
    assert ask(open_named("constant:no"), FAULTS)[0].weaknesses == ()


def test_a_constant_that_fits_nothing_is_said() -> None:
    with pytest.raises(
        BadInput, match="judge 'constant:yes': none of its answers fits question 'how', which is of kind"
    ):
        ask(open_named("constant:yes"), HOW)
    with pytest.raises(BadInput, match="none of its answers fits"):
        ask(open_named("constant:11"), HOW)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("trutj", "no judge 'trutj'; did you mean 'truth'?"),
        ("openai", "no judge 'openai'; known: PROVIDER/NAME, answers, constant, people, reader, stage, truth"),
        ("constant", "judge 'constant': lacks what follows the colon; write constant:ANSWER"),
        ("people:", "judge 'people:': lacks what follows the colon; write people:LABELS.jsonl"),
        ("stage:x", "judge 'stage:x': 'stage' takes nothing after a colon; write stage"),
        ("truth:x", "judge 'truth:x': 'truth' takes nothing after a colon; write truth"),
    ],
)
def test_a_name_that_means_nobody_is_said(name: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        open_named(name)
    assert str(caught.value) == said


def test_which_names_are_models() -> None:
    assert [asks_model(name) for name in ("openai/x", "scripted/a.json", "people:a/b.jsonl", "reader", "")] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_truth_refuses_footage_that_we_did_not_render() -> None:
    said = "judge 'truth': knows only footage that cutscore rendered, and these items are your own; ask a model, or"
    with pytest.raises(BadInput, match=said):
        open_named("truth", own_data=True)


def test_stage_knows_what_items_carry_also_those_of_a_pack(monkeypatch: pytest.MonkeyPatch) -> None:
    def knows(questions: list[Question], evidence: Evidence, item: str) -> list[Judgement]:
        return [Judgement(question=each.id, judge="x", answer="yes", because=item) for each in questions]

    monkeypatch.setattr(registry.benchmark("colorbars").part("oracle"), "judge_by_truth", knows)
    judge = open_named("stage", items={"item": "what was staged"}, own_data=True)
    assert [each.message for each in ask(judge, RED)] == ["stage says 'yes': what was staged"]
    assert not asks_model("stage")


def test_a_benchmark_without_the_hook_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    found = registry.benchmark("colorbars")
    monkeypatch.delattr(found.part("keyless"), "judge_by_reading")
    with pytest.raises(
        BadInput, match=r"judge 'reader': benchmark 'colorbars' has none: its keyless.py has no judge_by_r"
    ):
        open_named("reader")


def test_a_hook_that_leaves_a_question_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    found = registry.benchmark("colorbars")
    monkeypatch.setattr(found.part("keyless"), "judge_by_reading", lambda questions, evidence: [])
    with pytest.raises(BrokenData, match="the benchmark's hook answers nothing to question 'red'"):
        ask(open_named("reader"), RED)


class _Offer:
    """What an installed package would offer under `cutscore.judges`."""

    value = "theirs:open_judge"

    def __init__(self, made: object) -> None:
        self.made = made

    def load(self) -> Callable[..., object]:
        return lambda spec, found: self.made


def test_a_package_may_offer_a_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    offered = {"theirs": _Offer(ConstantJudge(("no",))), "broken": _Offer("nothing")}
    monkeypatch.setattr("cutscore.scoring.judges.choose.plugins", lambda kind: offered)
    assert ask(open_named("theirs:what/ever"), RED)[0].answer == "no"
    assert not asks_model("theirs:what/ever")
    with pytest.raises(BadInput, match=r"judge 'broken': its package made a str without for_sample\(session\)"):
        open_named("broken")


def test_who_judges_its_own_work_says_so() -> None:
    (other,) = ask(open_named("constant:yes"), RED, subject="constant:yes")
    assert other.flags == ("self",)
    assert other.message == "constant:yes says 'yes': always the same answer (it judges its own work)"
    assert ask(open_named("constant:yes"), RED)[0].flags == ()


@pytest.fixture
def labels(tmp_path: Path) -> Callable[..., str]:
    """Write labels and give the judge's name."""

    def write(*lines: dict[str, object]) -> str:
        file = tmp_path / "labels.jsonl"
        common = {"benchmark": "colorbars", "item": "item", "question": "red", "person": "ann", "answer": "yes"}
        file.write_text("\n".join(json.dumps({**common, **line}) for line in lines) + "\n", encoding="utf-8")
        return f"people:{file}"

    return write


def test_people_answer_by_majority(labels: Callable[..., str]) -> None:
    judge = open_named(labels({}, {"person": "bob", "answer": "no"}, {"person": "cy", "because": "Clearly."}))
    (made,) = ask(judge, RED)
    assert (made.answer, made.votes) == ("yes", ("yes", "no", "yes"))
    assert (made.because, made.reasons) == ("2 of 3 say 'yes'", ("", "", "Clearly."))
    (tied,) = ask(open_named(labels({"subject": "blind"}, {"person": "bob", "answer": "no"})), RED)
    assert (tied.answer, tied.because) == (None, "1 of 2 say 'yes', which is no majority")


def test_people_who_list_weaknesses_need_not_say_yes(labels: Callable[..., str]) -> None:
    common = {"question": "faults", "kind": "weaknesses", "answer": None}
    judge = open_named(
        labels({**common, "weaknesses": [{"text": "dark"}]}, {**common, "person": "bob"}, {**common, "person": "cy"})
    )
    assert (ask(judge, FAULTS)[0].answer, ask(judge, FAULTS)[0].votes) == ("no", ("yes", "no", "no"))


@pytest.mark.parametrize(
    ("other", "fits"),
    [
        ({"subject": ""}, True),
        ({"subject": "blind"}, True),
        ({"subject": "a/b"}, True),
        ({"subject": "oracle"}, False),
        ({"item": "other"}, False),
        ({"question": "blue"}, False),
        ({"epoch": 2}, False),
        ({"benchmark": "clvg"}, False),
        ({"answer": None}, False),
    ],
)
def test_a_label_speaks_of_its_own_deliverable_only(
    labels: Callable[..., str], other: dict[str, object], fits: bool
) -> None:
    (made,) = ask(open_named(labels(other)), RED, model="a/b")
    assert (made.answer is not None) is fits
    assert fits or made.because in ("nobody labelled it", "nobody gave an answer")


def test_labels_that_cannot_be_read_are_said_before_anybody_is_asked(labels: Callable[..., str]) -> None:
    with pytest.raises(BrokenData, match=r"labels\.jsonl' line 2: person: .*; correct the line"):
        open_named(labels({}, {"person": ""}))
    with pytest.raises(BadInput, match=r"labels 'nowhere\.jsonl': cannot be read \(No such file or directory\)"):
        open_named("people:nowhere.jsonl")


def test_other_labels_are_another_judge(labels: Callable[..., str]) -> None:
    first = open_named(labels({})).terms
    assert open_named(labels({"answer": "no"})).terms != first
    assert set(first) == {"labels", "code"}


def test_a_model_judge_says_what_it_depends_on(tmp_path: Path) -> None:
    judge = open_named("openai/x", votes=3)
    assert judge.model == "openai/x"
    assert {name: judge.terms[name] for name in ("model", "votes", "frames", "takes")} == {
        "model": "openai/x",
        "votes": 3,
        "frames": "fps=8,max=24",
        "takes": "frames",
    }
    assert set(judge.prompts) == {"judge", "judge_form", "judge_again", "judge_close", "judge_short"}
    mine = tmp_path / "mine.md"
    mine.write_text("Judge kindly.")
    assert open_named("openai/x", prompts={"judge": mine}).prompts["judge"] != judge.prompts["judge"]
    with pytest.raises(UnknownName):
        open_named("nobody")
