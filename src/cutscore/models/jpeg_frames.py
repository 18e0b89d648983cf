"""Frames of a clip as a model is sent them: decoded and encoded once, however many calls show the clip."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from cutscore.core.files import FileRef
from cutscore.core.manifest import FrameManifest
from cutscore.media.plan import FramePlan

CLIPS = 8  # whose pictures are kept: 32 pictures of 480p are about 3 MB


@dataclass(frozen=True)
class JpegFrames:
    """Pictures as data URIs, each with its time as it is told, and the record of what was looked at."""

    pictures: tuple[tuple[Fraction, str], ...]
    manifest: FrameManifest


def read_jpeg_frames(path: Path, ref: FileRef, plan: str, *, trusted: bool) -> JpegFrames:
    """Return the frames of a plan as JPEGs; what the same bytes were made into before is taken again."""
    made = _encode(path, ref.model_copy(update={"name": "clip"}), plan, trusted)
    return JpegFrames(made.pictures, made.manifest.model_copy(update={"clip": ref}))


@lru_cache(maxsize=CLIPS)
def _encode(path: Path, ref: FileRef, plan: str, trusted: bool) -> JpegFrames:
    from cutscore.media.frame_cache import read_cached_frames
    from cutscore.media.frames import encode_jpeg, manifest

    parsed = FramePlan.parse(plan)
    frames = read_cached_frames(path, parsed, sha256=ref.sha256, trusted=trusted)
    pictures = tuple(
        (frame.at_s, f"data:image/jpeg;base64,{base64.b64encode(encode_jpeg(frame.pixels)).decode()}")
        for frame in frames
    )
    return JpegFrames(pictures, manifest(ref, parsed, frames))
