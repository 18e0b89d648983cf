"""Algorithm 1's S: two lists of weaknesses and which are the same → what one sample adds to a confusion matrix."""

from collections.abc import Collection, Container, Sized

from cutscore.core.errors import BadInput
from cutscore.core.matching import Confusion, MatchMode


def semantic_confusion(
    reference: Sized,
    predicted: Sized,
    pairs: Collection[tuple[int, int]],
    *,
    mode: MatchMode,
    coverage: bool = False,
    plausible: Container[int] = (),
) -> Confusion:
    """Return the cells of one sample as shares that add up to 1.

    Only a sample without weaknesses on either side earns a true negative. Where one side is empty, its verdict is all
    that counts, however many the other names. Where both name some, `paper` counts the verdict once and every item
    once, so a right verdict for a wrong reason still earns a share; `reference` counts items alone, and a prediction
    that is plausible though nobody listed it is a hit.

    Args:
        reference: What people named; only how many counts.
        predicted: What the judge named, likewise.
        mode: What counts, see above.
        pairs: (number in the reference, number in the prediction), from 0.
        coverage: A prediction may cover several of the reference: hits are covered references, false alarms are
            predictions that cover none. Without it pairs are one-to-one.
        plausible: Predictions that are right although nobody listed them; they count in `reference` alone.

    >>> semantic_confusion(range(2), range(3), [(0, 0)], mode="paper")
    Confusion(tp=0.4, tn=0.0, fp=0.4, fn=0.2)
    """
    true, named = len(reference), len(predicted)
    hit, used = _check_pairs(true, named, pairs, coverage=coverage)
    if not true or not named:
        return Confusion(
            tn=float(not true and not named), fp=float(named > 0 and not true), fn=float(true > 0 and not named)
        )
    extras = [number for number in range(named) if number not in used]
    right = sum(number in plausible for number in extras) if mode == "reference" else 0
    verdict = 1 if mode == "paper" else 0
    return Confusion(tp=verdict + len(hit) + right, fp=len(extras) - right, fn=true - len(hit)).normalised()


def _check_pairs(
    true: int, named: int, pairs: Collection[tuple[int, int]], *, coverage: bool
) -> tuple[set[int], set[int]]:
    """Return who is paired on either side; raise BadInput where a pair cannot be."""
    for one, other in pairs:
        if not (0 <= one < true and 0 <= other < named):
            raise BadInput("matched weaknesses", f"pair ({one}, {other}) is not among {true} and {named}")
    hit, used = {one for one, _ in pairs}, {other for _, other in pairs}
    if not coverage and min(len(hit), len(used)) < len(pairs):
        raise BadInput("matched weaknesses", "one of them has several partners", "pair one-to-one, or say coverage")
    return hit, used
