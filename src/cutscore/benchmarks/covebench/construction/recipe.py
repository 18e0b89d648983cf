"""Footage → tasks: the recipe of `cutscore build covebench` (§2.1, I.1 to I.3).

    filters → caption → instruction → categoriser → checklist → linter → judge of the source → item

Whatever a model writes is a draft until people have signed it off.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from cutscore.authoring.build_folder import BuildFolder
from cutscore.authoring.datasheet import Grid
from cutscore.authoring.footage import SourceFootage
from cutscore.authoring.recipe import count_values, drop_easy_items, make_items, publish_pack
from cutscore.authoring.recipe_options import BuildOptions, BuildResult, RecipeOption
from cutscore.benchmarks.covebench.checklist import taxonomy
from cutscore.benchmarks.covebench.construction.filters import screen_footage
from cutscore.benchmarks.covebench.construction.lint import lint_balance
from cutscore.benchmarks.covebench.construction.source_judge import open_source_judge
from cutscore.benchmarks.covebench.construction.task_maker import TaskMaker
from cutscore.benchmarks.covebench.construction.writers import ROLES, open_rotation
from cutscore.benchmarks.covebench.dataset import EditTask

__all__ = ["OPTIONS", "ROLES", "build"]

NAME = "covebench"
ABOUT = (
    "Videos with an instruction that asks for several edits at once, and a checklist for the result. A second model "
    "read each instruction alone and named the dimensions of editing that it asks for. Where it did not find one that "
    "the writer claims, the task was refused; what it found beyond is recorded in the item and told below."
)
OPTIONS = {
    "writers": RecipeOption("models that take turns at instructions, as A,B,C; else --model", ("",), free=True),
    "checklist_writers": RecipeOption("models that take turns at checklists; else the writers", ("",), free=True),
    "judge": RecipeOption("who answers for the untouched source; groups that it passes are refused", ("",), free=True),
    "balance": RecipeOption("whether a pack with too many equal answers fails the build", ("fail", "allow")),
    "frames": RecipeOption("frame plan for models that watch", ("fps=2,max=42",), free=True),
}


def build(footage: SourceFootage, out: BuildFolder, options: BuildOptions) -> BuildResult:
    """Make a pack of editing tasks: the recipe of `cutscore build covebench`."""
    rotation = open_rotation(out, options)
    screened = screen_footage(footage, options.tell)
    turns = {clip.name: rotation.for_clip(number) for number, clip in enumerate(screened.clips)}
    with open_source_judge(options.own["judge"], out, rotation.caller.ledger) as judge:
        make = TaskMaker(turns, judge, options.seed).make
        made = make_items(screened, options, make, doing="task", nothing="no task can be made of this footage")
    left = drop_easy_items(made, out, options, recipe=NAME)
    uneven = [fault.fact for fault in lint_balance([item.checklist for item in left.kept])]
    failures = uneven if options.own["balance"] == "fail" else []
    return publish_pack(
        left,
        about=ABOUT,
        counts=_count(left.kept),
        settings={
            "model": options.model,
            **{f"model for {task}": model for task, model in options.roles.items()},
            **rotation.settings,
        },
        grids=_grids(left.kept),
        warnings=[*_remarks(left.kept, judged=judge is not None), *(each for each in uneven if each not in failures)],
        failures=failures,
        try_with="--subject null --judge MODEL",
    )


def _count(items: Sequence[EditTask]) -> dict[str, dict[str, int]]:
    dimensions = [name for item in items for name in {entry.level_1 for entry in item.checklist.categories}]
    return {
        "dimension": count_values(dimensions, tuple(taxonomy())),
        "edits": count_values(sorted(f"{item.groups['edit_points']} edits" for item in items)),
    }


def _grids(items: Sequence[EditTask]) -> list[Grid]:
    types = Counter((entry.level_1, entry.level_2) for item in items for entry in item.checklist.categories)
    known = [(name, type) for name, every in taxonomy().items() for type in every]
    parts = ("captioned_by", "drafted_by", "categorised_by", "checklist_by")
    by = Counter((getattr(item.construction, part), part) for item in items for part in parts)
    names = dict.fromkeys(name for name, _ in by)
    return [
        Grid("Types of edits", ("dimension", "type", "tasks"), [(*type, types[type]) for type in known]),
        Grid(
            "Who wrote which part",
            ("", "captions", "instructions", "categories", "checklists"),
            [(f"`{name}`", *(by[name, part] for part in parts)) for name in names],
        ),
    ]


def _remarks(items: Sequence[EditTask], *, judged: bool) -> Iterator[str]:
    """Return what whoever publishes the pack should know."""
    made = [(item.id, item.construction) for item in items if item.construction]
    for name, number in count_values(record.drafted_by for _, record in made).items():
        yield f"{number} of {len(items)} tasks were drafted by {name} and are not signed off"
    for id, record in made:
        if record.unclaimed:
            yield f"item '{id}': {record.categorised_by} also finds {' and '.join(record.unclaimed)} in its words"
    if same := sum(record.categorised_by == record.drafted_by for _, record in made):
        yield f"{same} of {len(items)} instructions were categorised by their own writers; add --role category=M"
    if not judged:
        yield "nobody answered for the sources: groups that an untouched video passes may be in it; add --set judge=M"
