"""An item → its page: what was asked, then everybody's answer with its findings, each a link to its second."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from cutscore.core.ask import Ask
from cutscore.core.files import FileStore
from cutscore.core.finding import REPORTED, Finding, score_key
from cutscore.core.inert_text import cut
from cutscore.core.judgement import FLAGS, Judgement
from cutscore.core.manifest import FrameManifest
from cutscore.core.row import Row
from cutscore.core.timeline import Span, timecode
from cutscore.core.usage import Usage
from cutscore.report.embed import Media
from cutscore.report.films import Films
from cutscore.report.gather import Bench, Entry
from cutscore.report.journey import Journey, Price, journey, unpriced
from cutscore.report.notices import Told
from cutscore.report.place import Clip, Seek, seek, spoken_of
from cutscore.report.review import GIVEN, Placed, Review, evidence_named, frames_seen
from cutscore.results.report_data import Who
from cutscore.results.wording import digits_for, number, tone, usd

# The page is for reading; the whole of a longer text is in the log.
MOST_CHARS = 100_000
MOST_FRAMES = 64
MOST_FACT_CHARS = 400
MOST_TOLD = 6  # findings in the words of one mark
MEASURED = "measured"  # the tone of what is neither good nor bad
ShelfOf = Callable[[Row], FileStore]
PriceOf = Callable[[Row], Price]


@dataclass(frozen=True)
class Found:
    """A finding, ready to be read."""

    id: str
    name: str
    value: str
    tone: str
    because: str
    file: str
    at: Span | None
    seek: Seek | None


@dataclass(frozen=True)
class Asked:
    """What a subject saw."""

    ask: Ask
    brief: Told
    clips: tuple[Clip, ...]
    by: str


@dataclass(frozen=True)
class Looked:
    """The frames of one clip that went into a model call."""

    clip: str
    how: str
    frames: tuple[Seek, ...]
    left: int


@dataclass(frozen=True)
class Opinion:
    """What a judge said to one question: its answer, its votes with their reasons, and the second it points to."""

    question: str
    answer: str
    judge: str
    because: str
    votes: tuple[tuple[str, str], ...]
    flags: tuple[str, ...]
    seek: Seek | None


@dataclass(frozen=True)
class Turn:
    """One row: answer, ending, findings."""

    id: str
    who: Who
    epoch: int
    row: Row
    score: str
    tone: str
    answer: Told
    clips: tuple[Clip, ...]
    findings: tuple[Found, ...]
    opinions: tuple[Opinion, ...]
    looked: tuple[Looked, ...]
    meta: tuple[tuple[str, str], ...]
    journey: Journey | None = None


@dataclass(frozen=True)
class ItemPage:
    """One item."""

    entry: Entry
    cluster: str
    groups: dict[str, str]
    asked: tuple[Asked, ...]
    turns: tuple[Turn, ...]
    epochs: bool
    review: Review | None = None

    @property
    def picture(self) -> str:
        """The strip of pictures that stands for the item in a list: that of its first film; empty without one."""
        return self.review.screens[0].film.strip if self.review else ""


def nobody_knows(_row: Row) -> Price:
    """Know no prices."""
    return unpriced


def item_page(
    bench: Bench, entry: Entry, *, media: Media, shelf_of: ShelfOf, price: PriceOf = nobody_knows
) -> ItemPage:
    """Lay out one item: what was asked, then everybody's answer with its findings."""
    films = Films(media)
    asked = _asked(bench, entry, films, shelf_of)
    for row in entry.rows:
        films.clips("reference", row.ending.references, shelf_of(row), whose="reference")
    turns = tuple(
        _turn(bench, row, f"r{index}", given=_clips_seen(asked, row), films=films, store=shelf_of(row), price=price)
        for index, row in enumerate(entry.rows, start=1)
    )
    first = entry.rows[0]
    return ItemPage(
        entry=entry,
        cluster=first.cluster,
        groups=dict(sorted(first.groups.items())),
        asked=asked,
        turns=turns,
        epochs=any(row.epoch > 1 for row in entry.rows),
        review=films.review([lane for turn in turns for lane in _lanes(turn)]),
    )


def _lanes(turn: Turn) -> list[tuple[str, Sequence[Placed]]]:
    """Return what is known of seconds: findings by the file that they speak of, then the judge, then frames seen.

    Findings about the same stretch are one mark, which leads to the first of them, names all, and has the colour of
    the worst grade. What the subject itself reported stands by itself, so that it can be held against the truth.
    """
    whose = turn.who.label
    found: dict[str, dict[Span, list[Found]]] = {}
    for each in turn.findings:
        if each.at is not None:
            about = f"{whose}: {each.file}" if each.file else whose
            lane = f"{whose} reported" if each.name == REPORTED else about
            found.setdefault(lane, {}).setdefault(each.at, []).append(each)
    return [
        *((lane, [_placed(at, told) for at, told in spans.items()]) for lane, spans in found.items()),
        (f"judge of {whose}", evidence_named(turn.row)),
        (f"frames that {whose} saw", frames_seen(turn.row)),
    ]


def _placed(at: Span, told: Sequence[Found]) -> Placed:
    said = "\n".join(f"{each.name} {each.value}: {each.because}" for each in told[:MOST_TOLD])
    worst = min((each.tone for each in told if each.tone != MEASURED), default=MEASURED)
    return Placed(at, said, tone=worst, href=f"#{told[0].id}")


