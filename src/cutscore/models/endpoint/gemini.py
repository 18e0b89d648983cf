"""The wire of Google's generateContent."""

from collections.abc import Iterator

from cutscore.core.usage import Usage
from cutscore.ledger.token_counts import CountedUsage, usage_from_counts
from cutscore.models.endpoint.wire import Body, Wire, counts, event, object_of, words_of


def _tools(body: Body) -> list[str]:
    offered = (tool.get("functionDeclarations") or () for tool in body.get("tools") or ())
    return [str(each.get("name")) for tools in offered for each in tools]


def _first_words(body: Body) -> str:
    """Return all words of the user: the surroundings come first."""
    users = [content for content in body.get("contents", ()) if content.get("role", "user") == "user"]
    return "\n".join(words_of(content.get("parts") or ()) for content in users)


def _pictures(body: Body) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    parts = [part for content in body.get("contents", ()) for part in content.get("parts") or ()]
    for part in parts:
        answered = part.get("functionResponse") or {}
        for each in (part, *(answered.get("parts") or ())):
            if data := each.get("inlineData"):
                found.append((data.get("mimeType", ""), data.get("data", "")))
    return [(kind, data) for kind, data in found if kind.startswith("image/")]


def _events(reply: Body) -> Iterator[bytes]:
    yield event(reply)


def _read_usage(reply: Body) -> CountedUsage:
    """Return its buckets: the prompt without what was cached; thoughts are no part of the candidates.

    Google leaves out a count that is 0. What tools brought into the prompt is counted apart, and is input.
    """
    said = object_of(reply, "usageMetadata")
    if not said:
        return usage_from_counts({})
    prompt, tools = said.get("promptTokenCount"), said.get("toolUsePromptTokenCount")
    return usage_from_counts(
        {
            "input": prompt + tools if isinstance(prompt, int) and isinstance(tools, int) else prompt,
            "cached": said.get("cachedContentTokenCount", 0),
            "output": said.get("candidatesTokenCount", 0),
            "reasoning": said.get("thoughtsTokenCount", 0),
        },
        cached_in_input=True,
        reasoning_in_output=False,
    )


def _tell_usage(usage: Usage) -> Body:
    read, cached, written, said, thought = counts(usage)
    told = {
        "promptTokenCount": read + cached + written,
        "cachedContentTokenCount": cached,
        "candidatesTokenCount": said,
        "thoughtsTokenCount": thought,
    }
    return {"usageMetadata": {**told, "totalTokenCount": read + cached + written + said + thought}}


def _error(status: int, text: str) -> Body:
    kinds = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED"}
    return {"error": {"code": status, "message": text, "status": kinds.get(status, "INTERNAL")}}


GEMINI = Wire("gemini", _tools, _first_words, _pictures, _events, _read_usage, _tell_usage, _error)
