"""Whose failing an answer without words is: the model's own refusal or limit, or something between it and us.

Inspect turns some errors of providers into a completion, whose words are the error text. They are nobody's answer. Here
every error is read once, whichever API it came over: *refused* and *did not fit* are failings of the model, and
every other one is ours. In doubt it is ours: what we did not get is never a low score.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from cutscore.core.deliverable import FailureClass
from cutscore.core.errors import SubjectFailed, Unscored
from cutscore.media.source import shown_name
from cutscore.models.faults import LONGEST_SAID, ServerError

if TYPE_CHECKING:
    from inspect_ai.model import ModelOutput

FILTERED: Literal["content_filter"] = "content_filter"
TOO_LONG: Literal["model_length"] = "model_length"
WordlessStop = Literal["content_filter", "model_length"]

# Why a model stopped, in Inspect's words, where that is a failing of its own.
FAILURES: Mapping[str, tuple[FailureClass, str]] = {
    FILTERED: ("refused", "the model or its provider refused to answer"),
    "max_tokens": ("limit", "the answer was cut off at the token limit"),
    TOO_LONG: ("limit", "the request did not fit into the model's context"),
}

# With other statuses (a key, an address, a server that is down) no word of the message makes it the model's failing.
_OWN_STATUSES = frozenset({None, 400, 403, 413, 422})
_FILTER_CODES = frozenset(
    {"content_filter", "content_policy_violation", "responsibleaipolicyviolation", "invalid_prompt"}
    | {"bio_policy", "cyber_policy", "data_inspection_failed"}
)
_LENGTH_CODES = frozenset({"context_length_exceeded", "input_too_large", "string_above_max_length"})
_FILTER_WORDS = re.compile(
    r"content (filter|policy|management policy|moderation)|safety (system|check)|usage polic|flagged as|"
    r"prohibited.content|blocked by (our|the) (safety|content|moderation)|can't help with that request"
)
_LENGTH_WORDS = re.compile(
    r"context.?(length|window|limit|size)|maximum number of tokens|too many (input )?tokens|prompt length|input length|"
    r"(prompt|input|request) is too long|input too large|exceeds the (maximum number of tokens|token limit)"
)
# An answer that was asked to be longer than the model can: a setting of ours, though the text names the context.
_OUR_SETTING = re.compile(r"max_(\w+_)?tokens['`\"]? (is|must|cannot|should|value)\b")
# An error as the clients of OpenAI and Anthropic spell it, with the body as Python would write it.
_SPELLED = re.compile(r"error code: (\d{3}) - (.*)", re.IGNORECASE | re.DOTALL)


def wordless_stop(said: ServerError) -> WordlessStop | None:
    """Return how a model stopped when this is what its server says; None when that is no failing of the model's.

    >>> wordless_stop(ServerError(400, frozenset(), "This model's maximum context length is 4096 tokens."))
    'model_length'
    >>> wordless_stop(ServerError(400, frozenset({"content_filter"}), "…"))
    'content_filter'
    >>> wordless_stop(ServerError(401, frozenset(), "no such key"))
    """
    if said.status not in _OWN_STATUSES:
        return None
    words = said.message.casefold()
    if said.codes & _FILTER_CODES or _FILTER_WORDS.search(words):
        return FILTERED
    if said.codes & _LENGTH_CODES or (_LENGTH_WORDS.search(words) and not _OUR_SETTING.search(words)):
        return TOO_LONG
    return None


class ErrorAsWords(Exception):
    """A provider's error that Inspect made a completion of; it has what the server said.

    Args:
        body: That of the server's reply, where the raw call has it.
        text: What Inspect has as the error, or as the completion.
    """

    def __init__(self, body: Mapping[str, Any], text: str) -> None:
        super().__init__(text)
        spelled = _SPELLED.match(text)
        self.status_code = int(spelled[1]) if spelled else None
        self.body = dict(body) or (_spelled_body(spelled[2]) if spelled else {})


def _spelled_body(text: str) -> dict[str, Any]:
    try:
        body = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return {"message": text}
    return body if isinstance(body, dict) else {"message": text}


def refuse_error_words(output: ModelOutput, call: Any) -> None:
    """Raise ErrorAsWords when the words of an output are those of an error.

    Providers say so by the raw call or by the output's `error`. Those that say neither (Google's, Mistral's) leave out
    the usage of what they made up, and name the stop reason themselves.
    """
    if output.stop_reason not in (FILTERED, TOO_LONG):
        return
    if getattr(call, "error", None) or output.error:
        raise ErrorAsWords(getattr(call, "response", None) or {}, output.error or output.completion)


def wordless_output(model: str, stop: WordlessStop, because: str) -> ModelOutput:
    """Return the output of a call that the model refused or could not take: no words, and why."""
    from inspect_ai.model import ModelOutput

    return ModelOutput.from_content(model, "", stop_reason=stop, error=because)


def stopped_without_words(output: ModelOutput) -> ModelOutput:
    """Return an output without words where a filter ended it, or where there was no room for any.

    What a filter lets through is the beginning of an answer or a sentence of the provider's; a refusal is no answer.
    """
    stop = FILTERED if _is_refusal(output) else output.stop_reason
    if stop == FILTERED or (stop == TOO_LONG and output.usage is None):
        kept = {"usage": output.usage, "response_id": output.response_id, "metadata": output.metadata}
        said = output.error or output.completion
        return wordless_output(output.model, stop, shown_name(said, most=LONGEST_SAID)).model_copy(update=kept)
    return output


def _is_refusal(output: ModelOutput) -> bool:
    """Return whether the API's own field says that the model refused, though it stopped as if it had answered."""
    details = output.choices[0].stop_details
    return output.stop_reason == FILTERED or (details is not None and details.type == "refusal")


def failure_without_words(output: ModelOutput, model: str) -> SubjectFailed | None:
    """Return the model's failing behind an output without words; None when there are words, or another reason."""
    if output.stop_reason not in (FILTERED, TOO_LONG) or output.completion:
        return None
    kind, because = FAILURES[output.stop_reason]
    said = f": {output.error}" if output.error else ""
    return SubjectFailed(f"model '{model}'", f"{because}{said}", failure_class=kind)


def require_room(output: ModelOutput, model: str) -> None:
    """Raise Unscored where a request did not fit: whoever judges or writes has then said nothing."""
    if output.stop_reason == TOO_LONG and not output.completion:
        raise Unscored(f"model '{model}'", FAILURES[TOO_LONG][1], "show it fewer frames, or ask a model with more room")
