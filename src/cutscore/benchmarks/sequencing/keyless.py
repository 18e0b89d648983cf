"""Subjects without a key: `blind` shuffles once more; the reader joins clips where picture or sound goes on."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from random import Random

import numpy as np
import numpy.typing as npt

from cutscore.authoring.clip_cache import splice_clips
from cutscore.benchmarks.sequencing.continuity import ClipEnds, discontinuity, shortest_chain, sound_ends
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileRef, FileStore
from cutscore.core.frozen import canonical_json
from cutscore.core.manifest import FrameManifest
from cutscore.core.subject import WorkContext
from cutscore.core.timeline import Span
from cutscore.core.trajectory import Action
from cutscore.media.audio import has_sound, read_sound
from cutscore.media.frame_cache import read_cached_frames
from cutscore.media.frames import manifest
from cutscore.media.images import put_contact_sheet
from cutscore.media.orientation import Pixels
from cutscore.media.plan import Times
from cutscore.media.probe import extent_of
from cutscore.media.sound import Sound
from cutscore.perception.shots import lab_thumbnail
from cutscore.perception.sounds import RATE_HZ

ORDER, FILM = "solution.json", "solution.mp4"  # as the brief names them
MOST_CUTS = 12  # that the steps show

Numbers = npt.NDArray[np.float64]


def blind(ask: Ask, seed: int, store: FileStore) -> Deliverable:
    """Return the clips in an order that the seed draws, and no film."""
    return Deliverable(files=(put_order(Random(seed).sample(ask.files, len(ask.files)), store),))


def reader(ask: Ask, context: WorkContext) -> Deliverable:
    """Put clips next to each other where a shot or a sound goes on from one into the other.

    It looks at both ends of each clip, whatever the frame plan, and does not understand a story. Without two clips it
    hands over nothing.
    """
    if len(ask.files) < 2:
        return Deliverable()
    readings = [read_clip(clip, context.store) for clip in ask.files]
    for each in readings:
        context.tally.add_frames(each.seen)
    apart = discontinuities([each.ends for each in readings])
    order = shortest_chain(apart)
    clips = [ask.files[number] for number in order]
    made = Deliverable(files=(put_order(clips, context.store), splice_clips(context.store, FILM, clips)))
    _record_steps(ask.files, readings, apart, order, context)
    return made


def discontinuities(ends: Sequence[ClipEnds]) -> Numbers:
    """Return how much breaks off where each clip (row) is followed by each other (column)."""
    return np.array([[discontinuity(before, after) for after in ends] for before in ends])


def _record_steps(
    clips: Sequence[FileRef],
    readings: Sequence["ClipReading"],
    apart: Numbers,
    order: Sequence[int],
    context: WorkContext,
) -> None:
    """Record which clip goes on best in which, and what breaks off in the order that was found."""
    others = np.where(np.eye(len(clips), dtype=bool), np.inf, apart)
    look = {"clips": len(clips), "at": "the first and the last picture, and their sound"}
    context.steps.add(
        "In which clip each goes on best: 0 where picture and sound go on, 2 where neither does.",
        did=Action(tool="look", arguments=look),
        saw="\n".join(
            f"{clip.name} → {clips[row.argmin()].name} {row.min():.2f}" for clip, row in zip(clips, others, strict=True)
        ),
    )
    cuts = list(pairwise(order))
    whole = sum(float(apart[cut]) for cut in cuts)
    ends = [picture for one, other in cuts[:MOST_CUTS] for picture in (readings[one].last, readings[other].first)]
    context.steps.add(
        f"In this order least breaks off, {whole:.2f} over {len(cuts)} cuts. The picture shows them, two a row.",
        did=Action(tool="write", arguments={"files": f"{ORDER}, {FILM}"}),
        saw="\n".join(f"{clips[one].name} → {clips[other].name} {apart[one, other]:.2f}" for one, other in cuts),
        media=(put_contact_sheet(context.store, "cuts.jpg", ends, columns=4 if len(cuts) > 1 else 2),),
    )


@dataclass(frozen=True, eq=False)
class ClipReading:
    """Both ends of a clip, with the frames that were looked at."""

    ends: ClipEnds
    seen: FrameManifest
    first: Pixels
    last: Pixels


def read_clip(clip: FileRef, store: FileStore) -> ClipReading:
    """Look at both ends of a clip and listen to them."""
    path = store.path(clip)
    extent = extent_of(path)
    length_s = extent.end_s - extent.start_s
    plan = Times((Fraction(0), length_s))
    frames = read_cached_frames(path, plan, sha256=clip.sha256)
    heard = Span(start_s=0, end_s=length_s)
    sound = (
        read_sound(path, rate_hz=RATE_HZ, channels="mono", span=heard)
        if has_sound(path)
        else Sound(np.zeros(1, np.float32), RATE_HZ)
    )
    begins, stops = sound_ends(sound)
    ends = ClipEnds(lab_thumbnail(frames[0].pixels), lab_thumbnail(frames[-1].pixels), begins, stops)
    return ClipReading(ends, manifest(clip, plan, frames), frames[0].pixels, frames[-1].pixels)


def put_order(clips: Sequence[FileRef], store: FileStore) -> FileRef:
    """Write solution.json."""
    order = canonical_json([ref.name for ref in clips])
    return store.put_bytes(order, name=ORDER, media_type="application/json")
