"""The closed catalogue of weaknesses (`weaknesses.toml`)."""

import tomllib
from functools import cache
from pathlib import Path

from cutscore.benchmarks.clvg.taxonomy import Family
from cutscore.core.errors import UnknownName
from cutscore.core.frozen import FrozenModel, SafeName


class KnownWeakness(FrozenModel):
    """One entry: its code, the family of questions under which it is named, and a sentence that says it."""

    code: SafeName
    family: Family
    says: str


@cache
def read_catalogue() -> dict[str, KnownWeakness]:
    """Return every known weakness by code."""
    with (Path(__file__).parent / "weaknesses.toml").open("rb") as stream:
        plain = tomllib.load(stream)
    return {code: KnownWeakness.model_validate({"code": code, **entry}) for code, entry in plain.items()}


def find_weakness(code: str) -> KnownWeakness:
    """Return an entry by its code; UnknownName with the nearest where there is none."""
    known = read_catalogue()
    if code not in known:
        raise UnknownName.among("weakness", code, known)
    return known[code]
