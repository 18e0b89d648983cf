"""A model that follows a script: offline, deterministic, and able to play every fault of a provider.

    --model scripted/PATH.json       a script file
    --model scripted/hello           no file: always says "hello"

A script says what to answer to which words, and which faults to play before answering:

    {"rules": [{"when": "at 0.4 seconds", "say": "blue"}], "otherwise": ["red", "green"],
     "faults": [{"kind": "429", "times": 2, "share": 0.3}], "usage": {"input": 100, "output": 5}}

What it does depends on the words of the request alone, never on order or time, so that a run that was killed
and resumed ends like one that was not.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from pathlib import Path
from typing import Any, Literal

from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, ModelUsage, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo
from pydantic import Field, ValidationError
from tenacity import wait_exponential

from cutscore.core.errors import BrokenData
from cutscore.core.frozen import Finite, FrozenModel
from cutscore.core.strict_json import first_fault
from cutscore.core.usage import Usage

FaultKind = Literal["429", "503", "timeout", "half", "400", "wrong_model", "no_usage", "odd_usage", "refusal", "slow"]
_GROUP = re.compile(r"\\g<(\w+)>")
REFUSAL = "I cannot help with that."
RETRIED = {"429", "503", "timeout", "half"}


class ScriptRule(FrozenModel):
    r"""Say this when the request matches a regular expression.

    What the expression caught can be said again: `\g<seal>` stands for its group of that name.
    """

    when: str
    say: str


class ScriptFault(FrozenModel):
    """Play a fault.

    Args:
        kind: HTTP status, `timeout`, `half` (connection lost mid-answer), or an answer that is odd in itself.
        times: Attempts of a request that fail before it goes through.
        share: Share of all requests that are hit, chosen by their words.
        when: Regular expression that a request must match to be hit.
    """

    kind: FaultKind
    times: int = Field(default=1, ge=1)
    share: Finite = Field(default=1.0, ge=0, le=1)
    when: str = ""


class Script(FrozenModel):
    """Everything that the model will say."""

    rules: tuple[ScriptRule, ...] = ()
    otherwise: tuple[str, ...] = ("hello",)
    faults: tuple[ScriptFault, ...] = ()
    usage: Usage | None = Usage(input=100, cached=0, cache_write=0, output=10, reasoning=0)
    latency_s: Finite = Field(default=0.0, ge=0)
    backoff_s: Finite = Field(default=0.05, ge=0)

    def answer(self, words: str) -> str:
        """Return the first rule that matches, else one of `otherwise`, chosen by the words."""
        for rule in self.rules:
            if found := re.search(rule.when, words):
                return _fill_groups(rule.say, found)
        return self.otherwise[_number(words) % len(self.otherwise)]

    def fault(self, words: str, attempt: int) -> FaultKind | None:
        """Return the fault that hits this attempt (counted from 0), if any."""
        for number, fault in enumerate(self.faults):
            hit = attempt < fault.times and _number(f"{number}:{words}") % 10_000 < fault.share * 10_000
            if hit and re.search(fault.when, words):
                return fault.kind
        return None


def _fill_groups(say: str, found: re.Match[str]) -> str:
    return _GROUP.sub(lambda name: found[name[1]], say)


def _number(words: str) -> int:
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:6])


def read_script(name: str) -> Script:
    """Read the script that a model name points to."""
    if not name.endswith(".json"):
        return Script()
    try:
        return Script.model_validate_json(Path(name).read_bytes())
    except OSError as error:
        fact = error.strerror or "cannot be read"
        raise BrokenData(f"script '{name}'", fact, "name a JSON file after 'scripted/'") from error
    except ValidationError as error:
        raise BrokenData(f"script '{name}'", first_fault(error), "see docs/scripted-model.md") from error


class ProviderFault(Exception):
    """What a provider's client raises."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"scripted fault {kind}")
        self.status_code = int(kind) if kind.isdigit() else None


@modelapi(name="scripted")
class ScriptedAPI(ModelAPI):
    """The provider behind `scripted/…`."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008  the signature that Inspect asks for
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        self.script = read_script(model_name)
        self.attempts: Counter[str] = Counter()

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """Return what the script says to these words, after the faults that it plays before."""
        import anyio

        words = "\n".join(message.text for message in input)
        attempt = self.attempts[words]
        self.attempts[words] += 1
        fault = self.script.fault(words, attempt)
        await anyio.sleep(self.script.latency_s)
        if fault == "timeout":
            raise TimeoutError("scripted time-out")
        if fault == "half":
            raise ConnectionResetError("scripted: connection lost after half an answer")
        if fault is not None and fault.isdigit():
            raise ProviderFault(fault)
        if fault == "slow":
            await anyio.sleep(3600)  # a call that hangs: the caller's own clock must end it
        del self.attempts[words]
        refused = fault == "refusal"
        output = ModelOutput.from_content(
            self.model_name,
            REFUSAL if refused else self.script.answer(words),
            stop_reason="content_filter" if refused else "stop",
        )
        output.usage = _usage(self.script.usage, fault)
        if fault == "wrong_model":
            output.model = "somebody-else"
        return output

    def should_retry(self, ex: Exception) -> bool:
        """Return whether a fault passes: those that real providers have for a while."""
        if isinstance(ex, TimeoutError | ConnectionResetError):
            return True
        return isinstance(ex, ProviderFault) and str(ex.status_code) in RETRIED

    def retry_wait(self) -> Any:
        """Return the pauses of the script, so that tests do not wait."""
        return wait_exponential(multiplier=self.script.backoff_s, max=2)

    async def count_text_tokens(self, text: str) -> int:
        """Return a rough count, without a tokenizer."""
        return len(text) // 4  # Inspect's own counter downloads its table

    def max_connections(self) -> int:
        """Return how many calls may run at once: nobody limits them."""
        return 100


def _usage(usage: Usage | None, fault: str | None) -> ModelUsage | None:
    if usage is None or fault == "no_usage":
        return None
    if fault == "odd_usage":
        return ModelUsage(input_tokens=-5, output_tokens=3, reasoning_tokens=9)
    output = (usage.output or 0) + (usage.reasoning or 0)
    return ModelUsage(
        input_tokens=usage.input or 0,
        input_tokens_cache_read=usage.cached,
        input_tokens_cache_write=usage.cache_write,
        output_tokens=output,
        reasoning_tokens=usage.reasoning,
        total_tokens=(usage.input or 0) + (usage.cached or 0) + (usage.cache_write or 0) + output,
    )
