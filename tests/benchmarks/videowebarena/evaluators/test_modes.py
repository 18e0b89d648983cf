"""What `strict` does otherwise than the released code, rule by rule; and what is invalid in both."""

from dataclasses import dataclass, field

import pytest

from cutscore.benchmarks.videowebarena.evaluators.answers import AskedWords, match_answer
from cutscore.benchmarks.videowebarena.evaluators.inequalities import match_values
from cutscore.benchmarks.videowebarena.evaluators.judged import Jury
from cutscore.benchmarks.videowebarena.evaluators.text import is_included, match_excluded, match_included
from cutscore.benchmarks.videowebarena.evaluators.urls import match_url
from cutscore.benchmarks.videowebarena.released import EvalSection
from cutscore.core.errors import Unscored
from cutscore.core.evidence import Evidence
from cutscore.core.judgement import Judgement
from cutscore.scoring.judges.constant import ConstantJudge


def both(check):
    return [check("reference"), check("strict")]


@pytest.mark.parametrize(
    ("url", "reference", "passed"),
    [
        ("__REDDIT__/f/abc", "__REDDIT__/f/a", [True, False]),
        ("__REDDIT__/f/a/", "__REDDIT__/f/a", [True, True]),
        ("__REDDIT__/f/a?sort=new", "__REDDIT__/f/a", [True, True]),
        ("__REDDIT__/f/a#top", "__REDDIT__/f/a", [True, True]),
        ("__REDDIT__/login?to=__REDDIT__/f/a", "__REDDIT__/f/a", [True, False]),
        ("__SHOPPING__/search?q=red&page=2", "__SHOPPING__/search?q=red", [True, True]),
        ("__SHOPPING__/search?q=redder", "__SHOPPING__/search?q=red", [True, False]),
        ("__REDDIT__/f/gaming", "f/gaming", [True, True]),
        ("__REDDIT__/surf/gaming", "f/gaming", [True, False]),
        ("__REDDIT__/f/a", "", [True, False]),
        ("__REDDIT__/f/b", "__REDDIT__/f/a |or| __REDDIT__/f/b", [False, True]),
    ],
)
def test_references_in_an_address_end_at_borders(url, reference, passed):
    assert both(lambda mode: match_url(url, reference, "GOLD in PRED", mode).passed) == passed


@pytest.mark.parametrize("note", [None, "EXACT"])
def test_exact_addresses_are_the_same_in_both_modes(note):
    assert both(lambda mode: match_url("__MAP__/a/", "__MAP__/a", note, mode).passed) == [True, True]
    assert both(lambda mode: match_url("__MAP__/a?x", "__MAP__/a", note, mode).passed) == [False, False]


def test_inequalities_have_no_tolerance():
    assert both(lambda mode: [each.passed for each in match_values(["< 5", "> 4"], "5", mode)]) == [
        [True, True],
        [False, True],
    ]


def test_alternatives_are_split_however_they_are_spelt():
    assert both(lambda mode: match_included("red |or| blue", "it is blue", mode).passed) == [False, True]
    assert both(lambda mode: match_included("red|OR|blue", "it is blue", mode).passed) == [False, True]
    assert both(lambda mode: match_excluded("red |or| blue", "it is blue", mode).passed) == [True, False]
    assert match_values(["< 2 |or| > 8"], "9", "strict")[0].passed
    with pytest.raises(Unscored, match="has no number after '<'; the task is invalid"):
        match_values(["< 2 |or| > 8"], "9", "reference")


def section(**answers):
    return EvalSection.model_validate({"eval_types": ["string_match"], "reference_answers": answers})


def marks(answers, answer, *, judge=("correct", "same"), note="why"):
    jury = Jury({"judge": ConstantJudge(judge)} if judge else {}, Evidence())
    words = AskedWords("INTENT", "QUESTION", note)
    return both(lambda mode: match_answer(answers.reference_answers, answer, words, mode, jury).passed)


