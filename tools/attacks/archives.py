"""Hostile archives: a packed run with one thing changed, for `pack --check`. None of them is whole."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

from attacks.arena import Arena, CommandAttack, Outcome, discard, run_command, take_part
from attacks.runs import base_run

KIND = "archives"
FILE = "study.tar"
CHECK = (("pack", "--check", FILE),)
SUMS = "SHA256SUMS"
HUGE = 1 << 40

Member = tuple[tarfile.TarInfo, bytes]
Change = Callable[[list[Member]], list[Member]]


def try_archives(arena: Arena, *, small: bool) -> Iterator[Outcome]:
    """Try every archive."""
    good = arena.root / FILE
    if not good.exists():
        arena.call(run_command, arena.new_folder(), ["pack", str(base_run(arena)), "-o", str(good)])
    for name, write in take_part([*{**_rewritten(good), **_bytes(good)}.items()], small=small):
        yield arena.try_commands(KIND, CommandAttack(name, write, CHECK, must_refuse=True))


def _rewritten(good: Path) -> dict[str, Callable[[Path, Arena], None]]:
    """Return archives whose members are not those of a pack."""
    cell = "cell.json"

    def added(name: str, data: bytes = b"", **facts: object) -> Change:
        def change(members: list[Member]) -> list[Member]:
            entry = tarfile.TarInfo(name if name.startswith(("/", "..")) else f"{_folder(members)}/{name}")
            entry.size = len(data)
            for fact, value in facts.items():
                setattr(entry, fact, value)
            return [*members, (entry, data)]

        return change

    def changed(ending: str, change: Callable[[bytes], bytes]) -> Change:
        return lambda members: [_made(e.name, change(d)) if e.name.endswith(ending) else (e, d) for e, d in members]

    def doubled(ending: str, change: Callable[[bytes], bytes] = bytes) -> Change:
        def change_all(members: list[Member]) -> list[Member]:
            twins = [_made(entry.name, change(data)) for entry, data in members if entry.name.endswith(ending)]
            return [*members, *twins]

        return change_all

    changes: dict[str, Change] = {
        "a member twice, the second one changed": doubled(cell, lambda data: data + b" "),
        "a member twice, both alike": doubled(cell),
        "two lists of checksums": doubled(SUMS, lambda data: b""),
        "a list of checksums in a folder": added(f"colorbars/{SUMS}"),
        "a changed member": changed(cell, lambda data: data + b" "),
        "an empty list of checksums": changed(SUMS, lambda data: b""),
        "a list of checksums that is no text": changed(SUMS, lambda data: b"\xff\xfe\x00"),
        "a list of checksums with short lines": changed(SUMS, lambda data: b"abc\n" * 10),
        "a checksum twice": changed(SUMS, lambda data: data + data.splitlines(keepends=True)[0]),
        "a member less": lambda members: [each for each in members if not each[0].name.endswith(cell)],
        "a member more": added("notes.txt", b"x"),
        "a member outside": added("../outside/ran", b"x"),
        "an absolute member": added("/tmp/ran", b"x"),
        "a path that goes up inside": added("a/../../../ran", b"x"),
        "a symbolic link": added("link", type=tarfile.SYMTYPE, linkname="../../outside/secret.txt"),
        "a hard link": added("link", type=tarfile.LNKTYPE, linkname="../../outside/secret.txt"),
        "a device": added("zero", type=tarfile.CHRTYPE, devmajor=1, devminor=5),
        "a pipe": added("pipe", type=tarfile.FIFOTYPE),
        "a folder": added("folder", type=tarfile.DIRTYPE),
        "a name with a line break": added("a\nb", b"x"),
        "a name with control codes": added("\x1b[2J\u202e", b"x"),
        "a name of 60,000 letters": added("a" * 60_000, b"x"),
        "no members": lambda members: [],
        "no list of checksums": lambda members: members[1:],
        "two runs in one file": lambda members: [*members, *(_made(f"other/{e.name}", d) for e, d in members)],
    }

    def write(change: Change) -> Callable[[Path, Arena], None]:
        return lambda folder, _: _write(folder / FILE, change(_read(good)))

    return {name: write(change) for name, change in changes.items()}


def _bytes(good: Path) -> dict[str, Callable[[Path, Arena], None]]:
    """Return files that are no plain tar."""

    def data(make: Callable[[bytes], bytes]) -> Callable[[Path, Arena], None]:
        return lambda folder, _: discard((folder / FILE).write_bytes(make(good.read_bytes())))

    def huge(folder: Path, _: Arena) -> None:
        entry = tarfile.TarInfo(f"logs/{SUMS}")
        entry.size = HUGE
        (folder / FILE).write_bytes(entry.tobuf(tarfile.GNU_FORMAT) + bytes(1024))
        os.truncate(folder / FILE, 20 << 30)

    return {
        "empty": data(lambda _: b""),
        "noise": data(lambda _: bytes(range(256)) * 400),
        "cut in half": data(lambda whole: whole[: len(whole) // 2]),
        "compressed": data(gzip.compress),
        "a list of checksums of a terabyte, all of it a hole": huge,
        "a pipe without a writer": lambda folder, _: os.mkfifo(folder / FILE),
        "a folder": lambda folder, _: (folder / FILE).mkdir(),
        "a link to an endless device": lambda folder, _: (folder / FILE).symlink_to("/dev/zero"),
    }


def _folder(members: list[Member]) -> str:
    return members[0][0].name.split("/")[0]


def _made(name: str, data: bytes) -> Member:
    entry = tarfile.TarInfo(name)
    entry.size = len(data)
    return entry, data


def _read(file: Path) -> list[Member]:
    with tarfile.open(file) as tar:
        return [(entry, content.read() if (content := tar.extractfile(entry)) else b"") for entry in tar]


def _write(file: Path, members: list[Member]) -> None:
    with tarfile.open(file, "w", format=tarfile.PAX_FORMAT) as tar:
        for entry, data in members:
            tar.addfile(entry, io.BytesIO(data))
