"""The independent categoriser (I.2): a model that reads an instruction alone says which dimensions it asks for."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field, JsonValue

from cutscore.benchmarks.covebench.checklist import taxonomy
from cutscore.core.frozen import FrozenModel


class _CategoryReply(FrozenModel):
    categories: tuple[str, ...] = Field(min_length=1)


@dataclass(frozen=True)
class CategoryComparison:
    """Where writer and categoriser differ: what the writer alone claims, and what the categoriser alone finds."""

    unheard: tuple[str, ...]
    unclaimed: tuple[str, ...]


def read_categories(reply: JsonValue) -> tuple[str, ...]:
    """Read the dimensions that a categoriser names, in the order of Table 9."""
    said = _CategoryReply.model_validate(reply).categories
    if strange := [name for name in said if name not in taxonomy()]:
        raise ValueError(f"'{strange[0][:60]}' is no category; choose from {', '.join(taxonomy())}")
    return tuple(name for name in taxonomy() if name in said)


def compare_categories(claimed: Sequence[str], heard: Sequence[str]) -> CategoryComparison:
    """Compare what a writer claims with what the categoriser heard.

    >>> compare_categories(["Subject", "Motion"], ["Subject", "Camera"])
    CategoryComparison(unheard=('Motion',), unclaimed=('Camera',))
    """
    return CategoryComparison(
        tuple(name for name in claimed if name not in heard), tuple(name for name in heard if name not in claimed)
    )
