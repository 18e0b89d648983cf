"""An item → its page, a review desk: the question, a verdict of each subject, films in step, criteria, answers.

Contestants come first and references after them. Ids of rows follow the order of the item, as links from elsewhere do.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from cutscore.core.ask import Ask
from cutscore.core.files import FileRef
from cutscore.core.finding import REPORTED, score_key
from cutscore.core.inert_text import truncate
from cutscore.core.judgement import FLAGS, Judgement
from cutscore.core.manifest import FrameManifest
from cutscore.core.row import Row
from cutscore.core.timeline import Span, timecode
from cutscore.core.turn import Turn
from cutscore.core.usage import Usage
from cutscore.report.agent_facts import box_facts, usage_facts
from cutscore.report.benchmark_site import BenchmarkSite, SiteItem
from cutscore.report.criteria import MEASURED, CriteriaMatrix, FindingView, SubjectColumn, criteria_matrix, view_finding
from cutscore.report.embed import Media
from cutscore.report.page_parts import LongText, PageClip, SeekLink, find_player, seek_link
from cutscore.report.review import GIVEN, LaneNotes, PageFilms, Review, TimedNote, frames_seen, judge_evidence
from cutscore.report.storyboard import Storyboard, storyboard
from cutscore.report.trajectory import TrajectoryView, trajectory_view
from cutscore.report.verdicts import SubjectVerdict, subject_verdict
from cutscore.results.cells import CellName
from cutscore.results.fitness import failure_reason
from cutscore.results.wording import usd

# The page is for reading; the whole of a longer text is in the log.
MOST_CHARS = 100_000
MOST_FRAMES = 64
MOST_FACT_CHARS = 400
MOST_NAMED = 6  # findings in the words of one mark
MOST_QUESTION = 400  # characters of a long brief that stand open


@dataclass(frozen=True)
class AskView:
    """What a subject saw; of a long brief the question is its instruction, or its beginning."""

    ask: Ask
    question: LongText
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
    clips: tuple[PageClip, ...]
    cost: str
    trajectory: TrajectoryView | None


@dataclass(frozen=True)
class AnswerView:
    """One row: answer, ending, findings; a reference has a role."""

    id: str
    name: CellName
    role: str
    row: Row
    answer: LongText
    clips: tuple[PageClip, ...]
    findings: tuple[FindingView, ...]
    opinions: tuple[OpinionView, ...]
    looked: tuple[FramesView, ...]
    meta: tuple[tuple[str, str], ...]
    records: tuple[tuple[str, str], ...]
    failure: str = ""
    trajectory: TrajectoryView | None = None
    turns: tuple[TurnView, ...] = ()
    board: Storyboard | None = None

    @property
    def folded(self) -> bool:
        """Return whether the page folds it: of a reference the verdict is enough, unless it failed to be marked."""
        return bool(self.role) and self.row.ending.status == "marked"


@dataclass(frozen=True)
class ItemPage:
    """One item; answers are by sample, contestants first, and verdicts in their order by subject."""

    item: SiteItem
    asked: tuple[AskView, ...]
    answers: tuple[AnswerView, ...]
    verdicts: tuple[SubjectVerdict, ...]
    criteria: CriteriaMatrix
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
    """Lay out one item: what was asked, a verdict of each subject, the criteria, and everybody's answer."""
    films = PageFilms(media)
    asked = _ask_views(bench, item, films)
    for row in item.rows:
        films.clips("reference", row.ending.references, bench.stores[row.cell], whose="reference")
    rows = sorted(enumerate(item.rows, start=1), key=lambda each: bool(_role(bench, each[1])))
    answers = tuple(_answer_view(bench, row, f"r{index}", asked=asked, films=films) for index, row in rows)
    by_subject: dict[str, list[AnswerView]] = {}
    for answer in answers:
        by_subject.setdefault(answer.row.cell, []).append(answer)
    columns = [
        SubjectColumn(own[0].name.label, own[0].role, tuple((each.row.epoch, each.findings) for each in own))
        for own in by_subject.values()
    ]
    return ItemPage(
        item=item,
        asked=asked,
        answers=answers,
        verdicts=tuple(
            subject_verdict(bench, own[0].name, [(each.id, each.row, each.findings) for each in own])
            for own in by_subject.values()
        ),
        criteria=criteria_matrix(columns, card=bench.card, mode=bench.results[0].mode),
        review=films.review([lane for answer in answers for lane in _lanes(answer, films)]),
    )


