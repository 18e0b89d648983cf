"""Cells: what identifies them, how they resume, and what their rows say."""

import json
import os
import zipfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from cutscore.bridge.rows import read_cells, read_rows, rows_of
from cutscore.bridge.run import prepare, run_cell
from cutscore.bridge.stored_files import collect_garbage, references
from cutscore.cells.cell import Cell, read_cell
from cutscore.cells.lock import lock_folder
from cutscore.cells.request import CellRequest
from cutscore.cells.run_context import RunContext
from cutscore.cells.selection import ItemSelection
from cutscore.core.errors import BadInput, BrokenData, Busy, OldRecord, UnknownName
from cutscore.core.row import canonical_rows
from cutscore.core.subject import SubjectSpec
from cutscore.core.tally import ignore
from cutscore.core.trajectory import Trajectory
from cutscore.ledger.call_book import read_spending
from cutscore.redaction import redactor
from cutscore.registry import benchmark
from cutscore.results.estimates import estimates, headline, item_scores, pair_items
from cutscore.settings import Settings

MB = 1_000_000


def run(folder: Path, subject: str = "oracle", **options):
    wish = {
        name: options.pop(name)
        for name in ("model", "frames", "input", "prompts", "data", "made_of")
        if name in options
    }
    settings, limit = options.pop("settings", Settings()), options.pop("limit", 6)
    context = RunContext(run=folder, redact=redactor(names=settings.secret_env))
    request = CellRequest(benchmark="colorbars", subject=subject, **wish)
    return run_cell(prepare(request, context, selection=ItemSelection(limit=limit)), settings=settings, **options)


@pytest.fixture
def script(tmp_path: Path):
    """Write a script for the scripted model and give its model name."""

    def write(**content: object) -> str:
        file = tmp_path / "script.json"
        file.write_text(json.dumps({"backoff_s": 0.001, **content}))
        return f"scripted/{file}"

    return write


def test_the_oracle_is_at_the_ceiling_and_null_at_the_floor(tmp_path):
    card = benchmark("colorbars").card
    best, worst = run(tmp_path), run(tmp_path, "null")
    assert [row.ending.scores for row in best.rows] == [{"accuracy": 1.0}] * 6
    assert [row.ending.scores for row in worst.rows] == [{"accuracy": 0.0}] * 6
    assert worst.rows[0].ending.findings[0].because.startswith("nothing was delivered")
    first, view = estimates(best.rows, card)[0], headline(card)
    assert (first.value, first.n, first.clusters, first.unscored) == (1.0, 6, 2, 0)
    pair = pair_items(*(item_scores(each.rows, card, view) for each in (best, worst)), card, view)
    assert (pair.differences, len(set(pair.clusters))) == ([1.0] * 6, 2)


def test_inspects_own_columns_say_what_was_answered_and_why(tmp_path):
    """The target stays empty: a solver can read it, and whatever a subject can read must not hold the truth."""
    from inspect_ai.log import read_eval_log

    run(tmp_path, "reader", limit=1)
    (log,) = tmp_path.glob("colorbars/*/*.eval")
    (sample,) = read_eval_log(str(log)).samples
    (score,) = sample.scores.values()
    assert (sample.target, sample.output.completion, score.value, score.answer) == ("", "orange", 1.0, "orange")
    assert score.explanation == "1: answered 'orange'; from 00:00.000 to 00:00.520 the panel is orange"


def test_a_run_folder_is_logs_and_store_and_needs_nothing_else(tmp_path):
    done = run(tmp_path / "a")
    os.rename(tmp_path / "a", tmp_path / "b")
    (record,) = read_cells(tmp_path / "b")
    (row, *_) = rows_of(record)
    assert record.store.path(row.ask.files[0]).read_bytes()[4:8] == b"ftyp"
    assert json.loads(record.store.path(row.deliverable.files[0]).read_bytes())["answer"] in row.ask.choices
    assert canonical_rows(read_rows(tmp_path / "b")) == canonical_rows(done.rows)


def test_the_same_command_does_no_work_twice_and_more_of_it_adds_only_what_is_new(tmp_path, script):
    model = script(otherwise=["blue"])

    def paid() -> int:
        return read_spending(tmp_path / "ledger.jsonl").answered

    run(tmp_path, "model", model=model)
    assert paid() == 6
    run(tmp_path, "model", model=model)
    assert paid() == 6
    assert len(run(tmp_path, "model", model=model, limit=9).rows) == 9
    assert paid() == 9
    assert len(run(tmp_path, "model", model=model, limit=9, epochs=2).rows) == 18
    assert paid() == 18
    fewer = run(tmp_path, "model", model=model, limit=3)
    assert (len(fewer.rows), fewer.missing, paid()) == (3, 0, 18)
    assert len(read_rows(tmp_path)) == 18, "asking for less loses nothing"


