"""Whoever marks sees deliverables through `media.deliverable`, where nothing is trusted, and cannot forget it.

Read from the source of every marker: which modules of `media` it imports, and whether it says `trusted=True`.
"""

import ast
import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import cutscore
from cutscore.cells.scoring_code import reached_from
from cutscore.core.errors import Stopped
from cutscore.media import audio, decoder_pool, deliverable, frames, planes, probe
from cutscore.media.plan import FramePlan
from cutscore.registry import benchmarks

HOME = Path(cutscore.__file__).parent
# Of media: the door, what never opens a file, and transcripts, which a pack holds.
OPEN_TO_MARKERS = {
    *("alignment", "budget", "deliverable", "levels", "loudness", "opencv", "orientation", "plan", "sound"),
    "transcript",
}


def markers() -> list[Path]:
    """Every file of a benchmark's folder that `mark.py` reaches, and all of ours that verify or judge."""
    reached = [reached_from([each.folder / "mark.py"], each).values() for each in benchmarks().values()]
    folders = [each.folder for each in benchmarks().values()]
    found = {path for paths in reached for path in paths if any(path.is_relative_to(folder) for folder in folders)}
    return sorted([*found, *(HOME / "scoring/verifiers").rglob("*.py"), *(HOME / "scoring/judges").rglob("*.py")])


def faults(source: str) -> Iterator[str]:
    """Say what a marker does that it should not."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            names = []
        for name in names:
            part = name.removeprefix("cutscore.media.").split(".")[0]
            if name.startswith("cutscore.media") and part not in OPEN_TO_MARKERS:
                yield f"imports {name}: use cutscore.media.deliverable"
            if name.split(".")[0] == "av":
                yield "imports av: use cutscore.media.deliverable"
        if isinstance(node, ast.keyword) and node.arg == "trusted":
            yield "has an opinion on what is trusted"


@pytest.mark.parametrize("path", markers(), ids=lambda path: str(path.relative_to(HOME)))
def test_markers_come_through_the_door(path: Path) -> None:
    assert list(faults(path.read_text())) == []


@pytest.mark.parametrize(
    "source",
    [
        "from cutscore.media.frames import read_frames",
        "from cutscore.media import audio",
        "def mark():\n    import cutscore.media.planes",
        "import cutscore.media",
        "import av",
        "from av.container import InputContainer",
        "one_pass(path, trusted=True)",
    ],
)
def test_what_goes_past_the_door_is_found(source: str) -> None:
    assert list(faults(source))


def test_what_is_allowed_is_not_found() -> None:
    allowed = "from cutscore.media.deliverable import read_frames\nfrom cutscore.media.loudness import loudness_lufs\n"
    assert list(faults(allowed + "from cutscore.media import deliverable\none_pass(evidence.path('fixed.mp4'))")) == []


def test_all_markers_are_read() -> None:
    names = {str(path.relative_to(HOME)) for path in markers()}
    assert {"benchmarks/colorbars/mark.py", "benchmarks/repair/verify/window.py"} <= names


def test_the_door_has_everything_that_takes_a_switch_and_no_switch() -> None:
    def functions(module: object) -> dict[str, inspect.Signature]:
        found = inspect.getmembers(module, inspect.isfunction)
        return {name: inspect.signature(each) for name, each in found if not name.startswith("_")}

    switched = {
        name: signature
        for module in (frames, audio, planes, probe)
        for name, signature in functions(module).items()
        if "trusted" in signature.parameters
    }
    door = functions(deliverable)
    assert list(door.pop("probe_film").parameters) == ["path"]  # the same as probe, for films that are handed in
    assert list(door.pop("write_clean_copy").parameters) == ["path", "copy"]  # for programs that want a file
    assert list(door.pop("read_still").parameters) == ["path", "budget"]  # a still is never trusted
    assert switched.keys() == door.keys()
    for name, signature in door.items():
        assert list(signature.parameters) == [each for each in switched[name].parameters if each != "trusted"]


@pytest.mark.parametrize(
    "look",
    [
        deliverable.probe,
        deliverable.extent_of,
        lambda path: deliverable.read_frames(path, FramePlan.parse("times=0")),
        lambda path: next(deliverable.iter_frames(path, FramePlan.parse("times=0"))),
        lambda path: next(deliverable.iter_pictures(path)),
        deliverable.has_sound,
        lambda path: deliverable.read_sound(path, rate_hz=8000, channels="mono"),
        lambda path: next(deliverable.iter_sound(path, rate_hz=8000, channels="mono")),
        lambda path: deliverable.write_clean_copy(path, path.with_name("copy.mp4")),
    ],
)
def test_behind_the_door_there_is_a_child_or_nothing(
    look: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "fixed.mp4"
    path.write_bytes(b"")
    decoder_pool.POOL.end()
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(Stopped, match="cannot start a process"):
        look(path)
