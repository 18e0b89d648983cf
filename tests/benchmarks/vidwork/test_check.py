"""`cutscore check DIR --bench vidwork`: what it says of a sound pack, a partial one and a broken one."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.cli import check, main


@pytest.fixture
def checked(
    vidwork: LoadedBenchmark, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Any]:
    monkeypatch.setattr(check, "benchmark", lambda name: vidwork.found)

    def run(folder: Path) -> tuple[int, dict[str, Any]]:
        code = main(["check", str(folder), "--bench", "vidwork", "--json"])
        return code, json.loads(capsys.readouterr().out)

    return run


def problems(said: dict[str, Any]) -> dict[str, list[str]]:
    return {each["name"]: each["problems"] for each in said["checks"] if each["problems"]}


def test_a_sound_pack_has_remarks_and_no_problems(
    write_pack: Callable[..., Path], checked: Callable[..., Any], lines: Any
) -> None:
    code, said = checked(write_pack(list(lines.values())))
    assert (code, problems(said)) == (0, {})
    remarks = said["remarks"]
    assert "no clip in cooking × 300 s" in remarks
    assert any("files have no recorded sha256: " in each for each in remarks)


def test_a_pack_need_not_have_every_axis(
    write_pack: Callable[..., Path], checked: Callable[..., Any], lines: Any
) -> None:
    few = {name: line for name, line in lines.items() if line["axis"] == "step_recognition"}
    code, said = checked(write_pack(list(few.values())))
    assert (code, said["items"], problems(said)) == (0, len(few), {})
    assert "no item on axis error_detection" in said["remarks"]


def test_each_bad_item_is_named_with_its_fault(
    write_pack: Callable[..., Path], checked: Callable[..., Any], lines: Any
) -> None:
    names = list(lines)[:2]
    bad = {**lines, names[0]: {**lines[names[0]], "domain": "gardening"}, names[1]: {"id": "x"}}
    code, said = checked(write_pack(list(bad.values())))
    assert (code, said["items"], said["remarks"]) == (1, 0, [])
    (read,) = problems(said).values()
    assert [each.partition(":")[0] for each in read] == ["line 1", "line 2"]
    assert "domain: Input should be 'cooking'" in read[0]
