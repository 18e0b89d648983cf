"""Marking: the Format pillar by a program, the others by a judge, and on every film what its source map tells."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cutscore.benchmarks.repurpose.dataset import FILM, REPORT, Commission
from cutscore.benchmarks.repurpose.judge_facts import describe_sound, film_transcript, list_edit
from cutscore.benchmarks.repurpose.rubric.points import PILLARS, Pillar, Points, RubricScore, score_rubric
from cutscore.benchmarks.repurpose.source_map.edit import (
    SHARES,
    SourceMap,
    find_idle,
    refuse_hollow,
    share_of,
)
from cutscore.benchmarks.repurpose.source_map.mapping import map_film
from cutscore.core.bundle import Delivery
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import ScoreGap
from cutscore.core.errors import BadInput, Unscored
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.judgement import Judge, Judges, Question
from cutscore.core.timeline import Span
from cutscore.media import deliverable as door
from cutscore.scoring.verifiers.delivery import DeliveryCheck, check_delivery
from cutscore.scoring.verifiers.film_faults import FilmFault, charge_faults, fault_findings
from cutscore.scoring.verifiers.refusal import Refusal, refuse_missing

MODES = ("paper", "strict")
EARNING: tuple[Pillar, ...] = tuple(name for name in PILLARS if name != "penalty")
FILMS = 64  # maps that are kept
NAMED = 3  # items without an answer that a sentence lists


@dataclass(frozen=True)
class RubricAnswer:
    """Yes, no or no answer to an item of the rubric, with its reason and the stretch of the film that gives it."""

    yes: bool | None
    because: str
    file: str = FILM
    at: Span | None = None


def mark(deliverable: Deliverable, evidence: Evidence, item: Commission, judges: Judges) -> list[Finding | ScoreGap]:
    """Return the score of the rubric and of each pillar in both modes, every answer, and what the source map tells.

    In `paper` every item counts as it was answered, so a file that keeps the rules has its Format points whatever it
    shows. In `strict` a film is 0 that breaks a rule of the brief, or that is none: not made of the source, repeated,
    hurried, frozen, padded, in bars (`refuse_hollow`), whatever a judge makes of it; and what a viewer would send back
    costs its share of the film (`film_faults`). Without a film there is nothing to answer: 0 in both. A score that
    items without an answer could still change is unscored, between bounds that its gap tells.
    """
    film = _open_film(evidence, item, failure=deliverable.failure)
    if isinstance(film, Refusal):
        file = FILM if evidence.file(FILM) else None
        return [_zero(name, film, mode, file) for mode in MODES for name in ("score", *EARNING)]
    answers = _answer_format(film, evidence, item) | _ask_judge(judges.get("judge"), film, evidence, item)
    score = score_rubric(item.rubric, {name: each.yes for name, each in answers.items()})
    broken = next((each for each in film.rules.values() if not each.met), None)
    strict = Refusal(broken.name, f"{FILM} {broken.reason}") if broken else refuse_hollow(film.map)
    return [
        *(_charge(each, film) for each in _scores(score, strict)),
        _count_answered(score, len(item.rubric)),
        *_answers(item, answers),
        *_describe_map(film.map),
        *fault_findings(film.faults, FILM),
    ]


@dataclass(frozen=True)
class FilmAnalysis:
    """A film that could be opened: how it keeps its delivery's rules, what it is made of, its sound, its faults."""

    rules: Mapping[str, DeliveryCheck]
    map: SourceMap
    sound: str
    faults: tuple[FilmFault, ...]


def _open_film(evidence: Evidence, item: Commission, *, failure: str) -> FilmAnalysis | Refusal:
    if evidence.file(FILM) is None:
        return refuse_missing(FILM, failure)
    try:
        return analyse_film(evidence, item)
    except BadInput as fault:  # what this machine lacks is another error
        try:
            door.probe(evidence.store.path(item.source))
        except BadInput as broken:  # nobody gets a 0 for a file of ours
            raise Unscored(f"source '{item.source.name}'", broken.fact) from broken
        return Refusal("not a film", f"{FILM} {fault.fact}")


def analyse_film(evidence: Evidence, item: Commission) -> FilmAnalysis:
    """Look at the film beside its source, once for marker and judge; both lie in the evidence's store.

    Raises:
        BadInput: There is no film, or it cannot be opened.
    """
    path, ref = evidence.path(FILM), evidence.file(FILM)
    return _analyse(path, ref.sha256 if ref else "", evidence.store.path(item.source), item.source.sha256, item.film)


@lru_cache(maxsize=FILMS)
def _analyse(path: Path, sha256: str, source: Path, source_sha256: str, wanted: Delivery) -> FilmAnalysis:
    """Look at a film once for all who ask; the hashes say what the files are."""
    rules = {each.name: each for each in check_delivery(path, wanted)}
    film = map_film(path, {"source": source})
    # A film of which no sound is asked for may be silent.
    measured = [each for each in film.faults if each.name != "silent" or wanted.sound]
    return FilmAnalysis(rules, film, describe_sound(path, film), (*find_idle(film), *measured))


def _answer_format(film: FilmAnalysis, evidence: Evidence, item: Commission) -> dict[str, RubricAnswer]:
    """Answer the items that are rules of the delivery."""
    words = (evidence.text(REPORT) or "").strip()
    written = f"has {len(words):,} characters" if words else "was not delivered, or is empty"
    kept = {**film.rules, "report": DeliveryCheck("report", bool(words), written)}
    answers = {}
    for each in item.rubric:
        if each.rule is not None:
            file, check = REPORT if each.rule == "report" else FILM, kept[each.rule]
            answers[each.id] = RubricAnswer(check.met, f"{file} {check.reason}", file)
    return answers


