"""`compare`: paired differences, what was left out, which settings differ."""

import json
from pathlib import Path

import pytest


def edit(folder: Path, **changed: object) -> None:
    """Change what a cell says of itself."""
    file = folder / "cell.json"
    file.write_text(json.dumps({**json.loads(file.read_text(encoding="utf-8")), **changed}), encoding="utf-8")


def test_two_cells(cli, finished_run: Path, cell_of) -> None:
    ran = cli("compare", cell_of(finished_run, "oracle"), cell_of(finished_run, "null"), "--json")
    assert ran.code == 0
    (pair,) = ran.json["pairs"]
    assert {"estimate", "first", "second", "separable", "only_first", "only_second", "cells", "differs"} <= set(pair)
    assert (pair["first"], pair["second"], pair["estimate"]["value"], pair["estimate"]["n"]) == (
        "oracle",
        "null",
        1.0,
        12,
    )
    assert set(pair["differs"]) == {"subject"}
    lines = cli("compare", cell_of(finished_run, "oracle"), cell_of(finished_run, "null")).out.splitlines()
    assert lines[0].startswith("colorbars v1   oracle − null, paired   1.000   ")
    assert lines[1] == "oracle − null differ in subject oracle / null"


def test_every_pair_of_two_runs_but_no_cell_with_itself(cli, finished_run: Path) -> None:
    pairs = cli("compare", finished_run, finished_run, "--json").json["pairs"]
    assert len(pairs) == 6
    assert all(len(set(pair["cells"])) == 2 for pair in pairs)


def test_only_what_both_have_is_compared_and_the_rest_is_counted(cli, finished_run: Path, cell_of) -> None:
    cli("run", "colorbars", "--subject", "blind", "--limit", 6, "--log-dir", "less")
    ran = cli("compare", cell_of(finished_run, "oracle"), "less")
    assert "n=6 in 2 clusters" in ran.out
    assert "6 only in oracle" in ran.out


def test_the_same_settings_are_said_to_be_equal(cli, finished_run: Path, cell_of, own_run: Path) -> None:
    one, two = cell_of(finished_run, "blind"), cell_of(own_run, "blind")
    ran = cli("compare", one, two)
    assert ran.out.splitlines()[1] == f"blind in {one} − blind in {two}: every setting is equal"
    assert ran.said == []


@pytest.mark.parametrize(
    ("changed", "caution"),
    [
        ({"data": "0" * 64}, "their items differ: only those that both have are compared"),
        ({"scoring": "0" * 64}, "they were marked by different code: 'cutscore rescore' marks the older one again"),
    ],
)
def test_what_moves_a_number_is_a_warning(cli, own_run: Path, finished_run: Path, cell_of, changed, caution) -> None:
    edit(cell_of(own_run, "blind"), **changed)
    ran = cli("compare", cell_of(finished_run, "blind"), cell_of(own_run, "blind"))
    assert ran.code == 0
    assert any(caution in line for line in ran.said)
    assert next(iter(changed)) in ran.out


def test_versions_do_not_mix(cli, own_run: Path, finished_run: Path, cell_of) -> None:
    edit(cell_of(own_run, "blind"), version="0")
    ran = cli("compare", cell_of(finished_run, "blind"), cell_of(own_run, "blind"))
    assert (ran.code, ran.out) == (2, "")
    assert "is of version 1, " in ran.err
    assert "of version 0; scores may have moved between them; run the older one again" in ran.err


def test_benchmarks_do_not_mix(cli, own_run: Path, finished_run: Path, cell_of) -> None:
    edit(cell_of(own_run, "blind"), benchmark="otherbench")
    ran = cli("compare", cell_of(finished_run, "blind"), cell_of(own_run, "blind"))
    assert ran.code == 2
    assert "have no benchmark in common (colorbars and otherbench); compare runs of the same benchmark" in ran.err


def test_a_cell_is_not_compared_with_itself(cli, finished_run: Path, cell_of) -> None:
    one = cell_of(finished_run, "blind")
    ran = cli("compare", one, one)
    assert ran.code == 2
    assert "are one and the same cell; name two cells, or two run folders" in ran.err


def test_a_run_that_is_not_there(cli, finished_run: Path, tmp_path: Path) -> None:
    assert "run 'nope': there is no such folder" in cli("compare", finished_run, "nope").err
    (tmp_path / "empty").mkdir()
    assert "run 'empty': holds no cell and no log" in cli("compare", finished_run, "empty").err
