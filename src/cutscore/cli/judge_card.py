"""`cutscore judge-card`: how far a judge agrees with people, what moves it, and scores without its errors."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cutscore.api.judging import open_run_judge
from cutscore.cli.command import PATH, pairs, subcommand
from cutscore.cli.output import CommandOutput
from cutscore.cli.text_tables import align_columns, named_estimate_words
from cutscore.core.errors import BadInput
from cutscore.core.judgement import JudgeSpec
from cutscore.core.tally import Tally
from cutscore.results.wording import count, usd

if TYPE_CHECKING:
    from cutscore.api.judging import RunJudge
    from cutscore.core.label import Label
    from cutscore.core.matching import MatchWeaknesses
    from cutscore.results.judge_card.card import CalibrationCard, CardSection
    from cutscore.results.judge_card.correction import SubjectScore
    from cutscore.results.judge_card.verdicts import JudgeCase, JudgeVerdict

EXAMPLES = """
  cutscore judge-card labels.jsonl --run logs -o cards             what was said in a run
  cutscore judge-card labels.jsonl --run logs --judge openai/NAME  ask now, and audit it
  cutscore judge-card labels.jsonl --answers judge.jsonl           a judge that was asked elsewhere
"""


@subcommand("judge-card", examples=EXAMPLES)
@click.argument("labels", nargs=-1, required=True, type=PATH)
@click.option("--run", "runs", multiple=True, type=PATH, metavar="RUN", help="A run whose deliverables have labels.")
@click.option("--judge", default="", metavar="J", help="Ask this judge now; see 'cutscore list'.")
@click.option("--votes", type=click.IntRange(min=1), default=None, metavar="K", help="Times a judge is asked; odd.")
@click.option("--prompt", "prompts", multiple=True, metavar="NAME=FILE", help="A prompt of the judge's, replaced.")
@click.option("--audit", "audits", multiple=True, metavar="NAME", help="Only these audits; all of them by default.")
@click.option("--most", type=click.IntRange(min=1), default=50, metavar="N", help="Deliverables to audit it with.")
@click.option("--data", type=PATH, metavar="DIR", help="Items of your own.")
@click.option(
    "--matcher",
    default="characters",
    show_default=True,
    metavar="M",
    help="Which weaknesses are the same: characters, embedding, code, or a model.",
)
@click.option("--cost-limit", type=float, metavar="USD", help="Stop asking when this is spent.")
@click.option("--answers", multiple=True, type=PATH, metavar="FILE", help="What the judge said, as JSON lines.")
@click.option("-o", "--out", type=PATH, metavar="DIR", help="Write the card into this folder.")
def command(
    *,
    labels: tuple[Path, ...],
    runs: tuple[Path, ...],
    judge: str,
    votes: int | None,
    prompts: tuple[str, ...],
    audits: tuple[str, ...],
    most: int,
    data: Path | None,
    matcher: str,
    cost_limit: float | None,
    answers: tuple[Path, ...],
    out: Path | None,
) -> CommandOutput:
    """A judge's error, from labels.

    LABELS are files of what people said, one JSON object a line. Where labels are split, only those of 'test' count.
    What the judge said comes from a run, from a file, or from asking it now about the deliverables of a run; only then
    can it be audited.
    """
    from cutscore.bridge.rows import read_cells
    from cutscore.labels.files import merge_labels
    from cutscore.results.judge_card.audits.catalogue import NAMES
    from cutscore.results.judge_card.card import write_card
    from cutscore.results.judge_card.correction import correct_scores
    from cutscore.scoring.matching.matchers import open_matching

    if bool(runs) == bool(answers) or (judge and not runs):
        fact = "needs either runs or a file of answers" if not judge else f"cannot show judge '{judge}' anything"
        raise BadInput("cutscore judge-card", fact, "name deliverables with --run, or answers with --answers")
    said, wanted = merge_labels(labels), audits or NAMES
    files = {name: Path(file) for name, file in pairs("--prompt", prompts, "NAME=FILE").items()}
    with open_matching(matcher, cost_limit_usd=cost_limit) as match:
        if judge:
            with open_run_judge(JudgeSpec(judge, votes or 0, files), data=data, cost_limit_usd=cost_limit) as seat:
                heard = seat.hear([record for run in runs for record in read_cells(run)], said.labels)
                verdicts, tally = heard.verdicts, seat.tally
                card = _make_card(said.labels, verdicts, wanted, match, cases=heard.cases, seat=seat, most=most)
        else:
            verdicts, tally = _read_verdicts(runs, answers, said.labels), Tally()
            card = _make_card(said.labels, verdicts, wanted, match)
    if judge and files:
        from cutscore.optimize.record import count_card_reading

        times = count_card_reading(files.values(), judge=judge, labels=card.labels)
        card = card.model_copy(update={"readings": times})
    scores = correct_scores(card.samples, verdicts)
    file = write_card(card, out) if out else None
    paid = f"\n{count(tally.calls, 'call')} of the judge, {usd(tally.cost_usd)}" if tally.calls else ""
    plain = card.model_dump(mode="json", by_alias=True) | {"scores": [each.as_json() for each in scores]}
    plain |= {"calls": tally.calls, "cost_usd": tally.cost_usd, "file": str(file) if file else None}
    return CommandOutput(plain, card_text(card, scores, file) + paid, said.repeats)


def _read_verdicts(runs: Sequence[Path], answers: Sequence[Path], labels: Sequence[Label]) -> list[JudgeVerdict]:
    from cutscore.bridge.rows import read_cells
    from cutscore.results.judge_card.gather import LabelIndex, recorded_verdicts
    from cutscore.results.judge_card.verdicts import read_verdicts

    known = LabelIndex.of(labels)
    made = [verdict for run in runs for record in read_cells(run) for verdict in recorded_verdicts(record, known)]
    if runs and not made:
        raise BadInput(f"run '{runs[0]}'", "no judge answered the labelled questions there", "name one with --judge")
    return made + [verdict for file in answers for verdict in read_verdicts(file)]


def _make_card(
    labels: Sequence[Label],
    verdicts: Sequence[JudgeVerdict],
    wanted: Sequence[str],
    match: MatchWeaknesses,
    *,
    cases: Sequence[JudgeCase] = (),
    seat: RunJudge | None = None,
    most: int = 0,
) -> CalibrationCard:
    from cutscore.results.judge_card.audits.catalogue import AuditContext
    from cutscore.results.judge_card.audits.run import run_audits
    from cutscore.results.judge_card.card import make_card
    from cutscore.results.judge_card.pairing import pair_with_labels

    pairings = pair_with_labels(labels, verdicts)
    pairs_of_all = [pair for each in pairings for pair in each.pairs]
    choices = {about: each.choices for case in cases for about, each in case.keyed_questions()}
    setting = AuditContext(verdicts[0].judgement.judge, pairs_of_all, choices)
    audits = run_audits(seat.judge_of if seat else None, cases, verdicts, setting, wanted=wanted, most=most)
    model = seat.model if seat else ""
    return make_card(labels, verdicts, pairings, audits, day=datetime.now(UTC).date(), match=match, model=model)


def card_text(card: CalibrationCard, scores: tuple[SubjectScore, ...], file: Path | None) -> str:
    """Write a card for a person."""
    prompt = f"prompt {card.prompt[:12]}" if card.prompt else "no prompt"
    head = f"judge {card.judge}   {prompt}   labels {card.labels[:12]}   {card.date.isoformat()}"
    blocks = [(_named(part), _part(part)) for part in card.parts]
    blocks += [("votes", [named_estimate_words(card.flips)])]
    blocks += [(f"{each.subject or each.benchmark} {each.kind}", _raw_and_corrected(each)) for each in scores]
    blocks += [(audit.name, [named_estimate_words(each) for each in audit.estimates]) for audit in card.audits]
    # What a block is about stands on its first line alone.
    lines = [("" if place else name, *line) for name, block in blocks for place, line in enumerate(block)]
    return "\n".join([head, align_columns(lines, right=(2,)), *_left_out(card), *_sentences(card), *_ends(card, file)])


def _named(part: CardSection) -> str:
    return " ".join([part.benchmark, part.kind, *(f"{name}={value}" for name, value in part.group.items())])


def _part(part: CardSection) -> list[tuple[str, ...]]:
    shares = [f"{answer} {people:.3f} / {judge:.3f}" for answer, (people, judge) in part.base_rates.items()]
    base = f"people / judge say {', '.join(shares[:4])}{' …' if len(shares) > 4 else ''}"
    made = []
    for each in (*part.estimates, *part.people):
        name, *rest, why = named_estimate_words(each)
        made.append((name, *rest, why or (base if name == "kappa" else "")))
    return made


def _raw_and_corrected(score: SubjectScore) -> list[tuple[str, ...]]:
    name, *raw = named_estimate_words(score.score.raw)
    if score.score.corrected is None:
        return [(f"{name}, raw", *raw), (f"{name}, corrected", "–", "", "", score.score.reason)]
    what, *figures, why = named_estimate_words(score.score.corrected)
    mark = "transported: no held-out label is about it" if score.score.transported else ""
    return [(f"{name}, raw", *raw), (what, *figures, "; ".join(filter(None, (why, mark))))]


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
        made += [f"left out of {_named(part)}: {told}"] if told else []
    return made


def _sentences(card: CalibrationCard) -> list[str]:
    """Describe what audits found, and which were not run for which reason."""
    measured = [f"{audit.name}: {audit.because}" for audit in card.audits if audit.measured]
    reasons: dict[str, list[str]] = {}
    for audit in card.audits:
        if not audit.measured:
            reasons.setdefault(audit.because, []).append(audit.name)
    return measured + [f"not run: {', '.join(names)}: {because}" for because, names in reasons.items()]


def _ends(card: CalibrationCard, file: Path | None) -> list[str]:
    tuned = "labels have no split 'test': a prompt that was tuned on them looks too good here"
    often = f"the test split was read {card.readings} times with this prompt"
    told = [*([] if card.held_out else [tuned]), *([often] if card.readings > 1 else [])]
    return [*told, f"card: {file}" if file else "next: add -o DIR to keep the card"]
