"""Transcripts: what they hold, their sidecar, and subtitles, also from strangers."""

import json
import os
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from cutscore.core.errors import BadInput, BrokenData, NoRoom
from cutscore.core.timeline import Span
from cutscore.media.transcript import Segment, Transcript, Word, read_transcript, to_vtt, write_transcript

ASK = Segment(
    start_s=1,
    end_s=3,
    text="ask not",
    words=(Word(start_s=1, end_s="3/2", text="ask", probability=0.5), Word(start_s=2, end_s=3, text="not")),
)
TALK = Transcript(language="en", made_by="a person", length_s=9, segments=(ASK, Segment(start_s=4, end_s=5, text="é")))

SRT = """\ufeff1\r
00:00:01,000 --> 00:00:02,500\r
- <i>Take</i> the\r
{\\an8}red cup\r
\r
2\r
01:00:00,040 --> 01:00:01,000\r
Tom &amp; me\r
"""

VTT = """WEBVTT - a title
Kind: captions

NOTE anything
is said here

STYLE
::cue { color: red }

intro
00:01.000 --> 00:02.500 line:0 position:20%
<v Ann>Hello</v> <00:01.500>you

01:00:00.040 --> 01:00:01.000
bye
"""


def test_words_are_spans_and_can_be_asked_for() -> None:
    assert TALK.text == "ask not é"
    assert [word.text for word in TALK.words] == ["ask", "not"]
    assert TALK.during(Span(start_s=Fraction(7, 4), end_s=Fraction(17, 4))) == "not é"
    assert TALK.during(Span(start_s=6, end_s=7)) == ""
    assert (
        Transcript(made_by="a person", segments=[Span(start_s=1, end_s=1).model_dump() | {"text": "!"}]).during(
            Span(start_s=0, end_s=2)
        )
        == "!"
    )


times = st.fractions(min_value=0, max_value=10_000, max_denominator=48_000)
lines = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=20)


@st.composite
def transcripts(draw: st.DrawFn) -> Transcript:
    segments = []
    for bounds in sorted(draw(st.lists(st.lists(times, min_size=4, max_size=4).map(sorted), max_size=5))):
        first = Word(
            start_s=bounds[1], end_s=bounds[2], text=draw(lines), probability=draw(st.none() | st.floats(0, 1))
        )
        words = draw(st.sampled_from([(), (first,)]))
        segments.append(Segment(start_s=bounds[0], end_s=bounds[3], text=draw(lines), words=words))
    return Transcript(language="de-CH", made_by=draw(lines), length_s=draw(st.none() | times), segments=tuple(segments))


@settings(max_examples=30)
@given(transcript=transcripts())
def test_a_sidecar_reads_back_equal(transcript: Transcript, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "talk.json"
    write_transcript(transcript, path)
    assert read_transcript(path) == transcript
    before = path.read_bytes()
    write_transcript(read_transcript(path), path)
    assert path.read_bytes() == before


def test_a_sidecar_says_its_schema_and_exact_times(tmp_path: Path) -> None:
    write_transcript(TALK, tmp_path / "talk.json")
    plain = json.loads((tmp_path / "talk.json").read_text())
    assert plain["schema"] == "cutscore.transcript/1"
    assert plain["segments"][0]["words"][0] == {"start_s": "1", "end_s": "3/2", "text": "ask", "probability": 0.5}


def test_a_failed_write_leaves_the_old_file_and_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "talk.json"
    write_transcript(TALK, path)
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(NoRoom, match=r"transcript 'talk.json': cannot be written: No space left"):
        write_transcript(Transcript(made_by="another"), path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["talk.json"]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"segments": [ASK.model_dump() | {"end_s": 2}]}, "word at 00:02.000 lies outside its segment"),
        ({"segments": [{"start_s": 2, "end_s": 1, "text": ""}]}, "span ends at 1 s, before it starts at 2 s"),
        ({"segments": [{"start_s": s, "end_s": 9, "text": ""} for s in (2, 1)]}, "00:01.000 comes after 00:02.000"),
        ({"segments": [{"start_s": -1, "end_s": 9, "text": ""}]}, "begins at -00:01.000, before the clip"),
        ({"segments": [{"start_s": 0, "end_s": 1, "text": "a\x1b[31mb"}]}, "has the control character U\\+001B"),
        ({"segments": [{"start_s": 0, "end_s": 1, "text": "x" * 10_001}]}, "at most 10000 characters"),
        ({"segments": [{"start_s": 0, "end_s": 1, "text": "", "link": "x"}]}, "Extra inputs"),
        ({"language": "../en"}, "should match pattern"),
    ],
)
def test_what_cannot_be_is_refused(change: dict, fault: str) -> None:
    with pytest.raises(ValidationError, match=fault):
        Transcript.model_validate({"made_by": "x"} | change)


@pytest.mark.parametrize(("text", "how"), [(SRT, "SubRip"), (VTT, "WebVTT")])
def test_subtitles_become_segments(tmp_path: Path, text: str, how: str) -> None:
    path = tmp_path / "talk.txt"  # the name says nothing
    path.write_text(text, newline="")
    got = read_transcript(path, language="en")
    said = ["- Take the red cup", "Tom & me"] if how == "SubRip" else ["Hello you", "bye"]
    assert [(segment.start_s, segment.end_s) for segment in got.segments] == [
        (1, Fraction(5, 2)),
        (3600 + Fraction(1, 25), 3601),
    ]
    assert [segment.text for segment in got.segments] == said
    assert (got.made_by, got.language, list(got.words)) == (f"subtitles ({how})", "en", [])


