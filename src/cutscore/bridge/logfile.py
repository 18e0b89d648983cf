"""Samples of an Inspect log as plain data, read straight from its zip.

Inspect's own readers build every event of every sample, which costs ten times what a row needs. The file is a zip with
one `samples/ID_epoch_N.json` each; tests/bridge/test_inspect_contract.py compares this reader with Inspect's.
"""

import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cutscore.bridge.log_members import read_object
from cutscore.bridge.torn_log import count_whole_samples
from cutscore.core.errors import OldRecord
from cutscore.regular_file import open_regular

REFERENCE = "attachment://"
CARRIED = "cutscore."  # keys of the store that are ours
MARKS, ENDING = "marks", "ending"  # the name of our score, and where its metadata has the whole ending
LONGEST_FACT = 300  # characters of what a library says
SECONDS = "seconds"  # what a sample took, where its log does not say: it ended before a kill


def read_samples(log: Path) -> Iterator[dict[str, Any]]:
    """Return every sample that a log holds, in the order in which they ended; also of a log that a kill cut short.

    A log may be a stranger's: whatever is wrong with it is an OldRecord, and nothing is read without a limit.
    """
    with _open_log(log) as archive:
        names = [name for name in archive.namelist() if name.startswith("samples/") and name.endswith(".json")]
        for name in dict.fromkeys(names):  # a sample that was logged twice counts once, as it was last
            yield restore_carried(read_object(archive, name))


def read_eval_spec(log: Path) -> dict[str, Any]:
    """Return what a log says of its evaluation: task, model, metadata, packages."""
    with _open_log(log) as archive:
        # The first is there when a log is complete; the second from its beginning on.
        names = [name for name in ("header.json", "_journal/start.json") if name in archive.namelist()]
        spec = read_object(archive, names[0]).get("eval") if names else None
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
        then = "restore it from a copy, or run the same command again"
        if isinstance(error, zipfile.BadZipFile) and (whole := count_whole_samples(log)):
            fact, then = f"is torn; {whole:,} samples in it are whole", f"{then}, which asks only for the others"
        raise OldRecord(f"log '{log.name}'", fact, then) from error


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
