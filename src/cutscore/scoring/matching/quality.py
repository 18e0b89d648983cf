"""How good a matcher is, on triples of our own (`triples.jsonl`), in English and German.

A fault stands beside a rewording, another fault of the same thing, and a fault of something else.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cutscore.core.frozen import FrozenModel
from cutscore.core.judgement import Weakness
from cutscore.core.matching import Matcher

FILE = Path(__file__).parent / "triples.jsonl"


class FaultTriple(FrozenModel):
    """A fault, and three that a judge may have named instead."""

    language: str
    fault: str
    same: str
    other: str
    unrelated: str


@dataclass(frozen=True)
class MatcherQuality:
    """What a matcher makes of the triples of one language, or of all where it is empty.

    Args:
        same, other, unrelated: Share of each kind that it takes for the same fault; 1, 0 and 0 are right.
        precision: Share of the rewordings among all that it takes for the same; None where there is nothing such.
    """

    matcher: str
    approximate: bool
    language: str
    n: int
    same: float
    other: float
    unrelated: float
    precision: float | None

    @property
    def recall(self) -> float:
        """Share of the rewordings that it finds."""
        return self.same


@cache
def fault_triples() -> tuple[FaultTriple, ...]:
    """Read the triples."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return tuple(FaultTriple.model_validate(json.loads(line)) for line in lines)


def matcher_quality(matcher: Matcher) -> tuple[MatcherQuality, ...]:
    """Return a matcher's precision and recall over all triples, then for each language.

    Each pair is asked about by itself: a rewording may well be missing where another fault of the same thing is there.
    """
    triples = fault_triples()
    found = [
        tuple(_is_same(matcher, each.fault, said) for said in (each.same, each.other, each.unrelated))
        for each in triples
    ]
    languages = ("", *dict.fromkeys(each.language for each in triples))
    chosen = {
        language: [row for row, each in zip(found, triples, strict=True) if language in ("", each.language)]
        for language in languages
    }
    return tuple(_quality(matcher, language, rows) for language, rows in chosen.items())


def _is_same(matcher: Matcher, fault: str, said: str) -> bool:
    return bool(matcher.pair([Weakness(text=fault)], [Weakness(text=said)]).pairs)


def _quality(matcher: Matcher, language: str, rows: Sequence[tuple[bool, ...]]) -> MatcherQuality:
    same, other, unrelated = (sum(row[kind] for row in rows) for kind in range(3))
    taken, n = same + other + unrelated, len(rows)
    return MatcherQuality(
        matcher.name,
        matcher.approximate,
        language,
        n,
        same / n,
        other / n,
        unrelated / n,
        same / taken if taken else None,
    )
