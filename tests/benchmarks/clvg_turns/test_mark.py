"""clvg_turns: what a judge is asked and shown, and what a turn is without a film, or without an answer."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutscore.authoring.clip_cache import put_pictures
from cutscore.benchmarks.clvg_turns.dataset import InteractionCase, items
from cutscore.benchmarks.clvg_turns.keyless import judge_by_reading
from cutscore.benchmarks.clvg_turns.mark import find_failure, mark
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending, fold_findings
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileRef
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import Judge, Judgement, Question, SampleJudge
from cutscore.core.turn import Turn
from cutscore.registry import benchmark
from cutscore.store import Store

REFUSED = Deliverable(failure="refused job '7': it shows a face", failure_class="refused")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def case(store: Store) -> InteractionCase:
    """Four turns, of which three are judged."""
    return next(item for item in items(store) if item.id == "sums-b")


class Answers:
    """A judge that says yes, but for some questions."""

    name = "lab/judge"

    def __init__(self, other: Mapping[str, str | None] | None = None) -> None:
        self.other, self.asked, self.views = other or {}, list[str](), list[JudgeView]()

    def ask(
        self, questions: Sequence[Question], evidence: Evidence, *, view: JudgeView = WHOLE_VIEW
    ) -> list[Judgement]:
        self.asked += [each.id for each in questions]
        self.views.append(view)
        said = {each.id: self.other.get(each.id, "yes") for each in questions}
        return [Judgement(question=id, judge=self.name, answer=answer, because="so") for id, answer in said.items()]


def film(store: Store, number: int) -> FileRef:
    picture = np.full((32, 32, 3), 20 * number, np.uint8)
    return put_pictures(store, f"turn_{number}.mp4", [picture] * 4, rate=Fraction(4))


def evidence(
    case: InteractionCase, store: Store, made: Mapping[int, Deliverable] | None = None, turns: int = 4
) -> Evidence:
    """Return the record of a sample that handed over a film in every turn, but for some."""
    said = (*case.feedback["scripted"], "")
    done = [(made or {}).get(number) or Deliverable(files=(film(store, number),)) for number in range(1, turns + 1)]
    files = [
        *done[-1].files,
        *(
            ref.model_copy(update={"name": f"turn-{n}/{ref.name}"})
            for n, each in enumerate(done, 1)
            for ref in each.files
        ),
    ]
    ask = Ask(item=case.id, brief="x")
    told = [Turn(number=n, ask=ask, deliverable=each, feedback=said[n - 1]) for n, each in enumerate(done, 1)]
    return Evidence(files=tuple(files), turns=tuple(told)).bind(store)


def marked(case: InteractionCase, record: Evidence, judge: Judge | None) -> Ending:
    last = record.turns[-1].deliverable if record.turns else Deliverable()
    found = mark(last, record, case, {"judge": judge} if judge else {})
    return fold_findings(found, benchmark("clvg_turns").card.score_keys("reference"))


def test_all_yes_is_a_pass_and_turn_1_is_never_asked_about(case: InteractionCase, store: Store) -> None:
    judge = Answers()
    ending = marked(case, evidence(case, store), judge)
    assert ending.scores["case_passed@reference"] == ending.scores["case_passed@strict"] == 1
    assert judge.asked == [
        f"turn{turn}/{name}" for turn in (2, 3, 4) for name in ("branch", "focus", "action", "continuity")
    ]


def test_earlier_films_are_shown_for_continuity_alone(case: InteractionCase, store: Store) -> None:
    judge = Answers()
    marked(case, evidence(case, store), judge)
    shown = [[each.file for each in view.shown if each.file] for view in judge.views]
    assert shown[:4] == [
        ["turn-2/turn_2.mp4"],
        ["turn-1/turn_1.mp4", "turn-2/turn_2.mp4"],
        ["turn-3/turn_3.mp4"],
        ["turn-1/turn_1.mp4", "turn-2/turn_2.mp4", "turn-3/turn_3.mp4"],
    ]
    assert {view.prompt for view in judge.views} == {"judge_turn", "judge_turns"}
    facts = [each.fact for each in judge.views[0].shown if each.fact]
    assert facts == ["role", "script", "answer"]


@pytest.mark.parametrize("dimension", ["branch", "focus", "action"])
def test_one_no_fails_the_turn_and_ends_the_questions(case: InteractionCase, store: Store, dimension: str) -> None:
    judge = Answers({f"turn3/{dimension}": "no"})
    ending = marked(case, evidence(case, store), judge)
    for mode in ("reference", "strict"):
        assert ending.scores[f"case_passed@{mode}"] == 0
        assert (ending.scores[f"turn2@{mode}"], ending.scores[f"turn3@{mode}"]) == (1, 0)
        assert ending.scores[f"turn4_all@{mode}"] == 0
        assert f"turn4@{mode}" not in ending.scores, "nobody reached it"
    assert not [id for id in judge.asked if id.startswith("turn4")]
    assert "turn3/continuity" not in judge.asked
    (why,) = [each.because for each in ending.findings if each.name == "case_passed" and each.mode == "strict"]
    assert why == f"turn 3: {dimension}: lab/judge says 'no': so"


def test_a_stop_between_turns_asks_what_marking_asks_and_leaves_no_turn_to_fail(
    case: InteractionCase, store: Store
) -> None:
    between, judge = Answers({"turn3/focus": "no"}), Answers({"turn3/focus": "no"})
    said = [find_failure(evidence(case, store, turns=turns), case, {"judge": between}) for turns in (1, 2, 3)]
    assert said == ["", "", "turn 3 failed: focus: lab/judge says 'no': so"]
    whole = marked(case, evidence(case, store), judge)
    assert between.asked == judge.asked
    assert [view.prompt for view in between.views] == [view.prompt for view in judge.views]
    stopped = marked(case, stop(evidence(case, store, turns=3), case, said[-1]), judge)
    assert (stopped.scores, stopped.wholes, stopped.gaps) == (whole.scores, whole.wholes, whole.gaps)


def test_a_judge_who_passes_the_turn_of_a_stop_leaves_the_next_open(case: InteractionCase, store: Store) -> None:
    ending = marked(case, stop(evidence(case, store, turns=2), case, "turn 2 failed: so"), Answers())
    assert ending.scores["turn2@reference"] == 1
    gap = ending.gap("turn3@reference")
    assert gap is not None
    assert gap.status == "unscored"
    assert "it was not made, as turn 2 failed: so" in gap.because


def test_the_reader_says_that_it_does_not_judge_conversations(case: InteractionCase, store: Store) -> None:
    ending = marked(
        case, evidence(case, store), SampleJudge("reader", lambda asked, shown, view: judge_by_reading(asked, shown))
    )
    assert ending.status == "unscored"
    assert "turn 2 has no verdict: reader gave no answer: the reader does not judge conversations" in ending.because


def stop(record: Evidence, case: InteractionCase, why: str) -> Evidence:
    """Return the record with the turns that were not made."""
    said, made = (*case.feedback["scripted"], ""), len(record.turns)
    rest = [
        Turn(number=n, ask=record.turns[0].ask, deliverable=Deliverable(), feedback=said[n - 1], not_made=why)
        for n in range(made + 1, 5)
    ]
    return record.model_copy(update={"turns": (*record.turns, *rest)}).bind(record.store)


def test_a_break_between_films_fails_in_strict_alone(case: InteractionCase, store: Store) -> None:
    ending = marked(case, evidence(case, store), Answers({"turn2/continuity": "no"}))
    assert (ending.scores["case_passed@reference"], ending.scores["case_passed@strict"]) == (1, 0)


def test_a_judge_without_an_answer_leaves_it_open_with_the_cause(case: InteractionCase, store: Store) -> None:
    ending = marked(case, evidence(case, store), Answers({"turn2/focus": None}))
    assert (ending.status, ending.because) == ("unscored", "turn 2 has no verdict: lab/judge gave no answer: so")
    assert [each.name for each in ending.findings if each.name.startswith("cause/")] == ["cause/judge"]
    later = marked(case, evidence(case, store), Answers({"turn2/focus": None, "turn3/branch": "no"}))
    assert later.scores["case_passed@reference"] == 0, "whatever turn 2 is, the case fails"
    assert "turn2@reference" not in later.scores


def test_a_refusal_fails_with_its_cause_and_asks_nobody(case: InteractionCase, store: Store) -> None:
    judge = Answers()
    ending = marked(case, evidence(case, store, {3: REFUSED}), judge)
    assert (ending.scores["turn2@reference"], ending.scores["turn3@reference"]) == (1, 0)
    assert (ending.scores["verdicts@reference"], ending.wholes["verdicts@reference"]) == (1, 1)
    (cause,) = [each for each in ending.findings if each.name.startswith("cause/")]
    assert (cause.name, cause.because) == ("cause/refused", "turn 3: missing file: refused job '7': it shows a face")
    assert not [id for id in judge.asked if not id.startswith("turn2")]


@pytest.mark.parametrize(
    ("content", "cause"),
    [(b"<html>Sign in</html>", "not a video"), (b"", "not a video"), (b"\x89PNG\r\n\x1a\n" + bytes(64), "not a video")],
)
def test_what_is_no_film_fails_with_its_reason(case: InteractionCase, store: Store, content: bytes, cause: str) -> None:
    broken = Deliverable(files=(store.put_bytes(content, name="turn_2.mp4"),))
    judge = Answers()
    ending = marked(case, evidence(case, store, {2: broken}), judge)
    assert ending.scores["case_passed@reference"] == 0
    assert [each.name for each in ending.findings if each.name.startswith("cause/")] == [f"cause/{cause}"]
    assert not judge.asked
    assert any(each.unreadable for each in ending.findings if each.name == "case_passed")


def test_without_a_judge_only_what_needs_none_is_decided(case: InteractionCase, store: Store) -> None:
    ending = marked(case, evidence(case, store), None)
    assert (ending.status, ending.scores) == ("unscored", {})
    assert "name a --judge" in ending.because
    assert marked(case, evidence(case, store, {2: Deliverable()}), None).scores["case_passed@reference"] == 0


def test_turns_that_a_limit_cut_off_are_fails(case: InteractionCase, store: Store) -> None:
    ending = marked(case, evidence(case, store, turns=2), Answers())
    assert (ending.scores["turn2@reference"], ending.scores["turn3@reference"]) == (1, 0)
    assert ending.scores["case_passed@reference"] == 0


def test_films_that_were_handed_in_without_turns_are_marked_by_their_names(case: InteractionCase, store: Store) -> None:
    record = Evidence(files=tuple(film(store, number) for number in range(1, 5))).bind(store)
    assert marked(case, record, Answers()).scores["case_passed@strict"] == 1


def test_a_later_turn_cannot_stand_in_for_an_earlier_one(case: InteractionCase, store: Store) -> None:
    late = Deliverable(files=(film(store, 4), film(store, 2)))
    ending = marked(case, evidence(case, store, {2: Deliverable(), 4: late}), Answers())
    assert ending.scores["turn2@reference"] == 0
