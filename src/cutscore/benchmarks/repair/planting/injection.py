"""One defect in one window of any clip: what it becomes, what it should be, and the truth about it.

The ten kinds are those of AgenticVBench. Audio and visual ones change a window and not a sample or pixel elsewhere; two
shots change places; and what is to be cut out (`stretches.py`) is put in so that nothing of it is left when it is cut.
Place and strength come from a seed unless the place is given.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
from pydantic import JsonValue

from cutscore.benchmarks.repair.defect import Defect, DefectKind
from cutscore.benchmarks.repair.edits import effects
from cutscore.benchmarks.repair.edits.cleaning import change_volume
from cutscore.benchmarks.repair.planting.stretches import PlantedStretches, plant_repeat, plant_words
from cutscore.benchmarks.repair.verify.range_match import TrueRange
from cutscore.core.errors import BadInput
from cutscore.core.timeline import Span
from cutscore.media.footage import Footage
from cutscore.media.sound import Sound

# Of a window that is drawn, as shares of the clip; the clip's own ends stay clean.
SHORTEST_S, LONGEST_S = Fraction(1), Fraction(6)
_SHARES, _EDGE = (Fraction(1, 4), Fraction(2, 5)), Fraction(1, 10)
_SHORTEST_SHOT_S = Fraction(2, 5)
_ECHOES = 14
_WINDOWS = 8  # that are drawn to find one in which something is heard

Strength = dict[str, JsonValue]


@dataclass(frozen=True, eq=False)
class Injection:
    """A clip with a defect and without, and the truth about it.

    Of words in a pause golden is the broken clip after the cut, else the clip as it was given. Ranges are what is to be
    cut out; of a swap, where the two shots are now.
    """

    broken: Footage
    golden: Footage
    defect: Defect
    ranges: tuple[TrueRange, ...] = ()


def inject(
    footage: Footage,
    kind: DefectKind,
    *,
    at: Span | None = None,
    seed: int = 0,
    shots: Sequence[tuple[int, int]] = (),
    fillers: Sequence[Sound] = (),
    sentence: Sound | None = None,
) -> Injection:
    """Plant a defect in a clip that is as it should be.

    It is planted in the whole pictures of `at`, in seconds of the clip: words are put into pauses within it, and shots
    that lie in it are swapped. Else the seed draws the place, and always the strength. Shots have the number of their
    first picture, and that of the one after their last.

    Raises:
        BadInput: The clip has no place for it: too short, no sound, no pause, one shot.
    """
    draw = Random(f"{kind} {seed}")
    if at is not None:
        footage.check_span(at)
        first, end = footage.first_at(at.start_s), footage.first_at(at.end_s)
        at = Span(start_s=first / footage.rate, end_s=end / footage.rate)
    if kind in _CHANGES:
        return _change_window(footage, kind, at, draw, seed)
    if kind == "swapped_shots":
        return _swap_shots(footage, shots, at, draw, seed)
    if kind == "repeated_frames":
        span = at or draw_window(footage, draw, shares=(Fraction(1, 8), Fraction(1, 5)), shortest_s=Fraction(2, 5))
        return _plant_stretches(kind, plant_repeat(footage, span, draw), seed)
    words = fillers if kind == "filler_words" else [sentence] if sentence else []
    return _plant_stretches(kind, plant_words(footage, words, at, draw), seed)


def draw_window(
    footage: Footage,
    draw: Random,
    *,
    shares: tuple[Fraction, Fraction] = _SHARES,
    shortest_s: Fraction = SHORTEST_S,
) -> Span:
    """Draw a window on whole pictures, so long that it can be found and away from the clip's ends."""
    low, high = (min(LONGEST_S, share * footage.length_s) for share in shares)
    least, most = (round(max(shortest_s, each) * footage.rate) for each in (low, high))
    first = round(footage.length_s * _EDGE * footage.rate)
    room = footage.count - 2 * first
    if room < least:
        length = f"'{footage.name}' lasts {float(footage.length_s):.1f} s"
        raise BadInput("window", f"{length}, too short for a window of {float(shortest_s):g} s", "take a longer clip")
    count = draw.randint(least, min(most, room))
    start = first + draw.randint(0, room - count)
    return Span(start_s=start / footage.rate, end_s=(start + count) / footage.rate)


def _change_window(footage: Footage, kind: DefectKind, at: Span | None, draw: Random, seed: int) -> Injection:
    if at is not None:
        window = at
    elif footage.sound is not None and kind in ("noise", "echo", "clipping"):
        # The loudest of some: in silence there is no noise to hear.
        drawn = [draw_window(footage, draw) for _ in range(_WINDOWS)]
        window = max(drawn, key=lambda span: _power(footage, span))
    else:
        window = draw_window(footage, draw)
    broken, strength = _CHANGES[kind](footage, window, draw)
    return Injection(broken, footage, Defect(kind=kind, window=window, strength=strength, seed=seed))


def _noise(footage: Footage, window: Span, draw: Random) -> tuple[Footage, Strength]:
    sort, snr_db = draw.choice(("hiss", "hum", "babble")), round(draw.uniform(0, 6), 1)
    seed = draw.getrandbits(32)
    if sort == "hum":
        broken = effects.add_hum(footage, window, snr_db=snr_db, mains_hz=draw.choice((50, 60)))
    else:
        add = effects.add_hiss if sort == "hiss" else effects.add_babble
        broken = add(footage, window, snr_db=snr_db, seed=seed)
    return broken, {"sort": sort, "snr_db": snr_db}


