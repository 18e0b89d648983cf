"""The test split answer by answer: who is taken for what, which weaknesses a judge sees, and where to look at them."""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from cutscore.core.matching import Confusion, verdict_confusion
from cutscore.core.table import Column, Plot, Table, TableCell
from cutscore.optimize.held_out import BEST, P0, HeldOutAnswer, HeldOutReading, SampleOpinion
from cutscore.stats.confusion import confusion_figures

UNREAD, SEE = "unread", "see"
# Cells of a confusion by what people and judge say, those first that a reader wants to see.
CELLS = {(True, False): "FN", (False, True): "FP", (True, None): UNREAD, (False, None): UNREAD}
CELLS |= {(True, True): "TP", (False, False): "TN"}
ORDER = tuple(dict.fromkeys(CELLS.values()))
Side = Literal["first", "best"]
SIDES: Mapping[str, Side] = {P0: "first", BEST: "best"}


def confusion_table(readings: Mapping[str, HeldOutReading]) -> Table:
    """Return the four cells of each prompt, beside those of who never looks."""
    rows = [
        (name, row.name, row.binary.tp, row.binary.fp, row.binary.fn, row.binary.tn, row.unread)
        for name, reading in readings.items()
        for row in reading.rows
    ]
    return Table(
        id="confusion",
        title="Verdicts on held-out samples",
        columns=(
            *(Column(name=name) for name in ("record", "prompt")),
            *(Column(name=name, digits=0) for name in ("TP", "FP", "FN", "TN", UNREAD)),
        ),
        rows=tuple(rows),
        note="one verdict a question; a positive is a sample with a weakness",
    )


def weakness_table(readings: Mapping[str, HeldOutReading]) -> Table:
    """Return how far judge and people agree on each weakness of a catalogue, and on each question without one.

    What was asked about one sample alone says nothing of agreement and is left out.
    """
    rows: list[tuple[TableCell, ...]] = []
    for name, reading in readings.items():
        sides = {prompt: dict(_by_weakness(reading, side)) for prompt, side in SIDES.items()}
        for weakness in sorted(set(sides[P0]) & set(sides[BEST])):
            (before, units), (after, others) = (sides[prompt][weakness] for prompt in SIDES)
            figures = [
                confusion_figures(each, clusters, kind="binary").mcc
                for each, clusters in ((before, units), (after, others))
            ]
            one, two = (sum(each, start=Confusion()) for each in (before, after))
            rows.append((name, weakness, two.tp + two.fn, one.tp, one.fp, two.tp, two.fp, *figures))
    return Table(
        id="weaknesses",
        title="Agreement by weakness",
        columns=(
            *(Column(name=name) for name in ("record", "weakness")),
            Column(name="people name it", digits=0),
            *(Column(name=f"{cell}, {prompt}", digits=0) for prompt in SIDES for cell in ("TP", "FP")),
            *(Column(name=f"MCC, {prompt}") for prompt in SIDES),
        ),
        rows=tuple(rows),
        note="a weakness by its code in a catalogue, a question without one by its verdict; 95% intervals by cluster",
        plot=Plot(values=tuple(f"MCC, {prompt}" for prompt in SIDES), labels=("record", "weakness")),
    )


def answer_table(readings: Mapping[str, HeldOutReading], folders: Mapping[str, Path], *, seen_from: Path) -> Table:
    """Return every answer with what people and judge named, the judge's mistakes first.

    A question that all of them answer stands under the table, not in every row.

    Args:
        readings: By the name of their record.
        folders: Where links of each record begin.
        seen_from: Where they are to begin in the table.
    """
    rows: list[tuple[TableCell, ...]] = []
    asked = {_question(each) for reading in readings.values() for each in reading.answers}
    alone = len(asked) == 1
    for name, reading in readings.items():
        for each in sorted(reading.answers, key=lambda answer: ORDER.index(_cell(answer, "best"))):
            cells = (_cell(each, side) for side in SIDES.values())
            link = os.path.relpath((folders[name] / each.link).resolve(), seen_from.resolve()) if each.link else ""
            question = () if alone else (_question(each),)
            rows.append((name, each.sample, link, *question, *cells, *map(_words, _opinions(each))))
    heads = ["record", "sample", SEE, *(() if alone else ("question",))]
    heads += [P0, BEST, "people", f"judge, {P0}", f"judge, {BEST}"]
    return Table(
        id="answers",
        title="Every held-out answer",
        columns=tuple(Column(name=name, link=name == SEE) for name in heads),
        rows=tuple(rows),
        note="; ".join([f"what {BEST} gets wrong comes first", *(f"asked was '{each}'" for each in asked if alone)]),
    )


def _by_weakness(reading: HeldOutReading, side: Side) -> Iterator[tuple[str, tuple[list[Confusion], list[str]]]]:
    """Return each weakness with what every sample adds to its confusion, and the clusters of these."""
    codes = sorted({code for each in reading.answers for said in _opinions(each) for code in _codes(said)})
    found: dict[str, list[tuple[Confusion, str]]] = defaultdict(list)
    for each in reading.answers:
        said: SampleOpinion = getattr(each, side)
        if said.has_weakness is None or each.people.has_weakness is None:
            continue
        if each.listed and codes:
            for code in codes:
                verdict = verdict_confusion(truth=code in _codes(each.people), said=code in _codes(said))
                found[code].append((verdict, each.cluster))
        else:
            verdict = verdict_confusion(truth=each.people.has_weakness, said=said.has_weakness)
            found[_question(each)].append((verdict, each.cluster))
    for name, lines in found.items():
        if len(lines) > 1:
            yield name, ([verdict for verdict, _ in lines], [cluster for _, cluster in lines])


def _question(each: HeldOutAnswer) -> str:
    return each.text or each.question


def _opinions(each: HeldOutAnswer) -> tuple[SampleOpinion, ...]:
    return each.people, each.first, each.best


def _codes(said: SampleOpinion) -> set[str]:
    return {each.code for each in said.weaknesses if each.code}


def _cell(each: HeldOutAnswer, side: Side) -> str:
    said: SampleOpinion = getattr(each, side)
    return CELLS[bool(each.people.has_weakness), said.has_weakness]


def _words(said: SampleOpinion) -> str:
    if said.has_weakness is None:
        return said.because or UNREAD
    named = " | ".join(f"{each.code}: {each.text}" if each.code else each.text for each in said.weaknesses)
    return (named if said.has_weakness else "") or said.answer or ("a weakness" if said.has_weakness else "none")
