"""What is said about a judge where little can be said: plainly undefined, never narrow."""

from functools import partial
from typing import Any

import pytest

from cutscore.core.errors import BadInput
from cutscore.core.judgement import Judgement, Weakness
from cutscore.core.label import Label
from cutscore.results.judge_card.measures import flip_rate, measures
from cutscore.results.judge_card.pairing import LabelPairing, pair_with_labels
from cutscore.results.judge_card.people import people_agreement
from cutscore.results.judge_card.resampling import Resampling
from cutscore.results.judge_card.verdicts import JudgeVerdict
from cutscore.scoring.matching.feedback import match
from cutscore.scoring.matching.matchers import DEFAULT_MATCHER

MATCH = partial(match, matcher=DEFAULT_MATCHER)
QUICK = Resampling(resamples=200)


def label(item: str, answer: Any = "yes", *, kind: str = "yes_no", person: str = "ann", **more: Any) -> Label:
    return Label(benchmark="b", item=item, question="q", kind=kind, person=person, answer=answer, **more)


def verdict(item: str, answer: Any = "yes", *, kind: str = "yes_no", question: str = "q", **more: Any) -> JudgeVerdict:
    judgement = Judgement(question=question, judge="planted", answer=answer, **more)
    return JudgeVerdict(benchmark="b", item=item, kind=kind, judgement=judgement)


def pairing(true: str, said: str, kind: str = "yes_no", names: dict[str, Any] | None = None) -> LabelPairing:
    """One item for each letter: y and n are yes and no, - is nothing."""
    names = names or {"y": "yes", "n": "no", "-": None}
    labels = [label(f"i{place}", names[letter], kind=kind) for place, letter in enumerate(true)]
    verdicts = [verdict(f"i{place}", names[letter], kind=kind) for place, letter in enumerate(said)]
    (made,) = pair_with_labels(labels, verdicts)
    return made


def told(made: LabelPairing) -> dict[str, Any]:
    return {
        each.name: each for each in measures(made.kind, made.pairs, unread=made.unread, match=MATCH, draws=QUICK)[0]
    }


def test_figures_of_a_small_table() -> None:
    found = told(pairing("yyyynnnnnn", "yyynnnnnny"))
    assert {name: round(each.value, 4) for name, each in found.items()} == {
        "agreement": 0.8,
        "kappa": 0.5833,
        "sensitivity": 0.75,
        "specificity": 0.8333,
        "MCC": 0.5833,
    }
    assert found["sensitivity"].n == 4
    assert all(each.low < each.value < each.high for each in found.values())
    _, rates = measures("yes_no", pairing("yyyynnnnnn", "yyynnnnnny").pairs, match=MATCH, draws=QUICK)
    assert rates == {"yes": (0.4, 0.4), "no": (0.6, 0.6)}


def test_one_class_only() -> None:
    found = told(pairing("yyyyyy", "yyynyy"))
    assert found["specificity"].value is None
    assert found["specificity"].method == "undefined: no samples"
    assert found["MCC"].method == "undefined: truth or answer is always the same"
    assert found["kappa"].low is None
    assert found["sensitivity"].n == 6


def test_a_judge_that_always_says_yes() -> None:
    found = told(pairing("yynnyn", "yyyyyy"))
    assert (found["sensitivity"].value, found["specificity"].value) == (1.0, 0.0)
    assert found["sensitivity"].low < 0.5  # three labels do not make it perfect
    assert found["MCC"].value is None
    assert (found["kappa"].value, found["kappa"].low) == (0.0, None)
    assert found["kappa"].method.startswith("undefined: all resamples have the same value")


def test_all_agree_on_one_answer() -> None:
    found = told(pairing("yyyy", "yyyy"))
    assert found["kappa"].value is None
    assert found["kappa"].method == "undefined: both raters gave one and the same category throughout"
    assert (found["agreement"].value, found["agreement"].method[:6]) == (1.0, "Wilson")


