"""Subjects that fail: every number says so, and what cannot work is said before anybody is asked."""

from pathlib import Path

import pytest

from cutscore.bridge.rows import read_rows

BROKEN = "def fn(ask, context):\n    return ask.no_such_thing() + None\n"
HALF = """
def fn(ask, context):
    if ask.item.endswith("-a"):
        raise ValueError(f"cannot do {ask.item}")
    return ask.choices[0]
"""
LACKING = """
from cutscore.core.errors import MissingExtra

def fn(ask, context):
    if ask.item.endswith("-a"):
        raise MissingExtra.of("VMAF", "vmaf")
    return ask.choices[0]
"""
PICKY = """
from cutscore.core.subject import AcceptedInput

class OnlyB(AcceptedInput):
    def refuse(self, ask):
        return "takes no audio" if ask.item.endswith("-a") else ""

def fn(ask, context):
    return ask.choices[0]

fn.takes = OnlyB()
"""
SENTENCE = "6 of 6 failed: AttributeError: 'Ask' object has no attribute 'no_such_thing'"


@pytest.fixture
def broken(cli) -> str:
    """A subject that raises on every item."""
    Path("broken_subject.py").write_text(BROKEN)
    return "mine=python:broken_subject:fn"


def test_a_subject_that_raises_on_every_item_is_said_to_have_failed(cli, broken: str) -> None:
    words = ("run", "colorbars", "--subject", broken, "--limit", 6)
    lines = cli(*words).out.splitlines()
    assert dict(zip(lines[0].split(), lines[1].split()[2:], strict=False))["contestant"] == "mine"
    assert lines[1].split()[-5:] == ["6", "questions", "6", "0", "$0"]  # asked, failed, unscored, cost
    assert lines[2] == f"colorbars mine: {SENTENCE}"
    assert lines[-1] == "6 of 6 samples failed; next: cutscore report logs -o site"
    plain = cli(*words, "--json").json
    assert (plain["n"], plain["failed"], plain["unscored"]) == (6, 6, 0)
    assert plain["mostly_failed"] == [f"colorbars mine: {SENTENCE}"]
    assert (plain["cells"][0]["failed"], plain["cells"][0]["failures"]) == (6, {"crash": 6})
    assert plain["estimates"][0]["failed"] == 6
    assert {row.ending.failure_class for row in read_rows(Path("logs"))} == {"crash"}


def test_the_report_says_that_a_subject_failed_and_never_that_it_is_at_the_floor(cli, broken: str) -> None:
    cli("run", "colorbars", "--subject", broken, "--subject", "null", "--limit", 6)
    assert cli("report", "logs", "-o", "site").code == 0
    front = Path("site/index.html").read_text()
    assert "colorbars: mine failed on 6 of 6 samples" in front
    page = Path("site/colorbars/index.html").read_text()
    assert "at the floor" not in front + page
    assert f"colorbars mine: {SENTENCE.replace(chr(39), '&#39;')}" in page
    assert "6 of the marked ones failed" in page
    assert '<td class="num">6 <span class="quiet">crash</span></td>' in "".join(page.splitlines())
    assert "crash" in Path("site/data/samples.js").read_text()
    item = next(Path("site/colorbars/items").glob("*.html")).read_text()
    assert "<strong>The subject failed (crash).</strong>" in item


def test_compare_counts_failures_and_names_who_failed(cli, broken: str) -> None:
    cli("run", "colorbars", "--subject", broken, "--subject", "blind", "--limit", 6)
    ran = cli("compare", "logs")
    assert "score  95% interval    clips  asked  failed  unscored  cell" in ran.out
    assert "a failed on 6 of 6 samples" in ran.out
    assert cli("compare", "logs", "--json").json["cells"][0]["estimates"][0]["failed"] == 6


def test_doing_nothing_on_purpose_is_no_failure(cli) -> None:
    ran = cli("run", "colorbars", "--subject", "null", "--limit", 6)
    assert ran.out.splitlines()[0] == (
        "colorbars v2: nobody competed; floor 0.000 [0.000, 0.658], 6 questions on 2 clips"
    )
    assert ran.out.splitlines()[-1] == "next: cutscore report logs -o site"
    assert cli("run", "colorbars", "--subject", "null", "--limit", 6, "--json").json["failed"] == 0


