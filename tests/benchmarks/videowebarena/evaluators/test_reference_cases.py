"""What the released code returned for the same inputs, in `reference` mode; live pages are in `test_live_cases`."""

import pytest

from cutscore.benchmarks.videowebarena.evaluators.answers import AskedWords, match_answer
from cutscore.benchmarks.videowebarena.evaluators.inequalities import holds, parse_whole
from cutscore.benchmarks.videowebarena.evaluators.judged import Jury, read_fuzzy_reply, read_unachievable_reply
from cutscore.benchmarks.videowebarena.evaluators.text import clean_answer, is_exact, is_included
from cutscore.benchmarks.videowebarena.evaluators.urls import match_url
from cutscore.benchmarks.videowebarena.released import EvalSection
from cutscore.core.errors import Unscored
from cutscore.core.evidence import Evidence
from cutscore.core.judgement import Judgement

PLAIN = {
    "clean_answer": lambda answer: clean_answer(text=answer),
    "exact_match": lambda ref, pred: float(is_exact(ref, pred)),
    "must_include": lambda ref, pred: float(is_included(ref, pred)),
    "must_exclude": lambda ref, pred: float(not is_included(ref, pred)),
    "str_to_int": lambda s: parse_whole(text=s),
    "compare_inequality": holds,
    "fuzzy_judge_reply": lambda reply: float(read_fuzzy_reply(reply)),
    "unachievable_judge_reply": lambda reply: float(read_unachievable_reply(reply)),
    "url_match": lambda current_url, reference_url, url_note: float(
        match_url(current_url, reference_url, url_note, "reference").passed
    ),
}
COUNTS = {
    "clean_answer": 6, "exact_match": 5, "must_include": 22, "must_exclude": 4, "str_to_int": 6,
    "compare_inequality": 7, "fuzzy_judge_reply": 4, "unachievable_judge_reply": 3, "url_match": 12,
}  # fmt: skip


@pytest.mark.parametrize("kind", PLAIN)
def test_gives_what_the_released_code_gave(kind, reference_cases):
    cases = reference_cases[kind]
    assert len(cases) == COUNTS[kind]
    assert not any(case.get("reference_defect") for case in cases)
    for case in cases:
        if isinstance(case["expected"], dict):
            with pytest.raises(Unscored):
                PLAIN[kind](**case["input"])
        else:
            assert PLAIN[kind](**case["input"]) == case["expected"], case["id"]


class RecordingJudge:
    """Says always the same, and remembers what it was asked."""

    name = "recording"

    def __init__(self, says):
        self.says, self.calls = says, []

    def ask(self, questions, evidence, *, view):
        (question,) = questions
        self.calls.append((question, evidence.facts))
        answers = {"fuzzy": ("incorrect", "correct"), "unachievable": ("different", "same")}
        said = answers[question.id][int(self.says[question.id])]
        return [Judgement(question=question.id, judge=self.name, answer=said)]


def test_string_match_gives_what_the_released_code_gave(reference_cases):
    for case in reference_cases["string_match"]:
        given, expected = case["input"], case["expected"]
        judge = RecordingJudge(given["judge_returns"])
        jury = Jury({"judge": judge}, Evidence())
        if "error" in expected:
            with pytest.raises((Unscored, ValueError, TypeError)):
                match_case(given, jury)
            continue
        assert float(match_case(given, jury).passed) == expected["score"], case["id"]
        assert len(judge.calls) == len(expected["judge_calls"]), case["id"]
        for (question, facts), call in zip(judge.calls, expected["judge_calls"], strict=True):
            assert (question.id, facts) == (call["judge"], {"answer": call["pred"]})
            assert call["reference"] in question.text
            assert f"The task: {call['question']}\n" in question.text


def match_case(given, jury):
    config = given["config"]
    section = EvalSection.model_validate(config[given["eval_key"]])
    question = config["intent" if given["eval_key"] == "eval" else "intermediate_intent"]
    words = AskedWords(config["intent"], question, section.string_note)
    # None: the section has no reference_answers, at which the released code crashes.
    return match_answer(section.reference_answers, given["answer"], words, "reference", jury)
