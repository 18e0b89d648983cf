"""Entries of a list of weaknesses that are none: blanks, "no issues", what was named before."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cutscore.core.judgement import Weakness

# Whole entries that say that there is nothing, as words; an entry that only begins so names a weakness.
_NOTHING = frozenset(
    {
        "none", "no", "nothing", "n a", "na", "nil", "null", "pass", "ok", "okay",
        "no issue", "no issues", "no weakness", "no weaknesses", "no problem", "no problems", "no defect", "no defects",
        "no fault", "no faults", "no error", "no errors", "no flaw", "no flaws", "no anomaly", "no anomalies",
        "no issue found", "no issues found", "no weakness found", "no weaknesses found", "no problems found",
        "no defects found", "no issues detected", "no weaknesses detected", "no anomalies detected",
        "no visible issues", "no visible weaknesses", "no obvious issues", "no obvious weaknesses", "no major issues",
        "none found", "none detected", "none observed", "nothing wrong", "nothing to report", "not applicable",
        "there are none", "there are no issues", "there are no weaknesses", "the video has no issues",
        "keine", "keiner", "nichts", "kein fehler", "keine fehler", "kein mangel", "keine mängel",
        "keine schwächen", "keine probleme", "keine auffälligkeiten", "nichts zu beanstanden",
    }
)  # fmt: skip


@dataclass(frozen=True)
class CleanedWeaknesses:
    """The entries that name a weakness, each once, and a sentence for every other one."""

    kept: tuple[Weakness, ...]
    dropped: tuple[str, ...]


def clean_weaknesses(listed: Sequence[Weakness], *, whose: str) -> CleanedWeaknesses:
    """Return the entries that name a weakness.

    Doubles have the same words, in case and punctuation alone different, the same code, and no two places; of them the
    first stays. `whose` tells in the sentences which list it is.

    >>> clean_weaknesses([Weakness(text="No issues."), Weakness(text="No issues with the hand but its colour")],
    ...                  whose="judge").dropped
    ("judge: entry 1, 'No issues.', says that there is nothing",)
    """
    kept: dict[tuple[str, str, str], Weakness] = {}
    dropped = []
    for number, each in enumerate(listed, start=1):
        words = fold_words(each.text)
        key = (words, each.code, str(each.at))
        fault = (
            "has no words" if not words
            else "says that there is nothing" if words in _NOTHING
            else "was named before" if key in kept
            else ""
        )  # fmt: skip
        if fault:
            dropped.append(f"{whose}: entry {number}, {each.text[:80]!r}, {fault}")
        else:
            kept[key] = each
    return CleanedWeaknesses(tuple(kept.values()), tuple(dropped))


def fold_words(text: str) -> str:
    """Return the words of a text without case and punctuation.

    >>> fold_words(" The hand — melts! ")
    'the hand melts'
    """
    return " ".join(re.findall(r"\w+", text.casefold().replace("_", " ")))
