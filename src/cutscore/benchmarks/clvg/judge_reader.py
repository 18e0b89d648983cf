"""The judge `reader`: detectors that look at request, pieces and video, and say where none of them can tell.

A video passes when at least one detector that speaks to what was asked for has looked, and none has found anything.
An empty list alone is no pass.

A prompt may say what to look for, by the names of detectors:

    Look for: camera, style

Then it looks for that alone and overlooks the rest, as whoever follows instructions does: what shows none of it passes.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cutscore.benchmarks.clvg.ask_parts import GENERATED
from cutscore.benchmarks.clvg.reading import detectors
from cutscore.benchmarks.clvg.reading.shown import ShownContext
from cutscore.core.errors import UnknownName
from cutscore.core.evidence import Evidence
from cutscore.core.judgement import Judgement, Question, Weakness


@dataclass(frozen=True)
class Detector:
    """One pair of eyes.

    Args:
        about: What it finds, in one line.
        look: Returns weaknesses; None where the request does not ask for what it can tell.
        vouches: Whether it speaks to what was asked for, so that a video in which it finds nothing may pass.
    """

    about: str
    look: Callable[[ShownContext], Sequence[Weakness] | None]
    vouches: bool = True


DETECTORS: Mapping[str, Detector] = {
    "standstill": Detector("no picture differs from the first", detectors.see_standstill, vouches=False),
    "no_change": Detector("the video is the source as given", detectors.see_no_change, vouches=False),
    "other_content": Detector("an enhanced video shows other things", detectors.see_other_content, vouches=False),
    "join": Detector("a continuation does not begin where the source ends", detectors.see_jump_at_join),
    "noise": Detector("grain is left", detectors.see_noise),
    "darkness": Detector("it is still dark", detectors.see_darkness),
    "blur": Detector("it is hardly sharper", detectors.see_blur),
    "lines": Detector("lines and edges do not fit", detectors.see_lines),
    "region": Detector("what is white is not the thing of that colour", detectors.see_region),
    "dots": Detector("dots are not in the middle of things", detectors.see_dots),
    "stains": Detector("a stain is left, or filled with what is unlike its surroundings", detectors.see_stains),
    "edit": Detector("a thing is not painted or removed, or something else has changed", detectors.see_edit),
    "camera": Detector("the camera goes elsewhere", detectors.see_camera),
    "style": Detector("colours are not those of the reference", detectors.see_style),
    "subject": Detector("the picture's thing is not there, or goes another way", detectors.see_subject),
    "sound": Detector("the given sound is not heard", detectors.see_sound),
    "maze": Detector("the way through a maze leads over a wall, or not to the goal", detectors.see_maze),
}


READING_RULES: Mapping[str, str] = {f"Look for: {name}": f"{name} {each.about}" for name, each in DETECTORS.items()}
LOOK_FOR = re.compile(r"^\W*look for:(?P<names>.*)$", re.I | re.M)
LOOKS = 4_096  # that are remembered: of so many detectors and videos


def judge_by_reading(questions: Sequence[Question], evidence: Evidence, *, prompt: str = "") -> list[Judgement]:
    """Answer with the weaknesses that any detector finds; where a prompt says what to look for, with those alone."""
    named = named_detectors(prompt)
    if named and (unknown := next((name for name in named if name not in DETECTORS), None)):
        said = _say(None, str(UnknownName.among("detector", unknown, DETECTORS)))
    else:
        said = judge_with(named or DETECTORS, evidence, overlooks=bool(named))
    return [said.model_copy(update={"question": each.id}) for each in questions]


def named_detectors(prompt: str) -> list[str]:
    r"""Return what a prompt says to look for, each once.

    >>> named_detectors("You judge videos.\n- Look for: camera, style\n- Look for: camera")
    ['camera', 'style']
    """
    return list(dict.fromkeys(name for line in LOOK_FOR.finditer(prompt) for name in re.findall(r"\w+", line["names"])))


def judge_with(names: Iterable[str], evidence: Evidence, *, overlooks: bool = False) -> Judgement:
    """Look with some detectors alone, by their names; no answer where none can tell, unless it overlooks the rest."""
    if evidence.file(GENERATED) is None:
        return _say(None, "it was shown no video")
    seen = ShownContext.of(evidence)
    files = tuple((role, path, seen.hashes[role]) for role, path in sorted(seen.paths.items()))
    found: list[Weakness] = []
    looked, vouched = [], False
    for name in names:
        if name not in DETECTORS:
            raise UnknownName.among("detector", name, DETECTORS)
        if (weak := _look(name, seen.words, files)) is None:
            continue
        found += [each for each in weak if each.code not in {known.code for known in found}]
        looked.append(name)
        vouched |= DETECTORS[name].vouches
    if found:
        return _say("yes", "; ".join(each.text for each in found), tuple(found))
    if not vouched and not overlooks:
        return _say(None, "none of its detectors can tell what this request asks for")
    return _say("no", f"it looked for {', '.join(looked) or 'nothing that is asked for here'}")


@lru_cache(maxsize=LOOKS)
def _look(name: str, words: str, files: tuple[tuple[str, Path, str], ...]) -> Sequence[Weakness] | None:
    """Look with a detector once for all prompts that name it."""
    paths, hashes = {role: path for role, path, _ in files}, {role: sha256 for role, _, sha256 in files}
    return DETECTORS[name].look(ShownContext(words, paths, hashes))


def _say(answer: str | None, because: str, found: tuple[Weakness, ...] = ()) -> Judgement:
    return Judgement(question="weaknesses", judge="reader", answer=answer, because=because, weaknesses=found)
