"""Words that nobody wanted, as sound: fillers, and sentences that are not true."""

from collections.abc import Sequence
from random import Random

import numpy as np

from cutscore.core.errors import BadInput
from cutscore.media.sound import Sound
from cutscore.stage.palette import COLOURS
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Voice
from cutscore.stage.speech import speak
from cutscore.stage.things import Recolour
from cutscore.stage.tones import FULL, RATE_HZ

FILLERS = ("um", "uh", "erm")


def speak_text(text: str, voice: Voice) -> Sound:
    """Speak a text, in tones where the voice is tones."""
    return Sound((speak(text, voice).samples / np.float32(FULL + 1)).astype(np.float32), RATE_HZ)


def speak_fillers(voice: Voice) -> Sequence[Sound]:
    """Speak the usual fillers."""
    return [speak_text(word, voice) for word in FILLERS]


def draw_false_sentence(scene: Scene, draw: Random) -> str:
    """Return a sentence that names a wrong colour for a thing of a scene, which everybody can see to be wrong.

    No thing of that kind has the colour, at any time.
    """
    if not scene.things:
        raise BadInput(f"scene '{scene.name}'", "has nothing in it that one could be wrong about")
    things = [thing for thing in scene.things if thing.seen and thing.kind != "person"] or list(scene.things)
    thing = draw.choice(things)
    becomes = {change.to for change in scene.all_changes() if isinstance(change, Recolour)}
    right = {each.colour for each in scene.things if each.kind == thing.kind} | becomes
    wrong = draw.choice([colour for colour in COLOURS if colour not in right])
    return f"The {thing.kind.replace('-', ' ')} is {wrong}."
