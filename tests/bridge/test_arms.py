"""What of its input a subject is shown, and that nothing else is."""

import pytest

from cutscore.bridge.arms import thinned
from cutscore.core.ask import Ask
from cutscore.core.files import FileRef


def ref(name: str, media_type: str, letter: str = "a") -> FileRef:
    return FileRef(name=name, sha256=letter * 64, size_bytes=1, media_type=media_type)


CLIP, SAID = ref("clip.mp4", "video/mp4"), ref("transcript.vtt", "text/vtt")
PICTURES = tuple(ref(f"frames/{number}.jpg", "image/jpeg", letter) for number, letter in enumerate("0123456789"))


def asked(*files: FileRef, item: str = "one") -> Ask:
    return Ask(item=item, brief="what?", files=files)


@pytest.mark.parametrize(
    ("frames", "left"),
    [("fps=1,max=4", "1368"), ("fps=1,max=1", "5"), ("fps=1,max=2,head", "01"), ("", "0123456789")],
)
def test_pictures_that_are_frames_are_thinned_out_as_a_plan_says(frames: str, left: str) -> None:
    shown = thinned(asked(*PICTURES, SAID), frames)
    assert shown.files == (*(PICTURES[int(number)] for number in left), SAID)
    assert thinned(asked(CLIP, SAID), frames) == asked(CLIP, SAID)
