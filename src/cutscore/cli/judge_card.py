"""`cutscore judge-card`: how far a judge agrees with people, what moves it, and scores without its errors."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cutscore.cli.columns import columns
from cutscore.cli.command import PATH, subcommand
from cutscore.cli.output import Answer
from cutscore.cli.table import figures
from cutscore.core.errors import BadInput
from cutscore.report.wording import count

if TYPE_CHECKING:
    from cutscore.core.estimate import Estimate
    from cutscore.scoring.audits.card import CalibrationCard, Part
    from cutscore.scoring.audits.corrected import SubjectScore

EXAMPLES = """
  cutscore judge-card labels.jsonl --answers judge.jsonl          a judge that was asked elsewhere
  cutscore judge-card labels.jsonl --answers judge.jsonl -o cards  keep the card
"""


@subcommand("judge-card", examples=EXAMPLES)
@click.argument("labels", nargs=-1, required=True, type=PATH)
@click.option("--answers", multiple=True, type=PATH, metavar="FILE", help="What the judge said, as JSON lines.")
@click.option("-o", "--out", type=PATH, metavar="DIR", help="Write the card into this folder.")
def command(*, labels: tuple[Path, ...], answers: tuple[Path, ...], out: Path | None) -> Answer:
    """A judge's error, from labels.

    LABELS are files of what people said, one JSON object a line. Where labels are split, only those of 'test' count.
    """
    from cutscore.labels.files import merge
    from cutscore.scoring.audits.card import make_card, write_card
    from cutscore.scoring.audits.catalogue import Setting
    from cutscore.scoring.audits.corrected import corrected_scores
    from cutscore.scoring.audits.pairing import paired
    from cutscore.scoring.audits.run import run_audits
    from cutscore.scoring.audits.verdicts import read_verdicts

    said = merge(labels)
    if not answers:
        raise BadInput("cutscore judge-card", "does not know what the judge said", "name a file with --answers")
    verdicts = [verdict for file in answers for verdict in read_verdicts(file)]
    pairings = paired(said.labels, verdicts)
    setting = Setting(verdicts[0].judgement.judge, [pair for each in pairings for pair in each.pairs])
    audits = run_audits(None, (), verdicts, setting)
    card = make_card(said.labels, verdicts, pairings, audits, day=datetime.now(UTC).date())
    scores = corrected_scores(card.samples, verdicts)
    file = write_card(card, out) if out else None
    plain = {
        **card.model_dump(mode="json", by_alias=True),
        "scores": [_score(each) for each in scores],
        "file": str(file) if file else None,
    }
    return Answer(plain, card_text(card, scores, file), said.repeats)


def card_text(card: CalibrationCard, scores: tuple[SubjectScore, ...], file: Path | None) -> str:
    """Write a card for a person."""
    prompt = f"prompt {card.prompt[:12]}" if card.prompt else "no prompt"
    head = f"judge {card.judge}   {prompt}   labels {card.labels[:12]}   {card.date.isoformat()}"
    blocks = [(f"{part.benchmark} {part.kind}", _part(part)) for part in card.parts]
    blocks += [("votes", [_line(card.flips)])]
    blocks += [(f"{each.subject or each.benchmark} {each.kind}", _raw_and_corrected(each)) for each in scores]
    blocks += [(audit.name, [_line(each) for each in audit.estimates]) for audit in card.audits]
    # What a block is about stands on its first line alone.
    lines = [("" if place else name, *line) for name, block in blocks for place, line in enumerate(block)]
    return "\n".join([head, columns(lines, right=(2,)), *_left_out(card), *_sentences(card), *_ends(card, file)])


def _part(part: Part) -> list[tuple[str, ...]]:
    shares = [f"{answer} {people:.3f} / {judge:.3f}" for answer, (people, judge) in part.base_rates.items()]
    base = f"people / judge say {', '.join(shares[:4])}{' …' if len(shares) > 4 else ''}"
    made = []
    for each in (*part.estimates, *part.people):
        name, *rest, why = _line(each)
        made.append((name, *rest, why or (base if name == "kappa" else "")))
    return made


def _raw_and_corrected(score: SubjectScore) -> list[tuple[str, ...]]:
    name, *raw = _line(score.score.raw)
    if score.score.corrected is None:
        return [(f"{name}, raw", *raw), (f"{name}, corrected", "–", "", "", score.score.because)]
    return [(f"{name}, raw", *raw), _line(score.score.corrected)]


def _line(estimate: Estimate) -> tuple[str, ...]:
    """Give name, value, interval and counts, and where something is undefined, why."""
    why = estimate.method.removeprefix("undefined: ") if estimate.method.startswith("undefined") else ""
    return (estimate.name, *figures(estimate), why)


def _left_out(card: CalibrationCard) -> list[str]:
    made = []
    for part in card.parts:
        counts = {
            "without a readable answer": part.unread,
            "on which people do not agree": part.undecided,
            "not judged": part.unjudged,
            "kept for tuning": part.tuned,
        }
        told = "; ".join(f"{count(n, 'question')} {what}" for what, n in counts.items() if n)
        made += [f"left out of {part.benchmark} {part.kind}: {told}"] if told else []
    return made


def _sentences(card: CalibrationCard) -> list[str]:
    """Say what audits found, and which were not run for which reason."""
    measured = [f"{audit.name}: {audit.because}" for audit in card.audits if audit.measured]
    reasons: dict[str, list[str]] = {}
    for audit in card.audits:
        if not audit.measured:
            reasons.setdefault(audit.because, []).append(audit.name)
    return measured + [f"not run: {', '.join(names)}: {because}" for because, names in reasons.items()]


def _ends(card: CalibrationCard, file: Path | None) -> list[str]:
    tuned = "labels have no split 'test': a prompt that was tuned on them looks too good here"
    return [*([] if card.held_out else [tuned]), f"card: {file}" if file else "next: add -o DIR to keep the card"]


def _score(score: SubjectScore) -> dict[str, Any]:
    return {
        "benchmark": score.benchmark,
        "kind": score.kind,
        "subject": score.subject,
        "raw": score.score.raw.as_json(),
        "corrected": score.score.corrected.as_json() if score.score.corrected else None,
        "because": score.score.because,
    }
