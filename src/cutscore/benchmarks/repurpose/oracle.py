"""Deliverables whose marks we know beforehand, and the judge who knows what was staged."""

from collections.abc import Sequence

from cutscore.benchmarks.repurpose.dataset import FILM, REPORT, Commission, SourceCut
from cutscore.benchmarks.repurpose.excerpts import put_excerpts
from cutscore.benchmarks.repurpose.mark import analyse_film
from cutscore.benchmarks.repurpose.rubric.criteria import Criterion
from cutscore.benchmarks.repurpose.source_map.edit import SourceMap
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import Unscored
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileRef, FileStore
from cutscore.core.judgement import Judgement, Question


def perfect(item: Commission, store: FileStore) -> Deliverable:
    """Return an edit that fulfils the whole rubric: the marker's own film, or the edit that the item knows."""
    own = next((ref for ref in item.hidden if ref.name.endswith(f"/{FILM}")), None)
    if own is not None:
        return _hand_over(store, store.put(store.path(own), name=FILM, media_type="video/mp4"), item)
    return _cut(item, item.edit, store)


def empty(item: Commission, store: FileStore) -> Deliverable:
    """Return nothing."""
    return Deliverable()


def near_miss(item: Commission, store: FileStore) -> Deliverable:
    """Return the same edit without its last shot."""
    return _cut(item, item.edit[:-1] or item.edit, store)


def _cut(item: Commission, edit: Sequence[SourceCut], store: FileStore) -> Deliverable:
    if not edit:
        raise Unscored(f"item '{item.id}'", "nobody knows an edit that fulfils its rubric", "add one as 'edit'")
    kept = [(each.span, each.middle) for each in edit]
    return _hand_over(store, put_excerpts(store, FILM, item.source, kept, item.film.aspect), item)


def _hand_over(store: FileStore, film: FileRef, item: Commission) -> Deliverable:
    words = "\n".join(["Kept, in this order:", *(f"- {each.span}" for each in item.edit)])
    report = store.put_bytes(words.encode(), name=REPORT, media_type="text/markdown")
    return Deliverable(files=(film, report))


def judge_by_truth(questions: Sequence[Question], evidence: Evidence, item: Commission) -> list[Judgement]:
    """Answer items by their predicates over the source's own time.

    Of a film that is not made of the source nothing is so, whatever a predicate makes of it: a black film has no
    sentence that breaks off either. It has its faults.
    """
    film, asked = analyse_film(evidence, item).map, {each.id: each for each in item.rubric}
    return [_decide(question.id, asked[question.id], film) for question in questions]


def _decide(id: str, criterion: Criterion, film: SourceMap) -> Judgement:
    if criterion.predicate is None:
        return Judgement(question=id, judge="stage", because="the item carries no predicate; name another judge")
    fact = criterion.predicate.decide(film)
    if film.ungrounded and criterion.pillar != "penalty":
        return Judgement(question=id, judge="stage", answer="no", because="the film is not made of the source")
    return Judgement(question=id, judge="stage", answer="yes" if fact.yes else "no", because=fact.because, at=fact.at)
