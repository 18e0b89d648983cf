"""Keyframes: one picture a second as JPEG, at most as large as 720p, for packs that publish pictures and no video."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
from pydantic import TypeAdapter

from cutscore.authoring.build_folder import BuildFolder
from cutscore.authoring.footage import SourceClip
from cutscore.core.files import FileRef
from cutscore.media.frames import encode_jpeg, iter_frames
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.media.plan import FramePlan

PLAN = "fps=1"
LONG_SIDE, SHORT_SIDE = 1280, 720

_REFS: TypeAdapter[tuple[FileRef, ...]] = TypeAdapter(tuple[FileRef, ...])


def keyframes(
    clip: SourceClip, out: BuildFolder, *, change: Callable[[Pixels], Pixels] | None = None
) -> tuple[FileRef, ...]:
    """Return a clip's keyframes in order of time, as `media/NAME/000001.jpg` and so on, in the build's store.

    A build that goes on does not decode again. `change` is done to each picture before it is written (`blur_faces`).
    """
    kind = getattr(change, "__name__", "plain") if change else "plain"

    def make(draft: Path) -> None:
        taken = []
        for number, frame in enumerate(iter_frames(clip.path, FramePlan.parse(PLAN), trusted=False), start=1):
            pixels = fit_720p(frame.pixels)
            data = encode_jpeg(change(pixels) if change else pixels)
            taken.append(out.store.put_bytes(data, name=f"{number:06d}.jpg", media_type="image/jpeg"))
        draft.write_bytes(_REFS.dump_json(tuple(taken)))

    file = out.once(f"keyframes/{clip.ref.sha256}-{kind}.json", make)
    refs = _REFS.validate_json(file.read_bytes())
    return tuple(ref.model_copy(update={"name": f"media/{clip.name}/{ref.name}"}) for ref in refs)


def fit_720p(pixels: Pixels) -> Pixels:
    """Scale a picture down until it fits into 1280×720, or 720×1280 where it is upright; never up.

    >>> fit_720p(np.zeros((1080, 1920, 3), np.uint8)).shape, fit_720p(np.zeros((100, 60, 3), np.uint8)).shape
    ((720, 1280, 3), (100, 60, 3))
    """
    height, width = pixels.shape[:2]
    scale = min(Fraction(LONG_SIDE, max(height, width)), Fraction(SHORT_SIDE, min(height, width)))
    if scale >= 1:
        return pixels
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    cv2 = opencv()
    smaller: Pixels = cv2.resize(np.ascontiguousarray(pixels), size, interpolation=cv2.INTER_AREA)
    return smaller
