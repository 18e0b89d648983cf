"""Whether the judges of a run are calibrated, and what its scores are without their errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cutscore.core.judgement import Judgement, QuestionKind
    from cutscore.core.row import Row
    from cutscore.results.benchmark import BenchmarkResult
    from cutscore.results.judge_card.card import CalibrationCard
    from cutscore.results.judge_card.correction import SubjectScore
    from cutscore.results.judge_card.verdicts import JudgeVerdict

# Cards of a run's judges, beside its logs: `cutscore judge-card LABELS --run RUN -o RUN/judge-cards`.
FOLDER = "judge-cards"
# Who is no opinion: two know the answer, one never looks, and people are what judges are measured by.
_EXACT = ("truth", "stage", "constant", "people")


@dataclass(frozen=True)
class JudgeCalibration:
    """What is known of the error of a judge that gave opinions in a run, and why.

    Calibrated is one for which a card with held-out labels holds; scores are of each subject, raw and corrected.
    """

    judge: str
    calibrated: bool
    because: str
    scores: tuple[SubjectScore, ...]
    card: CalibrationCard | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the judge as `run` prints it."""
        scores = [each.as_json() for each in self.scores]
        return {"judge": self.judge, "calibrated": self.calibrated, "because": self.because, "scores": scores}


def calibrate_judges(result: BenchmarkResult) -> tuple[JudgeCalibration, ...]:
    """Look up the card of every judge that gave opinions on a benchmark, in the run folder."""
    from cutscore.results.judge_card.card import join_prompts

    asked: dict[tuple[str, str, str], list[Row]] = {}
    for each in result.cells:
        cell = each.record.cell
        if not cell.judge or cell.judge.partition(":")[0] in _EXACT:
            continue
        answered = [row for row in result.named_rows(each) if any(map(_is_answer, row.judgements))]
        if answered:
            prompt = join_prompts(said.prompt for row in answered for said in row.judgements if _is_answer(said))
            asked.setdefault((cell.judge, prompt, str(cell.judging.get("model", ""))), []).extend(answered)
    folder = result.cells[0].record.run / FOLDER
    return tuple(_calibration(*judge, rows, folder) for judge, rows in asked.items())


def _is_answer(said: Judgement) -> bool:
    """Return whether it is an answer of the judge itself, and not of somebody in another role."""
    return said.answer is not None and not said.role


def _calibration(judge: str, prompt: str, model: str, rows: Sequence[Row], folder: Path) -> JudgeCalibration:
    from cutscore.results.judge_card.card import find_card
    from cutscore.results.judge_card.correction import correct_scores

    card, standing = find_card(folder, judge=judge, prompt=prompt, model=model)
    if card is None:
        return JudgeCalibration(judge, calibrated=False, because=standing.reason, scores=())
    scores = correct_scores(card.samples, _verdicts(rows, card))
    return JudgeCalibration(judge, calibrated=bool(card.samples), because=standing.reason, scores=scores, card=card)


def uncalibrated_judges(calibrations: Sequence[JudgeCalibration]) -> tuple[str, ...]:
    """Warn of judges whose error nobody has measured."""
    return tuple(f"judge '{each.judge}' is {each.because}" for each in calibrations if not each.calibrated)


def _verdicts(rows: Sequence[Row], card: CalibrationCard) -> list[JudgeVerdict]:
    """Return what was said to the questions that the card knows; the log does not tell their kinds."""
    from cutscore.results.judge_card.verdicts import JudgeVerdict, find_kind

    kinds: dict[tuple[str, str], set[QuestionKind]] = {}
    for held in card.samples:
        for sample in held.samples:
            kinds.setdefault((held.benchmark, sample.question), set()).add(held.kind)
    return [
        JudgeVerdict(
            benchmark=row.benchmark,
            item=row.item,
            subject=row.subject,
            epoch=row.epoch,
            kind=kind,
            cluster=row.cluster,
            model=row.model,
            judgement=said,
        )
        for row in rows
        for said in row.judgements
        if _is_answer(said) and (kind := find_kind(kinds.get((row.benchmark, said.question), ()), said.answer))
    ]
