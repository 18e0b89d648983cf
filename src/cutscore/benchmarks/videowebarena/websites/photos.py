"""Photos that visitors bring: told by their first bytes, whatever they are called."""

from cutscore.benchmarks.videowebarena.websites.visit import Upload, Visit
from cutscore.core.errors import BrokenData
from cutscore.media.stills import detect_still

MOST_BYTES = 4_000_000
HEAD_BYTES = 64  # that tell what a file is


def check_photo(visit: Visit, upload: Upload) -> str:
    """Return the media type of a photo; refuse what is none, or too large."""
    if len(upload.content) > MOST_BYTES:
        visit.refuse(f"A photo has at most {MOST_BYTES // 1_000_000} MB.", status=413)
    try:
        return f"image/{detect_still(upload.content[:HEAD_BYTES]).replace('mjpeg', 'jpeg')}"
    except BrokenData:
        visit.refuse("This file is no photo. Known are PNG, JPEG, WebP and GIF.")
