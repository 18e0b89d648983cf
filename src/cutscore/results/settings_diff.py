"""Which settings of compared cells differ; what is equal in all of them is not repeated."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from cutscore.core.subject import SubjectSpec

if TYPE_CHECKING:
    from cutscore.results.cells import CellResult

# Settings that hold several of their own, each of which is compared by itself.
_MAPS = ("params", "roles", "prompts", "judging", "conditions")
# What names a cell's place rather than how it was made.
_NOT_SETTINGS = ("schema", "benchmark", "version", "rescored_from", *_MAPS)

# A setting that moves what a number means, and what to do about it.
CAUTIONS = {
    "data": "their items differ: only those that both have are compared",
    "scoring": "they were marked by different code: 'cutscore rescore' marks the older ones again",
    "mode": "they were marked in different modes: all are compared in the mode of the first",
}


def settings_of(result: CellResult) -> dict[str, Any]:
    """Return every setting of a cell, with what its rows and its newest log say of decoder and versions."""
    from cutscore.bridge.logfile import package_versions
    from cutscore.registry import benchmark

    plain = result.record.cell.model_dump(mode="json", by_alias=True)
    # A condition that names a model is a role as well, which would say it twice.
    plain["roles"] = {name: each for name, each in plain["roles"].items() if plain["conditions"].get(name) != each}
    plain["conditions"] = benchmark(plain["benchmark"]).card.condition_values(plain["conditions"])
    made = {name: value for name, value in plain.items() if name not in _NOT_SETTINGS}
    made |= {f"{name}.{each}": value for name in _MAPS for each, value in plain[name].items()}
    made["decoder"] = ", ".join(sorted({clip.decoder for row in result.rows for clip in (*row.seen, *row.judge_seen)}))
    if result.record.log is not None:
        made |= {f"version.{name}": version for name, version in package_versions(result.record.log).items()}
    return made


def differing_settings(settings: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the settings in which cells differ: name of the setting → cell → value, None where a cell has none of it.

    >>> differing_settings({"a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 3}, "c": {"x": 1}})
    {'y': {'a': 2, 'b': 3, 'c': None}}
    """
    names = dict.fromkeys(name for each in settings.values() for name in each)
    found = {name: {key: each.get(name) for key, each in settings.items()} for name in names}
    return {name: values for name, values in found.items() if any(a != b for a, b in pairwise(values.values()))}


def describe_values(values: Mapping[str, Any]) -> str:
    """Write a setting's values, each with the cells that have it; digests, which nobody reads, by number.

    >>> describe_values({"a": "uniform=4", "b": "", "c": "uniform=4"})
    'uniform=4 (a, c), – (b)'
    >>> describe_values({"a": "0" * 64, "b": "f" * 64})
    '#1 (a), #2 (b)'
    """
    having: dict[str, list[str]] = {}
    for key, value in values.items():
        having.setdefault(short_value(value), []).append(key)
    digests = [text for text in having if text.endswith("…")]
    named = {text: f"#{digests.index(text) + 1}" if text in digests else text for text in having}
    return ", ".join(f"{named[text]} ({', '.join(keys)})" for text, keys in having.items())


def short_value(value: Any) -> str:
    """Write a value for a line: digests by their start, subjects as the user writes them."""
    if isinstance(value, dict) and "kind" in value:
        spec = SubjectSpec.model_validate(value)
        value = spec.label if spec.label == str(spec) else f"{spec.label}={spec}"
    text = str(value) if value not in ("", {}, None) else "–"
    return f"{text[:12]}…" if len(text) == 64 and text.isalnum() else text
