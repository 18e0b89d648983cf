"""Marking: the order in solution.json (H.2 of the paper), and whether solution.mp4 shows that order."""

from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

from cutscore.benchmarks.sequencing.dataset import FILM, ORDER, SequencingItem
from cutscore.benchmarks.sequencing.order_score import OrderScore, order_score, refuse_order
from cutscore.core.deliverable import Deliverable
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.judgement import Judges
from cutscore.core.timeline import Span
from cutscore.scoring.verifiers.film import FilmReport, verify_film
from cutscore.scoring.verifiers.refusal import Refusal
from cutscore.scoring.verifiers.rendered import (
    ClipRun,
    FilmHashes,
    find_clip_runs,
    hash_film,
    order_mismatch,
    playback_mismatch,
)
from cutscore.scoring.verifiers.solution import read_order_file, solution_text

SCORES = ("score", "nd", "lis", "adj", "exact")
CLIPS, FILMS = 256, 8  # prints that are kept


def mark(deliverable: Deliverable, evidence: Evidence, item: SequencingItem, judges: Judges) -> list[Finding]:
    """Return the scores in both modes, and what solution.mp4 is.

    In `paper` the order alone counts, as equation 3 has it. In `strict` an order counts only if solution.mp4 was
    delivered and shows it, and for as much of it as is without fault (`film_faults`). Whatever is no order is 0 in
    both; the finding names the rule that it breaks.
    """
    text, failure = solution_text(deliverable, evidence, ORDER), deliverable.failure
    order = read_order_file(text, [ref.name for ref in item.materials], failure=failure)
    score = refuse_order(len(item.order), order) if isinstance(order, Refusal) else order_score(order, item.order)
    film = _check_film(evidence, item, None if score.refusal else order, failure)
    strict = score if score.refusal or not film.refusal else refuse_order(score.clips, film.refusal)
    file = ORDER if evidence.file(ORDER) else None
    joins = pairwise(order) if isinstance(order, list) and not score.refusal else ()
    join = next((pair for pair in joins if pair not in set(pairwise(item.order))), None)  # the first wrong one
    # In strict it may be the film, and not the order, that is refused.
    strict_file = FILM if strict is not score and evidence.file(FILM) else file
    findings = [
        Finding(
            name=name,
            value=value,
            because=because,
            file=about,
            mode=mode,
            unreadable=each.refusal is not None and each.refusal.unreadable,
        )
        for mode, each, about in (("paper", score, file), ("strict", strict, strict_file))
        for name, (value, because) in _score_texts(each, join).items()
    ]
    pointed = [_point_at_cut(finding, join, film) for finding in findings]
    charged = [film.charge_faults(each) if each.mode == "strict" else each for each in pointed]
    return [*charged, *film.findings]


def _check_film(
    evidence: Evidence, item: SequencingItem, order: list[str] | Refusal | None, failure: str
) -> FilmReport:
    @cache
    def clips() -> dict[str, FilmHashes]:
        return {ref.name: _clip_prints(evidence.store.path(ref), ref.sha256) for ref in item.materials}

    film: list[FilmHashes] = []

    def watch(path: Path) -> tuple[ClipRun, ...]:
        delivered = evidence.file(FILM)
        film.append(_film_prints(path, delivered.sha256 if delivered else ""))
        return find_clip_runs(film[0], clips())

    return verify_film(
        evidence,
        next(each for each in item.deliveries if each.name == FILM),
        order,
        {ref.name: evidence.store.path(ref) for ref in item.materials},
        manifest=ORDER,
        watched=watch,
        unlike=lambda runs, said: order_mismatch(runs, said, clips()) or playback_mismatch(film[0], runs, clips()),
        failure=failure,
    )


@lru_cache(maxsize=CLIPS)
def _clip_prints(path: Path, sha256: str) -> FilmHashes:
    """Look at a clip once for all films of it; the hash tells files at one path apart."""
    return hash_film(path)


@lru_cache(maxsize=FILMS)
def _film_prints(path: Path, sha256: str) -> FilmHashes:
    """Look at a film once for all orders that are delivered with it."""
    return hash_film(path)


def _point_at_cut(finding: Finding, join: tuple[str, str] | None, film: FilmReport) -> Finding:
    """Point `adj` at the first wrong cut of the film, where the film shows the delivered order."""
    if finding.name != "adj" or join is None or film.refusal is not None:
        return finding
    first, second = (next(run for run in film.runs if run.clip == clip) for clip in join)
    return finding.model_copy(update={"file": FILM, "at": Span(start_s=first.start_s, end_s=second.end_s)})


def _score_texts(score: OrderScore, join: tuple[str, str] | None) -> dict[str, tuple[float, str]]:
    """Return the value and the sentence of each score."""
    if score.refusal is not None:
        return dict.fromkeys(SCORES, (0.0, f"{score.refusal.name}: {score.refusal.reason}"))
    wrong = f"; the first wrong one is {join[0]} to {join[1]}" if join else ""
    return {
        "score": (score.score, score.because),
        "nd": (1 - score.nd, f"clips lie {score.displaced} places off in all, ND is {score.nd:.3f}"),
        "lis": (score.lis, f"{score.backbone} of {score.clips} clips stand in the order of the film, gaps allowed"),
        "adj": (score.adj, f"{score.joins} of {score.clips - 1} cuts are those of the film{wrong}"),
        "exact": (float(score.strict), "the order is that of the film" if score.strict else "the order is another"),
    }
