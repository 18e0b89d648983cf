"""A card that cannot be right is refused; one that is right names its scores."""

from typing import Any

import pytest
from pydantic import ValidationError

from cutscore.core.card import Asset, Card

PLAIN: dict[str, Any] = {
    "name": "bars",
    "title": "Bars",
    "about": "Which bar?",
    "version": "1",
    "licence": "Apache-2.0",
    "headline": "accuracy",
    "scores": {"speed": {"about": "how fast"}, "accuracy": {"about": "how right", "chance": 0.25}},
    "splits": {"all": 3},
}


def card(**changes: Any) -> Card:
    return Card.model_validate({**PLAIN, **changes})


def test_a_plain_card() -> None:
    made = card()
    assert made.scores["accuracy"].floor == 0.0
    assert made.scores["speed"].chance is None
    assert made.score_keys() == ("accuracy", "speed")
    assert made.mode(None) == ""


def test_modes_name_every_score_in_every_mode_the_asked_one_first() -> None:
    made = card(modes=["paper", "strict"])
    assert made.mode(None) == "paper"
    assert made.score_keys("strict") == ("accuracy@strict", "accuracy@paper", "speed@strict", "speed@paper")
    assert made.score_keys("paper")[0] == "accuracy@paper"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"inputs": {"question": "x"}}, "input 'question' means the same in every benchmark: question only"),
        ({"inputs": {"no lens": "x"}}, "inputs"),
        ({"headline": "beauty"}, "headline 'beauty' is not among the scores: speed, accuracy"),
        ({"modes": ["papr"]}, "scoring mode 'papr': did you mean 'paper'"),
        ({"modes": ["Table 2"]}, "scoring mode 'Table 2' is not a name"),
        ({"titel": "x"}, "Extra inputs are not permitted"),
        ({"name": "../bars"}, "String should match pattern"),
        ({"name": "bars\n"}, "String should match pattern"),
        ({"scores": {"accuracy": {"about": "x", "floor": float("nan")}}}, "finite"),
        ({"assets": [{"name": "a", "sha256": "1234", "size_bytes": 1, "licence": "MIT"}]}, "pattern"),
        ({"assets": [{"name": "a", "sha256": "0" * 64, "size_bytes": -1, "licence": "MIT"}]}, "greater than or equal"),
        ({"assets": [{"name": "a", "sha256": "0" * 64, "size_bytes": 1, "licence": ""}]}, "at least 1 character"),
    ],
)
def test_what_cannot_be_right_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        card(**changes)


@pytest.mark.parametrize("left_out", sorted(PLAIN))
def test_nothing_that_is_needed_may_be_left_out(left_out: str) -> None:
    with pytest.raises(ValidationError, match="Field required"):
        Card.model_validate({key: value for key, value in PLAIN.items() if key != left_out})


def test_a_mode_that_it_does_not_have() -> None:
    with pytest.raises(
        ValueError, match="benchmark 'bars' has no scoring mode 'strict'; it has only one, without a name"
    ):
        card().mode("strict")
    with pytest.raises(ValueError, match="has no scoring mode 'strict'; it has paper, reference"):
        card(modes=["paper", "reference"]).mode("strict")


def test_an_asset_is_pinned() -> None:
    asset = Asset(name="clips.zip", sha256="0" * 64, size_bytes=7, licence="CC0-1.0")
    assert (asset.url, asset.recipe) == ("", "")


def test_a_choice_is_one_of_those_on_the_card() -> None:
    options: dict[str, Any] = {"matcher": {"about": "How", "default": "words", "choices": ["words", "chars"]}}
    made = card(options=options)
    assert made.changed_options({}) == made.changed_options({"matcher": "words"}) == {}
    assert made.changed_options({"matcher": "chars"}) == {"matcher": "chars"}
    with pytest.raises(ValueError, match="option 'matcher' cannot be 'magic'; it can be words, chars"):
        made.changed_options({"matcher": "magic"})
    with pytest.raises(ValueError, match="has no option 'macher'; it has matcher"):
        made.changed_options({"macher": "words"})
    options["matcher"]["default"] = "magic"
    with pytest.raises(ValueError, match="default 'magic' is not among the choices"):
        card(options=options)


def test_roles_and_params_of_a_judge_are_known_names() -> None:
    made = card(judge={"roles": ["matcher"], "params": {"temperature": 0, "max_tokens": 32_000}})
    assert made.judge.roles == ("matcher",)
    assert made.judge.params == {"temperature": 0, "max_tokens": 32_000}
    for roles in (["judge"], ["matcher", "matcher"]):
        with pytest.raises(ValidationError, match="each role is named once, and 'judge' is there anyway"):
            card(judge={"roles": roles})
    with pytest.raises(ValidationError, match="'heat' is none of temperature, top_p"):
        card(judge={"params": {"heat": 1}})
