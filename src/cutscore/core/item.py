"""A published item, and the mark on those fields that only the marker may know."""

from typing import Any, get_args

from pydantic import Field

from cutscore.core.frozen import FrozenModel, SafeName


class _Truth:
    def __repr__(self) -> str:
        return "TRUTH"


TRUTH = _Truth()
"""Annotate a field with it (`answer: Annotated[str, TRUTH]`) and the contract tests prove that no change
of its value changes a byte of what the subject gets."""


class Item(FrozenModel):
    """What every benchmark's item has; a benchmark adds its own fields.

    Args:
        id: Unique, stable over releases, safe as a file name.
        cluster: What is not independent shares a cluster: questions about one clip, tasks from one film.
        groups: Named strata for tables (`{"duration": "60 s"}`).
    """

    id: SafeName
    cluster: str = Field(min_length=1)
    groups: dict[str, str] = Field(default_factory=dict)

    @property
    def draw_unit(self) -> str:
        """What it stands for in a draw of one item each, where people do a part of them; by itself, its own id."""
        return self.id

    @classmethod
    def truth_fields(cls) -> tuple[str, ...]:
        """Name the fields that are annotated as truth."""
        fields = cls.model_fields.items()
        return tuple(name for name, field in fields if TRUTH in field.metadata or _holds_truth(field.annotation))

    def without_truth(self) -> dict[str, Any]:
        """Return the item as plain data with every truth field left out."""
        return self.model_dump(mode="json", exclude=set(self.truth_fields()))


def _holds_truth(annotation: Any) -> bool:
    """Return whether the mark is hidden inside (`Annotated[str, TRUTH] | None`); half a field cannot be secret."""
    return TRUTH in getattr(annotation, "__metadata__", ()) or any(map(_holds_truth, get_args(annotation)))
