"""Changed inputs for a judge: the same deliverable in another order, longer, renamed, with a note in it, or unseeable.

Each change takes a case and gives another one, or None when the case has nothing that it could change. What was there
stays as it was: changed files go to a store of their own.
"""

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from cutscore.core.errors import BadInput
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileRef, FileStore, media_type_of
from cutscore.core.judgement import QuestionKind
from cutscore.results.judge_card.audits import clips
from cutscore.results.judge_card.verdicts import JudgeCase
from cutscore.store import Store

Change = Callable[[JudgeCase, Store], JudgeCase | None]

# Questions whose answers speak for or against a deliverable; only those can be bought.
_OPINIONS: tuple[QuestionKind, ...] = ("yes_no", "scale", "weaknesses")
_SPOKEN = ("transcript", "subtitle", "caption", "speech")
_LONGEST_NAME = 200  # characters; disks take 255 bytes


@dataclass(frozen=True)
class OverlayStore:
    """A store with changed files, and below it the files of the evidence that they were made from."""

    changed: Store
    below: Evidence

    def path(self, ref: FileRef) -> Path:
        """Return the changed file where there is one, else the original."""
        if self.changed.has(ref.sha256):
            return self.changed.path(ref)
        return self.below.path(next((each.name for each in self.below.files if each.sha256 == ref.sha256), ref.name))

    def put(self, source: Path, *, name: str, media_type: str = "") -> FileRef:
        """Take in a changed file."""
        return self.changed.put(source, name=name, media_type=media_type)

    def put_bytes(self, data: bytes, *, name: str, media_type: str = "") -> FileRef:
        """Take in changed bytes."""
        return self.changed.put_bytes(data, name=name, media_type=media_type)


def repeat(case: JudgeCase, store: Store) -> JudgeCase | None:
    """Return the very same."""
    return case


def swap_order(case: JudgeCase, store: Store) -> JudgeCase | None:
    """Show two candidates in the other order, or choices from last to first."""
    pairs = tuple(each for each in case.questions if each.kind == "pairwise")
    if pairs and case.view.shown:
        return case.model_copy(update={"questions": pairs, "view": case.view.swapped()})
    if pairs:
        files, facts = case.evidence.files, case.evidence.facts
        # Two candidates are two files, or two facts in the order of their names.
        names = sorted(facts)
        turned = {name: facts[other] for name, other in zip(names, reversed(names), strict=True)}
        evidence = case.evidence.model_copy(update={"files": files[::-1], "facts": turned})
        return case.model_copy(update={"questions": pairs, "evidence": evidence})
    choices = tuple(
        each.model_copy(update={"choices": each.choices[::-1]}) for each in case.questions if each.kind == "choice"
    )
    return case.model_copy(update={"questions": choices}) if choices else None


def add_to_words(text: str) -> Change:
    """Add a text to the subject's own words: facts that hold them, reports and answer files."""

    def change(case: JudgeCase, store: Store) -> JudgeCase | None:
        own = {name: value for name in case.words if isinstance(value := case.evidence.facts.get(name), str) and value}
        facts = {**case.evidence.facts, **{name: f"{value}\n\n{text}" for name, value in own.items()}}
        made = _change_files(
            case, store, lambda ref: _add_text(case.evidence, ref, store, text) if not _is_spoken(ref) else None
        )
        if made is None and not own:
            return None
        made = made or case
        return made.model_copy(update={"evidence": made.evidence.model_copy(update={"facts": facts})})

    return _about_opinions(change)


def add_to_speech(text: str) -> Change:
    """Add a text to transcripts and subtitles, spoken at the start."""
    return _about_opinions(
        lambda case, store: _change_files(
            case, store, lambda ref: _add_text(case.evidence, ref, store, text) if _is_spoken(ref) else None
        )
    )


def add_to_names(text: str) -> Change:
    """Put a text into the names of all files."""
    words = " ".join(text.replace("/", " ").replace("\\", " ").split())

    def renamed(number: int, ref: FileRef) -> FileRef:
        folder, slash, last = ref.name.rpartition("/")
        stem, dot, suffix = last.rpartition(".")
        name = f"{stem if dot else last} {words}"[:_LONGEST_NAME].rstrip()
        # The number keeps names apart that only differed in what was cut off.
        return ref.model_copy(update={"name": f"{folder}{slash}{name} {number}{dot}{suffix if dot else ''}"})

    def change(case: JudgeCase, store: Store) -> JudgeCase | None:
        if not case.evidence.files:
            return None
        files = tuple(renamed(number, ref) for number, ref in enumerate(case.evidence.files, start=1))
        names = {old.name: new.name for old, new in zip(case.evidence.files, files, strict=True)}
        evidence, view = _bind(case.evidence, files, store), case.view.with_file_names(names)
        return case.model_copy(update={"evidence": evidence, "view": view})

    return _about_opinions(change)


