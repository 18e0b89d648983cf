"""A judge inside Inspect's scorer: threads, records, and what a cell's identity says of it."""

import json
from pathlib import Path

import anyio
import pytest
from anyio import to_thread
from inspect_ai.model import ModelName
from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState

from cutscore.bridge.handover import Handover
from cutscore.bridge.run import prepare
from cutscore.bridge.score import CellMarker
from cutscore.cells.cell import Cell
from cutscore.cells.judge_record import KEY, JudgeRecord, JudgesByRole, read_judge_record
from cutscore.cells.request import CellRequest
from cutscore.cells.run_context import RunContext
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.judgement import Judgement, JudgeSpec
from cutscore.core.row import Row
from cutscore.core.subject import SubjectSpec
from cutscore.registry import benchmark
from cutscore.results.estimates import ScoreView, count_unscored, estimates
from cutscore.scoring.judges.choose import open_judge

ANSWER = r'{"id": "\g<id>", "because": "I see it.", "answer": "yes"}'
RULE = {
    "when": r'(?s)"id": "(?P<id>\w+)".*seal (?P<seal>[0-9a-f]{8})',
    "say": r'{"seal": "\g<seal>", "addressed": true, "answers": [' + ANSWER + "]}",
}


BLIND = SubjectSpec(kind="blind", label="blind")


@pytest.fixture
def judge(tmp_path: Path) -> str:
    """A judge that says yes, and that it was addressed."""
    file = tmp_path / "judge.json"
    file.write_text(json.dumps({"rules": [RULE]}), encoding="utf-8")
    return f"scripted/{file}"


def state(item: str) -> TaskState:
    return TaskState(ModelName("none/none"), item, 1, "", [])


def test_marking_that_waits_for_a_judge_leaves_threads_to_decode_in(tmp_path: Path, judge: str) -> None:
    """With one thread for everything, marking would hold it while the judge's frames wait to be decoded in it."""

    async def main() -> list[Score]:
        to_thread.current_default_thread_limiter().total_tokens = 1
        scores: list[Score] = []
        spec = JudgeSpec(judge, journal=tmp_path / "journal.jsonl")
        seated = JudgesByRole({"judge": open_judge(spec, benchmark("colorbars"), {})})
        context = RunContext(run=tmp_path)
        items = context.items(benchmark("colorbars"), "")
        marker = CellMarker(benchmark("colorbars"), items, context, judge=seated, subject=BLIND)

        async def mark(item: str) -> None:
            sample = state(item)
            marker.handovers[sample.uuid] = Handover(deliverable=Deliverable(text="red"))
            scores.append(await marker.score(sample))

        with anyio.fail_after(60):
            async with anyio.create_task_group() as group:
                for item in ("bars-01-a", "bars-01-b"):
                    group.start_soon(mark, item)
        return scores

    scores = anyio.run(main)
    assert len(scores) == 2
    for score in scores:
        judged = read_judge_record({"metadata": score.metadata})
        assert [each.answer for each in judged.judgements] == ["yes"]
        assert judged.warnings == ("judge: it says that the submission addresses the judge",)
        assert judged.seen[0].clip.name == "bars-01.mp4"


def test_a_score_of_before_there_were_judges_has_no_judgements() -> None:
    assert read_judge_record({}) == JudgeRecord()
    assert read_judge_record({"metadata": {"ending": {}}}) == JudgeRecord()
    said = JudgeRecord(judgements=(Judgement(question="q", judge="a/b", answer="yes"),))
    assert read_judge_record({"metadata": {KEY: said.model_dump_json(exclude_defaults=True)}}) == said


def test_who_judges_and_how_is_part_of_the_identity(tmp_path: Path, judge: str) -> None:
    mine = tmp_path / "mine.md"
    mine.write_text("Judge kindly.")

    def cell(**options: object) -> Cell:
        wish = CellRequest(benchmark="colorbars", subject="blind", **options)  # type: ignore[arg-type]
        return prepare(wish, RunContext(run=tmp_path)).cell

    plain, judged = cell(), cell(judge=judge)
    others = [
        cell(judge="constant:yes"),
        cell(judge=judge, votes=3),
        cell(judge=judge, prompts={"judge": str(mine)}),
    ]
    assert len({each.id for each in (plain, judged, *others)}) == 5
    assert (plain.judge, plain.judging, plain.models) == ("", {}, ())
    assert set(plain.prompts) == {"ask", "colour", "word", "count"}
    assert (judged.judge, judged.models, judged.judging["votes"]) == (judge, (judge,), 1)
    assert set(judged.prompts) == {*plain.prompts, "judge", "judge_form", "judge_again", "judge_close", "judge_short"}
    Path(judge.removeprefix("scripted/")).write_text(json.dumps({"otherwise": ["hello"]}))
    assert cell(judge=judge).id != judged.id, "another script is another judge"


def test_two_judges_differ_by_their_names_and_one_judge_by_its_terms(tmp_path: Path) -> None:
    prompts = {"ask": "a", "judge": "b"}
    common = {"benchmark": "b", "version": "1", "data": "d", "subject": SubjectSpec(kind="blind"), "prompts": prompts}
    one = Cell(**common, judge="a/b", judging={"votes": 1})
    other = Cell(**{**common, "prompts": {"ask": "a"}}, judge="truth", judging={"made_of": "x"})
    assert one.differs(other) == {"judge": ("a/b", "truth")}
    assert one.differs(Cell(**common, judge="a/b", judging={"votes": 3})) == {"judging": ({"votes": 1}, {"votes": 3})}


def test_a_cell_that_nobody_judges_keeps_the_identity_it_had() -> None:
    cell = Cell(benchmark="b", version="1", data="d", subject=SubjectSpec(kind="blind", label="blind"))
    assert cell.identity() == "fb91c2fb746a35c8b50d25855a669f488c0baf2201382fc6f26bab667bb85005"


def row(item: str, judge: str, **scores: float) -> Row:
    ending = Ending(status="marked", scores=scores)
    who = {"benchmark": "colorbars", "version": "2", "cell": "c", "subject": "blind"}
    return Row(**who, item=item, epoch=1, cluster=item, judge=judge, ending=ending)


def test_an_opinion_that_is_missing_is_unscored_for_that_score_alone() -> None:
    card = benchmark("colorbars").card
    rows = [row("a", "j", accuracy=1, judged=1), row("b", "j", accuracy=0, judged=0), row("c", "j", accuracy=1)]
    by_name = {each.name: each for each in estimates(rows, card) if not each.group}
    assert (by_name["accuracy"].n, by_name["accuracy"].unscored) == (3, 0)
    assert (by_name["judged"].n, by_name["judged"].unscored, by_name["judged"].bounds) == (2, 1, (1 / 3, 2 / 3))
    assert count_unscored(rows, card, ScoreView("judged")).total() == 1


def test_a_judge_that_never_answered_is_shown_and_one_that_nobody_asked_is_not() -> None:
    card = benchmark("colorbars").card
    silent = estimates([row("a", "j", accuracy=1)], card)
    assert [(each.name, each.n, each.unscored) for each in silent] == [("accuracy", 1, 0), ("judged", 0, 1)]
    assert [each.name for each in estimates([row("a", "", accuracy=1)], card)] == ["accuracy"]
