"""What every recipe is given, and what it returns.

A recipe is `build(footage, out, options)` in a benchmark's `build.py`, or a plug-in of the group `cutscore.recipes`. It
makes items from source clips (`footage.py`) and leaves a pack in the folder that it is given (`build_folder.py`).
Beside that function may stand:

    OPTIONS                    what the command line does not know: `--set NAME=VALUE`, by name
    ROLES                      tasks that may have a model of their own: `--role NAME=MODEL`
    staging(scene, *, seed)    what is done to scenes of the stage before they are rendered
    read_sources(words, out, options, *, licence)    reads what is no footage, and returns what `build` is given instead
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import Field

from cutscore.authoring.footage import RefusedSource
from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.frozen import FrozenModel


def ignore_line(_line: str) -> None:
    """Do nothing with a line of progress."""


@dataclass(frozen=True)
class RecipeOption:
    """An option of a recipe.

    Args:
        values: What it may be, the default first.
        free: It may be anything else, too.
        within: It is a whole number instead, from the one to the other.
    """

    about: str
    values: tuple[str, ...]
    free: bool = False
    within: tuple[int, int] | None = None

    def check(self, name: str, value: str) -> None:
        """Raise when an option of that name may not be that."""
        if self.within is not None:
            low, high = self.within
            if not value.isdecimal() or not low <= int(value) <= high:
                example = f"for example {name}={self.values[0]}"
                raise BadInput(f"--set {name}={value}", f"is no number from {low} to {high}", example)
        elif not self.free and value not in self.values:
            raise BadInput(f"--set {name}={value}", "is no choice", f"write {' or '.join(self.values)}")


@dataclass(frozen=True)
class BuildOptions:
    """What the command line says to a recipe.

    Args:
        model: Who writes what people or the stage did not; nobody when empty.
        roles: Other models for single tasks of the recipe, by their names.
        prompts: Prompt files instead of ours, by name.
        baselines: Subjects or models whose right answers make an item too easy.
        own: The recipe's own options, checked, each with its default where it was not given.
        url: Where a site is, for recipes that go to one.
        record: Whether a person goes there, and what they do is written down.
        cost_limit_usd: What those who write may cost altogether, and the baselines once more; None for no limit.
    """

    model: str = ""
    roles: Mapping[str, str] = field(default_factory=dict)
    prompts: Mapping[str, Path] = field(default_factory=dict)
    baselines: tuple[str, ...] = ()
    seed: int = 0
    own: Mapping[str, str] = field(default_factory=dict)
    url: str = ""
    record: bool = False
    cost_limit_usd: float | None = None
    tell: Callable[[str], None] = ignore_line


class BuildResult(FrozenModel):
    """What a recipe has made.

    Args:
        counts: Items by named strata: `{"axis": {"step_recognition": 6}}`.
        dropped: Items that were made and are not in the pack, by reason.
        refused: What nothing could be made of.
        warnings: What whoever publishes the pack should know.
        failures: Gates that the pack does not pass; with any, the command ends with code 1.
    """

    items: int
    clips: int
    counts: dict[str, dict[str, int]] = Field(default_factory=dict)
    dropped: dict[str, int] = Field(default_factory=dict)
    refused: tuple[RefusedSource, ...] = ()
    warnings: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()


def parse_options(given: Mapping[str, str], offered: Mapping[str, RecipeOption], *, recipe: str) -> dict[str, str]:
    """Return the value of every option of a recipe: the given one, checked, or its default."""
    for name, value in given.items():
        if name not in offered:
            names = ", ".join(offered)
            hint = f"recipe '{recipe}' has {names}" if offered else f"recipe '{recipe}' has none"
            raise UnknownName(f"no option '{name}'", "", hint)
        offered[name].check(name, value)
    return {name: given.get(name, choice.values[0]) for name, choice in offered.items()}
