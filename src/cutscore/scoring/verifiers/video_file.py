"""Whether what was handed in is a video at all."""

from cutscore.core.errors import BadInput
from cutscore.core.evidence import Evidence
from cutscore.media import deliverable as door
from cutscore.scoring.verifiers.refusal import Refusal, refuse_missing


def refuse_video(evidence: Evidence, name: str, *, failure: str = "") -> Refusal | None:
    """Return why a recorded file is no video; None where it is one. It is opened as a stranger's file."""
    if evidence.file(name) is None:
        return refuse_missing(name, failure)
    try:
        found = door.probe(evidence.path(name))
    except BadInput as fault:
        return Refusal("not a video", f"{name} {fault.fact}")
    has_pictures = any(stream.kind == "video" for stream in found.streams)
    return None if has_pictures else Refusal("not a video", f"{name} has no pictures")
