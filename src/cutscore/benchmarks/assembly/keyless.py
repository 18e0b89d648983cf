"""Subjects without a key: `blind` draws clips; the reader matches colours to words and compares framings."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from random import Random

import numpy as np
import numpy.typing as npt

from cutscore.authoring.clip_cache import splice_clips
from cutscore.benchmarks.assembly.framing_estimate import compare_framing
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileRef, FileStore
from cutscore.core.frozen import canonical_json
from cutscore.core.subject import WorkContext
from cutscore.core.trajectory import Action
from cutscore.media.frame_cache import read_cached_frames
from cutscore.media.frames import Frame, manifest
from cutscore.media.images import put_contact_sheet
from cutscore.media.opencv import opencv
from cutscore.media.plan import FramePlan
from cutscore.perception.colours import NAMES, colour_shares, rgb_to_lab

MANIFEST, FILM = "solution.json", "solution.mp4"  # as the brief names them

Pixels = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.float64]

# What each term means for a measured quantity: it is large (1), small (-1) or in between (0). Where a shot size stands
# among three cannot be known without the others; the far ones are mostly the farthest and the near ones the nearest.
_TERMS = {
    "shot_size": {
        "extreme wide shot": ("closer", -1),
        "wide shot": ("closer", -1),
        "medium wide shot": ("closer", 0),
        "medium shot": ("closer", -1),
        "medium close-up": ("closer", 0),
        "close-up": ("closer", 1),
        "extreme close-up": ("closer", 1),
    },
    "camera_angle": {
        "low angle": ("tilt", 1),
        "high angle": ("tilt", -1),
        "Dutch angle to the left": ("roll", -1),
        "Dutch angle to the right": ("roll", 1),
        "eye level": ("", 0),
    },
    "lens": {"wide-angle lens": ("bend", 1), "normal lens": ("bend", 0), "long lens": ("bend", -1)},
    "camera_movement": {
        "pan left": ("moves_right", -1),
        "pan right": ("moves_right", 1),
        "dolly in": ("moves_closer", 1),
        "dolly out": ("moves_closer", -1),
        "static": ("", 0),
    },
}
# What is measured, to which field it belongs, and the least difference that one notices.
_NOTICED = {
    "closer": ("shot_size", 0.08),
    "tilt": ("camera_angle", 0.03),
    "roll": ("camera_angle", 2.0),
    "bend": ("lens", 0.03),
    "moves_right": ("camera_movement", 0.03),
    "moves_closer": ("camera_movement", 0.05),
}
MOST_GROUPS = 6  # of clips that the steps show
_TRACE = 0.003  # share of a picture below which a colour is as good as not there
_DARK = {"night": 1.0, "dark": 1.0, "dusk": 0.5, "evening": 0.5}
_WORD = re.compile(r"[a-z]+")


def blind(ask: Ask, seed: int, store: FileStore) -> Deliverable:
    """Return for each slot a clip that the seed draws, none twice, and no film."""
    slots = [slot["slot"] for slot in storyboard(ask.brief)]
    return Deliverable(files=(put_manifest(slots, Random(seed).sample(ask.files, len(slots)), store),))


def reader(ask: Ask, context: WorkContext) -> Deliverable:
    """Group clips of like colours, match groups to slots, and take of each group the clip that is filmed as asked.

    Within a group it measures how the clips were filmed, sees in what they differ most, puts them in order, and takes
    the first, the middle or the last, as the slot's term wants it. It knows colours and no things.
    """
    slots = storyboard(ask.brief)
    if len(ask.files) < len(slots) or not slots:
        return Deliverable()
    plan, seen = FramePlan.parse(context.frames), []
    for clip in ask.files:
        frames = read_cached_frames(context.store.path(clip), plan, sha256=clip.sha256)
        context.tally.add_frames(manifest(clip, plan, frames))
        seen.append((clip, frames))
    groups = group_by_slot(ask, end_pictures(seen))
    takes = [_choose_clip(slot, group) for slot, group in zip(slots, groups, strict=True)]
    chosen = [take.clip for take in takes]
    words = put_manifest([slot["slot"] for slot in slots], chosen, context.store)
    made = Deliverable(files=(words, splice_clips(context.store, FILM, chosen)))
    _record_steps(slots, groups, takes, context)
    return made


def _record_steps(
    slots: Sequence[dict[str, str]],
    groups: Sequence[Sequence["EndPictures"]],
    takes: Sequence["SlotChoice"],
    context: WorkContext,
) -> None:
    """Record which clips went to which slot, and which of them was taken and why."""

    def main_colours(group: Sequence["EndPictures"]) -> str:
        shares = np.mean([each.colours for each in group], axis=0)
        return ", ".join(f"{NAMES[number]} ({shares[number]:.0%})" for number in np.argsort(-shares)[:3])

    context.steps.add(
        "Clips that have the same colours belong together, and to the slot whose description names those colours.",
        did=Action(tool="look", arguments={"clips": sum(map(len, groups)), "at": "the first and the last picture"}),
        saw="\n".join(
            f"{slot['slot']}: {', '.join(each.clip.name for each in group)}\n  most of it is {main_colours(group)}"
            for slot, group in zip(slots, groups, strict=True)
        ),
    )
    pictures = [each.first for group in groups[:MOST_GROUPS] for each in group]
    context.steps.add(
        f"Of each group the one that is filmed as its slot says. The picture has a group a row, {MOST_GROUPS} at most.",
        did=Action(tool="write", arguments={"files": f"{MANIFEST}, {FILM}"}),
        saw="\n".join(f"{slot['slot']}: {take.message}" for slot, take in zip(slots, takes, strict=True)),
        media=(put_contact_sheet(context.store, "groups.jpg", pictures, columns=len(groups[0])),),
    )


def group_by_slot(ask: Ask, seen: Sequence["EndPictures"]) -> list[list["EndPictures"]]:
    """Put clips together that have the same colours, and give each slot those whose colours its description names."""
    slots = storyboard(ask.brief)
    groups = _group_alike(seen, len(ask.files) // len(slots))
    wanted = _colour_fit([slot.get("description", "") for slot in slots], groups)
    ways = permutations(range(len(groups)), len(slots))
    best = max(ways, key=lambda way: sum(wanted[slot, group] for slot, group in enumerate(way)))
    return [groups[number] for number in best]


def storyboard(brief: str) -> list[dict[str, str]]:
    """Find the storyboard in the brief: the first list of slots in it."""
    for start in (place.start() for place in re.finditer(r"\[", brief)):
        try:
            found, _ = json.JSONDecoder().raw_decode(brief, start)
        except ValueError:
            continue
        if isinstance(found, list) and found and all(isinstance(slot, dict) and "slot" in slot for slot in found):
            return found
    return []


@dataclass(frozen=True, eq=False)
class EndPictures:
    """A clip by its first and its last picture."""

    clip: FileRef
    first: Pixels
    last: Pixels

    @cached_property
    def colours(self) -> Numbers:
        """The share of each colour that has a name."""
        return (_shares(self.first) + _shares(self.last)) / 2

    @property
    def light(self) -> float:
        """How bright both pictures are."""
        return float(self.first.mean() + self.last.mean())


def end_pictures(shown: Iterable[tuple[FileRef, Sequence[Frame]]]) -> list[EndPictures]:
    """Keep of each clip what is compared."""
    return [EndPictures(clip, frames[0].pixels, frames[-1].pixels) for clip, frames in shown]


def _shares(pixels: Pixels) -> Numbers:
    cv2 = opencv()
    small = cv2.resize(np.ascontiguousarray(pixels), (32, 18), interpolation=cv2.INTER_AREA)
    return colour_shares(rgb_to_lab(small))


def _group_alike(seen: Sequence[EndPictures], size: int) -> list[list[EndPictures]]:
    """Put clips together that have the same colours, the likest first."""
    colours = np.stack([each.colours for each in seen])
    far = np.abs(colours[:, None] - colours[None]).sum(axis=2)
    left, groups = set(range(len(seen))), []
    while len(left) >= size:
        tried = combinations(sorted(left), size)
        best = min(tried, key=lambda group: sum(far[pair] for pair in combinations(group, 2)))
        groups.append([seen[number] for number in best])
        left -= set(best)
    return groups


def _colour_fit(descriptions: Sequence[str], groups: Sequence[Sequence[EndPictures]]) -> Numbers:
    """Return how well each group of clips (column) has the colours that each description (row) names.

    Both are compared with what is usual in this storyboard: a colour that is everywhere says nothing.
    """
    said = [set(_WORD.findall(description.casefold())) for description in descriptions]
    named = np.array([[float(name in words) for name in NAMES] for words in said])
    there = np.log(np.array([np.mean([each.colours for each in group], axis=0) for group in groups]) + _TRACE)
    dark = np.array([[max(_DARK.get(word, 0.0) for word in words | {""})] for words in said])
    light = np.array([[np.mean([each.light for each in group])] for group in groups])
    fits: Numbers = (named - named.mean(axis=0)) @ _normalise(there).T - _normalise(dark) @ _normalise(light).T
    return fits


def _normalise(table: Numbers) -> Numbers:
    """Take out of each column its mean, and set its spread to one."""
    levelled: Numbers = (table - table.mean(axis=0)) / np.maximum(table.std(axis=0), 1e-6)
    return levelled


@dataclass(frozen=True)
class SlotChoice:
    """The clip that was taken for a slot, and why, in words."""

    clip: FileRef
    message: str


def _choose_clip(slot: dict[str, str], group: Sequence[EndPictures]) -> SlotChoice:
    """Choose the clip of a group that is filmed as a slot says."""
    first, *others = group
    found = [compare_framing((first.first, first.last), (each.first, each.last)) for each in others]
    values = {name: [0.0, *(float(getattr(each, name)) for each in found)] for name in _NOTICED}
    spread = {name: float(np.ptp(each)) / _NOTICED[name][1] for name, each in values.items()}
    most = max(spread, key=lambda name: spread[name])
    field = _NOTICED[most][0]
    quantity, place = _TERMS[field].get(slot.get(field, ""), ("", 0))
    measured = values[quantity or most]
    order = sorted(range(len(group)), key=lambda number: measured[number])
    chosen = group[order[{-1: 0, 0: len(order) // 2, 1: -1}[place]]].clip
    scale = " < ".join(f"{group[number].clip.name} ({measured[number]:.2f})" for number in order)
    message = f"{chosen.name}\n  they differ most in {field}, which is to be {slot.get(field, 'anything')}"
    return SlotChoice(chosen, f"{message}\n  {quantity or most}: {scale}")


def put_manifest(slots: Sequence[str], clips: Sequence[FileRef], store: FileStore) -> FileRef:
    """Write solution.json."""
    chosen = {slot: clip.name for slot, clip in zip(slots, clips, strict=True)}
    return store.put_bytes(canonical_json(chosen), name=MANIFEST, media_type="application/json")
