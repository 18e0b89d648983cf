"""What a call will carry, against what the boundary really sends."""

import base64
from collections import Counter
from pathlib import Path

import pytest
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText

from cutscore.core.files import FileRef
from cutscore.core.tally import Tally
from cutscore.models.boundary import Boundary, resolve_media
from cutscore.models.expected_call import ExpectedCall, _look, expect_call
from cutscore.models.references import content_for
from cutscore.models.token_rules import token_rule
from cutscore.store import Store


@pytest.fixture
def clip(clips: Path, tmp_path: Path) -> tuple[FileRef, Store]:
    """A clip of 6 pictures at 6 a second, 64×48."""
    store = Store(tmp_path / "store")
    return store.put(clips / "a.mp4", name="a.mp4", media_type="video/mp4"), store


def jpeg_size(data: bytes) -> tuple[int, int]:
    """Read width and height from the header of a JPEG."""
    at = 2
    while data[at + 1] not in (0xC0, 0xC1, 0xC2):
        at += 2 + int.from_bytes(data[at + 2 : at + 4])
    return int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7])


@pytest.mark.parametrize(
    "plan",
    [
        "uniform=4",
        "fps=2",
        "fps=8,max=5",
        "fps=8,max=5,head",
        "times=0.2;9",
        "shuffled:fps=3",
        "released:covebench",
    ],
)
def test_frames_are_those_that_would_be_sent(clip: tuple[FileRef, Store], plan: str) -> None:
    ref, store = clip
    message = ChatMessageUser(content=[content_for(ref), ContentText(text="What is it?")])
    found = expect_call([message], path=store.path, frames=plan, takes="frames")
    sent = resolve_media(message, Boundary(path=store.path, tally=Tally(), frames=plan))
    pictures = [part for part in sent.content if isinstance(part, ContentImage)]
    sizes = Counter(jpeg_size(base64.b64decode(part.image.partition(",")[2])) for part in pictures)
    assert found.frames == sizes
    assert found.chars == sum(len(part.text) for part in sent.content if isinstance(part, ContentText))


def test_whole_clips_are_seconds_and_text_models_get_words(clip: tuple[FileRef, Store]) -> None:
    ref, store = clip
    message = ChatMessageUser(content=[content_for(ref), ContentText(text="What is it?")])
    whole = expect_call([message], path=store.path, frames="fps=1", takes="video")
    assert (whole.video_s, whole.frames.total(), whole.chars) == (1.0, 0, 11)
    assert whole.input_tokens(token_rule("google/gemini-2.5-flash")) == 263 + 3
    text = expect_call([message, ChatMessageUser(content="why?")], path=store.path, frames="fps=1", takes="text")
    assert text == ExpectedCall(chars=len("a.mp4: not shown") + 11 + 4)


def test_part_of_a_clip_is_counted_by_its_share(clip: tuple[FileRef, Store]) -> None:
    ref, store = clip
    message = ChatMessageUser(content=[content_for(ref)])
    assert expect_call([message], path=store.path, frames="every@0.5-9", takes="frames").frames.total() == 3
    assert expect_call([message], path=store.path, frames="every@5-9", takes="frames").frames.total() == 0


def test_the_container_of_a_large_clip_is_believed(
    clip: tuple[FileRef, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    ref, store = clip
    message = ChatMessageUser(content=[content_for(ref)])
    monkeypatch.setattr("cutscore.models.expected_call.MOST_SCANNED_BYTES", 0)
    _look.cache_clear()
    for plan, frames in (("fps=2", 2), ("released:covebench", 6)):
        assert expect_call([message], path=store.path, frames=plan, takes="frames").frames == {(64, 48): frames}
    _look.cache_clear()
