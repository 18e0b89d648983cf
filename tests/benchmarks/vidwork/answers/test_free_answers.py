"""Free-form answers, written for this test: how often each reader errs, by kind and over all.

`order_answers.jsonl` and `verdict_answers.jsonl` have one answer a line, with its kind and what a person reads in it.
The readers were made with those of the set `dev`; those of the set `held` were kept from them, and tell what to expect
of other answers. When the readers change, write the line that fails here into the README; `pytest -s` shows all kinds.
"""

import json
import sys
from collections import Counter
from pathlib import Path

import pytest

from cutscore import registry
from cutscore.benchmarks.vidwork.answers.order import read_order
from cutscore.benchmarks.vidwork.answers.verdict import read_verdict

HERE = Path(__file__).parent
STEPS = {
    "onion": ("Chop the onion", "Heat the pan"),
    "brush": ("Dip the brush into the paint", "Nail the roof on top"),
    "wound": ("Press a cloth on the wound", "Raise the arm"),
    "flour": ("Add the flour to the bowl", "Add the eggs to the bowl"),
}
MOST_MISREAD = 0.04  # of answers that were kept from a reader's maker
MOST_UNREAD = 0.04


def answers(reader: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (HERE / f"{reader}_answers.jsonl").read_text().splitlines()]


def outcome(reader: str, answer: dict[str, str]) -> str:
    """Return right, misread (as something else), or unread (as no answer, where it is one)."""
    text = answer["text"]
    read = read_verdict(text).verdict if reader == "verdict" else read_order(text, *STEPS[answer["steps"]]).order
    said = read or "none"
    return "right" if said == answer["said"] else "unread" if said == "none" else "misread"


def sentence(reader: str) -> str:
    """Return what the README says of a reader."""
    told = []
    for name, words in (("held", "kept from its making"), ("dev", "it was made with")):
        found = Counter(outcome(reader, answer) for answer in answers(reader) if answer["set"] == name)
        told.append(f"{found['misread']} misread and {found['unread']} unread of {found.total()} {words}")
    return f"`{reader}`: {'; '.join(told)}."


@pytest.mark.parametrize("reader", ["order", "verdict"])
def test_the_error_rate_is_low_and_stands_in_the_readme(reader: str) -> None:
    asked = answers(reader)
    by_kind: dict[str, Counter[str]] = {}
    for answer in asked:
        by_kind.setdefault(answer["kind"], Counter())[outcome(reader, answer)] += 1
    for kind, found in by_kind.items():
        sys.stdout.write(
            f"{reader:8} {kind:22} {found.total():3} answers, {found['misread']} misread, {found['unread']} unread\n"
        )
    sys.stdout.write(f"{sentence(reader)}\n")
    held = Counter(outcome(reader, answer) for answer in asked if answer["set"] == "held")
    assert held["misread"] / held.total() <= MOST_MISREAD
    assert held["unread"] / held.total() <= MOST_UNREAD
    readme = (registry.benchmark("vidwork").folder / "README.md").read_text()
    assert sentence(reader) in readme


def test_there_are_more_than_two_hundred_and_none_twice() -> None:
    texts = [answer["text"] for answer in (*answers("order"), *answers("verdict"))]
    assert len(set(texts)) == len(texts) > 200


@pytest.mark.parametrize("answer", [each for each in answers("order") if each["kind"] == "steps in words"])
def test_asked_the_other_way_round_the_answer_is_the_other_one(answer: dict[str, str]) -> None:
    first, second = STEPS[answer["steps"]]
    turned = {"before": "after", "after": "before"}[answer["said"]]
    assert read_order(answer["text"], second, first).order in (turned, None)
