"""What read_json takes and what it refuses, and in which words."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError, model_validator

from cutscore.core.strict_json import MOST_DIGITS, first_fault, read_json

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(plain)
def test_everything_that_json_writes_strictly_is_read_back(value: object) -> None:
    assert read_json(json.dumps(value, allow_nan=False)) == value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1, "a": 2}', "has the key 'a' twice"),
        ('{"outer": {"a": 1, "b": 0, "a": 1}}', "has the key 'a' twice"),
        ("NaN", "has the number NaN"),
        ('{"a": -Infinity}', "has the number -Infinity"),
        ("[1e999]", "has the number 1e999"),
        ("[" * 200_000, "is nested too deeply"),
        ('{"a":' * 200_000, "is nested too deeply"),
        ("[" * 101 + '"' + r"\"" * 400_000, "is nested too deeply"),  # a string without end: once, hours
        ("", "is not JSON from character 1 on"),
        ("{'a': 1}", "is not JSON from character 2 on"),
        ("\ufeff{}", "is not JSON"),
        ("9" * (MOST_DIGITS + 1), "has a number of 4,301 digits"),
        (f'{{"a": [-{"9" * 5_000}]}}', "has a number of 5,000 digits"),
    ],
)
def test_the_rest_is_refused_with_a_reason(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(words)}"):
        read_json(text)


def test_the_longest_whole_number_is_read() -> None:
    assert read_json("-" + "9" * MOST_DIGITS) == 1 - 10**MOST_DIGITS


def test_a_twin_among_very_many_keys_is_found_in_one_pass() -> None:
    text = "{" + ",".join(f'"k{n}":0' for n in range(200_000)) + ',"k199999":1}'
    with pytest.raises(ValueError, match="'k199999' twice"):
        read_json(text)


class _Two(BaseModel):
    number: list[int]

    @model_validator(mode="after")
    def _small(self) -> "_Two":
        if sum(self.number) > 9:
            raise ValueError("is too much")
        return self


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        ({"number": [1, "secret"]}, "number.1: Input should be a valid integer, unable to parse string as an integer"),
        ({"number": [10]}, "is too much"),
    ],
)
def test_the_first_fault_has_a_place_and_does_not_repeat_what_stands_there(plain: object, said: str) -> None:
    with pytest.raises(ValidationError) as error:
        _Two.model_validate(plain)
    assert first_fault(error.value) == said
