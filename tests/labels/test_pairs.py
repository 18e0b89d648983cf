"""Labels of pairs: who is A, what was said whichever side was which, and one person against the others."""

import pytest

from cutscore.core.errors import BadInput
from cutscore.core.label import Label
from cutscore.labels.files import read_labels
from cutscore.labels.pairs import pair_labels, person_against_rest


def label(subject: str, answer: str | None, person: str = "ann", **more: str) -> Label:
    about = {"benchmark": "b", "item": "i1", "question": "sem", **more}
    return Label(**about, kind="pairwise", subject=subject, person=person, answer=answer)  # type: ignore[arg-type]


def test_the_first_named_is_a_and_a_pair_is_one_whichever_came_first() -> None:
    one, other = pair_labels([label("kiwi vs ditto", "A"), label("ditto vs kiwi", "B", "bo")], "b")
    assert (one.first, one.second, one.swapped, one.of_pair) == ("kiwi", "ditto", True, "B")
    assert (other.first, other.swapped, other.of_pair) == ("ditto", False, "B")
    assert one.pair == other.pair == ("i1", 1, "ditto", "kiwi")


def test_other_kinds_other_benchmarks_and_who_could_not_say_are_left_out() -> None:
    other = Label(benchmark="b", item="i1", person="ann", answer="yes")
    kept = [label("x vs y", None), label("x vs y", "A", benchmark="c"), other]
    assert pair_labels(kept, "b") == []


@pytest.mark.parametrize("subject", ["kiwi", "", " vs ", "kiwi vs kiwi", "kiwivsditto"])
def test_a_subject_that_does_not_name_two_is_refused(subject: str) -> None:
    with pytest.raises(BadInput, match="does not name two; write both, such as kiwi vs ditto"):
        pair_labels([label(subject, "A")], "b")


def test_one_person_against_the_rest() -> None:
    said = [label("x vs y", "A"), label("y vs x", "B", "bo"), label("x vs y", "neither", "cy")]
    # Of ann and bo the two others differ, so nobody can say what most say; cy says something else than both.
    assert person_against_rest(pair_labels(said, "b")) == 0.0
    assert person_against_rest(pair_labels(said[:2], "b")) == 1.0
    assert person_against_rest(pair_labels(said[:1], "b")) is None


def test_a_sheet_may_say_tie(tmp_path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(
        "benchmark,kind,item,subject,person,answer\nb,pairwise,i,x vs y,ann,Tie\nb,pairwise,i,x vs y,bo,A\n"
    )
    assert [each.label.answer for each in read_labels(file)] == ["neither", "A"]
