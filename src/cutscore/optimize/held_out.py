"""p0 and p* on samples that neither was chosen by: with intervals, their difference paired, beside who never looks.

The headline is binary: one verdict a question, as published tables have it. The fractional figures are those of S,
which the search made large; they are named so and never stand for the others.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Unpack

from cutscore.core.estimate import Difference, Estimate
from cutscore.core.frozen import FrozenModel
from cutscore.core.judgement import Weakness
from cutscore.core.matching import Confusion
from cutscore.optimize.problem import LabelledSample, MarkedSample, PredictedAnswer
from cutscore.stats.confusion import ConfusionKind, confusion_differences, confusion_figures, constant_confusions
from cutscore.stats.power import required_study_size
from cutscore.stats.resampling import Draws

KINDS: tuple[ConfusionKind, ...] = ("binary", "fractional")
P0, BEST = "p0", "p*"
ALWAYS = {"always pass": False, "always fail": True}
TAU = "Kendall's tau-b of two verdicts is their MCC: one piece of evidence, not two"


class HeldOutRow(FrozenModel):
    """One prompt, or somebody who never looks, on the test split.

    Args:
        binary, fractional: Sums of the cells, by the verdicts alone and by S; the latter None for who never looks, and
            where nobody was asked for more than verdicts.
        unread: Questions without an answer that could be read.
    """

    name: str
    binary: Confusion
    fractional: Confusion | None = None
    estimates: tuple[Estimate, ...]
    unread: int = 0


class SampleOpinion(FrozenModel):
    """What somebody said to one question; `has_weakness` is None where a judge could not be read."""

    has_weakness: bool | None
    answer: str = ""
    weaknesses: tuple[Weakness, ...] = ()
    because: str = ""


class HeldOutAnswer(FrozenModel):
    """One question of the test split: what people say, and a judge with p0 and with p*.

    Args:
        link: Where a reader can look at the sample, from the folder of the prompt; empty where nowhere.
        listed: Whether weaknesses were asked for, and no verdict alone.
    """

    sample: str
    cluster: str
    question: str
    text: str = ""
    link: str = ""
    listed: bool = False
    people: SampleOpinion
    first: SampleOpinion
    best: SampleOpinion


class HeldOutReading(FrozenModel):
    """What the test split says.

    Args:
        n: Questions with a label.
        prevalence: Share of them to which people name a weakness.
        differences: p* minus p0 on the samples that both answered, one for each measure.
        power: How many labels would separate the two.
    """

    n: int
    clusters: int
    prevalence: float | None
    rows: tuple[HeldOutRow, ...]
    differences: tuple[Difference, ...]
    answers: tuple[HeldOutAnswer, ...] = ()
    power: str = ""
    note: str = TAU

    def row(self, name: str) -> HeldOutRow:
        """Return a row by its name."""
        return next(each for each in self.rows if each.name == name)

    def difference(self, name: str) -> Difference:
        """Return the difference of a measure by its name, as `binary MCC`."""
        return next(each for each in self.differences if each.estimate.name == name)


def compare_prompts(
    first: Sequence[MarkedSample], best: Sequence[MarkedSample], *, folder: Path = Path(), **draws: Unpack[Draws]
) -> HeldOutReading:
    """Return what two prompts are worth on the same samples; links to these begin in a folder."""
    samples = [each.sample for each in first]
    cases = [question.has_weakness for each in samples for question in each.questions]
    both = [(one, two) for one, two in zip(first, best, strict=True) if not one.unread and not two.unread]
    kinds = KINDS if any(each.confusion != each.binary for each in (*first, *best)) else KINDS[:1]
    blind = [_blind_row(name, said, samples, **draws) for name, said in ALWAYS.items()]
    return HeldOutReading(
        n=len(cases),
        clusters=len({each.cluster for each in samples}),
        prevalence=sum(cases) / len(cases) if cases else None,
        rows=(*blind, _row(P0, first, kinds, **draws), _row(BEST, best, kinds, **draws)),
        differences=tuple(each for kind in kinds for each in _differences(both, kind, **draws)),
        answers=tuple(_answers(first, best, folder)),
        power=_power_words(both),
    )


def _answers(first: Sequence[MarkedSample], best: Sequence[MarkedSample], folder: Path) -> Iterator[HeldOutAnswer]:
    for one, two in zip(first, best, strict=True):
        sample = one.sample
        link = os.path.relpath(sample.link, folder.resolve()) if sample.link else ""
        for people, before, after in zip(sample.questions, one.answers, two.answers, strict=True):
            yield HeldOutAnswer(
                sample=sample.id,
                cluster=sample.cluster,
                question=people.id,
                text=people.text,
                link=link,
                listed=people.weaknesses is not None,
                people=SampleOpinion(
                    has_weakness=people.has_weakness, answer=people.answer, weaknesses=people.weaknesses or ()
                ),
                first=_opinion(before),
                best=_opinion(after),
            )


def _opinion(said: PredictedAnswer) -> SampleOpinion:
    return SampleOpinion(
        has_weakness=said.has_weakness, answer=said.answer, weaknesses=said.weaknesses, because=said.because
    )


def _row(
    name: str, marks: Sequence[MarkedSample], kinds: Sequence[ConfusionKind], **draws: Unpack[Draws]
) -> HeldOutRow:
    answered = [each for each in marks if each.binary.total]
    clusters = [each.sample.cluster for each in answered]
    found = {
        kind: confusion_figures([_confusion(each, kind) for each in answered], clusters, kind=kind, **draws)
        for kind in kinds
    }
    return HeldOutRow(
        name=name,
        binary=found["binary"].total,
        fractional=found["fractional"].total if "fractional" in found else None,
        estimates=tuple(each for figures in found.values() for each in figures.estimates),
        unread=sum(each.unread for each in marks),
    )


def _differences(
    both: Sequence[tuple[MarkedSample, MarkedSample]], kind: ConfusionKind, **draws: Unpack[Draws]
) -> Iterator[Difference]:
    """Return p* minus p0; where one side has no value, also as the search counts it: 0."""
    first, best = ([_confusion(pair[side], kind) for pair in both] for side in (0, 1))
    clusters = [one.sample.cluster for one, _ in both]
    plain, as_zero = (
        confusion_differences(
            best, first, clusters, kind=kind, first_label=BEST, second_label=P0, undefined_as_zero=zero, **draws
        )
        for zero in (False, True)
    )
    for each, counted in zip(plain, as_zero, strict=True):
        yield each
        if each.estimate.value is None and both:
            yield counted


def _blind_row(name: str, said: bool, samples: Sequence[LabelledSample], **draws: Unpack[Draws]) -> HeldOutRow:
    truth = [(question.has_weakness, each.cluster) for each in samples for question in each.questions]
    said_so = constant_confusions([case for case, _ in truth], said=said)
    found = confusion_figures(said_so, [cluster for _, cluster in truth], kind="binary", **draws)
    return HeldOutRow(name=name, binary=found.total, estimates=found.estimates)


def _confusion(mark: MarkedSample, kind: ConfusionKind) -> Confusion:
    return mark.binary if kind == "binary" else mark.confusion


def _power_words(both: Sequence[tuple[MarkedSample, MarkedSample]]) -> str:
    """Say how many labelled samples would separate p* from p0 by the share of right verdicts."""
    if not both:
        return "nothing was answered with both prompts"
    differences = [_right(two) - _right(one) for one, two in both]
    mean, clusters = sum(differences) / len(differences), [one.sample.cluster for one, _ in both]
    size = required_study_size(differences, clusters, difference=mean)
    if size.samples is None:
        if len(set(clusters)) < 2:
            why = "all of them share one clip, so nothing is known of how others differ"
        elif mean:
            why = "the difference is the same in every clip, or next to nothing"
        else:
            why = "gains and losses cancel out" if any(differences) else "no verdict tells them apart"
        return f"no number of labels is known to separate p* from p0 by {len(both)} samples: {why}"
    more = max(0, size.samples - len(both))
    needs = f"{more:,} labelled samples more" if more else "as many as there are"
    return (
        f"p* is right {100 * mean:+.1f} points more often than p0 among {len(both)} samples; "
        f"to find a difference of that size in 4 of 5 studies takes {size.samples:,}: {needs}"
    )


def _right(mark: MarkedSample) -> float:
    return (mark.binary.tp + mark.binary.tn) / mark.binary.total if mark.binary.total else 0.0
