"""Are the starter pack's answers what its scenes say, derived a second time, and do subjects see none of it?

shelf      takes files in and renders nothing: questions do not depend on pixels of a clip
pack       the starter pack on such a shelf
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from pydantic import ValidationError

from cutscore.benchmarks.vidwork import build
from cutscore.benchmarks.vidwork.ask import ask
from cutscore.benchmarks.vidwork.build import starter_scenes
from cutscore.benchmarks.vidwork.dataset import (
    AXES,
    DOMAINS,
    ERROR_TYPES,
    AnyQuestion,
    CausalQuestion,
    CrossModalQuestion,
    ErrorQuestion,
    OrderQuestion,
    StepQuestion,
    bucket,
    remarks,
)
from cutscore.benchmarks.vidwork.packs.leak_probe import probe_leaks
from cutscore.benchmarks.vidwork.packs.question_writer import QuestionLimits, questions, refusals
from cutscore.benchmarks.vidwork.procedures.procedure import ProcedureRecord, ProcedureStep
from cutscore.benchmarks.vidwork.procedures.scene_records import record_scene
from cutscore.benchmarks.vidwork.words import content_words
from cutscore.core.files import FileRef
from cutscore.core.frozen import canonical_json
from cutscore.media.transcript import Transcript
from cutscore.prompts import load_prompts
from cutscore.stage.renaming import rename
from cutscore.stage.retiming import retime
from cutscore.stage.scene import Scene
from cutscore.stage.timeline import Event, timeline

CLIP = FileRef(name="clip.mp4", sha256="0" * 64, size_bytes=1, media_type="video/mp4")
PROMPTS = load_prompts(Path(build.__file__).with_name("prompts"), benchmark="vidwork")


def asked(scene: Scene, *, seed: int = 0) -> list[AnyQuestion]:
    others = [record_scene(other) for other in starter_scenes() if other.name != scene.name]
    return questions(record_scene(scene), clip=CLIP, others=others, seed=seed)


@pytest.fixture(scope="module")
def pack() -> list[tuple[Scene, list[AnyQuestion]]]:
    return [(scene, asked(scene)) for scene in starter_scenes()]


def every(pack: list[tuple[Scene, list[AnyQuestion]]]) -> list[AnyQuestion]:
    return [item for _, items in pack for item in items]


def test_the_pack_is_what_was_promised(pack: list[tuple[Scene, list[AnyQuestion]]]) -> None:
    items = every(pack)
    assert len(items) >= 60
    assert {item.axis for item in items} == set(AXES)
    assert Counter(item.domain for _, (item, *_) in pack) == dict.fromkeys(DOMAINS, 2)
    assert {bucket(item.duration_s) for item in items} == {"30 s", "60 s"}
    wrong = Counter(item.error_type for item in items if isinstance(item, ErrorQuestion) and item.wrong)
    assert set(wrong) == set(ERROR_TYPES)
    assert min(wrong.values()) > 3  # fewer would not be ranked
    untold = [item.groups["narrated"] == "no" for item in items if isinstance(item, OrderQuestion)]
    assert sum(untold) * 3 >= len(untold)
    assert [remark for remark in remarks(items) if "no clip" not in remark] == []


def test_steps_are_those_of_the_timeline(pack: list[tuple[Scene, list[AnyQuestion]]]) -> None:
    for scene, items in pack:
        steps = [event for event in timeline(scene) if event.kind == "step"]
        for item in items:
            if not isinstance(item, StepQuestion):
                continue
            found = re.search(r'(before|after) this one, in their order: "(.*)"', item.question)
            wanted = steps
            if found is not None:
                (one,) = (step for step in steps if step.text == found[2])
                early = [step for step in steps if step.end_s <= one.start_s]
                wanted = early if found[1] == "before" else [step for step in steps if step.start_s >= one.end_s]
            assert list(item.steps) == [step.text for step in wanted]
            assert item.at is not None
            assert all(item.at.start_s <= step.start_s and step.end_s <= item.at.end_s for step in wanted)


def test_the_gold_is_the_order_of_the_timeline(pack: list[tuple[Scene, list[AnyQuestion]]]) -> None:
    for scene, items in pack:
        when = {event.text: event for event in timeline(scene) if event.kind == "step"}
        pairs: dict[str, list[OrderQuestion]] = {}
        for item in items:
            if isinstance(item, OrderQuestion):
                first, second = when[item.first], when[item.second]
                assert item.gold == ("before" if first.end_s < second.start_s else "after")
                assert first.end_s < second.start_s or second.end_s < first.start_s
                pairs.setdefault(item.pair, []).append(item)
        for one, other in pairs.values():
            assert (one.first, one.second) == (other.second, other.first)


def test_narrated_means_that_a_listener_knows(pack: list[tuple[Scene, list[AnyQuestion]]]) -> None:
    """Try every step that the listener did not hear of in every gap: does the order come out the same?"""
    for scene, items in pack:
        names = [step.text for step in scene.steps]
        gaps = [
            place for place, name in enumerate(names) if not any(line.text.startswith(name) for line in scene.lines)
        ]
        for item in items:
            if isinstance(item, OrderQuestion):
                first, second = names.index(item.first), names.index(item.second)
                possible = {
                    one < other
                    for one in (gaps if first in gaps else [first])
                    for other in (gaps if second in gaps else [second])
                    if one != other
                }
                assert (item.groups["narrated"] == "yes") == (len(possible) == 1)


def test_reasons_are_the_scene_s_and_needs_happen_in_time(pack: list[tuple[Scene, list[AnyQuestion]]]) -> None:
    for scene, items in pack:
        steps = {step.text: step for step in scene.steps}
        for item in items:
            if not isinstance(item, CausalQuestion):
                continue
            (quoted,) = re.findall(r'"(.*)"', item.question)
            answer = item.reference.rstrip(".")
            if item.question.startswith("Why"):
                assert answer.lower() == steps[quoted].why.lower()
            else:
                later = steps[answer]
                assert later.start_s >= steps[quoted].end_s
                # What the later one uses was there, and something of it was touched by the skipped one.
                assert {later.tool, *later.objects} & _touched(scene, quoted)


def _touched(scene: Scene, text: str) -> set[str | None]:
    (step,) = (step for step in scene.steps if step.text == text)
    return {step.tool, *step.objects, *(change.thing for change in step.changes)}


def test_nobody_says_what_is_to_be_seen(pack: list[tuple[Scene, list[AnyQuestion]]]) -> None:
    for scene, items in pack:
        heard = {word for line in scene.lines for word in content_words(line.text)}
        looks = [item for item in items if isinstance(item, CrossModalQuestion)]
        assert len(looks) == QuestionLimits().sights
        for item in looks:
            assert not {word for term in item.key_terms for word in content_words(term)} & heard


def test_wrong_descriptions_have_right_twins(pack: list[tuple[Scene, list[AnyQuestion]]]) -> None:
    pairs: dict[str, list[ErrorQuestion]] = {}
    for item in every(pack):
        if isinstance(item, ErrorQuestion):
            pairs.setdefault(item.pair, []).append(item)
    for one, other in pairs.values():
        assert {one.wrong, other.wrong} == {True, False}
        assert (one.error_type, one.at, one.groups) == (other.error_type, other.at, other.groups)
        assert one.description != other.description


def test_the_text_alone_does_not_tell_wrong_from_right(pack: list[tuple[Scene, list[AnyQuestion]]]) -> None:
    told = [item for item in every(pack) if isinstance(item, ErrorQuestion)]
    found = probe_leaks(
        [item.description for item in told],
        [item.wrong for item in told],
        [item.cluster for item in told],
        [item.error_type for item in told],
    )
    assert {leak.kind: leak.verdict for leak in found} == dict.fromkeys(("all", *ERROR_TYPES), "holds")


def test_swaps_and_omissions_contradict_the_timeline(pack: list[tuple[Scene, list[AnyQuestion]]]) -> None:
    """Read the steps out of the text, and compare with the scene."""
    seen = 0
    for scene, items in pack:
        order = [event for event in timeline(scene) if event.kind == "step"]
        for item in items:
            if isinstance(item, ErrorQuestion) and item.error_type in ("step_swap", "step_omission"):
                places = [order.index(event) for event in _named(item.description, order)]
                if item.error_type == "step_swap":
                    assert len(places) == 3
                    assert (places != sorted(places)) == item.wrong
                else:  # three that follow each other directly, and before or behind them one that is not among them
                    assert len(places) == 4
                    rows = [{after - before for before, after in pairwise(three)} for three in (places[:3], places[1:])]
                    assert ({1} not in rows) == item.wrong
                seen += 1
    assert seen >= 2 * len(pack)


def _named(text: str, steps: list[Event]) -> list[Event]:
    """Give the steps that a text names, in its order."""
    found = {text.lower().find(step.text.lower()): step for step in steps}
    return [step for place, step in sorted(found.items()) if place >= 0]


def test_nothing_but_the_right_things_tells_the_answer(pack: list[tuple[Scene, list[AnyQuestion]]]) -> None:
    """Neither id nor place in the pack: `a` is as often wrong as `b`, and neither comes first more often."""
    firsts = [item.wrong for item in every(pack) if isinstance(item, ErrorQuestion) and item.id.endswith("a")]
    golds = [item.gold == "before" for item in every(pack) if isinstance(item, OrderQuestion) and item.id[-1] == "a"]
    for drawn in (firsts, golds):
        assert 0 < sum(drawn) < len(drawn)
    assert 0.3 < sum(firsts) / len(firsts) < 0.7


def test_a_subject_gets_the_question_and_files_alone(pack: list[tuple[Scene, list[AnyQuestion]]]) -> None:
    for scene, items in pack:
        for item in items:
            got = ask(item, PROMPTS)
            shown = canonical_json(got).decode()
            assert scene.item_id not in shown
            if isinstance(item, CausalQuestion | CrossModalQuestion):
                assert item.reference not in got.brief
            if isinstance(item, StepQuestion):
                assert sum(step in got.brief for step in item.steps) == 0
            if isinstance(item, ErrorQuestion):
                assert item.error_type not in shown


def test_other_words_and_times_give_other_answers() -> None:
    scene = next(scene for scene in starter_scenes() if scene.name == "chair")
    other = retime(rename(scene, words={"chair": "stool"}, colours={"red": "green", "green": "red"}), Fraction(2))
    once, again = ({item.id: item for item in asked(each)} for each in (scene, other))
    assert "Sand the stool with the sandpaper" in again["chair-s1"].steps  # type: ignore[union-attr]
    assert not any("chair" in item.question for item in again.values() if isinstance(item, CausalQuestion))
    shirts = [
        next(
            item.key_terms
            for item in items.values()
            if isinstance(item, CrossModalQuestion) and "shirt" in item.question
        )
        for items in (once, again)
    ]
    assert shirts == [("red",), ("green",)]
    ends = [items["chair-s1"].at for items in (once, again)]
    assert ends[0] is not None
    assert ends[1] is not None
    assert ends[1].end_s == 2 * ends[0].end_s


def test_the_other_order_of_two_steps_turns_the_gold() -> None:
    """Steps that trade times trade golds: nothing is taken from the texts."""
    made = record_scene(starter_scenes()[0])
    turned = made.model_copy(update={"steps": tuple(_mirrored(made))})
    golds = {
        frozenset((item.first, item.second)): item.gold if item.first < item.second else _other(item.gold)
        for item in questions(made, clip=CLIP, limits=QuestionLimits(pairs=99))
        if isinstance(item, OrderQuestion)
    }
    for item in questions(turned, clip=CLIP, limits=QuestionLimits(pairs=99)):
        if isinstance(item, OrderQuestion):
            gold = item.gold if item.first < item.second else _other(item.gold)
            assert gold != golds[frozenset((item.first, item.second))]


def _mirrored(procedure: ProcedureRecord) -> Iterator[ProcedureStep]:
    for step, other in zip(reversed(procedure.steps), procedure.steps, strict=True):
        yield step.model_copy(update={"start_s": other.start_s, "end_s": other.end_s, "needs": ()})


def _other(gold: str) -> str:
    return {"before": "after", "after": "before"}[gold]


def test_equal_seeds_ask_alike_and_others_do_not() -> None:
    scene = starter_scenes()[2]
    digests = [
        hashlib.sha256(canonical_json([item.model_dump(mode="json") for item in asked(scene, seed=seed)])).hexdigest()
        for seed in (0, 0, 1, 2)
    ]
    assert digests[0] == digests[1]
    assert len(set(digests)) == 3
    assert starter_scenes(0) == starter_scenes(0)
    assert {scene.item_id for scene in starter_scenes(0)}.isdisjoint(scene.item_id for scene in starter_scenes(1))


def test_limits_hold_and_what_cannot_be_asked_is_said() -> None:
    made = record_scene(starter_scenes()[0])
    few = questions(made, clip=CLIP, limits=QuestionLimits(parts=0, pairs=1, causes=1, sights=0, errors=0))
    assert [item.id for item in few] == ["pancakes-s1", "pancakes-o1a", "pancakes-o1b", "pancakes-c1"]
    looks = [
        item
        for item in questions(made, clip=CLIP, limits=QuestionLimits(sights=99))
        if item.id.startswith("pancakes-x")
    ]
    assert 3 < len(looks) < len(made.sights)
    assert not [item for item in looks if "contents of the pan" in item.question]
    told = refusals(made)
    assert (
        "'What colour are the contents of the pan at the end?': 'brown' of the answer is said in the transcript" in told
    )
    bare = ProcedureRecord(
        name="bare",
        title="Bare",
        domain="cooking",
        length_s=9,
        steps=tuple(
            ProcedureStep(id=f"s{n}", start_s=3 * n, end_s=3 * n + 2, text=text)
            for n, text in enumerate(("Peel", "Cut", "Fry"))
        ),
        transcript=Transcript(made_by="hand"),
    )
    assert [item.id for item in questions(bare, clip=CLIP) if not isinstance(item, ErrorQuestion)] == [
        "bare-s1", "bare-o1a", "bare-o1b", "bare-o2a", "bare-o2b"
    ]  # fmt: skip
    wordless = bare.steps[1].model_copy(update={"text": "…"})
    odd = bare.model_copy(update={"steps": (bare.steps[0], wordless, bare.steps[2])})
    with pytest.raises(ValidationError, match="step 2 has no word"):  # which refuses the clip, whoever wrote its record
        questions(odd, clip=CLIP)
    assert any(line.startswith("quantity_error: ") for line in refusals(bare))
