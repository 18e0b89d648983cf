"""How scenes of the library are put together: beats of a share of the length each, in which acts happen.

A beat does not know its time when it is written; an act is a function of the time it gets. So one script gives a scene
of ten seconds and one of five minutes: what takes longer is done more often, not in slow motion.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from cutscore.stage.library.acts import Act, snap
from cutscore.stage.palette import VIVID, Colour
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Backdrop, CameraMove, Caption, Cue, Effect, Place, SceneLine, SceneStep, Shot, Size
from cutscore.stage.sizes import size_of
from cutscore.stage.things import Thing, exact


@dataclass(frozen=True)
class Beat:
    """A part of a scene: its share of the length, what happens, how it is filmed, what is said."""

    share: Fraction
    acts: tuple[Act, ...]
    shot: Callable[[Fraction, Fraction], Shot] | None
    say: str
    caption: str
    cues: tuple[tuple[Effect, int], ...]
    step: dict[str, Any] | None


# A sound and its pitch; steps, knocks and the like have none that is heard.
BeatCue = Effect | tuple[Effect, int]
_PITCH_HZ = 100

# Where a vessel pours from when it is tipped to the left, in shares of its width and height from its middle.
_SPOUTS = {"jug": (Fraction(-3, 8), Fraction(-9, 20)), "bowl": (Fraction(-1, 2), Fraction(-1, 2))}
_MOUTH = (Fraction(0), Fraction(-1, 2))
TIPPED = -56  # degrees
_COSINE, _SINE = Fraction(559, 1000), Fraction(-829, 1000)


@dataclass(frozen=True)
class PourPlan:
    """How one vessel is poured into another: the stream, and where the middle of the tipped vessel has to be."""

    stream: str
    x: int
    y: int


class Director:
    """Collects the things and beats of one scene and gives them their times."""

    def __init__(self, name: str, title: str, *, tags: tuple[str, ...], seed: int, length_s: Fraction) -> None:
        self.draw = Random(f"{name} {seed}")
        self._head: dict[str, Any] = {"name": name, "title": title, "tags": tags, "seed": seed, "length_s": length_s}
        self._places: list[Place] = []
        self._things: dict[str, Thing] = {}
        self._beats: list[Beat] = []
        self._shot: Callable[[Fraction, Fraction], Shot] | None = None

    def place(self, backdrop: Backdrop, *, name: str = "stage", **fields: Any) -> None:
        """Add a place; its colour is drawn unless it is given."""
        colour = fields.pop("colour", None) or self.colour()
        self._places.append(Place(id=name, backdrop=backdrop, colour=colour, **fields))

    def colour(self, *, but: Iterable[str] = ()) -> Colour:
        """Draw one of the vivid colours."""
        return self.draw.choice([colour for colour in VIVID if colour not in set(but)])

    def colours(self, count: int) -> list[Colour]:
        """Draw different vivid colours."""
        return self.draw.sample(list(VIVID), count)

    def thing(self, name: str, kind: str, x: float, y: float, **fields: Any) -> str:
        """Put a thing on the stage, its middle at a point."""
        self._things[name] = Thing(id=name, kind=kind, x=x, y=y, **fields)
        return name

    def stand(self, name: str, kind: str, x: float, floor: float, **fields: Any) -> str:
        """Put a thing on the stage with its feet at a height."""
        made = Thing(id=name, kind=kind, x=x, y=0, **fields)
        _, height = size_of(made)
        return self.thing(name, kind, x, round(floor - height / 2), **fields)

    def where(self, name: str) -> tuple[Fraction, Fraction]:
        """Return where a thing stands at first."""
        return self._things[name].x, self._things[name].y

    def top(self, name: str) -> Fraction:
        """Return the height of a thing's upper edge."""
        thing = self._things[name]
        return thing.y - size_of(thing)[1] / 2

    def plan_pour(self, source: str, into: str, colour: str) -> PourPlan:
        """Put a stream on the stage, unseen at first, from the spout of a tipped vessel into another one."""
        vessel = self._things[source]
        width, height = size_of(vessel)
        across, down = _SPOUTS.get(vessel.kind, _MOUTH)
        dx = across * width * _COSINE - down * height * _SINE
        dy = across * width * _SINE + down * height * _COSINE
        (x, y), (_, deep) = self.where(into), size_of(self._things[into])
        # A flat vessel is poured into from higher up: the other one must not touch what it stands on.
        top, low = round(self.top(into)) - (50 if deep >= 100 else 110), round(y + deep * Fraction(3, 10))
        name = f"stream-{sum(thing.kind == 'stream' for thing in self._things.values()) + 1}"
        self.thing(name, "stream", int(x), (top + low) // 2, height=low - top, colour=colour, seen=False)
        return PourPlan(name, round(x - dx), round(top - dy))

    def film(
        self,
        size: Size = "wide",
        on: str | None = None,
        *,
        place: str = "stage",
        follow: bool = False,
        pan: int = 0,
        tilt: int = 0,
        zoom: float = 1,
    ) -> None:
        """Begin a new shot with the next beat; a `pan`, a `tilt` (units) or a `zoom` takes all of that beat."""

        def shot(start: Fraction, end: Fraction) -> Shot:
            move = None
            if pan or tilt or zoom != 1:
                move = CameraMove(at_s=start, for_s=end - start, x=pan, y=tilt, zoom=exact(zoom))
            return Shot(start_s=start, place=place, size=size, on=on, follow=follow, to=move)

        self._shot = shot

    def beat(
        self,
        share: float | Fraction,
        *acts: Act,
        say: str = "",
        caption: str = "",
        cues: Iterable[BeatCue] = (),
        step: dict[str, Any] | None = None,
    ) -> None:
        """Add a beat, in the shot that `film` began last.

        `share` is how long it is compared with the others, `say` begins with it, `cues` are spread over it, and
        `step` has the fields of the step that it is, if it is one.
        """
        shot, self._shot = self._shot, None
        pitched = tuple((cue, _PITCH_HZ) if isinstance(cue, str) else cue for cue in cues)
        self._beats.append(Beat(Fraction(share), acts, shot, say, caption, pitched, step))

    def scene(self, **fields: Any) -> Scene:
        """Return the scene; fields are those that no beat knows, such as the style."""
        made: dict[str, list[Any]] = {name: [] for name in ("changes", "steps", "shots", "captions", "lines", "cues")}
        total, done = sum(beat.share for beat in self._beats), Fraction(0)
        for beat in self._beats:
            start = snap(self._head["length_s"] * done / total)
            done += beat.share
            end = snap(self._head["length_s"] * done / total)
            self._play(beat, start, end, made)
        shots = made.pop("shots") or [Shot()]
        if shots[0].start_s > 0:
            shots.insert(0, Shot(place=self._places[0].id))
        places = {"places": tuple(self._places)} if self._places else {}
        return Scene(**self._head, **places, things=tuple(self._things.values()), shots=tuple(shots), **made, **fields)

    def _play(self, beat: Beat, start: Fraction, end: Fraction, made: dict[str, list[Any]]) -> None:
        changes = [change for act in beat.acts for change in act(start, end)]
        if beat.step is not None:
            made["steps"].append(SceneStep(start_s=start, end_s=end, changes=tuple(changes), **beat.step))
        else:
            made["changes"] += changes
        if beat.shot is not None:
            made["shots"].append(beat.shot(start, end))
        if beat.say:
            made["lines"].append(SceneLine(start_s=start, text=beat.say))
        if beat.caption:
            made["captions"].append(Caption(start_s=start, end_s=end, text=beat.caption))
        for n, (sound, pitch) in enumerate(beat.cues):
            at_s = snap(start + (end - start) * (2 * n + 1) / (2 * len(beat.cues)))
            long = sound in ("pour", "whoosh", "buzz")
            for_s = max(Fraction(1, 5), (end - start) / (2 * len(beat.cues))) if long else Fraction(3, 10)
            made["cues"].append(Cue(at_s=at_s, sound=sound, pitch_hz=pitch, for_s=min(for_s, Fraction(60))))


def story(name: str, title: str, seed: int, length_s: Fraction) -> Director:
    """Begin a story for cutting: several places and shots, people who feel something, sound throughout."""
    return Director(name, title, tags=("story", "film"), seed=seed, length_s=length_s)
