"""Is a delivered video what the brief asked for: container, codec, size, aspect, rate, length, sound?"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np

from cutscore.core.bundle import Delivery
from cutscore.media import deliverable
from cutscore.media.levels import SILENT_DBFS

# Containers write 29.97 for 30000/1001, and others guess an average.
_RATE_WITHIN = 0.001
# Sides of a picture are even: a picture of 9:16 that is 90 pixels high has 50, which is 1.2% off.
_ASPECT_WITHIN = Fraction(1, 50)
_HEARD_HZ = 8000


@dataclass(frozen=True)
class DeliveryCheck:
    """One rule of a delivery.

    Args:
        name: `container`, `codec`, `size`, `aspect`, `rate`, `length`, `sound` or `sample rate`.
        reason: What the file is, and what was asked; begins with a verb.
    """

    name: str
    met: bool
    reason: str


def check_delivery(path: Path, wanted: Delivery) -> list[DeliveryCheck]:
    """Check every rule that a delivery has; what the brief did not say is not looked at.

    Raises:
        BadInput: It is no video that can be opened, or has several sound tracks; the fact says why.
    """
    return list(_check_each(path, wanted))


def broken_rules(path: Path, wanted: Delivery) -> list[str]:
    """Name the rules of a delivery that a file breaks; raise as `check_delivery` does."""
    return [check.reason for check in check_delivery(path, wanted) if not check.met]


def _check_each(path: Path, wanted: Delivery) -> Iterator[DeliveryCheck]:
    facts = deliverable.probe_film(path)
    if wanted.container:
        because = f"is {facts.container}, asked was {wanted.container}"
        yield DeliveryCheck("container", facts.container == wanted.container, because)
    if wanted.codecs:
        because = f"is encoded as {facts.codec}, asked was {' or '.join(wanted.codecs)}"
        yield DeliveryCheck("codec", facts.codec in wanted.codecs, because)
    if wanted.size:
        because = f"is {facts.width}×{facts.height}, asked was {wanted.size[0]}×{wanted.size[1]}"
        yield DeliveryCheck("size", (facts.width, facts.height) == wanted.size, because)
    if wanted.aspect:
        asked = Fraction(*wanted.aspect)
        met = abs(facts.display_aspect / asked - 1) <= _ASPECT_WITHIN
        shown = f"is shown {float(facts.display_aspect):.3f} times as wide as high"
        yield DeliveryCheck(
            "aspect", met, f"{shown}, asked was {wanted.aspect[0]}:{wanted.aspect[1]} ({float(asked):.3f})"
        )
    if wanted.rate is not None:
        because = f"has {float(facts.rate or 0):g} pictures a second, asked were {float(wanted.rate):g}"
        yield DeliveryCheck("rate", abs((facts.rate or 0) / wanted.rate - 1) <= _RATE_WITHIN, because)
    if wanted.length_s is not None:
        met = abs((facts.duration_s or 0) - wanted.length_s) <= wanted.within_s
        lasts = f"lasts {float(facts.duration_s or 0):.2f} s"
        yield DeliveryCheck(
            "length", met, f"{lasts}, asked were {float(wanted.length_s):g} ± {float(wanted.within_s):g} s"
        )
    if wanted.sound is not None:
        yield _sound(path, wanted.sound, there=facts.sound is not None)
    if wanted.sound_hz is not None and facts.sound is not None:
        because = f"has sound of {facts.sound.rate_hz} Hz, asked were {wanted.sound_hz} Hz"
        yield DeliveryCheck("sample rate", facts.sound.rate_hz == wanted.sound_hz, because)


def _sound(path: Path, asked: bool, *, there: bool) -> DeliveryCheck:
    """Listen: a track on which nothing is heard is no sound."""
    if not there or not asked:
        because = f"has {'a' if there else 'no'} sound track, asked was {'one' if asked else 'none'}"
        return DeliveryCheck("sound", there == asked, because)
    blocks = deliverable.iter_sound(path, rate_hz=_HEARD_HZ, channels="mono")
    peak = max((float(np.abs(block).max(initial=0.0)) for block in blocks), default=0.0)
    heard = peak > 10 ** (SILENT_DBFS / 20)
    return DeliveryCheck("sound", heard, "is heard" if heard else "is silent from beginning to end, asked was sound")
