"""Footage: what the user names → clips that were looked at, hashed and given safe names.

    FILE              one video
    FOLDER            every video in it and below, by name
    stage:NAME        a scene of the stage, rendered; stage:TAG for all scenes with a tag
                      stage:NAME,seed=3,length_s=30,height=240,rate=10

Beside `pancakes.mp4` may lie `pancakes.procedure.json`, `pancakes.vtt` (or `.srt`, `.transcript.json`),
`pancakes.licence` and `pancakes.source` (lines `address: …` and `author: …`). Footage comes from strangers: it is
decoded in a limited child, and a file that cannot be used is refused by name while the others go on.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np

from cutscore.authoring.build_folder import BuildFolder
from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.files import FileRef
from cutscore.core.frozen import FrozenModel
from cutscore.core.timeline import seconds
from cutscore.media.audio import iter_sound
from cutscore.media.budget import DEFAULT_BUDGET
from cutscore.media.probe import probe
from cutscore.media.render import write_clip
from cutscore.media.source import shown_name
from cutscore.stage import library
from cutscore.stage.render import frames
from cutscore.stage.scene import Scene

STAGE = "stage:"
STAGE_LICENCE = "Apache-2.0"  # rendered by us, like all of the package
SUFFIXES = frozenset({".mp4", ".m4v", ".mov", ".mkv", ".webm"})
TRANSCRIPTS = (".transcript.json", ".vtt", ".srt")
LICENCES = (".licence", ".license")
ORIGIN, ORIGIN_FIELDS = ".source", ("address", "author")
FOLDER_LICENCES = ("LICENCE", "LICENSE", "LICENCE.txt", "LICENSE.txt")
# Container → the ending and the type that its clips get, whatever they were called.
KINDS = {
    "mp4": (".mp4", "video/mp4"),
    "mov": (".mov", "video/quicktime"),
    "matroska": (".mkv", "video/matroska"),
    "webm": (".webm", "video/webm"),
}
# Peak below which nothing is heard: -80 dB, three steps of a 16-bit sample.
SILENCE, LISTEN_HZ = 1e-4, 16_000
MOST_REASONS = 12
LONGEST_NAME, LONGEST_LICENCE, LONGEST_PATH = 60, 100, 1_000
SCENE_SETTINGS = ("seed", "length_s", "height", "rate")


class RefusedSource(FrozenModel):
    """A file, a clip, or a kind of question of a clip that was left out, and why."""

    what: str
    because: str


def all_reasons(refused: Sequence[RefusedSource]) -> str:
    """Return why each of them was refused, in one line; of very many, how many more there are."""
    told = [f"{each.what}: {each.because}" for each in refused[:MOST_REASONS]]
    more = [f"{len(refused) - MOST_REASONS:,} more"] if len(refused) > MOST_REASONS else []
    return " · ".join([*told, *more])


@dataclass(frozen=True)
class SourceClip:
    """A video that items can be made of.

    Args:
        name: Safe as a file name, and no other clip's.
        ref: The file as it will lie in the pack; its bytes are at `path`, in the build's store.
        source: As the user named it.
        has_sound: Something is heard; a silent track is no sound.
        licence: Empty when nobody said.
        address, author: Where it is to be had, and whose it is; empty when nobody said.
        scene: What was rendered, when we did.
        procedure, transcript: Files beside the footage.
    """

    name: str
    ref: FileRef
    path: Path
    source: str
    length_s: Fraction
    has_sound: bool = False
    licence: str = ""
    address: str = ""
    author: str = ""
    scene: Scene | None = None
    procedure: Path | None = None
    transcript: Path | None = None


@dataclass(frozen=True)
class SourceFootage:
    """All clips that were read, in the order of the words, and what was refused."""

    clips: tuple[SourceClip, ...]
    refused: tuple[RefusedSource, ...] = ()


@dataclass(frozen=True)
class _NamedSource:
    """A file or a scene before anybody looked at it."""

    name: str
    source: str
    file: Path | None = None
    scene: Scene | None = None


def keep_scene(scene: Scene) -> Scene:
    """Return a scene as the library has it."""
    return scene


def read_footage(
    words: Sequence[str],
    out: BuildFolder,
    *,
    licence: str,
    tell: Callable[[str], None],
    staging: Callable[[Scene], Scene] = keep_scene,
) -> SourceFootage:
    """Probe all footage, hash it, and put it into the build's store.

    A word that leads nowhere is an error before anything is done. The licence is that of all files that have none
    beside them, and `staging` is what a recipe does to scenes before they are rendered.
    """
    named = [each for word in words for each in _find_sources(word, staging)]
    clips: dict[str, SourceClip] = {}
    refused: list[RefusedSource] = []
    taken: set[str] = set()
    for number, each in enumerate(named, start=1):
        tell(f"clip {number} of {len(named)}: {each.source}")
        try:
            clip = _read_clip(each, _safe_name(each.name, taken), out, licence)
            if twin := clips.get(clip.ref.sha256):
                raise BadInput(each.source, f"is the same file as '{twin.source}'")
        except BadInput as error:
            refused.append(RefusedSource(what=shown_name(each.source, most=LONGEST_PATH), because=error.fact))
            continue
        clips[clip.ref.sha256] = clip
        taken.add(clip.name.casefold())
    if not clips:
        why = all_reasons(refused) or "there is no video in it"
        raise BadInput("footage", f"nothing can be used of {', '.join(words)}", why)
    return SourceFootage(tuple(clips.values()), tuple(refused))


def _find_sources(word: str, staging: Callable[[Scene], Scene]) -> Iterator[_NamedSource]:
    if word.startswith(STAGE):
        yield from (_NamedSource(scene.name, word, scene=staging(scene)) for scene in find_scenes(word))
        return
    path = Path(word)
    if path.is_dir():
        for file in sorted(file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES):
            if not any(part.startswith(".") for part in file.relative_to(path).parts):
                yield _NamedSource(file.stem, str(file), file=file)
    elif path.exists():
        yield _NamedSource(path.stem, word, file=path)
    else:
        what = f"footage '{shown_name(word, most=LONGEST_PATH)}'"
        raise BadInput(what, "there is no such file or folder", f"or write {STAGE}NAME")


def find_scenes(word: str) -> list[Scene]:
    """Return the scenes of `stage:NAME` or `stage:TAG`, with settings behind commas.

    >>> [scene.name for scene in find_scenes("stage:pancakes,length_s=20,height=180,rate=10")]
    ['pancakes']
    """
    name, *rest = word.removeprefix(STAGE).split(",")
    said: dict[str, str] = {}
    for pair in rest:
        key, equals, value = pair.partition("=")
        if key not in SCENE_SETTINGS:
            raise UnknownName.among("setting of a scene", key, SCENE_SETTINGS)
        if not (equals and value):
            raise BadInput(f"footage '{word}'", f"'{pair}' is not NAME=VALUE", f"write {key}=…")
        said[key] = value
    names = [name] if name in library.names() else list(library.names(name) if name else ())
    if not names:
        raise UnknownName.among("scene or tag of the stage", name, library.names())
    try:
        seed = int(said.get("seed", "0"))
        length_s = seconds(said["length_s"]) if "length_s" in said else None
        return [_resize(library.scene(each, seed=seed, length_s=length_s), said) for each in names]
    except ValueError as error:
        raise BadInput(f"footage '{word}'", str(error).splitlines()[0], "mend the setting") from None


def _resize(scene: Scene, said: dict[str, str]) -> Scene:
    changed: dict[str, object] = {}
    if "height" in said:
        height = int(said["height"])
        changed |= {"height": height, "width": round(height * Fraction(16, 9) / 2) * 2}
    if "rate" in said:
        changed |= {"rate": seconds(said["rate"])}
    return Scene.model_validate(scene.model_dump() | changed)


def _safe_name(wanted: str, taken: set[str]) -> str:
    """Make a name safe as a file's, and unlike those that are taken.

    >>> _safe_name("Wie man Käse reibt (2)", {"wie-man-kase-reibt-2"})
    'Wie-man-Kase-reibt-2-2'
    """
    plain = unicodedata.normalize("NFKD", wanted).encode("ascii", "ignore").decode()
    safe = re.sub(r"[^A-Za-z0-9_]+", "-", plain).strip("-_")[:LONGEST_NAME] or "clip"
    number, name = 1, safe
    while name.casefold() in taken:
        number += 1
        name = f"{safe}-{number}"
    return name


def _read_clip(named: _NamedSource, name: str, out: BuildFolder, licence: str) -> SourceClip:
    scene, file = named.scene, named.file
    source = file
    if scene is not None:
        source = out.once(f"stage/{scene.item_id}.mp4", lambda draft: write_clip(draft, frames(scene), rate=scene.rate))
    assert source is not None
    kept = out.store.put(source, name=name, max_bytes=DEFAULT_BUDGET.file_bytes)
    path = out.store.path(kept)
    facts = probe(path, trusted=scene is not None)
    if facts.duration_s is None or facts.duration_s <= 0:
        raise BadInput(named.source, "has no length")
    suffix, media_type = KINDS[facts.container]
    origin = _read_origin(_find_beside(file, (ORIGIN,)))
    return SourceClip(
        name=name,
        ref=kept.model_copy(update={"name": f"media/{name}{suffix}", "media_type": media_type}),
        path=path,
        source=named.source,
        length_s=facts.duration_s,
        has_sound=facts.sound is not None and _is_heard(path, trusted=scene is not None),
        licence=STAGE_LICENCE if file is None else _read_licence(file, licence),
        address=origin.get("address", ""),
        author=origin.get("author", ""),
        scene=scene,
        procedure=_find_beside(file, (".procedure.json",)),
        transcript=_find_beside(file, TRANSCRIPTS),
    )


def _is_heard(path: Path, *, trusted: bool) -> bool:
    """Return whether a sound track is anywhere louder than silence; it is read only as far as that takes."""
    blocks = iter_sound(path, rate_hz=LISTEN_HZ, channels="mono", trusted=trusted)
    return any(float(np.abs(block).max(initial=0)) > SILENCE for block in blocks)


def _find_beside(file: Path | None, suffixes: Sequence[str]) -> Path | None:
    found = (file.with_name(file.stem + suffix) for suffix in suffixes) if file is not None else ()
    return next((path for path in found if path.is_file()), None)


def _read_licence(file: Path, said: str) -> str:
    """Return the licence beside a file, else the one that was said, else its folder's."""
    beside = _find_beside(file, LICENCES)
    general = next((path for name in FOLDER_LICENCES if (path := file.with_name(name)).is_file()), None)
    return (beside and _first_line(beside)) or said or (general and _first_line(general)) or ""


def _read_origin(file: Path | None) -> dict[str, str]:
    """Read who made a file and where it is to be had: lines `address: …` and `author: …`."""
    if file is None:
        return {}
    with file.open("rb") as stream:
        lines = stream.read(4096).decode("utf-8", "replace").splitlines()
    said = {name.strip(): value.strip() for name, colon, value in (line.partition(":") for line in lines) if colon}
    if strange := [line for line in lines if line.strip() and line.partition(":")[0].strip() not in ORIGIN_FIELDS]:
        fact = f"'{shown_name(strange[0], most=LONGEST_LICENCE)}' is no line of it"
        raise BadInput(f"file '{file.name}'", f"{file.name}: {fact}; write address: … and author: …")
    return {name: shown_name(value, most=LONGEST_PATH) for name, value in said.items()}


def _first_line(file: Path) -> str:
    with file.open("rb") as stream:
        text = stream.read(4096).decode("utf-8", "replace")
    lines = (shown_name(line.strip(), most=LONGEST_LICENCE) for line in text.splitlines())
    return next(filter(None, lines), "")
