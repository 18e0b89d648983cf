"""The wire of OpenAI's Responses."""

from collections.abc import Iterator

from cutscore.core.usage import Usage
from cutscore.ledger.token_counts import CountedUsage, usage_from_counts
from cutscore.models.endpoint.wire import Body, Wire, counts, data_url, event, object_of, parts_of, words_of


def _tools(body: Body) -> list[str]:
    return [str(tool.get("name") or tool.get("type")) for tool in body.get("tools") or ()]


def _items(body: Body) -> list[Body]:
    said = body.get("input")
    return [{"role": "user", "content": said}] if isinstance(said, str) else list(said or ())


def _first_words(body: Body) -> str:
    """Return all words of the user: some clients put the surroundings before the request."""
    users = (item for item in _items(body) if item.get("role") == "user")
    return "\n".join(words_of(parts_of(item.get("content"))) for item in users)


def _pictures(body: Body) -> list[tuple[str, str]]:
    parts = [
        part
        for item in _items(body)
        for key in ("content", "output")
        if not isinstance(item.get(key), str)
        for part in parts_of(item.get(key))
    ]
    return [each for part in parts if part.get("type") == "input_image" for each in data_url(part.get("image_url"))]


def _events(reply: Body) -> Iterator[bytes]:
    numbers = iter(range(1_000_000))

    def tell(kind: str, **data: object) -> bytes:
        return event({"type": kind, "sequence_number": next(numbers), **data}, kind)

    begun = {**reply, "output": [], "status": "in_progress", "usage": None}
    yield tell("response.created", response=begun)
    for index, item in enumerate(reply["output"]):
        yield tell("response.output_item.added", output_index=index, item=_opened(item))
        for number, part in enumerate(item.get("content") or () if item["type"] == "message" else ()):
            at = {"item_id": item.get("id"), "output_index": index, "content_index": number}
            empty = {**part, "text": ""}
            yield tell("response.content_part.added", **at, part=empty)
            yield tell("response.output_text.delta", **at, delta=part.get("text", ""))
            yield tell("response.output_text.done", **at, text=part.get("text", ""))
            yield tell("response.content_part.done", **at, part=part)
        if item["type"] == "function_call":
            at = {"item_id": item.get("id"), "output_index": index}
            yield tell("response.function_call_arguments.delta", **at, delta=item["arguments"])
            yield tell("response.function_call_arguments.done", **at, arguments=item["arguments"])
        yield tell("response.output_item.done", output_index=index, item=item)
    yield tell("response.completed", response=reply)


def _opened(item: Body) -> Body:
    if item["type"] == "message":
        return {**item, "content": [], "status": "in_progress"}
    if item["type"] == "function_call":
        return {**item, "arguments": "", "status": "in_progress"}
    return item


def _read_usage(reply: Body) -> CountedUsage:
    """Return its buckets: input without what was cached, output without reasoning; it has no cache writes."""
    said = object_of(reply, "usage")
    return usage_from_counts(
        {
            "input": said.get("input_tokens"),
            "cached": object_of(said, "input_tokens_details").get("cached_tokens"),
            "output": said.get("output_tokens"),
            "reasoning": object_of(said, "output_tokens_details").get("reasoning_tokens"),
        },
        cached_in_input=True,
    )


def _tell_usage(usage: Usage) -> Body:
    read, cached, written, said, thought = counts(usage)
    told = {
        "input_tokens": read + cached + written,
        "input_tokens_details": {"cached_tokens": cached},
        "output_tokens": said + thought,
        "output_tokens_details": {"reasoning_tokens": thought},
    }
    return {"usage": {**told, "total_tokens": read + cached + written + said + thought}}


def openai_error(status: int, text: str) -> Body:
    """Return an error as both wires of OpenAI have it."""
    kind = "invalid_request_error" if status < 500 else "server_error"
    return {"error": {"message": text, "type": kind, "param": None, "code": None}}


RESPONSES = Wire("responses", _tools, _first_words, _pictures, _events, _read_usage, _tell_usage, openai_error)
