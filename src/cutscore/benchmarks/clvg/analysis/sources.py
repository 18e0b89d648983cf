"""Whose verdicts they are: a verifier's, people's or a judge's. No table mixes them."""

from collections.abc import Iterable

from cutscore.core.row import Row

VERIFIER, PEOPLE, NOBODY = "verifier", "people", "nobody"


def source_of(judge: str) -> str:
    """Return the source of a verdict by its judge.

    >>> source_of("stage"), source_of("people:labels.jsonl"), source_of("openai/x"), source_of("")
    ('verifier', 'people', 'judge:openai/x', 'nobody')
    """
    if judge in ("stage", "truth"):
        return VERIFIER
    if judge.startswith("people:"):
        return PEOPLE
    return f"judge:{judge}" if judge else NOBODY


def by_source(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Return the rows of each source of verdicts, people first, then verifiers, then judges by name."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(source_of(row.judge), []).append(row)
    order = {PEOPLE: 0, VERIFIER: 1}
    return {name: found[name] for name in sorted(found, key=lambda name: (order.get(name, 2), name))}
