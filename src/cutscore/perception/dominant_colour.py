"""The colour that fills most of a picture, moment by moment."""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from cutscore.core.timeline import Span
from cutscore.perception.colours import Lab, name_colour
from cutscore.perception.report import DominantColour

# ΔE: side of the boxes in which pixels are counted, how far from the fullest a pixel may be to belong to it, and how
# far the colour of a moment may drift before a new stretch begins.
_BOX, _NEAR, _DRIFT = 12.0, 20.0, 8.0


def dominant_colour(picture: Lab) -> tuple[Lab, float]:
    """Return the mean colour of the largest group of like pixels, and the share of the picture that belongs to it."""
    pixels = picture.reshape(-1, 3)
    boxes = np.floor(pixels / _BOX).astype(np.int64) + 16
    keys = (boxes[:, 0] << 16) | (boxes[:, 1] << 8) | boxes[:, 2]
    found, where, counts = np.unique(keys, return_inverse=True, return_counts=True)
    # A group that straddles boxes is not to lose against a smaller one that does not: count with the neighbours.
    places = np.stack([found >> 16, (found >> 8) & 255, found & 255], 1)
    near = np.abs(places[:, None] - places[None]).max(2) <= 1
    fullest = int((near @ counts + counts).argmax())
    group = pixels[near[fullest][where]].mean(0)
    along = np.linalg.norm(pixels - group, axis=1) <= _NEAR
    return np.median(pixels[along], axis=0).astype(np.float32), float(along.mean())


@dataclass(eq=False)
class DominantColourTracker:
    """Joins moments of like colour to stretches."""

    _stretches: list[tuple[Fraction, list[Lab], list[float]]] = field(default_factory=list)

    def see(self, at_s: Fraction, picture: Lab) -> None:
        """Take one picture; pictures come in order of time."""
        colour, share = dominant_colour(picture)
        if self._stretches:
            _, colours, shares = self._stretches[-1]
            if np.linalg.norm(colours[0] - colour) <= _DRIFT:
                colours.append(colour)
                shares.append(share)
                if len(colours) > 50:  # the first stays: the stretch is about it
                    del colours[1], shares[1]
                return
        self._stretches.append((at_s, [colour], [share]))

    def result(self, end_s: Fraction) -> tuple[DominantColour, ...]:
        """Return the stretches without gaps, the last one up to `end_s`."""
        starts = [at_s for at_s, _, _ in self._stretches]
        return tuple(
            DominantColour(
                Span(start_s=at_s, end_s=until_s),
                name_colour(np.median(np.stack(colours), 0)),
                round(float(np.mean(shares)), 3),
            )
            for (at_s, colours, shares), until_s in zip(self._stretches, [*starts[1:], end_s], strict=True)
        )