def _echo(footage: Footage, window: Span, draw: Random) -> tuple[Footage, Strength]:
    """Draw the echoes of a hard room: sound falls by 60 dB in half a second to one second."""
    decay_s = draw.uniform(0.5, 1.0)
    delays_ms = sorted(draw.sample(range(20, int(600 * decay_s)), _ECHOES))
    gains = [round(0.8 * 10 ** (-3 * delay / 1000 / decay_s) * draw.choice((1, -1)), 4) for delay in delays_ms]
    taps = [(Fraction(delay, 1000), gain) for delay, gain in zip(delays_ms, gains, strict=True)]
    strength: Strength = {"decay_s": round(decay_s, 3), "delays_ms": list(delays_ms), "gains": list(gains)}
    return effects.add_echo(footage, window, taps=taps), strength


def _clipping(footage: Footage, window: Span, draw: Random) -> tuple[Footage, Strength]:
    """Cut the waves off and leave them as loud as they were: louder, silence would measure better than the defect."""
    if footage.sound is None or not (before := _power(footage, window)):
        raise BadInput("clipping", f"'{footage.name}' is silent in {window}", "give another place")
    peak = float(np.abs(footage.sound.part(window).samples).max())
    level = min(1.0, round(peak * draw.uniform(0.1, 0.25), 5))
    loud = effects.clip_waves(footage, window, level=level)
    gain = round(float(np.sqrt(before / _power(loud, window))), 4)
    return change_volume(loud, window, gain=gain), {"level": level, "gain": gain}


def _colour_shift(footage: Footage, window: Span, draw: Random) -> tuple[Footage, Strength]:
    gains = [round(draw.uniform(1.2, 1.4), 2), 1.0, round(draw.uniform(0.6, 0.8), 2)]
    draw.shuffle(gains)
    return effects.shift_colour(footage, window, gains=(gains[0], gains[1], gains[2])), {"gains": list(gains)}


def _blur(footage: Footage, window: Span, draw: Random) -> tuple[Footage, Strength]:
    height = next(footage.pictures()).shape[0]
    sigma = round(max(1.8, height * draw.uniform(0.007, 0.012)), 2)
    return effects.add_blur(footage, window, sigma=sigma), {"sigma": sigma}


def _lost_sharpness(footage: Footage, window: Span, draw: Random) -> tuple[Footage, Strength]:
    factor = round(draw.uniform(3, 5), 1)
    return effects.reduce_detail(footage, window, factor=factor), {"factor": factor}


_CHANGES: Mapping[DefectKind, Callable[[Footage, Span, Random], tuple[Footage, Strength]]] = {
    "noise": _noise,
    "echo": _echo,
    "clipping": _clipping,
    "colour_shift": _colour_shift,
    "blur": _blur,
    "lost_sharpness": _lost_sharpness,
}


def _swap_shots(
    footage: Footage, shots: Sequence[tuple[int, int]], at: Span | None, draw: Random, seed: int
) -> Injection:
    spans = (Span(start_s=first / footage.rate, end_s=end / footage.rate) for first, end in shots)
    whole = (span for span in spans if at is None or at.overlap(span) == span.length_s)
    inside = [span for span in whole if span.length_s >= _SHORTEST_SHOT_S]
    if len(inside) < 2:
        where = f"in {at}" if at else "in it"
        raise BadInput("swap", f"'{footage.name}' has {len(inside)} whole shots {where}", "two are needed")
    pairs = list(combinations(sorted(inside, key=lambda span: span.start_s), 2))
    # Shots of one length leave what lies between in its place: a still through all of it ruins more than it puts right.
    apart = [(one, two) for one, two in pairs if two.start_s - one.end_s >= one.length_s == two.length_s]
    first, second = draw.choice(apart or pairs)
    window = Span(start_s=first.start_s, end_s=second.end_s)
    now = (
        Span(start_s=first.start_s, end_s=first.start_s + second.length_s),
        Span(start_s=second.end_s - first.length_s, end_s=second.end_s),
    )
    ranges = tuple(TrueRange(spans=(span,), kind="swapped_shots") for span in now)
    strength: Strength = {"shots": [[str(shot.start_s), str(shot.end_s)] for shot in (first, second)]}
    defect = Defect(kind="swapped_shots", window=window, strength=strength, seed=seed)
    return Injection(effects.swap_shots(footage, first, second), footage, defect, ranges)


def _plant_stretches(kind: DefectKind, planted: PlantedStretches, seed: int) -> Injection:
    ranges = tuple(TrueRange(spans=spans, kind=kind) for spans in planted.spans)
    window = Span(start_s=planted.spans[0][0].start_s, end_s=planted.spans[-1][0].end_s)
    defect = Defect(kind=kind, window=window, strength=planted.strength, seed=seed)
    return Injection(planted.broken, planted.golden, defect, ranges)


def _power(footage: Footage, span: Span) -> float:
    if footage.sound is None:
        return 0.0
    return float(np.square(footage.sound.part(span).samples, dtype=np.float64).mean())
