"""The judge's card: what is known about one judge with one prompt, as a file that says when it no longer holds."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

import cutscore
from cutscore.cells.cell import slug
from cutscore.cells.record_file import write_record
from cutscore.core.errors import BadInput, OldRecord
from cutscore.core.estimate import Estimate
from cutscore.core.frozen import FrozenModel, digest_of
from cutscore.core.judgement import QuestionKind
from cutscore.core.label import Label
from cutscore.core.matching import MatchWeaknesses
from cutscore.labels.files import LabelKey, label_key, labels_digest
from cutscore.results.judge_card.audits.run import AuditResult
from cutscore.results.judge_card.correction import UNCALIBRATED, HeldOutSamples, held_out_samples
from cutscore.results.judge_card.measures import flip_rate, measures
from cutscore.results.judge_card.pairing import LabelPairing, has_held_out, pair_with_labels
from cutscore.results.judge_card.people import group_labels, people_agreement
from cutscore.results.judge_card.resampling import DEFAULT_RESAMPLING, Resampling
from cutscore.results.judge_card.verdicts import JudgeVerdict

SCHEMA = "cutscore.judge-card/1"
ENDING = ".judge-card.json"
PROMPTS_SEPARATOR = "+"


class CardSection(FrozenModel):
    """One kind of question of one benchmark, or those of it that share a group (a pillar of a rubric).

    Args:
        group: Name and value of the group; empty for all.
        unread, undecided, unjudged, tuned: Questions that are not among them (see `LabelPairing`).
        base_rates: Share of each answer with people and with the judge.
        estimates: How far the judge agrees with people.
        people: How far people agree with each other.
    """

    benchmark: str
    kind: QuestionKind
    n: int
    unread: int
    undecided: int
    unjudged: int
    tuned: int
    base_rates: dict[str, tuple[float, float]]
    estimates: tuple[Estimate, ...]
    people: tuple[Estimate, ...]
    group: dict[str, str] = Field(default_factory=dict)


class CalibrationCard(FrozenModel):
    """What is known about one judge with one prompt.

    Args:
        model: The model that it asks, where that is known beside the name.
        prompt: Digest of its prompt files; empty when it has none. A judge that reads others for other questions of a
            deliverable has several, joined.
        held_out: Whether labels were kept from tuning; if not, a prompt tuned on them looks too good.
        parts: By benchmark and kind of question, then the same for each group that labels name.
        samples: Held-out labels with verdicts, from which scores are corrected.
        readings: How often held-out labels were read with this prompt by now, where a search found it; else 0. The more
            often, the less they are held out.
    """

    record: Literal["cutscore.judge-card/1"] = Field(default="cutscore.judge-card/1", alias="schema")
    judge: str
    model: str = ""
    prompt: str = ""
    labels: str
    date: date
    version: str
    held_out: bool
    parts: tuple[CardSection, ...]
    flips: Estimate
    audits: tuple[AuditResult, ...] = ()
    samples: tuple[HeldOutSamples, ...] = ()
    readings: int = Field(default=0, ge=0)


@dataclass(frozen=True)
class CardStatus:
    """Whether a card holds for a judge, and why (not)."""

    holds: bool
    reason: str


def make_card(
    labels: Sequence[Label],
    verdicts: Sequence[JudgeVerdict],
    pairings: Sequence[LabelPairing],
    audits: Sequence[AuditResult],
    *,
    day: date,
    match: MatchWeaknesses,
    model: str = "",
    draws: Resampling = DEFAULT_RESAMPLING,
) -> CalibrationCard:
    """Put a card together. `match` tells which of the judge's weaknesses people named."""
    judge, prompt = _single_judge(verdicts)
    return CalibrationCard(
        judge=judge,
        model=model,
        prompt=prompt,
        labels=labels_digest(labels),
        date=day,
        version=cutscore.__version__,
        held_out=has_held_out(labels),
        parts=(
            *(_make_section(each, labels, match, draws) for each in pairings),
            *_group_sections(labels, verdicts, match, draws),
        ),
        flips=flip_rate(verdicts, draws=draws),
        audits=tuple(audits),
        samples=held_out_samples(pairings),
    )


def check_card(card: CalibrationCard, *, judge: str, prompt: str, model: str = "") -> CardStatus:
    """Return whether a card is about this judge with this prompt; it expires when either changes.

    The model is compared only where the card knows it, too.
    """
    if card.judge != judge:
        return CardStatus(False, f"the card is about judge '{card.judge}', not '{judge}'")
    if card.model and model and card.model != model:
        return CardStatus(False, f"expired: the judge now asks model '{model}', the card was made with '{card.model}'")
    if not set(split_prompts(card.prompt)) <= set(split_prompts(prompt)):
        was, now = (digest[:12] or "none" for digest in (card.prompt, prompt))
        return CardStatus(False, f"expired: the prompt has changed ({was} → {now})")
    return CardStatus(
        True, f"calibrated on {card.date.isoformat()}" if card.samples else f"{UNCALIBRATED}: no held-out labels"
    )


