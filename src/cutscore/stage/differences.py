"""What differs between two scenes, and in which frames: two frames of equal layouts are equal to the byte."""

from cutscore.core.frozen import FrozenModel
from cutscore.stage.layout import layout
from cutscore.stage.scene import Scene
from cutscore.stage.states import Animation


class SceneDifference(FrozenModel):
    """What differs between two scenes.

    Args:
        things: Fields by the name of the thing that differ; a thing that is new or gone has one field, `there`.
        fields: Fields of the scene that differ, besides its things.
        frames: Stretches of frames that differ, from the first to before the last; others are equal to the byte.
    """

    things: dict[str, tuple[str, ...]]
    fields: tuple[str, ...]
    frames: tuple[tuple[int, int], ...]
    untouched: tuple[str, ...]


def compare_scenes(before: Scene, after: Scene) -> SceneDifference:
    """Return what differs between two scenes, and in which frames."""
    old, new = ({thing.id: thing for thing in scene.things} for scene in (before, after))
    things: dict[str, tuple[str, ...]] = {}
    for name in sorted(old.keys() | new.keys()):
        if name in old and name in new:
            one, other = old[name].model_dump(), new[name].model_dump()
            things[name] = tuple(field for field in one if one[field] != other[field])
        else:
            things[name] = ("there",)
    fields = [name for name in Scene.model_fields if name != "things" and getattr(before, name) != getattr(after, name)]
    return SceneDifference(
        things={name: fields for name, fields in things.items() if fields},
        fields=tuple(fields),
        frames=_frames(before, after),
        untouched=tuple(name for name, fields in things.items() if not fields),
    )


def _frames(before: Scene, after: Scene) -> tuple[tuple[int, int], ...]:
    one, other = Animation(before), Animation(after)
    common = min(before.frames, after.frames) if before.rate == after.rate else 0
    end = max(before.frames, after.frames)
    differ = [n for n in range(common) if layout(one, n).key(before) != layout(other, n).key(after)]
    differ += range(common, end)
    stretches: list[tuple[int, int]] = []
    for n in differ:
        if stretches and stretches[-1][1] == n:
            stretches[-1] = (stretches[-1][0], n + 1)
        else:
            stretches.append((n, n + 1))
    return tuple(stretches)
