"""The store keeps whole files under their hash, whoever writes, kills, fills or breaks the disk."""

import errno
import fcntl
import hashlib
import multiprocessing
import os
import resource
import select
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore import store as module
from cutscore.core.errors import BadInput, CorruptEntry, NoRoom
from cutscore.core.files import FileRef, FileStore
from cutscore.store import Store

DATA = b"forty-two frames of red"
SHA = hashlib.sha256(DATA).hexdigest()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A file with DATA."""
    (tmp_path / "clip.mp4").write_bytes(DATA)
    return tmp_path / "clip.mp4"


def visible(store: Store) -> list[str]:
    """Names of all files in the store besides the lock, as a reader of the folder sees them."""
    return sorted(str(p.relative_to(store.root)) for p in store.root.rglob("*") if p.is_file() and p.name != "lock")


def overwrite(path: Path, data: bytes) -> None:
    path.chmod(0o644)
    path.write_bytes(data)


# --- put and path -------------------------------------------------------------------------------------------------


def test_a_file_lies_under_its_hash_and_is_read_only(store: Store, source: Path) -> None:
    ref = store.put(source, name="cut/solution.mp4", media_type="video/mp4")
    assert ref == FileRef(name="cut/solution.mp4", sha256=SHA, size_bytes=len(DATA), media_type="video/mp4")
    path = store.path(ref)
    assert path == store.root / SHA[:2] / SHA[2:]
    assert path.read_bytes() == DATA
    assert stat.S_IMODE(path.stat().st_mode) == 0o444
    assert visible(store) == [f"{SHA[:2]}/{SHA[2:]}"]


def test_it_is_a_shelf_that_opens_nothing_before_the_first_put(tmp_path: Path) -> None:
    store: FileStore = Store(tmp_path / "a" / "b")
    assert not (tmp_path / "a").exists()
    assert not Store(tmp_path / "a" / "b").has(SHA)
    assert list(Store(tmp_path / "a").verify()) == []
    assert Store(tmp_path / "a").collect([]) == 0
    store.put_bytes(b"", name="empty")
    assert (tmp_path / "a" / "b").is_dir()


@given(st.binary(max_size=300), st.binary(max_size=300))
def test_any_bytes_come_back_and_nothing_is_served_under_another_key(first: bytes, second: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "store")
        (Path(folder) / "file").write_bytes(first)
        one, two = store.put(Path(folder) / "file", name="one"), store.put_bytes(second, name="two")
        assert store.path(one).read_bytes() == first
        assert store.path(two).read_bytes() == second
        assert (store.path(one) == store.path(two)) == (first == second)
        assert store.size_bytes() == sum(map(len, {first, second}))


def test_a_file_of_many_chunks_comes_back(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK_BYTES", 1000)
    (tmp_path / "long").write_bytes(data := os.urandom(10_500))
    assert store.path(store.put(tmp_path / "long", name="long")).read_bytes() == data


def test_putting_again_writes_nothing(store: Store, source: Path) -> None:
    before = store.path(store.put(source, name="a")).stat()
    store.put(source, name="b")
    store.put_bytes(DATA, name="c")
    after = store.path(store.put(source, name="a")).stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert len(visible(store)) == 1


@pytest.mark.parametrize("name", ["../up", "/etc/passwd", "a//b", "", "nul\0", "back\\slash", "x" * 600])
def test_a_name_that_leads_elsewhere_is_refused_and_nothing_is_kept(store: Store, name: str) -> None:
    with pytest.raises(BadInput, match="cannot be named so"):
        store.put_bytes(DATA, name=name)
    assert visible(store) == []


def test_has_looks_for_digests_only(store: Store, source: Path) -> None:
    store.put(source, name="a")
    assert store.has(SHA)
    assert not store.has("0" * 64)
    assert not store.has(SHA.upper())
    assert (store.root / ".." / source.name).is_file()
    assert not store.has(".." + source.name)


def test_what_is_absent_is_bad_input(store: Store) -> None:
    ref = FileRef(name="final.mp4", sha256=SHA, size_bytes=1)
    with pytest.raises(BadInput) as bad:
        store.path(ref)
    assert str(bad.value) == (
        f"file 'final.mp4' (sha256 {SHA[:12]}…): is not in the store; "
        f"restore '{store.root}' or run the same command again"
    )


# --- sources that are not files -----------------------------------------------------------------------------------


def test_links_pipes_sockets_devices_and_folders_are_refused(store: Store, source: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(source)
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        for path, fact in [
            (tmp_path / "link", "is a link; give a regular file"),
            (tmp_path / "dangling", "is a link; give a regular file"),
            (tmp_path / "pipe", "is a pipe; give a regular file"),  # and nobody waited for its writer
            (tmp_path / "socket", "cannot be opened"),
            (tmp_path, "is a folder; give a regular file"),
            (Path("/dev/zero"), "is a device; give a regular file"),
            (tmp_path / "nowhere", "does not exist"),
        ]:
            with pytest.raises(BadInput, match=f"file '{path}': {fact}"):
                store.put(path, name="x")
    assert not store.root.exists()


def test_a_giant_that_weighs_nothing_is_refused_before_it_is_read(store: Store, tmp_path: Path) -> None:
    with open(tmp_path / "sparse", "wb") as stream:
        stream.truncate(100 << 30)
    with pytest.raises(BadInput, match=r"has 107374182400 bytes; at most 1000000 are allowed"):
        store.put(tmp_path / "sparse", name="x", max_bytes=1_000_000)
    (tmp_path / "exact").write_bytes(b"12345")
    assert store.put(tmp_path / "exact", name="x", max_bytes=5).size_bytes == 5


@pytest.mark.parametrize("change", ["grow", "shrink", "swap bytes", "swap bytes after hashing"])
def test_a_file_that_changes_while_it_is_read_is_refused(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    monkeypatch.setattr(module, "CHUNK_BYTES", 1000)
    path = tmp_path / "moving"
    path.write_bytes(bytes(5000))
    before = path.stat()
    digest = module._digest

    def meddling(chunks: Iterator[bytes]) -> tuple[str, int]:
        if change == "swap bytes after hashing":
            found = digest(chunks)
        else:
            seen = [next(iter(chunks))]
        with open(path, "r+b") as stream:
            if change == "grow":
                stream.seek(0, os.SEEK_END)
                stream.write(bytes(5000))
            elif change == "shrink":
                stream.truncate(3000)
            else:
                stream.seek(4000)
                stream.write(b"x")
        times = (1, 1) if change == "swap bytes" else (before.st_atime_ns, before.st_mtime_ns)
        os.utime(path, ns=times)  # a meddler may also hide the time of change
        return found if change == "swap bytes after hashing" else digest([*seen, *chunks])

    monkeypatch.setattr(module, "_digest", meddling)
    with pytest.raises(BadInput, match="moving': changed while it was read; wait until it is complete"):
        store.put(path, name="x")
    assert visible(store) == []


def test_a_file_that_grows_as_fast_as_it_is_read_does_not_hold_us(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CHUNK_BYTES", 1000)
    path = tmp_path / "log"
    path.write_bytes(bytes(3000))
    reads: list[int] = []
    read = os.read

    def growing(handle: int, length: int) -> bytes:
        reads.append(length)
        assert len(reads) < 10
        with open(path, "ab") as stream:
            stream.write(bytes(1000))
        return read(handle, length)

    monkeypatch.setattr(os, "read", growing)
    with pytest.raises(BadInput, match="changed while it was read"):
        store.put(path, name="x")


def test_a_file_that_ends_before_its_end_is_refused(
    store: Store, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = os.read
    monkeypatch.setattr(
        os, "read", lambda handle, length: read(handle, min(length, len(DATA) - 1)) if length > 1 else b""
    )
    with pytest.raises(BadInput, match="changed while it was read"):
        store.put(source, name="x")


def test_a_file_swapped_for_another_is_still_the_one_that_was_opened(
    store: Store, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "golden").write_bytes(b"the golden cut")
    digest = module._digest

    def swapping(chunks: Iterator[bytes]) -> tuple[str, int]:
        source.unlink(missing_ok=True)
        source.symlink_to(tmp_path / "golden")
        return digest(chunks)

    monkeypatch.setattr(module, "_digest", swapping)
    assert store.path(store.put(source, name="x")).read_bytes() == DATA


# --- corruption ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("broken", "fact"),
    [
        (DATA[:-1], f"has {len(DATA) - 1} bytes, not {len(DATA)}"),
        (b"X" + DATA[1:], "has sha256 " + hashlib.sha256(b"X" + DATA[1:]).hexdigest()),
    ],
)
def test_a_corrupt_entry_is_named_and_the_right_bytes_repair_it(store: Store, broken: bytes, fact: str) -> None:
    ref = store.put_bytes(DATA, name="a")
    entry = store.path(ref)
    overwrite(entry, broken)
    with pytest.raises(CorruptEntry) as corrupt:
        store.path(ref)
    next_step = f"put the file again, or delete '{entry}' and run the same command again"
    assert str(corrupt.value) == f"store entry {SHA}: {fact}; {next_step}"
    assert list(store.verify()) == [SHA]
    store.put_bytes(DATA, name="again")
    assert store.path(ref).read_bytes() == DATA
    assert list(store.verify()) == []


def test_an_entry_that_became_a_folder_is_corrupt(store: Store) -> None:
    ref = store.put_bytes(DATA, name="a")
    store.path(ref).unlink()
    (store.root / SHA[:2] / SHA[2:]).mkdir()
    with pytest.raises(CorruptEntry, match="is a folder"):
        store.path(ref)


def test_an_entry_that_became_a_link_is_corrupt(store: Store, source: Path) -> None:
    ref = store.put_bytes(DATA, name="a")
    store.path(ref).unlink()
    (store.root / SHA[:2] / SHA[2:]).symlink_to(source)  # even with the right bytes behind it
    with pytest.raises(CorruptEntry, match="is a link"):
        store.path(ref)
    assert list(store.verify()) == [SHA]
    store.put(source, name="a")
    assert not store.path(ref).is_symlink()
    assert source.read_bytes() == DATA


def test_a_reference_with_a_wrong_size_is_not_served(store: Store) -> None:
    ref = store.put_bytes(DATA, name="a")
    with pytest.raises(CorruptEntry, match=f"has {len(DATA)} bytes, not 1"):
        store.path(ref.model_copy(update={"size_bytes": 1}))


def test_an_entry_is_hashed_once_and_again_when_it_changed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed = []
    digest = module._digest

    def counting(chunks: Iterator[bytes]) -> tuple[str, int]:
        hashed.append(1)
        return digest(chunks)

    ref = store.put_bytes(DATA, name="a")
    monkeypatch.setattr(module, "_digest", counting)
    for _ in range(3):
        Store(store.root).path(ref)
    assert len(hashed) == 0  # it was hashed when it was written
    module._intact_entries.clear()
    for _ in range(3):
        Store(store.root).path(ref)
    assert len(hashed) == 1
    os.utime(store.path(ref), ns=(5, 5))
    store.path(ref)
    assert len(hashed) == 2


def test_verify_trusts_nobody_and_ignores_strangers(store: Store) -> None:
    ref = store.put_bytes(DATA, name="a")
    entry = store.path(ref)
    times = entry.stat()
    overwrite(entry, b"X" + DATA[1:])
    os.utime(entry, ns=(times.st_atime_ns, times.st_mtime_ns))  # same size, same time, same inode
    (store.root / "ab").mkdir()
    (store.root / "ab" / "README").write_text("not an entry")
    (store.root / "cd").write_text("not even a folder")
    assert list(store.verify()) == [SHA]
    with pytest.raises(CorruptEntry):
        store.path(ref)


# --- collecting ---------------------------------------------------------------------------------------------------


def test_collect_removes_what_is_old_and_unreachable(store: Store) -> None:
    kept, old, young = (store.put_bytes(name.encode(), name=name) for name in ("kept", "old", "young"))
    for ref in (kept, old):
        os.utime(store.path(ref), (1, 1))
    assert store.collect([kept.sha256, "not a digest"]) == len("old")
    assert (store.has(kept.sha256), store.has(old.sha256), store.has(young.sha256)) == (True, False, True)
    assert store.collect([kept.sha256], older_than_s=0) == len("young")
    assert store.path(kept).read_bytes() == b"kept"


def test_putting_an_old_entry_again_makes_it_young(store: Store) -> None:
    ref = store.put_bytes(DATA, name="a")
    os.utime(store.path(ref), (1, 1))
    store.put_bytes(DATA, name="a")
    assert store.collect([]) == 0
    assert store.path(ref).read_bytes() == DATA


def test_an_entry_from_the_future_stays(store: Store) -> None:
    ref = store.put_bytes(DATA, name="a")
    os.utime(store.path(ref), (2**33, 2**33))
    assert store.collect([]) == 0


def test_collect_waits_for_writers(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer that is half through is not robbed of its temporary file."""
    (tmp_path / "slow").write_bytes(bytes(5000))
    half, go_on = threading.Event(), threading.Event()
    copied = module._copy_chunks

    def slowly(chunks: Iterator[bytes], handle: int) -> Iterator[bytes]:
        for chunk in copied(chunks, handle):
            if chunk != DATA:
                half.set()
                assert go_on.wait(60)
            yield chunk

    monkeypatch.setattr(module, "_copy_chunks", slowly)
    refs: list[FileRef] = []
    writer = threading.Thread(target=lambda: refs.append(store.put(tmp_path / "slow", name="x")))
    writer.start()
    assert half.wait(60)
    lock = fcntl.flock
    with monkeypatch.context() as patch:
        patch.setattr(fcntl, "flock", lambda file, kind: lock(file, kind | fcntl.LOCK_NB))  # fail instead of waiting
        with pytest.raises(NoRoom, match="Resource temporarily unavailable"):
            store.collect([], older_than_s=0)
        other = store.put_bytes(DATA, name="another writer need not wait")
    go_on.set()
    writer.join(60)
    assert store.path(refs[0]).read_bytes() == bytes(5000)
    assert store.collect([refs[0].sha256], older_than_s=0) == other.size_bytes


