"""What one call shows a judge, under which labels, and by which prompt."""

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from cutscore.core.frozen import FrozenModel

# Candidates of a pairwise question: what stands under them changes places in the second order.
SIDES = ("A", "B")


def _require_tight(label: str) -> str:
    if label != label.rstrip():
        raise ValueError(f"label {label!r} ends with a space")
    return label


# Words of the benchmark's own, on one line, that cannot be taken for a path or a mark of the fence.
ShownLabel = Annotated[str, Field(pattern=r"^\w[\w .,:()-]{0,59}$"), AfterValidator(_require_tight)]


class Shown(FrozenModel):
    """One piece of the evidence under a label.

    Args:
        label: What the judge knows it by: `A`, `instruction`, `first frame`. Never a word of the submission's.
        file: Name of a recorded file; either a file or a fact is shown.
        fact: Name of a fact.
        sound: Whether a clip is shown with its sound, to models that take whole clips. Frames have none.
    """

    label: ShownLabel
    file: str = ""
    fact: str = ""
    sound: bool = True

    @model_validator(mode="after")
    def _one_thing(self) -> Self:
        if bool(self.file) == bool(self.fact):
            raise ValueError(f"shown '{self.label}': name a file or a fact, one of them")
        if self.fact and not self.sound:
            raise ValueError(f"shown '{self.label}': a fact has no sound to leave out")
        return self


class JudgeView(FrozenModel):
    """How one call presents the evidence. The empty one shows all of it under neutral names, by the usual prompts.

    Args:
        prompt: Prompt file that stands in for `judge`: one of the benchmark's own `prompts/judge_*.md`.
        form: Prompt file that stands in for `judge_form`.
        shown: What is shown, in this order; everything, as `file 1`, `file 2` … and facts by name, when empty.
        frames: Frame plan of this call, for judges that take frames; the judge's own when empty.
    """

    prompt: str = ""
    form: str = ""
    shown: tuple[Shown, ...] = ()
    frames: str = ""

    @model_validator(mode="after")
    def _told_apart(self) -> Self:
        labels = [each.label.casefold() for each in self.shown]
        if twice := next((label for label in labels if labels.count(label) > 1), None):
            raise ValueError(f"two things are shown as '{twice}'; give each its own label")
        return self

    def swapped(self) -> Self:
        """Return the view with what stands under `A` and `B` in each other's place."""
        by_label = {each.label: each for each in self.shown}
        other = dict(zip(SIDES, reversed(SIDES), strict=True))
        turned = tuple(
            by_label[other[each.label]].model_copy(update={"label": each.label}) if each.label in other else each
            for each in self.shown
        )
        return self.model_copy(update={"shown": turned})

    def with_file_names(self, names: Mapping[str, str]) -> Self:
        """Return the view of the same files under other recorded names."""
        shown = tuple(each.model_copy(update={"file": names.get(each.file, each.file)}) for each in self.shown)
        return self.model_copy(update={"shown": shown})


# All of the evidence under neutral names, by the usual prompts.
WHOLE_VIEW = JudgeView()
