"""Filters that anybody may lay over all of a clip without having looked at it: muffle, sharpen, denoise, normalise."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from cutscore.benchmarks.repair.edits.cleaning import reduce_noise
from cutscore.core.timeline import Span
from cutscore.media.edit import apply_filters
from cutscore.media.footage import Footage

Change = Callable[[Footage], Footage]

SOUND_FILTERS: Mapping[str, Change] = {
    "muffled a little": lambda clip: apply_filters(clip, sound="lowpass=f=3000"),
    "muffled": lambda clip: apply_filters(clip, sound="lowpass=f=1000"),
    "muffled from end to end": lambda clip: apply_filters(clip, sound="lowpass=f=300"),
    "without its bass": lambda clip: apply_filters(clip, sound="highpass=f=200"),
    "cleaned of noise from end to end": lambda clip: reduce_noise(clip, _whole(clip)),
    "normalised in loudness": lambda clip: apply_filters(clip, sound="dynaudnorm"),
}
PICTURE_FILTERS: Mapping[str, Change] = {
    "sharpened": lambda clip: apply_filters(clip, pictures="unsharp=5:5:1"),
    "sharpened hard": lambda clip: apply_filters(clip, pictures="unsharp=7:7:2"),
    "cleaned of grain": lambda clip: apply_filters(clip, pictures="median=radius=1"),
    "normalised in contrast": lambda clip: apply_filters(clip, pictures="normalize=independence=0"),
    "normalised in colour": lambda clip: apply_filters(clip, pictures="normalize=independence=1"),
}


def _whole(clip: Footage) -> Span:
    return Span(start_s=Fraction(0), end_s=clip.length_s)
