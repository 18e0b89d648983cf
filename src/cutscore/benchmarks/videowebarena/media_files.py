"""Videos and images of tasks in a user's folder. They are looked up and hashed, and never fetched.

    NAME                                              videos/NAME.mov, else videos/NAME.mp4
    what is said in it                                videos/NAME.vtt
    what was done in it and when                      videos/NAME.log.json
    coco_images/000000515982.jpg                      images/coco_images/000000515982.jpg
    __REDDIT__/submission_images/a.jpg                images/reddit/submission_images/a.jpg
    https://images.pexels.com/photos/1/a.jpeg?w=9     images/images.pexels.com/photos/1/a.jpeg

What follows `?` or `#` is left out: one picture at several sizes is one file. Videos and `coco_images/` may also lie in
the folder itself, as they do where the authors' archives were unpacked.
"""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

from cutscore.benchmarks.videowebarena.tutorials.action_log import ENDING, TutorialLog, read_log
from cutscore.core.files import FileRef, FileStore, media_type_of

FOLDERS = ("videos", "images", "coco_images")
VIDEO_ENDINGS = (".mov", ".mp4")
MOST_CHARACTERS = 2_000  # of an address that can be a path
_SITE = re.compile(r"__([A-Z][A-Z0-9_]*?)__/")
_SAFE_PART = re.compile(r"[\w.,@%+=~ -]{1,200}")


def image_path(address: str) -> str | None:
    """Return where an image lies below `images/`; None where its address cannot be a path.

    >>> image_path("__REDDIT__/submission_images/a.jpg"), image_path("https://h.org/../etc/passwd")
    ('reddit/submission_images/a.jpg', None)
    """
    if len(address) > MOST_CHARACTERS or not address.isprintable():
        return None
    written = _SITE.sub(lambda found: f"{found[1].lower()}/", address, count=1)
    try:
        parts = urlsplit(written)
        path = f"{parts.hostname or ''}{parts.path}" if parts.scheme else parts.path
    except ValueError:
        return None
    sound = all(_SAFE_PART.fullmatch(step) and step.strip(".") for step in path.split("/"))
    return path if sound and parts.scheme in ("", "http", "https") else None


@dataclass(frozen=True)
class MediaFiles:
    """Finds files of a folder, and takes each into the store once."""

    folder: Path
    store: FileStore
    _taken: dict[Path, FileRef] = field(default_factory=dict)
    _logs: dict[str, TutorialLog] = field(default_factory=dict)

    def video(self, name: str) -> FileRef | None:
        """Return a tutorial by its name; None where it is not at hand."""
        if not _is_safe(name):
            return None
        places = (f"{folder}{name}{ending}" for ending in VIDEO_ENDINGS for folder in ("videos/", ""))
        return self._take(places, "tutorial")

    def transcript(self, name: str) -> FileRef | None:
        """Return what is said in a tutorial, as subtitles; None where they are not at hand."""
        return self._take((f"videos/{name}.vtt",), "tutorial") if _is_safe(name) else None

    def log(self, name: str) -> TutorialLog | None:
        """Return what was done in a tutorial and when; None where its log is not at hand."""
        place = f"videos/{name}{ENDING}"
        if not _is_safe(name) or place not in self._there:
            return None
        if place not in self._logs:
            self._logs[place] = read_log(self.folder / place)
        return self._logs[place]

    def image(self, address: str, name: str) -> FileRef | None:
        """Return an image by its address, under a name of ours; None where it is not at hand."""
        path = image_path(address)
        return self._take((f"images/{path}", path), name) if path else None

    def _take(self, places: Iterable[str], name: str) -> FileRef | None:
        place = next((place for place in places if place in self._there), None)
        if place is None:
            return None
        file = self.folder / place
        if file not in self._taken:
            self._taken[file] = self.store.put(file, name=file.name, media_type=media_type_of(file.name))
        return self._taken[file].model_copy(update={"name": f"{name}{file.suffix.lower()}"})

    @cached_property
    def _there(self) -> frozenset[str]:
        """Files of the folder that may be meant, looked up once for all tasks; links are no files of it."""
        found = [each.name for each in self.folder.iterdir() if each.suffix in VIDEO_ENDINGS and _is_file(each)]
        for name in FOLDERS:
            for at, folders, files in os.walk(self.folder / name):
                folders.sort()
                inside = Path(at).relative_to(self.folder)
                found += [(inside / each).as_posix() for each in files if _is_file(Path(at) / each)]
        return frozenset(found)


def _is_safe(name: str) -> bool:
    return _SAFE_PART.fullmatch(name) is not None and bool(name.strip("."))


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()
