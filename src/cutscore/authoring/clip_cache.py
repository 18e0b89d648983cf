"""Clips that we encode ourselves: put into a store, and where they are asked for again and again, from a cache."""

import hashlib
import logging
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cutscore.atomic import replace_file
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef, FileStore
from cutscore.media.audio import Channels
from cutscore.media.edit import join_footage
from cutscore.media.footage import Footage, load_footage, write_footage
from cutscore.media.frames import decoder_version
from cutscore.media.probe import probe
from cutscore.media.render import VERSION, write_clip
from cutscore.media.sound import Sound
from cutscore.settings import load_settings

MEDIA_TYPE = "video/mp4"

Write = Callable[[Path], None]
logger = logging.getLogger(__name__)


def put_clip(store: FileStore, name: str, write_to: Write) -> FileRef:
    """Encode a clip to a temporary file and put it into the store."""
    with tempfile.TemporaryDirectory(prefix="cutscore-") as scratch:
        made = Path(scratch) / "clip.mp4"
        write_to(made)
        return store.put(made, name=name, media_type=MEDIA_TYPE)


def put_clip_once(store: FileStore, name: str, write_to: Write, *, key: str) -> FileRef:
    """Put a clip into the store, encoding it only if this machine has not done so before.

    The key promises equal pictures and sound wherever it is equal. A cached file bears it, the encoder's version and
    its own hash in its name; one that was damaged is encoded again. A cache that cannot be written costs time and
    nothing else.
    """
    folder = load_settings().cache_dir / "clips"
    digest = hashlib.sha256(f"{decoder_version()} {VERSION} {key}".encode()).hexdigest()
    if (ref := _from_cache(folder, digest, store, name)) is not None:
        return ref

    def write_twice(path: Path) -> None:
        write_to(path)
        with path.open("rb") as stream:
            own = hashlib.file_digest(stream, "sha256").hexdigest()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with replace_file(folder / f"{digest}-{own}.mp4") as draft:  # other runners see a whole file or none
                shutil.copyfile(path, draft)
        except OSError as error:
            logger.info("clip cache %s cannot be written: %s", folder, error.strerror)

    return put_clip(store, name, write_twice)


def put_pictures(
    store: FileStore, name: str, pictures: Iterable[NDArray[np.uint8]], *, rate: Fraction, sound: Sound | None = None
) -> FileRef:
    """Put RGB pictures into the store as a clip, with sound from the first picture on."""
    return put_clip(store, name, lambda path: write_clip(path, pictures, rate=rate, sound=sound))


def put_footage(store: FileStore, name: str, make: Callable[[], Footage], *, key: str) -> FileRef:
    """Put footage into the store as a clip, made and encoded only once on a machine (see `put_clip_once`)."""
    return put_clip_once(store, name, lambda path: write_footage(make(), path), key=f"footage {key}")


def splice_clips(store: FileStore, name: str, parts: Sequence[FileRef]) -> FileRef:
    """Put clips one after the other, with their sound, and the film into the store.

    All are shown at the rate of the first, and heard in mono if it is. Their sizes must be equal.
    """

    def splice() -> Footage:
        rate, channels = rate_and_channels(store.path(parts[0]))
        return join_footage([load_footage(store.path(part), rate=rate, channels=channels) for part in parts])

    return put_footage(store, name, splice, key=f"splice {' '.join(part.sha256 for part in parts)}")


def rate_and_channels(clip: Path) -> tuple[Fraction | None, Channels]:
    """Return how a film that begins with this clip is shown and heard."""
    facts = probe(clip)
    return facts.rate, "mono" if facts.sound is not None and facts.sound.channels == 1 else "stereo"


def _from_cache(folder: Path, digest: str, store: FileStore, name: str) -> FileRef | None:
    for kept in sorted(folder.glob(f"{digest}-*.mp4")):
        try:
            ref = store.put(kept, name=name, media_type=MEDIA_TYPE)
        except (OSError, BadInput):  # somebody cleans the cache at this moment, or put something odd there
            continue
        if kept.stem == f"{digest}-{ref.sha256}":
            return ref
        logger.info("cached clip %s is damaged and will be encoded again", kept)
    return None
