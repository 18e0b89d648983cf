"""Clips → records of their procedures, from whoever knows: the stage, a file beside the clip, a model that watches."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pydantic import ValidationError

from cutscore.authoring.build_folder import BuildFolder
from cutscore.authoring.footage import RefusedSource, SourceClip, all_reasons
from cutscore.authoring.model_writer import ModelCaller
from cutscore.authoring.recipe import refuse
from cutscore.authoring.recipe_options import BuildOptions
from cutscore.authoring.source_facts import transcript_of
from cutscore.benchmarks.vidwork.procedures.annotation import TASKS, Annotator, annotate_clip, annotation_prompts
from cutscore.benchmarks.vidwork.procedures.procedure import ProcedureRecord, read_procedure
from cutscore.benchmarks.vidwork.procedures.scene_records import record_scene
from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.strict_json import first_fault
from cutscore.core.timeline import timecode
from cutscore.media.plan import FramePlan
from cutscore.media.transcript import Transcript

# A sidecar may round the length of its clip.
SLACK_S = 1
WAYS = "lay NAME.procedure.json beside the clip, name a --model that watches it, or build from stage:NAME"


@dataclass
class ProcedureRecords:
    """What is known of each clip, in their order, and which clips nothing is known of.

    Args:
        known: A clip without a licence has that of its record here.
        prompts: Digests of what models were asked, by task; none when nobody watches.
    """

    known: list[tuple[SourceClip, ProcedureRecord]] = field(default_factory=list)
    refused: list[RefusedSource] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    prompts: dict[str, str] = field(default_factory=dict)


def collect_records(
    clips: Sequence[SourceClip],
    out: BuildFolder,
    options: BuildOptions,
    *,
    domains: tuple[str, ...],
    domain: str = "",
    frames: str,
) -> ProcedureRecords:
    """Return the record of every clip that has one or can get one.

    A model that watches clips says which of `domains` each is about, unless `domain` names one for all. `frames` is
    the frame plan for models that take frames.

    Raises:
        BadInput: There is none at all; the sentence says the three ways to get one.
    """
    prompts = annotation_prompts(options.prompts)  # also when nobody watches: a prompt that does not exist is an error
    models = {task: options.roles.get(task, options.model) for task in TASKS}
    if options.roles and not all(models.values()):
        idle = " and ".join(task for task, model in models.items() if not model)
        raise BadInput("--role", f"nobody is named for {idle}", "add --model, or a --role for each")
    watcher = Annotator(models, prompts, frames, (domain,) if domain else domains) if all(models.values()) else None
    asking = ModelCaller(out, tuple(filter(None, models.values())), options.cost_limit_usd)
    # Said here once, these would else be said of every clip.
    FramePlan.parse(frames)
    asking.refuse_unpriced()
    made = ProcedureRecords(prompts={task: prompts[task].digest for task in TASKS} if watcher else {})
    for number, clip in enumerate(clips, start=1):
        options.tell(f"record {number} of {len(clips)}: {clip.name}")
        try:
            procedure = _record(clip, watcher, asking, domains=domains, warnings=made.warnings)
            made.known.append((replace(clip, licence=procedure.licence), procedure))
        except BadInput as error:
            made.refused.append(refuse(clip, error))
    if not made.known:
        if len(made.refused) > 1:
            raise BadInput("footage", all_reasons(made.refused), WAYS)
        raise BadInput(f"clip '{made.refused[0].what}'", made.refused[0].because, WAYS)
    return made


def _record(
    clip: SourceClip, watcher: Annotator | None, asking: ModelCaller, *, domains: tuple[str, ...], warnings: list[str]
) -> ProcedureRecord:
    if clip.scene is not None:
        return record_scene(clip.scene).model_copy(update={"name": clip.name})
    written = read_procedure(clip.procedure) if clip.procedure is not None else None
    if written is None and watcher is None:
        raise BadInput(clip.name, "nobody wrote down its procedure")
    transcript = (written and written.transcript) or transcript_of(clip, asking.out)
    if transcript is None:
        ways = "pip install 'cutscore[speech]', or lay a .vtt beside it"
        warnings.append(f"clip '{clip.name}': nobody listened to it; {ways}")
    if written is not None:
        return _fit_to_clip(written, clip, transcript, domains)
    assert watcher is not None
    return annotate_clip(clip, transcript, watcher, asking)


def _fit_to_clip(
    written: ProcedureRecord, clip: SourceClip, transcript: Transcript | None, domains: tuple[str, ...]
) -> ProcedureRecord:
    """Hold what a person wrote to the clip that it lies beside."""
    if written.domain not in domains:
        raise BrokenData(clip.name, f"its domain '{written.domain}' is none of {', '.join(domains)}")
    if abs(written.length_s - clip.length_s) > SLACK_S:
        lengths = f"{timecode(written.length_s)} by its record and {timecode(clip.length_s)} by its pictures"
        raise BrokenData(clip.name, f"lasts {lengths}")
    own = {
        "name": clip.name,
        "length_s": clip.length_s,
        "transcript": transcript.model_dump(by_alias=True) if transcript else None,
        "licence": clip.licence or written.licence,
        "source": written.source or clip.source[-100:],
    }
    try:  # anew and not copied, so that steps are held to the clip's own length
        return ProcedureRecord.model_validate({**written.model_dump(by_alias=True), **own})
    except ValidationError as error:
        raise BrokenData(clip.name, first_fault(error)) from None
