"""A server may repeat the key that it was sent, in an answer, an error or a header: nothing of that is kept.

Inspect makes an event of every call, and writes down errors with what they came from. Both are cleaned where the call
comes back, before anybody else sees them.
"""

from __future__ import annotations

from traceback import format_exception
from typing import Any

from pydantic import ValidationError

from cutscore.core.inert_text import Clean
from cutscore.models.faults import UnreadableReply, error_chain

NO_FORM = "the answer has no form that the API has"


def scrub_event(clean: Clean | None) -> None:
    """Drop request and answer from Inspect's event of this call, and clean the ids that the server gave to it.

    Both would hold the media; of a call that failed, Inspect would log them.
    """
    from inspect_ai.log._samples import _active_model_event

    event = _active_model_event.get()
    if event is None:
        return
    event.call = None
    if clean is not None:
        for each in event.request_ids or []:
            each.id = clean(each.id)


def scrub_error(error: Exception, clean: Clean | None) -> Exception:
    """Return an error without secrets in its words and in those of what it came from.

    It is the same object with other words, so that it keeps its class and its status. Pydantic's show pieces of an
    answer that they could not read, in words that cannot be changed; they become an UnreadableReply, which shows none.
    """
    if clean is None:
        return error
    if any(isinstance(each, ValidationError) for each in error_chain(error)):
        return UnreadableReply(NO_FORM)
    if _is_clean(error, clean):
        return error
    for each in error_chain(error):
        each.args = _clean_plain(each.args, clean)
        for name, value in vars(each).items():
            if isinstance(value, str | bytes | list | tuple | dict):
                setattr(each, name, _clean_plain(value, clean))
    return error if _is_clean(error, clean) else UnreadableReply(NO_FORM)


def _is_clean(error: Exception, clean: Clean) -> bool:
    texts = ["".join(format_exception(error)), *(repr((each, vars(each))) for each in error_chain(error))]
    return all(clean(text) == text for text in texts)


def _clean_plain(value: Any, clean: Clean) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, bytes):
        return clean(value.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
    if isinstance(value, dict):
        return {_clean_plain(key, clean): _clean_plain(inner, clean) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_clean_plain(inner, clean) for inner in value)
    return value
