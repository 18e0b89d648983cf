"""Who needs no key: `blind` says that all is well; the reader mends what it can measure."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileRef, Shelf
from cutscore.core.noun import canonical_json
from cutscore.core.subject import Desk
from cutscore.core.timeline import Span
from cutscore.media.cleaning import quietened, sharpened
from cutscore.media.defects import tinted
from cutscore.media.edit import filtered
from cutscore.media.footage import Footage, whole, write
from cutscore.media.frames import Frame, iter_frames, manifest
from cutscore.media.insertions import cut_out
from cutscore.media.orientation import Pixels
from cutscore.media.plan import Every
from cutscore.perception.blemishes import Blemish, Eyes, Fault, heard_blemishes

FIXED, REPORT, SCHEMA = "fixed.mp4", "report.md", "cutscore-ranges-1"  # as the brief names them
SIGMAS = (0.6, 1.0, 1.4, 1.8, 2.4)  # pixels of blur that are tried
MUFFLED = "lowpass=f=1000"  # takes some of the overtones away that clipping adds
KINDS: dict[Fault, str] = {
    "colour": "colour_shift",
    "detail": "blur",
    "noise": "noise",
    "clipping": "clipping",
    "repeat": "repeated_frames",
}


def blind(ask: Ask, seed: int, shelf: Shelf) -> Deliverable:
    """Report that nothing is wrong, and give no clip."""
    return Deliverable(files=(_report(shelf, []),))


def reader(ask: Ask, desk: Desk) -> Deliverable:
    """Find the stretch that differs most clearly from its surroundings, and bring it back to them.

    It sees colour, detail and repeats, and hears noise and clipping. Who brings it echoes, stray words or shots in the
    wrong order gets a report that nothing was found.
    """
    if not ask.files:
        return Deliverable()
    path = desk.shelf.path(ask.files[0])
    clip = whole(path)
    found = _blemishes(path, clip, ask.files[0], desk)
    if found is None:
        return Deliverable(files=(_report(desk.shelf, []),))
    made = desk.workspace / FIXED
    write(_mended(clip, found), made)
    fixed = desk.shelf.put(made, name=FIXED, media_type="video/mp4")
    return Deliverable(files=(fixed, _report(desk.shelf, [found])))


def _blemishes(path: Path, clip: Footage, ref: FileRef, desk: Desk) -> Blemish | None:
    """Look at every picture and listen to everything; give the clearest blemish of all."""
    eyes, plan = Eyes(clip.rate), Every(clip.length_s * 0, clip.length_s)

    def looked_at() -> Iterator[Frame]:
        for frame in iter_frames(path, plan):
            eyes.see(frame.pixels)
            yield frame

    desk.tally.saw(manifest(ref, plan, looked_at()))
    heard = heard_blemishes(clip.sound) if clip.sound is not None else []
    inside = [each for each in (*eyes.blemishes(), *heard) if each.span.end_s <= clip.length_s]
    return max(inside, key=lambda each: each.strength, default=None)


def _mended(clip: Footage, found: Blemish) -> Footage:
    span = found.span
    if found.fault == "repeat":
        return cut_out(clip, [span])
    if found.fault == "colour":
        red, green, blue = (1 / gain for gain in found.gains)
        return tinted(clip, span, gains=(red, green, blue))
    if found.fault == "detail":
        return sharpened(clip, span, sigma=_sigma(clip, span))
    if found.fault == "noise":
        return quietened(clip, span)
    return filtered(clip, sound=MUFFLED, span=span)


def _sigma(clip: Footage, span: Span) -> float:
    """Find the sharpening that makes the first dull picture most like the last good one."""
    first = clip.first_at(span.start_s)
    if first < 1:
        return SIGMAS[0]
    good, dull = islice(clip.pictures(), first - 1, first + 1)
    still, one = Footage(lambda: iter([dull]), 1, clip.rate, None), Span(start_s=0, end_s=1 / clip.rate)
    return min(SIGMAS, key=lambda sigma: _far(next(sharpened(still, one, sigma=sigma).pictures()), good))


def _far(one: Pixels, other: Pixels) -> float:
    return float(np.square(one.astype(np.float64) - other).mean())


def _report(shelf: Shelf, found: Sequence[Blemish]) -> FileRef:
    ranges = [
        {"start_s": float(each.span.start_s), "end_s": float(each.span.end_s), "type": KINDS[each.fault]}
        for each in found
    ]
    told = ", ".join(KINDS[each.fault] for each in found) or "nothing"
    block = canonical_json({"schema": SCHEMA, "ranges": ranges}).decode()
    text = f"# Report\n\nFound: {told}.\n\n```json\n{block}\n```\n"
    return shelf.put_bytes(text.encode(), name=REPORT, media_type="text/markdown")
