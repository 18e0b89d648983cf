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
    page.locator(".verdicts .at").click()
    page.wait_for_function(LOCKED, arg=30)
    assert painted(page) == [30] * 3
    page.wait_for_url("**#t=2")
    page.locator(".lane a rect[data-start='2.000000']").first.click()
    page.wait_for_url("**#r1-f1")
    assert page.locator("#r1-f1").is_visible()


CENTRES = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const [slider, strip, line] = [box(".scrub"), box(".lane .strip"), box(".cursor line")];
  const scrub = document.querySelector(".scrub");
  // A thumb of 16 pixels travels over the rest of its slider.
  const thumb = slider.left + 8 + ((slider.width - 16) * scrub.value) / scrub.max;
  return { thumb, line: line.left + line.width / 2, strip: [strip.left, strip.right], frames: Number(scrub.max) };
}"""


@pytest.mark.parametrize("width", [1440, 390])
def test_slider_lanes_and_cursor_agree_to_a_pixel(page, width):
    page.set_viewport_size({"width": width, "height": 844})
    for frame in (0, 1, 29, 59):
        left, right = page.evaluate(CENTRES)["strip"]
        y = page.locator(".lane .strip").bounding_box()["y"] + 5
        page.mouse.click(left + (frame + 0.5) * (right - left) / FRAMES, y)
        page.wait_for_function(LOCKED, arg=frame)
        seen = page.evaluate(CENTRES)
        wanted = left + frame * (right - left) / FRAMES
        assert abs(seen["thumb"] - wanted) < 1
        assert abs(seen["line"] - wanted) < 1
    # The thumb as it is painted: the only blue in its row.
    picture = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    scrub = page.locator(".scrub").bounding_box()
    row = picture[int(scrub["y"] + scrub["height"] / 2)].astype(int)
    blue = [x for x in range(width) if row[x][0] > row[x][2] + 60]
    assert abs((min(blue) + max(blue)) / 2 - seen["line"]) < 2


def test_keys_play_step_and_set_a_loop_that_is_drawn_and_kept(page):
    for key, frame in (("ArrowRight", 1), ("Shift+ArrowRight", 16), ("ArrowLeft", 15)):
        page.keyboard.press(key)
        page.wait_for_function(LOCKED, arg=frame)
    page.keyboard.press("i")
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_function(LOCKED, arg=30)
    page.keyboard.press("o")
    drawn = page.locator(".cursor .loop").bounding_box()
    strip = page.locator(".lane .strip").bounding_box()
    assert abs(drawn["x"] - strip["x"] - strip["width"] * 15 / FRAMES) < 1.5
    assert abs(drawn["width"] - strip["width"] * 16 / FRAMES) < 3
    assert page.locator('[data-do="loop"]').input_value() == "own"
    page.keyboard.press(" ")
    page.wait_for_function("() => document.querySelector('[data-do=play]').textContent === 'Pause'")
    page.wait_for_function("() => Number(document.querySelector('.scrub').value) > 17")
    page.keyboard.press("j")
    page.wait_for_function("() => Number(document.querySelector('.scrub').value) === 15")
    page.wait_for_function("() => document.querySelector('[data-do=play]').textContent === 'Play'")
    page.keyboard.press("l")
    page.wait_for_function("() => Number(document.querySelector('.scrub').value) > 16")
    page.keyboard.press("k")
    page.wait_for_url("**loop=1-2.067*")
    page.reload()
    page.wait_for_function("() => document.querySelector('.cursor .loop').getAttribute('width') !== '0'")
    assert abs(page.locator(".cursor .loop").bounding_box()["x"] - drawn["x"]) < 1
    page.keyboard.press("x")
    page.wait_for_function("() => document.querySelector('.cursor .loop').getAttribute('width') === '0%'")


def test_a_wipe_is_dragged_and_its_state_can_be_sent(page):
    page.locator('[data-do="view"]').select_option("wipe")
    page.locator('[data-do="b"]').select_option("film-3")
    canvas = page.locator(".mixed canvas")
    box = canvas.bounding_box()
    y = box["y"] + box["height"] * 3 / 4
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 4, y, steps=3)
    page.mouse.up()

    def edge() -> float:
        """Return the share of the row that is the first film, 90 grey; the other is 200."""
        png = cv2.imdecode(np.frombuffer(canvas.screenshot(), np.uint8), cv2.IMREAD_GRAYSCALE)
        row = png[3 * png.shape[0] // 4]
        return float(np.mean(row < 145))

    assert abs(edge() - 0.25) < 0.02
    page.keyboard.press(".")
    page.wait_for_url("**view=wipe*edge=*")
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_function(LOCKED, arg=1)
    assert page.locator('[data-do="b"]').input_value() == "film-3"
    assert abs(edge() - 0.25) < 0.02


def test_a_link_to_a_second_opens_there_also_on_the_clock_of_a_source(watch, build, run, tmp_path):
    source = run.store.put(numbered(tmp_path / "a.mp4", 90, frames=4 * FRAMES - 1), name="source.mp4")
    cut = run.store.put(numbered(tmp_path / "b.mp4", 140), name="cut.mp4")
    found = (
        Finding(name="accuracy", value=0.5, because="x", file="cut.mp4", at=(1, 2)),
        Finding(name="s_out", value=0.5, because="outside 0.5", file="cut.mp4", at=(1, 2)),
        Finding(name="kept", value=0, because="not there", file="source.mp4", at=(8, 9)),
        Finding(name="fine", value=1, because="as asked"),
    )
    ending = Ending(status="marked", scores={"accuracy": 0.5}, findings=found)
    ask = Ask(item="cuts", brief="Cut it.", files=(source,))
    run.add("editor", ask, ending, deliverable=Deliverable(files=(cut,)))
    watched = watch()
    page, address = watched.page, (build().parent / "colorbars" / "items" / "cuts.html").as_uri()
    shown = "() => [...document.querySelectorAll('.screen.on')].map((each) => each.dataset.shown).join()"
    page.goto(f"{address}#t=2")
    page.wait_for_function(f"{shown} === '0,30'")
    page.goto(f"{address}#t=8&film=film-1")
    page.wait_for_function(f"{shown} === '120,30'")
    # Failures first, and the headline before them; what all passed is folded.
    lines = page.locator(".criteria .criterion > summary .name").all_inner_texts()
    assert [each.split()[-1] for each in lines if each] == ["accuracy", "kept", "out"]
    page.get_by_text("1 more criterion that every contestant passed").click()
    assert page.locator(".criterion", has_text="fine").is_visible()
    page.locator(".criterion", has_text="s out").locator("summary").click()
    links = page.locator(".criterion", has_text="s out").locator("a.at")
    assert links.all_inner_texts() == ["00:00.000–00:01.000", "00:02.000–00:04.000"]
    links.nth(1).click()
    page.wait_for_function(f"{shown} === '120,30'")
    watched.check(Path(page.url.removeprefix("file://")).parents[2].as_uri())


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


def test_full_screen_takes_the_controls_along_and_zoom_is_for_all_films(page):
    page.keyboard.press("f")
    page.wait_for_function("() => document.fullscreenElement?.matches('.stage')")
    assert page.locator(".stage:fullscreen .transport").is_visible()
    page.keyboard.press(".")
    page.wait_for_function(LOCKED, arg=1)
    page.keyboard.press("f")
    page.wait_for_function("() => !document.fullscreenElement && !document.querySelector('.stage .transport')")
    page.keyboard.press("z")
    page.wait_for_url("**zoom=2")
    looks = "() => [...document.querySelectorAll('.screen video')].map((each) => each.style.transform)"
    assert page.evaluate(looks) == ["scale(2)"] * 3
    page.locator(".screen .picture").first.hover(position={"x": 2, "y": 2}, force=True)
    origins = page.evaluate(looks.replace("transform", "transformOrigin"))
    assert len(set(origins)) == 1
    assert float(origins[0].partition("%")[0]) < 5
    page.keyboard.press("z")
    page.keyboard.press("z")
    assert page.evaluate(looks) == [""] * 3
