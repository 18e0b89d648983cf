"""Tables of vidwork: the paper's figures from the paper's numbers, and what stands beside them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.benchmarks.vidwork import published_figures as paper
from cutscore.benchmarks.vidwork import tables as made
from cutscore.benchmarks.vidwork.dataset import AXES
from cutscore.benchmarks.vidwork.paper_ablation import ablation_by_item
from cutscore.benchmarks.vidwork.related_benchmarks import related_benchmarks
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.estimate import Estimate
from cutscore.core.files import FileRef
from cutscore.core.manifest import FrameManifest, SeenFrame
from cutscore.core.row import Row
from cutscore.core.table import Table
from cutscore.results.tables.differences import significance
from cutscore.results.tables.lines import COMPUTED, REFERENCE, CellLine, SampleMark, cell_lines
from cutscore.results.tables.model_families import family_gap_table

WEIGHTED = (0.639, 0.647, 0.936, 0.947, 0.933)


def mark(axis: str, value: float, item: str, **found: float) -> SampleMark:
    groups = {"axis": axis, "domain": "cooking", "duration": "30 s"}
    return SampleMark(item, 1, f"clip {sum(map(ord, item)) % 7}", groups, {"score": value, axis: value}, found)


def value(cell: Any) -> float:
    assert isinstance(cell, Estimate)
    assert cell.value is not None
    return cell.value


def row_of(table: Table, *start: str) -> tuple[Any, ...]:
    (found,) = [row for row in table.rows if row[: len(start)] == start]
    return found


def test_the_composites_of_table_4_follow_from_its_axes() -> None:
    """Given each axis mean on every item, the composite is the printed one, within rounding."""
    lines = []
    for model, printed in zip(paper.MODELS, paper.TABLE_4, strict=True):
        marks = [mark(axis, mean, f"{axis} {n}") for axis, mean in zip(AXES, printed, strict=False) for n in range(3)]
        lines.append(CellLine("model", model, marks))
    board = made.leaderboard(lines)
    for model, printed in zip(paper.MODELS, paper.TABLE_4, strict=True):
        assert value(row_of(board, "model", model)[-2]) == pytest.approx(printed[-1], abs=0.001)
    assert board.title == "model Claude Sonnet 4.5 has the highest composite, 0.446"


def test_the_weighted_means_of_table_6_follow_from_its_rows() -> None:
    """1,090 descriptions for each model, with as many flagged as the printed rates say."""
    lines = []
    for column, model in enumerate(paper.MODELS):
        marks = []
        for kind, (n, rates) in paper.TABLE_6.items():
            hits = round(rates[column] * n)
            assert hits / n == pytest.approx(rates[column], abs=0.001)
            for number in range(n):
                hit = float(number < hits)
                marks.append(mark("error_detection", hit, f"{kind} {number}", **{f"error {kind}": hit}))
        lines.append(CellLine("model", model, marks))
    table = made.error_types(lines)
    whole = row_of(table, "weighted mean")
    assert whole[1] == 1090
    found = {column.name: cell for column, cell in zip(table.columns, whole, strict=True)}
    assert [value(found[f"model {model}"]) for model in paper.MODELS] == pytest.approx(WEIGHTED, abs=0.001)
    assert [column.name for column in table.columns[2:4]] == ["model Claude Sonnet 4.5", "model Claude Haiku 4.5"]
    assert whole[-1] == "model Claude Sonnet 4.5"
    assert [row_of(table, kind)[-1] for kind in ("step_modification", "insufficient_input")] == ["not ranked"] * 2
    assert row_of(table, "step_swap")[-1] == "model Claude Sonnet 4.5, model Claude Opus 4.5"
    assert row_of(table, "step_omission")[-1] == "model Claude Haiku 4.5"


def family_lines_of_the_paper() -> list[CellLine]:
    """Five models that have on every axis the mean of Table 4, and flag as many descriptions as Table 6 says."""
    names = ("openai/gpt-4o", "openai/gpt-4o-mini", "claude-haiku-4-5", "claude-sonnet-4-5", "claude-opus-4-5")
    lines = []
    for column, (model, printed) in enumerate(zip(names, paper.TABLE_4, strict=True)):
        marks = [
            mark(axis, mean, f"{axis} {n}") for axis, mean in zip(AXES[:4], printed, strict=False) for n in "abcdefg"
        ]
        for kind, (n, rates) in paper.TABLE_6.items():
            hits = round(rates[column] * n)
            for number in range(n):
                hit = float(number < hits)
                marks.append(mark("error_detection", hit, f"{kind} {number}", **{f"error {kind}": hit}))
        lines.append(CellLine("model", model, marks))
    return lines


def test_the_gap_between_families_of_models_follows_from_tables_4_and_6() -> None:
    """§5.1: "8–13 points above"; §5.3: 0.917 against 0.375–0.458 for quantities; nothing for what all flag."""
    table = family_gap_table(family_lines_of_the_paper(), made.SHORT, made.KINDS)
    names = [column.name for column in table.columns]
    found = {row[2]: dict(zip(names, row, strict=True)) for row in table.rows}
    assert {row[:2] for row in table.rows} == {("claude", "gpt")}
    composite = found["composite"]
    assert [composite[end] for end in ("smallest", "largest")] == pytest.approx(
        [0.420 - 0.335, 0.446 - 0.313], abs=1e-3
    )
    assert composite["first mean"] == pytest.approx((0.422 + 0.446 + 0.420) / 3, abs=0.001)
    assert value(composite["first − second"]) == pytest.approx((0.422 + 0.446 + 0.420) / 3 - 0.324, abs=0.001)
    quantity = found["error: quantity_error"]
    assert quantity["n"] == 24
    assert (quantity["smallest"], quantity["largest"]) == pytest.approx((0.875 - 0.458, 0.917 - 0.375), abs=0.001)
    assert value(found["error: step_modification"]["first − second"]) == 0
    assert found["error: step_modification"]["leaves out 0"] == "no"
    assert found["error: step_swap"]["first − second"].low > 0
    assert found["step"]["first"] == "claude"  # though GPT lists steps better: who leads overall comes first
    assert value(found["step"]["first − second"]) == pytest.approx(0.0397 - 0.099, abs=0.001)
    # Four axes have the same value on every item, and so no spread; two kinds of error tell nobody apart.
    assert Counter(row[-1] for row in table.rows) == {"yes": 8, "cannot be told": 4, "no": 2}
    assert table.title == "Families of models: 8 of 14 intervals of gaps leave out 0"


def test_one_family_has_no_gap() -> None:
    table = family_gap_table(family_lines_of_the_paper()[2:], made.SHORT, made.KINDS)
    assert table.rows == ()
    assert table.title == "No gap between families: models of fewer than two were measured"


def test_table_3_says_who_had_fewer_frames_and_fewer_axes() -> None:
    marks = [mark(axis, 0.5, axis) for axis in AXES]
    lost = replace(marks[1], scores={}, because="503")
    lines = [
        CellLine("model", "claude-opus-4-5", marks, plan="fps=1,max=4", remark="fps=1,max=4, others fps=1,max=8"),
        CellLine("model", "gemini-2.5-flash", [marks[0], lost], plan="fps=1,max=8"),
        CellLine("always-flag", "", marks, remark=COMPUTED),
    ]
    table = made.models(lines)
    assert table.title == "2 models measured, not all with the same number of frames"
    assert [row[1:8] for row in table.rows] == [
        ("claude-opus-4-5", "", "claude", 4, "all five", 5, 0),
        ("gemini-2.5-flash", "", "gemini", 8, "step", 1, 1),
    ]


def test_table_1_has_the_papers_signs_and_what_these_items_ask() -> None:
    table = related_benchmarks([CellLine("model", "m", [mark("step_recognition", 1, "a")])])
    assert row_of(table, "TemporalBench")[1:] == ("partly", "fully", "partly", "–", "–", "–")
    assert row_of(table, "DesignQA")[1:] == ("partly", "–", "–", "fully", "partly", "–")
    assert set(row_of(table, "VidWork-Bench")[1:]) == {"fully"}
    assert row_of(table, "these items")[1:] == ("fully", "–", "–", "–", "–", "–")
    assert table.title == "The items that were asked here cover 1 of 6, the paper's all"
    assert len(table.rows) == 10


@pytest.mark.parametrize(("delta", "low", "high", "call"), paper.TABLE_5.values(), ids=paper.TABLE_5.keys())
def test_the_calls_of_table_5_follow_from_its_intervals(delta: float, low: float, high: float, call: str) -> None:
    assert low <= delta <= high
    assert significance(low, high) == call


def test_what_the_paper_prints_and_nobody_can_reproduce_is_printed_as_such() -> None:
    """No share of 90 has the printed digits of temporal accuracy, and the responses do not add up."""
    table = paper.published_figures()
    assert sum(paper.ITEMS.values()) == 2092
    verdicts = {(row[0], row[1]): row[-1] for row in table.rows}
    missed = {figure for figure, verdict in verdicts.items() if verdict == "cannot be reproduced"}
    assert missed == {
        *(("Table 4: temporal accuracy, 90 questions", model) for model in paper.MODELS),
        ("responses", "six models"),
        ("§8: 364 retained and 109 errors", "Gemini 2.5 Flash"),
        ("§5.1: above GPT-4o on every axis", "GPT-4o-mini"),
        ("Tables 7 and 8: same items, other means", "five models"),
        ("Tables 4 and 7: same items, other means", "five models"),
    }
    assert sum(verdict == "holds" for verdict in verdicts.values()) == 5 + 5 + 4 + 3 + 1
    assert row_of(table, "§8: 364 retained and 109 errors")[2:4] == (423, 473)
    assert row_of(table, "§5.1: above GPT-4o on every axis")[2:4] == (5, 4)
    assert row_of(table, "Table 5: Δ of 1 and 8 frames", "GPT-4o, temporal")[2:] == (-0.014, -0.015, paper.ROUNDED)
    apart = {row[0]: row[3] for row in table.rows if row[1] == "five models"}
    assert list(apart.values()) == pytest.approx([0.0133, 0.0002, 0.0118], abs=0.0001)
    assert row_of(table, "responses")[2:4] == (10_686, 10_824)
    assert table.title == "10 of 29 published figures do not follow from the paper's own numbers"
    assert max(printed[1] for printed in paper.TABLE_4) < 0.5  # below the chance of two choices


def rows_of(
    vidwork: LoadedBenchmark,
    subject: str,
    deliver: Any,
    *,
    model: str = "",
    epoch: int = 1,
    shown: int = 0,
    **settings: str,
) -> Iterator[Row]:
    for item in vidwork.items:
        deliverable = deliver(item)
        yield Row(
            benchmark="vidwork",
            version="1",
            cell=f"{subject}-{model}-{shown}-{settings}",
            subject=subject,
            model=model,
            **settings,
            item=item.id,
            epoch=epoch,
            cluster=item.cluster,
            groups=item.groups,
            ending=vidwork.mark(deliverable, item),
            deliverable=deliverable,
            seen=(seen(shown),) if shown else (),
        )


def seen(frames: int) -> FrameManifest:
    clip = FileRef(name="a.mp4", sha256="0" * 64, size_bytes=1)
    shown = tuple(SeenFrame(at_s=Fraction(n), sha256="0" * 64, width=1, height=1) for n in range(frames))
    return FrameManifest(clip=clip, plan=f"uniform={frames}", decoder="none", frames=shown)


@pytest.fixture(scope="module")
def rows(vidwork: LoadedBenchmark) -> list[Row]:
    oracle, keyless = vidwork.found.part("oracle"), vidwork.found.part("keyless")
    asked = {item.id: vidwork.found.part("ask").ask(item, vidwork.prompts) for item in vidwork.items}
    return [
        *rows_of(vidwork, "oracle", lambda item: oracle.perfect(item, vidwork.store)),
        *rows_of(vidwork, "null", lambda item: Deliverable()),
        *rows_of(vidwork, "blind", lambda item: keyless.blind(asked[item.id], len(item.id), vidwork.store)),
    ]


@pytest.fixture(scope="module")
def found(rows: Sequence[Row], vidwork: LoadedBenchmark) -> dict[str, Table]:
    return {table.id: table for table in made.tables(rows, vidwork.found.card)}


def test_the_oracle_reaches_one_and_null_nothing_on_every_axis(found: dict[str, Table]) -> None:
    for name in ("leaderboard", "leaderboard-by-item"):
        assert [value(cell) for cell in row_of(found[name], "oracle")[3:9]] == [1.0] * 6
        assert [value(cell) for cell in row_of(found[name], "null")[3:9]] == [0.0] * 6
        assert row_of(found[name], "oracle")[7].clusters == (8 if name.endswith("by-item") else 3)
    blind = [value(cell) for cell in row_of(found["leaderboard"], "blind")[3:9]]
    assert 0 < blind[-1] < 1


def test_fixed_answers_stand_in_every_table_with_the_composite_they_reach(found: dict[str, Table]) -> None:
    flag, before = (row_of(found["leaderboard"], name) for name in ("always-flag", "always-before"))
    assert [value(cell) for cell in flag[3:9]] == [0, 0, 0, 0, 1, pytest.approx(0.2)]
    assert [value(cell) for cell in before[3:9]] == [0, 0.5, 0, 0, 0, pytest.approx(0.1)]
    assert flag[-1] == before[-1] == COMPUTED
    for name in ("by-domain", "by-duration", "order", "twins"):
        assert {"always-flag", "always-before"} <= {row[0] for row in found[name].rows}
    # Neither fixed answers nor those who know compete.
    assert row_of(found["error-types"], "weighted mean")[-1] == "blind"
    assert row_of(found["leaderboard"], "oracle")[-1] == REFERENCE
    assert found["leaderboard"].rows[0][0] == "oracle"
    assert found["leaderboard"].title.startswith("blind has the highest composite")
    assert {"always-flag", "always-before"} <= {column.name for column in found["error-types"].columns}


def test_who_flags_everything_detects_nothing(found: dict[str, Table]) -> None:
    table = found["twins"]
    names = [column.name for column in table.columns]
    flag, oracle = (dict(zip(names, row_of(table, who), strict=True)) for who in ("always-flag", "oracle"))
    assert (value(flag["hits"]), value(flag["false alarms"]), value(flag["balanced accuracy"])) == (1, 1, 0.5)
    assert value(flag["d′"]) == 0
    assert value(flag["AUC"]) == 0.5
    assert value(flag["criterion"]) < 0
    assert (value(oracle["balanced accuracy"]), value(oracle["AUC"])) == (1, 1)
    assert value(oracle["d′"]) > 2
    null = dict(zip(names, row_of(table, "null"), strict=True))
    assert (value(null["balanced accuracy"]), value(null["d′"])) == (0, 0)
    assert value(row_of(found["failures"], "null")[-1]) == 1  # says nothing of any wrong description


def test_who_flags_everything_is_not_called_the_best(vidwork: LoadedBenchmark) -> None:
    """A share of flagged errors stands beside that of flagged correct twins, with one and the same interval."""
    flag = lambda item: Deliverable(text="ANSWER: incorrect")  # noqa: E731
    rows = [*rows_of(vidwork, "alarmist", flag), *rows_of(vidwork, "null", lambda item: Deliverable())]
    made_of = {table.id: table for table in made.tables(rows, vidwork.found.card)}
    table = made_of["error-types"]
    assert "best" not in {column.name for column in table.columns}
    assert table.title == "alarmist flags most wrong descriptions, and 100% of the correct ones"
    place = [column.name for column in table.columns].index("alarmist")
    hits, alarms = (row_of(table, name)[place] for name in ("weighted mean", "none: correct twins"))
    names = [column.name for column in made_of["twins"].columns]
    told = dict(zip(names, row_of(made_of["twins"], "alarmist"), strict=True))
    for mine, other in ((hits, told["hits"]), (alarms, told["false alarms"])):
        assert (mine.value, mine.low, mine.high, mine.n) == (other.value, other.low, other.high, other.n)
        assert mine.low is not None


def test_order_questions_are_consistent_or_not(found: dict[str, Table]) -> None:
    table = found["order"]
    assert value(row_of(table, "oracle")[-1]) == 1
    assert value(row_of(table, "null")[-1]) == 0
    assert row_of(table, "oracle")[4:6] == (0.5, 0.5)
    assert row_of(table, "always-before")[4:] == (0.5, 0.5, None)  # nothing was claimed of any pair


def test_domains_and_durations_are_weighted_by_items(found: dict[str, Table], rows: Sequence[Row]) -> None:
    blind = [row for row in rows if row.subject == "blind" and row.groups["domain"] == "cooking"]
    scores = [row.ending.scores["score"] for row in blind if row.groups["axis"] != "error_detection"]
    assert value(row_of(found["by-domain"], "blind")[3]) == pytest.approx(sum(scores) / len(scores))
    assert [column.name for column in found["by-duration"].columns[3:]] == ["30 s", "180 s", "unknown"]
    assert [value(cell) for cell in row_of(found["by-duration"], "oracle")[3:]] == [1, 1, 1]


def test_clips_are_counted_and_empty_cells_named(found: dict[str, Table]) -> None:
    assert row_of(found["clips"], "cooking") == ("cooking", 1, 0, 0, 0, 0)
    assert row_of(found["clips"], "first_aid_safety")[-1] == 1
    assert found["clips"].title == "10 of 12 cells have no clip"
    assert "repair_manufacturing × 300 s" in found["clips"].note


def test_the_matrix_has_every_cell_that_has_items(found: dict[str, Table]) -> None:
    assert row_of(found["matrix"], "oracle", "", "", "cooking", "30 s", "causal_reasoning")[-1].n == 1
    assert len(found["matrix"].rows) == 5 * 3 * 5


def test_a_line_with_an_unscored_sample_has_no_composite(vidwork: LoadedBenchmark, rows: Sequence[Row]) -> None:
    lost = Ending(status="unscored", because="503 after 5 attempts")
    broken = [row.model_copy(update={"ending": lost}) if row.item == "tyre-c" else row for row in rows]
    found = {table.id: table for table in made.tables(broken, vidwork.found.card)}
    causal, composite = (row_of(found["leaderboard"], "oracle")[place] for place in (5, 8))
    assert (causal.n, causal.unscored, composite) == (2, 1, None)
    assert causal.bounds == pytest.approx((2 / 3, 1))
    assert found["leaderboard"].title == "Nobody covers all five axes"
    assert row_of(found["coverage"], "oracle", "", "", "causal_reasoning")[4:] == (3, 2, 1, "503 after 5 attempts")
    assert found["coverage"].title == "3 samples are unscored"
    lenient = made.tables(broken, vidwork.found.card, min_coverage=0.6)[1]
    assert value(row_of(lenient, "oracle")[8]) == 1
    assert "coverage of 0.6" in lenient.note


def test_an_axis_that_nobody_was_asked_about_leaves_a_blank(vidwork: LoadedBenchmark, rows: Sequence[Row]) -> None:
    few = [row for row in rows if row.groups["axis"] == "step_recognition"]
    board = made.tables(few, vidwork.found.card)[1]
    assert row_of(board, "oracle")[4:9] == (None,) * 5


USUAL = "fps=1,max=8"


@pytest.fixture(scope="module")
def ablated(vidwork: LoadedBenchmark) -> list[Row]:
    """A model that forgets steps with one frame, and answers nothing from the transcript; another without arms."""
    oracle = vidwork.found.part("oracle")

    def forgetful(item: Any) -> Deliverable:
        source_digest = oracle.near_miss if item.groups["axis"] == "step_recognition" else oracle.perfect
        return source_digest(item, vidwork.store)  # type: ignore[no-any-return]

    def nothing(item: Any) -> Deliverable:
        return Deliverable()

    def perfect(item: Any) -> Deliverable:
        return oracle.perfect(item, vidwork.store)  # type: ignore[no-any-return]

    return [
        *rows_of(vidwork, "model", forgetful, model="m", frames="fps=1,max=1"),
        *rows_of(vidwork, "model", perfect, model="m", frames=USUAL),
        *rows_of(vidwork, "model", nothing, model="m", frames=USUAL, input="transcript"),
        *rows_of(vidwork, "model", forgetful, model="n", frames=USUAL),
    ]


@pytest.fixture(scope="module")
def arms(ablated: Sequence[Row], vidwork: LoadedBenchmark) -> dict[str, Table]:
    card = vidwork.found.card.model_copy(update={"frames": USUAL})
    return {table.id: table for table in made.tables(ablated, card)}


def test_every_arm_is_set_against_the_whole_line_on_every_axis(arms: dict[str, Table]) -> None:
    table = arms["ablation"]
    shorts = ["step", "temporal", "causal", "cross-modal", "error"]
    assert [row[1:4] for row in table.rows] == [
        ("m", arm, axis) for arm in ("1 frame", "transcript only") for axis in shorts
    ]
    names = [column.name for column in table.columns]
    step, *others = (dict(zip(names, row, strict=True)) for row in table.rows[:5])
    assert (step["n"], step["whole"]) == (3, 1.0)
    assert value(step["arm − whole"]) == pytest.approx(step["arm"] - 1)
    assert step["arm"] < 1
    assert [(other["call"], other["p"]) for other in others] == [("ns", 1.0)] * 4
    assert [row[7].value for row in table.rows[5:]] == [-1.0] * 5
    assert "10,000 resamples, seed 42" in table.note
    assert "Holm over the 10 comparisons" in table.note


def test_the_papers_ablation_draws_questions_and_calls_by_the_interval_alone() -> None:
    """Twelve questions: six better with one frame, none worse."""
    whole = CellLine("model", "m", [mark("causal_reasoning", 0.5, f"q{n}") for n in range(12)])
    better = [mark("causal_reasoning", 0.5 + 0.1 * (n % 2), f"q{n}") for n in range(12)]
    table = ablation_by_item([whole, CellLine("model", "m", better, arm="1 frame")], made.SHORT)
    (row,) = table.rows
    gaps = np.array([0.1 * (n % 2) for n in range(12)])[np.argsort([f"q{n}" for n in range(12)])]
    drawn = np.random.default_rng(42).integers(0, 12, size=(1_000, 12))
    low, high = np.quantile(gaps[drawn].mean(axis=1), [0.025, 0.975])
    assert row[3:5] == ("causal", 12)
    assert (row[5].value, row[5].low, row[5].high) == pytest.approx((0.05, low, high))
    assert row[6] == "p < 0.05"
    assert table.title == "1 of 1 comparisons with the whole input are called significant by the paper's rule"


def test_the_leaderboard_shows_whole_lines_first_and_marks_the_others(arms: dict[str, Table]) -> None:
    board = arms["leaderboard"]
    assert [row[:3] for row in board.rows] == [
        ("model", "m", ""),
        ("model", "n", ""),
        ("model", "m", "1 frame"),
        ("model", "m", "transcript only"),
        ("always-flag", "", ""),
        ("always-before", "", ""),
    ]
    assert board.title == "model m has the highest composite, 1.000"
    assert board.cells("remark")[2] == f"fps=1,max=1, others {USUAL}"
    assert row_of(arms["error-types"], "weighted mean")[-1] == "model m, model n"  # the arms do not compete
    assert {row[1] for row in arms["error-gaps"].rows} == {"model n"}
    assert {row[2] for row in arms["power"].rows} == {"model n"}


def test_rows_that_only_tell_how_many_frames_they_had_are_told_apart_by_them(vidwork: LoadedBenchmark) -> None:
    rows = [
        row
        for model, shown in (("m", 1), ("m", 8), ("n", 8))
        for row in rows_of(vidwork, "model", lambda item: Deliverable(), model=model, shown=shown)
    ]
    remarks = {line.label: line.remark for line in cell_lines(rows)}
    assert remarks == {"model m (1 frame)": "frames=1, others frames=8", "model m": "", "model n": ""}


def test_three_equal_epochs_change_no_table_but_coverage(
    vidwork: LoadedBenchmark, rows: Sequence[Row], ablated: Sequence[Row]
) -> None:
    few = [row for row in [*rows, *ablated] if row.subject in ("blind", "model")]
    thrice = [row.model_copy(update={"epoch": epoch}) for row in few for epoch in (1, 2, 3)]
    once, again = (made.tables(each, vidwork.found.card) for each in (few, thrice))
    assert [table.id for table, other in zip(once, again, strict=True) if table != other] == ["coverage"]


def test_epochs_are_averaged_before_anything(vidwork: LoadedBenchmark) -> None:
    """Right in one of three epochs: a third of the score from the same number of items."""
    oracle = vidwork.found.part("oracle")
    rows = [
        row
        for epoch in (1, 2, 3)
        for row in rows_of(
            vidwork,
            "lucky",
            lambda item, epoch=epoch: oracle.perfect(item, vidwork.store) if epoch == 2 else Deliverable(),
            epoch=epoch,
        )
    ]
    found = {table.id: table for table in made.tables(rows, vidwork.found.card)}
    cells = row_of(found["leaderboard"], "lucky")[3:9]
    assert [value(cell) for cell in cells] == pytest.approx([1 / 3] * 6)
    assert [cell.n for cell in cells] == [3, 6, 3, 3, 8, 23]
    assert value(row_of(found["twins"], "lucky")[5]) == pytest.approx(1 / 3)
    assert row_of(found["twins"], "lucky")[3:5] == (8, 8)
    assert value(row_of(found["order"], "lucky")[-1]) == pytest.approx(1 / 3)
    lost = Ending(status="unscored", because="503")
    torn = [row.model_copy(update={"ending": lost}) if row.epoch == 1 else row for row in rows]
    cell = row_of(made.tables(torn, vidwork.found.card)[1], "lucky")[3]
    assert (value(cell), cell.n, cell.unscored, cell.bounds) == (0.5, 3, 3, pytest.approx((1 / 3, 2 / 3)))


def test_models_that_filtered_the_items_are_remarked(vidwork: LoadedBenchmark, rows: Sequence[Row]) -> None:
    groups = {"filter": "cheap-1+cheap-2", **rows[0].groups}
    lines = cell_lines([row.model_copy(update={"groups": groups, "model": "lab/cheap-2"}) for row in rows[:3]])
    assert [line.remark for line in lines] == ["filter baseline"]
    others = cell_lines([row.model_copy(update={"groups": groups, "model": "lab/cheap-20"}) for row in rows[:3]])
    assert [line.remark for line in others] == [""]


def test_controls_length_and_thresholds_are_told(found: dict[str, Table]) -> None:
    length = found["length"]
    assert {"control: pasted transcript", "control: stuffed terms"} <= {row[0] for row in length.rows}
    assert value(row_of(length, "oracle")[4]) == value(row_of(length, "oracle")[5]) == 1
    steps = found["step-thresholds"]
    assert [column.name for column in steps.columns[3:-1]] == ["0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"]
    assert row_of(steps, "oracle")[3:] == (1.0,) * 7 + ("1",)
    assert value(row_of(found["failures"], "blind")[3]) == 1  # it says the template and nothing else


def test_power_says_how_small_a_difference_could_be_seen(found: dict[str, Table]) -> None:
    assert found["power"].cells("axis") == list(made.SHORT.values())
    for row in found["power"].rows:
        assert row[1] in ("blind", "null")
        assert row[3] > 0


def test_gaps_of_error_types_are_paired(found: dict[str, Table], rows: Sequence[Row], vidwork: LoadedBenchmark) -> None:
    gaps = found["error-gaps"]
    flags = {row.item: row.ending.scores["score"] for row in rows if row.subject == "blind"}
    swap = next(item.id for item in vidwork.items if getattr(item, "error_type", "") == "step_swap" and item.wrong)
    assert row_of(gaps, "blind", "null", "step_swap")[3] == 1
    assert value(row_of(gaps, "blind", "null", "step_swap")[4]) == flags[swap]


def test_no_rows_give_tables_without_numbers(vidwork: LoadedBenchmark) -> None:
    for table in made.tables([], vidwork.found.card):
        assert all(not isinstance(cell, Estimate) for row in table.rows for cell in row)


def test_tables_are_the_same_for_any_order_of_rows(
    vidwork: LoadedBenchmark, rows: Sequence[Row], found: dict[str, Table]
) -> None:
    again = {table.id: table for table in made.tables(rows[::-1], vidwork.found.card)}
    assert again["leaderboard"] == found["leaderboard"]
    assert again["twins"] == found["twins"]
