"""Match what a judge named with what people named: the cells of one sample, and what an optimiser is told of it."""

import logging
from collections.abc import Sequence

from cutscore.core.judgement import Weakness
from cutscore.core.matching import Matcher, MatchMode, MatchResult, WeaknessPairs, verdict_confusion
from cutscore.scoring.matching.cleaning import clean_weaknesses
from cutscore.scoring.matching.confusion import semantic_confusion

_log = logging.getLogger(__name__)


def match(
    reference: Sequence[Weakness],
    predicted: Sequence[Weakness],
    matcher: Matcher,
    mode: MatchMode = "paper",
    *,
    coverage: bool = False,
) -> MatchResult:
    """Return both lists cleaned and matched, with omissions and hallucinations by their words.

    Where one side names nothing, nobody is asked: all that the other names is omitted or made up.
    """
    people, judge = clean_weaknesses(reference, whose="people"), clean_weaknesses(predicted, whose="judge")
    for sentence in (*people.dropped, *judge.dropped):
        _log.info("dropped before matching: %s", sentence)
    both = bool(people.kept and judge.kept)
    found = matcher.pair(people.kept, judge.kept, coverage=coverage) if both else WeaknessPairs()
    hit, used = {one for one, _ in found.pairs}, {other for _, other in found.pairs}
    plausible = found.plausible - used if mode == "reference" and both else frozenset[int]()
    return MatchResult(
        confusion=semantic_confusion(
            people.kept, judge.kept, found.pairs, mode=mode, coverage=coverage, plausible=plausible
        ),
        binary=verdict_confusion(truth=bool(people.kept), said=bool(judge.kept)),
        pairs=found.pairs,
        reference=people.kept,
        predicted=judge.kept,
        omissions=tuple(each.text for number, each in enumerate(people.kept) if number not in hit),
        hallucinations=tuple(
            each.text for number, each in enumerate(judge.kept) if number not in used and number not in plausible
        ),
        matcher=matcher.name,
        approximate=matcher.approximate,
        mode=mode,
        plausible=tuple(judge.kept[number].text for number in sorted(plausible)),
        dropped=(*people.dropped, *judge.dropped),
        refused=found.refused,
    )
