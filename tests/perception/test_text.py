"""Text on screen: drawn lines are read exactly, what is no text is not guessed at, readings make lines with times."""

import subprocess
import sys
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np
import pytest

from cutscore.core.errors import BadInput, MissingExtra
from cutscore.core.timeline import Span
from cutscore.media.orientation import Pixels
from cutscore.perception import text as module
from cutscore.perception.analysis import analyze_clip
from cutscore.perception.answers import text_at
from cutscore.perception.text import TextBox, TextTracker, read_text, reader_version

sys.path.append(str(Path(__file__).parent))

from drawing import film, plain  # lies beside this file


def page(background: int = 255, *, width: int = 640, height: int = 360) -> Pixels:
    return np.full((height, width, 3), background, np.uint8)


def stroked(line: str, *, scale: float, ink: int, paper: int) -> Pixels:
    """A line in OpenCV's stroke font, which begins at (40, 100) at the lower left."""
    picture = page(paper)
    cv2.putText(picture, line, (40, 100), cv2.FONT_HERSHEY_SIMPLEX, scale, (ink, ink, ink), 2, cv2.LINE_AA)
    return picture


def printed(line: str, *, size: int, ink: tuple[int, int, int], paper: tuple[int, int, int]) -> Pixels:
    """A line in a real font, the one inside Pillow, with its upper left at (40, 100)."""
    image = pytest.importorskip("PIL.Image").new("RGB", (640, 360), paper)
    from PIL import ImageDraw, ImageFont

    ImageDraw.Draw(image).text((40, 100), line, font=ImageFont.load_default(size), fill=ink)
    return np.asarray(image)


@pytest.fixture(scope="module")
def ocr() -> None:
    pytest.importorskip("rapidocr", reason="the ocr extra is not installed")


def test_without_the_extra_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("rapidocr", "onnxruntime"):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, package, None)
            module._reader.cache_clear()
            with pytest.raises(MissingExtra, match=r"^text on screen needs an extra: pip install 'cutscore\[ocr\]'$"):
                read_text(page())


def test_importing_it_or_speech_loads_no_network() -> None:
    heavy = {"rapidocr", "onnxruntime", "faster_whisper", "ctranslate2"}
    code = f"import sys, cutscore.perception.text, cutscore.perception.speech; print(*{heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_only_pictures_are_read() -> None:
    with pytest.raises(BadInput, match="text on screen: pixels are float64 of shape 4×4×3"):
        read_text(np.zeros((4, 4, 3)))


@pytest.mark.real
@pytest.mark.usefixtures("ocr")
@pytest.mark.parametrize(
    ("scale", "ink", "paper"), [(0.6, 255, 20), (0.6, 0, 230), (1.0, 90, 20), (1.5, 255, 20), (2.0, 130, 170)]
)
def test_lines_of_strokes_are_read_exactly(scale: float, ink: int, paper: int) -> None:
    picture = stroked("Add 250 g FLOUR", scale=scale, ink=ink, paper=paper)
    (found,) = read_text(picture)
    assert found.text == "Add 250 g FLOUR"
    assert found.confidence > 0.95
    rows, columns = np.nonzero(picture[..., 0] != paper)
    loose = 4 + 0.25 * np.ptp(rows)  # a box is drawn around the line with some air
    assert found.box == pytest.approx((columns.min(), rows.min(), columns.max() + 1, rows.max() + 1), abs=loose)


@pytest.mark.real
@pytest.mark.usefixtures("ocr")
@pytest.mark.parametrize(
    ("size", "ink", "paper"),
    [
        (14, (0, 0, 0), (255, 255, 255)),
        (40, (240, 240, 240), (255, 255, 255)),  # hardly to be seen
        (40, (255, 0, 0), (0, 0, 255)),
        (24, (255, 255, 0), (20, 90, 40)),
    ],
)
def test_lines_in_a_font_are_read_exactly(size: int, ink: tuple, paper: tuple) -> None:
    assert [found.text for found in read_text(printed("Step 3: stir well", size=size, ink=ink, paper=paper))] == [
        "Step 3: stir well"
    ]


