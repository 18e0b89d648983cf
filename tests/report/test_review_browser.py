"""Films in step in a real Chromium: every film says its own frame number in its pixels, and a screenshot reads it."""

import io
from fractions import Fraction
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.finding import Finding
from cutscore.media.render import write_clip

pytestmark = pytest.mark.real

BITS, WIDTH, HEIGHT, FRAMES, RATE = 8, 320, 180, 60, 15
LOCKED = """frame => {
  const shown = [...document.querySelectorAll(".screen.on")].map((each) => each.dataset.shown);
  return shown.length > 0 && shown.every((each) => each === String(frame));
}"""


def numbered(path: Path, ground: int, *, rate: int = RATE, frames: int = FRAMES) -> Path:
    """Write a grey film whose frame n has n as eight bars along its upper half, black for 0 and white for 1."""

    def picture(number: int) -> np.ndarray:
        pixels = np.full((HEIGHT, WIDTH, 3), ground, np.uint8)
        for bit in range(BITS):
            across = slice(bit * WIDTH // BITS, (bit + 1) * WIDTH // BITS)
            pixels[: HEIGHT // 2, across] = 255 if number >> bit & 1 else 0
        return pixels

    write_clip(path, map(picture, range(frames)), rate=Fraction(rate))
    return path


def painted(page: Any) -> list[int]:
    """Read the number of each film that is shown from a screenshot of it."""
    numbers = []
    for video in page.locator(".screen.on video").all():
        png = np.frombuffer(io.BytesIO(video.screenshot()).getvalue(), np.uint8)
        grey = cv2.cvtColor(cv2.imdecode(png, cv2.IMREAD_COLOR), cv2.COLOR_BGR2GRAY)
        height, width = grey.shape
        bars = [grey[height // 4, (2 * bit + 1) * width // (2 * BITS)] > 127 for bit in range(BITS)]
        numbers.append(sum(1 << bit for bit, on in enumerate(bars) if on))
    return numbers


@pytest.fixture
def page(watch, build, run, tmp_path) -> Any:
    """The page of an item with three films of four seconds: given, golden, and an editor's."""
    given = run.store.put(numbered(tmp_path / "a.mp4", 90), name="broken.mp4")
    golden = run.store.put(numbered(tmp_path / "b.mp4", 140), name="golden.mp4")
    fixed = run.store.put(numbered(tmp_path / "c.mp4", 200), name="fixed.mp4")
    ask = Ask(item="films", brief="Mend it.", files=(given,))
    found = Finding(name="accuracy", value=0.5, because="half mended", file="fixed.mp4", at=(2, 3))
    ending = Ending(status="marked", scores={"accuracy": 0.5}, findings=(found,), references=(golden,))
    run.add("editor", ask, ending, deliverable=Deliverable(files=(fixed,)))
    watched = watch()
    watched.page.goto((build().parent / "colorbars" / "items" / "films.html").as_uri())
    watched.page.wait_for_function(LOCKED, arg=0)
    yield watched.page
    watched.check(Path(watched.page.url.removeprefix("file://")).parents[2].as_uri())


def test_films_show_the_same_frame_while_one_scrubs(page):
    for frame in (7, 41, 40, 59, 3):
        page.locator(".scrub").evaluate(
            "(slider, to) => { slider.value = to; slider.dispatchEvent(new Event('input', { bubbles: true })) }", frame
        )
        page.wait_for_function(LOCKED, arg=frame)
        assert painted(page) == [frame] * 3
        assert page.locator(".clock").text_content().endswith(f"frame {frame}")


def test_every_frame_can_be_stepped_to_by_key_and_by_button(page):
    for frame in range(1, 12):
        page.keyboard.press(".")
        page.wait_for_function(LOCKED, arg=frame)
    page.get_by_role("button", name="One frame back").click()
    page.wait_for_function(LOCKED, arg=10)
    page.keyboard.press(">")
    page.wait_for_function(LOCKED, arg=25)
    assert painted(page) == [25] * 3


def test_playing_ends_with_all_films_at_one_frame(page):
    page.locator('[data-do="speed"]').select_option("2")
    page.keyboard.press("k")
    page.wait_for_function("() => Number(document.querySelector('.scrub').value) > 10")
    page.keyboard.press("k")
    page.wait_for_function("() => document.querySelector('[data-do=play]').textContent === 'Play'")
    frame = int(page.locator(".scrub").input_value())
    page.wait_for_function(LOCKED, arg=frame)
    assert painted(page) == [frame] * 3


def test_a_window_is_played_again_and_again(page):
    page.locator('[data-do="loop"]').select_option("2.000000,3.000000")
    page.wait_for_function(LOCKED, arg=30)
    seen = page.evaluate(
        """async () => {
          const seen = new Set();
          document.querySelector('[data-do="speed"]').value = "2";
          document.querySelector('[data-do="play"]').click();
          for (const end = performance.now() + 2500; performance.now() < end; ) {
            seen.add(Number(document.querySelector(".scrub").value));
            await new Promise(requestAnimationFrame);
          }
          document.querySelector('[data-do="play"]').click();
          return [...seen];
        }"""
    )
    assert min(seen) == 30
    assert 40 <= max(seen) < FRAMES - 1  # a busy machine paints a few frames too many, never the rest of the film


def test_a_film_can_be_put_away_and_comes_back_in_step(page):
    page.get_by_role("checkbox", name="editor fixed.mp4").uncheck()
    page.keyboard.press(".")
    page.wait_for_function(LOCKED, arg=1)
    assert len(painted(page)) == 2
    page.get_by_role("checkbox", name="editor fixed.mp4").check()
    page.wait_for_function(LOCKED, arg=1)
    assert painted(page) == [1] * 3


def test_difference_and_wipe_are_drawn_from_both_films(page):
    page.locator('[data-do="view"]').select_option("wipe")
    canvas = page.locator(".mixed canvas")

    def middle_row() -> np.ndarray:
        png = cv2.imdecode(np.frombuffer(canvas.screenshot(), np.uint8), cv2.IMREAD_GRAYSCALE)
        row = png[3 * png.shape[0] // 4]
        return row[[len(row) * 2 // 5, len(row) * 3 // 5]]

    left, right = middle_row()
    assert abs(int(left) - 90) < 12
    assert abs(int(right) - 140) < 12
    page.locator('[data-do="view"]').select_option("difference")
    # 140 − 90, four times as bright.
    assert all(abs(int(each) - 200) < 40 for each in middle_row())


def test_a_finding_leads_all_films_to_its_second(page):
    page.locator('a[aria-label="Show fixed.mp4 at 00:02.000–00:03.000"]').click()
    page.wait_for_function(LOCKED, arg=30)
    assert painted(page) == [30] * 3
    page.locator(".lane rect[data-start='2.000000']").first.click()
    assert page.url.endswith("#r1-f1")


def test_another_rate_shows_what_is_seen_at_that_moment(watch, build, run, tmp_path):
    slow = run.store.put(numbered(tmp_path / "a.mp4", 90), name="slow.mp4")
    fast = run.store.put(numbered(tmp_path / "b.mp4", 90, rate=2 * RATE, frames=2 * FRAMES), name="fast.mp4")
    ask = Ask(item="rates", brief="Mend it.", files=(slow,))
    run.add("editor", ask, Ending(status="unscored", because="x"), deliverable=Deliverable(files=(fast,)))
    page = watch().page
    page.goto((build().parent / "colorbars" / "items" / "rates.html").as_uri())
    page.locator('[data-shown="1"]').wait_for()
    page.keyboard.press(">")
    shown = "() => [...document.querySelectorAll('.screen.on')].map((each) => each.dataset.shown).join()"
    page.wait_for_function(f"{shown} === '15,31'".replace("() => ", "() => (", 1).replace(" ===", ") ===", 1))
    assert painted(page) == [15, 31]
