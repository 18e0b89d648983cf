"""Why the tokens that an agent tells are not those that the endpoint saw, cause by cause.

    sub_agents              they have logs of their own, which the agent's sum leaves out
    helpers                 titles, summaries: requests without tools, in no log
    cache_writes_as_input   the wire has no bucket for them
    reasoning_in_output     the agent does not tell it apart
    killed_step             it was ended before its log had the last answer
    unexplained             none of these

Each cause has the tokens that the endpoint has more (or less, where they moved to another bucket). A bucket that one
side does not know is compared with nothing.
"""

from collections.abc import Iterable, Mapping, Sequence

from pydantic import JsonValue

from cutscore.core.usage import TOKEN_BUCKETS, ZERO_USAGE, Usage
from cutscore.models.endpoint.server import EndpointCall

# Wires that tell what was written into a cache as plain input.
FOLDING_WIRES = ("responses", "chat", "gemini")
Gap = Mapping[str, int]


def explain_difference(
    told: Usage | None, calls: Sequence[EndpointCall], *, counts_helpers: bool, is_cut_off: bool
) -> dict[str, JsonValue]:
    """Return the tokens that the endpoint saw and the agent does not tell, by cause and bucket; empty where all agree.

    `counts_helpers` is whether the agent's sum has its sub-agents, `is_cut_off` whether somebody else ended it, so that
    its log may lack the last answer.
    """
    answered = [call for call in calls if call.usage is not None]
    sub_agents = [call for call in answered if call.by == "helper" and call.tools]
    helpers = [call for call in answered if call.by == "helper" and not call.tools]
    seen = _add(answered)
    if told is None:
        return _name(no_log=_known(seen))
    causes: dict[str, Gap] = {"helpers": _known(_add(helpers))}
    if not counts_helpers:
        causes["sub_agents"] = _known(_add(sub_agents))
    left_out = {id(call) for call in (*helpers, *(() if counts_helpers else sub_agents))}
    counted = [call for call in answered if id(call) not in left_out]
    expected = _known(_add(counted))
    folded = sum(call.usage.cache_write or 0 for call in counted if call.usage and call.wire in FOLDING_WIRES)
    causes["cache_writes_as_input"] = {"input": -folded, "cache_write": folded}
    thought = expected.get("reasoning", 0) if told.reasoning is None else 0
    causes["reasoning_in_output"] = {"output": -thought, "reasoning": thought}
    moved = {
        bucket: tokens - causes["cache_writes_as_input"].get(bucket, 0) - causes["reasoning_in_output"].get(bucket, 0)
        for bucket, tokens in expected.items()
    }
    rest = {bucket: tokens - (getattr(told, bucket) or 0) for bucket, tokens in moved.items()}
    causes["killed_step" if is_cut_off else "unexplained"] = rest
    return _name(**causes)


def _add(calls: Iterable[EndpointCall]) -> Usage:
    return sum((call.usage for call in calls if call.usage is not None), ZERO_USAGE)


def _known(usage: Usage) -> Gap:
    return {name: tokens for name in TOKEN_BUCKETS if (tokens := getattr(usage, name)) is not None}


def _name(**causes: Gap) -> dict[str, JsonValue]:
    """Return the causes that have tokens."""
    found = {cause: {bucket: tokens for bucket, tokens in gap.items() if tokens} for cause, gap in causes.items()}
    return {cause: dict(gap) for cause, gap in found.items() if gap}
