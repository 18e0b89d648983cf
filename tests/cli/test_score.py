"""`score`: one deliverable, offline, in every layout that people hand in."""

import json
import shutil
from pathlib import Path

import pytest

from cutscore.benchmarks import repurpose

OBJECT = ["schema", "benchmark", "item", "mode", "status", "score", "findings"]
FINDING = ["name", "value", "because", "file", "at"]


@pytest.fixture
def truth(cli) -> str:
    answer: str = cli("show", "colorbars", "bars-01-a", "--truth", "--json").json["truth"]["answer"]
    return answer


def write(path: str, text: str) -> None:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def test_the_object_of_the_contract(cli, truth: str) -> None:
    write("out/answer.json", json.dumps({"answer": truth}))
    ran = cli("score", "colorbars", "bars-01-a", "out", "--json")
    assert ran.code == 0
    plain = ran.json
    assert list(plain) == OBJECT
    assert (plain["status"], plain["score"], plain["mode"]) == ("marked", 1.0, "")
    (finding,) = plain["findings"]
    assert list(finding) == FINDING
    assert finding["file"] == "bars-01.mp4"
    assert finding["at"][0] < finding["at"][1]


@pytest.mark.parametrize(
    "path", ["out/answer.txt", "out/bars-01-a/answer.txt", "out/bars-01-a/1/answer.txt", "out/1/answer.txt"]
)
def test_files_lie_below_the_item_the_epoch_or_right_here(cli, truth: str, path: str) -> None:
    write(path, f"{truth}\n")
    assert cli("score", "colorbars", "bars-01-a", "out", "--json").json["score"] == 1.0


def test_epochs_are_marked_one_at_a_time(cli, truth: str) -> None:
    write("out/bars-01-a/1/answer.txt", "nonsense")
    write("out/bars-01-a/2/answer.txt", truth)
    scores = [cli("score", "colorbars", "bars-01-a", "out", "--epoch", k, "--json").json["score"] for k in (1, 2, 3)]
    assert scores == [0.0, 1.0, 0.0]


def test_a_folder_with_other_items_has_nothing_for_this_one(cli, truth: str) -> None:
    write("out/bars-01-b/answer.txt", truth)
    plain = cli("score", "colorbars", "bars-01-a", "out", "--json").json
    assert (plain["status"], plain["score"]) == ("marked", 0.0)
    assert "nothing was delivered: folder 'bars-01-a' does not exist" in plain["findings"][0]["because"]


def test_an_empty_folder_is_marked_zero_with_the_reason(cli) -> None:
    Path("out").mkdir()
    ran = cli("score", "colorbars", "bars-01-a", "out")
    assert ran.code == 0
    head, why = ran.out.splitlines()
    assert head == "colorbars v2   bars-01-a   accuracy 0.000"
    assert why.startswith("  nothing was delivered")
    assert "(bars-01.mp4 00:" in why
    assert cli("score", "colorbars", "bars-01-a", "out", "--all").out.splitlines()[1].startswith("  accuracy = 0: not")


def test_the_mark_its_factors_and_what_failed_are_said_once_in_the_asked_mode(cli) -> None:
    Path("cut").mkdir()
    shutil.copy(Path(repurpose.__file__).parent / "starter/recap-1/film.mp4", "cut/final.mp4")
    head, why, factors, failed, *lines, rest = cli("score", "repurpose", "recap-1", "cut").out.splitlines()
    assert (head, failed) == ("repurpose v4   recap-1   score 0.000   mode paper", "failed:")
    assert why.startswith("  21 of 24 points")
    assert factors == "factors: format 0.600, visual 1.000, narrative 0.900, sound 1.000"
    assert [line.split(":")[0].strip() for line in lines] == [
        *("format/format-length", "format/format-report", "narrative/last-word"),
        *("penalty/tea", "penalty/microphone", "penalty/uncut"),
    ]
    every = cli("score", "repurpose", "recap-1", "cut", "--all").out
    assert rest == f"{len(every.splitlines()) - 1 - 11} other findings: --all"
    strict = cli("score", "repurpose", "recap-1", "cut", "--mode", "strict").out
    assert "paper" not in strict
    assert "  length: final.mp4 lasts 16.00 s, asked were 8 ± 1 s" in strict


def test_what_a_subject_wrote_cannot_act_on_the_terminal(cli) -> None:
    write("out/answer.txt", "\x1b[2J\u202ered\x07")
    ran = cli("score", "colorbars", "bars-01-a", "out")
    assert not {"\x1b", "\u202e", "\x07"} & set(ran.out)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("colorbars", "bars-01-a", "nope"), "error: submission 'nope': there is no such folder; name a folder with"),
        (("colorbars", "bars-01-a", "file"), "error: submission 'file': is not a folder; name a folder with"),
        (("colorbars", "bars-01-x", "."), "error: no item 'bars-01-x': not among the 60"),
        (("colorbars", "bars-01-a", ".", "--mode", "strict"), "error: --mode 'strict': benchmark 'colorbars' has no"),
    ],
)
def test_what_is_missing_is_said(cli, words: tuple[str, ...], said: str) -> None:
    write("file", "")
    ran = cli("score", *words)
    assert ran.code == 2
    assert ran.err.startswith(said)


def test_our_own_failure_is_no_score(cli, monkeypatch) -> None:
    from cutscore.benchmarks.colorbars import mark

    def broken(*_: object) -> list[object]:
        raise RuntimeError("marker is ill")

    monkeypatch.setattr(mark, "mark", broken)
    Path("out").mkdir()
    ran = cli("score", "colorbars", "bars-01-a", "out", "--json")
    assert ran.code == 0
    assert (ran.json["status"], ran.json["score"]) == ("unscored", None)
    assert "marker is ill" in ran.json["because"]
    assert cli("score", "colorbars", "bars-01-a", "out").out.startswith("colorbars v2   bars-01-a   unscored: marking")


def test_what_this_machine_lacks_stops(cli, monkeypatch) -> None:
    from cutscore.benchmarks.colorbars import mark
    from cutscore.core.errors import MissingExtra

    def lacking(*_: object) -> list[object]:
        raise MissingExtra.of("VMAF", "vmaf")

    monkeypatch.setattr(mark, "mark", lacking)
    Path("out").mkdir()
    ran = cli("score", "colorbars", "bars-01-a", "out", "--json")
    assert (ran.code, ran.json["status"]) == (3, "stopped")
    assert ran.json["because"] == "VMAF needs an extra: pip install 'cutscore[vmaf]'"