@pytest.mark.real
@pytest.mark.usefixtures("ocr")
def test_lines_come_from_top_to_bottom_and_left_to_right() -> None:
    picture = page(30)
    for words, at in [("last", (60, 300)), ("second", (400, 80)), ("first", (60, 80)), ("third", (60, 190))]:
        cv2.putText(picture, words, at, cv2.FONT_HERSHEY_SIMPLEX, 1.2, (240, 240, 240), 2, cv2.LINE_AA)
    once = read_text(picture)
    assert [found.text for found in once] == ["first", "second", "third", "last"]
    assert read_text(picture) == once
    assert all(0 <= box[0] < box[2] <= 640 and 0 <= box[1] < box[3] <= 360 for box in (found.box for found in once))
    assert reader_version().startswith("PP-OCRv6 small, RapidOCR 3.")


@pytest.mark.real
@pytest.mark.usefixtures("ocr")
def test_nothing_is_read_where_nothing_is_written() -> None:
    rng = np.random.default_rng(1)
    noise = rng.integers(0, 256, (120, 160, 3)).astype(np.uint8)
    slope = np.repeat(np.linspace(0, 255, 160).astype(np.uint8)[None, :, None], 3, 2).repeat(120, 0)
    for picture in (page(0), page(255), page(128, width=1, height=1), noise, slope):
        assert read_text(picture) == []


@pytest.mark.real
@pytest.mark.usefixtures("ocr")
def test_what_cannot_be_made_out_is_not_guessed() -> None:
    board = (np.indices((360, 640)).sum(0) // 40 % 2 * 255).astype(np.uint8)
    blurred = cv2.GaussianBlur(stroked("Qx7 04B", scale=1.0, ink=0, paper=255), (0, 0), 8)
    for picture in (np.repeat(board[..., None], 3, 2), blurred):
        found = read_text(picture)
        assert all(line.text is None and line.confidence < module.LEGIBLE for line in found)
    assert read_text(np.repeat(board[..., None], 3, 2))  # something is there


HERE, THERE = (10, 10, 90, 30), (10, 100, 90, 120)


def test_a_line_stays_while_it_is_read_again() -> None:
    lines = TextTracker()
    lines.see(Fraction(0), [TextBox("Cut here", HERE, 0.9)])
    lines.see(Fraction(1), [TextBox("cuthere", (11, 10, 92, 31), 0.97), TextBox("Now", THERE, 0.99)])
    lines.see(Fraction(2), [TextBox("Now", THERE, 0.95)])
    found = lines.result(Fraction(3))
    assert [(line.text, line.span) for line in found] == [
        ("cuthere", Span(start_s=0, end_s=2)),
        ("Now", Span(start_s=1, end_s=3)),
    ]
    assert [line.confidence for line in found] == [0.97, 0.99]


def test_another_place_or_other_words_are_another_line() -> None:
    lines = TextTracker()
    lines.see(Fraction(0), [TextBox("one", HERE, 0.9)])
    lines.see(Fraction(1), [TextBox("one", THERE, 0.9)])
    lines.see(Fraction(2), [TextBox("two", THERE, 0.9)])
    assert [line.text for line in lines.result(Fraction(3))] == ["one", "one", "two"]


def test_what_could_not_be_made_out_is_a_line_without_text() -> None:
    lines = TextTracker()
    lines.see(Fraction(0), [TextBox(None, HERE, 0.4)])
    lines.see(Fraction(1), [TextBox(None, HERE, 0.5)])
    (line,) = lines.result(Fraction(2))
    assert (line.text, line.span) == (None, Span(start_s=0, end_s=2))


@pytest.mark.real
def test_a_caption_is_read_from_the_picture() -> None:
    """STEP TWO from frame 10 on."""
    if find_spec("rapidocr") is None:
        pytest.skip("the extra 'ocr' is not installed")

    def scene(number: int):
        picture = plain(width=480, height=270)
        if number >= 10:
            cv2.putText(picture, "STEP TWO", (120, 150), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (20, 20, 20), 3, cv2.LINE_AA)
        return picture

    report = analyze_clip(film(scene, 20), text_every_s=Fraction(2, 5))
    assert text_at(report, Fraction(0)) == ()
    assert [line.replace(" ", "") for line in text_at(report, Fraction(3, 4))] == ["STEPTWO"]