# --- several processes --------------------------------------------------------------------------------------------


def _write_many(root: str, writer: int) -> list[FileRef]:
    store = Store(Path(root))
    same = [store.put_bytes(b"same %d" % n * 5000, name=f"same-{n}") for n in range(20)]
    return same + [store.put_bytes(b"own %d %d" % (writer, n) * 5000, name=f"own-{n}") for n in range(20)]


@pytest.mark.real  # long, and needs nothing else
def test_several_processes_write_the_same_and_different_files(store: Store) -> None:
    context = multiprocessing.get_context("spawn")
    with context.Pool(3) as pool:
        found = pool.starmap(_write_many, [(str(store.root), writer) for writer in range(3)])
    assert found[0][:20] == found[1][:20] == found[2][:20]
    refs = {ref.sha256: ref for refs in found for ref in refs}
    assert len(refs) == 20 + 3 * 20
    assert len(visible(store)) == len(refs)
    assert all(store.path(ref).stat().st_size == ref.size_bytes for ref in refs.values())
    assert list(store.verify()) == []


# A writer that stops itself just before the rename, when all bytes are in the temporary file.
STUCK = """
import os, signal, sys
from pathlib import Path
from cutscore.store import Store
def stuck(*_):
    print("ready", flush=True)
    signal.pause()
os.replace = stuck
Store(Path(sys.argv[1])).put_bytes(b"half a film", name="x")
"""


