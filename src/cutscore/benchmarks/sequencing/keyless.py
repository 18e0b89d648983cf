"""Who needs no key: `blind` shuffles once more; the reader joins what goes on from clip to clip."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import numpy as np

from cutscore.benchmarks.clips import spliced
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileRef, Shelf
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
    return Deliverable(files=(_order(Random(seed).sample(ask.files, len(ask.files)), shelf),))


def reader(ask: Ask, desk: Desk) -> Deliverable:
    """Put next to each other what goes on: a shot that was cut in two, and sound that a cut does not end.

    It looks at both ends of each clip, whatever the frame plan, and does not understand a story. Without clips it has
    nothing to hand over.
    """
    if len(ask.files) < 2:
        return Deliverable()
    ends = [_ends(clip, desk) for clip in ask.files]
    apart = np.array([[breaks(before, after) for after in ends] for before in ends])
    clips = [ask.files[number] for number in chained(apart)]
    return Deliverable(files=(_order(clips, desk.shelf), spliced(desk.shelf, FILM, clips)))


def _ends(clip: FileRef, desk: Desk) -> Ends:
    path = desk.shelf.path(clip)
    extent = extent_of(path)
    length_s = extent.end_s - extent.start_s
    plan = Times((Fraction(0), length_s))
    frames = kept_frames(path, plan, sha256=clip.sha256)
    desk.tally.saw(manifest(clip, plan, frames))
    heard = Span(start_s=0, end_s=length_s)
    sound = (
        read_sound(path, rate_hz=RATE_HZ, channels="mono", span=heard)
        if has_sound(path)
        else Sound(np.zeros(1, np.float32), RATE_HZ)
    )
    begins, stops = sound_ends(sound)
    return Ends(thumb(frames[0].pixels), thumb(frames[-1].pixels), begins, stops)


def _order(clips: Sequence[FileRef], shelf: Shelf) -> FileRef:
    order = canonical_json([ref.name for ref in clips])
    return shelf.put_bytes(order, name=ORDER, media_type="application/json")
