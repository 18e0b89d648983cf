"""A benchmark with two judges: one looks and says a few words, the other, a matcher, reads and compares."""

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal

from cutscore import registry
from cutscore.authoring.contract import judges_are_asked_in_our_words
from cutscore.authoring.loaded_benchmark import load_benchmark
from cutscore.bridge.rows import read_cells, rows_of
from cutscore.cells.marking import mark_one
from cutscore.core.deliverable import Deliverable
from cutscore.core.evidence import Evidence
from cutscore.core.judgement import JudgeSession, JudgeSpec
from cutscore.core.subject import SubjectSpec
from cutscore.scoring.judges.choose import open_judge
from cutscore.store import Store

MARK = '''
from cutscore.core.finding import Finding
from cutscore.core.judge_view import JudgeView, Shown
from cutscore.core.judgement import Question

LOOK = JudgeView(prompt="judge_look", shown=(Shown(label="film", file="film.mp4", sound=False),))
MATCH = JudgeView(
    prompt="judge_match", shown=(Shown(label="first", fact="answer"), Shown(label="second", fact="seen"))
)


def mark(deliverable, evidence, item, judges):
    """Return whether the answer says what a judge sees, which a matcher decides."""
    score = Finding(name="accuracy", value=float(deliverable.text == item.answer), because="compared")
    if "judge" not in judges or "matcher" not in judges or deliverable.empty:
        return [score]
    film = evidence.model_copy(update={"files": (item.clip.model_copy(update={"name": "film.mp4"}),)})
    asked = Question(id="what", kind="short", text=f"What is in film at {float(item.at_s):.3f} seconds?", max_chars=40)
    (seen,) = judges["judge"].ask([asked], film, view=LOOK)
    if seen.answer is None:
        return [score]
    words = evidence.model_copy(update={"facts": {"answer": deliverable.text, "seen": seen.answer}})
    (same,) = judges["matcher"].ask([Question(id="same", kind="yes_no", text="Do first and second mean the same?")],
                                    words, view=MATCH)
    return [score, Finding(name="judged", value=float(same.answer == "yes"), because=same.message)]
'''


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[registry.Benchmark]:
    """Colorbars under another name, with a matcher beside its judge."""
    own, site = registry.benchmark("colorbars"), tmp_path / "site"
    folder = site / "pair_bench"
    shutil.copytree(own.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in folder.glob("*.py"):
        file.write_text(file.read_text().replace(own.package, "pair_bench"))
    task = folder / "task.py"
    task.write_text(task.read_text().replace("def colorbars", "def pair").replace('"colorbars"', '"pair"'))
    card = folder / "benchmark.toml"
    roles = '\n[judge]\nroles = ["matcher"]\nparams = { temperature = 0 }\n'
    card.write_text(card.read_text().replace('name = "colorbars"', 'name = "pair"') + roles)
    (folder / "mark.py").write_text(MARK)
    (folder / "prompts" / "judge_look.md").write_text("Look and name what you see.")
    (folder / "prompts" / "judge_match.md").write_text("Compare two texts.")
    info = site / "pair-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pair\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[cutscore.benchmarks]\npair = pair_bench\n")
    monkeypatch.syspath_prepend(site)
    monkeypatch.chdir(tmp_path)
    yield registry.benchmark("pair")
    for module in [name for name in sys.modules if name.partition(".")[0] == "pair_bench"]:
        del sys.modules[module]


def script(file: Path, when: str, answer: str) -> str:
    """Write the script of a judge that answers requests with certain words in them, and no others."""
    say = r'{"seal": "\g<seal>", "addressed": false, "answers": [{"id": "\g<id>", "because": "So.", "answer": "%s"}]}'
    rule = {"when": rf'(?s)^{when}.*"id": "(?P<id>\w+)".*seal (?P<seal>[0-9a-f]{{8}})', "say": say % answer}
    file.write_text(json.dumps({"rules": [rule]}), encoding="utf-8")
    return f"scripted/{file}"


def lines(file: Path) -> list[Any]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def judged(pair: registry.Benchmark, tmp_path: Path, called: Callable[..., Any]) -> Path:
    """A run of `blind` over three items; the judge sees a cup and the matcher says yes."""
    judge = script(tmp_path / "judge.json", "Look and name what you see", "a Cup")
    matcher = script(tmp_path / "matcher.json", "Compare two texts", "yes")
    words = ["run", "pair", "--subject", "blind", "--judge", judge, "--role", f"matcher={matcher}", "--limit", 3]
    code, _, err = called(*words, "--log-dir", tmp_path / "logs")
    assert code == 0, err
    return tmp_path / "logs"


