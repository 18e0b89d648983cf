"""Packs about procedures: footage → records → questions → filter, probe, datasheet. The recipe of vidwork."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pydantic import ValidationError

from cutscore.authoring.build_folder import BuildFolder
from cutscore.authoring.datasheet import Grid
from cutscore.authoring.difficulty_filter import FilterCandidate
from cutscore.authoring.footage import RefusedSource, SourceFootage, all_reasons
from cutscore.authoring.recipe import (
    RecipeItems,
    check_baselines,
    count_grid,
    count_values,
    drop_easy_items,
    publish_pack,
)
from cutscore.authoring.recipe_options import BuildOptions, BuildResult, RecipeOption
from cutscore.benchmarks.vidwork.dataset import (
    AXES,
    BUCKETS,
    DOMAINS,
    ERROR_TYPES,
    AnyQuestion,
    ErrorQuestion,
    OrderQuestion,
    bucket,
    empty_cells,
    remarks,
)
from cutscore.benchmarks.vidwork.packs.faces import blur_faces, require_weights
from cutscore.benchmarks.vidwork.packs.keyframes import keyframes
from cutscore.benchmarks.vidwork.packs.leak_probe import Leak, probe_leaks
from cutscore.benchmarks.vidwork.packs.question_writer import questions, refusals
from cutscore.benchmarks.vidwork.procedures.annotation import TASKS
from cutscore.benchmarks.vidwork.procedures.records import ProcedureRecords, collect_records
from cutscore.core.errors import BadInput
from cutscore.core.strict_json import first_fault
from cutscore.media.transcript import write_transcript

NAME = "vidwork"
ABOUT = (
    "Questions about procedures on video, on five axes: which steps, in which order, why, what is seen and not said, "
    "and whether a description is wrong. Each order is asked both ways, and each wrong description has a right twin."
)
ROLES = TASKS
OPTIONS = {
    "keyframes": RecipeOption("publish one picture a second instead of the video", ("no", "yes")),
    "faces": RecipeOption("make faces in keyframes unrecognisable", ("keep", "blur")),
    "domain": RecipeOption("of clips that a model watches", ("any", *DOMAINS)),
    "frames": RecipeOption("frame plan for a model that watches", ("fps=1,max=60",), free=True),
    "leaks": RecipeOption("whether descriptions whose words give them away fail the build", ("fail", "allow")),
}
WRITERS = {"transcript": write_transcript}
NO_CLIP = "no clip in"  # how a remark on an empty cell begins


def build(footage: SourceFootage, out: BuildFolder, options: BuildOptions) -> BuildResult:
    """Make a pack of questions about the procedures in some footage: the recipe of `cutscore build vidwork`."""
    own = options.own
    check_baselines(options.baselines)
    if own["faces"] == "blur":
        if own["keyframes"] != "yes":
            raise BadInput("--set faces=blur", "faces are blurred in keyframes alone", "add --set keyframes=yes")
        require_weights()
    domain = "" if own["domain"] == "any" else own["domain"]
    found = collect_records(footage.clips, out, options, domains=DOMAINS, domain=domain, frames=own["frames"])
    made = _draw_questions(found, footage, out, options)
    left = drop_easy_items(made, out, options, recipe=NAME, candidate=_candidate, sidecars=WRITERS)
    by = left.did.filtered_by if left.did else ()
    items = tuple(item.model_copy(update={"filtered_by": by}) for item in left.kept)
    probed = _probe_descriptions(items)
    leaky = [f"words give it away: {leak}" for leak in probed if leak.verdict == "leaks"]
    return publish_pack(
        replace(left, kept=items),
        about=ABOUT,
        counts={
            "axis": count_values((item.axis for item in items), AXES),
            "error": count_values((item.error_type for item in items if isinstance(item, ErrorQuestion)), ERROR_TYPES),
        },
        settings={
            "model": options.model,
            **{f"model for {task}": model for task, model in options.roles.items()},
            **{f"prompt for {task}": digest for task, digest in found.prompts.items()},
        },
        grids=_grids(items),
        probing=[str(leak) for leak in probed],
        warnings=(*_remarks(items), *(leaky if own["leaks"] == "allow" else ())),
        failures=leaky if own["leaks"] == "fail" else (),
        try_with="--subject oracle --subject blind",
        sidecars=WRITERS,
    )


def _candidate(item: AnyQuestion) -> FilterCandidate:
    closed = isinstance(item, OrderQuestion | ErrorQuestion)
    return FilterCandidate(item=item.id, axis=item.axis, pair=getattr(item, "pair", ""), closed=closed)


def _probe_descriptions(items: Sequence[AnyQuestion]) -> list[Leak]:
    """Ask what the words of descriptions alone tell."""
    told = [item for item in items if isinstance(item, ErrorQuestion)]
    if not told:
        return []
    return probe_leaks(
        [item.description for item in told],
        [item.wrong for item in told],
        [item.cluster for item in told],
        [item.error_type for item in told],
    )


def _draw_questions(
    found: ProcedureRecords, footage: SourceFootage, out: BuildFolder, options: BuildOptions
) -> RecipeItems[AnyQuestion]:
    """Draw the questions about all clips, and say what cannot be asked."""
    made = RecipeItems[AnyQuestion](refused=[*footage.refused, *found.refused], warnings=found.warnings)
    change = blur_faces if options.own["faces"] == "blur" else None
    for clip, procedure in found.known:
        options.tell(f"questions: {clip.name}")
        others = [other for _, other in found.known if other is not procedure]
        pictures = keyframes(clip, out, change=change) if options.own["keyframes"] == "yes" else ()
        file = None if pictures else clip.ref
        try:
            for item in questions(procedure, clip=file, keyframes=pictures, others=others, seed=options.seed):
                made.add(item, clip, author=procedure.author)
            made.refused += [RefusedSource(what=clip.name, because=why) for why in refusals(procedure, others=others)]
        except ValidationError as error:  # what a person or a model wrote may be no question
            made.refused.append(RefusedSource(what=clip.name, because=first_fault(error)))
    if not made.items:
        why, nothing = made.refused[len(footage.refused) :], "nothing can be asked about this footage"
        if len({each.what for each in why}) > 1:
            raise BadInput("footage", all_reasons(why), nothing)
        raise BadInput(f"clip '{why[0].what}'", why[0].because, nothing)
    return made


def _remarks(items: Sequence[AnyQuestion]) -> Iterator[str]:
    """Return what a reader of scores should know; empty cells in one sentence, since the datasheet draws them."""
    said = remarks(items)
    if empty := sum(each.startswith(NO_CLIP) for each in said):
        yield f"{empty} of {len(DOMAINS) * len(BUCKETS)} cells of domain × duration have no clip"
    yield from (each for each in said if not each.startswith(NO_CLIP))


def _grids(items: Sequence[AnyQuestion]) -> list[Grid]:
    clips = {item.cluster: (item.domain, bucket(item.duration_s)) for item in items}.values()
    empty = ", ".join(f"{domain} × {length}" for domain, length in empty_cells(clips))
    wrong = [(item.error_type, "wrong" if item.wrong else "right") for item in items if isinstance(item, ErrorQuestion)]
    return [
        count_grid("Clips by domain and duration", clips, DOMAINS, BUCKETS, note=f"Empty: {empty}." if empty else ""),
        count_grid("Items by domain and axis", ((item.domain, item.axis) for item in items), DOMAINS, AXES),
        count_grid("Descriptions by kind of error", wrong, ERROR_TYPES, ("wrong", "right")),
    ]
