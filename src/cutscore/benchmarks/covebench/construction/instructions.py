"""Instructions as models write them: read strictly, and held to those rules of I.1 that words can be held to.

The reader raises a ValueError that names the fault; the model is told it and writes again.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Annotated

from pydantic import AfterValidator, Field, JsonValue

from cutscore.benchmarks.covebench.construction.combinations import Combination, dimension_of
from cutscore.benchmarks.covebench.construction.lint import lint_instruction
from cutscore.core.frozen import FrozenModel

# The styles that I.1 allows, and words for each.
STYLES = {
    "Pixel Art": r"pixel[- ]art",
    "CG Rendering": r"\bcg\b|computer[- ]generated",
    "Sketch": r"\bsketch",
    "Watercolor": r"\bwatercolou?r",
    "Retro": r"\bretro\b",
    "Oil Painting": r"\boil[- ]paint",
    "Cyberpunk": r"\bcyberpunk",
    "Anime": r"\banime\b",
    "Ghibli": r"\bghibli",
    "Ink Wash": r"\bink[- ]wash",
    "Monochromatic": r"\bmonochrom|\bblack[- ]and[- ]white",
    "Realistic": r"realistic",
}
# Words that mean nothing but the style: a retro lamp or a realistic shadow is no style.
UNMISTAKABLE = ("Pixel Art", "Watercolor", "Oil Painting", "Cyberpunk", "Anime", "Ghibli", "Ink Wash")
STYLE = "Art Style Transfer"
EFFECTS = ("Action VFX", "Environmental VFX")
# Weather belongs to the background (I.1); digital rain, which it names itself, is an effect.
WEATHER = re.compile(
    r"(?<!digital[ -])\b(rain|raining|rainfall|rainy|snow|snowing|snowfall|snowy|fog|foggy|hail|drizzle|blizzard"
    r"|thunderstorm|overcast)\b",
    re.IGNORECASE,
)
# Of these a video can have only one, so two edits of such a type contradict each other.
ONLY_ONE = ("Scene Change", "Weather Change", STYLE, "Shot Scale", "Camera Angle")
INDIRECT = re.compile(r"^(please|could|can|would|will|i|we|you)\b|\?$", re.IGNORECASE)
MOST_WORDS_OF_AN_EDIT = 30  # ours: a single edit is simple, the difficulty lies in their combination (I.1)
LEAST_COMMON, REPEATED = 0.5, 0.8  # shares of words
_SMALL = "a an and at be by for from in into is it its let of off on or out so that the to with"
SMALL_WORDS = frozenset(_SMALL.split())


def _one_line(text: str) -> str:
    words = " ".join(text.split())
    if not words.isprintable():
        raise ValueError("holds characters that cannot be printed")
    return words


PlainText = Annotated[str, AfterValidator(_one_line)]


class EditDraft(FrozenModel):
    """One edit of an instruction: its type, and words that ask for it alone."""

    type: str
    instruction: PlainText = Field(min_length=8, max_length=300)

    @property
    def dimension(self) -> str:
        """Return Level 1 of its type."""
        return dimension_of(self.type)


class InstructionDraft(FrozenModel):
    """What a writer hands in.

    Args:
        combination: The number of the one that it chose, from 1.
        target: What the video shows when everything is done.
    """

    combination: int
    edits: tuple[EditDraft, ...] = Field(min_length=2, max_length=5)
    instruction: PlainText = Field(min_length=20, max_length=1_000)
    target: PlainText = Field(min_length=20, max_length=2_000)

    @property
    def dimensions(self) -> tuple[str, ...]:
        """Return the dimensions that it claims to ask for, each once."""
        return tuple(dict.fromkeys(edit.dimension for edit in self.edits))


def read_instruction(
    reply: JsonValue, offered: Sequence[Combination], earlier: Collection[str] = ()
) -> InstructionDraft:
    """Read what a writer hands in; `earlier` are the instructions of other videos, which it may not repeat."""
    draft = InstructionDraft.model_validate(reply)
    if fault := next(find_faults(draft, offered, earlier), ""):
        raise ValueError(fault)
    return draft


def find_faults(draft: InstructionDraft, offered: Sequence[Combination], earlier: Collection[str]) -> Iterator[str]:
    """Return which rules a draft breaks."""
    if not 1 <= draft.combination <= len(offered):
        yield f"there is no combination {draft.combination}; choose 1 to {len(offered)}"
        return
    wanted, used = offered[draft.combination - 1].types, [edit.type for edit in draft.edits]
    if strange := [each for each in used if each not in wanted]:
        yield f"'{strange[0][:60]}' is not in combination {draft.combination}, which is {' + '.join(wanted)}"
        return
    if missing := [each for each in wanted if each not in used]:
        yield f"no edit is of type {missing[0]}, which combination {draft.combination} has"
    if doubled := [each for each in ONLY_ONE if used.count(each) > 1]:
        yield f"two edits are of type {doubled[0]}, and a video can have only one"
    for words in (draft.instruction, *(edit.instruction for edit in draft.edits)):
        yield from (fault.fact for fault in lint_instruction(words))
        if INDIRECT.search(words):
            yield "an instruction is a command; write neither a question nor a plea"
    yield from _find_style_faults(draft)
    yield from _find_edit_faults(draft)
    if any(_share_in_common(draft.instruction, other) >= REPEATED for other in earlier):
        yield "this is nearly the instruction for another video; ask for something else"


def _find_style_faults(draft: InstructionDraft) -> Iterator[str]:
    named = [name for name, words in STYLES.items() if re.search(words, draft.instruction, re.IGNORECASE)]
    if STYLE in (edit.type for edit in draft.edits):
        if not named:
            yield f"it names no style of this list: {', '.join(STYLES)}"
    elif unasked := [name for name in named if name in UNMISTAKABLE]:
        yield f"it names the style {unasked[0]}, and the combination has no {STYLE}"


def _find_edit_faults(draft: InstructionDraft) -> Iterator[str]:
    for number, edit in enumerate(draft.edits, start=1):
        if len(edit.instruction.split()) > MOST_WORDS_OF_AN_EDIT:
            yield f"edit {number} has more than {MOST_WORDS_OF_AN_EDIT} words; keep each edit simple"
        if edit.type in EFFECTS and (found := WEATHER.search(edit.instruction)):
            yield f"edit {number} is weather ('{found[0]}'), which is no effect but a Weather Change"
        words = _content_words(edit.instruction)
        if len(words & _content_words(draft.instruction)) < LEAST_COMMON * len(words):
            yield f"edit {number} is not in the instruction"
        for other in draft.edits[: number - 1]:
            if _share_in_common(edit.instruction, other.instruction) >= REPEATED:
                yield f"edit {number} repeats another edit"


def _content_words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold())) - SMALL_WORDS


def _share_in_common(one: str, other: str) -> float:
    """Return the words of both as a share of the words of either."""
    mine, theirs = _content_words(one), _content_words(other)
    return len(mine & theirs) / max(1, len(mine | theirs))
