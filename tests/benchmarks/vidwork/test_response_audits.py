"""Audits: what a hedge, a coin and a long answer are worth."""

from dataclasses import replace
from typing import Any

import pytest

from cutscore.benchmarks.vidwork import response_audits
from cutscore.core.table import Table
from cutscore.results.tables.lines import CellLine, SampleMark


def asked(number: int, verdict: str, suspicion: float, *, wrong: bool) -> SampleMark:
    right = float(verdict == ("flagged" if wrong else "accepted"))
    found = {f"{'error' if wrong else 'twin'} step_swap": right, "suspicion": suspicion, f"verdict {verdict}": 1.0}
    return SampleMark(f"{wrong} {number}", 1, f"clip {number}", {}, {"score": right}, found)


def cells(table: Table) -> dict[str, Any]:
    (row,) = table.rows
    return dict(zip((column.name for column in table.columns), row, strict=True))


def test_a_hedge_is_no_flag_and_right_for_neither_kind() -> None:
    """Of four wrong ones two are flagged and two hedged; of four correct ones three are accepted and one hedged."""
    marks = [asked(n, "flagged" if n < 2 else "hedged", 1.0 if n < 2 else 0.5, wrong=True) for n in range(4)]
    marks += [asked(n, "accepted" if n < 3 else "hedged", 0.0 if n < 3 else 0.5, wrong=False) for n in range(4)]
    found = cells(response_audits.twins([CellLine("s", "m", marks)]))
    assert (found["n wrong"], found["n correct"]) == (4, 4)
    assert (found["hits"].value, found["false alarms"].value) == (0.5, 0.0)
    assert found["balanced accuracy"].value == pytest.approx((2 / 4 + 3 / 4) / 2)
    assert found["AUC"].value == pytest.approx((2 * 4 + 2 * 3.5) / 16)
    failed = cells(response_audits.failures([CellLine("s", "m", marks)]))
    assert [failed[f"wrong descriptions: {kind}"].value for kind in ("accepted", "hedged", "none")] == [0, 0.5, 0]


def test_a_careful_subject_beats_one_that_flags_readily() -> None:
    """90% hits with 80% false alarms are worth less than 60% with 10%, though the detection rate says otherwise."""

    def line(hits: int, alarms: int) -> CellLine:
        verdict = {True: ("flagged", 1.0), False: ("accepted", 0.0)}
        wrong = [asked(n, *verdict[n < hits], wrong=True) for n in range(50)]
        return CellLine("s", "m", wrong + [asked(n, *verdict[n < alarms], wrong=False) for n in range(50)])

    ready, careful = (cells(response_audits.twins([line(*each)])) for each in ((45, 40), (30, 5)))
    assert ready["hits"].value > careful["hits"].value
    assert ready["d′"].value == pytest.approx(0.43, abs=0.03)
    assert careful["d′"].value == pytest.approx(1.51, abs=0.04)


def test_titles_say_the_finding_of_those_who_compete() -> None:
    """An arm with the highest numbers is shown and names nobody in a title."""

    def line(model: str, right: int, *, arm: str = "") -> CellLine:
        told = {True: ("flagged", 1.0), False: ("accepted", 0.0)}
        marks = [asked(n, *told[n < right], wrong=True) for n in range(20)]
        marks += [asked(n, *told[n >= right], wrong=False) for n in range(20)]
        marks += [SampleMark(f"o{n}", 1, f"clip {n}", {}, {"order": float(n < right)}, {}) for n in range(20)]
        return CellLine("s", model, marks, arm=arm)

    lines = [line("weak", 8), line("good", 18), line("arm", 20, arm="1 frame")]
    assert response_audits.twins(lines).title == "1 of 2 tell wrong descriptions from correct ones"
    assert response_audits.orders(lines, "order").title == "1 of 2 tell order better than a coin"
    assert response_audits.failures(lines).title == "s weak accepts most wrong descriptions"
    assert response_audits.failures(lines[2:]).title == "Nobody accepts a wrong description"


def test_without_twins_nothing_is_claimed() -> None:
    table = response_audits.twins([CellLine("s", "m", [asked(1, "flagged", 1.0, wrong=True)])])
    assert table.rows == ()
    assert table.title.startswith("No correct twins")


def test_consistency_counts_pairs_that_were_asked_both_ways() -> None:
    def mark(item: str, pair: str, claim: float) -> SampleMark:
        return SampleMark(item, 1, item, {}, {"order": 1.0}, {f"pair {pair}": claim, "always_before": 1.0})

    marks = [mark("a", "1", 1.0), mark("b", "1", 1.0), mark("c", "2", 1.0), mark("d", "2", -1.0)]
    marks += [mark("e", "3", 0.0), mark("f", "3", 0.0), mark("g", "4", 1.0)]
    found = cells(response_audits.orders([CellLine("s", "m", marks)], "order"))
    assert found["consistency"].value == pytest.approx(1 / 3)
    assert found["consistency"].n == 3
    assert (found["accuracy"].value, found["chance"], found["gold is before"]) == (1, 0.5, 1)


