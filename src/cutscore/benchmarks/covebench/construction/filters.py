"""Which footage tasks are made of (§2.1): large and long enough, lit, sharp and moving, and no near-copy of another.

The paper names size and length; how it screens quality and finds copies it does not say, so those bounds are ours.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from cutscore.authoring.footage import RefusedSource, SourceClip, SourceFootage
from cutscore.authoring.recipe import refuse
from cutscore.core.errors import BadInput
from cutscore.media.probe import probe
from cutscore.scoring.metrics.edges import EdgeEnergy
from cutscore.scoring.metrics.freeze import Freeze
from cutscore.scoring.metrics.light import Light
from cutscore.scoring.metrics.metric import Needs
from cutscore.scoring.metrics.one_pass import one_pass
from cutscore.scoring.metrics.phash import NEAR_BITS, Hashes, PerceptualHash, distances

LEAST_SIDE = 480  # pixels of the shorter side (§2.1)
SHORTEST_S, LONGEST_S = 3, 21  # (§2.1)
DARKEST, LIGHTEST = 20.0, 235.0  # mean luma of 255; outside of it hardly anything can be told apart
# Edge energy with the longer side at 480 pixels. Drawn scenes have 30 to 54, and come below 4 when they are blurred
# with a sigma of 4 to 6 pixels; footage of a camera has more detail than these.
LEAST_EDGES, EDGES_AT = 4.0, 480
MOST_STILL = 0.5  # of its length, in stills of half a second or more: rather a picture than a video
HASHES_A_SECOND = 2
COPIED_SHARE = 0.5  # of the pictures of either clip; a trimmed, scaled or compressed copy has nearly all


@dataclass(eq=False)
class _ScaledEdgeEnergy(EdgeEnergy):
    """Edge energy of clips of all sizes at one size, so that one bound fits them all."""

    needs: Needs = field(default=Needs(kind="grey", longest=EDGES_AT), init=False)


@dataclass(frozen=True, eq=False)
class ClipLook:
    """How a clip looks: mean luma, mean edge energy, share of its length that stands still, and picture hashes."""

    luma: float
    edges: float
    still: float
    hashes: Hashes


def screen_footage(footage: SourceFootage, tell: Callable[[str], None]) -> SourceFootage:
    """Return the clips that tasks can be made of; the rest is refused, each with its fact and value."""
    kept: dict[str, Hashes] = {}
    clips: list[SourceClip] = []
    refused: list[RefusedSource] = []
    for clip in footage.clips:
        tell(f"look: {clip.name}")
        try:
            _require_size(clip)
            look = look_at(clip)
            if fault := find_look_fault(look) or find_copy(look.hashes, kept):
                raise BadInput(clip.name, fault)
        except BadInput as fault:
            refused.append(refuse(clip, fault))
            continue
        kept[clip.name] = look.hashes
        clips.append(clip)
    return replace(footage, clips=tuple(clips), refused=(*footage.refused, *refused))


def _require_size(clip: SourceClip) -> None:
    facts = probe(clip.path, scan=False, trusted=clip.scene is not None)
    if min(facts.width, facts.height) < LEAST_SIDE:
        size = f"{facts.width} × {facts.height}"
        raise BadInput(clip.name, f"is {size}: its shorter side needs {LEAST_SIDE} pixels")
    if not SHORTEST_S <= clip.length_s <= LONGEST_S:
        length = f"lasts {float(clip.length_s):.2f} s"
        raise BadInput(
            clip.name, f"{length}; taken are {SHORTEST_S} to {LONGEST_S} s", "cut a part of that length out of it"
        )


def look_at(clip: SourceClip) -> ClipLook:
    """Decode a clip once, and measure how it looks."""
    hashes = PerceptualHash()
    luma, edges, freeze, _ = one_pass(
        clip.path, [Light(), _ScaledEdgeEnergy(), Freeze(), hashes], trusted=clip.scene is not None
    ).alone
    if luma.summary is None or edges.summary is None:
        raise BadInput(clip.name, "has no pictures")
    step = max(1, round(len(hashes.hashes) / (HASHES_A_SECOND * float(clip.length_s))))
    still_s = sum((span.length_s for span in freeze.spans), start=clip.length_s * 0)
    return ClipLook(luma.summary, edges.summary, float(still_s / clip.length_s), hashes.hashes[::step])


def find_look_fault(look: ClipLook) -> str:
    """Return what keeps a clip from being edited and judged; empty where nothing does."""
    if not DARKEST <= look.luma <= LIGHTEST:
        dark = "too dark" if look.luma < DARKEST else "too light"
        return f"is {dark}: mean luma {look.luma:.0f} of 255, taken are {DARKEST:.0f} to {LIGHTEST:.0f}"
    if look.edges < LEAST_EDGES:
        return f"is blurred or empty: edge energy {look.edges:.1f}, at least {LEAST_EDGES:.0f} is needed"
    if look.still > MOST_STILL:
        return f"stands still for {look.still:.0%} of its length; at most {MOST_STILL:.0%} is allowed"
    return ""


def find_copy(hashes: Hashes, others: Mapping[str, Hashes]) -> str:
    """Return which earlier clip a clip nearly repeats; empty where none.

    Each picture of either clip looks for its like anywhere in the other one, so that trimmed copies are found, too.
    Flat pictures, whose hash is 0, are like each other and say nothing.
    """
    mine = hashes[hashes != 0]
    for name, known in others.items():
        theirs = known[known != 0]
        if not len(mine) or not len(theirs):
            continue
        near = distances(mine, theirs) <= NEAR_BITS
        share = max(float(near.any(axis=1).mean()), float(near.any(axis=0).mean()))
        if share >= COPIED_SHARE:
            return f"is nearly the same as '{name}': {share:.0%} of the pictures agree"
    return ""
