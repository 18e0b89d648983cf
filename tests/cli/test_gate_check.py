"""`gate` for CI, and `check` for authors."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from cutscore.results.benchmark import benchmark_results
from cutscore.results.cells import read_run


def test_a_gate_that_is_met(cli, finished_run: Path, cell_of) -> None:
    ran = cli("gate", cell_of(finished_run, "oracle"), "--min", "accuracy=0.9", "--json")
    assert ran.code == 0
    assert list(ran.json) == ["schema", "run", "passed", "gates", "unfit"]
    (gate,) = ran.json["gates"]
    assert (gate["name"], gate["min"], gate["by"], gate["passed"]) == ("accuracy", 0.9, "value", True)


def test_a_gate_that_is_not_met(cli, finished_run: Path) -> None:
    ran = cli("gate", finished_run, "--min", "accuracy=0.9")
    assert ran.code == 1
    lines = ran.out.splitlines()
    assert lines[0] == "## cutscore gate: failed"
    assert lines[2] == "1 of 3 minima met."
    assert any(line.startswith("| **not met** | colorbars | null | accuracy | 0.000 |") for line in lines)
    assert any(line.startswith("| ok | colorbars | oracle | accuracy | 1.000 |") for line in lines)


def test_the_low_end_asks_for_more(cli, finished_run: Path, cell_of) -> None:
    words = ("gate", cell_of(finished_run, "oracle"), "--min", "accuracy=0.95")
    assert cli(*words).code == 0
    ran = cli(*words, "--by", "low")
    assert ran.code == 1
    assert "0.95 (low end)" in ran.out


def test_the_summary_goes_where_ci_wants_it(cli, finished_run: Path, monkeypatch) -> None:
    Path("summary.md").write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    ran = cli("gate", finished_run, "--min", "accuracy=0.9")
    assert ran.out == "gate failed; the summary is in summary.md\n"
    text = Path("summary.md").read_text(encoding="utf-8")
    assert text.startswith("before\n## cutscore gate: failed\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "no/such/folder.md")
    ran = cli("gate", finished_run, "--min", "accuracy=0.9")
    assert ran.code == 3
    assert "summary 'no/such/folder.md': No such file or directory" in ran.err


def test_an_unfit_run_passes_no_gate(cli, script) -> None:
    cli("run", "colorbars", "--model", script(faults=[{"kind": "400", "times": 9, "share": 0.3}]), "--limit", 12)
    ran = cli("gate", "logs", "--min", "accuracy=0", "--json")
    assert (ran.code, ran.json["passed"]) == (1, False)
    assert ran.json["gates"][0]["passed"]
    assert "is unfit" in ran.json["unfit"][0]


def test_names_of_cells_are_no_markup(cli) -> None:
    cli("run", "colorbars", "--subject", "a|b<img>*=oracle", "--limit", 2)
    ran = cli("gate", "logs", "--min", "accuracy=0")
    assert "| a\\|b\\<img\\>\\* |" in ran.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--min", "accuracyy=1"), "error: no score 'accuracyy'; did you mean 'accuracy'?"),
        (("--min", "accuracy=x"), "error: --min accuracy=x: 'x' is not a number; write for example"),
        (("--min", "accuracy"), "error: --min 'accuracy': is not NAME=NUMBER; write --min NAME=NUMBER"),
        ((), "error: cutscore gate: missing option '--min'; see 'cutscore gate -h'"),
    ],
)
def test_wrong_minima(cli, finished_run: Path, words: tuple[str, ...], said: str) -> None:
    ran = cli("gate", finished_run, *words)
    assert ran.code == 2
    assert ran.err.startswith(said)


def test_check_runs_every_promise(cli) -> None:
    ran = cli("check", "colorbars", "--json")
    assert ran.code == 0
    assert list(ran.json) == ["schema", "benchmark", "version", "data", "items", "passed", "checks", "remarks"]
    assert (ran.json["passed"], ran.json["items"]) == (True, 60)
    assert len(ran.json["checks"]) >= 10
    assert all(each["problems"] == [] for each in ran.json["checks"])


def test_a_broken_promise_has_code_1_and_says_which(cli, monkeypatch) -> None:
    from cutscore.benchmarks.colorbars import oracle
    from cutscore.core.deliverable import Deliverable

    monkeypatch.setattr(oracle, "perfect", lambda item, store: Deliverable(text="no idea"))
    ran = cli("check", "colorbars")
    assert ran.code == 1
    assert ran.out.startswith("colorbars v2, 60 items: 14 of 15 promises kept\nBROKEN  the oracle gets full marks\n")
    assert "item 'bars-01-a': the oracle gets accuracy 0" in ran.out


def test_a_folder_can_be_a_benchmark_or_a_pack(cli, repository: Path) -> None:
    assert cli("check", repository / "src/cutscore/benchmarks/colorbars").code == 0
    Path("mine").mkdir()
    ran = cli("check", "mine")
    assert ran.code == 2
    assert "'mine': is a folder of items, but for which benchmark?; add --bench BENCH" in ran.err
    ran = cli("check", "mine", "--bench", "colorbars")
    assert ran.code == 2
    assert "data pack 'mine': items.jsonl cannot be read" in ran.err
    Path("mine/benchmark.toml").write_text("", encoding="utf-8")
    assert "is a benchmark's folder, but not of an installed package" in cli("check", "mine").err


@pytest.fixture
def mine(cli) -> dict[str, Any]:
    """An item of a pack in folder 'mine', with its clip there; whoever asks for it writes the pack."""
    shown = cli("show", "colorbars", "bars-01-a", "--truth", "--json").json
    Path("mine").mkdir()
    Path("mine/clip.mp4").write_bytes(Path(shown["files"][0]["path"]).read_bytes())
    return {
        "id": "own-1", "cluster": "own", "groups": shown["groups"], "clip": "clip.mp4", "kind": "colour",
        "at_s": "1/10", "choices": shown["choices"], **shown["truth"],
    }  # fmt: skip


def write(*items: dict[str, Any]) -> None:
    Path("mine/items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")


def test_a_pack_of_own_items_is_checked(cli, mine: dict[str, Any]) -> None:
    write(mine)
    ran = cli("check", "mine", "--bench", "colorbars", "--json")
    assert (ran.code, ran.json["data"], ran.json["items"]) == (0, "mine", 1)
    assert [each["name"] for each in ran.json["checks"] if each["problems"]] == []
    assert ran.json["remarks"] == [
        "1 of 1 files have no recorded sha256: clip.mp4",
        "no licence is recorded for 1 of 1 items",
    ]
    clip = Path("mine/clip.mp4").read_bytes()
    sha256 = hashlib.sha256(clip).hexdigest()
    write({**mine, "clip": {"name": "clip.mp4", "sha256": sha256, "size_bytes": len(clip)}})
    ran = cli("check", "mine", "--bench", "colorbars", "--json")
    assert ran.json["remarks"] == ["no licence is recorded for 1 of 1 items"]
    write(mine)
    record = {"files": {"clip.mp4": sha256}, "sources": [{"name": "clip", "licence": "CC0-1.0"}]}
    Path("mine/pack.json").write_text(json.dumps(record), encoding="utf-8")
    assert cli("check", "mine", "--bench", "colorbars", "--json").json["remarks"] == []
    text = cli("check", "mine", "--bench", "colorbars").out
    assert "remark:" not in text
    assert text.splitlines()[0] == "colorbars v2, 1 item: 13 of 13 promises kept"
    assert text.splitlines()[-1] == "next: cutscore run colorbars --data mine --subject blind"
    ran = cli("show", "colorbars", "own-17-long-gone", "--data", "mine")
    assert ran.err.endswith("not among the 1 of 'colorbars'; see 'cutscore show colorbars --data mine'\n")


def test_every_bad_item_is_named_and_nothing_else_is_checked(cli, mine: dict[str, Any]) -> None:
    bad = [{**mine, "id": f"own-{number}", "clip": f"none-{number}.mp4"} for number in range(2, 9)]
    write(mine, *bad)
    ran = cli("check", "mine", "--bench", "colorbars")
    assert ran.code == 1
    lines = ran.out.splitlines()
    head = "colorbars v2, items cannot be used: 1 of 2 promises kept"
    assert lines[:2] == [head, "BROKEN  every item can be read"]
    assert [line.strip()[:26] for line in lines[2:9]] == [f"line {n}: file 'none-{n}.mp4' " for n in range(2, 9)]
    assert lines[9:] == ["ok      files are as recorded"]


def test_files_that_are_not_as_recorded_break_a_pack(cli, mine: dict[str, Any]) -> None:
    write(mine)
    files = {"clip.mp4": "0" * 64, "gone.mp4": "1" * 64, "../out.mp4": "2" * 64, "a\x00": "3" * 64, "items.jsonl": 7}
    Path("mine/pack.json").write_text(json.dumps({"files": files}), encoding="utf-8")
    ran = cli("check", "mine", "--bench", "colorbars", "--json")
    assert ran.code == 1
    (said,) = [each["problems"] for each in ran.json["checks"] if each["name"] == "files are as recorded"]
    assert [each.partition("…")[0][:52] for each in said] == [
        "file '../out.mp4' leads out of the pack",
        "file 'a\\x00' cannot be read: embedded null byte",
        f"file 'clip.mp4' has sha256 {hashlib.sha256(Path('mine/clip.mp4').read_bytes()).hexdigest()[:8]}",
        "file 'gone.mp4' is in pack.json and not in the pack",
        f"file 'items.jsonl' has sha256 {hashlib.sha256(Path('mine/items.jsonl').read_bytes()).hexdigest()[:8]}",
    ]
    Path("mine/pack.json").write_text("[1", encoding="utf-8")
    ran = cli("check", "mine", "--bench", "colorbars")
    assert (ran.code, "pack.json': is not JSON from character 3 on" in ran.err) == (2, True)


@pytest.mark.real  # long, and needs nothing else
def test_a_run_of_own_items_tells_their_chance(cli, mine: dict[str, Any]) -> None:
    write({**mine, "choices": [mine["answer"], *[each for each in mine["choices"] if each != mine["answer"]][:1]]})
    assert cli("check", "mine", "--bench", "colorbars").code == 0
    own = cli("run", "colorbars", "--data", "mine", "--subject", "oracle", "--log-dir", "own", "--json").json
    usual = ("run", "colorbars", "--subject", "oracle", "--limit", 1, "--json")
    assert (own["chance"], cli(*usual).json["chance"]) == (0.5, 0.25)
    both = cli(*usual, "--log-dir", "own")
    assert both.json["chance"] == 0.25  # of this run alone
    cells = read_run(Path("own"))
    assert {each.record.cell.chance is None for each in cells} == {True, False}
    (result,) = benchmark_results(cells)
    assert result.card.scores["accuracy"].chance is None  # two packs, and no figure for both
    assert cli("rescore", "own").code == 0
    known = [each.record.cell.chance for each in read_run(Path("own"))]
    assert (known.count(None), known.count({"accuracy": 0.5})) == (2, 2)


def test_an_unknown_name(cli) -> None:
    assert cli("check", "colourbars").err == "error: no benchmark 'colourbars'; did you mean 'colorbars'?\n"
