"""What a recipe may ask of a source clip: where it comes from, where it cuts, what is said in it, what people noted.

Shots are frames, each from its first to before the next one's first. What is said is in the file beside the clip, or
written down by Whisper, and never invented. A note on `pancakes.mp4` lies beside it: `pancakes.synopsis.md`.
"""

from fractions import Fraction
from itertools import pairwise
from math import ceil
from pathlib import Path

import cutscore
from cutscore.authoring.build_folder import BuildFolder
from cutscore.authoring.footage import STAGE, STAGE_LICENCE, SourceClip
from cutscore.core.bundle import Provenance
from cutscore.core.errors import BadInput, MissingExtra
from cutscore.media.audio import iter_sound
from cutscore.media.footage import load_footage
from cutscore.media.transcript import Transcript, read_transcript, write_transcript
from cutscore.perception.speech import RATE_HZ, transcribe
from cutscore.scoring.metrics.one_pass import one_pass
from cutscore.scoring.metrics.shots import Shots
from cutscore.stage.camera import timed_shots
from cutscore.stage.scene import RENDERER, Scene

UNKNOWN_LICENCE = "LicenseRef-unknown"


def origin_of(film: SourceClip, *, seed: int) -> Provenance:
    """Return the origin of what a recipe made of a film with that seed."""
    return Provenance(
        licence=film.licence or UNKNOWN_LICENCE,
        source=film.source if film.scene else Path(film.source).name,
        notice=f"by {film.author}" if film.author else "",
        recipe=f"download {film.address}" if film.address else "",
        made_by=f"cutscore {cutscore.__version__}",
        seed=seed,
    )


def staged_origin(scene: str, *, seed: int) -> Provenance:
    """Return the origin of a clip of a starter pack: the scene's name, and the seed that it was staged with."""
    return Provenance(licence=STAGE_LICENCE, source=f"{STAGE}{scene}", made_by=f"stage {RENDERER}", seed=seed)


def is_staged(origin: Provenance) -> bool:
    """Return whether something was drawn by us."""
    return origin.source.startswith(STAGE)


def scene_shots(scene: Scene) -> list[tuple[int, int]]:
    """Return the shots of a scene as frames: the first, and the one after the last."""
    starts = [ceil(take.shot.start_s * scene.rate) for take in timed_shots(scene)[1:]]
    return list(pairwise([0, *starts, scene.frames]))


def film_shots(film: SourceClip) -> tuple[Fraction, list[tuple[int, int]]]:
    """Return the rate of a film and its shots as frames; a film that we staged says them itself."""
    if film.scene is not None:
        return film.scene.rate, scene_shots(film.scene)
    whole = load_footage(film.path, trusted=False)
    starts = {whole.first_at(span.start_s) for span in one_pass(film.path, [Shots()]).alone[0].spans}
    return whole.rate, list(pairwise([0, *sorted(starts - {0}), whole.count]))


SILENT = "no sound"


def transcript_of(clip: SourceClip, out: BuildFolder) -> Transcript | None:
    """Return the transcript of a clip; None when nobody could listen because the extra `speech` is missing.

    A clip without sound has an empty transcript. What Whisper wrote is kept in the build's folder.

    Raises:
        BadInput: The file beside the clip is no transcript, or the sound cannot be decoded.
    """
    if clip.transcript is not None:
        return read_transcript(clip.transcript)
    if not clip.has_sound:
        return Transcript(made_by=SILENT, length_s=clip.length_s)

    def listen() -> Transcript:
        return transcribe(iter_sound(clip.path, rate_hz=RATE_HZ, channels="mono", trusted=False))

    try:
        file = out.once(f"transcripts/{clip.ref.sha256}.json", lambda draft: write_transcript(listen(), draft))
    except MissingExtra:
        return None
    return read_transcript(file)


def note_path(clip: SourceClip, suffix: str) -> Path:
    """Return where a note on a clip would lie: beside its footage, under the same name."""
    source = Path(clip.source)
    return source.with_name(f"{source.stem}{suffix}")


def find_note(clip: SourceClip, suffix: str) -> Path | None:
    """Return the note on a clip; None where there is none, as for every scene of the stage."""
    path = note_path(clip, suffix)
    return path if clip.scene is None and path.is_file() else None


def read_note(clip: SourceClip, suffix: str, *, longest: int) -> str | None:
    """Return a note's text on one line, of at most `longest` characters; None where there is no note.

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
