"""Who needs no key: `blind` shuffles once more; the reader joins what goes on from clip to clip."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import numpy as np

from cutscore.benchmarks.clips import spliced
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileRef, Shelf
from cutscore.core.manifest import FrameManifest
from cutscore.core.noun import canonical_json
from cutscore.core.subject import Desk
from cutscore.core.timeline import Span
from cutscore.media.frames import manifest
from cutscore.media.kept import kept_frames
from cutscore.media.listen import has_sound, read_sound
from cutscore.media.plan import Times
from cutscore.media.probe import extent_of
from cutscore.media.sound import Sound
from cutscore.perception.continuity import Ends, breaks, chained, sound_ends
from cutscore.perception.hearing import RATE_HZ
from cutscore.perception.shots import thumb

ORDER, FILM = "solution.json", "solution.mp4"  # as the brief names them


def blind(ask: Ask, seed: int, shelf: Shelf) -> Deliverable:
    """Give the clips in an order that the seed draws, and no film."""
    return Deliverable(files=(written(Random(seed).sample(ask.files, len(ask.files)), shelf),))


def reader(ask: Ask, desk: Desk) -> Deliverable:
    """Put next to each other what goes on: a shot that was cut in two, and sound that a cut does not end.

    It looks at both ends of each clip, whatever the frame plan, and does not understand a story. Without clips it has
    nothing to hand over.
    """
    if len(ask.files) < 2:
        return Deliverable()
    looked = [look(clip, desk.shelf) for clip in ask.files]
    for _, seen in looked:
        desk.tally.saw(seen)
    clips = [ask.files[number] for number in joined([ends for ends, _ in looked])]
    return Deliverable(files=(written(clips, desk.shelf), spliced(desk.shelf, FILM, clips)))


def joined(ends: Sequence[Ends]) -> list[int]:
    """Order clips so that as little as possible breaks off between them."""
    return chained(np.array([[breaks(before, after) for after in ends] for before in ends]))


def look(clip: FileRef, shelf: Shelf) -> tuple[Ends, FrameManifest]:
    """Look at both ends of a clip and listen to them; say which frames were seen."""
    path = shelf.path(clip)
    extent = extent_of(path)
    length_s = extent.end_s - extent.start_s
    plan = Times((Fraction(0), length_s))
    frames = kept_frames(path, plan, sha256=clip.sha256)
    heard = Span(start_s=0, end_s=length_s)
    sound = (
        read_sound(path, rate_hz=RATE_HZ, channels="mono", span=heard)
        if has_sound(path)
        else Sound(np.zeros(1, np.float32), RATE_HZ)
    )
    begins, stops = sound_ends(sound)
    ends = Ends(thumb(frames[0].pixels), thumb(frames[-1].pixels), begins, stops)
    return ends, manifest(clip, plan, frames)


def written(clips: Sequence[FileRef], shelf: Shelf) -> FileRef:
    """Write an order as the brief wants it."""
    order = canonical_json([ref.name for ref in clips])
    return shelf.put_bytes(order, name=ORDER, media_type="application/json")