def test_failed_samples_are_unscored_and_tried_again_by_the_same_command(tmp_path, script):
    model = script(faults=[{"kind": "400", "share": 0.5}], otherwise=["blue"])
    first = run(tmp_path, "model", model=model)
    states = Counter(row.ending.status for row in first.rows)
    assert set(states) == {"marked", "unscored"}
    assert all("400" in row.ending.because for row in first.rows if row.ending.status == "unscored")
    script(otherwise=["blue"])  # the provider is well again; the identity of the model's name is the same
    second = run(tmp_path, "model", model=model)
    assert Counter(row.ending.status for row in second.rows) == {"marked": 6}


def test_provider_faults_are_counted_in_the_row(tmp_path, script):
    model = script(faults=[{"kind": "429", "times": 2}], otherwise=["blue"])
    done = run(tmp_path, "model", model=model, limit=2)
    assert [row.retries for row in done.rows] == [{"429": 2}] * 2
    assert [row.ending.status for row in done.rows] == ["marked"] * 2


def test_unknown_usage_is_an_unknown_cost(tmp_path, script):
    done = run(tmp_path, "model", model=script(usage=None), limit=2)
    assert [(row.usage, row.cost_usd) for row in done.rows] == [(None, None)] * 2


def test_frames_that_the_model_saw_are_in_the_row(tmp_path, script):
    done = run(tmp_path, "model", model=script(), limit=1, frames="uniform=2")
    (seen,) = done.rows[0].seen
    assert (seen.plan, len(seen.frames), seen.sent_as) == ("uniform=2", 2, "frames")


@pytest.mark.real  # long, and needs nothing else
def test_no_media_in_logs(tmp_path, script):
    """Fifty samples with clips of 5 MB keep their log under 1 MB."""
    data = tmp_path / "pack"
    data.mkdir()
    (record, *_) = read_cells_after_oracle(tmp_path / "seed")
    row = rows_of(record)[0]
    clip = bytearray(record.store.path(row.ask.files[0]).read_bytes())
    clip += (5 * MB).to_bytes(4) + b"free" + os.urandom(5 * MB - 8)  # a padding box: the clip stays a clip
    lines = []
    for number in range(50):
        (data / f"c{number}.mp4").write_bytes(bytes(clip) + (9).to_bytes(4) + b"free" + bytes([number]))
        item = benchmark("colorbars").part("dataset").items(record.store)[0]
        plain = item.model_dump(mode="json") | {"id": f"big-{number}", "clip": f"c{number}.mp4"}
        lines.append(json.dumps(plain))
    (data / "items.jsonl").write_text("\n".join(lines))
    done = run(tmp_path / "big", "model", model=script(otherwise=["blue"]), data=str(data), limit=None)
    assert len(done.rows) == 50
    assert all(row.ask.files[0].size_bytes > 5 * MB for row in done.rows)
    assert all(len(row.seen[0].frames) > 0 for row in done.rows), "the model did see the clips"
    assert done.record.log.stat().st_size < MB


def read_cells_after_oracle(folder: Path):
    run(folder, limit=1)
    return read_cells(folder)


def test_identity_holds_what_moves_a_score_and_nothing_else(tmp_path, script):
    place = RunContext(run=tmp_path)
    base = CellRequest(benchmark="colorbars", subject="model", model="scripted/hello")

    def identity(**changes: object) -> str:
        return prepare(replace(base, **changes), place).cell.identity()

    own = tmp_path / "ask.md"
    text = (benchmark("colorbars").folder / "prompts" / "ask.md").read_text()
    own.write_text(text + "\nTake your time.\n")
    same = identity()
    assert identity() == same
    assert identity(subject="tired=model") == same, "a label is a display name"
    others = [
        identity(model="scripted/other"),
        identity(frames="uniform=9"),
        identity(subject="blind", model=""),
        identity(prompts={"ask": str(own)}),
        identity(source_digest="0" * 64),
        identity(roles={"judge": "scripted/hello"}),
    ]
    assert len({same, *others}) == 7


def test_another_setting_is_another_folder(tmp_path, script):
    run(tmp_path, "model", model="scripted/hello", frames="uniform=2", limit=1)
    run(tmp_path, "model", model="scripted/hello", frames="uniform=3", limit=1)
    one, two = read_cells(tmp_path)
    assert one.folder != two.folder
    assert set(one.cell.differs(two.cell)) == {"frames"}


