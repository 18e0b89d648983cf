"""The small facts of an agent's sample, as its page tells them: which version, in what box, how many turns."""

from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from cutscore.core.row import Row
from cutscore.core.usage import Usage


def usage_facts(row: Row) -> Iterator[tuple[str, str]]:
    """Return the tokens of a row, twice where its subject tells them too, and why the two are not the same."""
    seen, told = ("tokens we saw", "tokens it tells") if row.told_usage else ("tokens", "")
    for name, usage in ((seen, row.usage), (told, row.told_usage), ("judge tokens", row.judge_usage)):
        if usage is not None and (known := name_buckets(usage)):
            yield name, known
    causes = row.environment.get("usage_difference")
    if isinstance(causes, dict) and causes:
        yield "they differ by", "; ".join(f"{cause.replace('_', ' ')} ({_gap(gap)})" for cause, gap in causes.items())


def box_facts(environment: Mapping[str, JsonValue]) -> Iterator[tuple[str, str]]:
    """Return what is known of an agent and its box; nothing for other subjects."""
    if "agent" not in environment:
        return
    off = ", not the paper's version" if environment.get("off_pin") else ""
    yield "agent", f"{environment['agent']} {environment.get('agent_version')}{off}"
    held = [f"{name} {environment[name]}" for name in ("isolation", "network") if name in environment]
    held += [f"{environment['processors']} processors"] if "processors" in environment else []
    held += [f"{memory:g} GB"] if isinstance(memory := environment.get("memory_gb"), int | float) else []
    yield "box", ", ".join(held)
    if isinstance(turns := environment.get("turns"), int):
        yield "turns", f"{turns} of {environment.get('turn_limit')}"


def name_buckets(usage: Usage) -> str:
    """Write the tokens that are known, by bucket."""
    known = {bucket: value for bucket, value in usage.model_dump().items() if value}
    return ", ".join(f"{value:,} {bucket.replace('_', ' ')}" for bucket, value in known.items())


def _gap(gap: JsonValue) -> str:
    tokens = gap.items() if isinstance(gap, dict) else ()
    return ", ".join(f"{value:+,} {bucket.replace('_', ' ')}" for bucket, value in tokens)