def test_three_labels_are_wide_and_one_has_no_interval() -> None:
    three = told(pairing("yyn", "yyn"))
    assert three["agreement"].high - three["agreement"].low > 0.5
    assert three["sensitivity"].low < 0.4
    one = told(pairing("y", "y"))
    assert (one["agreement"].low, one["agreement"].method) == (None, "undefined: one cluster")
    assert (one["sensitivity"].low, one["sensitivity"].method) == (None, "undefined: one cluster")


def test_unread_answers_are_counted_and_widen_the_bounds() -> None:
    made = pairing("yyyn", "yy--")
    assert (len(made.pairs), made.unread) == (2, 2)
    assert told(made)["agreement"].bounds == (0.5, 1.0)


def test_people_who_disagree_are_no_truth() -> None:
    labels = [label("i1"), label("i1", "no", person="bo"), label("i2"), label("i3", None)]
    (made,) = pair_with_labels(labels, [verdict(item) for item in ("i1", "i2", "i3")])
    assert (len(made.pairs), made.undecided) == (1, 2)


def test_a_scale() -> None:
    names = {letter: int(letter) for letter in "123456789"}
    found = told(pairing("1234567", "2345678", "scale", names))
    assert (found["bias"].value, found["mean error"].value, found["Spearman rho"].value) == (1.0, 1.0, 1.0)
    assert found["agreement"].value == 0.0  # a whole point apart is another opinion
    assert 0 < found["weighted kappa"].value < 1
    assert found["bias"].low is None  # no spread: an interval of no width would be a promise
    flat = told(pairing("1234567", "5555555", "scale", names))
    assert flat["Spearman rho"].method == "undefined: one of the scores is the same for all samples"


def test_choices_and_preferences() -> None:
    names = {"r": "red", "b": "blue", "g": "green"}
    found = told(pairing("rrbbgg", "rrbbgr", "choice", names))
    assert round(found["agreement"].value, 4) == 0.8333
    assert set(found) == {"agreement", "kappa"}
    sides = told(pairing("ABAB", "ABBB", "pairwise", {"A": "A", "B": "B"}))
    assert sides["kappa"].value == 0.5


def fault(text: str, at: Any = None) -> Weakness:
    return Weakness(text=text, at=at)


def test_faults_are_matched_one_to_one() -> None:
    true = (fault("the hand melts", (1, 2)), fault("text flickers"))
    said = (fault("hand melts into the cup", (1, 3)), fault("hand melts away", (1, 2)), fault("sky turns green"))
    labels = [
        label("i1", None, kind="weaknesses", weaknesses=true),
        label("i2", None, kind="weaknesses"),
        label("i3", None, kind="weaknesses", weaknesses=(fault("jump cut"),)),
    ]
    verdicts = [
        verdict("i1", "yes", kind="weaknesses", weaknesses=said),
        verdict("i2", "yes", kind="weaknesses", weaknesses=(fault("too dark"),)),
        verdict("i3", "no", kind="weaknesses"),
    ]
    (made,) = pair_with_labels(labels, verdicts)
    found = told(made)
    assert round(found["faults found, by characters (approximate)"].value, 4) == round(1 / 3, 4)
    assert found["faults that people have, by characters (approximate)"].value == 0.25
    assert (found["sensitivity"].value, found["specificity"].value) == (0.5, 0.0)
    assert found["fractional MCC, by characters (approximate)"].value < found["MCC"].value < 0


def test_flips_need_two_votes() -> None:
    assert flip_rate([verdict("i1"), verdict("i2", votes=("yes",))]).method == "undefined: nothing was asked twice"
    votes = [verdict("i1", votes=("yes", "no", "yes")), verdict("i2", votes=("yes", None, "yes"))]
    assert flip_rate(votes, draws=QUICK).value == pytest.approx(1 / 3)


def test_epochs_with_the_same_deliverable_are_votes() -> None:
    def epoch(number: int, answer: str, deliverable: str) -> JudgeVerdict:
        return verdict("i1", answer).model_copy(update={"epoch": number, "deliverable": deliverable})

    assert flip_rate([epoch(1, "yes", "d1"), epoch(2, "no", "d1")], draws=QUICK).value == 1.0
    for other in ("d2", ""):
        found = flip_rate([epoch(1, "yes", other and "d1"), epoch(2, "no", other)], draws=QUICK)
        assert found.method == "undefined: nothing was asked twice"