def test_the_reason_of_an_impossible_task_replaces_no_other_verdict():
    assert marks(section(must_include=["zzz"], fuzzy_match="N/A"), "other reason") == [True, False]
    assert marks(section(fuzzy_match="N/A"), "N/A", judge=None) == [True, True]


def test_where_a_check_before_failed_the_reference_asks_for_the_reason_even_of_na():
    rules = section(must_include=["zzz"], fuzzy_match="N/A")
    assert marks(rules, "N/A", judge=("correct", "same")) == [True, False]
    assert marks(rules, "N/A", judge=("correct", "different")) == [False, False]
    words, nobody = AskedWords("INTENT", "QUESTION", "why"), Jury({}, Evidence())
    assert not match_answer(rules.reference_answers, "N/A", words, "strict", nobody).passed


@dataclass
class Listener:
    """Finds everything right, and remembers the questions."""

    name: str = "listener"
    asked: list = field(default_factory=list)

    def ask(self, questions, evidence, *, view):
        self.asked += [each.text for each in questions]
        return [Judgement(question=each.id, judge=self.name, answer="correct") for each in questions]


def test_a_judge_of_answers_is_told_the_task_in_reference_and_the_question_in_strict():
    judge = Listener()
    words, jury = AskedWords("INTENT", "QUESTION"), Jury({"judge": judge}, Evidence())
    both(lambda mode: match_answer(section(fuzzy_match=["a"]).reference_answers, "b", words, mode, jury))
    assert [each.partition("\n")[0] for each in judge.asked] == ["The task: INTENT", "The task: QUESTION"]


def test_a_number_is_text_again_for_the_next_kind():
    rules = section(required_values=[">= 5"], must_include=["7"])
    jury = Jury({}, Evidence())
    words = AskedWords("I", "I")
    with pytest.raises(Unscored, match="compares text, and 7 was read; the task is invalid"):
        match_answer(rules.reference_answers, "7", words, "reference", jury)
    assert match_answer(rules.reference_answers, "7", words, "strict", jury).passed


@pytest.mark.parametrize("rules", [{"fuzzy_match": ["a"]}, {"fuzzy_match": "N/A"}])
def test_without_a_judge_nothing_is_decided(rules):
    with pytest.raises(Unscored, match="needs a judge, and there is none; name one with --judge"):
        marks(section(**rules), "b", judge=None)


def test_an_impossible_task_says_why():
    with pytest.raises(Unscored, match="string_note does not say why"):
        marks(section(fuzzy_match="N/A"), "b", note="")


@pytest.mark.parametrize(
    ("wanted", "seen", "because"),
    [
        ("0", "10", "seen '10', wanted '0' as a word: it stands inside a longer one"),
        ("170", "order 000000170", "seen 'order 000000170', wanted '170' as a word: it stands inside a longer one"),
        ("red |OR| blue", "green", "seen 'green', wanted 'red' or 'blue' in it"),
        ("5 km", "<!doctype html><html>" + "x" * 300, "seen a whole page, wanted '5 km' in it"),
        ("5 km", "x" * 300, f"seen '{'x' * 120}…' (300 characters), wanted '5 km' in it"),
    ],
)
def test_a_near_miss_says_what_was_seen_and_wanted(wanted, seen, because):
    verdict = match_included(wanted, seen, "reference")
    assert (verdict.passed, verdict.because) == (False, because)


def test_what_must_not_be_there_is_shown_where_it_is():
    assert match_excluded("red", "x" * 100 + " red " + "y" * 100, "reference").because == (
        "seen …'xxxxxxxxxxxxxxxxxxx red yyyyyyyyyyyyyyyyyyy'…, which must not contain 'red'"
    )


def test_an_address_with_a_placeholder_is_never_one_word():
    """Behind a placeholder stands http://…, which is several words, so that it is found as a part."""
    assert is_included("__REDDIT__/f/a", "see __reddit__/f/abc")
