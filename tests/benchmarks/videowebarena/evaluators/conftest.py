"""The released files and the reference cases, read once.

released_tasks      the 2,021 entries, as (set, entry)
released_sections   their `eval` sections as written
reference_cases     what the released code returned, by kind: [{"id", "input", "expected", …}]
"""

import json
from collections import defaultdict

import pytest

SETS = {"videowa": "factual", "vwa": "vwa", "wa": "wa"}


@pytest.fixture(scope="session")
def released_tasks(shared):
    folder = shared / "data" / "videowebarena"
    files = [(SETS[name], file) for name in SETS for file in sorted((folder / name).glob("*.raw.json"))]
    return [(kind, entry) for kind, file in files for entry in json.loads(file.read_text(encoding="utf-8"))]


@pytest.fixture(scope="session")
def released_sections(released_tasks):
    return [entry["eval"] for _, entry in released_tasks if "eval" in entry]


@pytest.fixture(scope="session")
def reference_cases(shared):
    by_kind = defaultdict(list)
    file = shared / "data" / "videowebarena" / "reference_cases.json"
    for case in json.loads(file.read_text(encoding="utf-8"))["cases"]:
        by_kind[case["kind"]].append(case)
    return by_kind
