"""What is said in a clip, and when: the noun, its sidecar file, and subtitles as input.

A sidecar is JSON of the schema `cutscore.transcript/1`; times are exact fractions of a second, counted from the first
picture like all times here. Subtitles (SubRip and WebVTT) are read as segments without word times. Files may come
from strangers: they are held to limits, and what cannot be read without guessing is refused by its line. (Libraries
for subtitles do not name lines: pysubs2 1.8, webvtt-py 0.6 and srt 3.5 drop or guess damaged cues in silence.)
"""

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, ValidationError, model_validator

from cutscore.atomic import replace_file
from cutscore.core.errors import BrokenData, NoRoom
from cutscore.core.frozen import Finite, FrozenModel, canonical_json
from cutscore.core.strict_json import read_json
from cutscore.core.timeline import Seconds, Span, timecode
from cutscore.media.source import read_whole, shown_name

SCHEMA: Final = "cutscore.transcript/1"
MOST_BYTES = 16 << 20  # fifteen hours of dense speech with word times
MOST_TEXT = 10_000  # characters of one segment

# The hour may be left out (WebVTT) and the last part is milliseconds; SubRip writes a comma.
_CLOCK = r"(?:(\d{1,4}):)?([0-5]\d):([0-5]\d)[.,](\d{3})"
_TIMING = re.compile(rf"\s*{_CLOCK}\s+-->\s+{_CLOCK}(?:\s.*)?")
_MARKUP = re.compile(r"<[^<>\n]*>|\{\\[^{}\n]*\}")
_NO_CUES = ("NOTE", "STYLE", "REGION")


def _printable(text: str) -> str:
    # A terminal would obey an escape code, and a NUL ends a string for many readers.
    if found := next((letter for letter in text if unicodedata.category(letter) == "Cc"), ""):
        raise ValueError(f"has the control character U+{ord(found):04X}")
    return text


Line = Annotated[str, Field(max_length=MOST_TEXT), AfterValidator(_printable)]
Label = Annotated[str, Field(max_length=200), AfterValidator(_printable)]


class Word(Span):
    """One word, as written, with the punctuation that follows it and without spaces.

    `probability` is how sure the recogniser is, 0 to 1; None when nobody said.
    """

    text: Line
    probability: Annotated[Finite, Field(ge=0, le=1)] | None = None


class Segment(Span):
    """Words that belong together, as a subtitle shows them.

    They lie inside the segment and in order; there are none when only the line has times.
    """

    text: Line
    words: tuple[Word, ...] = ()

    @model_validator(mode="after")
    def _holds_its_words(self) -> Self:
        _in_order(self.words)
        for word in self.words:
            if word.start_s < self.start_s or word.end_s > self.end_s:
                raise ValueError(f"word at {timecode(word.start_s)} lies outside its segment ({self})")
        return self


class Transcript(FrozenModel):
    """Everything that is said in one clip; nothing, when `segments` is empty.

    Args:
        language: As a BCP 47 tag, such as `en`; empty when not known.
        made_by: Who or what wrote it down, with version.
        length_s: How much was listened to; None when not known.
        segments: In order of their starts; they may overlap, as people do.
    """

    model_config = ConfigDict(populate_by_name=True)

    record: Literal["cutscore.transcript/1"] = Field(default=SCHEMA, alias="schema")
    language: Annotated[str, Field(pattern=r"^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$", max_length=40)] = ""
    made_by: Label
    length_s: Seconds | None = None
    segments: tuple[Segment, ...] = ()

    @model_validator(mode="after")
    def _is_in_order(self) -> Self:
        _in_order(self.segments)
        if self.segments and self.segments[0].start_s < 0:
            raise ValueError(f"the first segment begins at {timecode(self.segments[0].start_s)}, before the clip")
        return self

    @property
    def text(self) -> str:
        """All that is said, on one line."""
        return " ".join(segment.text for segment in self.segments)

    @property
    def words(self) -> Iterator[Word]:
        """Words with times of their own; none of a segment that has no such."""
        return (word for segment in self.segments for word in segment.words)

    def during(self, span: Span) -> str:
        """Return what is said within a span: words that overlap it, and whole segments that have no word times."""
        heard: list[str] = []
        for segment in self.segments:
            pieces: Iterable[Word | Segment] = segment.words or (segment,)
            heard += [piece.text for piece in pieces if piece.overlap(span) > 0 or span.holds(piece.start_s)]
        return " ".join(heard)


def _in_order(spans: Iterable[Span]) -> None:
    for before, after in pairwise(spans):
        if after.start_s < before.start_s:
            raise ValueError(f"{timecode(after.start_s)} comes after {timecode(before.start_s)}")


