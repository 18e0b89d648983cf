"""clvg_turns: verdicts on turns become rates with their denominators."""

import pytest

from cutscore.benchmarks.clvg_turns.verdicts import Outcome, TurnVerdict, score_case
from cutscore.core.finding import Finding

OPEN, LEFT_OUT = "unscored", "excluded"


def scores(*outcomes: Outcome, causes: tuple[str, ...] = ()) -> dict[str, str]:
    """Return every score as its part and whole, or as open or left out."""
    told = [*causes, *([""] * len(outcomes))]
    verdicts = [TurnVerdict(turn, each, "why", cause=told[turn - 2]) for turn, each in enumerate(outcomes, start=2)]
    found = score_case(verdicts, "reference")
    return {each.name: each.amount if isinstance(each, Finding) else each.status for each in found}


def test_a_case_passes_when_all_of_its_turns_do() -> None:
    assert scores("pass", "pass") == {
        "case_passed": "1",
        "turn2": "1 of 1",
        "turn3": "1 of 1",
        "turn3_all": "1 of 1",
        "turn4": LEFT_OUT,
        "turn4_all": LEFT_OUT,
        "reached": "2 of 2",
        "verdicts": "2 of 2",
    }


def test_what_comes_after_a_fail_is_not_reached() -> None:
    found = scores("fail", "pass", "pass")
    assert (found["case_passed"], found["turn2"], found["turn3"], found["turn4"]) == ("0", "0 of 1", LEFT_OUT, LEFT_OUT)
    assert (found["turn3_all"], found["turn4_all"], found["reached"]) == ("0 of 1", "0 of 1", "1 of 3")
    found = scores("pass", "fail")
    assert (found["case_passed"], found["turn2"], found["turn3"], found["turn3_all"]) == (
        "0",
        "1 of 1",
        "0 of 1",
        "0 of 1",
    )


def test_a_case_without_a_judged_turn_never_passes() -> None:
    found = scores()
    assert found["case_passed"] == "0"
    assert found["verdicts"] == LEFT_OUT


def test_a_refusal_is_a_fail_and_no_verdict() -> None:
    found = scores("pass", "fail", causes=("", "refused"))
    assert (found["case_passed"], found["turn3"], found["verdicts"]) == ("0", "0 of 1", "1 of 1")
    assert scores("fail", causes=("refused",))["verdicts"] == LEFT_OUT


def test_without_a_verdict_only_what_it_could_change_is_open() -> None:
    found = scores("pass", "none")
    assert (found["turn2"], found["turn3"], found["turn3_all"], found["case_passed"]) == ("1 of 1", OPEN, OPEN, OPEN)
    assert (found["reached"], found["verdicts"]) == (OPEN, OPEN)
    found = scores("none", "fail")
    assert (found["case_passed"], found["turn2"], found["turn3"]) == ("0", OPEN, OPEN)


@pytest.mark.parametrize("outcomes", [("pass",) * 5, ("pass", "fail", "fail", "fail", "fail")])
def test_longer_cases_have_rates_of_their_own(outcomes: tuple[Outcome, ...]) -> None:
    found = scores(*outcomes)
    assert {"turn6", "turn6_all"} <= found.keys()