def _role(bench: BenchmarkSite, row: Row) -> str:
    result, cell = bench.cells[row.cell]
    return result.role(cell)


def _lanes(answer: AnswerView, films: PageFilms) -> list[LaneNotes]:
    """Return what is known of seconds: findings by the film that they speak of, the judge, frames seen, slots.

    Findings about the same stretch are one mark, which leads to the first of them, names all, and has the colour of
    the worst grade. What the subject itself reported stands by itself, so that it can be held against the truth.
    """
    whose = answer.name.label if answer.row.epoch == 1 else f"{answer.name.label}, epoch {answer.row.epoch}"
    found: dict[tuple[str, str], dict[Span, list[FindingView]]] = {}
    for each in answer.findings:
        about = f"{whose}: {each.finding.file}" if each.finding.file else whose
        name = f"{whose} reported" if each.finding.name == REPORTED else about
        for span in each.spans:
            found.setdefault((name, each.player.id if each.player else ""), {}).setdefault(span, []).append(each)
    own = next((clip.id for clip in answer.clips if clip.film), "")
    seen = films.player_of(answer.row.seen[0].clip.sha256) if answer.row.seen else ""
    lanes = [
        *((name, [_timed_note(at, same) for at, same in spans.items()], film) for (name, film), spans in found.items()),
        (f"judge of {whose}", judge_evidence(answer.row), own),
        (f"frames that {whose} saw", frames_seen(answer.row), seen),
    ]
    if answer.board and answer.board.film:
        slots = [
            TimedNote(slot.at, f"{slot.name}: {slot.clip.shown.name}", tone=slot.tone or "slot", film=slot.clip.id)
            for slot in answer.board.slots
            if slot.at
        ]
        lanes.append((f"clips that {whose} chose", slots, answer.board.film.id))
    return [LaneNotes(name, notes, film, folded=bool(answer.role)) for name, notes, film in lanes]


def _timed_note(at: Span, found: Sequence[FindingView]) -> TimedNote:
    said = "\n".join(
        f"{score_key(each.finding.name, each.finding.mode)} {each.value}: {each.finding.because}"
        for each in found[:MOST_NAMED]
    )
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
        given.append(AskView(ask, _question(ask), LongText.start_of(ask.brief, MOST_CHARS), clips, by))
    return tuple(given)


def _question(ask: Ask) -> LongText:
    """Return the words that a person reads first: the instruction where it is named, else the brief or its start."""
    named = ask.part("instruction")
    text = named.text.strip() if named and named.text.strip() else ask.brief.strip()
    # Prompt files are wrapped at a width that is not the reader's.
    text = re.sub(r"(?<=\S)\n(?=[a-z])", " ", text)
    if not LongText.start_of(text, MOST_CHARS).long:
        return LongText.start_of(text, MOST_CHARS)
    paragraphs = (text[:MOST_QUESTION].rpartition("\n\n")[0] or text[:MOST_QUESTION]).split("\n\n")
    while len(paragraphs) > 1 and (paragraphs[-1].endswith(":") or paragraphs[-1].startswith("#")):
        paragraphs.pop()  # it only announces what is cut off
    start = "\n\n".join(paragraphs)
    return LongText(start, len(text) - len(start))


