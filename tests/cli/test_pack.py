"""`pack`: portable, the same bytes each time, checked, and without anybody's keys."""

import json
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from cutscore.bridge.known_secrets import SECRETS_FILE, keep_known_secrets
from cutscore.bridge.rows import read_rows
from cutscore.cells.work_journal import WorkJournal
from cutscore.core.row import canonical_rows
from cutscore.redaction import Redactor
from cutscore.store import Store


def test_a_pack_travels_and_reads_the_same(cli, finished_run: Path) -> None:
    ran = cli("pack", finished_run, "-o", "study.tar", "--json")
    assert ran.code == 0
    assert list(ran.json) == ["schema", "file", "cells", "files", "size_bytes", "checked"]
    assert (ran.json["cells"], ran.json["checked"]) == (3, False)
    with tarfile.open("study.tar") as tar:
        tar.extractall("elsewhere", filter="data")
    assert canonical_rows(read_rows(Path("elsewhere/logs"))) == canonical_rows(read_rows(finished_run))
    assert cli("report", "elsewhere/logs", "-o", "site").code == 0
    checked = cli("pack", "--check", "study.tar", "--json")
    assert (checked.code, checked.json["checked"], checked.json["files"]) == (0, True, ran.json["files"])


def test_the_same_record_gives_the_same_bytes(cli, finished_run: Path) -> None:
    cli("pack", finished_run, "-o", "one.tar")
    for path in finished_run.rglob("*.json"):
        os.utime(path)
    cli("pack", finished_run, "-o", "two.tar")
    assert Path("one.tar").read_bytes() == Path("two.tar").read_bytes()


def test_nothing_in_it_tells_of_this_machine(cli, finished_run: Path) -> None:
    cli("pack", finished_run, "-o", "study.tar")
    with tarfile.open("study.tar") as tar:
        for entry in tar:
            assert not entry.name.startswith("/")
            assert ".." not in entry.name
            assert (entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname) == (0, 0, 0, "", "")
            assert entry.isreg()
        names = tar.getnames()
    assert names[0] == "logs/SHA256SUMS"
    assert names[1:] == sorted(names[1:])
    assert not any(name.endswith("/lock") for name in names)


def test_only_what_is_referred_to_goes_along(cli, own_run: Path) -> None:
    (own_run / "store" / "ab").mkdir(exist_ok=True)
    (own_run / "store" / "ab" / ("c" * 62)).write_text("nobody refers to me", encoding="utf-8")
    (own_run / "failure-reasons.jsonl").write_text("{}\n", encoding="utf-8")
    cli("pack", own_run, "-o", "study.tar")
    with tarfile.open("study.tar") as tar:
        assert not any("c" * 62 in name for name in tar.getnames())
        assert any(name.endswith("/failure-reasons.jsonl") for name in tar.getnames())


def test_one_cell_can_be_packed(cli, finished_run: Path, cell_of) -> None:
    plain = cli("pack", cell_of(finished_run, "blind"), "-o", "one.tar", "--json").json
    assert plain["cells"] == 1
    with tarfile.open("one.tar") as tar:
        tar.extractall("elsewhere", filter="data")
    (folder,) = Path("elsewhere").iterdir()
    assert {row.subject for row in read_rows(folder)} == {"blind"}


@pytest.mark.parametrize("where", ["a plain file", "a compressed log"])
def test_a_secret_is_not_carried_away(cli, finished_run: Path, monkeypatch, where: str) -> None:
    ask = read_rows(finished_run)[0].ask
    assert ask is not None
    secret = "cutscore.cell/1" if where == "a plain file" else ask.brief[:30].strip()
    seen = any(secret.encode() in path.read_bytes() for path in finished_run.rglob("*") if path.is_file())
    assert seen == (where == "a plain file")
    monkeypatch.setenv("MY_API_KEY", secret)
    ran = cli("pack", finished_run, "-o", "study.tar")
    assert ran.code == 2
    assert "holds the value of a secret environment variable; a pack would carry it away" in ran.err
    assert not Path("study.tar").exists()