def test_cues_are_sorted_and_empty_ones_left_out(tmp_path: Path) -> None:
    cues = ["00:03.000 --> 00:04.000\nlater", "00:01.000 --> 00:05.000\nfirst", "00:02.000 --> 00:02.500\n<b></b>"]
    (tmp_path / "a.vtt").write_text("WEBVTT\n\n" + "\n\n".join(cues))
    assert read_transcript(tmp_path / "a.vtt").text == "first later"


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "is neither a transcript nor subtitles"),
        (b"hello\n\nthere", "is neither a transcript nor subtitles"),
        (b"#EXTM3U\nhttp://127.0.0.1/x.ts", "is neither a transcript nor subtitles"),
        (b"\xff\xfe1\x00", "is not UTF-8 at byte 0; save it as UTF-8"),
        (
            b'{"schema": "cutscore.transcript/9", "made_by": ""}',
            "has schema 'cutscore.transcript/9', this version reads",
        ),
        (b'{"made_by": ""}', "has schema None, this version reads"),
        (b'{"schema": "cutscore.transcript/1", "schema": "x"}', "has the key 'schema' twice"),
        (b'{"schema": "cutscore.transcript/1"}', "made_by: Field required"),
        (b'{"schema":"cutscore.transcript/1","made_by":"","length_s":"1e99999999"}', "is not a number of seconds"),
        (b'{"schema":"cutscore.transcript/1","made_by":"","length_s":NaN}', "has the number NaN"),
        (b'{"a":' + 5000 * b"[", "is nested too deeply"),
        (b"1\n00:00:01,000 --> 00:00:00,000\nx", "line 2 ends before it starts"),
        (b"1\n00:00:01,000 --> 00:00:02,000\nx\n\ny", "line 5 begins a cue without times"),
        (b"1\n00:00:01,000 --> 00:00:02,000\nx\n\n2\n0:1 --> 9\ny", "line 6 has times that we cannot read"),
        (b"1\n00:00:01,000 --> 00:00:02,000\n\x1b[2J", "text: Value error, has the control character U+001B"),
        (b"1\n00:00:01,000 --> 00:00:02,000\n" + 20_000 * b"x", "text: String should have at most 10000"),
    ],
)
def test_files_that_we_would_have_to_guess_at_are_refused(tmp_path: Path, content: bytes, fault: str) -> None:
    path = tmp_path / "talk.srt"
    path.write_bytes(content)
    with pytest.raises(BrokenData) as caught:
        read_transcript(path)
    assert str(caught.value).startswith("transcript 'talk.srt': ")
    assert fault in str(caught.value)
    assert "\x1b" not in str(caught.value)


def test_only_one_regular_file_of_decent_size_is_read(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"transcript 'none.srt': does not exist"):
        read_transcript(tmp_path / "none.srt")
    (tmp_path / "link.srt").symlink_to(tmp_path / "none.srt")
    with pytest.raises(BrokenData, match=r"transcript 'link.srt': is a symbolic link"):
        read_transcript(tmp_path / "link.srt")
    os.mkfifo(tmp_path / "pipe.srt")
    with pytest.raises(BrokenData, match=r"transcript 'pipe.srt': is not a regular file"):
        read_transcript(tmp_path / "pipe.srt")
    with open(tmp_path / "huge.srt", "wb") as huge:
        huge.truncate(1 << 40)  # sparse: takes no room
    with pytest.raises(BrokenData, match=r"has 1,099,511,627,776 bytes, 16,777,216 are allowed"):
        read_transcript(tmp_path / "huge.srt")


said = st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=40)
spoken = st.lists(
    st.tuples(st.fractions(0, 20_000), st.fractions(0, 100), said).map(
        lambda cue: Segment(start_s=cue[0], end_s=cue[0] + cue[1], text=cue[2])
    ),
    max_size=6,
)


@given(spoken)
@settings(max_examples=60)
def test_web_subtitles_read_back_with_the_same_words_to_the_millisecond(
    tmp_path_factory: pytest.TempPathFactory, segments: list[Segment]
) -> None:
    made = Transcript(made_by="a person", segments=sorted(segments, key=lambda each: each.start_s))
    file = tmp_path_factory.getbasetemp() / "said.vtt"
    file.write_text(to_vtt(made), encoding="utf-8", newline="")
    back = read_transcript(file)
    wanted = [each for each in made.segments if each.text.split()]
    assert [each.text for each in back.segments] == [" ".join(each.text.split()) for each in wanted]
    for one, two in zip(back.segments, wanted, strict=True):
        assert abs(one.start_s - two.start_s) <= Fraction(1, 2000)
        assert abs(one.end_s - two.end_s) <= Fraction(3, 2000)
    assert to_vtt(back) == to_vtt(made)


def test_web_subtitles_are_escaped_and_have_hours_only_when_needed() -> None:
    lines = to_vtt(
        Transcript(
            made_by="a person",
            segments=[
                Segment(start_s=0, end_s=0, text="a --> b <i>c</i> &amp; {\\an8}"),
                Segment(start_s=3600, end_s=3601, text="x"),
            ],
        )
    ).splitlines()
    assert lines[2:4] == ["00:00.000 --> 00:00.001", "a --&gt; b &lt;i&gt;c&lt;/i&gt; &amp;amp; &#123;\\an8}"]
    assert lines[5] == "01:00:00.000 --> 01:00:01.000"
    assert to_vtt(Transcript(made_by="nobody")) == "WEBVTT\n"
