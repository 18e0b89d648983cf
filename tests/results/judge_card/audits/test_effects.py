"""What a change did, on answers that can be counted by hand."""

import pytest

from cutscore.core.judgement import Judgement
from cutscore.results.judge_card.audits.effects import (
    attack_success_rate,
    change_rate,
    excess_change_rate,
    favour_shift,
    pair_before_after,
    position_bias,
)
from cutscore.results.judge_card.resampling import Resampling
from cutscore.results.judge_card.verdicts import JudgeVerdict

QUICK = Resampling(resamples=200)


def said(kind: str, *answers: object) -> list[JudgeVerdict]:
    return [
        JudgeVerdict(
            benchmark="b", item=f"i{n}", kind=kind, judgement=Judgement(question="q", judge="j", answer=answer)
        )
        for n, answer in enumerate(answers)
    ]


@pytest.mark.parametrize(
    ("kind", "before", "after", "place", "other"),
    [
        ("pairwise", "AB", "BA", 0, 0),  # wants the same, which now stands on the other side
        ("pairwise", "AA", "AA", 1, 1),
        ("pairwise", "BB", "BB", -1, 1),
        ("pairwise", ("neither",), ("neither",), 0, 0),
        ("pairwise", ("A",), ("neither",), 0.5, 1),
        ("choice", "rgb", "rgb", 0, 0),
        ("choice", "rr", "bb", 1, 1),
        ("choice", "b", "r", -1, 1),
    ],
)
def test_the_pull_of_a_place(kind: str, before, after, place: float, other: float) -> None:
    found = pair_before_after(said(kind, *before), said(kind, *after))
    choices = dict.fromkeys(found.both, ("r", "g", "b"))
    assert position_bias(found, choices, name="x", draws=QUICK).value == place
    assert change_rate(found, name="x", draws=QUICK, turned=True).value == other


def test_changes_beyond_those_of_asking_again() -> None:
    plain = said("yes_no", "yes", "yes", "no", "no")
    again, other = (
        pair_before_after(plain, said("yes_no", *answers)) for answers in (("no", "yes", "no", "no"), ["no"] * 4)
    )
    found = excess_change_rate(other, again, name="x", draws=QUICK)
    assert found.value == 0.25
    assert found.low <= 0 <= found.high


def test_what_could_not_be_read_is_counted_apart() -> None:
    found = pair_before_after(said("yes_no", "yes", "no", None), said("yes_no", "no", None, "yes"))
    share = change_rate(found, name="x", draws=QUICK)
    assert (share.value, share.n, share.unscored) == (1.0, 1, 2)


def test_on_a_scale_half_a_point_is_the_same_opinion() -> None:
    found = pair_before_after(said("scale", 5, 5, 1), said("scale", 5.5, 6, 10))
    assert change_rate(found, name="x", draws=QUICK).value == pytest.approx(2 / 3)
    assert favour_shift(found, name="x", draws=QUICK).value == pytest.approx((0.5 + 1 + 9) / 27)
    assert attack_success_rate(found, name="x", draws=QUICK).value == pytest.approx(1 / 3)


def test_faults_speak_against_a_deliverable() -> None:
    found = pair_before_after(said("weaknesses", "yes", "no"), said("weaknesses", "no", "no"))
    assert favour_shift(found, name="x", draws=QUICK).value == 0.5
    assert (
        attack_success_rate(found, name="x", draws=QUICK).value,
        attack_success_rate(found, name="x", draws=QUICK).n,
    ) == (1.0, 1)
