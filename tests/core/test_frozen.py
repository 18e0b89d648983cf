"""What every type of core is: frozen, strict, the same bytes for the same content; and an example of each."""

import json
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from cutscore.core.ask import Ask, RequestedFile
from cutscore.core.bundle import Bundle, Delivery, Provenance
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.estimate import Difference, Estimate
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileRef
from cutscore.core.finding import Finding
from cutscore.core.frozen import Finite, FrozenModel, canonical_json, digest_of
from cutscore.core.item import TRUTH, Item
from cutscore.core.judgement import Judgement, Question, Weakness
from cutscore.core.label import Label
from cutscore.core.manifest import FrameManifest, SeenFrame
from cutscore.core.row import Row
from cutscore.core.subject import SubjectSpec
from cutscore.core.table import Column, Table
from cutscore.core.timeline import Span
from cutscore.core.trajectory import Action, Step, Trajectory
from cutscore.core.usage import Usage

CLIP = FileRef(name="clip.mp4", sha256="ab" * 32, size_bytes=7, media_type="video/mp4")
ASK = Ask(
    item="a",
    brief="Which?",
    files=(CLIP,),
    wanted=(RequestedFile(name="x.md"),),
    choices=("red",),
    prompts={"ask": "12"},
)
FINDING = Finding(name="cut", value=0.5, because="late", file="clip.mp4", at=["1001/24000", 2], mode="strict")
ESTIMATE = Estimate(name="accuracy", value=0.5, low=0.4, high=0.6, n=9, clusters=3, bounds=(0.4, 0.7), group={"a": "b"})

EXAMPLES: list[FrozenModel] = [
    CLIP,
    ASK,
    FINDING,
    ESTIMATE,
    Bundle(
        id="a",
        cluster="c",
        brief="Mend it.",
        materials=(CLIP,),
        deliveries=(Delivery(name="fixed.mp4", rate="24000/1001"),),
        licence="CC0-1.0",
        verifier={"window_s": [1, 2]},
        provenance={"clip.mp4": Provenance(licence="CC0-1.0")},
    ),
    Deliverable(text="red", files=(CLIP,), failure="refused", trajectory=CLIP),
    Ending(status="marked", scores={"accuracy": 1}, findings=(FINDING,)),
    Difference(estimate=ESTIMATE, first="a", second="b", leaves_out_zero=False),
    Evidence(files=(CLIP,), facts={"code": 0, "url": None}),
    Item(id="a", cluster="c", groups={"length": "60 s"}),
    Question(id="q", kind="scale", text="How?", anchors={1: "bad", 10: "good"}),
    Judgement(
        question="q", judge="person:ann", answer=7, weaknesses=(Weakness(text="dark", at=[0, 1]),), votes=(7, None)
    ),
    Label(benchmark="b", item="a", person="p1", answer="yes", split="dev"),
    FrameManifest(
        clip=CLIP, plan="fps=1", decoder="d", frames=(SeenFrame(at_s="1/3", sha256="0" * 64, width=2, height=2),)
    ),
    Row(
        benchmark="b",
        version="1",
        cell="c",
        subject="s",
        item="a",
        epoch=1,
        cluster="a",
        ending=Ending(status="unscored", because="x"),
        ask=ASK,
        usage=Usage(input=1),
    ),
    SubjectSpec.parse("mine=folder:out"),
    Table(id="t", title="T", columns=(Column(name="a"), Column(name="b")), rows=(("x", None), (1, ESTIMATE))),
    Span(start_s="1/3", end_s=2),
    Trajectory(steps=(Step(n=1, did=(Action(tool="sh", arguments={"argv": ["ls", 1, None]}),)),)),
]

every_example = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: type(example).__name__)


@every_example
def test_it_survives_json(example: FrozenModel) -> None:
    assert type(example).model_validate_json(example.model_dump_json()) == example
    back = type(example).model_validate(json.loads(canonical_json(example)))
    assert back == example
    assert back.digest() == example.digest()


@every_example
def test_it_is_frozen_and_refuses_what_it_does_not_know(example: FrozenModel) -> None:
    field = next(iter(type(example).model_fields))
    with pytest.raises(ValidationError, match="frozen"):
        setattr(example, field, getattr(example, field))
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        type(example).model_validate({**example.model_dump(mode="json"), "surprise": 1})


@every_example
def test_a_refusal_does_not_repeat_the_input(example: FrozenModel) -> None:
    with pytest.raises(ValidationError) as refused:
        type(example).model_validate({**example.model_dump(mode="json"), "surprise": "sk-very-secret"})
    assert "sk-very" not in str(refused.value)


# --- bytes --------------------------------------------------------------------------------------------------------

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=15,
)


@given(plain)
def test_canonical_json_is_json(value: object) -> None:
    assert json.loads(canonical_json(value)) == value


