"""What people together say: majority, median, and plainly nothing where they do not agree."""

from typing import Any

import pytest

from cutscore.core.judgement import Weakness
from cutscore.core.label import Label
from cutscore.labels.consensus import Consensus, consensus


def labels(kind: str, *answers: Any) -> list[Label]:
    people = enumerate(answers)
    return [Label(benchmark="b", item="i", kind=kind, person=f"p{n}", answer=answer) for n, answer in people]


def one(said: list[Label]) -> Consensus:
    (found,) = consensus(said)
    return found


@pytest.mark.parametrize(
    ("kind", "answers", "answer", "because"),
    [
        ("yes_no", ("yes",), "yes", "1 of 1 say 'yes'"),
        ("yes_no", ("yes", "no", "no"), "no", "2 of 3 say 'no'"),
        ("yes_no", ("yes", "no"), None, "1 of 2 say 'yes', which is no majority"),
        ("yes_no", ("yes", None, None), "yes", "1 of 1 say 'yes'"),
        ("yes_no", (None,), None, "nobody gave an answer"),
        ("choice", ("red", "blue", "green"), None, "1 of 3 say 'red', which is no majority"),
        ("pairwise", ("A", "neither", "A"), "A", "2 of 3 say 'A'"),
        ("scale", (3, 8, 4), 4.0, "median of 3"),
        ("scale", (3, 8), 5.5, "median of 2"),
    ],
)
def test_the_rule(kind: str, answers: tuple[Any, ...], answer: Any, because: str) -> None:
    found = one(labels(kind, *answers))
    assert (found.answer, found.reason) == (answer, because)
    assert found.people == sum(each is not None for each in answers)


def faults(person: str, *texts: str) -> Label:
    weaknesses = tuple(Weakness(text=text) for text in texts)
    return Label(benchmark="b", item="i", kind="weaknesses", person=person, weaknesses=weaknesses)


def test_faults_of_the_majority_count_each_wording_once() -> None:
    found = one([faults("a", "Flicker at  the end", "hand melts"), faults("b"), faults("c", "flicker at the end")])
    assert found.answer == "yes"
    assert [each.text for each in found.weaknesses] == ["Flicker at  the end", "hand melts"]


def test_faults_that_the_majority_did_not_see_do_not_count() -> None:
    found = one([faults("a", "flicker"), faults("b"), faults("c")])
    assert (found.answer, found.weaknesses) == ("no", ())


def test_questions_stay_apart_and_in_order() -> None:
    said = [
        Label(benchmark="b", item=item, question=question, person=person, answer="yes", split="test")
        for person in "ab"
        for item in "ji"
        for question in "rq"
    ]
    found = consensus(said)
    assert [(each.about.item, each.about.question, each.people) for each in found] == [
        ("j", "r", 2),
        ("j", "q", 2),
        ("i", "r", 2),
        ("i", "q", 2),
    ]
    assert {each.split for each in found} == {"test"}
