"""Clips that we draw ourselves: rendered once on a machine, then taken from a cache."""

import hashlib
import logging
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cutscore.atomic import replace_file
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef, FileStore
from cutscore.core.timeline import Span
from cutscore.media.edit import joined
from cutscore.media.footage import Footage, pictures_changed, take, write
from cutscore.media.frames import decoder
from cutscore.media.listen import Channels
from cutscore.media.probe import probe
from cutscore.media.render import VERSION, write_clip
from cutscore.media.sound import Sound
from cutscore.settings import load_settings
from cutscore.stage.render import frames as paint
from cutscore.stage.scene import Scene
from cutscore.stage.sound import sound as sound_of

MEDIA_TYPE = "video/mp4"

Frames = Callable[[], Iterable[NDArray[np.uint8]]]
logger = logging.getLogger(__name__)


def staged(store: FileStore, name: str, scene: Scene) -> FileRef:
    """Put a scene of the stage on the shelf as a clip without sound; its own digest says what its frames are."""
    return rendered(store, name, lambda: paint(scene), rate=scene.rate, painted=scene.item_id)


def rendered(
    store: FileStore,
    name: str,
    frames: Frames,
    *,
    rate: Fraction,
    painted: str | None = None,
    sound: Sound | None = None,
) -> FileRef:
    """Put a clip on the shelf, encoding it only if this machine has not done so before.

    Args:
        store: Takes the clip in.
        name: Name of the clip.
        frames: Paints the clip, RGB pictures in order; called once to encode it, and before that to know it, unless
            there is a name for what it paints.
        rate: Frames a second.
        painted: A name that promises equal frames wherever it is equal, and equal sound.
        sound: Heard from the first frame on.

    The key of the cache is the pixels themselves, or what names them, with the rate and the encoder's version, so that
    no change of a scene or of the code that paints it can meet an old clip. A cached file also bears its own hash in
    its name; one that was damaged is rendered again. A cache that cannot be written costs time and nothing else.
    """
    told = painted or ("" if sound is None else hashlib.sha256(sound.samples.tobytes()).hexdigest())
    key = _key(frames() if painted is None else (), rate, told)
    return _once(store, name, key, lambda path: write_clip(path, frames(), rate=rate, sound=sound))


def staged_part(
    store: FileStore, name: str, scene: Scene, first: int, end: int, *, edge_s: Fraction = Fraction(0)
) -> FileRef:
    """Put some frames of a scene on the shelf, from the first to before the end, with the sound under them.

    Args:
        store: Takes the clip in.
        name: Name of the clip.
        scene: The scene.
        first: Frame.
        end: The frame after the last.
        edge_s: Over so many seconds at either end the sound is faded.
    """
    under = Span(start_s=first / scene.rate, end_s=end / scene.rate)

    def make(path: Path) -> None:
        heard = _sound(scene).part(under).faded(edge_s)
        write_clip(path, paint(scene, first, end), rate=scene.rate, sound=heard)

    return _once(store, name, _key((), scene.rate, f"{scene.item_id} {first}-{end} with sound, edges {edge_s}"), make)


@lru_cache(maxsize=1)
def _sound(scene: Scene) -> Sound:
    """Make the sound of a scene once for all of its parts, which are mostly asked for one after the other."""
    return sound_of(scene)


def spliced(store: FileStore, name: str, parts: Sequence[FileRef]) -> FileRef:
    """Put clips of ours one after the other, with their sound, and the whole on the shelf.

    All are shown at the rate of the first, and heard in mono if it is. Their sizes must be equal.
    """

    def make(path: Path) -> None:
        facts = probe(store.path(parts[0]))
        channels: Channels = "mono" if facts.sound is not None and facts.sound.channels == 1 else "stereo"
        write(joined([take(store.path(part), rate=facts.rate, channels=channels) for part in parts]), path)

    # The hashes of the parts tell everything, their rate included.
    return _once(store, name, _key((), Fraction(0), f"spliced {' '.join(part.sha256 for part in parts)}"), make)


