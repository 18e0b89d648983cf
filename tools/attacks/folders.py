"""Hostile folders of submissions, for `score` and for `run --subject folder:`, which hold those of all items."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from attacks.arena import Arena, CommandAttack, HowItEnded, Outcome, discard, take_part
from cutscore.bridge.rows import read_rows
from cutscore.core.ending import Ending

KIND = "submission folders"
ITEM = "bars-01-a"
RUN = ("run", "colorbars", "--subject", "folder:mine", "--limit", "2", "--log-dir", "logs")
SCORE = ("score", "colorbars", ITEM, "mine")
HOLE_BYTES = 50 << 30
DEPTH = 1500


def try_folders(arena: Arena, *, small: bool) -> Iterator[Outcome]:
    """Try every folder with `run`, and see how its item ended; `score` takes it in through the same door."""
    for name, write in take_part([*folder_attacks().items()], small=small):
        ended = arena.try_commands(KIND, CommandAttack(name, _made(write), (RUN, SCORE)))
        rows = read_rows(arena.folder / "logs") if ended.ending == "allowed" else []
        yield next((_judge(name, row.ending) for row in rows if row.item == ITEM), ended)


def _judge(name: str, ending: Ending) -> Outcome:
    """Return how the item ended; nobody answered it, so it earns nothing."""
    earned = any(ending.scores.values())
    how: HowItEnded = "above" if earned else "refused" if ending.failure_class == "unreadable" else "zero"
    return Outcome(KIND, name, how if ending.status == "marked" else "unscored", ending.because)


def nest_folders(folder: Path, depth: int = DEPTH) -> None:
    """Make folders in each other, deeper than any path can say."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=here)
        deeper = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
    os.close(here)


def folder_attacks() -> dict[str, Callable[[Path, Arena], None]]:
    """Return what is written into an item's folder, by name."""

    def hole(item: Path, _: Arena) -> None:
        (item / "film.mp4").touch()
        os.truncate(item / "film.mp4", HOLE_BYTES)

    def crowd(item: Path, _: Arena) -> None:
        for number in range(12_000):
            (item / f"{number}.txt").touch()

    def epochs(item: Path, _: Arena) -> None:
        for name in ("1", "2", "99999999999999999999", "01", "-1"):
            (item / name).mkdir()

    def linked(item: Path, arena: Arena) -> None:
        item.rmdir()
        item.symlink_to(arena.outside, target_is_directory=True)

    def text(data: bytes) -> Callable[[Path, Arena], None]:
        return lambda item, _: discard((item / "answer.txt").write_bytes(data))

    def named(name: bytes) -> Callable[[Path, Arena], None]:
        return lambda item, _: discard(Path(os.fsdecode(os.fsencode(item) + b"/" + name)).write_bytes(b"orange"))

    return {
        "a file of 50 GB, all of it a hole": hole,
        "1,500 folders in each other": lambda item, _: nest_folders(item),
        "12,000 files": crowd,
        "epochs that are no numbers": epochs,
        "an item's folder is a link to outside": linked,
        "an answer that is a link to outside": lambda item, arena: (item / "answer.txt").symlink_to(arena.canary),
        "an answer that is a pipe": lambda item, _: os.mkfifo(item / "answer.txt"),
        "an answer that is an endless device": lambda item, _: (item / "answer.txt").symlink_to("/dev/zero"),
        "an answer of 300 MB": text(b"orange " * (300_000_000 // 7)),
        "an answer that is no text": text(b"\xff\xfe\x00cyan"),
        "a file whose name is no text": named(b"\xff\xfe.txt"),
        "a file whose name is two lines": named(b"a\nanswer.txt"),
        "a file whose name is markup": named(b"<img src=x onerror=alert(1)>.txt"),
        "a file whose name is control codes": named("\x1b[2J\u202egpj.exe".encode()),
        "a file whose name is a formula": named(b"=1+1"),
    }


def _made(write: Callable[[Path, Arena], None]) -> Callable[[Path, Arena], None]:
    def make(folder: Path, arena: Arena) -> None:
        item = folder / "mine" / ITEM
        item.mkdir(parents=True)
        write(item, arena)

    return make
