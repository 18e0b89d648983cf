"""What the reader takes in, each as a step of its record: the transcript, and the frames of a clip or pictures."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from cutscore.benchmarks.vidwork.reader.narration import Narration, read_narration
from cutscore.benchmarks.vidwork.reader.tableau import Tableau, read_tableau
from cutscore.core.ask import Ask
from cutscore.core.errors import BrokenData
from cutscore.core.files import FileRef
from cutscore.core.manifest import FrameManifest
from cutscore.core.subject import WorkContext
from cutscore.core.timeline import timecode
from cutscore.core.trajectory import Action
from cutscore.media.frame_cache import read_cached_frames
from cutscore.media.frames import Frame, decoder_version, manifest
from cutscore.media.images import put_contact_sheet, read_picture
from cutscore.media.plan import FramePlan
from cutscore.media.transcript import read_transcript

CLIPS = 64  # whose tableaux are kept
PICTURES, REGIONS = 4, 5  # that the steps of the record name


def listen(ask: Ask, context: WorkContext) -> Narration:
    """Return what is told; nothing when there is no transcript, or none that can be read."""
    for ref in (each for each in ask.files if each.is_text):
        try:
            narration = _read_narration(context.store.path(ref))
        except BrokenData as error:
            context.tally.warn(f"'{ref.name}' was not heard: {error.fact}")
            continue
        steps = [f"{timecode(each.at_s)} {each.text}" for each in narration.steps]
        heard = f"{len(narration.sentences)} sentences, of which these {len(steps)} are steps:"
        context.steps.add(did=Action(tool="listen", arguments={"file": ref.name}), saw="\n".join([heard, *steps]))
        return narration
    return Narration(())


def look(ask: Ask, context: WorkContext) -> Sequence[Tableau]:
    """Look at the frames of the clip, or at the pictures that are shown instead, in the order in which they come."""
    clip = next((ref for ref in ask.files if ref.media_type.startswith("video/")), None)
    return _look_at_pictures(ask, context) if clip is None else _look_at_clip(clip, context)


def _look_at_clip(clip: FileRef, context: WorkContext) -> Sequence[Tableau]:
    plan, path = FramePlan.parse(context.frames), context.store.path(clip)
    frames = read_cached_frames(path, plan, sha256=clip.sha256)
    context.tally.add_frames(manifest(clip, plan, frames))
    looks = _clip_tableaux(path, clip.sha256, plan)
    shot = put_contact_sheet(context.store, "looks.jpg", [frames[number].pixels for number in _few(len(frames))])
    saw = _describe([(timecode(each.at_s), each) for each in looks])
    context.steps.add(did=Action(tool="look", arguments={"clip": clip.name}), saw=saw, media=(shot,))
    return looks


def _look_at_pictures(ask: Ask, context: WorkContext) -> Sequence[Tableau]:
    pictures = [ref for ref in ask.files if ref.media_type.startswith("image/")]
    found = []
    for number, ref in enumerate(pictures):
        try:
            found.append((ref.name, _picture_tableau(context.store.path(ref), Fraction(number))))
            context.tally.add_frames(FrameManifest(clip=ref, plan="whole", decoder=decoder_version(), sent_as="image"))
        except BrokenData as error:
            context.tally.warn(f"'{ref.name}' was not seen: {error.fact}")
    if pictures:
        context.steps.add(did=Action(tool="look", arguments={"pictures": len(pictures)}), saw=_describe(found))
    return [tableau for _, tableau in found]


def _few(count: int) -> range:
    """Return the numbers of a few of so many, from the first on and evenly spread.

    >>> list(_few(10)), list(_few(2))
    ([0, 3, 6, 9], [0, 1])
    """
    return range(0, count, max(1, -(-count // PICTURES)))


def _describe(looks: Sequence[tuple[str, Tableau]]) -> str:
    """Describe what a few looks show, each with its place: the colours of the largest regions."""
    few = [looks[number] for number in _few(len(looks))]
    return "\n".join(
        f"{where} {', '.join(each.colour.name or 'no named colour' for each in tableau.regions[:REGIONS])}"
        for where, tableau in few
    )


@lru_cache(maxsize=CLIPS)
def _read_narration(path: Path) -> Narration:
    return read_narration(read_transcript(path))


@lru_cache(maxsize=CLIPS)
def _clip_tableaux(path: Path, sha256: str, plan: FramePlan) -> tuple[Tableau, ...]:
    """Look at a clip once for all questions about it. It is the item's own, so it may be decoded here."""
    return tuple(read_tableau(frame) for frame in read_cached_frames(path, plan, sha256=sha256))


@lru_cache(maxsize=8 * CLIPS)
def _picture_tableau(path: Path, at_s: Fraction) -> Tableau:
    return read_tableau(Frame(at_s, read_picture(path)))