def test_a_threshold_that_swaps_two_lines_is_told() -> None:
    def line(model: str, low: float, high: float) -> CellLine:
        found = {"step_f1_at_0.3": low, "step_f1_at_0.5": high}
        return CellLine("s", model, [SampleMark("a", 1, "a", {}, {"steps": high}, found)])

    table = response_audits.thresholds([line("m", 0.9, 0.2), line("n", 0.5, 0.4)], "steps")
    assert table.title == "The threshold of step matching changes the rank of 2 of 2"
    assert [row[-1] for row in table.rows] == ["1–2", "1–2"]
    steady = response_audits.thresholds([line("m", 0.9, 0.8), line("n", 0.5, 0.4)], "steps")
    assert [row[-1] for row in steady.rows] == ["1", "2"]


def test_a_score_that_falls_with_length_shows_it() -> None:
    def mark(n: int) -> SampleMark:
        scores = {"score": 1 / (n + 1), "robust": 0.5 + n % 2 / 10}
        return SampleMark(str(n), 1, str(n), {"axis": "why"}, scores, {}, length=10 * n)

    found = cells(
        response_audits.lengths([CellLine("s", "m", [mark(n) for n in range(20)])], ("why",), robust="robust")
    )
    assert found["paper × length"].value == pytest.approx(-1)
    assert abs(found["robust × length"].value) < 0.3
    assert found["words"] == 95
    swapped = [replace(mark(n), length=10 * (n ^ 1)) for n in range(20)]  # no interval without any spread
    table = response_audits.lengths([CellLine("s", "m", swapped)], ("why",), robust="robust")
    assert table.title == "Longer answers score lower for 1 of 1 by the paper's score, for 0 by their best stretch"


def test_only_wrong_answers_count_as_copied() -> None:
    def mark(item: str, score: float, copied: float) -> SampleMark:
        return SampleMark(item, 1, item, {}, {"cross_modal_grounding": score}, {"said_in_transcript": copied})

    marks = [mark("a", 0.0, 1.0), mark("b", 0.4, 0.5), mark("c", 0.5, 0.0)]
    assert (
        cells(response_audits.failures([CellLine("s", "m", marks)]))["wrong answers' words from the transcript"].value
        == 0.75
    )


def test_three_equal_epochs_change_no_audit() -> None:
    """However often a subject is asked, an item counts once: only the table of coverage counts samples."""
    marks = [asked(n, "flagged" if n % 3 else "hedged", 1.0 if n % 3 else 0.5, wrong=True) for n in range(9)]
    marks += [asked(n, "accepted" if n % 2 else "flagged", 0.0 if n % 2 else 1.0, wrong=False) for n in range(9)]
    for n in range(8):
        scores = {"order": float(n % 3 == 0), "score": n / 8, "robust": n / 9, "cross_modal_grounding": n / 8}
        found = {f"pair {n // 2}": 1.0 if n % 3 else -1.0, "always_before": float(n % 2), "step_f1_at_0.5": n / 8}
        found |= {"template": n / 8, "said_in_transcript": n / 9, "negation_differs": float(n == 2)}
        found |= {"pasted_transcript": n / 10, "pasted_transcript_robust": n / 11}
        marks.append(SampleMark(f"q{n}", 1, f"clip {n // 3}", {"axis": "why"}, scores, found, length=n * n))
    once, thrice = (
        CellLine("s", "m", [replace(mark, epoch=epoch) for mark in marks for epoch in range(1, epochs + 1)])
        for epochs in (1, 3)
    )
    for audit in (
        response_audits.twins,
        response_audits.failures,
        lambda lines: response_audits.orders(lines, "order"),
        lambda lines: response_audits.thresholds(lines, "order"),
        lambda lines: response_audits.lengths(lines, ("why",), robust="robust"),
    ):
        table = audit([thrice])
        assert table.rows
        assert table == audit([once])
    assert [row[4:6] for row in response_audits.coverage([thrice], ("why",)).rows] == [(24, 24)]


def test_epochs_that_differ_are_averaged_within_an_item() -> None:
    """A wrong description that is flagged once in two epochs is half a hit, and half suspicious."""
    marks = [asked(1, "flagged", 1.0, wrong=True), replace(asked(1, "accepted", 0.0, wrong=True), epoch=2)]
    marks += [asked(2, "accepted", 0.0, wrong=False)]
    found = cells(response_audits.twins([CellLine("s", "m", marks)]))
    assert (found["n wrong"], found["n correct"]) == (1, 1)
    assert (found["hits"].value, found["hits"].n, found["false alarms"].value) == (0.5, 1, 0.0)
    assert found["AUC"].value == 1
    assert cells(response_audits.failures([CellLine("s", "m", marks)]))["wrong descriptions: accepted"].value == 0.5


def test_coverage_names_the_most_frequent_cause() -> None:
    lost = [SampleMark(str(n), 1, "c", {"axis": "why"}, {}, {}, because=because) for n, because in enumerate("aab")]
    table = response_audits.coverage(
        [CellLine("s", "m", [*lost, SampleMark("x", 1, "c", {"axis": "why"}, {"why": 1.0}, {})])], ("why",)
    )
    assert cells(table)["most frequent cause"] == "a"
    assert table.title == "3 samples are unscored"