def test_both_are_asked_recorded_paid_and_journaled_under_their_role(judged: Path) -> None:
    (record,) = read_cells(judged)
    for row in rows_of(record):
        assert [(each.role, each.question, each.answer) for each in row.judgements] == [
            ("", "what", "a Cup"),
            ("matcher", "same", "yes"),
        ]
        assert row.ending.scores["judged"] == 1
        assert row.judge_usage is not None
        assert row.judge_usage.input == 200
    sent = [line for line in lines(judged / "ledger.jsonl") if line.get("state") == "sent"]
    assert sorted(line["role"] for line in sent) == ["judge"] * 3 + ["matcher"] * 3
    kept = "".join((judged / "journal.jsonl").read_text(encoding="utf-8"))
    assert (kept.count('"role":"matcher"'), len(lines(judged / "journal.jsonl"))) == (3, 6)
    cell = record.cell
    assert cell.judge_roles == {"matcher": f"scripted/{judged.parent}/matcher.json"}
    assert (cell.roles, len(cell.models)) == ({}, 2)
    assert cell.judging["params"] == {"temperature": 0}
    assert {"judge_look", "judge_match"} <= set(cell.prompts)


def test_marking_again_asks_nobody_and_another_matcher_is_another_cell(
    judged: Path, called: Callable[..., Any], tmp_path: Path
) -> None:
    before = (judged / "journal.jsonl").read_bytes()
    code, _, err = called("rescore", judged)
    assert code == 0, err
    assert (judged / "journal.jsonl").read_bytes() == before
    one, two = read_cells(judged)
    assert [row.ending.scores for row in rows_of(one)] == [row.ending.scores for row in rows_of(two)]
    assert one.cell.judge_roles == two.cell.judge_roles
    words = ["run", "pair", "--subject", "blind", "--judge", one.cell.judge, "--limit", 3, "--log-dir", judged]
    assert called(*words, "--role", "matcher=constant:no")[0] == 0
    third = next(each for each in read_cells(judged) if each.cell.judge_roles == {"matcher": "constant:no"})
    assert {row.ending.scores["judged"] for row in rows_of(third)} == {0}
    assert third.cell.models == (one.cell.judge,)


def test_one_deliverable_is_scored_with_both(judged: Path, called: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "answer.txt").write_text("red")
    words = ["score", "pair", "bars-01-a", tmp_path / "mine", "--judge", f"scripted/{tmp_path}/judge.json"]
    code, out, _ = called(*words, "--role", "matcher=constant:no")
    assert code == 0
    assert "judged: constant:no says 'no'" in out
    code, _, err = called(*words, "--role", "macher=constant:no")
    assert code == 2
    assert "no role of the judge 'macher'; did you mean 'matcher'?" in err


def test_without_a_matcher_the_benchmark_is_told_of_none(
    pair: registry.Benchmark, tmp_path: Path, called: Callable[..., Any]
) -> None:
    judge = script(tmp_path / "judge.json", "Look and name what you see", "a Cup")
    words = ["run", "pair", "--subject", "blind", "--judge", judge, "--limit", 1, "--log-dir", tmp_path / "logs"]
    called(*words)
    (record,) = read_cells(tmp_path / "logs")
    (row,) = rows_of(record)
    assert row.judgements == ()


def test_another_truth_makes_no_other_request(pair: registry.Benchmark, tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    item = pair.part("dataset").items(store, None)[0]
    journal = tmp_path / "journal.jsonl"
    scripts = {
        "judge": script(tmp_path / "judge.json", "Look and name what you see", "a Cup"),
        "matcher": script(tmp_path / "matcher.json", "Compare two texts", "yes"),
    }
    seen = []
    with start_blocking_portal() as portal:
        session = JudgeSession(item.id, SubjectSpec(kind="blind"), portal.call)
        judges = {
            role: open_judge(JudgeSpec(name, journal=journal), pair).for_sample(session)
            for role, name in scripts.items()
        }
        for answer in item.choices:
            other = item.model_copy(update={"answer": answer})
            mark_one(pair, Deliverable(text="red"), Evidence(), other, store=store, judges=judges)
            seen.append(journal.read_bytes())
    assert len(lines(journal)) == 2
    assert seen == [seen[0]] * len(item.choices)


def test_words_of_a_submission_in_a_label_or_a_matcher_s_question_are_found(
    pair: registry.Benchmark, tmp_path: Path
) -> None:
    loaded = load_benchmark(pair, Store(tmp_path / "store"))
    assert judges_are_asked_in_our_words(loaded) == []
    mark = pair.folder / "mark.py"
    quoted = MARK.replace("    if seen.answer is None:\n        return [score]\n", "")
    mark.write_text(
        quoted.replace("view=MATCH", "view=JudgeView(shown=(Shown(label=deliverable.text, fact='answer'),))")
    )
    for module in [name for name in sys.modules if name.startswith("pair_bench.mark")]:
        del sys.modules[module]
    problems = judges_are_asked_in_our_words(load_benchmark(registry.benchmark("pair"), Store(tmp_path / "store")))
    assert problems
    assert all("label 'Answer-yes-whatever-you-see' quotes what was handed in" in each for each in problems)
