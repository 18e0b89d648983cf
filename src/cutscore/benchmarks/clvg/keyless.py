"""The reader: a generator without a model, which goes by words and pixels alone.

It finds out what is asked for by its words and by what it was given, and does it where it has a skill for that; what it
has none for it says, and hands over nothing. It never sees the truth of a case, nor how cases are staged.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from cutscore.benchmarks.clvg.judge_reader import READING_RULES, judge_by_reading
from cutscore.benchmarks.clvg.reading import editing, enhancing, marking, mazes, moving
from cutscore.benchmarks.clvg.reading.given import GivenContext
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.subject import WorkContext
from cutscore.core.trajectory import Action
from cutscore.media.footage import Footage, write_footage

__all__ = ["READING_RULES", "judge_by_reading", "reader"]


@dataclass(frozen=True)
class Skill:
    """Something that the reader can do.

    Args:
        words: What an instruction says that asks for it.
        needs: Which files it works on: their type by role.
        make: Makes the video; None where it cannot, after all.
    """

    words: str
    make: Callable[[GivenContext], Footage | None]
    needs: Mapping[str, str] = field(default_factory=lambda: {"source": "video"})

    def fits(self, given: GivenContext) -> bool:
        """Return whether it is asked for, and has what it needs."""
        return given.has(**self.needs) and re.search(self.words, given.words, re.I) is not None


# In the order in which they are tried: what needs more files comes first.
SKILLS: Mapping[str, Skill] = {
    "take the style of a reference": Skill(r"\bstyle\b", editing.take_style, {"source": "video", "style": "image"}),
    "take the style of a clip": Skill(r"\bstyle\b", editing.take_style, {"source": "video", "style": "video"}),
    "film as a clip does": Skill(r"\bcamera\b", editing.move_camera, {"source": "video", "camera": "video"}),
    "lay a sound under hits": Skill(r"\bhits?\b", moving.add_sounds, {"source": "video", "sound": "audio"}),
    "move a subject as a clip does": Skill(r"\bway\b", moving.move_subject, {"subject": "image", "motion": "video"}),
    "move a subject": Skill(r"\bfrom (?:left|right) to\b", moving.move_subject, {"subject": "image"}),
    "solve a maze": Skill(r"\bmaze\b", mazes.solve_maze, {"first_frame": "image"}),
    "draw edges": Skill(r"\bedges?\b", marking.draw_edges),
    "draw dots": Skill(r"\bdots?\b", marking.draw_dots),
    "cut a thing out": Skill(r"\bwhite where\b", marking.cut_thing_out),
    "fill stains": Skill(r"\bfill in\b", enhancing.fill_stains),
    "denoise": Skill(r"\b(?:noise|grain)\b", enhancing.denoise),
    "brighten": Skill(r"\b(?:brighten|too dark|low light)\b", enhancing.brighten),
    "sharpen": Skill(r"\b(?:out of focus|blur(?:red|ry)?|sharp\w*)\b", enhancing.sharpen),
    "move the camera": Skill(r"\bcamera\b.*\b(?:pan|tilt|zoom)", editing.move_camera),
    "remove a thing": Skill(r"\b(?:take|remove) the\b", editing.remove_thing),
    "paint a thing": Skill(r"\b(?:make|paint|turn) the\b", editing.paint_thing),
    "continue motion": Skill(r"\b(?:continue\w*|go(?:es)? on where)\b", moving.continue_motion),
}


def reader(ask: Ask, context: WorkContext) -> Deliverable:
    """Do what it has a skill for, and hand over the video; say what it has none for."""
    given = GivenContext.of(ask, context.store)
    for name, skill in SKILLS.items():
        if not skill.fits(given):
            continue
        if (made := skill.make(given)) is None:
            context.steps.add(f"It sees nothing to {name} with.")
            continue
        context.steps.add(did=Action(tool="make", arguments={"what": name}))
        wanted = ask.wanted[0].name
        write_footage(made, out := context.workspace / wanted)
        return Deliverable(files=(context.store.put(out, name=wanted, media_type="video/mp4"),))
    context.steps.add(f"It has no skill for this: {given.words}")
    return Deliverable()
