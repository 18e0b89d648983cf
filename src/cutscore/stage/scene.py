"""A scene as data: places, things, what happens, the camera, sound, words. Validated; JSON and back without loss.

A word that the language does not know is an error that names it, never ignored: a scene that says less than its author
meant would have a wrong truth.
"""

from collections.abc import Collection
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Self

from pydantic import Field, ValidationError, model_validator

from cutscore.core.errors import BrokenData, UnknownName
from cutscore.core.frozen import FrozenModel, digest_of
from cutscore.core.strict_json import read_json
from cutscore.core.timeline import Seconds
from cutscore.stage.figures import KINDS, shows
from cutscore.stage.setting import Caption, Cue, Filter, Place, SceneLine, SceneStep, Shot, Voice, World
from cutscore.stage.things import Change, Exact, Id, Join, Text, Thing, track_of

# Goes up whenever the same scene may give other pixels or samples.
RENDERER = 1

# What a change needs the figure to show.
_LOOKS = {"fill": "fill", "count": "count", "feel": "mood", "write": "text"}


class Scene(FrozenModel):
    """Everything that a renderer needs to know, and so everything that is true of the footage."""

    name: Id
    title: Text
    tags: tuple[Id, ...] = ()
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    width: Annotated[int, Field(ge=32, le=4096, multiple_of=2)] = 854
    height: Annotated[int, Field(ge=32, le=4096, multiple_of=2)] = 480
    rate: Annotated[Exact, Field(ge=1, le=120)] = Fraction(25)
    length_s: Annotated[Seconds, Field(gt=0, le=3600)]
    places: tuple[Place, ...] = (Place(),)
    things: tuple[Thing, ...] = ()
    changes: tuple[Change, ...] = ()
    steps: tuple[SceneStep, ...] = ()
    shots: Annotated[tuple[Shot, ...], Field(min_length=1)] = (Shot(),)
    world: World = World()
    style: tuple[Filter, ...] = ()
    captions: tuple[Caption, ...] = ()
    lines: tuple[SceneLine, ...] = ()
    cues: tuple[Cue, ...] = ()
    voice: Voice = "tones"

    @property
    def frames(self) -> int:
        """How many frames there are; frame n shows the scene at n ÷ rate seconds."""
        return max(1, round(self.length_s * self.rate))

    @property
    def item_id(self) -> str:
        """Name the footage: the same name promises the same frames."""
        return f"{self.name}-{digest_of([self.model_dump(mode='json'), RENDERER])[:16]}"

    def all_changes(self) -> list[Change]:
        """Return every change, of steps and others, in order of time."""
        inside = [change for step in self.steps for change in step.changes]
        return sorted([*self.changes, *inside], key=lambda change: (change.at_s, change.end_s))

    def thing(self, name: str) -> Thing:
        """Return the thing with this id."""
        for thing in self.things:
            if thing.id == name:
                return thing
        raise UnknownName.among("thing", name, (thing.id for thing in self.things))

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        _check_distinct("place", [place.id for place in self.places])
        _check_distinct("thing", [thing.id for thing in self.things])
        _check_distinct("step", [step.id for step in self.steps])
        places, things = {place.id for place in self.places}, {thing.id for thing in self.things}
        for thing in self.things:
            _check_known(f"thing '{thing.id}' is in", "place", thing.place, places)
            _check_known(f"thing '{thing.id}' is", "kind", thing.kind, KINDS)
        self._check_changes(things)
        self._check_looks()
        self._check_steps(things)
        self._check_shots(places, things)
        self._check_times()
        return self

    def _check_changes(self, things: set[str]) -> None:
        busy: dict[tuple[str, str], Change] = {}
        holder: dict[str, str] = {}
        bodies = {thing.id for thing in self.things if thing.body is not None}
        for change in self.all_changes():
            _check_known(f"change '{change.what}' is of", "thing", change.thing, things)
            if isinstance(change, Join):
                _check_known(f"'{change.thing}' joins", "thing", change.to, things)
                holder[change.thing] = above = change.to
                while above in holder and above != change.thing:
                    above = holder[above]
                if above == change.thing:
                    raise ValueError(f"'{change.thing}' joins '{change.to}', which goes with it already")
            if change.what == "part":
                holder.pop(change.thing, None)
            if change.what == "become":
                _check_known(f"'{change.thing}' becomes", "kind", change.to, KINDS)
            if change.what in ("move", "join") and change.thing in bodies:
                raise ValueError(f"'{change.thing}' has a body, so forces move it, and no change may")
            before = busy.get(key := (change.thing, track_of(change)))
            if before is not None and before.end_s > change.at_s:
                when = f"{float(change.at_s):g} s"
                raise ValueError(f"'{change.thing}' is told to {change.what} at {when}, before the last one is over")
            busy[key] = change

    def _check_looks(self) -> None:
        """Refuse what could not be seen: a truth that no viewer can find would be a trap."""
        kinds = {thing.id: {thing.kind} for thing in self.things}
        said = [
            (thing.id, what)
            for thing in self.things
            for what, is_said in (
                ("fill", thing.fill > 0),
                ("count", thing.count != 1),
                ("mood", thing.mood != "calm"),
                ("text", bool(thing.text)),
            )
            if is_said
        ]
        for change in self.all_changes():
            if change.what == "become":
                kinds[change.thing].add(change.to)
            elif change.what == "recolour" and change.part == "filling":
                said.append((change.thing, "fill"))
            elif change.what in _LOOKS:
                said.append((change.thing, _LOOKS[change.what]))
        for name, what in said:
            if not any(what in shows(each) for each in kinds[name]):
                raise ValueError(
                    f"the {what} of '{name}' cannot be seen: it is a {' and a '.join(sorted(kinds[name]))}"
                )

    def _check_steps(self, things: set[str]) -> None:
        earlier: set[str] = set()
        for step in self.steps:
            for name in (step.actor, step.tool, *step.objects):
                if name is not None:
                    _check_known(f"step '{step.id}' names", "thing", name, things)
            for cause in step.because:
                _check_known(f"step '{step.id}' needs", "earlier step", cause, earlier)
            for change in step.changes:
                if change.at_s < step.start_s or change.end_s > step.end_s:
                    raise ValueError(f"step '{step.id}' is {step.span}, its change of '{change.thing}' lies outside")
            earlier.add(step.id)
        for one, two in pairwise(self.steps):
            if two.start_s < one.start_s:
                raise ValueError(f"step '{two.id}' stands after '{one.id}' and begins before it")

    def _check_shots(self, places: set[str], things: set[str]) -> None:
        if self.shots[0].start_s != 0:
            raise ValueError("the first shot begins after 0 s, and nothing would be seen before it")
        ends = [shot.start_s for shot in self.shots[1:]] + [self.length_s]
        for number, (shot, end_s) in enumerate(zip(self.shots, ends, strict=True), 1):
            _check_known(f"shot {number} is in", "place", shot.place, places)
            if shot.on is not None:
                _check_known(f"shot {number} is on", "thing", shot.on, things)
            if shot.follow and shot.on is None:
                raise ValueError(f"shot {number} follows nothing; say 'on' which thing")
            if end_s <= shot.start_s:
                raise ValueError(f"shot {number} begins at {float(shot.start_s):g} s and ends at {float(end_s):g} s")
            if shot.to is not None and (shot.to.at_s < shot.start_s or shot.to.at_s + shot.to.for_s > end_s):
                raise ValueError(f"shot {number}: the camera moves outside the shot's time")

    def _check_times(self) -> None:
        _check_distinct("filter", list(self.style))
        for caption in self.captions:
            if not 0 <= caption.start_s < caption.end_s:
                raise ValueError(f"caption '{caption.text[:30]}' ends before it begins")
        late = [("step", step.id, step.end_s) for step in self.steps]
        late += [("line", line.text[:30], line.start_s) for line in self.lines]
        late += [("cue", cue.sound, cue.at_s) for cue in self.cues]
        late += [("change of", change.thing, change.end_s) for change in self.all_changes()]
        for kind, name, when in late:
            if when > self.length_s or when < 0:
                raise ValueError(f"{kind} '{name}' is at {float(when):g} s, the scene lasts {float(self.length_s):g} s")


def load_scene(text: str, *, what: str = "scene") -> Scene:
    """Read a scene from JSON; what is none is `BrokenData` that names the field and the reason."""
    try:
        return Scene.model_validate(read_json(text))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "as a whole"
        raise BrokenData(what, f"{where}: {first['msg'].removeprefix('Value error, ')}") from None
    except ValueError as error:
        raise BrokenData(what, str(error)) from None


def _check_distinct(kind: str, names: list[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"there are two {kind}s '{twice[0]}'")


def _check_known(who: str, kind: str, name: str, names: Collection[str]) -> None:
    if name not in names:
        raise ValueError(f"{who} {UnknownName.among(kind, name, names)}")
