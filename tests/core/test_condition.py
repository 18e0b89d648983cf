"""Conditions of work: one spelling of every value, and a card that can only add to those of all."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from cutscore.core.card import Card
from cutscore.core.condition import BOX, CONDITIONS, ConditionCard

PLAIN: dict[str, Any] = {
    "name": "bars",
    "title": "Bars",
    "about": "Which bar?",
    "version": "1",
    "licence": "Apache-2.0",
    "headline": "accuracy",
    "scores": {"accuracy": {"about": "how right"}},
    "splits": {"all": 3},
}
GRAMMAR = {"about": "which actions there are", "default": "reference", "choices": ["reference", "wide"]}


def card(**conditions: Any) -> Card:
    return Card.model_validate({**PLAIN, "conditions": conditions})


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("temperature", "hot", "condition 'temperature' cannot be 'hot'; it is a number"),
        ("temperature", "nan", "condition 'temperature' cannot be 'nan'; it is a number"),
        ("temperature", "-1", "condition 'temperature' cannot be '-1'; it is at least 0"),
        ("top_p", "1.1", "condition 'top_p' cannot be '1.1'; it is at least 0 and at most 1"),
        ("time_limit_s", "0", "condition 'time_limit_s' cannot be '0'; it is at least 1"),
        ("time_limit_s", "1.5", "condition 'time_limit_s' cannot be '1.5'; it is a whole number"),
        ("time_limit_s", "inf", "condition 'time_limit_s' cannot be 'inf'; it is a whole number"),
        ("reasoning_effort", "huge", "condition 'reasoning_effort' cannot be 'huge'; it can be none, minimal, low"),
        ("grammar", "loose", "condition 'grammar' cannot be 'loose'; it can be reference, wide"),
        ("script", "gpt", "condition 'script' cannot be 'gpt'; a model is PROVIDER/NAME"),
        ("temperatur_", "0", "benchmark 'bars' has no condition 'temperatur_'; did you mean 'temperature'?"),
        ("magic", "0", "has no condition 'magic'; it has grammar, script, time_limit_s, turn_limit"),
    ],
)
def test_a_value_that_cannot_be_is_said_by_name(name: str, value: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        card(grammar=GRAMMAR, script={"about": "who rewrites", "kind": "model"}).changed_conditions({name: value})


def test_only_what_differs_from_the_card_counts() -> None:
    made = card(grammar=GRAMMAR, time_limit_s={"default": "1800"})
    assert made.changed_conditions({"grammar": "reference", "time_limit_s": "1800.0", "temperature": "none"}) == {}
    assert made.changed_conditions({"time_limit_s": "none", "grammar": "wide"}) == {
        "grammar": "wide",
        "time_limit_s": "",
    }
    values = made.condition_values({"grammar": "wide", "temperature": "0"})
    assert {name: value for name, value in values.items() if value and name not in BOX} == {
        "grammar": "wide",
        "time_limit_s": "1800",
        "temperature": "0",
    }
    assert set(values) == {*CONDITIONS, "grammar"}


def test_a_condition_of_all_keeps_its_meaning_in_a_card() -> None:
    made = card(time_limit_s={"default": "60"}).all_conditions["time_limit_s"]
    assert (made.about, made.kind, made.minimum) == (CONDITIONS["time_limit_s"].about, "integer", 1)


@pytest.mark.parametrize(
    ("conditions", "words"),
    [
        ({"temperature": {"kind": "text"}}, "'temperature' means the same in every benchmark; leave out kind"),
        ({"temperature": {"default": "warm"}}, "cannot be 'warm'; it is a number"),
        ({"temperature": {"default": "0.50"}}, "default '0.50' is written '0.5'"),
        ({"grammar": {"default": "wide"}}, "condition 'grammar' does not say what it is about"),
        ({"grammar": {"about": "x", "default": "odd", "choices": ["wide"]}}, "cannot be 'odd'; it can be wide"),
        ({"frames": {"about": "x"}}, "'frames' is a setting of every benchmark, no condition"),
    ],
)
def test_a_card_that_cannot_be_right_is_refused(conditions: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        card(**conditions)


def test_an_option_is_no_condition() -> None:
    both = {"options": {"grammar": {"about": "x", "default": "y"}}, "conditions": {"grammar": {"about": "z"}}}
    with pytest.raises(ValidationError, match="'grammar' is both an option and a condition"):
        Card.model_validate({**PLAIN, **both})


@given(st.floats(min_value=0, max_value=1e6))
def test_a_number_has_one_spelling(value: float) -> None:
    number = ConditionCard(kind="number")
    once = number.normalise(repr(value))
    assert number.normalise(once) == once
    assert float(once) == value
