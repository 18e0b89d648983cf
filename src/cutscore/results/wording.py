"""Numbers as a reader wants them: the same digits, signs and words on every page."""

import json
from collections.abc import Sequence

from cutscore.core.card import Card
from cutscore.core.estimate import Estimate

_KNOWN = 10  # decimals of a figure that do not depend on the order in which it was added up


def digits_for(scale: tuple[float, float]) -> int:
    """Choose decimals for a scale: three for 0–1, one for 0–100."""
    span = abs(scale[1] - scale[0])
    return 3 if span <= 2 else 2 if span < 50 else 1


def number(value: float | None, digits: int = 3) -> str:
    """Write a value with a real minus sign; nothing to average is a dash, never 0.

    Two ways to add the same figures up differ in their last bits; what differs in these alone is one number.

    >>> number(-0.0312), number(-0.0001), number(None)
    ('−0.031', '0.000', '–')
    >>> number(0.0045), number(0.1 - 0.0955)
    ('0.004', '0.004')
    """
    if value is None:
        return "–"
    text = f"{round(value, _KNOWN):.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", "−")


def interval(low: float | None, high: float | None, digits: int = 3) -> str:
    """Write both ends of an interval; one that cannot be had is a dash, and the estimate's method says why.

    >>> interval(0.5, 0.75), interval(None, None)
    ('[0.500, 0.750]', '–')
    """
    if low is None or high is None:
        return "–"
    return f"[{number(low, digits)}, {number(high, digits)}]"


def figures(estimate: Estimate) -> tuple[str, str]:
    """Write value and interval of an estimate, with as many digits as its scale asks for."""
    digits = digits_for(estimate.scale)
    return number(estimate.value, digits), interval(estimate.low, estimate.high, digits)


def count(n: int, thing: str) -> str:
    """Write a count with its noun.

    >>> count(1, "item"), count(2000, "item")
    ('1 item', '2,000 items')
    """
    return f"{n:,} {thing}" if n == 1 else f"{n:,} {thing}s"


def counted(estimate: Estimate, card: Card) -> str:
    """Write what an estimate stands on: its clips, and where it asks several things about one, how many in all.

    >>> from cutscore.core.card import ScoreCard
    >>> card = Card(name="x", title="X", about="", version="1", licence="", headline="a", splits={},
    ...             scores={"a": ScoreCard(about="")}, sample_noun="question")
    >>> counted(Estimate(name="a", value=1, n=164, clusters=6), card)
    '164 questions on 6 clips'
    >>> counted(Estimate(name="a", value=1, n=6, clusters=6), card)
    '6 clips'
    """
    clusters = count(estimate.clusters, card.cluster_noun)
    return clusters if estimate.n == estimate.clusters else f"{count(estimate.n, card.sample_noun)} on {clusters}"


def names(words: Sequence[str], *, most: int = 3, thing: str = "subject") -> str:
    """Join names as prose; more than `most` are counted instead.

    >>> names(["a"]), names(["a", "b", "c"]), names(["a", "b", "c", "d"])
    ('a', 'a, b and c', '4 subjects')
    """
    if len(words) > most:
        return count(len(words), thing)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def p_value(value: float | None, *, missing: str = "–") -> str:
    """Write a p-value; where there was no test, what stands for it.

    >>> p_value(0.0421), p_value(0.0002), p_value(None)
    ('0.042', '<0.001', '–')
    """
    if value is None:
        return missing
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def usd(value: float | None) -> str:
    """Write money; small sums keep two significant places so that they do not read as nothing.

    >>> usd(12.5), usd(0.00034), usd(0.0), usd(None)
    ('$12.50', '$0.00034', '$0', 'unknown')
    """
    if value is None:
        return "unknown"
    if value == 0:
        return "$0"
    return f"${value:,.2f}" if value >= 0.1 else f"${value:.2g}" if value >= 0.0001 else f"${value:.6f}"


def size(n_bytes: int) -> str:
    """Write a file's length.

    >>> size(37), size(5_200_000)
    ('37 B', '5.2 MB')
    """
    if n_bytes < 1000:
        return f"{n_bytes} B"
    for unit, scale in (("kB", 1e3), ("MB", 1e6)):
        if n_bytes < scale * 1000:
            return f"{n_bytes / scale:.1f} {unit}"
    return f"{n_bytes / 1e9:.1f} GB"


def tone(value: float, scale: tuple[float, float]) -> str:
    """Sort a value into five shades, so that the page needs no inline style.

    >>> tone(0.0, (0, 1)), tone(0.5, (0, 1)), tone(1.0, (0, 1))
    ('q0', 'q2', 'q4')
    """
    share = (value - scale[0]) / (scale[1] - scale[0]) if scale[1] > scale[0] else 1.0
    if share >= 1:
        return "q4"
    return "q0" if share <= 0 else f"q{1 + min(2, int(share * 3))}"


def reason(because: str) -> str:
    """Write the reason of a finding for people; of a whole record as JSON, what it holds.

    >>> reason("the mix is too loud"), reason('{"reward":0.5,"s_in":1.0}')
    ('the mix is too loud', 'a record of reward, s_in; --json shows it')
    """
    held = describe_record(because)
    return f"{held}; --json shows it" if held else because


def describe_record(text: str) -> str:
    """Name the fields of a record that is written as JSON; nothing for other texts."""
    if not text.startswith("{"):
        return ""
    try:
        held = json.loads(text)
    except ValueError:
        return ""
    return f"a record of {', '.join(held)}" if held else ""
