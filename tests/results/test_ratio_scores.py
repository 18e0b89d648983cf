"""A benchmark with a ratio and a metric, through the commands: every number is a ratio of sums by cluster."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from cutscore import registry
from cutscore.authoring.contract import problems
from cutscore.authoring.loaded_benchmark import load_benchmark
from cutscore.core.ending import Ending, fold_findings
from cutscore.core.finding import Finding
from cutscore.core.row import Row, canonical_rows
from cutscore.results.cells import read_run
from cutscore.results.estimates import ScoreView, estimate_views
from cutscore.store import Store

Called = Callable[..., tuple[int, str, str]]
TALLY = Path(__file__).parents[1] / "benchmarks" / "ratios"
SUBJECTS = ("oracle", "python:tally_bench.keyless:bold", "python:tally_bench.keyless:shy")
# What `bold` (three seconds of every clip but 3) and `shy` (one second) name, clip by clip.
CUTS = [number % 5 for number in range(12)]
BOLD = [min(cuts, 3) if number != 3 else 0 for number, cuts in enumerate(CUTS)]
SHY = [min(cuts, 1) for cuts in CUTS]


@pytest.fixture(autouse=True)
def tally(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the benchmark `tally`."""
    info = tmp_path / "site" / "tally-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tally\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[cutscore.benchmarks]\ntally = tally_bench\n")
    monkeypatch.syspath_prepend(info.parent)
    monkeypatch.syspath_prepend(TALLY)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def ran(called: Called) -> dict[str, object]:
    """Run three subjects; the object that `run` prints for the benchmark."""
    words = [word for subject in SUBJECTS for word in ("--subject", subject)]
    code, out, err = called("run", "tally", *words, "--log-dir", "logs", "--json")
    assert code == 0, err
    return dict(json.loads(out))


def estimate_of(printed: dict[str, object], subject: str, name: str, group: str = "") -> dict[str, object]:
    wanted = {"length": group} if group else {}
    (found,) = [
        each
        for each in printed["estimates"]  # type: ignore[attr-defined]
        if (each["subject"], each["name"], each["group"]) == (subject, name, wanted)
    ]
    return dict(found)


def test_the_contract_holds_and_knows_what_the_oracle_must_reach(tmp_path: Path) -> None:
    found = registry.benchmark("tally")
    bench = load_benchmark(found, Store(tmp_path / "store"))
    assert problems(bench) == []
    likeness = found.card.scores["likeness"]
    for oracle, said in ((97.0, "the oracle gets likeness 96, the card asks for 97: "), (None, "gets likeness 96: ")):
        scores = found.card.scores | {"likeness": likeness.model_copy(update={"oracle": oracle})}
        stricter = registry.Benchmark(found.name, found.card.model_copy(update={"scores": scores}), *vars_of(found))
        assert any(said in fault for fault in problems(load_benchmark(stricter, Store(tmp_path / "store"))))


def vars_of(found: registry.Benchmark) -> tuple[Path, str]:
    return found.folder, found.package


def test_run_prints_the_ratio_of_sums(ran: dict[str, object]) -> None:
    bold = estimate_of(ran, SUBJECTS[1], "recall")
    assert bold["value"] == pytest.approx(sum(BOLD) / sum(CUTS))
    assert (bold["n"], bold["clusters"], bold["unscored"]) == (9, 6, 0)
    ends = np.array([[sum(each[at : at + 2]) for at in range(0, 12, 2)] for each in (BOLD, CUTS)])
    assert min(ends[0] / ends[1]) <= bold["low"] < bold["value"] < bold["high"] <= 1  # type: ignore[operator]
    short, all_short = ([each[at] for at in range(0, 12, 2)] for each in (BOLD, CUTS))
    assert estimate_of(ran, SUBJECTS[1], "recall", "short")["value"] == pytest.approx(sum(short) / sum(all_short))
    assert estimate_of(ran, SUBJECTS[1], "precision")["value"] == pytest.approx(sum(BOLD) / (3 * 11))
    assert estimate_of(ran, "oracle", "likeness")["value"] == pytest.approx(96.0)


