"""A scene of the stage → the record of its procedure, told by somebody who does not say everything.

The stage knows when each step begins and ends, with what it is done, and why. What a step needs is read from what
happens to things: a slice that is carried must have been cut.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from random import Random

from cutscore.benchmarks.vidwork.procedures.procedure import ProcedureRecord, ProcedureStep
from cutscore.benchmarks.vidwork.procedures.scene_sights import find_sights
from cutscore.core.errors import BadInput
from cutscore.media.transcript import Segment, Transcript, Word
from cutscore.stage.scene import Scene
from cutscore.stage.setting import SceneLine, SceneStep
from cutscore.stage.speech import speak, speaker_name, timed_lines
from cutscore.stage.states import Animation
from cutscore.stage.things import Change

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


@cache
def record_scene(scene: Scene) -> ProcedureRecord:
    """Return the record of a staged procedure: all that the stage knows of it. Looking takes a while, so it is kept."""
    domain = next((DOMAINS[tag] for tag in scene.tags if tag in DOMAINS), None)
    if domain is None:
        raise BadInput(f"scene '{scene.name}'", "is no procedure", f"give one with a tag of {', '.join(DOMAINS)}")
    needed = scene_needs(scene)
    return ProcedureRecord(
        name=scene.name,
        title=scene.title,
        domain=domain,
        length_s=scene.frames / scene.rate,
        steps=tuple(_record_step(step, scene, needed[step.id]) for step in scene.steps),
        sights=find_sights(scene),
        transcript=transcribe_scene(scene),
        author=AUTHOR,
        licence=LICENCE,
        source=scene.item_id,
    )


def _record_step(step: SceneStep, scene: Scene, needs: tuple[str, ...]) -> ProcedureStep:
    verb, _, rest = step.text.partition(" ")
    return ProcedureStep(
        id=step.id,
        start_s=step.start_s,
        end_s=min(step.end_s, scene.frames / scene.rate),
        text=step.text,
        verb=verb.lower(),
        tool=_tool(step, rest.lower(), scene),
        needs=needs,
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


# ── needs ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def scene_needs(scene: Scene) -> Mapping[str, tuple[str, ...]]:
    """Return the needs of each step, by its id, in the order of the scene.

    The stage itself lists, for each step, whatever touched the same things before. Most of that is no need: milk can be
    poured into a bowl that nobody has cracked an egg into. Here only what cannot be done without counts, so that a text
    that says "this needed that" is true.

    A step uses its tool, its objects and what vanishes in it, but not what it fills or puts something on. It needs the
    steps that made these things appear, put them where they are, filled them from empty or loaded them (a dipped
    brush); that worked on what now is the tool by which something happens (a tap that runs, a bowl that is poured
    out); that set their number, if it uses the pieces up or there were none before; and, if it only lets time pass,
    the last one that changed them in any way.
    """
    performance = Animation(scene)
    found: dict[str, tuple[str, ...]] = {}
    for number, step in enumerate(scene.steps):
        makers: set[str] = set()
        for thing in _used_things(step, performance):
            before = [earlier for earlier in scene.steps[:number] if earlier.start_s < step.start_s]
            makers |= {earlier.id for earlier in before if _makes(earlier, thing, step, performance)}
            if not step.changes:
                touching = [earlier.id for earlier in before if any(_changes_of(thing, earlier))]
                makers |= set(touching[-1:])
        found[step.id] = tuple(earlier.id for earlier in scene.steps if earlier.id in makers)
    return found


def _used_things(step: SceneStep, performance: Animation) -> list[str]:
    put_on = {change.to for change in step.changes if change.what == "join" and change.link != "held"}
    filled = {change.thing for change in step.changes if change.what == "fill" and _rises(change, performance)}
    vanished = [change.thing for change in step.changes if change.what == "vanish"]
    appeared = {change.thing for change in step.changes if change.what == "appear"}
    taking_part = dict.fromkeys((*((step.tool,) if step.tool else ()), *step.objects, *vanished))
    # A tool that fills is one that is switched on.
    aside = put_on | appeared | (filled - {step.tool or ""})
    return [thing for thing in taking_part if thing not in aside]


def _makes(earlier: SceneStep, thing: str, step: SceneStep, performance: Animation) -> bool:
    for change in _changes_of(thing, earlier):
        if change.what in ("appear", "become"):
            return True
        if change.what == "join" and change.link != "held":
            return True
        state = performance.state(thing, earlier.start_s)
        if change.what == "fill" and not state.fill and change.to:
            return True
        vanishes = any(each.what == "vanish" for each in _changes_of(thing, step))
        if change.what == "count" and (not state.count or vanishes):
            return True
    # Something is another thing afterwards, and not only elsewhere.
    transforms = any(change.what not in ("move", "turn", "join", "part") for change in step.changes)
    if thing == step.tool and thing in earlier.objects and transforms:
        return True
    loads = (change for change in earlier.changes if change.what == "fill" and change.thing != thing)
    return earlier.tool == thing and any(not _rises(change, performance) for change in loads)


def _changes_of(thing: str, step: SceneStep) -> Iterator[Change]:
    return (change for change in step.changes if change.thing == thing)


def _rises(change: Change, performance: Animation) -> bool:
    return change.what == "fill" and change.to > performance.state(change.thing, change.at_s).fill
