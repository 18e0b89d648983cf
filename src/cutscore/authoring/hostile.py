"""Submissions that must not score, and what makes them: shared by all benchmarks whose verifiers must not be fooled.

A benchmark offers `hostile(item, store)` in its `hostile.py`: at least `FEWEST` submissions. Each is taken in exactly
as `cutscore score` takes a folder, then marked. It must get no more than nothing gets (the floor), or what the paper's
own rule gives it in a mode.

What else a benchmark may offer to its gates (`authoring.gates`), each optional:

    hostile.honest(item, store) -> list[HonestSubmission]       good work, encoded otherwise
    dataset.authoring_faults(item) -> list[str]                 what is wrong with its brief or its rubric
    shortcuts.shortcuts(ask, store) -> dict[str, Deliverable]   solvers that see the ask alone and understand nothing
    shortcuts.PRINTED: dict[str, str]                           which of these may beat chance, and why
    shortcuts.GUESSES: collection of names                      which of these guess blindly: the best is chance

The functions here return attacks on one file. `attack_submission` puts each into an otherwise good submission, so that
nothing else can be the reason of a low score:

    good = {"solution.json": b'["b.mp4", "a.mp4"]', "solution.mp4": film}
    attack_submission(good, json_attacks("solution.json", good["solution.json"]))
    attack_submission(good, video_attacks("solution.mp4", film), most={"paper": 1.0}, spared="the order alone counts")
"""

import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

FEWEST = 25
"""Hostile submissions that every verifier has to withstand."""

Attack = Callable[[Path], None]
"""Puts one bad file into a folder that holds the rest of a submission."""

_HOLE_BYTES = 100 << 30
_PLACE = "the first place"


@dataclass(frozen=True)
class HostileSubmission:
    """One submission that must not score.

    Args:
        name: What it is: `ffconcat text named solution.mp4`.
        write: Puts its files into an empty folder.
        most: By mode, where the paper's own rule gives it something; in every other mode it gets what nothing gets.
        spared: Why it may get that much, in a sentence.
    """

    name: str
    write: Callable[[Path], None]
    most: Mapping[str, float] = field(default_factory=dict)
    spared: str = ""

    def __post_init__(self) -> None:
        if bool(self.most) != bool(self.spared):
            raise ValueError(f"hostile submission '{self.name}': what is spared in a mode has a reason, and only that")


@dataclass(frozen=True)
class HonestSubmission:
    """Good work that happens to be encoded otherwise: it has to score like the golden one.

    Args:
        name: What is different: `VP9 in WebM`.
        write: Puts its files into an empty folder.
        least: What it has to get in every mode.
        announced: Name of the refusal that it may meet instead, because the brief says so (`container`).
    """

    name: str
    write: Callable[[Path], None]
    least: float = 0.97
    announced: str = ""


def write_files(files: Mapping[str, Path | bytes]) -> Callable[[Path], None]:
    """Return what writes these files into a folder."""

    def write_all(folder: Path) -> None:
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, bytes):
                path.write_bytes(content)
            else:
                shutil.copyfile(content, path)

    return write_all


def attack_submission(
    good: Mapping[str, Path | bytes],
    attacks: Mapping[str, Attack],
    *,
    most: Mapping[str, float] | None = None,
    spared: str = "",
) -> list[HostileSubmission]:
    """Return a submission for each attack: all files of a good one, one of them replaced."""

    def write_both(attack: Attack, folder: Path) -> None:
        write_files(good)(folder)
        attack(folder)

    return [
        HostileSubmission(name, partial(write_both, attack), most or {}, spared) for name, attack in attacks.items()
    ]


