"""Two counts of tokens, and why they differ."""

from typing import Any

from cutscore.core.usage import Usage
from cutscore.models.endpoint.server import EndpointCall
from cutscore.models.endpoint.wire import WireName
from cutscore.subjects.harness.usage_difference import explain_difference

TOOK = Usage(input=101, cached=1003, cache_write=507, output=23, reasoning=11)
ALL = {"input": 101, "cached": 1003, "cache_write": 507, "output": 23, "reasoning": 11}


def _call(wire: WireName = "messages", **known: Any) -> EndpointCall:
    return EndpointCall(**{"n": 1, "at_s": 0.0, "wire": wire, "by": "main", "model": "m", "tools": ("Bash",),
                           "status": 200, "usage": TOOK, **known})  # fmt: skip


def _explain(told: Usage | None, *calls: EndpointCall, counts_helpers: bool = False, cut_off: bool = False) -> Any:
    return explain_difference(told, calls, counts_helpers=counts_helpers, is_cut_off=cut_off)


def test_equal_counts_need_no_cause() -> None:
    assert _explain(TOOK, _call()) == {}


def test_reasoning_that_is_not_told_apart_is_in_the_output() -> None:
    told = Usage(input=101, cached=1003, cache_write=507, output=34)
    assert _explain(told, _call()) == {"reasoning_in_output": {"output": -11, "reasoning": 11}}


def test_a_wire_without_cache_writes_tells_them_as_input() -> None:
    told = Usage(input=608, cached=1003, output=23, reasoning=11)
    moved = {"cache_writes_as_input": {"input": -507, "cache_write": 507}}
    assert _explain(told, _call("responses")) == moved
    assert _explain(told.model_copy(update={"cache_write": 0}), _call("chat")) == moved


def test_helpers_and_sub_agents_are_told_apart() -> None:
    calls = (_call(), _call(by="helper"), _call(by="helper", tools=()))
    assert _explain(TOOK, *calls) == {"helpers": ALL, "sub_agents": ALL}
    assert _explain(TOOK + TOOK, *calls, counts_helpers=True) == {"helpers": ALL}


def test_what_a_killed_log_lacks_is_its_last_step() -> None:
    assert _explain(TOOK, _call(), _call(), cut_off=True) == {"killed_step": ALL}
    assert _explain(TOOK, _call(), _call()) == {"unexplained": ALL}


def test_no_log_at_all_is_said() -> None:
    assert _explain(None, _call()) == {"no_log": ALL}
    assert _explain(None) == {}


def test_a_bucket_that_the_endpoint_does_not_know_is_compared_with_nothing() -> None:
    seen = Usage(input=101, cached=None, output=23)
    assert _explain(Usage(input=101, cached=7, output=23), _call(usage=seen)) == {}


def test_an_error_took_no_tokens() -> None:
    assert _explain(TOOK, _call(), _call(status=400, usage=None, error="the turn limit of 1 is reached")) == {}
