"""What of a clip becomes the context of a case, by its subcategory, and which pieces are good enough to be given.

An image that is blurred or flat leaves open what is meant; one whose colours are not those of the clip it comes from
would teach another style. A sound that is mostly noise, cut at its tops or silent says nothing of a voice.
"""

from dataclasses import dataclass
from fractions import Fraction

import cv2
import numpy as np

from cutscore.authoring.footage import SourceClip
from cutscore.benchmarks.clvg.dataset import ContextPart
from cutscore.benchmarks.clvg.taxonomy import Subcategory
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef, FileStore
from cutscore.media.levels import find_clippings, find_silences
from cutscore.media.orientation import Pixels
from cutscore.media.sound import Sound

VIDEO, STILL, SOUND = "video", "still", "sound"
# Roles and what they are made of, by subcategory where it is its own, else by category.
CONTEXTS: dict[str, tuple[tuple[str, str], ...]] = {
    "element_editing": (("source", VIDEO),),
    "vocal_timbre": (("source", VIDEO), ("voice", SOUND)),
    "dialogue_editing": (("source", VIDEO), ("voice", SOUND)),
    "partial_reference": (("reference", VIDEO),),
    "subject_reference": (("subject", STILL),),
    "style_transfer": (("style", STILL),),
    "background_reference": (("background", STILL),),
    "composition": (("composition", STILL),),
    "dialogue_reference": (("voice", SOUND),),
    "sound_effects": (("sound", SOUND),),
    "script_continuation": (("source", VIDEO),),
    "physical_simulation": (("first_frame", STILL),),
    "perception": (("source", VIDEO),),
    "logical_reasoning": (("first_frame", STILL),),
}
SHARPEST = 20.0  # variance of the Laplacian below which a picture of 8 bits counts as blurred
FLATTEST = 8.0  # standard deviation of brightness below which nothing is to be seen
MOST_DRIFT = 0.35  # of the colours' histograms, 0 alike and 1 unlike
LEAST_SNR_DB = 10.0
SOUND_RATE_HZ = 24_000
MOST_SILENT = 0.5


def plan_context(kind: Subcategory) -> tuple[tuple[str, str], ...]:
    """Return the roles of a context and what each is made of."""
    return CONTEXTS.get(kind.code) or CONTEXTS[kind.category]


def refuse_still(picture: Pixels, clip: Pixels) -> str:
    """Return why a picture is no good reference of a clip, which another picture stands for; empty when it is one."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    if float(grey.std()) < FLATTEST:
        return "shows next to nothing"
    if float(cv2.Laplacian(grey, cv2.CV_64F).var()) < SHARPEST:
        return "is blurred, so what it shows is ambiguous"
    drift = style_drift(picture, clip)
    return f"has other colours than its clip (drift {drift:.2f})" if drift > MOST_DRIFT else ""


def style_drift(one: Pixels, other: Pixels) -> float:
    """Return how unlike the colours of two pictures are: 0 alike, 1 unlike (Hellinger's distance of histograms)."""
    first, second = (
        cv2.calcHist([cv2.cvtColor(each, cv2.COLOR_RGB2HSV)], [0, 1], None, [16, 8], [0, 180, 0, 256])
        for each in (one, other)
    )
    return float(cv2.compareHist(first, second, cv2.HISTCMP_BHATTACHARYYA))


def refuse_sound(sound: Sound) -> str:
    """Return why a sound is no good reference: silent, cut at its tops, or drowned in noise; empty when it is one."""
    silent = sum((span.end_s - span.start_s for span in find_silences(sound)), Fraction(0))
    if sound.length_s <= 0 or silent > sound.length_s * Fraction(MOST_SILENT):
        return "is silent for most of the time"
    if find_clippings(sound):
        return "is cut at its tops"
    snr = estimate_snr_db(sound)
    return f"is noisy ({snr:.0f} dB above its floor, {LEAST_SNR_DB:.0f} wanted)" if snr < LEAST_SNR_DB else ""


def estimate_snr_db(sound: Sound) -> float:
    """Return how far the loud tenth of a sound lies above its quiet tenth, in blocks of 50 ms."""
    mono, block = sound.mono().astype(np.float64), max(1, sound.rate_hz // 20)
    whole = mono[: len(mono) // block * block].reshape(-1, block)
    level = 10 * np.log10((whole**2).mean(axis=1) + 1e-12)
    return float(np.percentile(level, 90) - np.percentile(level, 10)) if len(level) else 0.0


@dataclass(frozen=True)
class CaseContext:
    """The files of a case, and what each is for."""

    files: tuple[FileRef, ...]
    parts: tuple[ContextPart, ...]


def make_context(kind: Subcategory, clip: SourceClip, store: FileStore) -> CaseContext:
    """Cut the pieces of a context out of a clip; BadInput where one would not do, with the reason."""
    files, parts = [], []
    for role, made_of in plan_context(kind):
        ref = _make_piece(clip, made_of, role, store)
        files.append(ref)
        parts.append(ContextPart(role=role, file=ref.name))
    return CaseContext(tuple(files), tuple(parts))


def _make_piece(clip: SourceClip, made_of: str, role: str, store: FileStore) -> FileRef:
    if made_of == VIDEO:
        return clip.ref
    stem = clip.ref.name.rpartition(".")[0]
    if made_of == STILL:
        return _put_still(clip, f"{stem}.{role}.png", store)
    return _put_sound(clip, f"{stem}.{role}.wav", store)


def _put_still(clip: SourceClip, name: str, store: FileStore) -> FileRef:
    from cutscore.media.frames import read_frames
    from cutscore.media.plan import FramePlan

    frames = [frame.pixels for frame in read_frames(clip.path, FramePlan.parse("uniform=3"), trusted=False)]
    picture = frames[0]
    if fault := refuse_still(picture, frames[len(frames) // 2]):
        raise BadInput(f"clip '{clip.name}'", f"its first picture {fault}", "take another clip")
    done, data = cv2.imencode(".png", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
    if not done:
        raise BadInput(f"clip '{clip.name}'", "its first picture cannot be written")
    return store.put_bytes(data.tobytes(), name=name, media_type="image/png")


def _put_sound(clip: SourceClip, name: str, store: FileStore) -> FileRef:
    from cutscore.media.audio import read_sound

    if not clip.has_sound:
        raise BadInput(f"clip '{clip.name}'", "nothing is heard in it", "take a clip with sound")
    sound = read_sound(clip.path, rate_hz=SOUND_RATE_HZ, channels="mono", trusted=False)
    if fault := refuse_sound(sound):
        raise BadInput(f"clip '{clip.name}'", f"its sound {fault}", "take another clip")
    return store.put_bytes(sound.as_wav(), name=name, media_type="audio/wav")