def test_some_failures_are_counted_and_make_no_sentence(cli) -> None:
    Path("half_subject.py").write_text(HALF)
    words = ("run", "colorbars", "--subject", "half=python:half_subject:fn", "--limit", 6)
    ran = cli(*words)
    assert ran.out.splitlines()[1].split()[-3:-1] == ["2", "0"]  # failed, unscored
    assert "cannot do" not in ran.out
    assert ran.out.splitlines()[-1].startswith("2 of 6 samples failed; next: ")
    assert cli(*words, "--json").json["mostly_failed"] == []


def test_what_this_machine_lacks_stays_stopped_and_is_counted_apart(cli) -> None:
    Path("lacking.py").write_text(LACKING)
    words = ("run", "colorbars", "--subject", "lacking=python:lacking:fn", "--limit", 6)
    ran = cli(*words)
    assert ran.out.splitlines()[1].split()[-3:-1] == ["0", "2"]  # failed, unscored
    lacks = "VMAF needs an extra: pip install 'cutscore[vmaf]'"
    assert ran.out.splitlines()[2] == f"stopped: colorbars lacking, 2 of 6 samples: {lacks}"
    plain = cli(*words, "--json").json
    assert (plain["failed"], plain["unscored"], plain["stopped"]) == (0, 2, 2)
    assert (plain["estimates"][0]["unscored"], plain["estimates"][0]["stopped"]) == (2, 2)
    stopped = [row.ending.because for row in read_rows(Path("logs")) if row.ending.status == "stopped"]
    assert stopped == ["VMAF needs an extra: pip install 'cutscore[vmaf]'"] * 2


def test_a_model_is_not_asked_for_files(cli, script) -> None:
    ran = cli("run", "repair", "--model", script(), "--limit", 2, "--json")
    assert ran.code == 2
    error = ran.json["error"]
    assert (error["kind"], error["what"]) == ("BadInput", "benchmark 'repair'")
    assert error["fact"] == f"wants files (fixed.mp4, report.md), model '{script()}' answers in words"
    assert error["next"] == "measure an agent or files: --subject folder:DIR"
    assert not Path("logs/ledger.jsonl").exists()
    assert cli("run", "repair", "--model", script(), "--dry-run").code == 2


def test_a_model_may_answer_in_words_where_words_count(cli, script) -> None:
    ran = cli("run", "sequencing", "--model", script(), "--limit", 1, "--dry-run", "--json")
    assert (ran.code, ran.json["planned"]) == (0, 1)


def test_items_beyond_a_subject_leave_its_plan(cli) -> None:
    Path("picky.py").write_text(PICKY)
    words = ("run", "colorbars", "--subject", "picky=python:picky:fn", "--limit", 6)
    left_out = {"items": 2, "of": 6, "reason": "takes no audio"}
    dry = cli(*words, "--dry-run", "--json")
    assert (dry.json["planned"], dry.json["cells"][0]["left_out"]) == (4, [left_out])
    assert ": left out 2 of 6: takes no audio" in cli(*words, "--dry-run").out
    ran = cli(*words)
    assert ran.out.splitlines()[2] == "colorbars picky: left out 2 of 6: takes no audio"
    plain = cli(*words, "--json").json
    assert (plain["n"], plain["unscored"], plain["cells"][0]["left_out"]) == (4, 0, [left_out])
    assert not [row.item for row in read_rows(Path("logs")) if row.item.endswith("-a")]


def test_a_subject_that_can_work_on_nothing_is_bad_input(cli) -> None:
    Path("unable.py").write_text(PICKY.replace("OnlyB()", 'AcceptedInput(media={"image"})'))
    ran = cli("run", "colorbars", "--subject", "picky=python:unable:fn", "--json")
    assert ran.code == 2
    fact = "can work on none of 60 items of benchmark 'colorbars': it takes no video"
    assert (ran.json["error"]["what"], ran.json["error"]["fact"]) == ("subject 'picky'", fact)


def test_a_folder_that_is_partly_filled_says_how_many_items_it_holds(cli) -> None:
    for item in ("bars-01-a", "bars-01-b"):
        Path("out", item).mkdir(parents=True)
        Path("out", item, "answer.json").write_text('{"answer": "red"}')
    words = ("run", "colorbars", "--subject", "mine=folder:out", "--limit", 3)
    dry = cli(*words, "--dry-run")
    assert "folder 'out' holds 2 of 3 items" in dry.out
    ran = cli(*words, "--json")
    assert ran.json["remarks"] == ["folder 'out' holds 2 of 3 items"]
    assert ran.json["cells"][0]["failures"] == {"nothing": 1}
    empty = cli("run", "repair", "--subject", "mine=folder:out")
    assert empty.code == 2
    assert "folder 'out': holds no item of benchmark 'repair': looked for 'clip-01'" in empty.err
