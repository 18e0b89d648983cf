"""The same scene faster or slower, exactly."""

from fractions import Fraction
from typing import Any

from cutscore.core.errors import BadInput
from cutscore.stage.scene import Scene


def retime(scene: Scene, factor: Fraction) -> Scene:
    """Return the scene `factor` times as long, with everything in it; frames a second stay as they are.

    Things that fly do so along the same curves: their speeds and the gravity are scaled with the time. Spoken words
    keep their own pace, and begin at the scaled times.
    """
    if factor <= 0:
        raise BadInput(f"scene '{scene.name}'", f"cannot last {factor} times as long", "give a factor above 0")
    data = _stretch(scene.model_dump(), factor)
    data["world"]["gravity"] = scene.world.gravity / factor**2
    for thing in data["things"]:
        if thing["body"] is not None:
            thing["body"]["speed_x"] = Fraction(thing["body"]["speed_x"]) / factor
            thing["body"]["speed_y"] = Fraction(thing["body"]["speed_y"]) / factor
    return Scene.model_validate(data)


def _stretch(value: Any, factor: Fraction) -> Any:
    if isinstance(value, dict):
        return {
            name: Fraction(inner) * factor if name.endswith("_s") else _stretch(inner, factor)
            for name, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [_stretch(inner, factor) for inner in value]
    return value
