"""An item → its page: what was asked, then everybody's answer with its findings, each a link to its second."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from cutscore.core.ask import Ask
from cutscore.core.files import FileRef
from cutscore.core.finding import REPORTED, Finding, score_key
from cutscore.core.inert_text import truncate
from cutscore.core.judgement import FLAGS, Judgement
from cutscore.core.manifest import FrameManifest
from cutscore.core.row import Row
from cutscore.core.timeline import Span, timecode
from cutscore.core.turn import Turn
from cutscore.core.usage import Usage
from cutscore.report.agent_facts import box_facts, usage_facts
from cutscore.report.benchmark_site import BenchmarkSite, SiteItem
from cutscore.report.embed import Media
from cutscore.report.page_parts import LongText, PageClip, SeekLink, find_player, seek_link
from cutscore.report.review import GIVEN, PageFilms, Review, TimedNote, frames_seen, judge_evidence
from cutscore.report.trajectory import TrajectoryView, trajectory_view
from cutscore.results.cells import CellName
from cutscore.results.fitness import failure_reason
from cutscore.results.wording import digits_for, number, tone, usd

# The page is for reading; the whole of a longer text is in the log.
MOST_CHARS = 100_000
MOST_FRAMES = 64
MOST_FACT_CHARS = 400
MOST_NAMED = 6  # findings in the words of one mark
MEASURED = "measured"  # the tone of what is neither good nor bad


@dataclass(frozen=True)
class FindingView:
    """A finding, ready to be read."""

    id: str
    finding: Finding
    name: str
    value: str
    tone: str
    seek: SeekLink | None


@dataclass(frozen=True)
class AskView:
    """What a subject saw."""

    ask: Ask
    brief: LongText
    clips: tuple[PageClip, ...]
    by: str


@dataclass(frozen=True)
class FramesView:
    """The frames of one clip that went into a model call."""

    clip: str
    how: str
    frames: tuple[SeekLink, ...]
    left: int


@dataclass(frozen=True)
class OpinionView:
    """What a judge said to one question: its answer, its votes with their reasons, and the second it points to."""

    said: Judgement
    answer: str
    votes: tuple[tuple[str, str], ...]
    flags: tuple[str, ...]
    seek: SeekLink | None


@dataclass(frozen=True)
class TurnView:
    """One turn of a row: what was asked, said and handed over; the way of the last one stands with the row."""

    turn: Turn
    asked: LongText
    said: LongText
    cost: str
    trajectory: TrajectoryView | None


@dataclass(frozen=True)
class AnswerView:
    """One row: answer, ending, findings."""

    id: str
    name: CellName
    row: Row
    score: str
    tone: str
    answer: LongText
    clips: tuple[PageClip, ...]
    findings: tuple[FindingView, ...]
    opinions: tuple[OpinionView, ...]
    looked: tuple[FramesView, ...]
    meta: tuple[tuple[str, str], ...]
    failure: str = ""
    trajectory: TrajectoryView | None = None
    turns: tuple[TurnView, ...] = ()


@dataclass(frozen=True)
class ItemPage:
    """One item."""

    item: SiteItem
    asked: tuple[AskView, ...]
    answers: tuple[AnswerView, ...]
    review: Review | None = None

    @property
    def epochs(self) -> bool:
        """Return whether somebody was asked several times."""
        return any(row.epoch > 1 for row in self.item.rows)

    @property
    def picture(self) -> str:
        """Return the strip of pictures of its first film, which stands for it in a list; empty without one."""
        return self.review.films[0].strip if self.review else ""


def item_page(bench: BenchmarkSite, item: SiteItem, *, media: Media) -> ItemPage:
    """Lay out one item: what was asked, then everybody's answer with its findings."""
    films = PageFilms(media)
    asked = _ask_views(bench, item, films)
    for row in item.rows:
        films.clips("reference", row.ending.references, bench.stores[row.cell], whose="reference")
    answers = tuple(
        _answer_view(bench, row, f"r{index}", asked=asked, films=films) for index, row in enumerate(item.rows, start=1)
    )
    return ItemPage(item, asked, answers, films.review([lane for answer in answers for lane in _lanes(answer)]))


def _lanes(answer: AnswerView) -> list[tuple[str, Sequence[TimedNote]]]:
    """Return what is known of seconds: findings by the file that they speak of, then the judge, then frames seen.

    Findings about the same stretch are one mark, which leads to the first of them, names all, and has the colour of
    the worst grade. What the subject itself reported stands by itself, so that it can be held against the truth.
    """
    whose = answer.name.label
    found: dict[str, dict[Span, list[FindingView]]] = {}
    for each in answer.findings:
        if (at := each.finding.at) is not None:
            about = f"{whose}: {each.finding.file}" if each.finding.file else whose
            lane = f"{whose} reported" if each.name == REPORTED else about
            found.setdefault(lane, {}).setdefault(at, []).append(each)
    return [
        *((lane, [_timed_note(at, same) for at, same in spans.items()]) for lane, spans in found.items()),
        (f"judge of {whose}", judge_evidence(answer.row)),
        (f"frames that {whose} saw", frames_seen(answer.row)),
    ]


def _timed_note(at: Span, found: Sequence[FindingView]) -> TimedNote:
    said = "\n".join(f"{each.name} {each.value}: {each.finding.because}" for each in found[:MOST_NAMED])
    worst = min((each.tone for each in found if each.tone != MEASURED), default=MEASURED)
    return TimedNote(at, said, tone=worst, href=f"#{found[0].id}")