def test_rows_have_the_share_and_its_whole(ran: dict[str, object]) -> None:
    cells = read_run(Path("logs"))
    bold = next(each for each in cells if "bold" in each.record.cell.subject.label)
    rows = {row.item: row.ending for row in bold.rows}
    assert (rows["clip-04"].scores["recall"], rows["clip-04"].wholes["recall"]) == (0.75, 4)
    assert "recall" not in rows["clip-05"].scores
    assert [gap.name for gap in rows["clip-05"].gaps if gap.status == "excluded"] == ["recall"]
    assert b'"wholes":{"precision":3.0,"recall":4.0}' in canonical_rows(bold.rows)


def test_compare_gives_the_difference_of_two_ratios(ran: dict[str, object], called: Called) -> None:
    code, out, _ = called("compare", "logs", "--json", "--all")
    assert code == 0
    pairs = {
        (each["first"], each["second"], each["estimate"]["name"]): each
        for each in json.loads(out)["pairs"]
        if not each["estimate"]["group"]
    }
    names = {each for pair in pairs for each in pair[:2]}
    bold, shy = (next(name for name in names if word in name) for word in ("bold", "shy"))
    gap = pairs[bold, shy, "recall"]
    assert gap["estimate"]["value"] == pytest.approx((sum(BOLD) - sum(SHY)) / sum(CUTS))
    assert (gap["test"], gap["unscored"]) == ("sign flips by cluster, all 64", 0)
    gap = pairs.get((bold, shy, "precision")) or pairs[shy, bold, "precision"]
    assert abs(gap["estimate"]["value"]) == pytest.approx(abs(sum(BOLD) / 33 - sum(SHY) / 12))
    assert gap["test"] == "swaps of both sides by cluster, all 64"


def test_gate_reads_the_ratio(ran: dict[str, object], called: Called) -> None:
    value = sum(SHY) / sum(CUTS)
    assert called("gate", "logs", "--min", f"recall={value - 1e-6}")[0] == 0
    assert called("gate", "logs", "--min", f"recall={value + 1e-6}")[0] == 1


def test_tables_and_report_show_ratios(ran: dict[str, object], called: Called) -> None:
    code, out, _ = called("tables", "logs", "--json")
    assert code == 0
    lengths, scores = json.loads(out)["benchmarks"][0]["tables"]
    line = next(row for row in lengths["rows"] if "bold" in row[0])
    short, all_short = ([each[at] for at in range(0, 12, 2)] for each in (BOLD, CUTS))
    assert line[3]["value"] == pytest.approx(sum(short) / sum(all_short))
    assert line[3]["n"] == 4  # clips 0 and 10 have no cut
    line = next(row for row in scores["rows"] if "bold" in row[0])
    assert [cell["value"] for cell in line[3:5]] == pytest.approx([sum(BOLD) / sum(CUTS), sum(BOLD) / 33])
    assert called("report", "logs", "-o", "pages")[0] == 0
    page = next(path for path in Path("pages").rglob("*clip-04*.html")).read_text()
    assert "3 of 4" in page
    assert "0.750" in page
    front = "".join(path.read_text() for path in Path("pages").rglob("index.html"))
    assert f"{sum(BOLD) / sum(CUTS):.3f}" in front


def test_list_shows_the_ceiling(called: Called) -> None:
    (line,) = [each for each in json.loads(called("list", "--json")[1])["benchmarks"] if each["name"] == "tally"]
    assert line["ceiling"] == 1.0


def test_unscored_samples_weigh_what_their_item_does_elsewhere_or_as_the_heaviest() -> None:
    card = registry.benchmark("tally").card

    def row(item: str, epoch: int, part: float | None, whole: float = 0) -> Row:
        found = Finding(name="recall", value=part or 0, whole=whole, because="cuts")
        ending = Ending(status="unscored", because="503") if part is None else fold_findings((found,), ("recall",))
        return Row(
            benchmark="tally", version="1", cell="x-1", subject="x", item=item, epoch=epoch, cluster=item, ending=ending
        )

    rows = [row("a", 1, 4, 8), row("a", 2, None), row("b", 1, 1, 2), row("c", 1, None), row("d", 1, 0, 0)]
    (found,) = estimate_views([(rows, ScoreView("recall"))], card)
    assert (found.value, found.n, found.unscored) == (0.5, 2, 2)
    assert found.bounds == pytest.approx((5 / 26, 21 / 26))
