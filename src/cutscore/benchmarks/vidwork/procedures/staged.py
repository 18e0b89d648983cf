"""A scene of the stage → the record of its procedure, told by somebody who does not say everything.

The stage knows when each step begins and ends, with what it is done, and why. What a step needs is read from what
happens to things: a slice that is carried must have been cut.
"""

from collections.abc import Mapping
from fractions import Fraction
from random import Random

from cutscore.benchmarks.vidwork.procedures.made import needs
from cutscore.benchmarks.vidwork.procedures.procedure import Procedure
from cutscore.benchmarks.vidwork.procedures.procedure import Step as Known
from cutscore.benchmarks.vidwork.procedures.seen import sights
from cutscore.benchmarks.vidwork.sidecars import transcript
from cutscore.core.errors import BadInput
from cutscore.media.transcript import Transcript
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Line, Step
from cutscore.stage.speech import speak

DOMAINS = {"kitchen": "cooking", "workshop": "repair_manufacturing", "first-aid": "first_aid_safety"}
SILENT = Fraction(1, 3)  # share of steps that nobody mentions: what the words give away, no frame has to show
EXPLAINED = Fraction(1, 2)  # share of the others for which the reason is said, too
AUTHOR = "stage"
LICENCE = "Apache-2.0"


def narrated(scene: Scene, *, seed: int = 0) -> Scene:
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
    fitting = [step for step in told if step.why and _fits(_explained(step), step, scene)]
    reasons = {step.id for step in fitting[: round(len(told) * EXPLAINED)]}
    own = [
        Line(start_s=step.start_s, text=_explained(step) if step.id in reasons else f"{step.text}.") for step in told
    ]
    others = [line for line in scene.lines if line.start_s not in starts]
    lines = sorted([*others, *own], key=lambda line: line.start_s)
    return scene.model_copy(update={"captions": (), "lines": tuple(lines)})


def _explained(step: Step) -> str:
    return f"{step.text}. {step.why[:1].upper()}{step.why[1:]}."


def _fits(text: str, step: Step, scene: Scene) -> bool:
    return len(text) <= 200 and speak(text, scene.voice).words[-1].end_s <= step.end_s - step.start_s


def staged_procedure(scene: Scene) -> Procedure:
    """Tell what is known of a staged procedure."""
    domain = next((DOMAINS[tag] for tag in scene.tags if tag in DOMAINS), None)
    if domain is None:
        raise BadInput(f"scene '{scene.name}'", "is no procedure", f"give one with a tag of {', '.join(DOMAINS)}")
    return Procedure(
        name=scene.name,
        title=scene.title,
        domain=domain,
        length_s=scene.frames / scene.rate,
        steps=tuple(_known(step, scene, needs(scene)) for step in scene.steps),
        sights=sights(scene),
        transcript=Transcript.model_validate(transcript(scene)),
        author=AUTHOR,
        licence=LICENCE,
        source=scene.item_id,
    )


def _known(step: Step, scene: Scene, needed: Mapping[str, tuple[str, ...]]) -> Known:
    verb, _, rest = step.text.partition(" ")
    return Known(
        id=step.id,
        start_s=step.start_s,
        end_s=min(step.end_s, scene.frames / scene.rate),
        text=step.text,
        verb=verb.lower(),
        tool=_tool(step, rest.lower(), scene),
        needs=needed[step.id],
        why=step.why,
    )


def _tool(step: Step, rest: str, scene: Scene) -> str:
    """Name the tool as the text does; a bottle of oil is a bottle, and the oil in it is no tool."""
    if step.tool is None:
        return ""
    thing = scene.thing(step.tool)
    name = (thing.kind if thing.fill else thing.id).replace("-", " ")
    return name if f" {name} " in f" {rest} ".replace(",", " ").replace(".", " ") else ""
