"""`rescore`: the same deliverables marked again, beside the original."""

import hashlib
from pathlib import Path

import pytest

from cutscore.bridge.rows import read_rows
from cutscore.core.finding import Finding
from cutscore.ledger.call_book import read_spending


def content(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_sibling_appears_and_the_original_stays(cli, own_run: Path, cell_of) -> None:
    before = content(own_run)
    ran = cli("rescore", own_run, "--json")
    assert ran.code == 0
    after = content(own_run)
    assert {name: after[name] for name in before} == before
    made = ran.json["rescored"]
    assert [each["from"] for each in made] == sorted(
        cell_of(own_run, kind).name for kind in ("blind", "null", "oracle")
    )
    for each in made:
        assert each["to"].startswith(f"{each['from']}.rescored-")
        assert Path(each["log"]).parent.name == each["to"]
    (bench,) = ran.json["benchmarks"]
    assert [each["estimate"]["value"] for each in bench["differences"]] == [0.0, 0.0, 0.0]


def test_the_table_shows_both(cli, own_run: Path, cell_of) -> None:
    lines = cli("rescore", cell_of(own_run, "blind")).out.splitlines()
    assert lines[0].startswith("colorbars v2   blind ")
    assert lines[1].startswith("               blind (rescored) ")
    assert lines[2].startswith("blind (rescored) − blind, paired ")
    assert len(lines) == 3


def test_marking_again_uses_the_code_of_today(cli, own_run: Path, cell_of, monkeypatch) -> None:
    from cutscore.benchmarks.colorbars import mark

    monkeypatch.setattr(mark, "mark", lambda *_: [Finding(name="accuracy", value=1.0, because="everybody wins")])
    cli("rescore", cell_of(own_run, "null"))
    rows = [row for row in read_rows(own_run) if row.subject.startswith("null")]
    assert {row.ending.scores["accuracy"] for row in rows if row.subject == "null"} == {0.0}
    assert {row.ending.scores["accuracy"] for row in rows if row.subject == "null (rescored)"} == {1.0}


def test_nobody_is_asked_and_no_provider_is_started(cli, script, monkeypatch) -> None:
    from inspect_ai._eval import score

    assert cli("run", "colorbars", "--model", script(), "--limit", 3).code == 0
    started: list[object] = []

    def spy(model: object = None, **options: object) -> object:
        started.append(model)
        return get_model(model, **options)

    get_model = score.get_model
    monkeypatch.setattr(score, "get_model", spy)
    ran = cli("rescore", "logs", "--json")
    assert (ran.code, started) == (0, ["none/none"])
    assert read_spending(Path("logs/ledger.jsonl")).answered == 3
    (bench,) = ran.json["benchmarks"]
    assert [each["value"] for each in bench["estimates"] if not each["group"]] == [bench["estimates"][0]["value"]] * 2


@pytest.mark.real  # long, and needs nothing else
def test_rescoring_twice_leaves_one_sibling(cli, own_run: Path) -> None:
    first = cli("rescore", own_run, "--json").json["rescored"]
    assert cli("rescore", own_run, "--json").json["rescored"] == first
    assert len(list(own_run.glob("colorbars/*.rescored-*"))) == 3


def test_what_we_failed_to_mark_can_be_marked_now(cli, monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("not well today")

    with monkeypatch.context() as sick:
        sick.setattr("cutscore.benchmarks.colorbars.mark.mark", fail)
        assert cli("run", "colorbars", "--subject", "oracle", "--limit", 3).code == 4
    assert cli("rescore", "logs").code == 0
    rows = read_rows(Path("logs"))
    assert {(row.subject, row.ending.status) for row in rows} == {
        ("oracle", "unscored"),
        ("oracle (rescored)", "marked"),
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nope",), "error: run 'nope': there is no such folder; name the --log-dir of a run"),
        (("RUN", "--judge", "trutj"), "error: no judge 'trutj'; did you mean 'truth'?"),
        (("RUN", "--judge", "a/b"), "error: model 'a/b': cannot be used: "),
        (("RUN", "--votes", "3"), "error: --votes 3: nobody votes without a judge; add --judge"),
        (("RUN", "--mode", "paper"), "error: --mode 'paper': benchmark 'colorbars' has no scoring mode 'paper'"),
    ],
)
def test_what_cannot_be_is_said(cli, finished_run: Path, words: tuple[str, ...], said: str) -> None:
    ran = cli("rescore", *(finished_run if word == "RUN" else word for word in words))
    assert ran.code == 2
    assert ran.err.startswith(said)


def test_another_question_than_the_subject_saw_is_not_marked(cli, own_run: Path, monkeypatch) -> None:
    from cutscore.benchmarks.colorbars import dataset

    items = dataset.items

    def moved(store, data=None):
        return [item.model_copy(update={"choices": item.choices[::-1]}) for item in items(store, data)]

    monkeypatch.setattr(dataset, "items", moved)
    ran = cli("rescore", own_run)
    assert ran.code == 2
    assert "asks today for something else than the subject saw; run the cell again" in ran.err


def test_another_truth_is_marked_and_said(cli, own_run: Path, cell_of, monkeypatch) -> None:
    from cutscore.benchmarks.colorbars import dataset

    items = dataset.items

    def other(store, data=None):
        return [item.model_copy(update={"cluster": f"{item.cluster}x"}) for item in items(store, data)]

    monkeypatch.setattr(dataset, "items", other)
    ran = cli("rescore", cell_of(own_run, "oracle"))
    assert ran.code == 0
    assert any("the items changed since they were first marked" in line for line in ran.said)
