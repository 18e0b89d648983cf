"""Notes beside footage: what a person wrote about `pancakes.mp4`, in `pancakes.synopsis.md` and the like."""

from pathlib import Path

from cutscore.authoring.footage import Clip
from cutscore.core.errors import BadInput


def note_path(clip: Clip, suffix: str) -> Path:
    """Return where a note on a clip would lie: beside its footage, under the same name."""
    source = Path(clip.source)
    return source.with_name(f"{source.stem}{suffix}")


def find_note(clip: Clip, suffix: str) -> Path | None:
    """Return the note on a clip; None where there is none, as for every scene of the stage."""
    path = note_path(clip, suffix)
    return path if clip.scene is None and path.is_file() else None


def read_note(clip: Clip, suffix: str, *, longest: int) -> str | None:
    """Return a note's text on one line; None where there is no note.

    Args:
        clip: The footage.
        suffix: Of the note's name, `.synopsis.md`.
        longest: Characters that it may have.

    Raises:
        BadInput: It is empty or too long.
    """
    path = find_note(clip, suffix)
    if path is None:
        return None
    with path.open("rb") as stream:
        text = " ".join(stream.read(4 * longest + 1).decode("utf-8", "replace").split())
    if not 0 < len(text) <= longest:
        what = suffix.strip(".").partition(".")[0]
        raise BadInput(f"file '{path.name}'", f"its {what} has {len(text)} characters", f"write 1 to {longest}")
    return text
