"""Hostile data packs: a small good pack of colorbars with one thing changed, for `show`, `check` and `run`."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from attacks.arena import Arena, CommandAttack, Outcome, discard, take_part
from cutscore.registry import benchmark

KIND = "data packs"
ITEMS = "items.jsonl"
HOLE_BYTES = 50 << 30
COMMANDS = (
    ("show", "colorbars", "--data", "pack"),
    ("run", "colorbars", "--subject", "blind", "--data", "pack", "--log-dir", "logs"),
    ("check", "pack", "--bench", "colorbars", "--engine", "inline"),
)
MARKUP = "<script>alert(1)</script><img src=x onerror=alert(1)>"
CODES = "\x1b]0;owned\x07\x1b[2J\u202egnp.exe\u2066"

Change = Callable[[Path, Arena], None]


def try_packs(arena: Arena, *, small: bool) -> Iterator[Outcome]:
    """Try every pack."""
    for attack in take_part(pack_attacks(), small=small):
        yield arena.try_commands(KIND, attack)


def pack_attacks() -> list[CommandAttack]:
    """Return all hostile packs."""
    fields: dict[str, dict[str, Any]] = {
        **{f"an id that is {what}": {"id": value} for what, value in _ids().items()},
        **{f"a clip at {what}": {"clip": value} for what, value in _places().items()},
        "choices of markup": {"choices": [MARKUP, "a", "b", "orange"]},
        "choices of control codes": {"choices": [CODES, "a", "b", "orange"]},
        "a hundred thousand choices": {"choices": [str(each) for each in range(100_000)]},
        "an answer that is no choice": {"answer": "all of them"},
        "a group of markup": {"groups": {MARKUP: MARKUP}},
        "a cluster of formulas": {"cluster": '=HYPERLINK("http://127.0.0.1","x")'},
        "a field that nobody knows": {"__class__": "os.system", "__reduce__": ["os.system", "id"]},
        "a time of 10^400": {"at_s": f"{'9' * 400}/1"},
        "a time by zero": {"at_s": "1/0"},
        "a size below zero": {"clip": {**_first()["clip"], "size_bytes": -1}},
        "another hash": {"clip": {**_first()["clip"], "sha256": "0" * 64}},
    }
    refused = ("an id that is a path", "an id that is absolute", "another hash", "an id that is two lines")
    changes: dict[str, Change] = {
        **{name: _with_fields(changed) for name, changed in fields.items()},
        **{f"a line {what}": _with_text(text) for what, text in _lines().items()},
        **_file_attacks(),
    }
    return [
        CommandAttack(name, _written(change), COMMANDS, must_refuse=name in refused or name.startswith("a clip at "))
        for name, change in changes.items()
    ]


def _first() -> dict[str, Any]:
    with (benchmark("colorbars").folder / "starter" / ITEMS).open() as lines:
        first: dict[str, Any] = json.loads(next(lines))
    return first


def _ids() -> dict[str, str]:
    return {
        "a path": "../../../outside/x",
        "absolute": "/tmp/x",
        "a folder": "a/b",
        "two lines": "a\nb",
        "markup": MARKUP,
        "control codes": CODES,
        "an option": "--json",
        "a dot": "..",
        "empty": "",
        "of 5,000 letters": "a" * 5000,
        "half of a character": "\ud83d",
        "a formula": "=1+1",
    }


def _places() -> dict[str, Any]:
    return {
        "a path outside": "../../../outside/secret.txt",
        "an absolute path": "/etc/hostname",
        "an address": "http://127.0.0.1:9/x.mp4",
        "a protocol": "concat:bars-01.mp4",
        "a device": "/dev/zero",
        "a pinned path outside": {**_first()["clip"], "name": "../../../outside/secret.txt"},
        "a folder": ".",
    }


def _lines() -> dict[str, str | bytes]:
    good = json.dumps(_first())
    return {
        "with NaN": good.replace('"6/25"', "NaN"),
        "with a number beyond all floats": good.replace('"6/25"', "1e999"),
        "with a number of 5,000 digits": good.replace('"6/25"', "9" * 5000),
        "with a key twice": good[:-1] + ', "answer": "pink"}',
        "200,000 brackets deep": "[" * 200_000,
        "of 100,000 nested objects": '{"id":' * 100_000,
        "of 2 MB": good + " " * 2_000_000,
        "that is no object": "[1, 2]",
        "behind two byte order marks": b"\xef\xbb\xbf" * 2 + good.encode(),
        "in UTF-16": good.encode("utf-16"),
        "of zero bytes": bytes(100_000),
        "twice": f"{good}\n{good}",
        "of a pickle": b"cos\nsystem\n(S'touch ../../../../outside/ran'\ntR.",
        "of YAML that runs": "!!python/object/apply:os.system ['touch ../outside/ran']",
    }


def _file_attacks() -> dict[str, Change]:
    def link_items(folder: Path, arena: Arena) -> None:
        _replace(folder / ITEMS, lambda path: path.symlink_to(arena.outside / ITEMS))

    def link_clip(folder: Path, arena: Arena) -> None:
        _replace(folder / "bars-01.mp4", lambda path: path.symlink_to(arena.canary))

    def link_folder(folder: Path, arena: Arena) -> None:
        (folder / "clips").symlink_to(arena.outside, target_is_directory=True)
        _with_fields({"clip": "clips/secret.txt"})(folder, arena)

    def hole(name: str) -> Change:
        return lambda folder, _: os.truncate(folder / name, HOLE_BYTES)

    def swap(name: str, make: Callable[[Path], None]) -> Change:
        return lambda folder, _: _replace(folder / name, make)

    def code(folder: Path, _: Arena) -> None:
        for name in ("__init__.py", "dataset.py", "conftest.py", "sitecustomize.py", "mark.py"):
            (folder / name).write_text("open('../../../outside/ran', 'w')\n")

    def beside(name: str, text: str) -> Change:
        return lambda folder, _: discard((folder / name).write_text(text))

    deep = "[" * 200_000
    return {
        "items are a link to outside": link_items,
        "items are a pipe without a writer": swap(ITEMS, os.mkfifo),
        "items are a folder": swap(ITEMS, Path.mkdir),
        "items are an endless device": swap(ITEMS, lambda path: path.symlink_to("/dev/zero")),
        "items of 50 GB, all of it a hole": hole(ITEMS),
        "items are empty": swap(ITEMS, Path.touch),
        "a clip is a link to outside": link_clip,
        "a clip behind a linked folder": link_folder,
        "a clip is a pipe without a writer": swap("bars-01.mp4", os.mkfifo),
        "a clip of 50 GB, all of it a hole": hole("bars-01.mp4"),
        "code beside its items": code,
        "gates.json that is deep": beside("gates.json", deep),
        "gates.json that is a lie": beside("gates.json", '{"schema": "cutscore.gates/1", "items": NaN}'),
        "pack.json that is deep": beside("pack.json", deep),
        "a pipe as gates.json": lambda folder, _: os.mkfifo(folder / "gates.json"),
        "a pipe as pack.json": lambda folder, _: os.mkfifo(folder / "pack.json"),
    }


def _with_fields(changed: dict[str, Any]) -> Change:
    return _with_text(json.dumps({**_first(), **changed}))


def _with_text(text: str | bytes) -> Change:
    data = text if isinstance(text, bytes) else text.encode(errors="surrogatepass")
    return lambda folder, _: discard((folder / ITEMS).write_bytes(data + b"\n"))


def _written(change: Change) -> Change:
    def write(folder: Path, arena: Arena) -> None:
        starter, pack = benchmark("colorbars").folder / "starter", folder / "pack"
        pack.mkdir()
        shutil.copy(starter / "bars-01.mp4", pack)
        (pack / ITEMS).write_text(json.dumps(_first()) + "\n")
        change(pack, arena)

    return write


def _replace(path: Path, make: Callable[[Path], None]) -> None:
    path.unlink()
    make(path)
