"""Samples of an Inspect log as plain data, read straight from its zip.

Inspect's own readers build every event of every sample, which costs ten times what a row needs. The file is a zip with
one `samples/ID_epoch_N.json` each; tests/bridge/test_inspect_contract.py compares this reader with Inspect's.
"""

import json
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cutscore.atomic import replace_file
from cutscore.core.errors import OldRecord
from cutscore.redaction import Redactor

if sys.version_info < (3, 14):
    import zipfile_zstd  # noqa: F401  teaches zipfile the compression that Inspect writes


REFERENCE = "attachment://"
CARRIED = "cutscore."  # keys of the store that are ours
MARKS, ENDING = "marks", "ending"  # the name of our score, and where its metadata has the whole ending
SECONDS = "seconds"  # what a sample took, where its log does not say: it ended before a kill


def read_samples(log: Path) -> Iterator[dict[str, Any]]:
    """Return every sample that a log holds, in the order in which they ended; also of a log that a kill cut short."""
    try:
        with zipfile.ZipFile(log) as archive:
            names = [name for name in archive.namelist() if name.startswith("samples/") and name.endswith(".json")]
            for name in dict.fromkeys(names):  # a sample that was logged twice counts once, as it was last
                yield restore_carried(json.loads(archive.read(name)))
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        fact = f"cannot be read ({type(error).__name__}: {error})"
        raise OldRecord(f"log '{log.name}'", fact, "restore it from a copy, or run the same command again") from error


def package_versions(log: Path) -> dict[str, str]:
    """Return the versions of the packages that wrote a log; none when it does not say."""
    try:
        with zipfile.ZipFile(log) as archive:
            found = json.loads(archive.read("_journal/start.json"))["eval"].get("packages") or {}
            return {str(name): str(version) for name, version in found.items()}
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        return {}  # whoever reads its samples says what is wrong with it


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


def scrub(log: Path, redact: Redactor) -> bool:
    """Take secrets out of a finished log, and say whether there were any.

    Answers, errors and deliverables are cleaned before they are logged. This catches what Inspect itself wrote down:
    a traceback, an argument of a model.
    """
    if not redact:
        return False
    with zipfile.ZipFile(log) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    if not any(redact.finds(data) for _, data in members):
        return False
    with replace_file(log) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, redact.data(data))
    return True
