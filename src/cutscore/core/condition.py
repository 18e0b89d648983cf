"""Conditions of work: the limits, generation parameters and surroundings under which a subject works.

Those that every benchmark has are defined here, once. A card may give them other defaults, and has conditions of its
own beside them. A value that is not the card's default is part of a cell's identity.
"""

from collections.abc import Mapping
from math import isfinite
from typing import Literal, Self

from pydantic import model_validator

from cutscore.core.frozen import Finite, FrozenModel

# A condition by which a benchmark with turns may let its marker end a sample between two of them.
STOP, FIRST_FAIL = "stop", "first-fail"
UNSET = "none"  # how somebody asks for no limit where the card has one


class ConditionCard(FrozenModel):
    """One condition of work.

    Args:
        default: What holds where nobody says otherwise; empty when nothing is set.
        choices: What it can be; anything of its kind when empty.
        kind: A `model` is PROVIDER/NAME, and counts among the models of a cell under the condition's name as its role.
        minimum, maximum: Of an integer or a number.
        subjects: Kinds of subject that it means something to; everybody who works when empty.
    """

    about: str = ""
    default: str = ""
    choices: tuple[str, ...] = ()
    kind: Literal["text", "integer", "number", "model"] = "text"
    minimum: Finite | None = None
    maximum: Finite | None = None
    subjects: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _default_is_a_value(self) -> Self:
        if self.default and self.normalise(self.default) != self.default:
            raise ValueError(f"default '{self.default}' is written '{self.normalise(self.default)}'")
        return self

    def normalise(self, value: str) -> str:
        """Return a value in its one spelling, empty where nothing is set; raise ValueError where it cannot be that.

        >>> ConditionCard(kind="number").normalise("0.0"), ConditionCard(kind="integer").normalise("none")
        ('0', '')
        """
        if self.choices:
            if value not in self.choices:
                raise ValueError(f"cannot be '{value}'; it can be {', '.join(self.choices)}")
            return value
        if value in ("", UNSET) and self.kind != "text":
            return ""
        if self.kind == "model":
            provider, slash, name = value.partition("/")
            if not (provider and slash and name):
                raise ValueError(f"cannot be '{value}'; a model is PROVIDER/NAME")
        return self._number(value) if self.kind in ("integer", "number") else value

    def _number(self, value: str) -> str:
        try:
            number = float(value)
        except ValueError:
            number = float("nan")
        whole = isfinite(number) and number == int(number)
        if not isfinite(number) or (self.kind == "integer" and not whole):
            raise ValueError(f"cannot be '{value}'; it is {'a whole number' if self.kind == 'integer' else 'a number'}")
        if (self.minimum is not None and number < self.minimum) or (self.maximum is not None and number > self.maximum):
            ends = [f"at least {self.minimum:g}"] if self.minimum is not None else []
            ends += [f"at most {self.maximum:g}"] if self.maximum is not None else []
            raise ValueError(f"cannot be '{value}'; it is {' and '.join(ends)}")
        return str(int(number)) if whole else str(number)


def _count(about: str) -> ConditionCard:
    return ConditionCard(about=about, kind="integer", minimum=1)


# Limits of the work of one sample; no limit where nothing is set.
LIMITS: Mapping[str, ConditionCard] = {
    "time_limit_s": _count("seconds that a subject may work on a sample"),
    "turn_limit": _count("turns of a sample, where something answers back"),
    "token_limit": _count("tokens of all model calls of a sample's work"),
    "message_limit": _count("messages of a conversation with a model"),
}
# How the subject's own model answers; what the provider does by itself where nothing is set. No judge hears of them.
GENERATION: Mapping[str, ConditionCard] = {
    "temperature": ConditionCard(about="sampling temperature", kind="number", minimum=0),
    "top_p": ConditionCard(about="share of probability that is sampled from", kind="number", minimum=0, maximum=1),
    "max_tokens": _count("tokens of one answer at most"),
    "reasoning_effort": ConditionCard(
        about="how much a model reasons", choices=("none", "minimal", "low", "medium", "high", "xhigh", "max")
    ),
    "seed": ConditionCard(about="seed of the provider's sampling", kind="integer", minimum=0),
}
AGENTS = ("claude_code", "codex_cli", "gemini_cli", "opencode", "openclaw")
# The box of a command-line agent; by default the paper's container, without network.
BOX: Mapping[str, ConditionCard] = {
    "network": ConditionCard(
        about="what an agent's box reaches", default="none", choices=("none", "packages", "open"), subjects=AGENTS
    ),
    "model_path": ConditionCard(
        about="how an agent's requests reach its model: translated by us, or passed through to its provider",
        default="translated",
        choices=("translated", "pass-through"),
        subjects=AGENTS,
    ),
    "isolation": ConditionCard(
        about="how an agent is shut in: the best box that this machine can make, or not at all",
        default="box",
        choices=("box", "none"),
        subjects=AGENTS,
    ),
    "memory_gb": ConditionCard(about="memory of a box", kind="number", minimum=0.1, default="8", subjects=AGENTS),
    "processors": ConditionCard(about="processors of a box", kind="number", minimum=0.1, default="4", subjects=AGENTS),
}
CONDITIONS: Mapping[str, ConditionCard] = {**LIMITS, **GENERATION, **BOX}


def describe_condition(name: str, value: str) -> str:
    """Return a condition in words.

    >>> describe_condition("temperature", "0"), describe_condition("time_limit_s", "5"), describe_condition("seed", "")
    ('temperature 0', 'time limit 5 s', 'no seed')
    """
    unit = " s" if name.endswith("_s") else ""
    words = (name.removesuffix("_s") if unit else name).replace("_", " ")
    return f"{words} {value}{unit}" if value else f"no {words}"