def test_two_runners_on_one_folder_are_refused(tmp_path):
    cell = prepare(CellRequest(benchmark="colorbars", subject="oracle"), RunContext(run=tmp_path)).cell
    folder = tmp_path / "colorbars" / cell.id
    with lock_folder(folder), pytest.raises(Busy, match=rf"process {os.getpid()} is at work in it; wait for it"):
        run(tmp_path)
    assert len(run(tmp_path).rows) == 6, "and the lock is gone with its holder"
    assert (folder / "lock").read_bytes() == b"", "nobody is named who has gone"


def test_logs_of_inspect_eval_are_read_without_a_cell_file(tmp_path):
    done = run(tmp_path, limit=2)
    (done.record.folder / "cell.json").unlink()
    assert canonical_rows(read_rows(tmp_path)) == canonical_rows(done.rows)


def test_old_and_broken_records_are_named(tmp_path):
    with pytest.raises(OldRecord, match=r"has schema 'cutscore.cell/0', this version reads 'cutscore.cell/1'"):
        read_cell({"schema": "cutscore.cell/0"}, where="cell 'x'")
    with pytest.raises(OldRecord, match="does not say its schema"):
        read_cell({}, where="cell 'x'")
    done = run(tmp_path, limit=1)
    done.record.log.write_bytes(done.record.log.read_bytes()[:200])
    with pytest.raises(OldRecord, match=r"cannot be read .*; restore it from a copy, or run the same command again"):
        read_rows(tmp_path)
    again = run(tmp_path, limit=1)
    assert [row.ending.status for row in again.rows] == ["marked"], "the same command sets it aside and goes on"
    assert len(list(again.record.folder.glob("*.torn"))) == 1
    with pytest.raises(BadInput, match="there is no such folder; name the --log-dir of a run"):
        read_rows(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match="holds no cell and no log"):
        read_rows(tmp_path / "empty")


def test_unknown_names_offer_near_ones(tmp_path):
    with pytest.raises(UnknownName, match="no benchmark 'colourbars'; did you mean 'colorbars'"):
        prepare(CellRequest(benchmark="colourbars", subject="oracle"), RunContext(run=tmp_path))
    with pytest.raises(BadInput, match="no scoring mode 'strict'"):
        prepare(CellRequest("colorbars", "oracle", mode="strict"), RunContext(run=tmp_path))


def test_a_cell_reads_back_equal():
    cell = Cell(benchmark="b", version="1", data="d", subject=SubjectSpec.parse("me=folder:out"), model="p/m")
    assert read_cell(json.loads(cell.to_json()), where="x") == cell
    assert cell.id.startswith("me-p_m-")


@pytest.mark.parametrize("fault", ["subject_fails", "ours_fails", "prints", "delivers"])
def test_secrets_stay_out_of_the_run_folder(tmp_path, script, monkeypatch, fault):
    """A key that is in the environment, and that subject, error or deliverable repeat: absent from every file."""
    secret = "sk-canary-4f1d9a77c0"
    monkeypatch.setenv("CANARY_API_KEY", secret)
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    run(tmp_path / "run", "model", model=script(otherwise=[f"my key is {secret}"]), limit=2)
    done = run(tmp_path / "run", f"python:leaky:{fault}", limit=2)
    assert len(done.rows) == 2
    files = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert not [path.name for path in files if secret.encode() in unpacked(path)]


def unpacked(path: Path) -> bytes:
    if path.suffix != ".eval":
        return path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        return b"".join(archive.read(name) for name in archive.namelist())


def test_a_subject_that_prints_does_not_write_into_the_results(tmp_path, monkeypatch, capsys):
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    run(tmp_path, "python:leaky:prints", limit=1)
    run(tmp_path, "python:leaky:prints", limit=1)
    assert capsys.readouterr().out == ""


