"""Subjects without a key: `blind` reports that nothing is wrong; the reader mends what it can measure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from cutscore.benchmarks.repair.blemishes import Blemish, Fault, PictureWatcher, sound_blemishes
from cutscore.benchmarks.repair.edits.cleaning import reduce_noise, sharpen
from cutscore.benchmarks.repair.edits.effects import shift_colour
from cutscore.benchmarks.repair.edits.insertions import cut_out
from cutscore.benchmarks.repair.report import FIXED, REPORT, ReportedRange, put_report
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileRef, FileStore
from cutscore.core.subject import WorkContext
from cutscore.core.timeline import Span
from cutscore.core.trajectory import Action
from cutscore.media.edit import apply_filters
from cutscore.media.footage import Footage, load_whole_clip, write_footage
from cutscore.media.frames import Frame, iter_frames, manifest, read_frames
from cutscore.media.images import put_contact_sheet
from cutscore.media.plan import Every, Times

SIGMAS = (0.6, 1.0, 1.4, 1.8, 2.4)  # pixels of blur that are tried
LINES = 8  # blemishes that the steps list
MUFFLED = "lowpass=f=1000"  # takes some of the overtones away that clipping adds
KINDS: dict[Fault, str] = {
    "colour": "colour_shift",
    "detail": "blur",
    "noise": "noise",
    "clipping": "clipping",
    "repeat": "repeated_frames",
}


def blind(ask: Ask, seed: int, store: FileStore) -> Deliverable:
    """Report that nothing is wrong, and give no clip."""
    return Deliverable(files=(_report(store, []),))


def reader(ask: Ask, context: WorkContext) -> Deliverable:
    """Find the stretch that differs most clearly from its surroundings, and bring it back to them.

    It sees colour, detail and repeats, and hears noise and clipping. Of echoes, stray words and shots in the wrong
    order it reports nothing.
    """
    if not ask.files:
        return Deliverable()
    ref = ask.files[0]
    path = context.store.path(ref)
    clip = load_whole_clip(path)
    found = _find_blemishes(path, clip, ref, context)
    look = Action(tool="look", arguments={"clip": ref.name, "at": str(Span(start_s=0, end_s=clip.length_s))})
    context.steps.add("Every picture and all sound.", did=look, saw=_blemish_text(found))
    if not found:
        wrote = Action(tool="write", arguments={"file": REPORT})
        context.steps.add("Nothing is mended, so there is no clip.", did=wrote)
        return Deliverable(files=(_report(context.store, []),))
    made, repair = context.workspace / FIXED, _repair(clip, found[0])
    write_footage(repair.clip, made)
    context.steps.add(
        f"The clearest is mended, and it alone: {repair.message}.",
        did=Action(tool="mend", arguments={"fault": KINDS[found[0].fault], "at": str(found[0].span)}),
        saw=f"wrote {FIXED}, which lasts {float(repair.clip.length_s):.3f} s, and {REPORT}",
        media=_before_and_after(path, made, clip, found[0], context.store),
    )
    fixed = context.store.put(made, name=FIXED, media_type="video/mp4")
    return Deliverable(files=(fixed, _report(context.store, found[:1])))


def _find_blemishes(path: Path, clip: Footage, ref: FileRef, context: WorkContext) -> list[Blemish]:
    """Look at every picture, listen to all sound, and return the blemishes, the clearest first."""
    watcher, plan = PictureWatcher(clip.rate), Every(clip.length_s * 0, clip.length_s)

    def watch() -> Iterator[Frame]:
        for frame in iter_frames(path, plan):
            watcher.see(frame.pixels)
            yield frame

    context.tally.add_frames(manifest(ref, plan, watch()))
    heard = sound_blemishes(clip.sound) if clip.sound is not None else []
    inside = [each for each in (*watcher.blemishes(), *heard) if each.span.end_s <= clip.length_s]
    return sorted(inside, key=lambda each: -each.strength)


def _blemish_text(found: Sequence[Blemish]) -> str:
    """List what stands out, and how clearly."""
    lines = [f"{KINDS[each.fault]} {each.span}, {each.strength:.1f} times the threshold" for each in found[:LINES]]
    more = [f"and {len(found) - LINES} more"] if len(found) > LINES else []
    return "\n".join([*lines, *more]) or "nothing differs from what surrounds it"


def _before_and_after(path: Path, made: Path, clip: Footage, found: Blemish, store: FileStore) -> tuple[FileRef, ...]:
    """Show the picture before a stretch, one in it and the one after it, as given and below as mended.

    A fault of the sound cannot be seen, and where pictures were cut out, those below would be others.
    """
    if found.fault not in ("colour", "detail"):
        return ()
    before, middle = clip.first_at(found.span.start_s) - 1, (found.span.start_s + found.span.end_s) / 2
    plan = Times((max(0, before) / clip.rate, middle, found.span.end_s))
    pictures = [frame.pixels for file in (path, made) for frame in read_frames(file, plan)]
    return (put_contact_sheet(store, "given-and-mended.jpg", pictures, columns=len(plan.at_s)),)


@dataclass(frozen=True, eq=False)
class Repair:
    """A clip after a repair, and what was done, in words."""

    message: str
    clip: Footage


def _repair(clip: Footage, found: Blemish) -> Repair:
    span = found.span
    if found.fault == "repeat":
        return Repair("it is cut out", cut_out(clip, [span]))
    if found.fault == "colour":
        red, green, blue = (1 / gain for gain in found.gains)
        message = f"red is multiplied by {red:.3f}, green by {green:.3f}, blue by {blue:.3f}"
        return Repair(message, shift_colour(clip, span, gains=(red, green, blue)))
    if found.fault == "detail":
        sigma = _best_sigma(clip, span)
        return Repair(f"it is sharpened for a blur of {sigma:g} pixels", sharpen(clip, span, sigma=sigma))
    if found.fault == "noise":
        return Repair("its sound is cleaned of noise", reduce_noise(clip, span))
    return Repair("overtones of its sound are taken away", apply_filters(clip, sound=MUFFLED, span=span))


def _best_sigma(clip: Footage, span: Span) -> float:
    """Find the sharpening that makes the first dull picture most like the last good one."""
    first = clip.first_at(span.start_s)
    if first < 1:
        return SIGMAS[0]
    good, dull = islice(clip.pictures(), first - 1, first + 1)
    still, one = Footage(lambda: iter([dull]), 1, clip.rate, None), Span(start_s=0, end_s=1 / clip.rate)

    def error(sigma: float) -> float:
        sharp = next(sharpen(still, one, sigma=sigma).pictures())
        return float(np.square(sharp.astype(np.float64) - good).mean())

    return min(SIGMAS, key=error)


def _report(store: FileStore, found: Sequence[Blemish]) -> FileRef:
    kinds = ", ".join(KINDS[each.fault] for each in found) or "nothing"
    return put_report(store, [ReportedRange(each.span, KINDS[each.fault]) for each in found], found=f"Found: {kinds}.")
