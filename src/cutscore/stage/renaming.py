"""A scene with other colours and other words: the same story for a viewer who looks, another one for who remembers."""

import re
from collections.abc import Mapping
from typing import Any

from cutscore.core.errors import BadInput
from cutscore.stage.palette import COLOURS
from cutscore.stage.scene import Scene

_COLOUR_FIELDS = ("colour", "filling")
_WORD_FIELDS = ("text", "title", "why")


def rename(
    scene: Scene,
    *,
    colours: Mapping[str, str] | None = None,
    words: Mapping[str, str] | None = None,
    seed: int | None = None,
) -> Scene:
    """Return the scene with every colour and word replaced, all at the same time, so that two may be swapped.

    Colours change as painted and as written or spoken, words whatever their case; names of things (`id`) stay, since
    they are not seen. `seed` is that of rain, snow, grain and noise.
    """
    colours, words = dict(colours or {}), {old.lower(): new for old, new in (words or {}).items()}
    for name in (*colours, *colours.values()):
        if name not in COLOURS:
            raise BadInput(f"colour '{name}'", "is not on the palette", f"give one of {', '.join(COLOURS)}")
    spoken = {**colours, **words}
    pattern = re.compile(
        r"\b(" + "|".join(map(re.escape, sorted(spoken, key=len, reverse=True))) + r")\b", re.IGNORECASE
    )

    def reword(text: str) -> str:
        """Replace the words of a text, each in its case."""
        return pattern.sub(lambda found: _like(found[0], spoken[found[0].lower()]), text) if spoken else text

    def replace_in(value: Any, field: str, of: Any) -> Any:
        """Replace colours and words in a value, whose field and owner decide which."""
        if isinstance(value, dict):
            return {name: replace_in(inner, name, value) for name, inner in value.items()}
        if isinstance(value, list):
            return [replace_in(inner, field, of) for inner in value]
        painted = field in _COLOUR_FIELDS or (field == "to" and of.get("what") == "recolour")
        if painted:
            return colours.get(value, value)
        written = field in _WORD_FIELDS or (field == "to" and of.get("what") == "write")
        return reword(value) if written and isinstance(value, str) else value

    data = replace_in(scene.model_dump(mode="json"), "", {})
    return Scene.model_validate(data if seed is None else {**data, "seed": seed})


def _like(old: str, new: str) -> str:
    """Write the new word as the old one was: CAPITALS, Capital or small."""
    if old.isupper():
        return new.upper()
    return new.capitalize() if old[:1].isupper() else new
