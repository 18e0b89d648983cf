"""What providers count: tokens sorted into our five buckets, and sentences about numbers that cannot be."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeGuard

from cutscore.core.usage import Usage

# Our bucket → what genai-prices calls its price, and the bucket that holds it where it has no price of its own.
BUCKETS = {
    "input": ("input_mtok", ""),
    "cached": ("cache_read_mtok", "input"),
    "cache_write": ("cache_write_mtok", "input"),
    "output": ("output_mtok", ""),
    "reasoning": ("output_reasoning_mtok", "output"),
}


# Of one call. A hundred times what the largest context takes; whoever tells more has not counted.
MOST_TOKENS = 100_000_000
NO_COUNT = "the provider counted 0 tokens for a call that it answered; its cost is unknown"


@dataclass(frozen=True)
class CountedUsage:
    """A usage, and sentences about counts that cannot be."""

    usage: Usage
    warnings: tuple[str, ...] = ()


def _can_be(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= MOST_TOKENS


def usage_from_counts(
    counts: Mapping[str, object],
    *,
    cached_in_input: bool = False,
    reasoning_in_output: bool = True,
    absent_is_zero: bool = False,
) -> CountedUsage:
    """Sort a provider's counts into our buckets, and take what cannot be for unknown.

    Args:
        counts: As they came, by bucket. What is no whole number from 0 to `MOST_TOKENS` is unknown, and so is what is
            left out. Nothing read is unknown, too: a call has words.
        cached_in_input: `input` holds both cache counts (OpenAI's own replies do; Anthropic's and Inspect's do not).
        reasoning_in_output: `output` holds `reasoning` (Gemini's own replies are the exception).
        absent_is_zero: The source leaves cache counts out where it means 0.

    >>> usage_from_counts({"input": 100, "cached": 120, "output": 5}, cached_in_input=True).warnings
    ('120 of 100 input tokens cannot be cached; both are taken as unknown',)
    """
    given = {bucket: counts.get(bucket) for bucket in BUCKETS}
    if all(value is None for value in given.values()):
        return CountedUsage(Usage(), ("the provider counted no tokens",))
    sane = {bucket: value if _can_be(value) else None for bucket, value in given.items()}
    odd = [bucket for bucket, value in given.items() if value is not None and sane[bucket] is None]
    warnings = [f"{given[bucket]!r:.20} {bucket} tokens cannot be; taken as unknown" for bucket in odd]
    if not odd and not any(given.values()):
        return CountedUsage(Usage(), (NO_COUNT,))
    if absent_is_zero:
        sane |= {bucket: 0 for bucket in ("cached", "cache_write") if given[bucket] is None}
    for whole, nested in (("input", cached_in_input), ("output", reasoning_in_output)):
        parts = [bucket for bucket, (_, around) in BUCKETS.items() if nested and around == whole]
        inside, total = sum(sane[part] or 0 for part in parts), sane[whole]
        if total is not None and inside > total:
            warnings.append(f"{inside} of {total} {whole} tokens cannot be {parts[0]}; both are taken as unknown")
            sane |= dict.fromkeys((whole, *parts))
        elif total is not None:
            sane[whole] = total - inside
    return CountedUsage(Usage(**sane), tuple(warnings))
