"""What a browser makes of our clips."""

import base64
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import sync_playwright

from cutscore.media.render import write_clip
from cutscore.media.sound import Sound

# A picture may be painted after the browser says that it has sought it, so we wait for the picture itself.
PAGE = """<!doctype html><video muted src="data:video/mp4;base64,CLIP"></video><pre></pre><script>
const video = document.querySelector("video"), told = document.querySelector("pre"), times = [0.5, 1.5], seen = [];
video.onerror = () => { told.textContent = video.error.message; };
video.onloadeddata = () => {
  seen.push([video.videoWidth, video.videoHeight, video.duration]);
  look();
};
function look() {
  if (!times.length) { told.textContent = JSON.stringify(seen); return; }
  const time = times.shift();
  const painted = (now, picture) => {
    if (Math.abs(picture.mediaTime - time) > 0.05) { video.requestVideoFrameCallback(painted); return; }
    const pen = document.createElement("canvas").getContext("2d");
    pen.drawImage(video, 0, 0);
    seen.push([...pen.getImageData(5, 80, 1, 1).data].slice(0, 3));
    look();
  };
  video.requestVideoFrameCallback(painted);
  video.currentTime = time;
}
</script>"""


@pytest.mark.real
@pytest.mark.parametrize("with_sound", [False, True])
def test_chromium_plays_it_in_the_right_colours(tmp_path: Path, chromium: str, with_sound: bool) -> None:
    """25 fps, 2 s: red to 1.0 s, then blue."""
    frames = np.zeros((50, 90, 160, 3), np.uint8)
    frames[:25, ..., 0] = frames[25:, ..., 2] = 255
    sound = Sound(np.zeros(2 * 48_000, np.float32), 48_000) if with_sound else None
    clip, page = tmp_path / "clip.mp4", tmp_path / "page.html"
    write_clip(clip, frames, rate=Fraction(25), sound=sound)
    page.write_text(PAGE.replace("CLIP", base64.b64encode(clip.read_bytes()).decode()))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        tab = browser.new_page()
        tab.goto(page.as_uri())
        tab.wait_for_function("told.textContent")
        told = tab.inner_text("pre")
        browser.close()
    (width, height, seconds), red, blue = json.loads(told)
    assert (width, height) == (160, 90)
    assert seconds == pytest.approx(2, abs=1024 / 48_000)
    np.testing.assert_allclose(red, (255, 0, 0), atol=16)
    np.testing.assert_allclose(blue, (0, 0, 255), atol=16)