@given(st.dictionaries(st.text(), st.integers(), min_size=2))
def test_the_order_in_which_it_was_made_does_not_matter(value: dict[str, int]) -> None:
    turned = dict(reversed(value.items()))
    assert canonical_json(turned) == canonical_json(value)
    assert digest_of(turned) == digest_of(value)


def test_the_digest_is_pinned() -> None:
    # Cells are found again by such digests: other bytes would make every old run a stranger.
    assert canonical_json({"b": (1.0, "é"), "a": CLIP}) == (
        b'{"a":{"media_type":"video/mp4","name":"clip.mp4","sha256":"' + b"ab" * 32 + b'","size_bytes":7},'
        b'"b":[1.0,"\xc3\xa9"]}'
    )
    assert digest_of({"a": 1}) == "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {"a": {1, 2}}, b"bytes"])
def test_what_json_cannot_say_is_refused(value: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        canonical_json(value)


@pytest.mark.parametrize("text", ["cut off \ud83d", "\udcff\udcfe", "\ude00 x", {"k\ud800": ["v\ud800"]}])
def test_half_characters_do_not_keep_a_record_from_being_written(text: object) -> None:
    evidence = Evidence(facts={"said": text})
    assert Evidence.model_validate_json(evidence.model_dump_json()) == evidence
    assert "\ufffd" in str(evidence.facts["said"])
    assert len(evidence.digest()) == 64


def test_whole_characters_stay_and_halves_that_belong_together_are_joined() -> None:
    text = "é 日本 😀 \ufeff\u2028"
    assert Deliverable(text=text).text == text
    assert Deliverable(text="\ud83d\ude00").text == "😀"


def test_numbers_are_finite_and_have_one_zero() -> None:
    class Number(FrozenModel):
        value: Finite

    assert str(Number(value=-0.0).value) == "0.0"
    for value in (float("nan"), float("-inf"), "inf"):
        with pytest.raises(ValidationError):
            Number(value=value)


# --- items and truth ----------------------------------------------------------------------------------------------


class Puzzle(Item):
    question: str
    answer: Annotated[str, TRUTH]
    hint: Annotated[str, TRUTH] | None = None
    steps: tuple[Annotated[int, TRUTH], ...] = ()


def test_truth_is_known_by_its_mark_however_deep() -> None:
    puzzle = Puzzle(id="a", cluster="c", question="?", answer="!", hint="h", steps=(1,))
    assert Puzzle.truth_fields() == ("answer", "hint", "steps")
    assert puzzle.without_truth() == {"id": "a", "cluster": "c", "groups": {}, "question": "?"}
    assert Item.truth_fields() == ()
    assert repr(TRUTH) == "TRUTH"


@pytest.mark.parametrize("name", ["a b", "", "-a", ".a", "a/b", "ä", "a\n", "x" * 129, "a;b", "<b>"])
def test_an_id_is_safe_as_a_file_name(name: str) -> None:
    with pytest.raises(ValidationError):
        Item(id=name, cluster="c")


# --- what cannot be right -----------------------------------------------------------------------------------------


def test_a_choice_has_choices_and_a_scale_has_anchors() -> None:
    with pytest.raises(ValidationError, match="question 'q': a choice has choices, and nothing else has"):
        Question(id="q", kind="choice", text="?")
    with pytest.raises(ValidationError, match="a choice has choices"):
        Question(id="q", kind="yes_no", text="?", choices=("a",))
    with pytest.raises(ValidationError, match="question 'q': only a scale has anchors"):
        Question(id="q", kind="yes_no", text="?", anchors={1: "bad"})


def test_an_interval_has_two_ends_in_order() -> None:
    with pytest.raises(ValidationError, match="an interval has two ends"):
        Estimate(name="a", value=1, low=0, n=1, clusters=1)
    with pytest.raises(ValidationError, match="low end lies below its high end"):
        Estimate(name="a", value=1, low=1, high=0, n=1, clusters=1)
    assert list(Estimate(name="a", value=None, n=0, clusters=0).as_json()) == [
        "name", "value", "low", "high", "n", "clusters", "failed", "unscored", "stopped", "bounds", "scale",
        "method", "mode", "group",
    ]  # fmt: skip


def test_a_table_is_a_rectangle() -> None:
    with pytest.raises(ValidationError, match="table 't': row 2 has 1 cells, not 2"):
        Table(id="t", title="T", columns=(Column(name="a"), Column(name="b")), rows=((1, 2), (1,)))


def test_a_deliverable_of_blanks_is_empty() -> None:
    assert Deliverable().empty
    assert Deliverable(text=" \n").empty
    assert Deliverable(failure="refused").empty
    assert not Deliverable(text="0").empty
    assert not Deliverable(files=(CLIP,)).empty
