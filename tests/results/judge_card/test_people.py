"""Several annotators: perfect, random, alone, with gaps, in groups, and which questions they dispute."""

from random import Random

import pytest

from cutscore.core.estimate import Estimate
from cutscore.core.label import Label
from cutscore.results.judge_card.people import (
    AnnotatorAgreement,
    UnclearQuestion,
    annotator_agreements,
    disputes,
    find_unclear,
    pair_agreement,
)
from cutscore.results.judge_card.resampling import Resampling

QUICK = Resampling(resamples=500)


def labels(kind: str = "yes_no", **said: str) -> list[Label]:
    """Give one label a letter (y, n, a digit of a scale, or - for none), item by item."""
    meant = {"y": "yes", "n": "no"}
    return [
        Label(
            benchmark="b",
            item=f"i{number:03d}",
            kind=kind,
            person=person,
            answer=meant.get(letter) or (int(letter) if letter.isdigit() else letter),
            groups={"axis": "even" if number % 2 == 0 else "odd"},
        )
        for person, letters in said.items()
        for number, letter in enumerate(letters)
        if letter != "-"
    ]


def only(*said: Label) -> AnnotatorAgreement:
    (part,) = annotator_agreements(said, draws=QUICK)
    return part


def by_name(part: AnnotatorAgreement) -> dict[str, Estimate]:
    return {each.name: each for each in part.pairs}


def test_people_who_say_the_same_agree_fully() -> None:
    part = only(*labels(ann="yyynnynn", bo="yyynnynn", cy="yyynnynn"))
    assert (part.alpha.value, part.people, part.questions, part.shared) == (1.0, ("ann", "bo", "cy"), 8, 8)
    pairs = [f"{pair}: {what}" for pair in ("ann × bo", "ann × cy", "bo × cy") for what in ("kappa", "same answer")]
    assert [(each.name, each.value) for each in part.pairs] == [(name, 1.0) for name in pairs]
    names = [("alpha", "even"), ("same answer", "even"), ("alpha", "odd"), ("same answer", "odd")]
    assert [(each.name, each.group["axis"], each.value) for each in part.groups] == [(*name, 1.0) for name in names]
    assert all(each.disagreement == 0 for each in disputes(labels(ann="yn", bo="yn")))


def test_people_who_throw_coins_agree_as_chance_would() -> None:
    draw = Random(7)
    part = only(*labels(**{name: "".join(draw.choice("yn") for _ in range(300)) for name in ("ann", "bo", "cy")}))
    corrected = [each for each in (*part.groups, *part.pairs) if each.name.endswith(("alpha", "kappa"))]
    for each in (part.alpha, *corrected):
        assert each.low is not None
        assert each.high is not None
        assert each.low < 0 < each.high, each.name
        assert abs(each.value or 0) < 0.2


def test_one_person_agrees_with_nobody_and_that_is_said() -> None:
    part = only(*labels(ann="yyn"))
    assert (part.alpha.value, part.alpha.method) == (None, "undefined: no question was labelled by two people")
    assert (part.shared, part.pairs, disputes(labels(ann="yyn"))) == (0, (), [])


def test_gaps_are_allowed_and_two_who_never_meet_are_told() -> None:
    part = only(*labels(ann="yyynnn--", bo="--ynnnyy", cy="yy------"))
    assert (part.questions, part.shared) == (8, 6)
    pairs = by_name(part)
    assert (pairs["ann × bo: kappa"].n, pairs["ann × bo: kappa"].value) == (4, 1.0)
    assert pairs["bo × cy: alpha"].method == "undefined: no question was labelled by two people"


def test_the_same_answer_throughout_is_no_agreement_beyond_chance() -> None:
    assert only(*labels(ann="yyyy", bo="yyyy")).alpha.method == "undefined: all values are the same"


def test_a_scale_counts_how_far_answers_lie_apart() -> None:
    said = labels("scale", ann="1234567", bo="2345678", cy="7654321")
    near, far, _ = pair_agreement("scale", said, draws=QUICK)
    assert (near.name, far.name) == ("ann × bo: alpha", "ann × cy: alpha")
    assert near.value > 0.8 > 0 > far.value  # type: ignore[operator]
    first, *_, last = disputes(said)
    assert (first.about.item, first.said) == ("i006", {"ann": 7, "bo": 8, "cy": 1})
    assert first.disagreement == pytest.approx((1 + 6 + 7) / 3 / 9)
    assert (last.about.item, last.disagreement) == ("i003", pytest.approx((1 + 0 + 1) / 3 / 9))


def test_disputes_come_in_the_order_of_disagreement_with_who_said_what() -> None:
    found = disputes(labels(ann="yyyn", bo="ynyn", cy="yn-y"))
    assert [(each.about.item, round(each.disagreement, 3)) for each in found] == [
        ("i001", 0.667),
        ("i003", 0.667),
        ("i000", 0.0),
        ("i002", 0.0),
    ]
    assert found[0].said == {"ann": "yes", "bo": "no", "cy": "no"}
    assert found[3].said == {"ann": "yes", "bo": "yes"}


def test_kinds_and_benchmarks_do_not_mix_and_groups_may_be_named_once() -> None:
    said = labels(ann="yn", bo="yn")
    bare = [each if each.person == "ann" else each.model_copy(update={"groups": {}}) for each in said]
    assert annotator_agreements(bare, draws=QUICK) == annotator_agreements(said, draws=QUICK)
    other = [each.model_copy(update={"benchmark": "c"}) for each in said]
    assert [part.benchmark for part in annotator_agreements([*said, *other], draws=QUICK)] == ["b", "c"]
    assert len(annotator_agreements([*said, *labels("scale", ann="12")], draws=QUICK)) == 2


def graded(**said: str) -> list[Label]:
    """Give the grades of two films by three people: for each person the answers to two items, film by film."""
    return [
        Label(
            benchmark="b",
            item="film",
            question=question,
            subject=f"editor-{number}",
            person=person,
            answer="yes" if letter == "y" else "no",
            groups={"pillar": pillar},
        )
        for person, letters in said.items()
        for number in (1, 2)
        for (question, pillar), letter in zip(
            (("goal", "narrative"), ("music", "sound")), letters[2 * number - 2 :], strict=False
        )
    ]


def test_items_of_one_rubric_are_grouped_by_their_own_pillars() -> None:
    part = only(*graded(ann="yyny", bo="yyny", cy="ynny"))
    rates = {each.group["pillar"]: each.value for each in part.groups if each.name == "same answer"}
    assert rates == {"narrative": 1.0, "sound": pytest.approx(2 / 3)}  # 1/3 of the pairs on one film, all on the other


def test_items_that_people_understand_in_several_ways_are_listed_over_all_films() -> None:
    grades = graded(ann="yyny", bo="yyny", cy="ynny")
    assert find_unclear(grades, below=0.6) == []
    assert find_unclear(grades, below=0.7) == [UnclearQuestion("b", "film", "music", pytest.approx(2 / 3), 2)]
    assert [each.question for each in find_unclear(grades, below=1.0)] == ["music"]
