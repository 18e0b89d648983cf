"""How an output lies against golden in time: one constant offset for pictures and one for sound, and no warping.

Both clips count their seconds from their first picture, and are compared by what is shown and heard at a second,
whatever rates and time bases they have. Muxers and editors still put everything a little later or earlier: a first
picture that is lost, one that is shown twice, the priming of AAC. So a stretch is given the offset at which it fits
best, of at most `MOST_FRAMES` of golden for pictures and `MOST_S` for sound. The offset is recorded; whatever lies
farther off is measured where it stands.

    step, = in_step(output, golden)
    one_pass(output, reference=golden, pairs=[Psnr(), Ssim()], late_s=step.pictures_late_s)

Pictures are compared as small ones, at offsets in steps of half a frame of golden: a film at another rate shows most
pictures a little before or after they are due, and half a frame later it shows the right ones. Where several offsets
fit as well (on stills all do) the smallest whole one is given.

By the way it is seen how much of golden's movement the output shows: a still may be near to every picture of a calm
scene, and yet nothing happens in it.

Both clips stream. Nothing is held but a few small pictures and a block of sound.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy import signal

from cutscore.core.errors import BadInput
from cutscore.core.finding import Finding
from cutscore.core.timeline import Span
from cutscore.media import deliverable
from cutscore.media.sound import Samples, sample_at
from cutscore.scoring.metrics.measurement import Measurement, frozen
from cutscore.scoring.metrics.needs import Look, Needs
from cutscore.scoring.metrics.one_pass import SLACK_S, one_pass

MOST_FRAMES = 2
MOST_S = Fraction(1, 10)
MOST_SKEW_S = Fraction(1, 10)
# Sound is looked for this far off, so that a skew can be named that no offset may mend.
LISTENED_S = Fraction(1, 2)
SOUND_HZ = 48_000

_SMALL = (64, 36)
STEPS = [Fraction(step, 2) for step in range(-2 * MOST_FRAMES, 2 * MOST_FRAMES + 1)]  # in frames
# Encoder noise alone makes one of several equal offsets the best: a smaller one gives way only to a clear gain.
_CLEARLY = 0.9
_NOISE = 4.0  # squared levels by which encodes make one moment of a still look better than another
_ALL = 0.1  # share of pictures that count for all offsets alike
_AS_HIGH = 0.98
_MOVES = 1.0  # squared levels from one picture to the next: below, golden rests, and encoders do the rest
_CALM = 0.1  # share of pictures that move: up to it, golden is a still itself
_BLOCK = 1 << 17  # samples
_HEARD = 1e-4  # root mean square, -80 dB of full scale: below is silence


@dataclass(frozen=True)
class Step:
    """How one stretch of an output lies against golden.

    Args:
        span: The stretch, in golden's seconds.
        pictures_late_s: How much later the output shows it; below 0, earlier. 0 where nothing can be compared.
        pictures_apart: Root of the mean squared difference of small pictures at this offset, of 255; None where no
            picture could be compared.
        sound_found_s: Where the sound lies best, within half a second; None where one of the two is silent.
        sound_alike: From -1 to 1: correlation of the two sounds there.
        moved: Share of golden's movement that the output shows at its best offset, each picture of golden that is
            another than the one before counted alike: 0 of a still, 1 of golden. None where golden hardly moves.
    """

    span: Span
    pictures_late_s: Fraction
    pictures_apart: float | None
    sound_found_s: Fraction | None
    sound_alike: float | None
    moved: float | None = None

    @property
    def sound_late_s(self) -> Fraction:
        """The offset that is granted to the sound: where it lies, or 0 when that is farther off than is allowed."""
        found_s = self.sound_found_s or Fraction(0)
        return found_s if abs(found_s) <= MOST_S else Fraction(0)

    @property
    def skew_s(self) -> Fraction | None:
        """How much later than its pictures the sound comes."""
        return None if self.sound_found_s is None else self.sound_found_s - self.pictures_late_s


def in_step(output: Path, golden: Path, spans: Sequence[Span] = ()) -> tuple[Step, ...]:
    """Find the offsets of an output.

    Args:
        output: What was handed in.
        golden: What it should be.
        spans: Stretches that get an offset each, in golden's seconds; all of golden by default.

    Raises:
        BrokenData: The output cannot be decoded.
    """
    facts = deliverable.probe(golden)
    if facts.duration_s is None or not facts.rate:
        raise BadInput(f"clip '{golden.name}'", "does not tell its length and rate")
    wanted = tuple(spans) or (Span(start_s=0, end_s=facts.duration_s),)
    late_s, apart, moved = _pictures(output, golden, wanted, 1 / facts.rate)
    found_s, alike = _sounds(output, golden, wanted)
    return tuple(Step(*each) for each in zip(wanted, late_s, apart, found_s, alike, moved, strict=True))


def findings(steps: Sequence[Step], *, file: str) -> list[Finding]:
    """Say how an output lies: offsets in seconds, and `in_sync`, 0 where sound and pictures are too far apart."""
    found = []
    for step in steps:
        shown, heard, skew = map(_ms, (step.pictures_late_s, step.sound_found_s, step.skew_s))
        said = [("pictures_late_s", float(step.pictures_late_s), f"pictures lie {shown} against golden")]
        if step.skew_s is not None:
            said.append(("sound_late_s", float(step.sound_late_s), f"sound lies {heard} against golden"))
            bound = f"{float(1000 * MOST_SKEW_S):.0f} ms"
            told = f"sound comes {skew} after its pictures, {bound} are allowed either way"
            said.append(("in_sync", float(abs(step.skew_s) <= MOST_SKEW_S), told))
        found += [
            Finding(name=name, value=value, because=because, file=file, at=step.span) for name, value, because in said
        ]
    return found


def _ms(time_s: Fraction | None) -> str:
    return f"{float(1000 * (time_s or 0)):+.0f} ms"


def _pictures(
    output: Path, golden: Path, spans: Sequence[Span], frame_s: Fraction
) -> tuple[list[Fraction], list[float | None], list[float | None]]:
    seen = _Offsets([step * frame_s for step in STEPS], spans)
    one_pass(output, [seen], reference=golden, pairs=[seen], late_s=seen.late_s[-1])
    means = seen.means()
    best = [best_step(row) for row in seen.votes()]
    apart = [None if row is None else float(row[place]) ** 0.5 for row, place in zip(means, best, strict=True)]
    return [seen.late_s[place] for place in best], apart, seen.moved()


def best_step(means: npt.NDArray[np.float64] | None) -> int:
    """Number the one of `STEPS` with the smallest difference; one that is later in rank has to be clearly better."""
    best = STEPS.index(Fraction(0))
    if means is None:
        return best
    for place in sorted(range(len(means)), key=_rank):
        best = place if means[place] < _CLEARLY * means[best] else best
    return best


def _rank(place: int) -> tuple[object, ...]:
    step = STEPS[place]
    return step.denominator, abs(step), -step  # whole frames first, the smallest first, later before earlier


@dataclass(eq=False)
class _Offsets:
    """Compares each picture of golden with those that the output shows at several offsets.

    It watches the output at the latest offset, so that the others have gone by already and are still held. Pictures of
    golden without a partner at one of the offsets are left out for all of them.

    Each picture votes against each offset by how much worse it is there than at its best, from 0 to 1. So a few that
    are black do not outvote those that move: by their sheer difference they would draw the offset to where fewer of
    them are compared.
    """

    late_s: Sequence[Fraction]
    spans: Sequence[Span]
    needs: Needs = field(default=Needs(kind="grey", size=_SMALL), init=False)
    _held: deque[Look] = field(default_factory=deque, init=False)
    _sums: npt.NDArray[np.float64] = field(init=False)
    _votes: npt.NDArray[np.float64] = field(init=False)
    _followed: npt.NDArray[np.float64] = field(init=False)
    _moves: npt.NDArray[np.int64] = field(init=False)
    _counts: npt.NDArray[np.int64] = field(init=False)
    _before: tuple[Look, Sequence[Look]] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._sums, self._votes, self._followed = np.zeros((3, len(self.spans), len(self.late_s)))
        self._moves, self._counts = np.zeros((2, len(self.spans)), np.int64)

    def see(self, look: Look) -> None:
        self._held.append(look)

    def compare(self, reference: Look, test: Look) -> None:
        moments = [reference.at_s + late_s + SLACK_S for late_s in self.late_s]
        while len(self._held) > 1 and self._held[1].at_s <= moments[0]:
            self._held.popleft()
        inside = [number for number, span in enumerate(self.spans) if span.holds(reference.at_s)]
        if not inside or self._held[0].at_s > moments[0]:
            return
        known: dict[Fraction, float] = {}
        row = []
        shown = [next(look for look in reversed(self._held) if look.at_s <= moment_s) for moment_s in moments]
        for look in shown:
            if look.at_s not in known:
                known[look.at_s] = _squared(reference, look)
            row.append(known[look.at_s])
        self._follow(reference, shown)
        worse = np.array(row) - min(row)
        self._sums[inside] += row
        self._votes[inside] += worse / (worse.max() + _NOISE)
        self._counts[inside] += 1

    def _follow(self, reference: Look, shown: Sequence[Look]) -> None:
        """Add up how much of golden's change since its last picture the output shows at each offset.

        Near the ends of a span some offsets lead out of it, to where others may be moving: these pictures are left out.
        """
        before, self._before = self._before, (reference, shown)
        if before is None:
            return
        ends_s = (before[0].at_s + self.late_s[0], reference.at_s + self.late_s[-1])
        both = [number for number, span in enumerate(self.spans) if all(map(span.holds, ends_s))]
        change = _changed(before[0], reference)
        if (much := float(np.mean(change * change))) < _MOVES:
            return
        along = [float(np.mean(_changed(*pair) * change)) for pair in zip(before[1], shown, strict=True)]
        self._followed[both] += np.clip(np.array(along) / much, 0, 1)
        self._moves[both] += 1

    def moved(self) -> list[float | None]:
        """Give the share of golden's movement that the output shows at the best of all offsets."""
        rows = zip(self._followed.max(axis=1), self._moves, self._counts, strict=True)
        return [float(most / moves) if moves > max(1, _CALM * count) else None for most, moves, count in rows]

    def means(self) -> list[npt.NDArray[np.float64] | None]:
        return [row / count if count else None for row, count in zip(self._sums, self._counts, strict=True)]

    def votes(self) -> list[npt.NDArray[np.float64] | None]:
        """Give the mean vote against each offset; a constant is added, so that no ratio is one of mere noise."""
        return [_ALL + row / count if count else None for row, count in zip(self._votes, self._counts, strict=True)]

    def result(self) -> Measurement:
        return Measurement("offset", "offset_msd.1", "", None, "", (), frozen(()))


