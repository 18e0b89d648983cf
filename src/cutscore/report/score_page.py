"""One deliverable → one page to send: the brief, the verdict, what failed, and a still of where.

It is one file that loads nothing, with its style and pictures inside it.
"""

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import metadata
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from cutscore.core.ask import Ask
from cutscore.core.card import Card
from cutscore.core.ending import Ending
from cutscore.core.errors import BadInput, Unscored
from cutscore.core.files import FileRef, FileStore
from cutscore.core.finding import Finding
from cutscore.core.inert_text import Clean, make_inert
from cutscore.core.timeline import timecode
from cutscore.media import deliverable
from cutscore.media.frames import encode_jpeg
from cutscore.media.opencv import opencv
from cutscore.media.plan import Times
from cutscore.results.marked_item import PENALTY, MarkedItem, new_reasons, sort_findings
from cutscore.results.wording import digits_for, number, reason, tone

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
STILL_HEIGHT = 180
MOST_STILLS = 40
# How checklists and rubrics write a reason: the line that was asked, and what was seen.
_ASKED_AND_FOUND = re.compile(r"(?P<asked>.+?[.?!]) (?:Yes|No): (?P<found>.+)", re.S)


@dataclass(frozen=True)
class Requirement:
    """One thing that was not met: what was asked, what was found, and where it can be seen.

    Args:
        unwanted: It was asked that this be not so.
        still: The picture in the middle of that stretch, as JPEG in a data address; empty where there is none.
    """

    asked: str
    found: str
    value: str
    tone: str
    unwanted: bool = False
    file: str = ""
    at: str = ""
    still: str = ""
    still_at: str = ""


def requirements(card: Card, shown: MarkedItem, files: Sequence[FileRef], store: FileStore) -> list[Requirement]:
    """Return what a deliverable did not meet; where nothing is checked one by one, its factors and the mark."""
    low = [each for each in shown.factors if each.score is not None and each.score < card.scores[each.name].ceiling]
    said = new_reasons(low, [shown.mark])
    marks = [shown.mark] if shown.mark is not None and tone(shown.mark.score or 0.0, _scale(card)) != "q4" else []
    findings = shown.failed or (*marks, *(each for each in low if each.name in said))
    by_name = {ref.name: ref for ref in files}
    return [_requirement(card, each, by_name, store, look=n < MOST_STILLS) for n, each in enumerate(findings)]


def _scale(card: Card) -> tuple[float, float]:
    return card.scores[card.headline].scale


def _requirement(
    card: Card, finding: Finding, files: dict[str, FileRef], store: FileStore, *, look: bool
) -> Requirement:
    told = _ASKED_AND_FOUND.fullmatch(finding.because)
    scale = card.scores[finding.name].scale if finding.name in card.scores else (0.0, 1.0)
    graded = card.is_grade(finding.name) and finding.score is not None
    still_s, still = _still(finding, files, store) if look else (None, b"")
    return Requirement(
        asked=told["asked"] if told else card.label(finding.name).rpartition("/")[2],
        found=told["found"] if told else reason(finding.because),
        value=finding.amount if graded else "",
        tone=tone(finding.score or 0.0, scale) if graded else "q0",
        unwanted=finding.name.startswith(PENALTY),
        file=finding.file or "",
        at=str(finding.at) if finding.at else "",
        still=f"data:image/jpeg;base64,{b64encode(still).decode()}" if still else "",
        still_at=timecode(still_s) if still_s is not None else "",
    )


def _still(finding: Finding, files: dict[str, FileRef], store: FileStore) -> tuple[Fraction | None, bytes]:
    """Return a small picture from the middle of the stretch; nothing where the file has no pictures."""
    if finding.at is None or finding.file not in files:
        return None, b""
    at_s = (finding.at.start_s + finding.at.end_s) / 2
    try:
        (frame,) = deliverable.read_frames(store.path(files[finding.file]), Times((at_s,)))
    except (BadInput, Unscored):  # a sound, a text, or a film that cannot be decoded, which is what failed
        return None, b""
    height, width = frame.pixels.shape[:2]
    size = (max(1, round(width * STILL_HEIGHT / height)), STILL_HEIGHT)
    return at_s, encode_jpeg(opencv().resize(frame.pixels, size, interpolation=opencv().INTER_AREA), quality=75)


def score_page(
    card: Card, ask: Ask, ending: Ending, *, mode: str, files: Sequence[FileRef], store: FileStore, clean: Clean
) -> str:
    """Return the page as HTML; every text on it is inert, and cleaned as the caller says."""
    shown = sort_findings(card, ending, mode)
    mark = shown.mark.score if shown.mark is not None else None
    factors = [(card.label(each.name), number(each.score, digits_for(_scale_of(card, each)))) for each in shown.factors]
    because = ending.because if ending.status != "marked" else reason(shown.mark.because) if shown.mark else ""

    def gate(value: Any) -> Any:
        return make_inert(value, clean) if isinstance(value, str) and not isinstance(value, Markup) else value

    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        finalize=gate,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return templates.get_template("score_page.html").render(
        policy=POLICY,
        version=metadata.version("cutscore"),
        card=card,
        ask=ask,
        ending=ending,
        mode=mode,
        mark=number(mark, digits_for(_scale(card))),
        top=number(_scale(card)[1], digits_for(_scale(card))),
        tone=tone(mark or 0.0, _scale(card)),
        because=because,
        factors=factors,
        failed=requirements(card, shown, files, store) if ending.status == "marked" else [],
        met=_count_met(card, ending, mode),
    )


def _scale_of(card: Card, finding: Finding) -> tuple[float, float]:
    return card.scores[finding.name].scale


def _count_met(card: Card, ending: Ending, mode: str) -> int:
    """Count the requirements that were checked one by one and met."""
    here = [each for each in ending.findings if each.mode in ("", mode) and each.name not in card.scores]
    return sum(card.is_grade(each.name) and each.score == 1 for each in here)