@pytest.mark.parametrize("where", ["a plain file", "a compressed log"])
def test_a_secret_that_the_run_knew_is_not_carried_away(cli, own_run: Path, where: str) -> None:
    """Its variable is not set any more when the run is packed."""
    key = "zq7Kp0Vw3LmXs9Rt5YbN2cHd8FgJ4aUe"
    keep_known_secrets(own_run, Redactor({"STUDIO_API_KEY": key}))
    if where == "a plain file":
        (own_run / "journal.jsonl").write_text(json.dumps({"said": f"your key:\n{key}"}) + "\n")
    else:
        log = next(own_run.rglob("*.eval"))
        with zipfile.ZipFile(log, "a", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("notes.json", json.dumps({"said": key}))
    ran = cli("pack", own_run, "-o", "study.tar")
    assert ran.code == 2
    assert "holds a secret that its run knew as STUDIO_API_KEY; a pack would carry it away" in ran.err
    assert not Path("study.tar").exists()


def test_digests_of_secrets_stay_at_home(cli, own_run: Path) -> None:
    keep_known_secrets(own_run, Redactor({"STUDIO_API_KEY": "zq7Kp0Vw3LmXs9Rt5YbN2cHd8FgJ4aUe"}))
    assert cli("pack", own_run, "-o", "study.tar").code == 0
    with tarfile.open("study.tar") as tar:
        assert not any(name.endswith(SECRETS_FILE) for name in tar.getnames())


def test_a_rotten_entry_stops_the_pack(cli, own_run: Path, rot) -> None:
    rot(own_run)
    ran = cli("pack", own_run, "-o", "study.tar", "--json")
    assert (ran.code, ran.json["error"]["kind"]) == (4, "CorruptEntry")
    assert not Path("study.tar").exists()


def test_somebody_elses_file_is_left_alone(cli, finished_run: Path) -> None:
    Path("study.tar").write_text("not ours", encoding="utf-8")
    ran = cli("pack", finished_run, "-o", "study.tar")
    assert (ran.code, Path("study.tar").read_text(encoding="utf-8")) == (2, "not ours")
    assert "file 'study.tar': exists and is no pack of ours; choose another name with -o" in ran.err


def rewrite(source: Path, change) -> None:
    """Write a tar anew, with each entry passed through a function that may drop or change it."""
    with tarfile.open(source) as tar:
        entries = [(entry, tar.extractfile(entry).read()) for entry in tar]  # type: ignore[union-attr]
    with tarfile.open(source, "w") as tar:
        for entry, data in entries:
            for name, content in change(entry.name, data):
                made = tarfile.TarInfo(name)
                made.size = len(content)
                tar.addfile(made, __import__("io").BytesIO(content))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda name, data: [] if name.endswith("cell.json") else [(name, data)], "cell.json' is missing"),
        (lambda name, data: [(name, data + b" " * name.endswith("cell.json"))], "cell.json' has sha256 "),
        (lambda name, data: [(name, data)] + [("logs/x", b"")] * name.endswith("SUMS"), "'x' is not listed"),
        (lambda name, data: [(name, data)] + [("../x", b"")] * name.endswith("SUMS"), "has an entry '../x' that no"),
    ],
)
def test_every_change_is_seen(cli, finished_run: Path, change, said: str) -> None:
    cli("pack", finished_run, "-o", "study.tar")
    rewrite(Path("study.tar"), change)
    ran = cli("pack", "--check", "study.tar")
    assert ran.code == 4
    assert said in ran.err
    assert "get a fresh copy of it" in ran.err