def _ask_views(bench: BenchmarkSite, item: SiteItem, films: PageFilms) -> tuple[AskView, ...]:
    """Return each different ask once, with who got it; mostly all got the same one."""
    asks: dict[str, list[Row]] = {}
    for row in item.rows:
        if row.ask is not None:
            asks.setdefault(row.ask.digest(), []).append(row)
    given = []
    for number_, rows in enumerate(asks.values(), start=1):
        ask = rows[0].ask
        assert ask is not None
        by = ", ".join(dict.fromkeys(bench.labels[row.cell] for row in rows)) if len(asks) > 1 else ""
        clips = films.clips(f"ask{number_}", ask.files, bench.stores[rows[0].cell], whose=GIVEN)
        given.append(AskView(ask, LongText.start_of(ask.brief, MOST_CHARS), clips, by))
    return tuple(given)


def _answer_view(
    bench: BenchmarkSite, row: Row, base: str, *, asked: tuple[AskView, ...], films: PageFilms
) -> AnswerView:
    delivered = {ref.sha256 for ref in row.deliverable.files}
    extra = tuple(ref for ref in row.evidence.files if ref.sha256 not in delivered)
    name = next(name for name in bench.names if name.cell == row.cell)
    clips = films.clips(base, row.deliverable.files + extra, bench.stores[row.cell], whose=name.label)
    given = next((each.clips for each in asked if each.ask == row.ask), ())
    # A name speaks of the delivered file first; the asked one of the same name is what it was made from.
    reach = (*clips, *given)
    score, prices = bench.score(row), bench.prices[row.cell]

    def price(usage: Usage) -> float | None:
        """Return what tokens cost on the day when the cell first ran."""
        return prices.cost_usd(row.model, usage) if prices and row.model else None

    def way(track: FileRef | None, base: str) -> TrajectoryView | None:
        store = bench.stores[row.cell]
        return trajectory_view(track, store, base, films=films, whose=name.label, price=price) if track else None

    return AnswerView(
        id=base,
        name=name,
        row=row,
        score=bench.status(row) if score is None else number(score, digits_for(bench.scale)),
        tone=bench.status(row) if score is None else tone(score, bench.scale),
        answer=LongText.start_of(row.deliverable.text, MOST_CHARS),
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
        failure=row.deliverable.failure or (failure_reason(row) if row.failed else ""),
        trajectory=way(row.deliverable.trajectory, base),
        turns=tuple(
            TurnView(
                turn=turn,
                asked=LongText.start_of(_describe_ask(turn), MOST_CHARS),
                said=LongText.start_of(turn.deliverable.text, MOST_CHARS),
                cost="" if turn.cost_usd is None else usd(turn.cost_usd),
                trajectory=way(turn.deliverable.trajectory, f"{base}-t{turn.number}")
                if turn is not row.evidence.turns[-1]
                else None,
            )
            for turn in row.evidence.turns
        ),
    )


def _found(bench: BenchmarkSite, id: str, found: Finding, reach: tuple[PageClip, ...]) -> FindingView:
    card = bench.own_card
    scale = card.scores[found.name].scale if card and found.name in card.scores else (0.0, 1.0)
    return FindingView(
        id=id,
        finding=found,
        name=score_key(found.name, found.mode),
        value=number(found.value, digits_for(scale)) if found.whole is None else found.amount,
        tone=tone(score, scale) if bench.grades(found.name) and (score := found.score) is not None else MEASURED,
        seek=seek_link(found.at, find_player(found.file, reach)) if found.at else None,
    )


def _opinion(said: Judgement, reach: tuple[PageClip, ...]) -> OpinionView:
    voted = zip(said.votes, said.reasons or ("",) * len(said.votes), strict=False)
    return OpinionView(
        said=said,
        answer=_answer(said.answer),
        votes=tuple((_answer(vote), why) for vote, why in voted) if len(said.votes) > 1 else (),
        flags=tuple(FLAGS[flag] for flag in said.flags),
        seek=seek_link(said.at, find_player(None, reach)) if said.at else None,
    )


def _answer(value: JsonValue) -> str:
    return "no answer" if value is None else _fact(value)


def _looked(manifest: FrameManifest, given: tuple[PageClip, ...], *, to: str = "") -> FramesView:
    clip = next((each for each in given if each.shown.plays and each.shown.sha256 == manifest.clip.sha256), None)
    frames = tuple(
        seek_link(Span(start_s=frame.at_s, end_s=frame.at_s), clip, text=timecode(frame.at_s))
        for frame in manifest.frames[:MOST_FRAMES]
    )
    how = f"{to}plan {manifest.plan}, sent as {manifest.sent_as}, decoded by {manifest.decoder}"
    return FramesView(manifest.clip.name, how, frames, len(manifest.frames) - len(frames))


def _meta(row: Row) -> tuple[tuple[str, str], ...]:
    """Return the small facts of a row; what is unknown is left out here and said in the sums."""
    facts = [*box_facts(row.environment), *usage_facts(row)]
    if row.cost_usd is not None:
        facts.append(("cost", usd(row.cost_usd)))
    if row.seconds is not None:
        facts.append(("time", f"{row.seconds:.1f} s"))
    if row.retries:
        facts.append(("calls repeated", ", ".join(f"{n} × {fault}" for fault, n in sorted(row.retries.items()))))
    return (*facts, *((name, _fact(value)) for name, value in sorted(row.evidence.facts.items())))


def _fact(value: JsonValue) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    shown, left = truncate(text, MOST_FACT_CHARS)
    return f"{shown} … {left:,} more characters" if left else shown


def _describe_ask(turn: Turn) -> str:
    """Return what was asked in a turn; of one that was not made, what would have been, and why it was not."""
    return f"Not made: {turn.not_made}. It would have been:\n\n{turn.ask.brief}" if turn.not_made else turn.ask.brief
