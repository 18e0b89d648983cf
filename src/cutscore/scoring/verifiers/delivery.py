"""Is a delivered video what the brief asked for: container, codec, size, rate, length?"""

from pathlib import Path

from cutscore.core.bundle import Delivery
from cutscore.media import deliverable

# Containers write 29.97 for 30000/1001, and others guess an average.
_RATE_WITHIN = 0.001


def unmet(path: Path, wanted: Delivery) -> list[str]:
    """Name the rules of a delivery that a file breaks; what the brief did not say is not looked at.

    Raises:
        BadInput: It is no video that can be opened; the fact says why.
    """
    facts = deliverable.probe(path)
    broken = []
    if wanted.container and facts.container != wanted.container:
        broken.append(f"is {facts.container}, asked was {wanted.container}")
    if wanted.codecs and facts.codec not in wanted.codecs:
        broken.append(f"is encoded as {facts.codec}, asked was {' or '.join(wanted.codecs)}")
    if wanted.size and (facts.width, facts.height) != wanted.size:
        broken.append(f"is {facts.width}×{facts.height}, asked was {wanted.size[0]}×{wanted.size[1]}")
    if wanted.rate is not None and abs((facts.rate or 0) / wanted.rate - 1) > _RATE_WITHIN:
        broken.append(f"has {float(facts.rate or 0):g} pictures a second, asked were {float(wanted.rate):g}")
    if wanted.length_s is not None and abs((facts.duration_s or 0) - wanted.length_s) > wanted.within_s:
        lasts = f"lasts {float(facts.duration_s or 0):.2f} s"
        broken.append(f"{lasts}, asked were {float(wanted.length_s):g} ± {float(wanted.within_s):g} s")
    return broken
