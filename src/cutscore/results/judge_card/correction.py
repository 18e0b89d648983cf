"""A judge's scores beside what they would be without its errors, wherever held-out labels say how large those are."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field, JsonValue

from cutscore.core.estimate import Estimate
from cutscore.core.frozen import Finite, FrozenModel
from cutscore.core.judgement import QuestionKind
from cutscore.labels.files import HIGHEST, LOWEST, LabelKey
from cutscore.results.judge_card.pairing import LabelPairing
from cutscore.results.judge_card.resampling import DEFAULT_RESAMPLING, Resampling
from cutscore.results.judge_card.verdicts import JudgeVerdict, is_same_answer
from cutscore.stats.correction import Calibration, corrected_rate
from cutscore.stats.prediction import ppi_mean

UNCALIBRATED = "uncalibrated"


class HeldOutSample(FrozenModel):
    """One held-out sample: what people said and what the judge said, as numbers (1 is yes, or what is `expected`)."""

    item: str
    subject: str = ""
    epoch: int = Field(default=1, ge=1)
    question: str = ""
    cluster: str
    truth: Finite
    judged: Finite
    expected: JsonValue = None


class HeldOutSamples(FrozenModel):
    """Held-out samples of one kind of question of one benchmark."""

    benchmark: str
    kind: QuestionKind
    samples: tuple[HeldOutSample, ...]

    @property
    def expected(self) -> dict[tuple[str, str], JsonValue]:
        """The right answers by item and question; nothing where there are none."""
        return {(each.item, each.question): each.expected for each in self.samples if each.expected is not None}


@dataclass(frozen=True)
class CorrectedScore:
    """A score as the judge gives it, and corrected; that is None without labels that allow it, or may be undefined.

    Transported is a correction by labels on others alone: it takes the judge to err on this subject as it does on them.
    """

    raw: Estimate
    corrected: Estimate | None
    reason: str
    transported: bool = False


@dataclass(frozen=True)
class SubjectScore:
    """The score of one subject, as a judge gives it and corrected."""

    benchmark: str
    kind: QuestionKind
    subject: str
    score: CorrectedScore

    def as_json(self) -> dict[str, Any]:
        """Return the score of the JSON contract."""
        return {
            "benchmark": self.benchmark,
            "kind": self.kind,
            "subject": self.subject,
            "raw": self.score.raw.as_json(),
            "corrected": self.score.corrected.as_json() if self.score.corrected else None,
            "transported": self.score.transported,
            "because": self.score.reason,
        }


def held_out_samples(pairings: Sequence[LabelPairing]) -> tuple[HeldOutSamples, ...]:
    """Keep what a correction needs: pairs of the split `test`, of questions whose answers are numbers.

    Where some questions have a right answer, those without are left out: a share of yes is no share of right answers.
    """
    made = []
    for pairing in pairings:
        has_right = any(pair.people.expected is not None for pair in pairing.pairs)
        samples = tuple(
            HeldOutSample(
                item=pair.verdict.item,
                subject=pair.verdict.subject,
                epoch=pair.verdict.epoch,
                question=pair.verdict.judgement.question,
                cluster=pair.verdict.unit,
                truth=truth,
                judged=judged,
                expected=right,
            )
            for pair in pairing.pairs
            if pair.people.split == "test"
            and ((right := pair.people.expected) is not None or not has_right)
            and (truth := answer_number(pairing.kind, pair.people.answer, right)) is not None
            and (judged := answer_number(pairing.kind, pair.verdict.judgement.answer, right)) is not None
        )
        if samples:
            made.append(HeldOutSamples(benchmark=pairing.benchmark, kind=pairing.kind, samples=samples))
    return tuple(made)


def answer_number(kind: QuestionKind, answer: JsonValue, expected: JsonValue = None) -> float | None:
    """Return an answer as a number to be averaged: 1 for what is right, or for yes, or points; None without a mean.

    >>> answer_number("yes_no", "yes"), answer_number("scale", 7), answer_number("choice", "red")
    (1.0, 7.0, None)
    >>> answer_number("yes_no", "no", "no"), answer_number("choice", "red", "blue")
    (1.0, 0.0)
    """
    if expected is not None:
        return None if answer is None else float(is_same_answer(kind, answer, expected))
    if kind in ("yes_no", "weaknesses") and answer in ("yes", "no"):
        return float(answer == "yes")
    return float(answer) if kind == "scale" and isinstance(answer, int | float) else None


def correct_score(
    known: HeldOutSamples | None,
    judged: Mapping[LabelKey, float],
    cluster_of: Mapping[LabelKey, str],
    *,
    kind: QuestionKind,
    name: str = "judged",
    transported: bool = False,
    draws: Resampling = DEFAULT_RESAMPLING,
) -> CorrectedScore:
    """Return the mean of a judge's verdicts, raw and corrected by held-out labels.

    Yes-or-no verdicts are corrected by Rogan and Gladen: sensitivity and specificity may come from labels on any
    subject, and are `transported` where none of them is about this one. Points of a scale are corrected
    by PPI++, which needs labels on a random slice of these very samples. Without a card that holds there are
    no held-out samples; verdicts are numbers (`answer_number`) of one subject.
    """
    keys = list(judged)
    values, units = [judged[key] for key in keys], [cluster_of[key] for key in keys]
    scale = (float(LOWEST), float(HIGHEST)) if kind == "scale" else (0.0, 1.0)
    raw = draws.mean(values, units, name=name, scale=scale)
    if known is None or not known.samples:
        return CorrectedScore(raw, None, f"{UNCALIBRATED}: there are no held-out labels for this judge")
    what = f"{name}, corrected"
    if kind != "scale":
        found = corrected_rate(values, units, _calibration(known.samples), name=what, **draws.options)
        how = f"Rogan–Gladen on {len(known.samples)} held-out labels"
        how += " of others, transported: none is about this subject" if transported else ""
        how += f"; {found.rate.method}" if found.rate.value is None else ""
        return CorrectedScore(raw, found.rate, how, transported=transported)
    here = [each for each in known.samples if _key(known.benchmark, each) in judged]
    if not here:
        return CorrectedScore(raw, None, f"{UNCALIBRATED}: no held-out label is about these samples")
    labelled = {_key(known.benchmark, each) for each in here}
    rest = [key for key in keys if key not in labelled]
    powered = ppi_mean(
        _calibration(here), [judged[key] for key in rest], [cluster_of[key] for key in rest], name=what, scale=scale
    )
    return CorrectedScore(raw, powered.mean, f"PPI++ on {len(here)} held-out labels of these samples")


def correct_scores(
    samples: Sequence[HeldOutSamples], verdicts: Iterable[JudgeVerdict], *, draws: Resampling = DEFAULT_RESAMPLING
) -> tuple[SubjectScore, ...]:
    """Return the mean of a judge's verdicts on each subject, raw and corrected, by benchmark and kind of question.

    Answers that are no numbers and those that could not be read are left out; where the share of right answers is
    known, so are questions whose right answer no label tells.
    """
    known = {(each.benchmark, each.kind): each for each in samples}
    expected = {key: each.expected for key, each in known.items()}
    groups: dict[tuple[str, QuestionKind, str], list[tuple[JudgeVerdict, float]]] = defaultdict(list)
    for verdict in verdicts:
        right = expected.get((verdict.benchmark, verdict.kind), {})
        wanted = right.get((verdict.item, verdict.judgement.question))
        if right and wanted is None:
            continue
        if (value := answer_number(verdict.kind, verdict.judgement.answer, wanted)) is not None:
            groups[verdict.benchmark, verdict.kind, verdict.subject].append((verdict, value))
    made = []
    for benchmark, kind, subject in sorted(groups):
        rows = groups[benchmark, kind, subject]
        judged = {verdict.about: value for verdict, value in rows}
        units = {verdict.about: verdict.unit for verdict, _ in rows}
        name = "right" if expected.get((benchmark, kind)) else "judged"
        held = known.get((benchmark, kind))
        # Labels may know a subject by its model's name, or say of no subject whose work they are about.
        names = {"", subject, *(verdict.model for verdict, _ in rows)}
        elsewhere = held is not None and not any(each.subject in names for each in held.samples)
        found = correct_score(held, judged, units, kind=kind, name=name, transported=elsewhere, draws=draws)
        made.append(SubjectScore(benchmark, kind, subject, found))
    return tuple(made)


def _key(benchmark: str, sample: HeldOutSample) -> LabelKey:
    return LabelKey(benchmark, sample.item, sample.subject, sample.epoch, sample.question)


def _calibration(samples: Sequence[HeldOutSample]) -> Calibration:
    return Calibration(
        truth=[each.truth for each in samples],
        judged=[each.judged for each in samples],
        clusters=[each.cluster for each in samples],
    )
