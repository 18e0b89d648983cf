"""What an agent finds in its box besides the machine's own programs: Python with the media packages that we have."""

import sys
from functools import cache
from importlib import metadata
from pathlib import Path

from cutscore.environments.sandbox.bubblewrap import Mount
from cutscore.environments.sandbox.layout import PYTHON

# By their names in the package index, as far as they are installed: pictures, OCR, speech.
PACKAGES = ("numpy", "opencv-python-headless", "av", "pillow", "scipy", "rapidocr", "onnxruntime", "faster-whisper")
SITE = "/opt/python-packages"


@cache
def media_mounts() -> tuple[Mount, ...]:
    """Return the interpreter and its media packages, each folder by itself: ours, with the truth in it, is left out."""
    mounts = {PYTHON: Mount(Path(sys.base_prefix), PYTHON)}
    for package in PACKAGES:
        for top in sorted(_tops(package)):
            mounts[f"{SITE}/{top.name}"] = Mount(top, f"{SITE}/{top.name}")
    return tuple(mounts.values())


def _tops(package: str) -> set[Path]:
    try:
        found = metadata.distribution(package)
    except metadata.PackageNotFoundError:
        return set()
    tops = {file.parts[0] for file in found.files or () if file.parts[0] not in ("..", "__pycache__")}
    return {path for top in tops if (path := Path(str(found.locate_file(top)))).exists()}


@cache
def tool_versions() -> dict[str, str]:
    """Return the versions of the packages in the box."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def search_path(*, node: bool) -> str:
    """Return the PATH of a box."""
    own = ("/opt/node/bin",) if node else ()
    return ":".join((*own, f"{PYTHON}/bin", "/usr/local/bin", "/usr/bin", "/bin"))