def doubled(name: str, data: bytes) -> list[tuple[str, bytes]]:
    return [(name, data)] * (1 + name.endswith("cell.json"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (doubled, "cell.json' twice"),
        (lambda name, data: [(name, data)] * (1 + name.endswith("SUMS")), "has 'SHA256SUMS' twice"),
        (lambda name, data: [(name, data)] + [("logs/Prices", b""), ("logs/prices", b"")] * name.endswith("SUMS"),
         "has 'Prices' and 'prices', one file on some disks"),
        (lambda name, data: [(name, data)] + [("logs/s//x", b"")] * name.endswith("SUMS"), "'logs/s//x' that no"),
        (lambda name, data: [(name, data)] + [("logs/a/../x", b"")] * name.endswith("SUMS"), "'logs/a/../x' that no"),
        (lambda name, data: [(name, data + data if name.endswith("SUMS") else data)], "lists a file twice"),
    ],
)  # fmt: skip
def test_no_entry_is_there_twice_or_leads_elsewhere(cli, finished_run: Path, change, said: str) -> None:
    cli("pack", finished_run, "-o", "study.tar")
    rewrite(Path("study.tar"), change)
    ran = cli("pack", "--check", "study.tar")
    assert ran.code == 4
    assert said in ran.err


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE])
def test_no_entry_is_a_link_or_a_device(cli, finished_run: Path, kind: bytes) -> None:
    cli("pack", finished_run, "-o", "study.tar")
    with tarfile.open("study.tar", "a") as tar:
        made = tarfile.TarInfo("logs/odd")
        made.type, made.linkname = kind, "logs/SHA256SUMS"
        tar.addfile(made)
    ran = cli("pack", "--check", "study.tar")
    assert ran.code == 4
    assert "has an entry 'logs/odd' that no pack has" in ran.err


def test_nothing_follows_the_end(cli, finished_run: Path) -> None:
    cli("pack", finished_run, "-o", "study.tar")
    whole = Path("study.tar").read_bytes()
    Path("study.tar").write_bytes(whole + whole)
    ran = cli("pack", "--check", "study.tar")
    assert ran.code == 4
    assert "has something after its end; get a fresh copy of it" in ran.err


def test_a_list_without_end_is_not_read(cli) -> None:
    first = tarfile.TarInfo("logs/SHA256SUMS")
    first.size = 1 << 40
    Path("study.tar").write_bytes(first.tobuf(tarfile.GNU_FORMAT))
    os.truncate("study.tar", 1 << 41)
    ran = cli("pack", "--check", "study.tar")
    assert ran.code == 4
    assert "SHA256SUMS has 1,099,511,627,776 bytes, 67,108,864 are allowed; get a fresh copy of it" in ran.err


def test_a_link_in_a_run_is_not_carried_away(cli, own_run: Path) -> None:
    Path("mine.txt").write_text("what a stranger would like to have", encoding="utf-8")
    for name in ("ledger.jsonl", "journal.jsonl"):
        (own_run / name).unlink(missing_ok=True)
        (own_run / name).symlink_to(Path("mine.txt").resolve())
    assert cli("pack", own_run, "-o", "study.tar").code == 0
    assert b"what a stranger would like" not in Path("study.tar").read_bytes()


def test_what_is_no_pack_is_said(cli) -> None:
    Path("x.tar").write_text("hello", encoding="utf-8")
    with tarfile.open("y.tar", "w") as tar:
        tar.addfile(tarfile.TarInfo("hello"))
    for name, said in (
        ("x.tar", "cannot be read"),
        ("y.tar", "does not begin with SHA256SUMS"),
        ("z.tar", "no such file"),
    ):
        ran = cli("pack", "--check", name)
        assert ran.code == 2
        assert said in ran.err
    assert json.loads(cli("pack", "nope", "--json").out)["error"]["kind"] == "BadInput"


def test_files_that_only_a_journal_names_go_along_and_torn_logs_do_not(cli, own_run: Path, cell_of) -> None:
    cell = cell_of(own_run, "blind")
    kept = Store(own_run / "store").put_bytes(b"a turn of a sample that is still under way", name="film.txt")
    WorkJournal(cell).notes("bars-59-a", 1).put("turn/1", kept.model_dump(mode="json"))
    (cell / "old.eval.torn").write_bytes(b"nobody can search this")
    assert cli("pack", own_run, "-o", "study.tar").code == 0
    with tarfile.open("study.tar") as tar:
        names = tar.getnames()
    assert f"own/store/{kept.sha256[:2]}/{kept.sha256[2:]}" in names
    assert not any(name.endswith(".torn") for name in names)
