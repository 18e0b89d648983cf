"""The form of `report.md`, as the brief words it: one fenced block with the time ranges of the defect.

    ```json
    {"schema": "cutscore-ranges-1", "ranges": [{"start_s": 12.3, "end_s": 12.9, "type": "filler_words"}]}
    ```

Seconds are those of the clip as it was given. `verify.ranges` reads what subjects wrote.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cutscore.core.files import FileRef, FileStore
from cutscore.core.frozen import canonical_json
from cutscore.core.timeline import Span

FIXED, REPORT = "fixed.mp4", "report.md"
SCHEMA = "cutscore-ranges-1"  # without a slash, which some writers of JSON escape


@dataclass(frozen=True)
class ReportedRange:
    """One range of a report, longer than an instant; its kind of defect is empty when the report does not say."""

    span: Span
    kind: str = ""


def range_block(ranges: Sequence[ReportedRange]) -> bytes:
    """Return the JSON of the block, without its fence."""
    listed: list[dict[str, object]] = []
    for each in ranges:
        kind = {"type": each.kind} if each.kind else {}
        listed.append({"start_s": float(each.span.start_s), "end_s": float(each.span.end_s), **kind})
    return canonical_json({"schema": SCHEMA, "ranges": listed})


def fence(block: bytes) -> bytes:
    """Return a block as the report holds it."""
    return b"```json\n" + block + b"\n```\n"


def put_report(store: FileStore, ranges: Sequence[ReportedRange], *, found: str = "") -> FileRef:
    """Write a report; the sentence `found`, if any, comes before the block."""
    opening = f"# Report\n\n{found}\n\n" if found else ""
    return store.put_bytes(opening.encode() + fence(range_block(ranges)), name=REPORT, media_type="text/markdown")
