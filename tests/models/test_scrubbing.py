"""Errors of providers lose the key that they repeat, and keep their class."""

import httpx
import openai
import pytest
from inspect_ai.event import ModelEvent
from inspect_ai.log._samples import track_active_model_event
from inspect_ai.model import GenerateConfig, ModelOutput
from inspect_ai.model._model_call import ModelCall, ModelRequestId
from pydantic import BaseModel, ValidationError

from cutscore.models.faults import UnreadableReply
from cutscore.models.scrubbing import scrub_error, scrub_event
from cutscore.redaction import Redactor

KEY = "zq7Kp0Vw3LmXs9Rt5YbN2cHd8FgJ4aUe"
clean = Redactor({"A_KEY": KEY}).text


def status_error() -> openai.AuthenticationError:
    response = httpx.Response(401, headers={"x-echo": KEY}, request=httpx.Request("POST", "http://127.0.0.1/v1"))
    return openai.AuthenticationError(f"bad key {KEY}", response=response, body={"code": KEY, "at": [f"x {KEY}"]})


def test_an_error_keeps_its_class_and_status_and_loses_the_key() -> None:
    error = status_error()
    error.__cause__ = RuntimeError(f"because of {KEY}")
    cleaned = scrub_error(error, clean)
    assert cleaned is error
    assert error.status_code == 401
    assert str(error) == error.message == "bad key [redacted:A_KEY]"
    assert error.body == {"code": "[redacted:A_KEY]", "at": ["x [redacted:A_KEY]"]}
    assert str(error.__cause__) == "because of [redacted:A_KEY]"


def test_an_error_without_a_secret_is_left_alone() -> None:
    error, body = RuntimeError("nothing"), {"plain": "nothing"}
    error.body = body  # type: ignore[attr-defined]
    assert scrub_error(error, clean) is error
    assert error.body is body  # type: ignore[attr-defined]
    told = RuntimeError(KEY)
    assert scrub_error(told, None) is told


def test_words_that_show_a_piece_of_an_answer_are_said_anew() -> None:
    """Pydantic cuts what it shows in the middle, and nobody finds the half of a key."""

    class Reply(BaseModel):
        choices: list[int]

    with pytest.raises(ValidationError) as caught:
        Reply.model_validate({"choices": f"a key: {KEY}{'b' * 90}"})
    assert KEY[:12] in str(caught.value)
    told = RuntimeError("no answer")
    told.__cause__ = caught.value
    for error in (caught.value, told):
        cleaned = scrub_error(error, clean)
        assert isinstance(cleaned, UnreadableReply)
        assert str(cleaned) == "the answer has no form that the API has"


def test_a_call_leaves_no_request_and_no_echoed_id_in_its_event() -> None:
    call = ModelCall(request={"messages": [KEY]}, response={"error": KEY}, error=True)
    event = ModelEvent(
        model="m", input=[], tools=[], tool_choice="auto", config=GenerateConfig(), output=ModelOutput(), call=call
    )
    event.request_ids = [ModelRequestId(id=KEY, header="x-request-id", status=401)]
    with track_active_model_event(event):
        scrub_event(clean)
    assert event.call is None
    assert [each.id for each in event.request_ids] == ["[redacted:A_KEY]"]
    scrub_event(clean)  # outside of a call there is nothing to do
