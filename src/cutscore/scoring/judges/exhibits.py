"""Evidence → what a judge is shown of it, under names that the submission did not choose."""

from dataclasses import dataclass, replace
from typing import Any

from cutscore.core.errors import BadInput
from cutscore.core.evidence import MAX_TEXT_BYTES, Evidence
from cutscore.core.files import FileRef, media_type_of
from cutscore.core.frozen import canonical_json
from cutscore.core.judge_view import SIDES, WHOLE_VIEW, JudgeView, Shown

LONGEST_TEXT = 200_000  # characters of a document that are shown; that the rest is cut off is said

_MEDIA = ("video", "image", "audio")
_TEXT = ("application/json", "application/jsonl")


@dataclass(frozen=True)
class Exhibit:
    """One thing that a judge is shown, text or media, under a neutral name (`file 1`, `A`), and its recorded file."""

    name: str
    text: str = ""
    media: FileRef | None = None
    file: FileRef | None = None
    sound: bool = True

    def plain(self) -> list[str]:
        """Return all that a judge sees of it, with media by their hash."""
        seen = f"{self.media.media_type} {self.media.sha256}" if self.media else self.text
        return [self.name, "media" if self.media else "text", seen, *([] if self.sound else ["without sound"])]


def exhibits(
    evidence: Evidence, view: JudgeView = WHOLE_VIEW, *, pairwise: bool = False, swapped: bool = False
) -> tuple[Exhibit, ...]:
    """Lay out evidence for a judge: what a view names, under its labels, else facts by name, then files in their order.

    Two candidates of a pairwise question are either two files or two facts, which are called A and B as they come, or
    the other way round where they are swapped. A view names them itself.
    """
    if view.shown:
        return _labelled(evidence, view, pairwise=pairwise, swapped=swapped)
    facts = sorted(evidence.facts.items())
    if not pairwise:
        return (
            *(Exhibit(name, text=_words(value)) for name, value in facts),
            *(_file(evidence, ref, f"file {number}") for number, ref in enumerate(evidence.files, start=1)),
        )
    if len(evidence.files) == 2 and not facts:
        both = [_file(evidence, ref, "") for ref in evidence.files]
    elif len(facts) == 2 and not evidence.files:
        both = [Exhibit("", text=_words(value)) for _, value in facts]
    else:
        fact = f"has {len(evidence.files)} files and {len(facts)} facts"
        raise BadInput("evidence for a pairwise question", fact, "give two files or two facts, and nothing else")
    return tuple(
        Exhibit(name, each.text, _renamed(each.media, name), each.file)
        for name, each in zip(SIDES, reversed(both) if swapped else both, strict=True)
    )


def _labelled(evidence: Evidence, view: JudgeView, *, pairwise: bool, swapped: bool) -> tuple[Exhibit, ...]:
    labels = {each.label for each in view.shown}
    if pairwise and not labels.issuperset(SIDES):
        raise BadInput("view for a pairwise question", "shows no A and B", "label the two candidates so")
    return tuple(_exhibit(evidence, each) for each in (view.swapped() if swapped else view).shown)


def _exhibit(evidence: Evidence, shown: Shown) -> Exhibit:
    if shown.fact:
        if shown.fact not in evidence.facts:
            known = ", ".join(sorted(evidence.facts)) or "nothing"
            raise BadInput(f"fact '{shown.fact}'", "is not in the evidence", f"there is: {known}")
        return Exhibit(shown.label, text=_words(evidence.facts[shown.fact]))
    ref = evidence.file(shown.file)
    if ref is None:
        known = ", ".join(file.name for file in evidence.files) or "nothing"
        raise BadInput(
            f"file '{shown.file}'", f"is to be shown as '{shown.label}' and was not recorded", f"recorded: {known}"
        )
    made = _file(evidence, ref, shown.label)
    if not shown.sound and not (made.media and made.media.media_type.startswith("video/")):
        raise BadInput(f"file '{shown.file}'", "is no clip, so it has no sound to leave out", "drop sound=False")
    return replace(made, sound=shown.sound)


def originals(shown: tuple[Exhibit, ...]) -> dict[str, FileRef]:
    """Return the recorded file behind each neutral name."""
    return {each.media.name: each.file for each in shown if each.media and each.file}


def _file(evidence: Evidence, ref: FileRef, name: str) -> Exhibit:
    # The type that is written down may be the subject's own words; the one that our table knows by the suffix is not.
    kind = media_type_of(ref.name)
    family = kind.partition("/")[0]
    if family in _MEDIA:
        return Exhibit(name, media=_renamed(ref.model_copy(update={"media_type": kind}), name or "x"), file=ref)
    if family != "text" and kind not in _TEXT:
        return Exhibit(name, text=f"(a file of {ref.size_bytes:,} bytes that is neither media nor text)", file=ref)
    with evidence.store.path(ref).open("rb") as stream:  # by its hash: two files may have one name
        text = stream.read(MAX_TEXT_BYTES).decode("utf-8", errors="replace")
    if len(text) > LONGEST_TEXT:
        text = text[:LONGEST_TEXT] + f"\n(cut off after {LONGEST_TEXT:,} characters)"
    return Exhibit(name, text=text, file=ref)


def _renamed(ref: FileRef | None, name: str) -> FileRef | None:
    return ref.model_copy(update={"name": name}) if ref else None


def _words(value: Any) -> str:
    return value if isinstance(value, str) else canonical_json(value).decode()
