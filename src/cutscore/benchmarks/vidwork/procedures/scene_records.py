"""A scene of the stage → the record of its procedure, told by somebody who does not say everything.

The stage knows when each step begins and ends, with what it is done, and why. What a step needs is read from what
happens to things: a slice that is carried must have been cut.
"""

from collections.abc import Mapping
from fractions import Fraction
from random import Random

from cutscore.benchmarks.vidwork.procedures.procedure import ProcedureRecord, ProcedureStep
from cutscore.benchmarks.vidwork.procedures.scene_needs import scene_needs
from cutscore.benchmarks.vidwork.procedures.scene_sights import find_sights
from cutscore.core.errors import BadInput
from cutscore.media.transcript import Segment, Transcript, Word
from cutscore.stage.scene import Scene
from cutscore.stage.setting import SceneLine, SceneStep
from cutscore.stage.speech import speak, speaker_name, timed_lines

DOMAINS = {"kitchen": "cooking", "workshop": "repair_manufacturing", "first-aid": "first_aid_safety"}
SILENT = Fraction(1, 3)  # share of steps that nobody mentions: what the words give away, no frame has to show
EXPLAINED = Fraction(1, 2)  # share of the others for which the reason is said, too
AUTHOR = "stage"
LICENCE = "Apache-2.0"


def narrate_with_gaps(scene: Scene, *, seed: int = 0) -> Scene:
    """Return the scene without captions, and told with gaps: some steps unsaid, some said, some with their reason.

    Captions would show the text of every step to whoever can read. No two neighbours are unsaid, so that there are
    gaps on both sides of what is said between them: whoever only listens does not know which step fills which. A reason
    is said only where it ends with its step.
    """
    draw, count = Random(f"narrated {scene.name} {scene.seed} {seed}"), len(scene.steps)
    quiet = -(-count * SILENT.numerator // SILENT.denominator)
    apart = sorted(draw.sample(range(count - quiet + 1), quiet))
    silent = {place + shift for shift, place in enumerate(apart)}
    starts = {step.start_s for step in scene.steps}
    told = [step for place, step in enumerate(scene.steps) if place not in silent]
    draw.shuffle(told)
    fitting = [step for step in told if step.why and _fits(_explain(step), step, scene)]
    reasons = {step.id for step in fitting[: round(len(told) * EXPLAINED)]}
    own = [
        SceneLine(start_s=step.start_s, text=_explain(step) if step.id in reasons else f"{step.text}.") for step in told
    ]
    others = [line for line in scene.lines if line.start_s not in starts]
    lines = sorted([*others, *own], key=lambda line: line.start_s)
    return scene.model_copy(update={"captions": (), "lines": tuple(lines)})


def _explain(step: SceneStep) -> str:
    return f"{step.text}. {step.why[:1].upper()}{step.why[1:]}."


def _fits(text: str, step: SceneStep, scene: Scene) -> bool:
    return len(text) <= 200 and speak(text, scene.voice).words[-1].end_s <= step.end_s - step.start_s


def record_scene(scene: Scene) -> ProcedureRecord:
    """Return the record of a staged procedure: all that the stage knows of it."""
    domain = next((DOMAINS[tag] for tag in scene.tags if tag in DOMAINS), None)
    if domain is None:
        raise BadInput(f"scene '{scene.name}'", "is no procedure", f"give one with a tag of {', '.join(DOMAINS)}")
    return ProcedureRecord(
        name=scene.name,
        title=scene.title,
        domain=domain,
        length_s=scene.frames / scene.rate,
        steps=tuple(_record_step(step, scene, scene_needs(scene)) for step in scene.steps),
        sights=find_sights(scene),
        transcript=transcribe_scene(scene),
        author=AUTHOR,
        licence=LICENCE,
        source=scene.item_id,
    )


def _record_step(step: SceneStep, scene: Scene, needed: Mapping[str, tuple[str, ...]]) -> ProcedureStep:
    verb, _, rest = step.text.partition(" ")
    return ProcedureStep(
        id=step.id,
        start_s=step.start_s,
        end_s=min(step.end_s, scene.frames / scene.rate),
        text=step.text,
        verb=verb.lower(),
        tool=_tool(step, rest.lower(), scene),
        needs=needed[step.id],
        why=step.why,
    )


def _tool(step: SceneStep, rest: str, scene: Scene) -> str:
    """Name the tool as the text does; a bottle of oil is a bottle, and the oil in it is no tool."""
    if step.tool is None:
        return ""
    thing = scene.thing(step.tool)
    name = (thing.kind if thing.fill else thing.id).replace("-", " ")
    return name if f" {name} " in f" {rest} ".replace(",", " ").replace(".", " ") else ""


def transcribe_scene(scene: Scene) -> Transcript:
    """Return what is said in a scene, line by line.

    Words whose times were shared out by letters are left out of their line, since times in a transcript are exact.
    """
    segments = [
        Segment(
            start_s=heard.line.start_s,
            end_s=heard.words[-1].end_s,
            text=" ".join(word.text for word in heard.words),
            words=tuple(Word(start_s=w.start_s, end_s=w.end_s, text=w.text) for w in heard.words if w.exact),
        )
        for heard in timed_lines(scene)
    ]
    made_by = speaker_name(scene.voice) if scene.lines else "nobody speaks"
    return Transcript(language="en", made_by=made_by, length_s=scene.frames / scene.rate, segments=tuple(segments))
