"""Findings fold into endings; there are three of them."""

import pytest
from pydantic import ValidationError

from cutscore.core.ending import Ending, ScoreGap, ending_from_error, fold_findings
from cutscore.core.errors import BadInput, MissingExtra, Unscored
from cutscore.core.finding import Finding, score_key


def found(name: str, value: float, mode: str = "") -> Finding:
    return Finding(name=name, value=value, because="because", mode=mode)


def test_a_finding_with_a_scores_name_is_that_score() -> None:
    findings = (found("accuracy", 0.0), found("loudness", 0.5), found("speed", 2.0))
    ending = fold_findings(findings, ("accuracy", "speed"))
    assert (ending.status, ending.scores) == ("marked", {"accuracy": 0.0, "speed": 2.0})
    assert ending.findings == findings


def test_a_missing_headline_is_our_failure() -> None:
    ending = fold_findings((found("speed", 1.0),), ("accuracy", "speed"))
    assert (ending.status, ending.scores, ending.because) == ("unscored", {}, "marking found no 'accuracy'")
    assert len(ending.findings) == 1
    assert fold_findings((), ()).because == "marking found no 'score'"


def test_modes_are_kept_apart() -> None:
    ending = fold_findings((found("f1", 0.4, "strict"), found("f1", 0.6, "paper")), ("f1@paper", "f1@strict"))
    assert ending.scores == {"f1@paper": 0.6, "f1@strict": 0.4}
    assert fold_findings((found("f1", 0.4, "strict"),), ("f1@paper", "f1@strict")).status == "unscored"


def test_a_finding_without_a_mode_counts_in_every_mode() -> None:
    ending = fold_findings((found("f1", 0.5), found("f", 1.0)), ("f1@paper", "f1@strict"))
    assert ending.scores == {"f1@paper": 0.5, "f1@strict": 0.5}


def test_two_values_for_one_score_are_our_failure() -> None:
    ending = fold_findings((found("f1", 0.5), found("f1", 0.25)), ("f1",))
    assert (ending.status, ending.because) == ("unscored", "marking found 'f1' twice, as 0.5 and 0.25")
    assert fold_findings((found("f1", 0.5), found("f1", 0.5)), ("f1",)).scores == {"f1": 0.5}
    assert fold_findings((found("f1", 0.5), found("f1", 1.0, "paper")), ("f1@paper",)).status == "unscored"
    assert fold_findings((found("why", 0.5), found("why", 0.25), found("f1", 1)), ("f1",)).status == "marked"


def test_only_what_is_marked_has_a_score() -> None:
    with pytest.raises(ValidationError, match="a marked ending needs a score"):
        Ending(status="marked")
    for status in ("unscored", "stopped"):
        with pytest.raises(ValidationError, match=f"an ending that is {status} has a reason and no score"):
            Ending(status=status)
        with pytest.raises(ValidationError, match="has a reason and no score"):
            Ending(status=status, because="x", scores={"a": 1})
    with pytest.raises(ValidationError):
        Ending(status="marked", scores={"a": float("nan")})


def missing(name: str, status: str, mode: str = "") -> ScoreGap:
    return ScoreGap(name=name, status=status, because=f"{name} {status}", mode=mode)  # type: ignore[arg-type]


def test_a_score_can_be_missing_by_itself() -> None:
    ending = fold_findings((found("accuracy", 1.0), missing("speed", "stopped")), ("accuracy", "speed"))
    assert (ending.status, ending.scores) == ("marked", {"accuracy": 1.0})
    gap = ending.gap("speed")
    assert gap is not None
    assert (gap.status, gap.because, ending.gap("accuracy")) == ("stopped", "speed stopped", None)
    assert [each.name for each in ending.findings] == ["accuracy"]
    assert ending.as_json("accuracy")["gaps"] == [
        {"name": "speed", "status": "stopped", "because": "speed stopped", "mode": ""}
    ]


def test_a_headline_with_a_gap_leaves_the_other_scores_marked() -> None:
    ending = fold_findings((found("speed", 1.0), missing("accuracy", "unscored")), ("accuracy", "speed"))
    assert (ending.status, ending.scores) == ("marked", {"speed": 1.0})
    alone = fold_findings((missing("accuracy", "stopped"),), ("accuracy", "speed"))
    assert (alone.status, alone.because) == ("stopped", "accuracy stopped")
    excluded = fold_findings((missing("accuracy", "excluded"),), ("accuracy",))
    assert (excluded.status, excluded.scores) == ("marked", {})


def test_a_gap_without_a_mode_is_one_in_every_mode() -> None:
    keys = ("f1@paper", "f1@strict", "f1_robust@paper")
    ending = fold_findings((found("f1", 1.0, "paper"), missing("f1", "excluded", "strict")), keys)
    assert [ending.gap(key) is not None for key in keys] == [False, True, False]
    every = fold_findings((missing("f1", "excluded"), found("f1_robust", 1.0)), keys)
    assert [every.gap(key) is not None for key in keys] == [True, True, False]


def test_a_score_and_its_gap_contradict_each_other() -> None:
    ending = fold_findings((found("f1", 1.0), missing("f1", "excluded")), ("f1",))
    assert (ending.status, ending.because) == ("unscored", "marking found 'f1' and says why it is not there")


def test_what_kept_us_from_marking() -> None:
    assert ending_from_error(MissingExtra.of("VMAF", "vmaf")).status == "stopped"
    assert ending_from_error(BadInput("a", "b")).status == "unscored"
    assert ending_from_error(Unscored("judge", "is unreachable")).because == "judge: is unreachable"
    assert ending_from_error(ValueError()).because == "ValueError"


def test_json_of_an_ending() -> None:
    ending = fold_findings((found("a", 1.0),), ("a",))
    finding = {"name": "a", "value": 1.0, "because": "because", "file": None, "at": None}
    assert ending.as_json("a") == {"status": "marked", "score": 1.0, "findings": [finding]}
    assert ending_from_error(Unscored("x", "y")).as_json("a") == {
        "status": "unscored",
        "score": None,
        "findings": [],
        "because": "x: y",
    }
    assert found("a", 1, "strict").as_json()["mode"] == "strict"


def test_score_keys() -> None:
    assert (score_key("f1"), score_key("f1", "strict")) == ("f1", "f1@strict")


def test_a_ratio_is_its_share_beside_the_whole_that_weighs_it() -> None:
    ending = fold_findings((Finding(name="recall", value=3, whole=8, because="3 of 8 cuts"),), ("recall",))
    assert (ending.status, ending.scores, ending.wholes) == ("marked", {"recall": 0.375}, {"recall": 8})


def test_a_whole_of_nothing_is_excluded_and_not_unscored() -> None:
    ending = fold_findings((Finding(name="recall", value=0, whole=0, because="the clip has no cut"),), ("recall",))
    assert (ending.status, ending.scores, ending.wholes) == ("marked", {}, {})
    gap = ending.gaps[0]
    assert (gap.name, gap.status, gap.because) == ("recall", "excluded", "nothing to count: the clip has no cut")


def test_two_wholes_of_one_score_leave_the_item_unscored() -> None:
    found = tuple(Finding(name="recall", value=3, whole=whole, because="cuts") for whole in (8, 9))
    assert fold_findings(found, ("recall",)).status == "unscored"
