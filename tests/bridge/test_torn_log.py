"""Logs that a failing disk has torn: what is whole in them is kept, and only the rest is asked again."""

import random
import zipfile
from pathlib import Path

import pytest
import zipfile_zstd  # noqa: F401  teaches zipfile the compression that Inspect writes

from cutscore.bridge.torn_log import count_whole_samples, mend_log, read_whole_samples
from cutscore.core.errors import NoRoom

ZSTANDARD = 93  # how Inspect packs


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of nine samples, of two hundred to three hundred bytes each."""
    draw = random.Random(3)
    with zipfile.ZipFile(tmp_path / "a.eval", "w", ZSTANDARD) as archive:
        archive.writestr("_journal/start.json", "{}")
        for number in range(9):
            said = draw.randbytes(100).hex()
            archive.writestr(f"samples/s{number}_epoch_1.json", f'{{"id": "s{number}", "said": "{said}"}}')
        archive.writestr("header.json", "{}")
    return tmp_path / "a.eval"


def ids(log: Path) -> list[str]:
    return [sample["id"] for sample in read_whole_samples(log)]


def test_a_log_without_its_end_gives_every_sample_before_it(log: Path) -> None:
    with zipfile.ZipFile(log) as archive:
        ends = [info.header_offset for info in archive.infolist()[2:]]
    data = log.read_bytes()
    for length in range(0, len(data), 41):
        log.write_bytes(data[:length])
        assert count_whole_samples(log) == sum(end <= length for end in ends), length


def test_a_damaged_sample_is_left_out_and_those_behind_it_are_found(log: Path) -> None:
    with zipfile.ZipFile(log) as archive:
        place = archive.getinfo("samples/s4_epoch_1.json").header_offset
    data = bytearray(log.read_bytes())
    data[place + 90] ^= 0xFF
    log.write_bytes(data)
    assert ids(log) == [f"s{number}" for number in (0, 1, 2, 3, 5, 6, 7, 8)]
    data[place : place + 4] = b"gone"
    log.write_bytes(data)
    assert ids(log) == [f"s{number}" for number in (0, 1, 2, 3, 5, 6, 7, 8)]


def test_a_mended_log_is_whole_and_the_torn_one_stays(log: Path) -> None:
    torn = log.read_bytes()[:1500]
    log.write_bytes(torn)
    whole = mend_log(log)
    assert 0 < whole < 9
    with zipfile.ZipFile(log) as archive:
        assert archive.testzip() is None
        assert sum(name.startswith("samples/") for name in archive.namelist()) == whole
    assert [path.name for path in sorted(log.parent.iterdir())] == ["a.eval", "a.eval.torn"]
    assert (log.parent / "a.eval.torn").read_bytes() == torn


def test_a_log_with_nothing_whole_is_set_aside(log: Path) -> None:
    log.write_bytes(b"not a log")
    assert mend_log(log) == 0
    assert [path.name for path in log.parent.iterdir()] == ["a.eval.torn"]


def test_a_disk_without_room_for_the_mended_log_leaves_the_torn_one(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log.write_bytes(log.read_bytes()[:1500])

    def refuse(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("cutscore.bridge.torn_log.copy_whole_members", refuse)
    with pytest.raises(NoRoom, match=r"file '.*a.eval': cannot be written: the disk is full; free some space"):
        mend_log(log)
    assert [path.name for path in log.parent.iterdir()] == ["a.eval"]
