"""What there is to hear: beeps with their pitch, other sounds, silence; each with its time and level.

Sound is cut into short blocks. A block is silent, or it has one pitch (nearly all of its power lies around one
frequency and its multiples), or it is noise in the widest sense: speech, music, a crash. Neighbours of a kind make
one sound.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from cutscore.core.timeline import Span
from cutscore.media.levels import SILENT_DBFS
from cutscore.media.sound import Samples
from cutscore.perception.report import SoundEvent, SoundKind

RATE_HZ = 16_000
# 20 ms from block to block, each looked at through 40 ms.
_HOP, _WINDOW = 320, 640
# Share of the power around the strongest frequency (and its multiples) that makes a pitch.
_PITCHED = 0.8
# Frequencies next to a peak that belong to it: the window spreads it over so many on either side.
_BESIDE = 3
_LOWEST_HZ = 60.0
# Seconds: the shortest sound, and the shortest silence.
_SHORTEST_S, _SILENCE_S = 0.04, 0.3
# Two pitches are the same within this ratio (half a semitone).
_SAME_PITCH = 1.03
# dB above the level just before at which a new sound begins within a sound.
_ONSET_DB = 9.0
_LOUDER_DB = 6.0
NOTHING_DBFS = -120.0


@dataclass(frozen=True)
class _SoundBlock:
    at: int  # in blocks
    level_dbfs: float
    pitch_hz: float | None

    @property
    def kind(self) -> SoundKind:
        """Return what the block holds."""
        if self.level_dbfs <= SILENT_DBFS:
            return "silence"
        return "noise" if self.pitch_hz is None else "beep"


def detect_sounds(blocks: Iterable[Samples]) -> tuple[SoundEvent, ...]:
    """Listen to mono sound at `RATE_HZ`, in blocks of any length, from second 0 on."""
    runs = list(_join_blocks(_blocks(blocks)))
    sounding = [_level(run) for run in runs if run[0].kind != "silence"]
    usual = float(np.median(sounding)) if sounding else NOTHING_DBFS
    return tuple(_sound_event(run, usual) for run in runs if _lasts(run))


def _blocks(blocks: Iterable[Samples]) -> Iterator[_SoundBlock]:
    held = np.zeros((_WINDOW - _HOP) // 2, np.float32)  # so that a block lies in the middle of its window
    shape = np.hanning(_WINDOW).astype(np.float32)
    number = 0
    for samples in blocks:
        held = np.concatenate([held, samples])
        while len(held) >= _WINDOW:
            yield _block(number, held[:_WINDOW], shape)
            held, number = held[_HOP:], number + 1
    if len(held) > (_WINDOW - _HOP) // 2:
        yield _block(number, np.pad(held, (0, _WINDOW - len(held))), shape)


def _block(number: int, window: Samples, shape: Samples) -> _SoundBlock:
    middle = window[(_WINDOW - _HOP) // 2 :][:_HOP]
    power = float(np.mean(np.square(middle, dtype=np.float64)))
    level = max(NOTHING_DBFS, 10 * np.log10(power + 1e-12))
    return _SoundBlock(number, float(level), _pitch(window * shape) if level > SILENT_DBFS else None)


def _pitch(window: Samples) -> float | None:
    """Return the frequency that has nearly all of the power, alone or with its multiples; None if there is none."""
    power: npt.NDArray[np.float64] = np.abs(np.fft.rfft(window, 4 * _WINDOW)).astype(np.float64) ** 2
    step_hz = RATE_HZ / (4 * _WINDOW)
    power[: int(_LOWEST_HZ / step_hz / 2)] = 0
    peak = int(power.argmax())
    hz = peak * step_hz
    if hz < _LOWEST_HZ or power.sum() <= 0:
        return None
    around = 4 * _BESIDE
    near = np.zeros(len(power), bool)
    for multiple in range(1, len(power) // peak + 1):
        near[max(0, multiple * peak - around) : multiple * peak + around + 1] = True
    if hz < 4 * _BESIDE * step_hz or float(power[near].sum()) < _PITCHED * float(power.sum()):
        return None
    # The top of the parabola through the peak and its neighbours in dB.
    left, top, right = np.log(power[peak - 1 : peak + 2] + 1e-30)
    bend = left - 2 * top + right
    return float(hz + step_hz * (0.5 * (left - right) / bend if bend < 0 else 0.0))


def _join_blocks(blocks: Iterable[_SoundBlock]) -> Iterator[list[_SoundBlock]]:
    """Return runs of blocks that are one sound."""
    run: list[_SoundBlock] = []
    for block in blocks:
        if run and not _same(run, block):
            yield run
            run = []
        run.append(block)
    if run:
        yield run


def _same(run: list[_SoundBlock], block: _SoundBlock) -> bool:
    last = run[-1]
    if block.kind != last.kind:
        return False
    if block.kind == "silence":
        return True
    if block.level_dbfs - last.level_dbfs > _ONSET_DB and len(run) > 1:
        return False
    if block.pitch_hz is None or last.pitch_hz is None:
        return True
    return 1 / _SAME_PITCH < block.pitch_hz / last.pitch_hz < _SAME_PITCH


def _lasts(run: list[_SoundBlock]) -> bool:
    return len(run) * _HOP / RATE_HZ >= (_SILENCE_S if run[0].kind == "silence" else _SHORTEST_S)


def _level(run: list[_SoundBlock]) -> float:
    return float(10 * np.log10(np.mean([10 ** (block.level_dbfs / 10) for block in run])))


def _sound_event(run: list[_SoundBlock], usual: float) -> SoundEvent:
    level = _level(run)
    kind = run[0].kind
    pitches = [block.pitch_hz for block in run if block.pitch_hz is not None]
    above = level - usual if kind != "silence" else 0.0
    length_s = len(run) * _HOP / RATE_HZ
    return SoundEvent(
        kind=kind,
        span=Span(start_s=Fraction(run[0].at * _HOP, RATE_HZ), end_s=Fraction((run[-1].at + 1) * _HOP, RATE_HZ)),
        confidence=round(min(1.0, length_s / 0.1), 3),
        level_dbfs=round(level, 1),
        pitch_hz=round(float(np.median(pitches)), 1) if kind == "beep" else None,
        loudness="loud" if above >= _LOUDER_DB else "soft" if above <= -_LOUDER_DB else "as usual",
    )