def _asked(bench: Bench, entry: Entry, films: Films, shelf_of: ShelfOf) -> tuple[Asked, ...]:
    """Return each different ask once, with who got it; mostly all got the same one."""
    asks: dict[str, list[Row]] = {}
    for row in entry.rows:
        if row.ask is not None:
            asks.setdefault(row.ask.digest(), []).append(row)
    label = {who.cell: who.label for who in bench.whos}
    given = []
    for number_, rows in enumerate(asks.values(), start=1):
        ask = rows[0].ask
        assert ask is not None
        by = ", ".join(dict.fromkeys(label[row.cell] for row in rows)) if len(asks) > 1 else ""
        clips = films.clips(f"ask{number_}", ask.files, shelf_of(rows[0]), whose=GIVEN)
        given.append(Asked(ask, _told(ask.brief), clips, by))
    return tuple(given)


def _clips_seen(asked: tuple[Asked, ...], row: Row) -> tuple[Clip, ...]:
    return next((each.clips for each in asked if each.ask == row.ask), ())


def _turn(
    bench: Bench, row: Row, base: str, *, given: tuple[Clip, ...], films: Films, store: FileStore, price: PriceOf
) -> Turn:
    delivered = {ref.sha256 for ref in row.deliverable.files}
    extra = tuple(ref for ref in row.evidence.files if ref.sha256 not in delivered)
    who = next(who for who in bench.whos if who.cell == row.cell)
    clips = films.clips(base, row.deliverable.files + extra, store, whose=who.label)
    # A name speaks of the delivered file first; the asked one of the same name is what it was made from.
    reach = (*clips, *given)
    score = bench.score(row)
    return Turn(
        id=base,
        who=who,
        epoch=row.epoch,
        row=row,
        score=row.ending.status if score is None else number(score, digits_for(bench.scale)),
        tone=row.ending.status if score is None else tone(score, bench.scale),
        answer=_told(row.deliverable.text),
        clips=clips,
        findings=tuple(
            _found(bench, f"{base}-f{place}", found, reach) for place, found in enumerate(row.ending.findings, start=1)
        ),
        opinions=tuple(_opinion(said, reach) for said in row.judgements),
        looked=(
            *(_looked(manifest, given) for manifest in row.seen),
            *(_looked(manifest, reach, to="the judge: ") for manifest in row.judge_seen),
        ),
        meta=_meta(row),
        journey=_journey(row, base, who.label, films=films, store=store, price=price),
    )


def _journey(row: Row, base: str, whose: str, *, films: Films, store: FileStore, price: PriceOf) -> Journey | None:
    ref = row.deliverable.trajectory
    return journey(ref, store, base, films=films, whose=whose, price=price(row)) if ref is not None else None


def _found(bench: Bench, id: str, found: Finding, reach: tuple[Clip, ...]) -> Found:
    card = bench.own_card
    scale = card.scores[found.name].scale if card and found.name in card.scores else (0.0, 1.0)
    return Found(
        id=id,
        name=score_key(found.name, found.mode),
        value=number(found.value, digits_for(scale)),
        tone=tone(found.value, scale) if bench.grades(found.name) else MEASURED,
        because=found.because,
        file=found.file or "",
        at=found.at,
        seek=seek(found.at, spoken_of(found.file, reach)) if found.at else None,
    )


def _opinion(said: Judgement, reach: tuple[Clip, ...]) -> Opinion:
    reasons = said.reasons or ("",) * len(said.votes)
    return Opinion(
        question=said.question,
        answer="no answer" if said.answer is None else _fact(said.answer),
        judge=said.judge,
        because=said.because,
        votes=tuple(
            ("no answer" if vote is None else _fact(vote), why) for vote, why in zip(said.votes, reasons, strict=False)
        )
        if len(said.votes) > 1
        else (),
        flags=tuple(FLAGS[flag] for flag in said.flags),
        seek=seek(said.at, spoken_of(None, reach)) if said.at else None,
    )


def _looked(manifest: FrameManifest, given: tuple[Clip, ...], *, to: str = "") -> Looked:
    clip = next((each for each in given if each.shown.plays and each.shown.sha256 == manifest.clip.sha256), None)
    frames = tuple(
        seek(Span(start_s=frame.at_s, end_s=frame.at_s), clip, text=timecode(frame.at_s))
        for frame in manifest.frames[:MOST_FRAMES]
    )
    how = f"{to}plan {manifest.plan}, sent as {manifest.sent_as}, decoded by {manifest.decoder}"
    return Looked(manifest.clip.name, how, frames, len(manifest.frames) - len(frames))


def _told(text: str) -> Told:
    return Told(*cut(text, MOST_CHARS))


def _meta(row: Row) -> tuple[tuple[str, str], ...]:
    """Return the small facts of a row; what is unknown is left out here and said in the sums."""
    facts: list[tuple[str, str]] = []
    for name, usage in (("tokens", row.usage), ("judge tokens", row.judge_usage)):
        if usage is not None and (told := _tokens(usage)):
            facts.append((name, told))
    if row.cost_usd is not None:
        facts.append(("cost", usd(row.cost_usd)))
    if row.seconds is not None:
        facts.append(("time", f"{row.seconds:.1f} s"))
    if row.retries:
        facts.append(("calls repeated", ", ".join(f"{n} × {fault}" for fault, n in sorted(row.retries.items()))))
    return (*facts, *((name, _fact(value)) for name, value in sorted(row.evidence.facts.items())))


def _fact(value: JsonValue) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    shown, left = cut(text, MOST_FACT_CHARS)
    return f"{shown} … {left:,} more characters" if left else shown


def _tokens(usage: Usage) -> str:
    known = [(name.replace("_", " "), value) for name, value in usage.model_dump().items() if value]
    return ", ".join(f"{value:,} {name}" for name, value in known)