def file_attacks(name: str, good: Path | bytes) -> dict[str, Attack]:
    """Return attacks on a wanted file as such, whatever is in it; links lead to its right content."""
    twin = name.upper() if name != name.upper() else name.lower()
    replacements: dict[str, Attack] = {
        f"no {name}": lambda _: None,
        f"empty {name}": Path.touch,
        f"{name} is a link to the golden file": partial(_link_to, good),
        f"{name} is a link to nowhere": lambda path: path.symlink_to("nowhere"),
        f"{name} is a link to itself": lambda path: path.symlink_to(path.name),
        f"{name} is a link to a folder": lambda path: path.symlink_to("..", target_is_directory=True),
        f"{name} is a second name of a note": _hard_link,
        f"{name} is a pipe without a writer": os.mkfifo,
        f"{name} is a folder": lambda path: write_files({path.name: good})(path),
        f"{name} of 100 GB, all of it a hole": partial(_extend_with_hole, good),
    }
    names = {
        f"{name} under a name that is an option": f"-{name}",
        f"{name} under a name that is a protocol": f"concat:{name}",
        f"{name} under look-alike letters": _look_alike(name),
        f"{name} under a name with a line break": f"{name}\n",
    }
    return {
        **{what: replace_attack(name, make) for what, make in replacements.items()},
        f"{name} and {twin} side by side": write_files({name: good, twin: b"another file of the same name"}),
        **{what: _rename(name, new, good) for what, new in names.items()},
    }


def replace_attack(name: str, make: Callable[[Path], None]) -> Attack:
    """Return what puts something else in the place of a file."""

    def attack(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        make(folder / name)

    return attack


def _rename(name: str, new: str, good: Path | bytes) -> Attack:
    def attack(folder: Path) -> None:
        write_files({new: good})(folder)
        (folder / name).unlink(missing_ok=True)

    return attack


def _link_to(good: Path | bytes, path: Path) -> None:
    """Lead to a good file outside of the submission."""
    golden = path.parent.parent / f"{path.parent.name}-golden"
    write_files({golden.name: good})(golden.parent)
    path.symlink_to(golden)


def _hard_link(path: Path) -> None:
    other = path.with_name("notes.txt")
    other.write_bytes(b"a second name of this note\n")
    os.link(other, path)


def _extend_with_hole(good: Path | bytes, path: Path) -> None:
    write_files({path.name: good})(path.parent)
    os.truncate(path, _HOLE_BYTES)


def _look_alike(text: str) -> str:
    """Write a text with letters of another alphabet that look the same, or with a space that does not show."""
    other = text.translate({ord(latin): cyrillic for latin, cyrillic in zip("aeopcx", "аеорсх", strict=True)})
    return other if other != text else f"{text}\u200b"


def json_attacks(name: str, good: bytes) -> dict[str, Attack]:
    """Return attacks on a JSON file by those who know what is right and write it so that readers differ, or break."""
    text, value = good.decode(), json.loads(good)
    leaves = {
        "NaN": "NaN",
        "an infinity": "Infinity",
        "a number beyond all floats": "1e999",
        "1e308": "1e308",
        "a bool": "true",
        "a number of 5,000 digits": "9" * 5000,
        "a list in a list": '[["a"]]',
        "an object": '{"name": "a"}',
        "an empty text": '""',
        "a text of 50,000 letters": json.dumps("a" * 50_000),
    }
    contents: dict[str, bytes] = {
        **{f"with {what} in the first place": _with_first(value, token).encode() for what, token in leaves.items()},
        "in look-alike letters": _look_alike(text).encode(),
        "with the same key twice": f'{{"a": {text}, "a": {text}}}'.encode(),
        "5,000 brackets deep": ("[" * 5000 + text + "]" * 5000).encode(),
        "and 2 MB of spaces": good + b" " * 2_000_000,
        "behind two byte order marks": b"\xef\xbb\xbf" * 2 + good,
        "in UTF-16": text.encode("utf-16"),
        "with a bracket too much": good + b"]",
        "twice in one file": good + b"\n" + good,
        "cut off": good[: len(good) // 2],
        "with a comment": b"// the answer\n" + good,
        "padded with zero bytes": good + bytes(4096),
        "is a sentence": b"I have put everything where it belongs.",
        "is null": b"null",
        "is an empty list": b"[]",
        "is an empty object": b"{}",
    }
    return {f"{name} {what}": write_files({name: content}) for what, content in contents.items()}


def _with_first(value: object, token: str) -> str:
    """Write JSON with its first plain value replaced by a token, which need not be JSON."""
    placed = False

    def walk(each: object) -> object:
        nonlocal placed
        if isinstance(each, dict) and each:
            return {key: walk(one) for key, one in each.items()}
        if isinstance(each, list) and each:
            return [walk(one) for one in each]
        if placed:
            return each
        placed = True
        return _PLACE

    return json.dumps(walk(value)).replace(json.dumps(_PLACE), token)
