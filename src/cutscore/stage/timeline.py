"""The truth about a scene as a timeline: what happens from when to when."""

from fractions import Fraction
from typing import Any, Literal

from cutscore.core.frozen import FrozenModel
from cutscore.core.timeline import Seconds
from cutscore.stage.camera import TimedShot, timed_shots, view_at
from cutscore.stage.physics import WALLS
from cutscore.stage.scene import RENDERER, Scene
from cutscore.stage.sound import all_cues
from cutscore.stage.speech import speaker_name, timed_lines
from cutscore.stage.states import Animation, State
from cutscore.stage.things import Change, Exact

EventKind = Literal["shot", "cut", "camera", "step", "change", "hit", "caption", "line", "word", "sound"]


class Event(FrozenModel):
    """Something that happens.

    Args:
        start_s, end_s: From when to when; equal for an instant.
        what: In a word: the verb of a step, the kind of a change, `pan-left`, `collides`, `bounces`, a cue's sound.
        who: The things that take part, the one that does it first.
        text: Words that are spoken, written or describe it.
        before, after: What a change changes.
        exact: False where the times are an estimate (words of a line that could not be told apart).
    """

    kind: EventKind
    start_s: Seconds
    end_s: Seconds
    what: str
    who: tuple[str, ...] = ()
    text: str = ""
    before: str = ""
    after: str = ""
    step: str = ""
    exact: bool = True


class Truth(FrozenModel):
    """All that is true of a scene's footage, but for what is seen in each frame (`graph.py`)."""

    item: str
    renderer: int
    speaker: str
    title: str
    tags: tuple[str, ...]
    width: int
    height: int
    rate: Exact
    frames: int
    length_s: Seconds
    events: tuple[Event, ...]


def truth(scene: Scene) -> Truth:
    """Return what happens in a scene, with what the footage is like."""
    return Truth(
        item=scene.item_id,
        renderer=RENDERER,
        speaker=speaker_name(scene.voice) if scene.lines else "",
        title=scene.title,
        tags=scene.tags,
        width=scene.width,
        height=scene.height,
        rate=scene.rate,
        frames=scene.frames,
        length_s=scene.frames / scene.rate,
        events=timeline(scene),
    )


def timeline(scene: Scene) -> tuple[Event, ...]:
    """Return everything that happens in a scene, in order of time."""
    performance = Animation(scene)
    events = [*_shots(performance), *_steps(scene), *_hits(performance), *_words(scene)]
    for cue in all_cues(scene):
        events.append(_event("sound", cue.at_s, cue.at_s + cue.for_s, cue.sound, text=f"{cue.pitch_hz} Hz"))
    events += [_change(performance, change) for change in scene.changes]
    events += [_change(performance, change, step.id) for step in scene.steps for change in step.changes]
    return tuple(sorted(events, key=lambda event: (event.start_s, event.end_s, event.kind, event.who, event.what)))


def _event(kind: EventKind, start_s: Fraction, end_s: Fraction, what: str, **fields: Any) -> Event:
    return Event(kind=kind, start_s=start_s, end_s=end_s, what=what, **fields)


def _shots(performance: Animation) -> list[Event]:
    events = []
    for take in timed_shots(performance.scene):
        shot, start_s, end_s = take.shot, take.span.start_s, take.span.end_s
        who = () if shot.on is None else (shot.on,)
        events.append(_event("shot", start_s, end_s, shot.size, who=who, text=shot.place))
        if take.number > 1:
            events.append(_event("cut", start_s, start_s, "cut"))
        if shot.follow:
            events.append(_event("camera", start_s, end_s, "follow", who=who))
        events += _camera(performance, take)
    return events


def _camera(performance: Animation, take: TimedShot) -> list[Event]:
    """Return how the camera moves, judged by what it shows before and after: at an edge it may not move."""
    move = take.shot.to
    if move is None:
        return []
    start_s, end_s = move.at_s, move.at_s + move.for_s
    # The end of the last move of a shot belongs to the next shot, so we look just before it.
    before, after = view_at(performance, start_s), view_at(performance, end_s - Fraction(1, 10**6))
    found = []
    if not take.shot.follow:
        if abs(after.x - before.x) >= 1:
            found.append("pan-right" if after.x > before.x else "pan-left")
        if abs(after.y - before.y) >= 1:
            found.append("tilt-down" if after.y > before.y else "tilt-up")
    if move.zoom != 1:
        found.append("zoom-in" if move.zoom > 1 else "zoom-out")
    return [_event("camera", start_s, end_s, what) for what in found]


def _steps(scene: Scene) -> list[Event]:
    return [
        _event(
            "step",
            step.start_s,
            step.end_s,
            step.verb,
            who=tuple(name for name in (step.actor, step.tool, *step.objects) if name is not None),
            text=step.text,
            before=", ".join(step.because),
            after=step.why,
            step=step.id,
        )
        for step in scene.steps
    ]


def _change(performance: Animation, change: Change, step: str = "") -> Event:
    state = performance.state(change.thing, change.at_s)
    who = (change.thing, change.to) if change.what == "join" else (change.thing,)
    after = f"{change.x},{change.y}" if change.what == "move" else str(getattr(change, "to", ""))
    what = change.link if change.what == "join" else change.what
    before = _before(state, change, performance)
    return _event("change", change.at_s, change.end_s, what, who=who, before=before, after=after, step=step)


def _before(state: State, change: Change, performance: Animation) -> str:
    """Return what was before a change; where it takes time, the state at its first instant is still the old one."""
    if change.what == "move":
        return f"{state.x},{state.y}" if change.for_s else ""
    if change.what in ("appear", "vanish", "join", "part"):
        return ""
    if not change.for_s and change.at_s > 0:  # an instant: the state at it is already the new one
        state = performance.state(change.thing, change.at_s - Fraction(1, 10**9))
    elif not change.for_s:
        return ""
    found = {
        "turn": state.turn,
        "grow": "",
        "fill": state.fill,
        "count": state.count,
        "feel": state.mood,
        "write": state.text,
        "become": state.kind,
        "recolour": state.filling if change.what == "recolour" and change.part == "filling" else state.colour,
    }
    return str(found[change.what])


def _hits(performance: Animation) -> list[Event]:
    return [
        _event("hit", hit.at_s, hit.at_s, "bounces", who=(hit.one,), text=hit.other)
        if hit.other in WALLS
        else _event("hit", hit.at_s, hit.at_s, "collides", who=(hit.one, hit.other))
        for hit in performance.motion.hits
    ]


def _words(scene: Scene) -> list[Event]:
    events = [
        _event("caption", words.start_s, min(words.end_s, scene.length_s), words.at, text=words.text)
        for words in scene.captions
    ]
    for heard in timed_lines(scene):
        who = () if heard.line.speaker is None else (heard.line.speaker,)
        start_s, end_s, text = heard.line.start_s, heard.words[-1].end_s, " ".join(word.text for word in heard.words)
        events.append(_event("line", start_s, end_s, "says", who=who, text=text))
        events += [
            _event("word", word.start_s, word.end_s, "says", who=who, text=word.text, exact=word.exact)
            for word in heard.words
        ]
    return events