def write_transcript(transcript: Transcript, path: Path) -> None:
    """Write a sidecar that appears whole or not at all; equal bytes for equal transcripts."""
    try:
        with replace_file(path) as draft:
            draft.write_bytes(canonical_json(transcript.model_dump(mode="json", by_alias=True)) + b"\n")
    except OSError as error:
        raise NoRoom(f"transcript '{path.name}'", f"cannot be written: {error.strerror}") from error


def to_vtt(transcript: Transcript) -> str:
    r"""Write segments as WebVTT, which models have read more of than of any format of ours.

    Times are rounded to the millisecond, half to even, and a cue lasts at least one; words lose times of their own, and
    spaces in a row become one. A segment without text is left out, and a transcript without any has no cue.

    >>> to_vtt(Transcript(made_by="a person", segments=[Segment(start_s=1, end_s="5/2", text="salt & oil")]))
    'WEBVTT\n\n00:01.000 --> 00:02.500\nsalt &amp; oil\n'
    """
    cues = ["WEBVTT\n"]
    for segment in transcript.segments:
        # A brace may begin a command of another format, which readers take out, ours too.
        said = html.escape(" ".join(segment.text.split()), quote=False).replace("{", "&#123;")
        start_ms = round(segment.start_s * 1000)
        end_ms = max(start_ms + 1, round(segment.end_s * 1000))
        if said:
            cues.append(f"{_clock(start_ms)} --> {_clock(end_ms)}\n{said}\n")
    return "\n".join(cues)


def _clock(at_ms: int) -> str:
    seconds, milli = divmod(at_ms, 1000)
    hours = f"{seconds // 3600:02d}:" if seconds >= 3600 else ""
    return f"{hours}{seconds // 60 % 60:02d}:{seconds % 60:02d}.{milli:03d}"


def read_transcript(path: Path, *, language: str = "") -> Transcript:
    """Read a sidecar or subtitles, whichever the content is; the name does not matter.

    It is one regular file, not a link, of 16 MiB at most. Subtitles do not say their language themselves.
    """
    what = f"transcript '{shown_name(path.name)}'"
    try:
        text = read_whole(path, what, most_bytes=MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BrokenData(what, f"is not UTF-8 at byte {error.start}", "save it as UTF-8") from None
    try:
        return _sidecar(text) if text.lstrip().startswith("{") else _subtitles(text, language)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise BrokenData(what, shown_name(f"{place}: {first['msg']}".removeprefix(": "), most=200)) from None
    except ValueError as error:
        raise BrokenData(what, shown_name(str(error), most=200)) from None


def _sidecar(text: str) -> Transcript:
    plain = read_json(text)
    schema = plain.get("schema") if isinstance(plain, dict) else None
    if schema != SCHEMA:
        raise ValueError(f"has schema {schema!r:.60}, this version reads '{SCHEMA}'")
    return Transcript.model_validate(plain)


def _subtitles(text: str, language: str) -> Transcript:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    is_vtt = re.match(r"WEBVTT(\s|$)", lines[0]) is not None
    if not is_vtt and not any(map(_TIMING.fullmatch, lines)):
        raise ValueError("is neither a transcript nor subtitles (JSON, SubRip or WebVTT)")
    start = 0
    while is_vtt and start < len(lines) and lines[start].strip():  # its header ends with the first empty line
        start += 1
    cues = sorted(_cues(lines, start), key=lambda cue: cue.start_s)
    return Transcript(
        language=language, made_by=f"subtitles ({'WebVTT' if is_vtt else 'SubRip'})", segments=tuple(cues)
    )


def _cues(lines: list[str], at: int) -> Iterator[Segment]:
    """Read blocks between empty lines: an optional name or number, a timing, the text."""
    while at < len(lines):
        end = next((index for index in range(at, len(lines)) if not lines[index].strip()), len(lines))
        block = lines[at:end]
        timed = next((index for index, line in enumerate(block[:2]) if "-->" in line), None)
        if timed is not None:
            cue = _cue(block[timed], block[timed + 1 :], number=at + timed + 1)
            if cue.text:
                yield cue
        elif block and not block[0].startswith(_NO_CUES):
            raise ValueError(f"line {at + 1} begins a cue without times")
        at = end + 1


def _cue(timing: str, said: list[str], *, number: int) -> Segment:
    found = _TIMING.fullmatch(timing)
    if found is None:
        raise ValueError(f"line {number} has times that we cannot read")
    parts = [int(part or 0) for part in found.groups()]
    start_s, end_s = (
        Fraction(hours * 3600 + minutes * 60 + whole) + Fraction(milli, 1000)
        for hours, minutes, whole, milli in (parts[:4], parts[4:])
    )
    if end_s < start_s:
        raise ValueError(f"line {number} ends before it starts")
    line = " ".join(" ".join(said).split())
    return Segment(start_s=start_s, end_s=end_s, text=html.unescape(_MARKUP.sub("", line)).strip())
