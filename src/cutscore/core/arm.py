"""What makes a cell unlike the usual one, in words: `1 frame`, `transcript only`, `temperature 0`."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from cutscore.core.condition import describe_condition

# By the names that rows have for what of its input a subject was shown; variants of a benchmark's own have others.
INPUTS = {
    "question": "question only",
    "transcript": "transcript only",
    "frames": "frames only",
    "contradicted": "contradicting transcript",
    "shuffled": "shuffled frames",
}
_CAP = re.compile(r"((?:max|uniform|frames)=)(\d+)")


def unusual_settings(
    frames: str,
    input: str,
    usual: str,
    *,
    subject: str = "",
    conditions: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, str]:
    """Return the settings in which a cell differs from the usual one, by name: input, frames, conditions of work.

    That frames were shuffled is said by the input, not by the plan; a subject called after its input says it once.

    `usual` is the usual frame plan, `subject` a label, and conditions are those that are not the card's defaults.
    """
    plan = frames.removeprefix("shuffled:")
    made = {"input": input} if input and input != subject else {}
    return {**made, **({"frames": plan} if plan not in ("", usual) else {}), **dict(sorted(conditions.items()))}


def describe_arm(settings: Mapping[str, str], usual: str) -> str:
    """Return unusual settings in words; nothing where there are none.

    >>> describe_arm({"frames": "fps=1,max=1"}, "fps=1,max=8"), describe_arm({"frames": "uniform=4"}, "fps=1,max=8")
    ('1 frame', 'uniform=4')
    >>> describe_arm(unusual_settings("shuffled:fps=1,max=8", "shuffled", "fps=1,max=8"), "fps=1,max=8")
    'shuffled frames'
    >>> describe_arm({"input": "no_lens", "decompose": "sequential"}, "")
    'no lens, decompose sequential'
    """
    return ", ".join(_describe_setting(name, value, usual) for name, value in settings.items())


def _describe_setting(name: str, value: str, usual: str) -> str:
    if name == "input":
        return INPUTS.get(value, value.replace("_", " "))
    return _describe_frames(value, usual) if name == "frames" else describe_condition(name, value)


def most_frames(plan: str) -> int | None:
    """Return how many frames a plan gives a sample at most; None where it does not say.

    >>> most_frames("fps=1,max=8"), most_frames("uniform=4"), most_frames("fps=2")
    (8, 4, None)
    """
    cap = _CAP.search(plan)
    return int(cap[2]) if cap else None


def _describe_frames(plan: str, usual: str) -> str:
    """Return `1 frame` where the cap alone differs, else the whole plan."""
    cap = _CAP.search(plan)
    if cap is None or _CAP.sub(r"\1…", plan) != _CAP.sub(r"\1…", usual):
        return plan
    return f"{cap[2]} frame" + ("" if cap[2] == "1" else "s")