def test_choices_of_every_question_its_own_have_no_kappa() -> None:
    names = {letter: f"choice {letter}" for letter in "abcdefghijklmnopqrstuvwxyz"}
    found = told(pairing("".join(names), "".join(names), "choice", names))
    assert found["agreement"].value == 1.0
    assert found["kappa"].method.startswith("undefined: questions have more than 20 different answers")
    labels = [label(f"i{n}", name, kind="choice", person=who) for who in "ab" for n, name in enumerate(names)]
    assert people_agreement("choice", labels)[0].method.startswith("undefined: questions have more than 20")


def test_only_held_out_labels_count_where_there_are_some() -> None:
    labels = [label("i1", split="train"), label("i2", split="test"), label("i3", "no", split="test")]
    (made,) = pair_with_labels(labels, [verdict(f"i{n}") for n in (1, 2, 3)])
    assert (len(made.pairs), made.tuned) == (2, 1)


def test_a_label_of_the_whole_item_finds_the_one_question() -> None:
    whole = Label(benchmark="b", item="i1", person="ann", answer="yes")
    (made,) = pair_with_labels([whole], [verdict("i1", question="is it right")])
    assert len(made.pairs) == 1
    with pytest.raises(BadInput, match="none of them is about what was judged"):
        pair_with_labels([whole], [verdict("i1", question="one"), verdict("i1", question="two")])


@pytest.mark.parametrize(
    ("labels", "verdicts", "said"),
    [
        ([], [verdict("i1")], "labels: there are 0 labels and 1 verdicts; judge the labelled deliverables first"),
        ([label("j")], [verdict("i1")], r"none of them is about what was judged \(labels have \('b', 'j'"),
        ([label("i1")], [verdict("i1"), verdict("i1", "no")], "question 'q' of item 'i1': was judged twice"),
        ([label("i1")], [verdict("i1", "red", kind="choice")], "is of kind 'yes_no' in the labels and 'choice' for"),
    ],
)
def test_what_cannot_be_paired_is_said(labels: list[Label], verdicts: list[JudgeVerdict], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        pair_with_labels(labels, verdicts)


def by_people(**said: str) -> list[Label]:
    names = {"y": "yes", "n": "no", "-": None}
    return [label(f"i{n}", names[each], person=who) for who, told in said.items() for n, each in enumerate(told)]


def test_how_far_people_agree() -> None:
    alpha, kappa = people_agreement("yes_no", by_people(ann="yyynnnyn", bo="yyynnnny"), draws=QUICK)
    assert (alpha.name, kappa.name) == ("people: alpha", "people: kappa")
    assert kappa.value == 0.5
    assert 0.5 < alpha.value < 0.6  # Krippendorff corrects for few units
    (three,) = people_agreement("yes_no", by_people(ann="yyynn-", bo="yynnn-", cy="y-ynny"), draws=QUICK)
    assert three.n == 5  # what one person alone saw pairs with nothing


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"ann": "yyn"}, "undefined: no question was labelled by two people"),
        ({"ann": "yyy", "bo": "yyy"}, "undefined: all values are the same"),
        ({"ann": "y-n", "bo": "-y-"}, "undefined: no question was labelled by two people"),
    ],
)
def test_people_of_whom_nothing_can_be_said(said: dict[str, str], why: str) -> None:
    alpha = people_agreement("yes_no", by_people(**said), draws=QUICK)[0]
    assert (alpha.value, alpha.method) == (None, why)


def test_people_on_a_scale_count_by_distance() -> None:
    near = [label(f"i{n}", n % 9 + 1, kind="scale") for n in range(9)]
    near += [label(f"i{n}", n % 9 + 2, kind="scale", person="bo") for n in range(9)]
    (alpha,) = people_agreement("scale", near, draws=QUICK)
    assert alpha.value > 0.9