def _changed(before: Look, after: Look) -> npt.NDArray[np.float32]:
    """Give what is different in the later of two small pictures."""
    change: npt.NDArray[np.float32] = after.pixels.astype(np.float32) - before.pixels
    return change


def _squared(one: Look, other: Look) -> float:
    """Give the mean squared difference of two small pictures."""
    apart = _changed(one, other)
    return float(np.mean(apart * apart))


def _sounds(output: Path, golden: Path, spans: Sequence[Span]) -> tuple[list[Fraction | None], list[float | None]]:
    nothing: list[None] = [None] * len(spans)
    if not deliverable.has_sound(golden) or not deliverable.has_sound(output):
        return list(nothing), list(nothing)
    ears = [_Ear(span) for span in spans]
    most = sample_at(LISTENED_S, SOUND_HZ)
    start, end = min(ear.start for ear in ears), max(ear.end for ear in ears)
    known, other = _Tape(golden, start, end), _Tape(output, start - most, end + most)
    for first in range(start, end, _BLOCK):
        last = min(end, first + _BLOCK)
        reference, test = known.part(first, last), other.part(first - most, last + most)
        for ear in ears:
            ear.hear(first, reference, test)
    found = [ear.found() for ear in ears]
    return [each[0] for each in found], [each[1] for each in found]


