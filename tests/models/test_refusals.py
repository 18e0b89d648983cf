"""Whose failing an error is: read from what a server says, whichever client brings it."""

import json
from typing import Any

import pytest
from inspect_ai.model import ModelOutput, ModelUsage, StopDetails
from inspect_ai.model._model_call import ModelCall

from cutscore.core.errors import Unscored
from cutscore.models.faults import ServerError, retry_after_s, server_error, unscored_error
from cutscore.models.provider_client import mend_counts
from cutscore.models.refusals import (
    ErrorAsWords,
    failure_without_words,
    refuse_error_words,
    require_room,
    stopped_without_words,
    wordless_stop,
)

# What servers say to a request that does not fit, that a filter stopped, and that is wrong in another way.
TOO_LONG = (
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "input length and `max_tokens` exceed context limit: 199759 + 20000 > 200000",
    "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).",
    "Too many input tokens",
    "the request exceeds the available context size. try increasing the context size",
)
FILTERED = (
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
    "Your request was rejected as a result of our safety system.",
    "Output blocked by content filtering policy",
    "Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
)
OURS = (
    "max_tokens is too large: 100000. This model supports at most 16384 completion tokens",
    "'max_tokens' must be at most the context length of 4096",
    "Unsupported parameter: 'temperature' is not supported with this model.",
    "Your organization has been blocked.",
    "You exceeded your current quota, please check your plan and billing details.",
    "Invalid image: could not decode",
)


@pytest.mark.parametrize(("messages", "stop"), [(TOO_LONG, "model_length"), (FILTERED, "content_filter"), (OURS, None)])
def test_an_error_is_the_models_failing_only_where_it_says_so(messages: tuple[str, ...], stop: str | None) -> None:
    assert {wordless_stop(ServerError(400, frozenset(), each)) for each in messages} == {stop}


@pytest.mark.parametrize("status", [307, 401, 404, 429, 500, 503])
def test_no_words_make_another_status_the_models_failing(status: int) -> None:
    said = ServerError(status, frozenset({"content_filter", "context_length_exceeded"}), TOO_LONG[0])
    assert wordless_stop(said) is None


def made_of_error(text: str, stop: Any, **more: Any) -> ModelOutput:
    return ModelOutput.from_content("m", text, stop_reason=stop, **more)


def test_what_inspect_makes_of_an_error_is_an_error_again() -> None:
    body = {"message": "does not fit: blue", "code": "context_length_exceeded"}
    call = ModelCall(request={}, response=body, error=True)
    with pytest.raises(ErrorAsWords) as raised:
        refuse_error_words(made_of_error("does not fit: blue", "model_length"), call)
    assert server_error(raised.value).codes == {"context_length_exceeded"}
    spelled = "Error code: 413 - {'type': 'error', 'error': {'type': 'request_too_large', 'message': 'too large'}}"
    with pytest.raises(ErrorAsWords) as raised:
        refuse_error_words(made_of_error(spelled, "model_length", error=spelled), None)
    assert server_error(raised.value) == ServerError(413, frozenset({"request_too_large", "error"}), "too large")
    assert "takes no request of this size (HTTP 413: too large)" in str(unscored_error(raised.value, "m"))
    refuse_error_words(made_of_error("blue", "stop"), ModelCall(request={}))


def test_a_filtered_answer_has_no_words_and_a_cut_one_keeps_them() -> None:
    usage = ModelUsage(input_tokens=9, output_tokens=1)
    for output in (made_of_error("blue", "content_filter"), made_of_error("no", "stop")):
        output.usage = usage
        output.choices[0].stop_details = StopDetails(type="refusal")
        silent = stopped_without_words(output)
        assert (silent.completion, silent.stop_reason, silent.usage) == ("", "content_filter", usage)
        failed = failure_without_words(silent, "p/m")
        assert failed is not None
        assert failed.failure_class == "refused"
    for stop in ("max_tokens", "model_length", "stop", "unknown"):
        output = made_of_error("blue", stop)
        output.usage = usage
        assert stopped_without_words(output) is output
        assert failure_without_words(output, "p/m") is None


def test_who_judges_or_writes_says_nothing_when_the_request_does_not_fit() -> None:
    with pytest.raises(Unscored, match="the request did not fit into the model's context; show it fewer frames"):
        require_room(made_of_error("", "model_length"), "p/m")
    require_room(made_of_error("", "content_filter"), "p/m")
    require_room(made_of_error("blue", "model_length"), "p/m")


class Refused(Exception):
    """An error as the clients of OpenAI and Anthropic raise it."""

    def __init__(self, status: int, said: str = "", **headers: str) -> None:
        super().__init__(f"Error code: {status} - {said!r}")
        self.body = {"message": said, "code": None} if said else None
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        self.response = type("Response", (), {"status_code": status, "headers": names})()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (Refused(401, "no\nsuch key"), "does not accept the key (HTTP 401: no such key); set the key that belongs"),
        (Refused(403, "no"), "does not allow this with the key (HTTP 403: no); see what the key may do, then run"),
        (Refused(404, "no"), "knows no such model or address (HTTP 404: no); check the model's name and the address"),
        (Refused(400, "no \x1b[31m"), "refused the request (HTTP 400: no �[31m); mend that, then run the same"),
        (Refused(307, location="http://else.example/v1"), "redirects to 'http://else.example/v1' (HTTP 307), and no"),
        (Refused(503), "gave up after 3 attempts, the last one ended in HTTP 503; run the same command again"),
        (RuntimeError("odd"), "cannot be asked (RuntimeError: odd); mend that, then run the same command again"),
    ],
)
def test_every_fault_has_its_sentence(error: Exception, said: str) -> None:
    assert said in str(unscored_error(error, "p/m", attempts=3))


def test_how_long_a_server_asks_to_wait() -> None:
    assert retry_after_s(Refused(429, retry_after="20")) == 20
    assert [retry_after_s(each) for each in (Refused(429, retry_after="soon"), Refused(429), None)] == [None] * 3


@pytest.mark.parametrize("count", [None, "9", 9.5, True, [], {}])
def test_counts_that_are_none_do_not_cost_the_answer(count: object) -> None:
    chat = {"choices": [1], "usage": {"prompt_tokens": count, "completion_tokens": 1, "total_tokens": 1}}
    assert json.loads(mend_counts(json.dumps(chat))) == {"choices": [1], "usage": None}
    start = {"type": "message_start", "message": {"type": "message", "usage": {"input_tokens": count}}}
    mended = json.loads(mend_counts(json.dumps(start)))
    assert mended["message"]["usage"] == {"input_tokens": 0, "output_tokens": 0}


@pytest.mark.parametrize(
    "text",
    [
        '{"usage": {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10, "x_details": {"a_tokens": null}}}',
        '{"type": "message", "usage": {"input_tokens": 9, "output_tokens": 1, "cache_read_input_tokens": null}}',
        '{"type": "message_delta", "usage": {"output_tokens": 1, "input_tokens": null}}',
        '{"usage": null}',
        "[1]",
        "{",
        "[" * 5000,
    ],
)
def test_what_can_be_stays_as_it_came(text: str) -> None:
    assert mend_counts(text) == text
