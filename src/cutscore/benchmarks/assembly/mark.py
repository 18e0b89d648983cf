"""Marking: the clips that solution.json chooses (§2.4 of the paper), and whether solution.mp4 shows them."""

from functools import cache, lru_cache
from pathlib import Path

from cutscore.benchmarks.assembly.dataset import DIMENSIONS, FILM, MANIFEST, AssemblyItem
from cutscore.benchmarks.assembly.verify.candidate_match import GreyPictures, grey_pictures, runs_of
from cutscore.benchmarks.assembly.verify.slots import SlotScore, SlotTruth, slot_score
from cutscore.core.deliverable import Deliverable
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.judgement import Judges
from cutscore.core.timeline import Span
from cutscore.scoring.verifiers.film import FilmReport, verify_film
from cutscore.scoring.verifiers.refusal import Refusal
from cutscore.scoring.verifiers.rendered import order_mismatch
from cutscore.scoring.verifiers.solution import read_slot_file, solution_text

CLIPS, FILMS = 256, 8  # clips whose pictures are kept

Chosen = dict[str, str | None]


def mark(deliverable: Deliverable, evidence: Evidence, item: AssemblyItem, judges: Judges) -> list[Finding]:
    """Return the scores in both modes, each slot, and what solution.mp4 is.

    In `paper` the manifest alone counts, as equation 1 has it. In `strict` it counts only if solution.mp4 was delivered
    and shows it; else the score is 0, or less where it was below 0: nobody gains by a film that is refused. It counts
    for as much of the film as is without fault (`film_faults`). Whatever is no manifest is 0 in both; the finding names
    the rule that it breaks.
    """
    names = [ref.name for ref in item.materials]
    text, failure = solution_text(deliverable, evidence, MANIFEST), deliverable.failure
    chosen = read_slot_file(text, item.slots, names, failure=failure)
    score = slot_score(chosen, {slot: SlotTruth(item.golden[slot], len(item.candidates(slot))) for slot in item.slots})
    film = _check_film(evidence, item, chosen, failure)
    file = MANIFEST if evidence.file(MANIFEST) else None
    # In strict it may be the film, and not the manifest, that is refused.
    strict_file = FILM if film.refusal and not score.refusal and evidence.file(FILM) else file
    findings = [
        _score_finding(*text, score.refusal or refusal, mode=mode, file=about)
        for mode, refusal, about in (("paper", None, file), ("strict", film.refusal, strict_file))
        for text in _score_texts(score, item)
    ]
    slots = [] if isinstance(chosen, Refusal) else [_slot_finding(slot, chosen, item, film) for slot in item.slots]
    charged = [film.charge_faults(each) if each.mode == "strict" else each for each in findings]
    return [*charged, *slots, *film.findings]


def _score_texts(score: SlotScore, item: AssemblyItem) -> list[tuple[str, float, str]]:
    """Return name, value and sentence of each score: of all slots, and of those that a dimension decides."""
    texts = [
        (name, value, score.because)
        for name, value in (("score", score.score), ("clipped", score.clipped), ("share", score.share))
    ]
    for name in DIMENSIONS:
        if right := [score.right[slot] for slot in item.slots if item.dimension(slot) == name]:
            because = f"{sum(right)} of {len(right)} slots right whose clips differ in {name}"
            texts.append((name, sum(right) / len(right), because))
    return texts


def _score_finding(
    name: str, value: float, because: str, refusal: Refusal | None, *, mode: str, file: str | None
) -> Finding:
    if refusal is not None:
        # Nobody may do better by a film that is refused than by one that is not.
        value, because = min(value, 0.0), f"{refusal.name}: {refusal.reason}"
    unreadable = refusal is not None and refusal.unreadable
    return Finding(name=name, value=value, because=because, file=file, mode=mode, unreadable=unreadable)


def _slot_finding(slot: str, chosen: Chosen, item: AssemblyItem, film: FilmReport) -> Finding:
    """Return what was chosen for a slot, and where the film shows it."""
    clip, right = chosen[slot], item.golden[slot]
    if clip is None:
        because = f"nothing was chosen, {right} is right"
    elif clip == right:
        because = f"{clip} is right; {item.dimension(slot)} decides"
    elif clip in item.candidates(slot):
        wrong = item.distractors[clip]
        because = f"{clip} differs from {right} in {wrong.dimension}{f' ({wrong.term})' if wrong.term else ''}"
    else:
        because = f"{clip} is of another slot, {right} is right"
    run = next((run for run in film.runs if clip is not None and run.clip == clip), None)
    at = Span(start_s=run.start_s, end_s=run.end_s) if run and not film.refusal else None
    return Finding(name=slot, value=float(clip == right), because=because, file=FILM if at else None, at=at)


def _check_film(evidence: Evidence, item: AssemblyItem, chosen: Chosen | Refusal, failure: str) -> FilmReport:
    @cache
    def clips() -> dict[str, GreyPictures]:
        return {ref.name: _clip_pictures(evidence.store.path(ref), ref.sha256) for ref in item.materials}

    order = None if isinstance(chosen, Refusal) else [clip for clip in chosen.values() if clip is not None]
    delivered = evidence.file(FILM)
    return verify_film(
        evidence,
        next(each for each in item.deliveries if each.name == FILM),
        order,
        {ref.name: evidence.store.path(ref) for ref in item.materials},
        manifest=MANIFEST,
        watched=lambda path: runs_of(_film_pictures(path, delivered.sha256 if delivered else ""), clips()),
        unlike=lambda runs, said: order_mismatch(runs, said, clips()),
        failure=failure,
    )


@lru_cache(maxsize=CLIPS)
def _clip_pictures(path: Path, sha256: str) -> GreyPictures:
    """Look at a clip once for all films of it; the hash tells files at one path apart."""
    return grey_pictures(path)


@lru_cache(maxsize=FILMS)
def _film_pictures(path: Path, sha256: str) -> GreyPictures:
    """Look at a film once for all manifests that are delivered with it."""
    return grey_pictures(path)
