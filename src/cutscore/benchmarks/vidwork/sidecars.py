"""Files beside a clip: what is said in it, and everything that is true of it.

Where nobody can speak, narration is tones; the transcript then is what a viewer who reads gets instead of ears. Both
files appear whole or not at all.
"""

import secrets
from pathlib import Path

from pydantic import JsonValue

from cutscore.core.errors import NoRoom
from cutscore.core.frozen import canonical_json
from cutscore.stage.scene import Scene
from cutscore.stage.speech import said, speaker
from cutscore.stage.timeline import truth

TRANSCRIPT = "cutscore.transcript/1"
TRUTH = "cutscore.truth/1"


def transcript(scene: Scene) -> dict[str, JsonValue]:
    """Return what is said in a scene, line by line, as a record of the schema `cutscore.transcript/1`.

    Words whose times were shared out by letters are left out of their line, since times in a transcript are exact.
    """
    lines: list[JsonValue] = []
    for heard in said(scene):
        timed: list[JsonValue] = [
            {"start_s": str(word.start_s), "end_s": str(word.end_s), "text": word.text}
            for word in heard.words
            if word.exact
        ]
        span = {"start_s": str(heard.line.start_s), "end_s": str(heard.words[-1].end_s)}
        lines.append({**span, "text": " ".join(word.text for word in heard.words), "words": timed})
    made_by = speaker(scene.voice) if scene.lines else "nobody speaks"
    length_s = str(scene.frames / scene.rate)
    return {"schema": TRANSCRIPT, "language": "en", "made_by": made_by, "length_s": length_s, "segments": lines}


def write_transcript(scene: Scene, path: Path) -> None:
    """Write the transcript of a scene; equal bytes for equal scenes."""
    _write(path, transcript(scene))


def write_truth(scene: Scene, path: Path) -> None:
    """Write the truth of a scene, and the scene itself; no subject may see it."""
    record = {"schema": TRUTH, "truth": truth(scene).model_dump(mode="json"), "scene": scene.model_dump(mode="json")}
    _write(path, record)


def _write(path: Path, record: object) -> None:
    draft = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        draft.write_bytes(canonical_json(record) + b"\n")
        draft.replace(path)
    except OSError as error:
        raise NoRoom(f"file '{path.name}'", f"cannot be written: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)
