"""Detectors of weaknesses that go by the request, the pieces and the video alone.

Each looks for one kind of fault. It returns None where the request does not ask for what it can tell, or where it could
not look; an empty list where it has looked and found nothing.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.clvg.reading.editing import MOVE, RECOLOUR, REMOVE
from cutscore.benchmarks.clvg.reading.marking import DOT, THING, find_edges
from cutscore.benchmarks.clvg.reading.mazes import WALK, clearance
from cutscore.benchmarks.clvg.reading.moving import CROSSES, follow_mover
from cutscore.benchmarks.clvg.reading.shown import ShownContext
from cutscore.core.judgement import Weakness
from cutscore.media import deliverable as door
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.perception.colours import EXAMPLES, NAMES, name_pixels, rgb_to_lab
from cutscore.perception.sound_match import find_sound
from cutscore.perception.subject_match import cut_out, find_subject
from cutscore.subjects.picture_edits import largest_patch

Found = Sequence[Weakness] | None
Mask = npt.NDArray[np.bool_]

EVERY = 3  # pictures from one look to the next
STILL, SAME = 30, 0.001  # levels by which a pixel differs, and the share of such pixels that is nothing
OTHER = 26.0  # levels by which the mean of a block shows something else
FEW = 0.008  # share of such blocks
SOUND_HZ = 16_000
CONTINUES = r"\b(?:continue\w*|go(?:es)? on where)\b"
ENHANCED = r"\b(?:noise|too dark|out of focus|blur(?:red|ry)?)\b"


def see_standstill(seen: ShownContext) -> Found:
    """Find a video in which no picture differs from the first."""
    pictures = seen.clip().pictures
    if any(share_changed(pictures[0], each) > SAME for each in pictures[1:]):
        return []
    return [seen.weakness("frozen", "nothing moves from the first picture to the last")]


def see_no_change(seen: ShownContext) -> Found:
    """Find a video that is the source, where the source was to be changed."""
    if "source" not in seen.paths or seen.asks(CONTINUES) or seen.asks(r"\b(?:came before|between the two)\b"):
        return None
    pairs = _pairs(seen)
    if any(share_changed(one, other) > SAME for _, one, other in pairs):
        return []
    code = "not_enhanced" if seen.asks(ENHANCED) else "no_change"
    return [] if "sound" in seen.paths else [seen.weakness(code, "it is the source as it was given")]


def see_jump_at_join(seen: ShownContext) -> Found:
    """Find a continuation whose first picture is far from the last one of the source."""
    if "source" not in seen.paths or not seen.asks(CONTINUES):
        return None
    source, made = seen.clip("source").pictures, seen.clip().pictures
    usual = max(SAME, *(share_changed(one, other) for one, other in pairwise(source)))
    jump = share_changed(source[-1], made[0])
    return [] if jump <= 1.6 * usual else [seen.weakness("broken_join", f"{jump:.0%} of the picture jumps at the join")]


def see_noise(seen: ShownContext) -> Found:
    """Find noise that is still there."""
    if "source" not in seen.paths or not seen.asks(r"\b(?:noise|grain)\b"):
        return None
    before, after = (
        float(np.median([grain(each) for each in seen.clip(role).pictures])) for role in ("source", "video")
    )
    told = f"its grain has {after:.1f} levels, that of the source {before:.1f}"
    return [] if after <= 0.4 * before else [seen.weakness("not_enhanced", told)]


def see_darkness(seen: ShownContext) -> Found:
    """Find a video that is still dark."""
    if not seen.asks(r"\b(?:brighten|too dark|low light)\b"):
        return None
    light = float(np.mean([each.mean() for each in seen.clip().pictures]))
    return [] if light >= 75 else [seen.weakness("not_enhanced", f"its mean level is {light:.0f} of 255")]


def see_blur(seen: ShownContext) -> Found:
    """Find a video that is hardly sharper than the source."""
    if "source" not in seen.paths or not seen.asks(r"\b(?:out of focus|blur(?:red|ry)?|sharp\w*)\b"):
        return None
    cv2 = opencv()
    before, after = (
        float(np.mean([cv2.Laplacian(cv2.cvtColor(each, cv2.COLOR_RGB2GRAY), cv2.CV_32F).std() for each in clip]))
        for clip in (seen.clip("source").pictures[::EVERY], seen.clip().pictures[::EVERY])
    )
    return [] if after >= 1.5 * before else [seen.weakness("not_enhanced", f"it is {after / before:.1f} as sharp")]


def see_other_content(seen: ShownContext) -> Found:
    """Find an enhanced video that shows other things than its source, whatever the light."""
    if "source" not in seen.paths or not seen.asks(ENHANCED):
        return None
    return _often(seen, "wrong_content", lambda number, one, other: blocks_apart(_even(one), _even(other)) > FEW)


def see_lines(seen: ShownContext) -> Found:
    """Compare drawn lines with the edges of the source."""
    if "source" not in seen.paths or not seen.asks(r"\bedges\b"):
        return None
    cv2 = opencv()

    def is_off(_number: int, source: Pixels, made: Pixels) -> bool:
        edges, lines = find_edges(source), cv2.cvtColor(made, cv2.COLOR_RGB2GRAY) > 96
        wide_edges, wide_lines = (cv2.dilate(each.astype(np.uint8), np.ones((9, 9))) > 0 for each in (edges, lines))
        return not lines.any() or wide_lines[edges].mean() < 0.7 or wide_edges[lines].mean() < 0.6

    return _often(seen, "wrong_edges", is_off)


def see_region(seen: ShownContext) -> Found:
    """Compare what is white with the patch of the named colour in the source."""
    if "source" not in seen.paths or not (found := THING.search(seen.words)):
        return None

    def is_off(_number: int, source: Pixels, made: Pixels) -> bool:
        patch, marked = largest_patch(source, found["colour"].lower()), made.min(axis=2) > 128
        return patch is None or (patch & marked).sum() < 0.6 * (patch | marked).sum()

    return _often(seen, "wrong_region", is_off)


def see_dots(seen: ShownContext) -> Found:
    """Compare dots with the middles of the patches of the named colours in the source."""
    pairs = [(found["dot"].lower(), found["colour"].lower()) for found in DOT.finditer(seen.words)]
    if "source" not in seen.paths or not pairs:
        return None

    def is_off(_number: int, source: Pixels, made: Pixels) -> bool:
        for dot, colour in pairs:
            patch, place = largest_patch(source, colour), largest_patch(made, dot)
            if patch is None or place is None or np.hypot(*(middle(patch) - middle(place))) > 12:
                return True
        return False

    return _often(seen, "wrong_points", is_off)


def see_stains(seen: ShownContext) -> Found:
    """Find a stain that is still there, or was filled with what is unlike its surroundings."""
    found = seen.asks(rf"\b(?P<colour>{'|'.join(NAMES)})\b")
    if "source" not in seen.paths or not found or not seen.asks(r"\bfill in\b"):
        return None
    cv2, pure = opencv(), np.array(EXAMPLES[found["colour"].lower()][0], np.float32)
    far = np.median(np.stack([np.abs(each - pure).max(axis=2) for each in seen.clip("source").pictures]), axis=0)
    stain = (far < 90).astype(np.uint8)
    if not stain.any():
        return None
    wide = cv2.dilate(stain, np.ones((5, 5)))

    def is_off(_number: int, source: Pixels, made: Pixels) -> bool:
        filled = cv2.inpaint(source, wide, 4, cv2.INPAINT_TELEA)
        return float(cv2.absdiff(filled, made)[stain > 0].mean()) > 40

    def has_else(_number: int, source: Pixels, made: Pixels) -> bool:
        return blocks_apart(source, made, wide == 0) > FEW

    return [*_often(seen, "not_restored", is_off), *_often(seen, "wrong_content", has_else)]


def see_edit(seen: ShownContext) -> Found:
    """Look whether the thing of the named colour is gone, or has the other colour, and whether all else stayed."""
    if "source" not in seen.paths or not (found := RECOLOUR.search(seen.words) or REMOVE.search(seen.words)):
        return None
    old, new = (found.groupdict().get("old") or found["colour"]).lower(), found.groupdict().get("new")

    def is_undone(_number: int, source: Pixels, made: Pixels) -> bool:
        if (patch := largest_patch(source, old)) is None:
            return False
        names = name_pixels(made[patch])
        share = float((names == NAMES.index(new.lower() if new else old)).mean())
        if new:
            return share < 0.6
        around = _wide(patch, 15) & ~_wide(patch, 7)
        return share > 0.3 or float(np.abs(np.median(made[patch], axis=0) - np.median(made[around], axis=0)).max()) > 60

    def has_else(_number: int, source: Pixels, made: Pixels) -> bool:
        patch = largest_patch(source, old)
        keep = np.ones(source.shape[:2], bool) if patch is None else ~_wide(patch, 21)
        return blocks_apart(source, made, keep) > FEW

    return [*_often(seen, "wrong_edit", is_undone), *_often(seen, "collateral_change", has_else)]


def see_camera(seen: ShownContext) -> Found:
    """Compare where the camera goes with the words, or with the clip that shows how."""
    if "camera" in seen.paths:
        wanted = {move.direction for move in seen.report("camera").camera}
    else:
        found = MOVE.search(seen.words) if seen.asks(r"\bcamera\b") else None
        wanted = {found["way"].lower()} if found else set()  # type: ignore[arg-type]
    if len(wanted) != 1:
        return None
    goes = {move.direction for move in seen.report().camera}
    told = f"the camera goes {', '.join(sorted(goes)) or 'nowhere'}"
    return [] if wanted <= goes and len(goes) == 1 else [seen.weakness("wrong_camera", told)]


def see_style(seen: ShownContext) -> Found:
    """Compare how much colour there is, and of which hue, with the reference."""
    if "style" not in seen.paths:
        return None
    wanted = np.mean([_tones(each) for each in seen.clip("style").pictures[:1]], axis=0)
    made = np.mean([_tones(each) for each in seen.clip().pictures[::EVERY]], axis=0)
    far = float(np.linalg.norm(wanted - made))
    weak = [] if far <= 12 else [seen.weakness("wrong_style", f"its tones are {far:.0f} from the reference's (ΔE)")]
    return weak if "source" not in seen.paths else [*weak, *_often(seen, "collateral_change", _shows_other_shapes)]


def see_subject(seen: ShownContext) -> Found:
    """Look for the thing of the picture in the video, and at its way."""
    if "subject" not in seen.paths:
        return None
    subject = cut_out(seen.clip("subject").pictures[0])
    looks = range(0, len(seen.clip().pictures), EVERY)
    sights = [find_subject(seen.clip().pictures[number], subject) for number in looks]
    if sum(sight.off > 30 for sight in sights) > len(sights) / 4:
        return [seen.weakness("wrong_subject", "the thing of the picture is not found")]
    at = np.array([[sight.x, sight.y] for sight in sights])
    if "motion" in seen.paths:
        way = follow_mover(seen.report("motion"), len(seen.clip().pictures))
        off = None if way is None else float(np.hypot(*(at - way[list(looks)] * (320, 180)).T).mean())
        wrong = off is not None and off > 26
    else:
        crosses = CROSSES.search(seen.words)
        sign = 0 if crosses is None else 1 if crosses["start"].lower() == "left" else -1
        wrong = bool(sign) and sign * (at[-1, 0] - at[0, 0]) < 100
    return [seen.weakness("wrong_motion", "it goes another way")] if wrong else []


def see_sound(seen: ShownContext) -> Found:
    """Listen for the given sound in the video."""
    if "sound" not in seen.paths:
        return None
    if not door.has_sound(seen.paths["video"]):
        return [seen.weakness("wrong_sound", "it is silent")]
    heard, effect = (
        door.read_sound(seen.paths[role], rate_hz=SOUND_HZ, channels="mono").mono() for role in ("video", "sound")
    )
    missing = not find_sound(heard, effect, SOUND_HZ)
    weak = [seen.weakness("wrong_sound", "the given sound is not heard")] if missing else []
    return weak if "source" not in seen.paths else [*weak, *_often(seen, "collateral_change", _shows_other_things)]


def see_maze(seen: ShownContext) -> Found:
    """Follow the walker through the maze: over no wall, and to the goal."""
    found = WALK.search(seen.words)
    if found is None or "first_frame" not in seen.paths:
        return None
    first = seen.clip("first_frame").pictures[0]
    walker, goal = (largest_patch(first, found[name].lower()) for name in ("walker", "goal"))
    if walker is None or goal is None:
        return None
    free = clearance(first, walker | goal)
    trail = [
        patch
        for each in seen.clip().pictures[::2]
        if (patch := largest_patch(each, found["walker"].lower())) is not None
    ]
    places = [middle(patch) for patch in trail]
    weak = []
    if any(_touches_wall(free, one, other) for one, other in pairwise(places)):
        weak.append(seen.weakness("illegal_step", "its way leads over a wall"))
    if not places or np.hypot(*(places[-1] - middle(goal))) > 16:
        weak.append(seen.weakness("goal_missed", "it does not end at the goal", len(seen.clip().pictures) - 1))
    return weak


def _touches_wall(free: npt.NDArray[np.float32], one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> bool:
    steps = np.linspace(one, other, 1 + int(np.hypot(*(other - one))))
    return any(free[min(179, int(y)), min(319, int(x))] < 2 for x, y in steps)


def share_changed(one: Pixels, other: Pixels) -> float:
    """Return the share of pixels that clearly differ, after a slight blur."""
    cv2 = opencv()
    return float((cv2.absdiff(cv2.blur(one, (3, 3)), cv2.blur(other, (3, 3))).max(axis=2) > STILL).mean())


def blocks_apart(one: Pixels, other: Pixels, where: Mask | None = None) -> float:
    """Return the share of blocks whose mean colours clearly differ."""
    cv2 = opencv()
    means = [cv2.resize(each, (40, 22), interpolation=cv2.INTER_AREA).astype(np.float32) for each in (one, other)]
    far = np.abs(means[0] - means[1]).mean(axis=2) > OTHER
    if where is not None:
        far = far[cv2.resize(where.astype(np.float32), (40, 22), interpolation=cv2.INTER_AREA) > 0.99]
    return float(far.mean()) if far.size else 0.0


def grain(pixels: Pixels) -> float:
    """Return the noise of a picture in levels: the median of what a small blur takes away."""
    cv2 = opencv()
    return float(np.median(cv2.absdiff(pixels, cv2.medianBlur(pixels, 5)).mean(axis=2)))


def middle(mask: Mask) -> npt.NDArray[np.float64]:
    """Return the middle of a mask: x, y."""
    rows, columns = np.nonzero(mask)
    return np.array([columns.mean(), rows.mean()])


def _shows_other_things(_number: int, source: Pixels, made: Pixels) -> bool:
    return blocks_apart(source, made) > FEW


def _shows_other_shapes(_number: int, source: Pixels, made: Pixels) -> bool:
    """Compare two pictures without their colours."""
    cv2 = opencv()
    grey = [cv2.cvtColor(cv2.cvtColor(each, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB) for each in (source, made)]
    return blocks_apart(_even(grey[0]), _even(grey[1])) > FEW


def _even(pixels: Pixels) -> Pixels:
    """Return a picture with usual light and contrast, so that a dark and a bright one can be compared."""
    levels = (pixels.astype(np.float32) - pixels.mean()) / max(2.0, float(pixels.std()))
    made: Pixels = np.clip(128 + 55 * levels, 0, 255).astype(np.uint8)
    return made


def _tones(pixels: Pixels) -> npt.NDArray[np.float64]:
    lab = rgb_to_lab(opencv().GaussianBlur(pixels, (0, 0), 1.5)).reshape(-1, 3).astype(np.float64)
    return np.array([*lab[:, 1:].mean(axis=0), *lab[:, 1:].std(axis=0)])


def _wide(mask: Mask, side: int) -> Mask:
    wide: Mask = opencv().dilate(mask.astype(np.uint8), np.ones((side, side))) > 0
    return wide


def _pairs(seen: ShownContext) -> list[tuple[int, Pixels, Pixels]]:
    """Return number, source and video at some moments."""
    made, source = seen.clip(), seen.clip("source")
    return [(number, source.at(number), made.pictures[number]) for number in range(0, len(made.pictures), EVERY)]


def _often(seen: ShownContext, code: str, is_off: Callable[[int, Pixels, Pixels], bool]) -> list[Weakness]:
    """Return a weakness where a good part of the moments is off."""
    pairs = _pairs(seen)
    off = [number for number, source, made in pairs if is_off(number, source, made)]
    if len(off) <= len(pairs) / 4:
        return []
    return [seen.weakness(code, f"it is so at {len(off)} of {len(pairs)} moments", off[0])]
