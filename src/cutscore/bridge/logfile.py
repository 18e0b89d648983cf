"""Samples of an Inspect log as plain data, read straight from its zip.

Inspect's own readers build every event of every sample, which costs ten times what a row needs. The file is a zip with
one `samples/ID_epoch_N.json` each; tests/bridge/test_inspect_contract.py compares this reader with Inspect's.
"""

import json
import sys
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cutscore.bridge.torn_log import count_whole_samples
from cutscore.core.errors import OldRecord
from cutscore.regular_file import open_regular

if sys.version_info < (3, 14):
    import zipfile_zstd  # noqa: F401  teaches zipfile the compression that Inspect writes


REFERENCE = "attachment://"
CARRIED = "cutscore."  # keys of the store that are ours
MARKS, ENDING = "marks", "ending"  # the name of our score, and where its metadata has the whole ending
MOST_MEMBER_BYTES = 256 << 20  # of one sample or header, unpacked; that of a long day of an agent has some ten million
LONGEST_FACT = 300  # characters of what a library says
# Of packed bytes that are unpacked at once: the best packing makes a hundred million bytes of so many.
_PIECE_BYTES = 1 << 12
SECONDS = "seconds"  # what a sample took, where its log does not say: it ended before a kill


def read_samples(log: Path) -> Iterator[dict[str, Any]]:
    """Return every sample that a log holds, in the order in which they ended; also of a log that a kill cut short.

    A log may be a stranger's: whatever is wrong with it is an OldRecord, and nothing is read without a limit.
    """
    with _open_log(log) as archive:
        names = [name for name in archive.namelist() if name.startswith("samples/") and name.endswith(".json")]
        for name in dict.fromkeys(names):  # a sample that was logged twice counts once, as it was last
            yield restore_carried(_read_member(archive, name))


def read_eval_spec(log: Path) -> dict[str, Any]:
    """Return what a log says of its evaluation: task, model, metadata, packages."""
    with _open_log(log) as archive:
        # The first is there when a log is complete; the second from its beginning on.
        names = [name for name in ("header.json", "_journal/start.json") if name in archive.namelist()]
        spec = _read_member(archive, names[0]).get("eval") if names else None
        if not isinstance(spec, dict):
            raise ValueError("it says nothing of an evaluation")
        return spec


def package_versions(log: Path) -> dict[str, str]:
    """Return the versions of the packages that wrote a log; none when it does not say."""
    try:
        found = read_eval_spec(log).get("packages")
    except OldRecord:  # whoever reads its samples says what is wrong with it
        return {}
    return {str(name): str(version) for name, version in found.items()} if isinstance(found, dict) else {}


@contextmanager
def _open_log(log: Path) -> Iterator[zipfile.ZipFile]:
    """Open a log; what goes wrong with it while this lasts is an OldRecord."""
    try:
        with open_regular(log) as stream, zipfile.ZipFile(stream) as archive:
            yield archive
    except Exception as error:  # zip, its compressions and JSON raise whatever they like
        fact = f"cannot be read ({type(error).__name__}: {error})"[:LONGEST_FACT]
        raise OldRecord(f"log '{log.name}'", fact, _way_out(log, error)) from error


def _way_out(log: Path, error: Exception) -> str:
    """Say what to do about a log that cannot be read, and what the same command saves of one that is torn."""
    then = "restore it from a copy, or run the same command again"
    whole = count_whole_samples(log) if isinstance(error, zipfile.BadZipFile) else 0
    return f"{then}: it keeps the {whole:,} samples that are whole, and asks for the others" if whole else then


def _read_member(archive: zipfile.ZipFile, name: str) -> dict[str, Any]:
    """Read an object of a log, piece by piece: what its head says of its length need not be so."""
    found, data = archive.getinfo(name), bytearray()
    if found.file_size > MOST_MEMBER_BYTES:
        raise ValueError(f"'{name}' has {found.file_size:,} bytes, {MOST_MEMBER_BYTES:,} are allowed")
    with archive.open(found) as member:
        while piece := member.read(_PIECE_BYTES):
            data += piece
    plain = json.loads(data)
    if not isinstance(plain, dict):
        raise ValueError(f"'{name}' is not a JSON object")
    return plain


def is_intact(log: Path) -> bool:
    """Return whether a log is whole, by the checksums in it."""
    try:
        with zipfile.ZipFile(log) as archive:
            return archive.testzip() is None
    except (OSError, ValueError, zipfile.BadZipFile):
        return False


def restore_carried(sample: dict[str, Any]) -> dict[str, Any]:
    """Return a sample with what its score carries put where marking looks for it, into the store.

    In samples that Inspect recovered after a kill, long texts of a score are references to attachments.
    """
    for score in (sample.get("scores") or {}).values() if not sample.get("store") else ():
        carried = {key: value for key, value in (score.get("metadata") or {}).items() if key.startswith(CARRIED)}
        sample["store"] = _resolved(carried, sample.get("attachments") or {})
        score["metadata"] = _resolved(score.get("metadata"), sample.get("attachments") or {})
    return sample


def is_marked(sample: Mapping[str, Any]) -> bool:
    """Return whether a sample was marked: not owed any more."""
    score = (sample.get("scores") or {}).get(MARKS) or {}
    ending = (score.get("metadata") or {}).get(ENDING)
    return not sample.get("error") and isinstance(ending, dict) and ending.get("status") == "marked"


def kept_parts(sample: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a cell's journal keeps of a logged sample that was not marked: all that a row is made of."""
    score = (sample.get("scores") or {}).get(MARKS) or {}
    parts = {name: sample.get(name) for name in ("id", "epoch", "input", "target", "metadata", "total_time")}
    # Its value is not a number, for which JSON has no word.
    return {**parts, "scores": {MARKS: {"value": None, "metadata": score.get("metadata")}}}


def _resolved(value: Any, attachments: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return attachments.get(value.removeprefix(REFERENCE), value) if value.startswith(REFERENCE) else value
    if isinstance(value, dict):
        return {key: _resolved(inner, attachments) for key, inner in value.items()}
    if isinstance(value, list):
        return [_resolved(inner, attachments) for inner in value]
    return value
