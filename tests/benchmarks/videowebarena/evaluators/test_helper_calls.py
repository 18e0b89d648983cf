"""Calls of helpers: all that the released files hold, and nothing else."""

import json
from collections import Counter

import pytest

from cutscore.benchmarks.videowebarena.evaluators.helper_calls import HELPERS, HelperCall, parse_call
from cutscore.core.errors import Unscored


def test_takes_every_call_of_the_released_files(released_sections):
    calls = [
        text
        for section in released_sections
        for target in section.get("program_html") or []
        for text in (target["url"], target["locator"])
        if text.startswith("func")
    ]
    used = Counter(parse_call(call).name for call in calls)
    assert set(used) == set(HELPERS)
    assert (used["get_query_text"], used["shopping_get_latest_order_url"], used["reddit_get_post_url"]) == (
        190,
        137,
        68,
    )


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("func:open('/etc/passwd')", "calls 'open', which is none of the 15 helpers"),
        ("func:__import__('os').system('true')", "is no plain call of a helper"),
        ("func:get_query_text(__page__, open('x'))", "has an argument that is not a literal text"),
        ("func:get_query_text(__page__, f'{1}')", "has an argument that is not a literal text"),
        ("func:get_query_text('a', 'b')", "has an argument that is not __page__"),
        ("func:get_query_text(__page__)", "gives 'get_query_text' 1 arguments, it takes 2"),
        ("func:get_query_text(__page__, query='b')", "is no plain call of a helper"),
        ("func:[get_query_text(__page__, 'b')]", "is no plain call of a helper"),
        ("func:reddit_get_post_url('a'); 1", "is no call"),
        ("func:" + "(" * 900, "is no call"),
        ("func:reddit_get_post_url('" + "a" * 5000 + "')", "is longer than 4,000 characters"),
    ],
)
def test_refuses_anything_else(text, fact):
    with pytest.raises(Unscored, match="mend the task") as refused:
        parse_call(text)
    assert refused.value.fact == fact


def test_puts_the_last_address_into_a_literal_only():
    call = parse_call("func:reddit_get_post_url('__last_url__')")
    assert call.at("http://r/f/a/1'); x('") == HelperCall("reddit_get_post_url", ("http://r/f/a/1'); x('",))


def test_a_call_is_plain_data():
    assert json.dumps(parse_call("func:shopping_get_latest_order_url()").arguments) == "[]"
