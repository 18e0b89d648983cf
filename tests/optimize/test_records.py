"""Records, published figures, what a split says, and labels of plain files."""

import datetime
from pathlib import Path

import pytest
from prompt_world import FIRST, make_problem, make_samples, make_walk

from cutscore.cli.optimize_text import candidate_line, record_text
from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.judgement import Judgement, Weakness
from cutscore.core.label import Label
from cutscore.optimize.held_out import compare_prompts
from cutscore.optimize.model_calls import predicted_answer
from cutscore.optimize.problem import LabelledQuestion, LabelledSample, PredictedAnswer, evaluate_prompt, mark_sample
from cutscore.optimize.prompt_changes import prompt_change, rules_of
from cutscore.optimize.published import published_rows, published_slips
from cutscore.optimize.record import (
    CandidateRecord,
    OptimizeRecord,
    SearchSettings,
    TransferRecord,
    count_card_reading,
    count_reading,
    find_record,
    read_any_record,
    read_record,
    settings_digest,
    way_of,
    write_json,
    write_result,
)
from cutscore.optimize.samples import choose_family, split_samples
from cutscore.optimize.tables import search_tables
from cutscore.optimize.textgrad_search import search_with_textgrad

RESAMPLES = 200
DAY = datetime.date(2026, 11, 18)


@pytest.fixture(scope="module")
def record() -> OptimizeRecord:
    walk = make_walk(make_problem(0), calls=300)
    search_with_textgrad(walk, FIRST)
    test = make_samples("test", 66)
    marks = [walk.problem.evaluate(text, test) for text in (FIRST, walk.table.best.text)]
    settings = SearchSettings(
        benchmark="world", method="textgrad", gate=False, matching="paper", phi="mcc", judge="a/b", votes=5,
        optimizer="a/c", matcher="oracle", prompt="judge", seed=0, minibatch=3, calls=300, cost_limit_usd=None,
        sizes={"train": 66, "dev": 66, "test": 66}, prevalence={"train": 0.5, "dev": 0.5, "test": 0.5},
        digests={"p0": "0"},
    )  # fmt: skip
    return OptimizeRecord(
        settings=settings,
        date=DAY,
        stopped=walk.why_stop,
        best=walk.table.best.number,
        candidates=tuple(map(CandidateRecord.of, walk.table.rows)),
        refused={},
        rejected=0,
        way=way_of(walk.table),
        calls={"metric": walk.budget.used},
        cost_usd=None,
        test=compare_prompts(*marks, resamples=RESAMPLES),
    )


def test_a_record_is_read_as_it_was_written(record: OptimizeRecord, tmp_path: Path) -> None:
    prompt = tmp_path / "better.md"
    write_result(prompt, record)
    assert prompt.read_text() == record.best_text
    assert read_record(prompt) == read_record(tmp_path / "better.json") == record
    assert [count_reading(prompt, judge="a/b", why="search", labels="") for _ in range(2)] == [1, 2]
    assert count_card_reading([prompt, tmp_path / "own.md"], judge="a/b", labels="") == 3


@pytest.mark.parametrize("beside", [None, '{"rules": []}', "[]", "{torn"])
def test_a_prompt_that_no_search_found_is_not_counted(tmp_path: Path, beside: str | None) -> None:
    if beside is not None:
        (tmp_path / "own.json").write_text(beside)  # a scripted judge, say
    assert find_record(tmp_path / "own.md") is None
    assert count_card_reading([tmp_path / "own.md"], judge="a/b", labels="") == 0
    assert not (tmp_path / "own.work").exists()


def test_the_way_leads_from_p0_to_p_star_rule_by_rule(record: OptimizeRecord) -> None:
    rules = rules_of(record.first_text)
    for step in record.way:
        assert set(step.removed) <= set(rules)
        rules = [rule for rule in rules if rule not in step.removed] + list(step.added)
    assert set(rules) == set(rules_of(record.best_text))
    assert record.way[-1].candidate == record.best


def test_equal_settings_are_one_search_whatever_code_ran_them(record: OptimizeRecord) -> None:
    same = record.settings.model_copy(update={"digests": {"p0": "0", "code": "1"}})
    assert settings_digest(same) == settings_digest(record.settings)
    assert settings_digest(record.settings.model_copy(update={"seed": 1})) != settings_digest(record.settings)


def test_both_scales_and_who_never_looks_stand_beside_each_other(record: OptimizeRecord) -> None:
    assert record.test is not None
    assert [row.name for row in record.test.rows] == ["always pass", "always fail", "p0", "p*"]
    names = [each.name for each in record.test.row("p*").estimates]
    assert names[:3] == ["binary MCC", "binary F1", "binary Rec−FPR"]
    assert names[3:] == ["fractional MCC", "fractional F1", "fractional Rec−frac_FPR"]
    gain = record.test.difference("fractional MCC").estimate
    assert gain.value == pytest.approx(
        record.test.row("p*").estimates[3].value - record.test.row("p0").estimates[3].value
    )
    assert gain.low is not None
    assert gain.low > 0
    assert "labelled samples more" in record.test.power or "as many as there are" in record.test.power


def test_pairs_that_were_refused_and_answers_that_were_not_read_are_told(record: OptimizeRecord) -> None:
    silent = record.candidates[0].model_copy(update={"unread": 3})
    assert "on dev, 3 unread, " in candidate_line(silent)
    assert "of the matcher refused" not in record_text(record, Path("better.md"))
    lied = record_text(record.model_copy(update={"refused_pairs": 72}), Path("better.md"))
    assert "; 72 impossible pairs of the matcher refused\n" in lied