def _answer_view(
    bench: BenchmarkSite, row: Row, base: str, *, asked: tuple[AskView, ...], films: PageFilms
) -> AnswerView:
    delivered = {ref.sha256 for ref in row.deliverable.files}
    extra = tuple(ref for ref in row.evidence.files if ref.sha256 not in delivered)
    name = next(name for name in bench.names if name.cell == row.cell)
    # Films of turns come in their order; what was handed over last is the film of the last turn.
    by_turn = [
        films.clips(f"{base}-t{turn.number}", turn.deliverable.files, bench.stores[row.cell], whose=name.label)
        for turn in row.evidence.turns
    ]
    clips = films.clips(base, row.deliverable.files + extra, bench.stores[row.cell], whose=name.label)
    given = next((each.clips for each in asked if each.ask == row.ask), ())
    # A name speaks of the delivered file first; the asked one of the same name is what it was made from.
    reach = (*clips, *given)
    prices = bench.prices[row.cell]
    findings = tuple(
        view_finding(bench, f"{base}-f{place}", found, reach=reach, films=films)
        for place, found in enumerate(row.ending.findings, start=1)
    )

    def price(usage: Usage) -> float | None:
        """Return what tokens cost on the day when the cell first ran."""
        return prices.cost_usd(row.model, usage) if prices and row.model else None

    def way(track: FileRef | None, base: str) -> TrajectoryView | None:
        store = bench.stores[row.cell]
        return (
            trajectory_view(track, store, base, films=films, whose=name.label, model=row.model, price=price)
            if track
            else None
        )

    return AnswerView(
        id=base,
        name=name,
        role=_role(bench, row),
        row=row,
        answer=LongText.start_of(row.deliverable.text, MOST_CHARS),
        clips=clips,
        findings=findings,
        opinions=tuple(_opinion(said, reach) for said in row.judgements),
        looked=(
            *(_looked(manifest, given) for manifest in row.seen),
            *(_looked(manifest, reach, to="the judge: ") for manifest in row.judge_seen),
        ),
        meta=(*_meta(row), *_log_fact(bench, row)),
        records=_records(row),
        board=storyboard(clips, given, findings, films=films),
        failure=row.deliverable.failure or (failure_reason(row) if row.failed else ""),
        trajectory=way(row.deliverable.trajectory, base),
        turns=tuple(
            TurnView(
                turn=turn,
                asked=LongText.start_of(_describe_ask(turn), MOST_CHARS),
                said=LongText.start_of(turn.deliverable.text, MOST_CHARS),
                clips=handed,
                cost="" if turn.cost_usd is None else usd(turn.cost_usd),
                trajectory=way(turn.deliverable.trajectory, f"{base}-t{turn.number}")
                if turn is not row.evidence.turns[-1]
                else None,
            )
            for turn, handed in zip(row.evidence.turns, by_turn, strict=True)
        ),
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
    plain = (each for each in sorted(row.evidence.facts.items()) if not isinstance(each[1], dict | list))
    return (*facts, *((name, _fact(value)) for name, value in plain))


def _records(row: Row) -> tuple[tuple[str, str], ...]:
    """Return what was recorded in records and lists, which are too long to stand among small facts."""
    long = (each for each in sorted(row.evidence.facts.items()) if isinstance(each[1], dict | list))
    return tuple((name, _fact(value)) for name, value in long)


def _log_fact(bench: BenchmarkSite, row: Row) -> tuple[tuple[str, str], ...]:
    """Name the log that holds every message of a sample, in its cell's folder."""
    record = bench.cells[row.cell][1].record
    if record.log is None:
        return ()
    return (("log", f"{record.folder.name}/{record.log.name}, sample {row.item}, epoch {row.epoch}"),)


def _fact(value: JsonValue) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    shown, left = truncate(text, MOST_FACT_CHARS)
    return f"{shown} … {left:,} more characters" if left else shown


def _describe_ask(turn: Turn) -> str:
    """Return what was asked in a turn; of one that was not made, what would have been, and why it was not."""
    return f"Not made: {turn.not_made}. It would have been:\n\n{turn.ask.brief}" if turn.not_made else turn.ask.brief
