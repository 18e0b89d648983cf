"""The length penalty of swapped shots: AgenticVBench, Appendix H.1.2.

"A length penalty if the output is more than 10% shorter or longer than the golden"; the paper does not say how large.
Ours is the shorter over the longer length, so that what is missing or added costs its share. The factor therefore jumps
where it sets in: at exactly 10% it is 1, and right behind 10/11 for a longer output and 9/10 for a shorter one.
"""

from fractions import Fraction

from cutscore.core.errors import Unscored

FREE = Fraction(1, 10)  # of golden's length, itself included


def length_factor(out_s: Fraction, golden_s: Fraction, *, free: Fraction = FREE) -> Fraction:
    """Return what the score is multiplied by, 0 … 1.

    Args:
        out_s: Length of the output, in seconds. Nothing at all has the factor 0.
        golden_s: Length of golden. Without any the item is broken and unscored.
        free: How far the two may differ, as a share of golden's length, at no cost.

    >>> length_factor(Fraction(55), Fraction(50)), length_factor(Fraction(40), Fraction(50))
    (Fraction(1, 1), Fraction(4, 5))
    """
    if golden_s <= 0:
        raise Unscored("golden", f"lasts {float(golden_s):g} s")
    if out_s <= 0:
        return Fraction(0)
    if abs(out_s - golden_s) <= free * golden_s:
        return Fraction(1)
    return min(out_s, golden_s) / max(out_s, golden_s)
