"""What the reader looks at when it judges: the request, the pieces by role, and the video, as small pictures."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from cutscore.benchmarks.clvg.ask_parts import GENERATED
from cutscore.core.evidence import Evidence
from cutscore.core.judgement import Weakness
from cutscore.core.timeline import Span
from cutscore.media import deliverable as door
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.media.plan import FramePlan
from cutscore.perception.analysis import analyze_clip
from cutscore.perception.report import Report

SIZE = (320, 180)
PLAN = FramePlan.parse("fps=10,max=60")
PIECE = re.compile(r"^- (?P<role>[^:]+): (?P<file>[^,\n]+)", re.M)
CLIPS = 32  # that are kept


@dataclass(frozen=True, eq=False)
class SeenClip:
    """A clip or a picture in one size: its pictures, and when each is shown."""

    pictures: tuple[Pixels, ...]
    at_s: tuple[Fraction, ...]

    def at(self, number: int) -> Pixels:
        """Return a picture, or the last one where there are fewer."""
        return self.pictures[min(number, len(self.pictures) - 1)]


@dataclass(frozen=True, eq=False)
class ShownContext:
    """All that a judge without knowledge of the truth has."""

    words: str
    paths: Mapping[str, Path]
    hashes: Mapping[str, str]

    @staticmethod
    def of(evidence: Evidence) -> "ShownContext":
        """Read the request and the roles of the pieces."""
        files = {"video": GENERATED}
        for found in PIECE.finditer(str(evidence.facts.get("pieces", ""))):
            files.setdefault(found["role"].strip().replace(" ", "_"), f"context/{found['file'].strip()}")
        refs = {role: evidence.file(name) for role, name in files.items()}
        known = {role: ref for role, ref in refs.items() if ref is not None}
        return ShownContext(
            words=str(evidence.facts.get("request", "")),
            paths={role: evidence.path(ref.name) for role, ref in known.items()},
            hashes={role: ref.sha256 for role, ref in known.items()},
        )

    def asks(self, pattern: str) -> re.Match[str] | None:
        """Return whether the request has some words."""
        return re.search(pattern, self.words, re.I)

    def clip(self, role: str = "video") -> SeenClip:
        """Return what a role's file shows."""
        return _see(self.paths[role], self.hashes[role])

    def report(self, role: str = "video") -> Report:
        """Return what there is to be seen in a role's clip, camera and things apart."""
        return _report(self.paths[role], self.hashes[role])

    def weakness(self, code: str, text: str, number: int = 0) -> Weakness:
        """Return a weakness at a picture of the video."""
        at_s = self.clip().at_s[number]
        return Weakness(code=code, text=text, at=Span(start_s=at_s, end_s=at_s))


@lru_cache(maxsize=CLIPS)
def _see(path: Path, sha256: str) -> SeenClip:
    with path.open("rb") as stream:
        head = stream.read(4)
    if head in (b"\x89PNG", b"RIFF", b"GIF8") or head.startswith(b"\xff\xd8"):
        return SeenClip((_fit(door.read_still(path)),), (Fraction(0),))
    frames = door.read_frames(path, PLAN)
    return SeenClip(tuple(_fit(each.pixels) for each in frames), tuple(each.at_s for each in frames))


def _fit(pixels: Pixels) -> Pixels:
    if (pixels.shape[1], pixels.shape[0]) == SIZE:
        return pixels
    fitted: Pixels = opencv().resize(pixels, SIZE, interpolation=opencv().INTER_AREA)
    return fitted


@lru_cache(maxsize=CLIPS)
def _report(path: Path, sha256: str) -> Report:
    return analyze_clip(door.iter_frames(path, PLAN), frames_per_s=Fraction(10))