def _ask_judge(
    judge: Judge | None, film: FilmAnalysis, evidence: Evidence, item: Commission
) -> dict[str, RubricAnswer]:
    """Ask the judge, all items at once; without one nobody has an answer."""
    asked = [each for each in item.rubric if each.rule is None]
    if judge is None or not asked:
        return {each.id: RubricAnswer(None, "no judge was asked") for each in asked}
    shown = judge_evidence(film, evidence, item)
    questions = [Question(id=each.id, kind="yes_no", text=each.text, points=each.points) for each in asked]
    said = judge.ask(questions, shown)
    return {
        each.id: RubricAnswer(None if one.answer is None else one.answer == "yes", one.message, at=one.at)
        for each, one in zip(asked, said, strict=True)
    }


def judge_evidence(film: FilmAnalysis, evidence: Evidence, item: Commission) -> Evidence:
    """Return what a judge decides by: brief, film, words, sound, and what of the source is in it.

    The report is not shown: no item is about it, and it is where an editor would talk to a judge.
    """
    said = [(line.span, line.text) for line in item.said]
    facts = {
        "brief": item.brief,
        "edit list": list_edit(film.map),
        "sound": film.sound,
        "transcript": film_transcript(evidence.path(FILM), film.map, said),
    }
    return evidence.model_copy(
        update={"files": tuple(ref for ref in evidence.files if ref.name == FILM), "facts": facts}
    )


def _scores(score: RubricScore, strict: Refusal | None) -> list[Finding | ScoreGap]:
    """Return the scores in both modes; where an answer that is missing could still change one, its bounds instead."""
    parts: dict[str, Points | None] = {"score": score.total}
    parts |= {name: score.pillars.get(name) for name in EARNING}
    found: list[Finding | ScoreGap] = []
    modes = MODES if strict is None else MODES[:1]
    for name, points in parts.items():
        if points is not None and points.score is not None:
            told = score.because if name == "score" else f"{points.earned:g} of {points.positive:g} points"
            found += [Finding(name=name, value=points.score, because=told, file=FILM, mode=mode) for mode in modes]
        elif points is not None and points.bounds is not None:
            because = _tell_bounds(points.bounds, score.unanswered)
            found += [ScoreGap(name=name, status="unscored", because=because, mode=mode) for mode in modes]
        if strict is not None:
            found.append(_zero(name, strict, "strict", FILM))
    return found


def _tell_bounds(bounds: tuple[float, float], unanswered: Sequence[str]) -> str:
    """Say between which bounds a score lies, and which items of the rubric leave it open."""
    named = ", ".join(unanswered[:NAMED]) + (f" and {len(unanswered) - NAMED} more" if len(unanswered) > NAMED else "")
    return f"between {bounds[0]:.3f} and {bounds[1]:.3f}: nobody answered {named}"


def _charge(found: Finding | ScoreGap, film: FilmAnalysis) -> Finding | ScoreGap:
    """Take off a score in strict what of the film a viewer would send back; rules of the format were kept anyway."""
    if isinstance(found, ScoreGap) or found.mode != "strict" or found.name == "format":
        return found
    return charge_faults(found, film.faults, film.map.pieces[-1].out.end_s, FILM)


def _zero(name: str, refusal: Refusal, mode: str, file: str | None) -> Finding:
    because = f"{refusal.name}: {refusal.reason}"
    return Finding(name=name, value=0, because=because, file=file, mode=mode, unreadable=refusal.unreadable)


def _count_answered(score: RubricScore, items: int) -> Finding:
    """Return the share of items that have an answer, and between which bounds the score lies while some have none."""
    low, high = score.total.bounds or (0.0, 0.0)
    open_score = f"; the score lies between {low:.3f} and {high:.3f}" if low < high else ""
    share = 1 - len(score.unanswered) / items
    return Finding(name="answered", value=share, because=f"{score.because}{open_score}", file=FILM)


def _answers(item: Commission, answers: Mapping[str, RubricAnswer]) -> list[Finding]:
    return [
        Finding(
            name=f"{each.pillar}/{each.id}",
            value=float(answer.yes),
            because=f"{each.text} {'Yes' if answer.yes else 'No'}: {answer.because}",
            file=FILM if answer.file == FILM or not answer.yes else answer.file,
            at=answer.at,
        )
        for each in item.rubric
        if (answer := answers[each.id]).yes is not None
    ]


def _describe_map(film: SourceMap) -> list[Finding]:
    """Return what the film is made of, with the first stretch that is not of the source."""
    places = {
        "from_source": next((piece.out for piece in film.pieces if piece.at is None), None),
        "frozen": next((piece.out for piece in film.pieces if piece.kind == "frozen"), None),
        "padded": next((piece.out for piece in film.pieces if piece.kind == "blank"), None),
    }
    found = [
        Finding(
            name=name.replace("_", " "),
            value=(value := share_of(film, name)),
            because=f"{value:.0%} {words}",
            file=FILM,
            at=places.get(name),
        )
        for name, words in SHARES.items()
    ]
    covered = f"{film.coverage:.0%} of the source is in the film"
    found.append(Finding(name="coverage", value=film.coverage, because=covered, file=FILM))
    because = f"{film.from_source:.0%} of the film is from the source"
    return [*found, Finding(name="ungrounded", value=float(film.ungrounded), because=because, file=FILM)]
