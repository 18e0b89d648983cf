"""Combinations of types of edits that go together in one instruction (I.1), and which five a writer is shown."""

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

from pydantic import Field

from cutscore.benchmarks.covebench.checklist import taxonomy
from cutscore.core.frozen import FrozenModel

OFFERED = 5  # (I.1)


class Combination(FrozenModel):
    """Two to four types of Table 9, and an instruction that asks for one edit of each."""

    types: tuple[str, ...] = Field(min_length=2, max_length=4)
    example: str


@cache
def read_combinations() -> tuple[Combination, ...]:
    """Return all combinations, in the order of the file."""
    with (Path(__file__).parent / "combinations.toml").open("rb") as stream:
        return tuple(Combination.model_validate(each) for each in tomllib.load(stream)["combination"])


def draw_combinations(seed: int, sha256: str) -> tuple[Combination, ...]:
    """Draw those that the writer of one video chooses from."""
    return tuple(Random(f"covebench combinations {seed} {sha256}").sample(read_combinations(), OFFERED))


def list_combinations(offered: Sequence[Combination]) -> str:
    """Write them as a numbered list, each with its example."""
    entries = (f"{' + '.join(each.types)}\n   Example: {each.example}" for each in offered)
    return "\n".join(f"{number}. {entry}" for number, entry in enumerate(entries, start=1))


def dimension_of(type: str) -> str:
    """Return the dimension of a type (Level 1 of Table 9).

    >>> dimension_of("Shot Scale")
    'Camera'
    """
    return next(name for name, types in taxonomy().items() if type in types)
