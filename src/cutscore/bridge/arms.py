"""What of its input a subject is shown."""

from cutscore.core.ask import Ask
from cutscore.core.files import FileRef
from cutscore.media.plan import FramePlan


def thinned(ask: Ask, frames: str) -> Ask:
    """Give an ask whose pictures are no more than the frame plan has frames: they are the frames of its clip."""
    pictures = [ref for ref in ask.files if is_picture(ref)]
    if not (frames and pictures):
        return ask
    kept = {pictures[number].name for number in FramePlan.parse(frames).among(len(pictures))}
    return ask.model_copy(update={"files": tuple(ref for ref in ask.files if not is_picture(ref) or ref.name in kept)})


def is_picture(ref: FileRef) -> bool:
    return ref.media_type.startswith("image/")