def written(store: FileStore, name: str, make: Callable[[], Footage], *, what: str) -> FileRef:
    """Put footage on the shelf as a clip, made and encoded only if this machine has not done so before.

    Args:
        store: Takes the clip in.
        name: Name of the clip.
        make: Gives the footage.
        what: A name that promises equal pictures and samples wherever it is equal.
    """
    return _once(store, name, _key((), Fraction(0), f"written {what}"), lambda path: write(make(), path))


def condensed(
    store: FileStore, name: str, source: FileRef, kept: Sequence[tuple[Span, float]], aspect: tuple[int, int] | None
) -> FileRef:
    """Put stretches of a clip of ours one after the other, cropped to an aspect, and the whole on the shelf.

    Args:
        store: Has the source, and takes the film in.
        name: Name of the film.
        source: The clip.
        kept: Stretches of it, each with the place of the picture's middle as a share of the source's width.
        aspect: Width to height of the film; the source's own when None. A wider one loses at top and bottom.
    """
    words = [f"{span.start_s}-{span.end_s}@{middle}" for span, middle in kept]
    key = _key((), Fraction(0), f"condensed {source.sha256} {aspect} {' '.join(words)}")
    return _once(store, name, key, lambda path: write(shortened(store.path(source), kept, aspect), path))


def shortened(source: Path, kept: Sequence[tuple[Span, float]], aspect: tuple[int, int] | None) -> Footage:
    """Return stretches of a clip of ours one after the other, cropped to an aspect (see `condensed`)."""
    facts = probe(source)
    channels: Channels = "mono" if facts.sound is not None and facts.sound.channels == 1 else "stereo"
    width, height = _inside(facts.width, facts.height, aspect)

    def cropped(part: Footage, middle: float) -> Footage:
        left = round((facts.width - width) * min(1.0, max(0.0, _edge(middle, width / facts.width))))
        top = (facts.height - height) // 2
        return pictures_changed(part, lambda old: (each[top : top + height, left : left + width] for each in old))

    parts = [take(source, span=span, rate=facts.rate, channels=channels) for span, _ in kept]
    return joined([cropped(part, middle) for part, (_, middle) in zip(parts, kept, strict=True)])


def _edge(middle: float, share: float) -> float:
    """Return where a crop begins, as a share of the room that it has, for its middle to lie at a place."""
    return 0.0 if share >= 1 else (middle - share / 2) / (1 - share)


def _inside(width: int, height: int, aspect: tuple[int, int] | None) -> tuple[int, int]:
    """Return the largest even size of an aspect that fits.

    >>> _inside(160, 90, (9, 16)), _inside(160, 90, (16, 9)), _inside(90, 160, (1, 1))
    ((50, 90), (160, 90), (90, 90))
    """
    if aspect is None:
        return width, height
    across = min(width, round(height * Fraction(*aspect)))
    down = min(height, round(across / Fraction(*aspect)))
    return across // 2 * 2, down // 2 * 2


def _once(store: FileStore, name: str, key: str, make: Callable[[Path], None]) -> FileRef:
    folder = load_settings().cache_dir / "clips"
    if (ref := _from_cache(folder, key, store, name)) is not None:
        return ref
    with tempfile.TemporaryDirectory(prefix="cutscore-") as scratch:
        made = Path(scratch) / "clip.mp4"
        make(made)
        ref = store.put(made, name=name, media_type=MEDIA_TYPE)
        _into_cache(made, folder / f"{key}-{ref.sha256}.mp4")
    return ref


def _key(pictures: Iterable[NDArray[np.uint8]], rate: Fraction, painted: str) -> str:
    digest = hashlib.sha256(f"{decoder()} {VERSION} {rate} {painted}".encode())
    for picture in pictures:
        digest.update(f"{picture.shape} {picture.dtype}".encode())
        digest.update(np.ascontiguousarray(picture).data)
    return digest.hexdigest()


def _from_cache(folder: Path, key: str, store: FileStore, name: str) -> FileRef | None:
    for kept in sorted(folder.glob(f"{key}-*.mp4")):
        try:
            ref = store.put(kept, name=name, media_type=MEDIA_TYPE)
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
        with replace_file(kept) as draft:
            shutil.copyfile(made, draft)
    except OSError as error:
        logger.info("clip cache %s cannot be written: %s", kept.parent, error.strerror)
