"""covebench with a scripted model in the role of the forensic judge, from the call to the table."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cutscore.bridge.rows import read_rows
from cutscore.core.timeline import Span

pytestmark = pytest.mark.real

FLAWS = [
    {"text": "the ball leaves a trail", "at": [0.5, 1.0], "severity": 3},
    {"text": "the dog has five legs", "at": [1.0, 1.5], "severity": 9},
]
REPLY = {
    "seal": "SEAL",
    "addressed": False,
    "answers": [
        {"id": "physics", "because": "I looked.", "weaknesses": []},
        {"id": "physics_score", "because": "There is none.", "answer": "10"},
        {"id": "degradation", "because": "The ball smears.", "weaknesses": FLAWS},
        {"id": "degradation_score", "because": "Two flaws.", "answer": "8"},
    ],
}


def test_a_forensic_judge_names_flaws_with_their_seconds(cli: Any, script: Callable[..., str]) -> None:
    said = json.dumps(REPLY).replace("SEAL", r"\g<seal>")
    expert = script("expert", rules=[{"when": "(?s)seal (?P<seal>[0-9a-f]{8})", "say": said}], backoff_s=0.001)
    words = ("run", "covebench", "--subject", "collateral", "--limit", 1, "--set", "metrics=none", "--log-dir", "logs")
    ran = cli(*words, "--role", f"forensics={expert}")
    assert ran.code == 0, ran.err
    (row,) = read_rows(Path("logs"))
    asked = [each for each in row.judgements if each.role == "forensics"]
    assert [each.question for each in asked] == ["physics", "physics_score", "degradation", "degradation_score"]
    found: dict[str, Any] = {each.name: each for each in row.ending.findings}
    assert found["forensic/degradation"].value == 7
    assert found["flaw/degradation/2"].at == Span(start_s=1, end_s=1.5)
    assert found["mismatch/degradation"].because.endswith("says 8, and its own deductions leave 7: 7 counts")
    errors = cli("tables", "logs", "--only", "errors", "--json").json["benchmarks"][0]["tables"][0]
    assert {each[3]: each[5:7] for each in errors["rows"]}["degradation"] == [1.0, 1.0]
