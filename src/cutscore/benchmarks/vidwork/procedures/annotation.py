"""A model watches a clip and writes the record of its procedure; it is named as the author, and may err.

Three tasks, each with a prompt of its own: the steps with their times (`steps`), why each is done (`causes`), and what
is to be seen and not said (`sights`). What is written is held to what can be checked: times lie within the clip, a step
needs earlier ones, numbers of steps exist. The rest is the model's word.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated

from pydantic import Field, JsonValue

from cutscore.authoring.footage import SourceClip
from cutscore.authoring.model_writer import ModelCaller, ModelRequest
from cutscore.benchmarks.vidwork.procedures.procedure import Line, Name, ProcedureRecord, ProcedureStep, Sight
from cutscore.core.frozen import FrozenModel
from cutscore.core.timeline import Seconds, timecode
from cutscore.media.transcript import Transcript
from cutscore.prompts import Prompt, load_prompts
from cutscore.scoring.judges.fence import Fence

TASKS = ("steps", "causes", "sights")
MOST_STEPS, MOST_SIGHTS = 60, 40
# A model reads times off frames that are a second apart: so much beyond the end is rounding, and more is a mistake.
ROUNDING_S = Fraction(1)


@dataclass(frozen=True)
class Annotator:
    """Who watches (Inspect's names, by task), with which prompts and frames, and what a procedure may be about."""

    models: Mapping[str, str]
    prompts: Mapping[str, Prompt]
    frames: str
    domains: tuple[str, ...]


class _StepReply(FrozenModel):
    text: Line
    start_s: Seconds
    end_s: Seconds
    verb: Name = ""
    tool: Name = ""
    needs: Annotated[tuple[int, ...], Field(max_length=20)] = ()


class _StepsReply(FrozenModel):
    title: Line
    domain: str
    steps: Annotated[tuple[_StepReply, ...], Field(min_length=3, max_length=MOST_STEPS)]


class _ReasonReply(FrozenModel):
    step: int
    why: Line


class _ReasonsReply(FrozenModel):
    reasons: Annotated[tuple[_ReasonReply, ...], Field(max_length=MOST_STEPS)]


class _SightsReply(FrozenModel):
    sights: Annotated[tuple[Sight, ...], Field(max_length=MOST_SIGHTS)]


def annotation_prompts(flags: Mapping[str, Path]) -> dict[str, Prompt]:
    """Return the three prompts, ours or those that the user names."""
    return load_prompts(Path(__file__).parents[1] / "prompts" / "build", flags=flags)


def annotate_clip(
    clip: SourceClip, transcript: Transcript | None, watcher: Annotator, asking: ModelCaller
) -> ProcedureRecord:
    """Let models write the record of a clip.

    Raises:
        BrokenData: A model could not, after several attempts; the clip has no record then.
    """
    spoken = _fence_transcript(transcript)
    facts = {"length_s": f"{float(clip.length_s):.1f}", "transcript": spoken}

    def request(task: str, **blanks: str) -> ModelRequest:
        text = watcher.prompts[task].fill(**facts, **blanks)
        return ModelRequest(task, watcher.models[task], text, (clip.ref,), watcher.frames)

    def steps(plain: JsonValue) -> ProcedureRecord:
        return _read_steps(_StepsReply.model_validate(plain), clip, transcript, watcher)

    known = asking.ask(request("steps", domains=", ".join(watcher.domains)), steps)
    listed = "\n".join(f"{number}. [{timecode(s.start_s)}] {s.text}" for number, s in enumerate(known.steps, 1))
    explained = asking.ask(request("causes", steps=listed), lambda plain: _add_reasons(known, plain))
    return asking.ask(request("sights", steps=listed), lambda plain: _add_sights(explained, plain))


def _read_steps(
    said: _StepsReply, clip: SourceClip, transcript: Transcript | None, watcher: Annotator
) -> ProcedureRecord:
    if said.domain not in watcher.domains:
        raise ValueError(f"domain is none of {', '.join(watcher.domains)}")
    made = []
    for number, step in enumerate(said.steps, start=1):
        if any(not 1 <= needed < number for needed in step.needs):
            raise ValueError(f"step {number} needs a step that is not an earlier one")
        made.append(
            ProcedureStep(
                id=f"step-{number}",
                text=step.text,
                start_s=step.start_s,
                end_s=_check_end(step, number, clip.length_s),
                verb=step.verb if step.verb.lower() in step.text.lower() else "",
                tool=step.tool if step.tool.lower() in step.text.lower() else "",
                needs=tuple(f"step-{needed}" for needed in sorted(set(step.needs))),
            )
        )
    return ProcedureRecord(
        name=clip.name,
        title=said.title,
        domain=said.domain,
        length_s=clip.length_s,
        steps=tuple(made),
        transcript=transcript,
        author=" + ".join(dict.fromkeys(watcher.models[task] for task in TASKS))[:100],
        licence=clip.licence[:100],
        source=clip.source[-100:],
    )


def _check_end(step: _StepReply, number: int, length_s: Fraction) -> Fraction:
    if step.start_s < 0 or step.start_s >= length_s:
        raise ValueError(f"step {number} begins outside the clip, which lasts {float(length_s):g} s")
    if step.end_s <= step.start_s:
        raise ValueError(f"step {number} does not end after it begins")
    if step.end_s > length_s + ROUNDING_S:
        raise ValueError(f"step {number} ends after the clip, which lasts {float(length_s):g} s")
    return min(step.end_s, length_s)


def _add_reasons(known: ProcedureRecord, plain: JsonValue) -> ProcedureRecord:
    why: dict[int, str] = {}
    for reason in _ReasonsReply.model_validate(plain).reasons:
        if not 1 <= reason.step <= len(known.steps) or reason.step in why:
            raise ValueError(f"reasons name step {reason.step}, which does not exist or was named before")
        why[reason.step] = reason.why.rstrip(".")
    steps = [
        step.model_copy(update={"why": why[number]}) if number in why else step
        for number, step in enumerate(known.steps, start=1)
    ]
    return known.model_copy(update={"steps": tuple(steps)})


def _add_sights(known: ProcedureRecord, plain: JsonValue) -> ProcedureRecord:
    sights = _SightsReply.model_validate(plain).sights
    for number, sight in enumerate(sights, start=1):
        if sight.start_s < 0 or sight.end_s > known.length_s + ROUNDING_S:
            raise ValueError(f"sight {number} lies outside the clip, which lasts {float(known.length_s):g} s")
    within = [sight.model_copy(update={"end_s": min(sight.end_s, known.length_s)}) for sight in sights]
    # Built anew, not copied, so that the whole record is checked once more.
    return ProcedureRecord.model_validate(
        {**known.model_dump(by_alias=True), "sights": [each.model_dump() for each in within]}
    )


def _fence_transcript(transcript: Transcript | None) -> str:
    """Put what was said between marks that nobody who spoke can have known."""
    lines = [f"[{timecode(each.start_s)}] {each.text}" for each in transcript.segments] if transcript else []
    text = "\n".join(lines) or ("(nobody speaks)" if transcript else "(nobody listened)")
    fence = Fence.of(text)
    return f"{fence.opening}\n{text}\n{fence.closing}"
