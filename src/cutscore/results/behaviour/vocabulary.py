"""The words in which behaviour is told: which tools plan, look and make media; archetypes and their thresholds."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

from cutscore.core.frozen import FrozenModel

Archetype = Literal["smart parallelizer", "extreme detailist", "direct executor"]


class ToolNames(FrozenModel):
    """Tools by what they are for; names are compared by `plain_name`."""

    planning: tuple[str, ...]
    media: tuple[str, ...]
    view: tuple[str, ...]
    read: tuple[str, ...]

    def has(self, kind: Literal["planning", "media", "view", "read"], tool: str) -> bool:
        """Return whether a tool is of a kind."""
        return plain_name(tool) in {plain_name(name) for name in getattr(self, kind)}


class ArchetypeThresholds(FrozenModel):
    """Where archetypes begin; see vocabulary.toml."""

    many_calls: float
    spread_share: float
    repeated_share: float
    one_tool_share: float


class Vocabulary(FrozenModel):
    """What vocabulary.toml holds."""

    tools: ToolNames
    archetypes: ArchetypeThresholds


@cache
def vocabulary() -> Vocabulary:
    """Read vocabulary.toml."""
    file = Path(__file__).with_name("vocabulary.toml")
    return Vocabulary.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))


def plain_name(tool: str) -> str:
    """Return a tool's name as names are compared.

    >>> plain_name("update_plan") == plain_name("UpdatePlan")
    True
    """
    return tool.replace("_", "").casefold()


def archetype(calls: float, top_share: float, limits: ArchetypeThresholds | None = None) -> Archetype | None:
    """Return the archetype of a stack by its median number of calls and the share of its most used tool.

    None where it is like none of the three.

    >>> archetype(21, 1.0), archetype(86, 0.7), archetype(20, 0.45), archetype(20, 0.7)
    ('direct executor', 'extreme detailist', 'smart parallelizer', None)
    """
    limits = limits or vocabulary().archetypes
    if top_share >= limits.one_tool_share:
        return "direct executor"
    if calls >= limits.many_calls:
        return "extreme detailist" if top_share >= limits.repeated_share else None
    return "smart parallelizer" if top_share < limits.spread_share else None