def test_tables_put_searches_transfers_and_the_published_beside_each_other(
    record: OptimizeRecord, tmp_path: Path
) -> None:
    assert record.test is not None
    moved = TransferRecord(
        benchmark="world", judge="d/e", votes=5, matching="paper", matcher="oracle", prompt="0", found_with="a/b",
        labels="0", date=DAY, calls={"judge": 1}, cost_usd=None, readings=2, test=record.test,
    )  # fmt: skip
    file = tmp_path / "moved.json"
    write_json(file, moved)
    assert read_any_record(file) == moved
    with pytest.raises(BadInput, match="is of a transfer, and no search"):
        read_record(file)
    tables = {each.id: each for each in search_tables({Path("better.json"): record, file: moved})}
    shown = [
        "judges",
        "gains",
        "tau",
        "spending",
        "candidates",
        "way",
        "confusion",
        "weaknesses",
        "answers",
        "published",
    ]
    assert list(tables) == shown
    never_looks = ["always pass", "always fail"]  # once: both records are of the same labels
    assert tables["judges"].cells("prompt") == [*never_looks, "p0", "textgrad + matching", "p0", "adaptation"]
    assert tables["judges"].cells("found with") == [None, None, None, None, None, "a/b"]
    assert tables["judges"].rows[1][2:5] == record.test.row("always fail").estimates
    assert f"better: {record.test.power}" in tables["gains"].note
    assert tables["gains"].rows[0][2] == record.test.difference("binary MCC").estimate
    assert tables["tau"].rows[0][3] == tables["judges"].rows[3][2].value  # one number under two names
    assert len(tables["candidates"].rows) == len(record.candidates)
    assert tables["spending"].rows[0][1] == "0 = p0"


def test_published_figures_follow_from_their_cells_but_for_known_slips() -> None:
    rows = published_rows()
    assert len(rows) == 21
    slips = list(published_slips())
    assert len(slips) == 4
    assert "47.8; its cells give 48.0" in slips[0]
    assert "tau is printed as 0.273 and MCC as 17.8" in slips[1]
    assert "the cells of Table 5 add up to 168" in slips[2]
    assert "is 12.6 by Table 5; the text has 12.7" in slips[3]


def test_feedback_lists_what_was_overlooked_and_what_was_made_up() -> None:
    problem = make_problem(0)
    question = LabelledQuestion("w", True, (Weakness(text="defect01 is visible"), Weakness(text="defect02 is visible")))
    said = PredictedAnswer(True, (Weakness(text="one notices defect02"), Weakness(text="one notices quirk03")))
    mark = mark_sample(LabelledSample("a", (question,), "a"), [said], problem.match)
    assert mark.feedback == "Omissions: defect01 is visible; Hallucinations: one notices quirk03"
    assert (mark.binary.tp, round(mark.confusion.tp, 3)) == (1.0, 0.5)
    assert mark_sample(LabelledSample("a", (question,), "a"), [said], None).feedback == "Right."


def test_a_rubric_is_told_verdict_by_verdict() -> None:
    questions = (LabelledQuestion("a", True, text="Is it sharp?"), LabelledQuestion("b", False, text="Is it loud?"))
    said = [
        predicted_answer(Judgement(question=name, judge="j", answer="yes", because="I see."), "yes_no") for name in "ab"
    ]
    mark = mark_sample(LabelledSample("s", questions, "s"), said, make_problem(0).match)
    assert mark.feedback == (
        "Is it sharp?: People say no, the judge said yes, because: I see. Is it loud?: Perfect prediction."
    )
    assert (mark.confusion.fn, mark.confusion.tn, mark.score) == (1.0, 1.0, 0.5)


def test_labels_of_no_family_and_labels_that_contradict_are_named() -> None:
    labels = [Label(benchmark="b", item="i", person="p", answer="yes", groups={"task": "perception"})]
    with pytest.raises(BadInput, match="no label has these groups; there are task=perception"):
        choose_family(labels, {"task": "logic"})
    halves = [Label(benchmark="b", item="i", person=who, answer=said) for who, said in (("p", "yes"), ("q", "no"))]
    assert split_samples(halves, [], seed=0).left_out == {}
    split = [each.model_copy(update={"split": "dev"}) for each in halves]
    assert split_samples(split, [], seed=0).left_out == {"people do not agree": 1}


def test_rules_that_only_moved_are_no_change() -> None:
    change = prompt_change("# Judge\n\n- a b.\n- c.", "# Judge\n\n- c.\n- a\n  b.\n- d.")
    assert (change.added, change.removed) == (("d.",), ())


def test_a_record_that_was_cut_is_named(tmp_path: Path) -> None:
    (tmp_path / "cut.json").write_text('{"schema": "cutscore.optimize/1", "sett')
    with pytest.raises(BrokenData, match=r"cut\.json'.*write it anew"):
        read_record(tmp_path / "cut.json")


def test_a_difference_that_is_the_same_in_every_clip_is_not_said_to_cancel_out() -> None:
    """A search that loses one of two answers in each clip: nothing varies, so no study can be sized by it."""
    samples = [
        LabelledSample(f"{clip}{half}", (LabelledQuestion("q", has_weakness=False),), clip)
        for clip in "abc"
        for half in (0, 1)
    ]

    def judge(prompt: str, sample: LabelledSample) -> list[PredictedAnswer]:
        return [PredictedAnswer(prompt == "worse" and sample.id.endswith("1"))]

    first, best = (evaluate_prompt(text, samples, judge=judge, match=None) for text in ("p0", "worse"))
    power = compare_prompts(first, best, resamples=100).power
    assert power.endswith("the difference is the same in every clip, or next to nothing")
    assert compare_prompts(first, first, resamples=100).power.endswith("no verdict tells them apart")
