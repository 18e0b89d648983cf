"""What a viewer would send back of a repaired clip, beside the defect: blurred, silent, out of step, wrongly labelled.

Golden is the measure. Labels are always read, since no measurement sees them. Pictures and sound are looked at where
what was measured outside of the window is clearly worse than golden; an honest encode costs nothing. What lies in the
window, in the stream of the defect, is for s_in to count.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from cutscore.benchmarks.repair.verify.placement import PlacedMeasure, RepairReward
from cutscore.benchmarks.repair.verify.window import Stream
from cutscore.core.timeline import Span
from cutscore.scoring.verifiers.film_faults import FilmFault, find_label_faults, intact_share
from cutscore.scoring.verifiers.picture_faults import find_picture_faults
from cutscore.scoring.verifiers.rendered import ClipRun
from cutscore.scoring.verifiers.sound_faults import find_sound_faults

# Of a measure outside of the window: a good encode has 1.
WORSE = 0.9


@dataclass(frozen=True)
class FaultSearch:
    """What is looked at in an output: its pictures, its sound, and where which streams are left to s_in."""

    pictures: bool
    sound: bool
    window: Span | None = None
    touched: tuple[Stream, ...] = ()


def find_faults(output: Path, like: Path, length_s: Fraction, search: FaultSearch) -> Iterator[FilmFault]:
    """Return the faults of an output that shows for so long what a clip of ours shows."""
    runs, clips = (ClipRun("golden", Fraction(0), length_s),), {"golden": like}
    yield from find_label_faults(output, [like], length_s)
    if search.pictures:
        yield from _beside(find_picture_faults(output, runs, clips), search, "pictures")
    if search.sound:
        yield from _beside(find_sound_faults(output, runs, clips), search, "sound")


def _beside(faults: Iterable[FilmFault], search: FaultSearch, stream: Stream) -> Iterator[FilmFault]:
    """Leave out what lies wholly in the window, where that stream is measured by s_in."""
    window = search.window if stream in search.touched else None
    return (fault for fault in faults if window is None or window.overlap(fault.at) < fault.at.length_s)


def is_worse(placed: Sequence[PlacedMeasure], names: Sequence[str]) -> bool:
    """Return whether one of the named measures is clearly worse than golden."""
    return any(each.measure.name in names and each.score < WORSE for each in placed)


def charge_reward(reward: RepairReward, faults: Sequence[FilmFault], length_s: Fraction) -> RepairReward:
    """Return a reward for as much of the film as is without fault."""
    if not faults or reward.gate:
        return reward
    intact = intact_share(faults, length_s)
    because = f"{reward.because}; {intact:.0%} of the film is without fault, it {faults[0].because}"
    return reward.model_copy(update={"reward": reward.reward * intact, "because": because})