@pytest.fixture(scope="module")
def wandered(tmp_path_factory):
    """A run of one sample with 200 turns, each with 1 kB of text that hardly shrinks and a screenshot by reference."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parent))
        folder = tmp_path_factory.mktemp("wandered")
        return run(folder, "python:wanderer:wander", model="scripted/hello", limit=1)


@pytest.mark.real  # long, and needs nothing else
def test_two_hundred_turns_stay_within_the_log_budget(wandered):
    """At most 1 MB of log for 200 turns."""
    done, (row,) = wandered, wandered.rows
    assert (row.deliverable.text, row.usage.input) == ("done", 200 * 100), row.ending
    steps = Trajectory.from_jsonl(done.record.store.path(row.deliverable.trajectory).read_bytes().splitlines())
    assert [step.n for step in steps] == list(range(1, 201))
    assert done.record.store.path(steps.steps[-1].media[0]).stat().st_size == 10_000
    assert done.record.log.stat().st_size < MB


@pytest.mark.real  # for the same long run
def test_files_that_no_row_needs_are_collected_and_no_others(wandered):
    folder, store, (row,) = wandered.record.run, wandered.record.store, wandered.rows
    stray = store.put_bytes(b"nobody needs me", name="stray.txt")
    assert collect_garbage(folder, older_than_s=0) >= stray.size_bytes
    assert not store.has(stray.sha256)
    kept = {store.path(ref) for ref in references(row, store)}
    assert len(kept) == 202, "the clip, the trajectory and every screenshot are still there"
    with lock_folder(wandered.record.folder), pytest.raises(Busy, match="is at work in it"):
        collect_garbage(folder)


def test_an_arm_is_a_cell_of_its_own_whose_rows_have_what_was_shown(tmp_path):
    plain, arm = run(tmp_path, "blind", limit=2), run(tmp_path, "blind", limit=2, input="question")
    assert plain.record.cell.id != arm.record.cell.id
    assert [row.input for row in (*plain.rows, *arm.rows)] == ["", "", "question", "question"]
    assert [len(row.ask.files) for row in (*plain.rows, *arm.rows)] == [1, 1, 0, 0]


def test_a_number_of_frames_is_the_benchmarks_plan_with_that_cap(tmp_path):
    usual = prepare(CellRequest("colorbars", "reader"), RunContext(run=tmp_path)).cell
    for frames in ("24", " 024", "fps=8, max=24"):
        assert prepare(CellRequest("colorbars", "reader", frames=frames), RunContext(run=tmp_path)).cell == usual
    assert (
        prepare(CellRequest("colorbars", "reader", frames="1"), RunContext(run=tmp_path)).cell.frames == "fps=8,max=1"
    )


def test_a_task_that_does_not_hand_its_settings_on_says_so(tmp_path, monkeypatch):
    task = benchmark("colorbars").part("task")
    monkeypatch.setattr(task, "colorbars", lambda subject, mode: None)
    with pytest.raises(BrokenData, match=r"benchmark 'colorbars': its task takes no \*\*settings; hand"):
        prepare(CellRequest("colorbars", "blind"), RunContext(run=tmp_path))


def test_only_as_many_items_are_asked_as_somebody_wants_and_all_are_in_the_identity(tmp_path, monkeypatch):
    part, asked = benchmark("colorbars").part("ask"), []
    ask = part.ask
    monkeypatch.setattr(part, "ask", lambda item, prompts: asked.append(item.id) or ask(item, prompts))
    context = RunContext(run=tmp_path)
    one = prepare(CellRequest("colorbars", "blind"), context, selection=ItemSelection(limit=1))
    assert (one.items, asked) == (("bars-01-a",), ["bars-01-a"])
    assert prepare(CellRequest("colorbars", "blind"), context).cell == one.cell
    assert len(asked) == 61


def test_cells_share_items_and_nothing_that_one_of_them_sets(tmp_path, monkeypatch):
    dataset, calls = benchmark("colorbars").part("dataset"), []
    load = dataset.items
    monkeypatch.setattr(dataset, "items", lambda *given: calls.append(1) or load(*given))
    context = RunContext(run=tmp_path)
    first, second = (
        prepare(CellRequest("colorbars", subject), context, selection=ItemSelection(limit=1))
        for subject in ("null", "blind")
    )
    assert len(calls) == 1
    run_cell(first, settings=Settings(), listener=print)
    assert (first.context.listener, second.context.listener, context.listener) == (print, ignore, ignore)


def test_items_are_loaded_once_for_asking_and_marking_and_their_truth_is_in_no_log(tmp_path, monkeypatch):
    dataset, calls = benchmark("colorbars").part("dataset"), []
    load = dataset.items
    monkeypatch.setattr(dataset, "items", lambda *given: calls.append(1) or load(*given))
    made = run(tmp_path, "null", limit=1)
    assert len(calls) == 1
    assert made.rows[0].ending.findings
    with zipfile.ZipFile(made.record.log) as log:
        assert not [name for name in log.namelist() if b"segments" in log.read(name)]


def test_a_judge_of_a_benchmark_that_asks_nobody_is_refused(tmp_path):
    with pytest.raises(BadInput, match="benchmark 'sequencing': asks nobody for an opinion; leave out the judge"):
        prepare(CellRequest("sequencing", "blind", judge="people:labels.jsonl"), RunContext(run=tmp_path))
