"""What each step of a scene needs: the earlier steps that made what it uses.

The stage itself lists, for each step, whatever touched the same things before. Most of that is no need: milk can be
poured into a bowl that nobody has cracked an egg into. Here only what cannot be done without counts, so that a text
that says "this needed that" is true.
"""

from collections.abc import Iterator, Mapping

from cutscore.stage.scene import Scene
from cutscore.stage.setting import SceneStep
from cutscore.stage.states import Animation
from cutscore.stage.things import Change


def scene_needs(scene: Scene) -> Mapping[str, tuple[str, ...]]:
    """Return the needs of each step, by its id, in the order of the scene.

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
        if change.what == "count" and (not state.count or _vanishes(thing, step)):
            return True
    if thing == step.tool and thing in earlier.objects and any(map(_transforms, step.changes)):
        return True
    loads = (change for change in earlier.changes if change.what == "fill" and change.thing != thing)
    return earlier.tool == thing and any(not _rises(change, performance) for change in loads)


def _changes_of(thing: str, step: SceneStep) -> Iterator[Change]:
    return (change for change in step.changes if change.thing == thing)


def _transforms(change: Change) -> bool:
    """Return whether something is another thing afterwards, and not only elsewhere."""
    return change.what not in ("move", "turn", "join", "part")


def _vanishes(thing: str, step: SceneStep) -> bool:
    return any(change.what == "vanish" for change in _changes_of(thing, step))


def _rises(change: Change, performance: Animation) -> bool:
    return change.what == "fill" and change.to > performance.state(change.thing, change.at_s).fill
