"""Foreign run folders: a good run with one file changed, for all commands that read runs."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from attacks.arena import Arena, CommandAttack, Outcome, discard, run_command, take_part
from attacks.folders import nest_folders
from attacks.packs import CODES, MARKUP

KIND = "run folders"
COMMANDS = (
    ("report", "logs", "-o", "site"),
    ("compare", "logs"),
    ("tables", "logs"),
    ("rescore", "logs"),
    ("pack", "logs", "-o", "study.tar"),
    ("gate", "logs", "--min", "accuracy=0"),
)
SMALL = (COMMANDS[0],)
DEEP = "[" * 200_000
GIGABYTE = 1 << 30


def base_run(arena: Arena) -> Path:
    """Return a finished run of colorbars; made once."""
    run = arena.root / "base" / "logs"
    if not run.exists():
        words = ["run", "colorbars", "--subject", "oracle", "--subject", "blind", "--limit", "6", "--log-dir", str(run)]
        ran = arena.call(run_command, arena.new_folder(), words)
        assert ran.code == 0, ran.said
    return run


def try_runs(arena: Arena, *, small: bool) -> Iterator[Outcome]:
    """Try every run folder, of a small run with `report` alone."""
    base = base_run(arena)

    def written(change: Callable[[Path, Arena], None]) -> Callable[[Path, Arena], None]:
        def write(folder: Path, arena: Arena) -> None:
            shutil.copytree(base, folder / "logs")
            change(folder / "logs", arena)

        return write

    changes = {**_cell_attacks(), **_sample_attacks(), **_archive_attacks(), **_file_attacks()}
    for name, change in take_part([*changes.items()], small=small):
        yield arena.try_commands(KIND, CommandAttack(name, written(change), SMALL if small else COMMANDS))


Change = Callable[[Path, Arena], None]


def _cell(run: Path) -> Path:
    return sorted(run.glob("colorbars/*/cell.json"))[0].parent


def _log(run: Path) -> Path:
    return next(_cell(run).glob("*.eval"))


def _cell_attacks() -> dict[str, Change]:
    """Return cells that say odd things of themselves."""

    def text(text: str) -> Change:
        return lambda run, _: discard((_cell(run) / "cell.json").write_text(text))

    def fields(**changed: Any) -> Change:
        def change(run: Path, _: Arena) -> None:
            file = _cell(run) / "cell.json"
            file.write_text(json.dumps({**json.loads(file.read_text()), **changed}))

        return change

    return {
        "a cell that is deep": text(DEEP),
        "a cell of NaN": text('{"benchmark": NaN}'),
        "a cell that is a list": text("[]"),
        "a cell of markup": fields(model=MARKUP, version=MARKUP),
        "a cell of control codes": fields(model=CODES, version=CODES),
        "a cell of formulas": fields(model="=1+1", version="@SUM(1)"),
        "a cell of a benchmark that is a path": fields(benchmark="../../../../outside/x"),
        "a cell of a benchmark that nobody has": fields(benchmark="nobody"),
        "a cell of a number of 5,000 digits": text('{"benchmark": ' + "9" * 5000 + "}"),
        "a cell whose data lie outside": fields(data="../../../outside", data_dir="../../../outside"),
    }


def _sample_attacks() -> dict[str, Change]:
    """Return logs whose samples say odd things."""

    def sample(change: Callable[[dict[str, Any]], object]) -> Change:
        def change_one(run: Path, _: Arena) -> None:
            def edit(data: bytes) -> bytes:
                plain = json.loads(data)
                change(plain)
                return json.dumps(plain).encode(errors="surrogatepass")

            _rewrite(_log(run), lambda name, data: edit(data) if name.startswith("samples/") else data)

        return change_one

    def ending(**changed: Any) -> Change:
        def change(plain: dict[str, Any]) -> None:
            for marks in plain["scores"].values():
                for value in (marks.get("metadata") or {}).values():
                    if isinstance(value, dict) and "status" in value:
                        value.update(changed)

        return sample(change)

    def data(text: bytes) -> Change:
        return lambda run, _: _rewrite(_log(run), lambda name, old: text if name.startswith("samples/") else old)

    return {
        "samples of NaN": data(b'{"id": NaN}'),
        "samples that are deep": data(DEEP.encode()),
        "samples that are lists": data(b"[]"),
        "samples that are no JSON": data(b"\xff\xfe"),
        "samples without metadata": sample(lambda plain: plain.pop("metadata")),
        "samples without an epoch": sample(lambda plain: plain.pop("epoch")),
        "samples of an epoch of text": sample(lambda plain: plain.update(epoch="x")),
        "samples with ids that are paths": sample(lambda plain: plain.update(id="../../../outside/x")),
        "samples with ids of markup": sample(lambda plain: plain.update(id=MARKUP + str(plain["id"]))),
        "samples with ids of control codes": sample(lambda plain: plain.update(id=CODES + str(plain["id"]))),
        "samples with half a character": sample(lambda plain: plain.update(id="\ud83d")),
        "samples with input that is a list of numbers": sample(lambda plain: plain.update(input=[1, 2])),
        "scores of text": ending(scores={"accuracy": "high"}),
        "scores of 10^300": ending(scores={"accuracy": 1e300}),
        "scores of NaN": ending(scores={"accuracy": float("nan")}),
        "scores that nobody knows": ending(scores={MARKUP: 1.0}),
        "findings that are no list": ending(findings=7),
        "references to files outside": ending(
            references=[{"name": "../../outside/secret.txt", "sha256": "0" * 64, "size_bytes": 1}]
        ),
    }


def _archive_attacks() -> dict[str, Change]:
    """Return logs that are odd as zip files."""

    def bomb(run: Path, _: Arena) -> None:
        _rewrite(_log(run), lambda name, data: (name.startswith("samples/") and bytes(GIGABYTE)) or data, most=1)

    def padded(run: Path, _: Arena) -> None:
        def pad(name: str, data: bytes) -> bytes:
            return data[:-1] + b', "pad": "' + b"x" * GIGABYTE + b'"}' if name.startswith("samples/") else data

        _rewrite(_log(run), pad, most=1)

    def members(run: Path, _: Arena) -> None:
        with zipfile.ZipFile(_log(run), "a") as archive:
            for name in ("../../../../outside/ran", "/tmp/ran", "samples/../x.json", "samples/x_epoch_1.json"):
                archive.writestr(name, b"{}")

    def twice(run: Path, _: Arena) -> None:
        with zipfile.ZipFile(_log(run), "a") as archive:
            name = next(each for each in archive.namelist() if each.startswith("samples/"))
            archive.writestr(name, archive.read(name).replace(b'"epoch"', b'"EPOCH"'))

    def many(run: Path, _: Arena) -> None:
        with zipfile.ZipFile(_log(run), "a") as archive:
            for number in range(20_000):
                archive.writestr(f"other/{number}", b"")

    return {
        "a log with a gigabyte of zeros as a sample": bomb,
        "a log with a sample of a gigabyte": padded,
        "a log with members that lead outside": members,
        "a log with a member twice": twice,
        "a log of 20,000 members": many,
        "a log cut in half": lambda run, _: os.truncate(_log(run), _log(run).stat().st_size // 2),
        "a log that is empty": lambda run, _: os.truncate(_log(run), 0),
        "a log that is no zip": lambda run, _: discard(_log(run).write_bytes(b"PK\x03\x04" + bytes(range(256)) * 20)),
    }


def _file_attacks() -> dict[str, Change]:
    """Return run folders in which a file is no plain file."""

    def swap(find: Callable[[Path], Path], make: Callable[[Path, Arena], object]) -> Change:
        def change(run: Path, arena: Arena) -> None:
            path = find(run)
            path.unlink(missing_ok=True)
            make(path, arena)

        return change

    def cell_file(run: Path) -> Path:
        return _cell(run) / "cell.json"

    def work_file(run: Path) -> Path:
        return _cell(run) / "work.jsonl"

    def link_store(run: Path, arena: Arena) -> None:
        shutil.rmtree(run / "store")
        (run / "store").symlink_to(arena.outside, target_is_directory=True)

    def link_entry(run: Path, arena: Arena) -> None:
        entry = next(path for path in sorted((run / "store").rglob("*")) if path.is_file())
        entry.unlink()
        entry.symlink_to(arena.canary)

    return {
        "a cell that is a link to outside": swap(cell_file, lambda path, arena: path.symlink_to(arena.canary)),
        "a cell that is a pipe": swap(cell_file, lambda path, _: os.mkfifo(path)),
        "a log that is a link to outside": swap(_log, lambda path, arena: path.symlink_to(arena.canary)),
        "a log that is a pipe": swap(_log, lambda path, _: os.mkfifo(path)),
        "a log that is a folder": swap(_log, lambda path, _: path.mkdir()),
        "a ledger that is a pipe": swap(lambda run: run / "ledger.jsonl", lambda path, _: os.mkfifo(path)),
        "a ledger that is deep": swap(lambda run: run / "ledger.jsonl", lambda path, _: path.write_text(DEEP)),
        "a ledger that is a link to outside": swap(
            lambda run: run / "ledger.jsonl", lambda path, arena: path.symlink_to(arena.canary)
        ),
        "a journal that is a pipe": swap(lambda run: run / "journal.jsonl", lambda path, _: os.mkfifo(path)),
        "work that is a pipe": swap(work_file, lambda path, _: os.mkfifo(path)),
        "work that is deep": swap(work_file, lambda path, _: path.write_text(DEEP + "\n" + DEEP)),
        "work of NaN": swap(work_file, lambda path, _: path.write_text('{"sample": NaN}\n')),
        "prices that are deep": swap(lambda run: _cell(run) / "prices.json", lambda path, _: path.write_text(DEEP)),
        "prices that are a pipe": swap(lambda run: _cell(run) / "prices.json", lambda path, _: os.mkfifo(path)),
        "a store that is a link to outside": link_store,
        "a stored file that is a link to outside": link_entry,
        "1,500 folders in each other": lambda run, _: nest_folders(run),
    }


def _rewrite(log: Path, change: Callable[[str, bytes], bytes], *, most: int = 1000) -> None:
    """Write a log anew, with at most so many of its members changed."""
    with zipfile.ZipFile(log) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    with zipfile.ZipFile(log, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            new = change(name, data) if most else data
            most -= new is not data
            archive.writestr(name, new)