def write_card(card: CalibrationCard, folder: Path) -> Path:
    """Write a card into a folder, under a name of its own for every judge and prompt, and give its path."""
    file = folder / f"{slug(card.judge)}-{digest_of([card.judge, card.model, card.prompt])[:8]}{ENDING}"
    folder.mkdir(parents=True, exist_ok=True)
    write_record(file, lambda draft: draft.write_text(card.model_dump_json(by_alias=True, indent=1) + "\n", "utf-8"))
    return file


def read_card(file: Path) -> CalibrationCard:
    """Read a card."""
    try:
        return CalibrationCard.model_validate_json(file.read_bytes())
    except OSError as error:
        raise BadInput(f"card '{file}'", f"cannot be read ({error.strerror})", "name a judge's card") from error
    except ValidationError as error:
        fact = f"is not a {SCHEMA} of this version"
        raise OldRecord(f"card '{file}'", fact, "make it again with 'cutscore judge-card'") from error


def find_card(folder: Path, *, judge: str, prompt: str, model: str = "") -> tuple[CalibrationCard | None, CardStatus]:
    """Look for the card of a judge in a folder: the newest that holds, or None and why there is none."""
    cards = [card for file in sorted(folder.glob(f"*{ENDING}")) if (card := read_card(file)).judge == judge]
    if not cards:
        return None, CardStatus(False, f"{UNCALIBRATED}: there is no card for judge '{judge}' in '{folder}'")
    checked = [(card, check_card(card, judge=judge, prompt=prompt, model=model)) for card in cards]
    valid = [(card, status) for card, status in checked if status.holds]
    if not valid:
        return None, CardStatus(False, f"{UNCALIBRATED}: {checked[-1][1].reason}")
    return max(valid, key=lambda each: each[0].date)


def _single_judge(verdicts: Sequence[JudgeVerdict]) -> tuple[str, str]:
    judges = sorted({each.judgement.judge for each in verdicts})
    if len(judges) != 1:
        raise BadInput("judge's card", f"{len(judges)} judges answered ({', '.join(judges[:3])})", "give those of one")
    read: dict[LabelKey, set[str]] = defaultdict(set)
    for each in verdicts:
        if each.judgement.answer is not None:
            read[each.about._replace(question="")].add(each.judgement.prompt)
    prompts = sorted(set[str]().union(*read.values()))
    # One judge has as many as it reads for one deliverable; with more of them it is another judge here and there.
    if len(prompts) > max(map(len, read.values()), default=1):
        short = ", ".join(digest[:12] or "none" for digest in prompts[:3])
        raise BadInput(f"judge '{judges[0]}'", f"answered with {len(prompts)} prompts ({short})", "give those of one")
    return judges[0], join_prompts(prompts)


def join_prompts(digests: Iterable[str]) -> str:
    """Return several digests as one text, in order, each once.

    >>> join_prompts(["b", "a", "b"]), split_prompts("a+b")
    ('a+b', ['a', 'b'])
    """
    return PROMPTS_SEPARATOR.join(sorted(set(digests)))


def split_prompts(joined: str) -> list[str]:
    """Return the digests that were joined."""
    return joined.split(PROMPTS_SEPARATOR)


def _group_sections(
    labels: Sequence[Label], verdicts: Sequence[JudgeVerdict], match: MatchWeaknesses, draws: Resampling
) -> Iterator[CardSection]:
    """Return the parts of each group in which people and judge both answered something."""
    for (name, value), mine in sorted(group_labels(labels).items()):
        known = {label_key(label) for label in mine}
        theirs = [each for each in verdicts if known & {each.about, each.about._replace(question="")}]
        # Where any labels are held out, a group says something only with some of them.
        comparable = has_held_out(mine) or not has_held_out(labels)
        for pairing in pair_with_labels(mine, theirs) if theirs and comparable else ():
            yield _make_section(pairing, mine, match, draws).model_copy(update={"group": {name: value}})


def _make_section(
    pairing: LabelPairing, labels: Sequence[Label], match: MatchWeaknesses, draws: Resampling
) -> CardSection:
    estimates, rates = measures(pairing.kind, pairing.pairs, unread=pairing.unread, match=match, draws=draws)
    mine = [each for each in labels if (each.benchmark, each.kind) == (pairing.benchmark, pairing.kind)]
    return CardSection(
        benchmark=pairing.benchmark,
        kind=pairing.kind,
        n=len(pairing.pairs),
        unread=pairing.unread,
        undecided=pairing.undecided,
        unjudged=pairing.unjudged,
        tuned=pairing.tuned,
        base_rates=rates,
        estimates=estimates,
        people=people_agreement(pairing.kind, mine, draws=draws),
    )