def test_a_killed_writer_leaves_no_entry_and_collect_cleans_up(store: Store) -> None:
    writer = subprocess.Popen([sys.executable, "-c", STUCK, store.root], stdout=subprocess.PIPE)
    assert writer.stdout is not None
    assert select.select([writer.stdout], [], [], 100)[0]
    writer.send_signal(signal.SIGKILL)
    with writer:
        writer.stdout.read()
    assert not store.has(hashlib.sha256(b"half a film").hexdigest())
    assert [name.split("/")[0] for name in visible(store)] == ["tmp"]
    assert list(store.verify()) == []
    ref = store.put_bytes(b"half a film", name="x")
    assert store.collect([ref.sha256]) == len(b"half a film")
    assert visible(store) == [f"{ref.sha256[:2]}/{ref.sha256[2:]}"]


# --- disks that do not take it ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "fact"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EDQUOT, "the disk quota is used up"),
        (errno.EROFS, "the disk is read-only"),
        (errno.EACCES, "no permission to write"),
        (errno.EIO, "Input/output error"),
    ],
)
@pytest.mark.parametrize("call", ["write", "fsync", "replace", "mkdir"])
def test_a_disk_that_refuses_is_one_sentence_and_leaves_nothing(
    store: Store, source: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int, fact: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(os, call, refuse)
        with pytest.raises(NoRoom) as full:
            store.put(source, name="x")
    assert str(full.value) == f"store '{store.root}': cannot be written: {fact}; make room or choose another folder"
    assert full.value.exit_code == 3
    assert visible(store) == []
    assert store.path(store.put(source, name="x")).read_bytes() == DATA


def test_a_write_that_is_cut_short_is_continued(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, bytes(data[:7])))
    assert store.path(store.put_bytes(DATA, name="x")).read_bytes() == DATA


def test_a_real_limit_on_file_size_is_no_room(store: Store) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, hard))
    try:
        with pytest.raises(NoRoom, match="larger than this disk or process may hold"):
            store.put_bytes(bytes(2_000_000), name="x")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert visible(store) == []


def test_a_root_that_is_a_file_is_no_room(source: Path) -> None:
    with pytest.raises(NoRoom, match=r"cannot be written: (Not a directory|File exists)"):
        Store(source).put_bytes(DATA, name="x")


def test_a_disk_that_is_really_full_or_read_only(mount_disk: Callable[..., Path], tmp_path: Path) -> None:
    tiny_disk = mount_disk(tmp_path / "tiny")
    store = Store(tiny_disk / "store")
    ref = store.put_bytes(DATA, name="small")
    with pytest.raises(NoRoom, match="the disk is full"):
        store.put_bytes(bytes(2_000_000), name="large")
    assert visible(store) == [f"{SHA[:2]}/{SHA[2:]}"]
    subprocess.run(["mount", "-o", "remount,ro", tiny_disk], check=True)
    with pytest.raises(NoRoom, match="the disk is read-only"):
        store.put_bytes(b"more", name="more")
    assert store.path(ref).read_bytes() == DATA
