"""A clip of the user's → the two files of a repair task, broken and golden, and what is measured between them."""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random

from cutscore.authoring.build_folder import Output
from cutscore.benchmarks.repair.defect import CUT_OUT, DefectKind
from cutscore.benchmarks.repair.planting.anchors import Anchors, anchored
from cutscore.benchmarks.repair.planting.injection import Injected
from cutscore.benchmarks.repair.planting.options import Taken, Wishes, broken
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef
from cutscore.core.frozen import digest_of
from cutscore.media.footage import write

TRIES = 3  # windows that are drawn before a clip has no place for a defect
BROKEN, GOLDEN = "broken.mp4", "golden.mp4"


@dataclass(frozen=True)
class Planted:
    """A defect, the clip with it and the one without it, and where 0 and 1 lie between them."""

    made: Injected
    broken: FileRef
    golden: FileRef
    anchors: Anchors


def anchors_of(broken: Path, golden: Path, made: Injected, *, speech: bool) -> Anchors:
    """Measure where 0 and 1 lie; what is cut out has ranges instead."""
    if made.defect.kind in CUT_OUT:
        return Anchors(measures=(), encode_noise=0.0)
    return anchored(broken, golden, made.defect.window, made.defect.kind, speech=speech)


def planted(
    there: Taken, kind: DefectKind, wishes: Wishes, out: Output, draw: Random, *, folder: str, most_cut: Fraction
) -> Planted:
    """Plant and measure; where a drawn window does not tell broken from golden, draw another.

    Args:
        there: The clip.
        kind: Of the defect.
        wishes: Where the user wants it, and whether somebody speaks.
        out: The build's folder.
        draw: Draws windows and strengths.
        folder: Of the two files in the pack.
        most_cut: Share of the broken clip that may have to be cut out.

    Raises:
        BadInput: There is no place for it, or it cannot be told from an encode.
    """
    speech = wishes.speech == "yes" or (wishes.speech == "auto" and there.speaks)
    for left in reversed(range(1 if wishes.at else TRIES)):
        try:
            made = broken(there, kind, wishes, draw)
            _refuse_much(made, most_cut)
            stem = f"clips/{folder}/{digest_of(made.defect)[:8]}"
            paths = {
                name: out.once(f"{stem}-{name}", partial(write, footage))
                for name, footage in ((BROKEN, made.broken), (GOLDEN, made.golden))
            }
            anchors = anchors_of(paths[BROKEN], paths[GOLDEN], made, speech=speech)
            break
        except BadInput:
            if not left:
                raise
    kept = {name: out.store.put(path, name=f"{folder}/{name}", media_type="video/mp4") for name, path in paths.items()}
    return Planted(made, kept[BROKEN], kept[GOLDEN], anchors)


def _refuse_much(made: Injected, most: Fraction) -> None:
    """Refuse to plant so much that a clip without it would be shorter than the brief allows."""
    planted_s = made.broken.length_s - made.golden.length_s
    if planted_s > most * made.broken.length_s:
        fact = f"{float(planted_s):.2f} of {float(made.broken.length_s):.2f} s would have to be cut out"
        do = f"give a shorter place or a longer clip: {float(most):.0%} may go"
        raise BadInput(made.defect.kind.replace("_", " "), fact, do)
