"""Runs compared from Python: the verdicts of the command line, from folders, results and cells alike."""

import re

import pytest

from cutscore.api.comparing import compare
from cutscore.api.reading import read
from cutscore.core.errors import BadInput


@pytest.fixture(scope="module")
def results(finished_run):
    return read(finished_run)


def test_it_says_what_the_command_says(cli, finished_run, results):
    plain = cli("compare", finished_run, "--flips", 2, "--with-references", "--json").json
    plain.pop("schema")
    assert compare(finished_run, with_references=True).as_json(flips=2) == plain
    assert compare(results, with_references=True).as_json(flips=2) == plain
    assert compare(str(finished_run), with_references=True).warnings == compare(results, with_references=True).warnings


def test_pairs_are_columns_with_verdicts(results):
    found = compare(results, with_references=True)
    pairs = found.pairs
    assert pairs.height == len(list(found)) > 1
    assert all(
        re.search("is better than|no difference seen|too few clips to decide", each) for each in pairs["verdict"]
    )
    assert sorted(set(found.cells["key"])) == ["a", "b", "c"][: len(results.cells)]
    assert "subject" in found.settings["setting"]
    assert repr(found).count("\n") == pairs.height - 1
    assert "<td>oracle</td>" in found._repr_html_()


def test_two_cells_are_compared_with_each_other(results):
    one, two = results.cells[:2]
    (pair,) = compare(one, two)
    assert {pair.first.cell.id, pair.second.cell.id} == {one.id, two.id}
    (same,) = compare([one, two], with_references=True)
    assert same.found.comparison.difference.estimate == pair.found.comparison.difference.estimate
    flips = compare(one, two).flips(3)
    assert flips.height == min(3, len(pair.found.items))


def test_everything_has_more_views(results):
    assert (
        compare(results, everything=True, with_references=True).pairs.height
        > compare(results, with_references=True).pairs.height
    )


def test_what_cannot_be_compared_is_refused(results, tmp_path):
    with pytest.raises(BadInput, match="needs a run"):
        compare()
    with pytest.raises(BadInput, match="there is no such folder"):
        compare(tmp_path / "nowhere")
    with pytest.raises(BadInput, match="one and the same cell"):
        compare(results.cells[0], results.cells[0])
