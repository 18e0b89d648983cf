"""Clips that we draw ourselves: rendered once on a machine, then taken from a cache."""

import hashlib
import logging
import shutil
import tempfile
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef, Shelf
from cutscore.draft import draft_of
from cutscore.media.frames import decoder
from cutscore.media.render import VERSION, write_clip
from cutscore.settings import load_settings
from cutscore.stage.render import frames as paint
from cutscore.stage.scene import Scene

MEDIA_TYPE = "video/mp4"

Frames = Callable[[], Iterable[NDArray[np.uint8]]]
logger = logging.getLogger(__name__)


def staged(shelf: Shelf, name: str, scene: Scene) -> FileRef:
    """Put a scene of the stage on the shelf as a clip without sound; its own digest says what its frames are."""
    return rendered(shelf, name, lambda: paint(scene), rate=scene.rate, painted=scene.item_id)


def rendered(shelf: Shelf, name: str, frames: Frames, *, rate: Fraction, painted: str | None = None) -> FileRef:
    """Put a clip on the shelf, encoding it only if this machine has not done so before.

    Args:
        shelf: Takes the clip in.
        name: Name of the clip.
        frames: Paints the clip, RGB pictures in order; called once to encode it, and before that to know it, unless
            there is a name for what it paints.
        rate: Frames a second.
        painted: A name that promises equal frames wherever it is equal.

    The key of the cache is the pixels themselves, or what names them, with the rate and the encoder's version, so that
    no change of a scene or of the code that paints it can meet an old clip. A cached file also bears its own hash in
    its name; one that was damaged is rendered again. A cache that cannot be written costs time and nothing else.
    """
    folder = load_settings().cache_dir / "clips"
    key = _key(frames() if painted is None else (), rate, painted or "")
    if (ref := _from_cache(folder, key, shelf, name)) is not None:
        return ref
    with tempfile.TemporaryDirectory(prefix="cutscore-") as scratch:
        made = Path(scratch) / "clip.mp4"
        write_clip(made, frames(), rate=rate)
        ref = shelf.put(made, name=name, media_type=MEDIA_TYPE)
        _into_cache(made, folder / f"{key}-{ref.sha256}.mp4")
    return ref


def _key(pictures: Iterable[NDArray[np.uint8]], rate: Fraction, painted: str) -> str:
    digest = hashlib.sha256(f"{decoder()} {VERSION} {rate} {painted}".encode())
    for picture in pictures:
        digest.update(f"{picture.shape} {picture.dtype}".encode())
        digest.update(np.ascontiguousarray(picture).data)
    return digest.hexdigest()


def _from_cache(folder: Path, key: str, shelf: Shelf, name: str) -> FileRef | None:
    for kept in sorted(folder.glob(f"{key}-*.mp4")):
        try:
            ref = shelf.put(kept, name=name, media_type=MEDIA_TYPE)
        except (OSError, BadInput):  # somebody cleans the cache at this moment, or put something odd there
            continue
        if kept.stem == f"{key}-{ref.sha256}":
            return ref
        logger.info("cached clip %s is damaged and will be rendered again", kept)
    return None


def _into_cache(made: Path, kept: Path) -> None:
    """Copy it to where other runners see a whole file or none."""
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        with draft_of(kept) as draft:
            shutil.copyfile(made, draft)
    except OSError as error:
        logger.info("clip cache %s cannot be written: %s", kept.parent, error.strerror)
