"""What a call will carry, counted before it is sent: characters, frames with their sizes, seconds of whole clips.

Messages are counted as `boundary.py` would send them. Clips are looked at and not decoded: how long they are and how
large says how many frames a plan takes and what they weigh.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from cutscore.core.files import FileRef
from cutscore.models.provider import MediaInput
from cutscore.models.references import read_reference
from cutscore.models.token_rules import TokenRule, text_tokens

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage

    from cutscore.media.plan import FramePlan

CLIPS = 4096  # that are remembered
SOUND_HZ = 8000  # at which sound is read for its length
MOST_SCANNED_BYTES = 64 << 20  # of larger clips the container is believed, which saves reading them to the end


@dataclass(frozen=True)
class ExpectedCall:
    """What one call carries.

    Args:
        frames: How many pictures there are of each width and height.
        video_s, audio_s: Seconds of clips and of sound that are sent whole.
    """

    chars: int = 0
    frames: Counter[tuple[int, int]] = field(default_factory=Counter)
    video_s: float = 0.0
    audio_s: float = 0.0

    def __add__(self, other: ExpectedCall) -> ExpectedCall:
        """Return what both carry."""
        return ExpectedCall(
            self.chars + other.chars,
            self.frames + other.frames,
            self.video_s + other.video_s,
            self.audio_s + other.audio_s,
        )

    def media_tokens(self, rule: TokenRule) -> int:
        """Return what pictures, clips and sound are in tokens."""
        seconds = self.video_s * (rule.video_tokens_per_s or 0) + self.audio_s * (rule.audio_tokens_per_s or 0)
        return sum(rule.picture(*size) * times for size, times in self.frames.items()) + round(seconds)

    def input_tokens(self, rule: TokenRule) -> int:
        """Return all that the model reads, in tokens; text by a guess."""
        return self.media_tokens(rule) + text_tokens(self.chars)


def expect_call(
    messages: Iterable[ChatMessage], *, path: Callable[[FileRef], Path], frames: str, takes: MediaInput
) -> ExpectedCall:
    """Count what messages carry when they are sent to a model that takes clips so, frames by the plan."""
    total = ExpectedCall()
    for message in messages:
        if isinstance(message.content, str):
            total += ExpectedCall(chars=len(message.content))
            continue
        for part in message.content:
            uri = getattr(part, part.type, "") if part.type in ("image", "audio", "video") else ""
            ref = read_reference(uri) if isinstance(uri, str) and uri else None
            if ref is not None:
                total += _expect_media(ref, path(ref), part.type, frames=frames, takes=takes)
            elif part.type == "text":
                total += ExpectedCall(chars=len(part.text))
    return total


def _expect_media(ref: FileRef, path: Path, kind: str, *, frames: str, takes: MediaInput) -> ExpectedCall:
    from cutscore.media.plan import FramePlan

    if takes == "text":
        return ExpectedCall(chars=len(f"{ref.name}: not shown"))
    found = _look(path, ref.sha256, kind)
    if kind == "image":
        return ExpectedCall(frames=Counter({(found.width, found.height): 1}))
    if kind == "audio":
        return ExpectedCall(audio_s=float(found.duration_s))
    if takes == "video":
        return ExpectedCall(video_s=float(found.duration_s))
    count = count_frames(FramePlan.parse(frames), found)
    # Each frame goes out with a line of text that names clip and second.
    line = len(f"{ref.name} at {float(found.duration_s):.3f} s")
    return ExpectedCall(chars=count * line, frames=Counter({(found.width, found.height): count}))


def clip_length_s(ref: FileRef, path: Path) -> float:
    """Return how long a video is; 0 for a file of another kind."""
    return float(_look(path, ref.sha256, "video").duration_s) if ref.media_type.startswith("video/") else 0.0


@dataclass(frozen=True)
class ClipSize:
    """What is known of a file of media without decoding it."""

    width: int = 0
    height: int = 0
    duration_s: Fraction = Fraction(0)
    frames: int = 0


@lru_cache(maxsize=CLIPS)
def _look(path: Path, sha256: str, kind: str) -> ClipSize:
    """Look at a file of media; `sha256` tells its content, whatever its path held before."""
    if kind == "image":
        from cutscore.media.images import read_picture

        height, width, _ = read_picture(path).shape
        return ClipSize(width, height)
    if kind == "audio":
        from cutscore.media.audio import iter_sound

        samples = sum(len(block) for block in iter_sound(path, rate_hz=SOUND_HZ, channels="mono"))
        return ClipSize(duration_s=Fraction(samples, SOUND_HZ))
    from cutscore.media.probe import probe

    found = probe(path, scan=path.stat().st_size <= MOST_SCANNED_BYTES)
    length = found.duration_s or found.container_s or Fraction(0)
    frames = found.frames if found.frames is not None else round(length * (found.rate or 0))
    return ClipSize(found.width, found.height, length, frames)


def count_frames(plan: FramePlan, clip: ClipSize) -> int:
    """Count the frames that a plan takes of a clip.

    >>> from cutscore.media.plan import FramePlan
    >>> count_frames(FramePlan.parse("fps=1,max=8"), ClipSize(640, 360, Fraction(5), 125))
    5
    """
    from cutscore.media.plan import Every, Released, Shuffled

    if isinstance(plan, Shuffled):
        return count_frames(plan.plan, clip)
    if isinstance(plan, Released):
        return len(plan.numbers(clip.frames))
    if isinstance(plan, Every):
        length = min(plan.end_s, clip.duration_s) - plan.start_s
        return round(clip.frames * length / clip.duration_s) if length > 0 else 0
    return len(plan.times(clip.duration_s))
