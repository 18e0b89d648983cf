"""covebench: what is said of a folder of tasks: every departure from the rules, by rule, and never a flood."""

import json
from pathlib import Path

import pytest

from cutscore.benchmarks.covebench.construction.lint import LintFault
from cutscore.benchmarks.covebench.release import describe_faults, remarks


def test_faults_are_told_by_rule_with_a_few_of_different_tasks() -> None:
    said = LintFault("wording", "Q1", "says 'output'")
    faults = {"1": (said, said, said), "2": (said,), "3": (LintFault("time", "Q2", "names a time: '0:03'"),), "4": ()}
    assert describe_faults(faults) == [
        "time: 1 fault in 1 of 4 tasks: task 3: Q2 names a time: '0:03'",
        "wording: 4 faults in 2 of 4 tasks: task 1: Q1 says 'output'; task 2: Q1 says 'output'; "
        "task 1: Q1 says 'output'; and 1 more",
    ]


@pytest.fixture
def folder(tmp_path: Path, shared: Path) -> Path:
    """A folder with the released sample, one of whose categories writes a key in another way."""
    sample = json.loads((shared / "data" / "covebench" / "checklist_sample.json").read_text())
    sample[0]["category"][0]["Level_3"] = sample[0]["category"][0].pop("Level 3")
    (tmp_path / "checklist.json").write_text(json.dumps(sample))
    return tmp_path


def test_what_is_odd_about_a_released_checklist_is_listed(folder: Path) -> None:
    said = "\n".join(remarks([], folder))
    assert "task 1: a category writes 'Level_3'" in said
    assert "visibility: 1 fault in 1 of 6 tasks: task 117: Q11 says 'compared'" in said
    assert "72% of 50 yes-or-no questions expect Yes" in said
    assert "only answers from elsewhere can be marked" in said


@pytest.mark.real
def test_the_folder_of_a_released_checklist_can_be_checked(cli, folder: Path) -> None:
    ran = cli("check", str(folder), "--bench", "covebench", "--json")
    assert ran.code == 0, ran.out
    assert ran.json["remarks"][1:] == remarks([], folder)  # the first is about licences
