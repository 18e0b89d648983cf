"""Footage → cases: the recipe of `cutscore build clvg` (section 3.1, supplement C).

`stage:clvg` makes a pack of the staged cases instead, without a model; labels are dealt to them all the same, so that
the distributions of Figure 16 can be looked at.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random

from cutscore.authoring.build_folder import BuildFolder
from cutscore.authoring.datasheet import Grid
from cutscore.authoring.footage import STAGE_LICENCE, SourceClip, SourceFootage, read_footage
from cutscore.authoring.model_writer import ModelCaller, ModelWriter
from cutscore.authoring.recipe import RecipeItems, count_values, drop_easy_items, make_items, publish_pack
from cutscore.authoring.recipe_options import BuildOptions, BuildResult, RecipeOption
from cutscore.benchmarks.clvg.construction.case_maker import VERIFIERS, CaseMaker, CaseWriters
from cutscore.benchmarks.clvg.construction.decks import ScriptLabels, count_labels, deal, deal_labels
from cutscore.benchmarks.clvg.construction.record import CaseRecord
from cutscore.benchmarks.clvg.dataset import GenerationCase, strata
from cutscore.benchmarks.clvg.staged.items import make_staged_items
from cutscore.benchmarks.clvg.taxonomy import Subcategory, find_subcategory, read_taxonomy
from cutscore.core.errors import BadInput
from cutscore.core.subject import Subject, SubjectSpec
from cutscore.media.plan import FramePlan
from cutscore.models.provider import require_reachable
from cutscore.prompts import load_prompts

__all__ = ["OPTIONS", "ROLES", "build", "read_sources"]

NAME, STAGED = "clvg", "stage:clvg"
PROMPTS = Path(__file__).parents[1] / "prompts" / "build"
ROLES = ("facts", "adjudicator", "script")
OPTIONS = {
    "verifiers": RecipeOption("three models that verify each request, as A,B,C; else --model thrice", ("",), free=True),
    "subcategories": RecipeOption("which are dealt to the clips, as A,B; else all but interaction", ("",), free=True),
    "generator": RecipeOption(
        "subject that films scripts in place of the footage: command:… or http:…", ("",), free=True
    ),
    "frames": RecipeOption("frame plan for models that watch", ("fps=2,max=32",), free=True),
}
ABOUT = (
    "Contexts of words, images, sound and video, and what a generator is asked to make of them. A model wrote each "
    "request; three verifiers read it by themselves, another model checked its statements, and an adjudicator wrote "
    "anew what anybody objected to. Votes, reasons and prompts are in the items."
)
ABOUT_STAGED = "The staged cases of the starter pack, drawn anew, with labels dealt to them; no model was asked."
INTERACTION = "multi_turn_interaction"  # a benchmark of its own


@dataclass(frozen=True)
class StagedSources:
    """The staged cases in place of footage."""


def read_sources(
    words: Sequence[str], out: BuildFolder, options: BuildOptions, *, licence: str
) -> SourceFootage | StagedSources:
    """Return the staged cases for `stage:clvg`, and footage for anything else."""
    if list(words) == [STAGED]:
        return StagedSources()
    return read_footage(words, out, licence=licence, tell=options.tell)


def build(sources: SourceFootage | StagedSources, out: BuildFolder, options: BuildOptions) -> BuildResult:
    """Make a pack of cases: the recipe of `cutscore build clvg`."""
    if isinstance(sources, StagedSources):
        return _build_staged(out, options)
    names = [clip.name for clip in sources.clips]
    labels = dict(zip(names, deal_labels(len(names), options.seed), strict=True))
    kinds = dict(zip(names, _deal_kinds(options), strict=False))
    writers = _open_writers(out, options)
    generator = _open_generator(options.own["generator"])
    maker = CaseMaker(writers, kinds, labels, out, options.seed, generator, options.own["generator"])
    made = make_items(sources, options, maker.make, doing="case", nothing="no case can be made of this footage")
    left = drop_easy_items(made, out, options, recipe=NAME)
    records = [CaseRecord.model_validate(item.construction) for item in left.kept]
    dealt = [record.labels for record in records if record.labels]
    return publish_pack(
        left,
        about=ABOUT,
        counts=_count(left.kept),
        settings={"model": options.model, **{f"model for {task}": model for task, model in options.roles.items()}},
        grids=[_states(records), *(_distributions(dealt) if dealt else ())],
        warnings=_remarks(records),
        try_with="--subject null --judge MODEL",
    )


def _build_staged(out: BuildFolder, options: BuildOptions) -> BuildResult:
    """Make a pack of the staged cases, in an order and with labels by the seed."""
    items = make_staged_items(out.store)
    labels = deal_labels(len(items), options.seed)
    made = RecipeItems[GenerationCase]()
    for item, own in zip(Random(f"clvg {options.seed}").sample(items, len(items)), labels, strict=True):
        told = item.model_copy(update={"construction": {"labels": own.model_dump()}})
        made.add(told, _staged_clip(item, out))
    left = drop_easy_items(made, out, options, recipe=NAME)
    return publish_pack(left, about=ABOUT_STAGED, counts=_count(left.kept), grids=_distributions(labels))


def _staged_clip(item: GenerationCase, out: BuildFolder) -> SourceClip:
    """Return what a datasheet says of a staged case: its first file, whose licence is ours."""
    ref = item.files[0]
    length = Fraction(item.length_s or 0).limit_denominator(1000)
    return SourceClip(item.id, ref, out.store.path(ref), STAGED, length, licence=STAGE_LICENCE)


def _deal_kinds(options: BuildOptions) -> Iterator[Subcategory]:
    """Deal subcategories to clips, each as often as any other."""
    _, known = read_taxonomy()
    asked = [name.strip() for name in options.own["subcategories"].split(",") if name.strip()]
    chosen = [find_subcategory(name) for name in asked] or [each for each in known.values() if each.code != INTERACTION]
    if any(each.code == INTERACTION for each in chosen):
        raise BadInput(f"--set subcategories={INTERACTION}", "is the benchmark clvg_turns", "leave it out")
    codes = deal([each.code for each in chosen], Random(f"{options.seed} subcategory"))
    return (find_subcategory(code) for code in codes)


def _open_writers(out: BuildFolder, options: BuildOptions) -> CaseWriters:
    """Return who writes and verifies, and refuse what would else be refused once for each clip."""
    FramePlan.parse(options.own["frames"])
    if not options.model:
        raise BadInput("recipe 'clvg'", "nobody writes the requests", f"add --model M, or build {STAGED}")
    named = [name.strip() for name in options.own["verifiers"].split(",") if name.strip()]
    verifiers = named or [options.model] * VERIFIERS
    if len(verifiers) != VERIFIERS:
        raise BadInput("--set verifiers", f"names {len(verifiers)} models", f"name {VERIFIERS}, as A,B,C")
    for model in verifiers:
        require_reachable(model)
    others = {role: options.roles.get(role, options.model) for role in ROLES}
    models = tuple(dict.fromkeys((options.model, *verifiers, *others.values())))
    caller = ModelCaller(out, models, options.cost_limit_usd)
    caller.refuse_unpriced()
    prompts = load_prompts(PROMPTS, flags=options.prompts)

    def open_writer(task: str, model: str) -> ModelWriter:
        return ModelWriter(model, options.own["frames"], prompts[task], caller)

    return CaseWriters(
        request=open_writer("request", options.model),
        verifiers=[open_writer("verify", model) for model in verifiers],
        facts=open_writer("facts", others["facts"]),
        adjudicator=open_writer("adjudicate", others["adjudicator"]),
        script=open_writer("script", others["script"]),
    )


def _open_generator(spec: str) -> Subject | None:
    """Return the subject that films scripts; None where nobody is named."""
    if not spec:
        return None
    from cutscore.subjects.command import open_command
    from cutscore.subjects.http import open_http

    parsed = SubjectSpec.parse(spec)
    if parsed.kind == "command":
        return open_command(parsed.spec)
    if parsed.kind == "http":
        return open_http(parsed.spec)
    raise BadInput(f"--set generator={spec}", "is neither a program nor a service", "write command:… or http:…")


def _count(items: Sequence[GenerationCase]) -> dict[str, dict[str, int]]:
    categories, _ = read_taxonomy()
    return {
        "category": count_values((item.kind.category for item in items), tuple(categories)),
        "modalities": count_values(strata(item)["modalities"] for item in items),
    }


def _states(records: Sequence[CaseRecord]) -> Grid:
    reasons = count_values(reason for record in records for vote in record.votes for reason in vote.reasons)
    body = [*count_values(record.state for record in records).items(), *reasons.items()]
    return Grid("Review", ("state or objection", "cases or votes"), body)


def _distributions(labels: Sequence[ScriptLabels]) -> list[Grid]:
    """Return how often each value of each element was dealt, as Figure 16 shows it."""
    return [
        Grid(f"Labels: {name}", (name, "scripts"), list(counts.items()), "dealt without replacement")
        for name, counts in count_labels(labels).items()
    ]


def _remarks(records: Sequence[CaseRecord]) -> Iterator[str]:
    """Return what whoever publishes the pack should know."""
    for who, number in count_values(record.written_by for record in records).items():
        yield f"{number} of {len(records)} requests were written by {who}; no person has signed them"
    same = sum(any(vote.by == record.written_by for vote in record.votes) for record in records)
    if same:
        yield f"{same} of {len(records)} requests were verified by their own writer, too; add --set verifiers=A,B,C"
