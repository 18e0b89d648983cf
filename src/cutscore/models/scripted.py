"""A model that follows a script: offline, deterministic, and able to play every fault of a provider.

    --model scripted/PATH.json       a script file, or one of `scripts/` here
    --model scripted/hello           no file: always says "hello"

A script says what to answer to which words, and which faults to play before answering:

    {"rules": [{"when": "at 0.4 seconds", "say": "blue"}], "otherwise": ["red", "green"],
     "faults": [{"kind": "429", "times": 2, "share": 0.3}], "usage": {"input": 100, "output": 5}}

To somebody who offers tools it plays `turns`, one after the other; which one is told by the results of tools that the
request holds. The last one stays:

    {"turns": [{"shell": "ffprobe film.mp4"}, {"tool": "view_image", "arguments": {"path": "a.png"}}, {"say": "Done."}]}

What it does depends on the request alone, never on order or time, so that a run that was killed and resumed ends like
one that was not.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, ModelUsage, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo
from pydantic import Field, ValidationError
from tenacity import wait_exponential

from cutscore.core.errors import BrokenData
from cutscore.core.frozen import Finite, FrozenModel
from cutscore.core.strict_json import first_fault
from cutscore.core.usage import Usage
from cutscore.models.provider import find_script

FaultKind = Literal["429", "503", "timeout", "half", "400", "wrong_model", "no_usage", "odd_usage", "refusal", "slow"]
_GROUP = re.compile(r"\\g<(\w+)>")
REFUSAL = "I cannot help with that."
RETRIED = {"429", "503", "timeout", "half"}


# Shells that agents offer, the preferred first, and what each takes; one of the same name may take less.
SHELLS: Mapping[str, Callable[[str], dict[str, Any]]] = {
    "Bash": lambda command: {"command": command, "description": "a step of the script"},
    "bash": lambda command: {"command": command, "description": "a step of the script"},
    "exec_command": lambda command: {"cmd": command},
    "shell_command": lambda command: {"command": command},
    "shell": lambda command: {"command": ["bash", "-lc", command]},
    "run_shell_command": lambda command: {"command": command, "description": "a step of the script"},
    "exec": lambda command: {"command": command},
}


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


class ScriptTurn(FrozenModel):
    """What the model does at one turn of a conversation with tools.

    Args:
        shell: A command for whatever shell is on offer.
        tool, arguments: A call of any other tool; where it is not on offer, the turn is left out.
        say: Words; before a call, or the last ones.
        usage: Of this turn; the script's own unless told.
        latency_s: How long it thinks.
        status: An HTTP error in place of an answer.
    """

    shell: str = ""
    tool: str = ""
    arguments: dict[str, Any] = Field(default_factory=dict)
    say: str = ""
    usage: Usage | None = None
    latency_s: Finite = Field(default=0.0, ge=0)
    status: int | None = None

    def call(self, tools: Sequence[ToolInfo]) -> tuple[str, dict[str, Any]] | None:
        """Return the tool that is called with what; None where nothing is called."""
        if self.tool:
            return self.tool, self.arguments
        taken = {tool.name: tool.parameters.properties for tool in tools}
        name = next((name for name in SHELLS if self.shell and name in taken), "")
        if not name:
            return None
        arguments = SHELLS[name](self.shell)
        return name, {key: value for key, value in arguments.items() if not taken[name] or key in taken[name]}

    def fits(self, offered: Sequence[str]) -> bool:
        """Return whether it can be played to somebody who offers these tools."""
        return not self.tool or self.tool in offered


class Script(FrozenModel):
    """Everything that the model will say."""

    turns: tuple[ScriptTurn, ...] = ()
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

    def turn(self, offered: Sequence[str], results: int) -> ScriptTurn | None:
        """Return the turn after so many results of tools; None to somebody without a shell, who gets words."""
        if not self.turns or not any(name in offered for name in SHELLS):
            return None
        fitting = [turn for turn in self.turns if turn.fits(offered)]
        return fitting[min(results, len(fitting) - 1)] if fitting else None

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
        return Script.model_validate_json(find_script(name).read_bytes())
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
        turn = self.script.turn([tool.name for tool in tools], sum(message.role == "tool" for message in input))
        await anyio.sleep(turn.latency_s if turn else self.script.latency_s)
        if turn and turn.status is not None:
            raise ProviderFault(str(turn.status))
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
        if turn is not None and not refused:
            return self._play(turn, tools, words)
        output = ModelOutput.from_content(
            self.model_name,
            REFUSAL if refused else self.script.answer(words),
            stop_reason="content_filter" if refused else "stop",
        )
        output.usage = _usage(self.script.usage, fault)
        if fault == "wrong_model":
            output.model = "somebody-else"
        return output

    def tool_result_images(self) -> bool:
        """Return that a tool's pictures stay where they are: else Inspect makes new messages of them in every call."""
        return True

    def _play(self, turn: ScriptTurn, tools: Sequence[ToolInfo], words: str) -> ModelOutput:
        called = turn.call(tools)
        output = ModelOutput.from_content(self.model_name, turn.say)
        if called is not None:
            id = f"call_{_number(words):x}"  # the same in a run that goes on after a kill
            output = ModelOutput.for_tool_call(self.model_name, *called, tool_call_id=id, content=turn.say)
            output.choices[0].message.content = turn.say  # Inspect puts words of its own where there are none
        output.usage = _usage(turn.usage or self.script.usage, None)
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