class _Tape:
    """Samples of a file by their numbers, asked for in order up to the end; silent where there are none."""

    def __init__(self, path: Path, start: int, end: int) -> None:
        span = Span(start_s=Fraction(start, SOUND_HZ), end_s=Fraction(end, SOUND_HZ))
        self._blocks = deliverable.iter_sound(path, rate_hz=SOUND_HZ, channels="mono", span=span)
        self._held, self._start, self._end = np.zeros(0, np.float32), start, end

    def part(self, start: int, end: int) -> Samples:
        self._held, self._start = self._held[start - self._start :], start
        blocks, length = [self._held], len(self._held)
        # At the end to the last message, so that the child that sends them is free for the next order.
        while (length < end - start or end == self._end) and (block := next(self._blocks, None)) is not None:
            blocks.append(block)
            length += len(block)
        self._held = np.concatenate(blocks)
        return self._held[: end - start]


class _Ear:
    """Adds up the products of two sounds at all shifts, over one span."""

    def __init__(self, span: Span) -> None:
        self.start, self.end = sample_at(span.start_s, SOUND_HZ), sample_at(span.end_s, SOUND_HZ)
        self._most = sample_at(LISTENED_S, SOUND_HZ)
        self._products = np.zeros(2 * self._most + 1)
        self._powers = np.zeros(2)

    def hear(self, start: int, reference: Samples, test: Samples) -> None:
        """Take a block of the reference, and the other sound from `most` before it to `most` behind it."""
        first, end = max(self.start, start) - start, min(self.end, start + len(reference)) - start
        if first >= end:
            return
        own = reference[first:end].astype(np.float64)
        own -= own.mean()
        around = test[first : end + 2 * self._most].astype(np.float64)
        beside = around[self._most : self._most + len(own)]
        self._powers += float(own @ own), float(beside @ beside)
        self._products += signal.correlate(around, own, mode="valid", method="fft")

    def found(self) -> tuple[Fraction | None, float | None]:
        """Give the shift where the sounds fit, and how well."""
        silent = (self.end - self.start) * _HEARD**2
        if self._powers.min() <= silent or self._products.max() <= 0:
            return None, None
        best = nearest_peak(self._products)
        alike = float(self._products[best] / np.sqrt(self._powers.prod()))
        return Fraction(best - self._most, SOUND_HZ), min(1.0, alike)


def nearest_peak(products: npt.NDArray[np.float64]) -> int:
    """Number the highest peak; of those that are as high within 2%, the one nearest to the middle."""
    peaks = np.flatnonzero(products >= _AS_HIGH * products.max())
    padded = np.pad(products, 1, constant_values=-np.inf)
    peaks = peaks[(padded[peaks] <= padded[peaks + 1]) & (padded[peaks + 2] <= padded[peaks + 1])]
    return int(peaks[np.argmin(np.abs(peaks - len(products) // 2))])