def add_to_pictures(text: str) -> Change:
    """Show a text at the bottom of every clip."""
    return _about_opinions(_change_clips(partial(clips.caption_frames, text=text)))


def blank_clips() -> Change:
    """Show grey instead of every clip."""
    return _change_clips(clips.blank_frames)


def shuffle_clips(seed: int) -> Change:
    """Show the frames of every clip in seeded order."""
    return _change_clips(partial(clips.shuffle_frames, seed=seed))


def _about_opinions(change: Change) -> Change:
    """Ask only questions whose answers speak for or against the deliverable."""

    def asked(case: JudgeCase, store: Store) -> JudgeCase | None:
        questions = tuple(each for each in case.questions if each.kind in _OPINIONS)
        return change(case.model_copy(update={"questions": questions}), store) if questions else None

    return asked


def _change_files(case: JudgeCase, store: Store, change: Callable[[FileRef], FileRef | None]) -> JudgeCase | None:
    """Replace the files that a change has another version of."""
    made = [change(ref) for ref in case.evidence.files]
    if not any(made):
        return None
    files = tuple(new or old for new, old in zip(made, case.evidence.files, strict=True))
    return case.model_copy(update={"evidence": _bind(case.evidence, files, store)})


def _bind(evidence: Evidence, files: tuple[FileRef, ...], store: Store) -> Evidence:
    over: FileStore = OverlayStore(store, evidence)
    return evidence.model_copy(update={"files": files}).bind(over)


def _is_spoken(ref: FileRef) -> bool:
    name = ref.name.casefold()
    return name.endswith((".srt", ".vtt")) or any(word in name for word in _SPOKEN)


def _add_text(evidence: Evidence, ref: FileRef, store: Store, text: str) -> FileRef | None:
    """Return a text file with a text added in the manner of its kind; None for what is not text."""
    name, kind = ref.name.casefold(), ref.media_type or media_type_of(ref.name)
    if not (kind.startswith("text/") or kind == "application/json" or name.endswith((".srt", ".vtt"))):
        return None
    old = evidence.text(ref.name) or ""
    if name.endswith(".srt"):
        new = f"{old.rstrip()}\n\n{old.count('-->') + 1}\n00:00:00,000 --> 00:00:05,000\n{text}\n".lstrip()
    elif name.endswith(".vtt"):
        new = f"{old.rstrip()}\n\n00:00:00.000 --> 00:00:05.000\n{text}\n"
    elif kind == "application/json":
        try:
            plain = json.loads(old)
        except ValueError:
            return None
        if not isinstance(plain, dict):
            return None  # a list of times has no room for words
        new = json.dumps({**plain, "note": text}, ensure_ascii=False)
    else:
        new = f"{old.rstrip()}\n\n{text}\n"
    return store.put_bytes(new.encode(), name=ref.name, media_type=ref.media_type)


def _change_clips(edit: clips.FrameEdit) -> Change:
    """Make every clip anew; one that several cases share is made once."""
    made: dict[tuple[Path, str], FileRef] = {}

    def change(case: JudgeCase, store: Store) -> JudgeCase | None:
        def remade(ref: FileRef) -> FileRef | None:
            if not (ref.media_type or media_type_of(ref.name)).startswith("video/"):
                return None
            key = (store.root, ref.sha256)
            if key not in made:
                with tempfile.TemporaryDirectory(prefix="cutscore-") as folder:
                    new = Path(folder) / "clip.mp4"
                    try:
                        clips.rewrite_clip(case.evidence.path(ref.name), new, edit)
                    except BadInput:  # what a subject calls a clip need not be one; there is nothing to hide in it
                        return None
                    made[key] = store.put(new, name=ref.name, media_type="video/mp4")
            return made[key].model_copy(update={"name": ref.name})

        return _change_files(case, store, remade)

    return change
