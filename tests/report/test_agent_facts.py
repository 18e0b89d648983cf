"""What an item's page tells of an agent beside its steps: versions, box, turns, and tokens counted twice."""

from types import SimpleNamespace
from typing import Any

from cutscore.core.usage import Usage
from cutscore.report.agent_facts import box_facts, usage_facts


def _row(**more: Any) -> Any:
    return SimpleNamespace(**{"usage": None, "told_usage": None, "judge_usage": None, "environment": {}, **more})


def test_tokens_are_told_twice_with_the_cause_of_their_difference() -> None:
    moved = {"cache_writes_as_input": {"input": -1500, "cache_write": 1500}}
    row = _row(
        usage=Usage(input=300, cached=3006, cache_write=1500, output=60, reasoning=28),
        told_usage=Usage(input=1800, cached=3006, output=60, reasoning=28),
        environment={"usage_difference": moved},
    )
    assert list(usage_facts(row)) == [
        ("tokens we saw", "300 input, 3,006 cached, 1,500 cache write, 60 output, 28 reasoning"),
        ("tokens it tells", "1,800 input, 3,006 cached, 60 output, 28 reasoning"),
        ("they differ by", "cache writes as input (-1,500 input, +1,500 cache write)"),
    ]


def test_who_tells_nothing_has_one_line_and_no_box() -> None:
    row = _row(usage=Usage(input=7), judge_usage=Usage(input=3))
    assert list(usage_facts(row)) == [("tokens", "7 input"), ("judge tokens", "3 input")]
    assert list(box_facts({"peak_bytes": 3})) == []


def test_a_box_is_told() -> None:
    told = {"agent": "opencode", "agent_version": "1.14.41", "off_pin": True, "isolation": "full", "network": "none"}
    assert dict(box_facts({**told, "processors": "2 of 4", "memory_gb": 8.0, "turns": 6, "turn_limit": 200})) == {
        "agent": "opencode 1.14.41, not the paper's version",
        "box": "isolation full, network none, 2 of 4 processors, 8 GB",
        "turns": "6 of 200",
    }
