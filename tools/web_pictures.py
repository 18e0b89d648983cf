"""Make the pictures of docs/web/ anew: `python tools/web_pictures.py`.

NAME.jpg      a contact sheet of a tutorial: each step at its click, or at its middle, with what is said
desktop.jpg   a page of each of the six websites, on a desk
phone.jpg     the same pages on a phone
"""

from __future__ import annotations

import tempfile
import textwrap
from fractions import Fraction
from pathlib import Path

import numpy as np

import cutscore.benchmarks.videowebarena as home
from cutscore.benchmarks.videowebarena.environment.login import log_in
from cutscore.benchmarks.videowebarena.tutorials.action_log import ENDING, LoggedStep, read_log
from cutscore.benchmarks.videowebarena.websites.serving import ServedSites, serve
from cutscore.environments.browser.guard import AddressGuard
from cutscore.environments.browser.opening import open_session
from cutscore.environments.browser.session import SessionOptions
from cutscore.environments.browser.settle import settle
from cutscore.environments.browser.shared_browser import browser_thread
from cutscore.media.frames import encode_jpeg, read_frames
from cutscore.media.images import tile_pictures
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.media.plan import Times

VIDEOS = Path(home.__file__).parent / "own" / "videos"
FOLDER = Path(__file__).resolve().parent.parent / "docs" / "web"
SHEETS = ("forum_posting", "shop_old_order", "map_planning_a_trip")
QUALITY, SHEET_QUALITY = 62, 50
STEP_PX, COLUMNS = 320, 4  # of a sheet
LINE_PX, LINES, CHARS = 14, 3, 46  # of what is said below a picture
RING_S = 0.3  # after an action the ring is seen
# A page of each site on which much is to be seen.
PAGES = {
    "reddit": "__REDDIT__/f/aww",
    "classifieds": "__CLASSIFIEDS__/index.php?page=search",
    "shopping": "__SHOPPING__/toys-games/robots.html",
    "shopping_admin": "__SHOPPING_ADMIN__/sales/order/",
    "gitlab": "__GITLAB__/a11yproject/a11yproject.com",
    "map": "__MAP__/directions?engine=fossgis_osrm_car&route=54.99451%2C2.98920%3B55.03207%2C3.09686",
}
SCREENS = {"desktop": ((1280, 800), 420, 3), "phone": ((390, 780), 200, 6)}  # viewport, width shown, columns


def main() -> None:
    """Make all of them, and print how large each is."""
    FOLDER.mkdir(exist_ok=True)
    for name in SHEETS:
        (FOLDER / f"{name}.jpg").write_bytes(encode_jpeg(make_sheet(name), quality=SHEET_QUALITY))
    served = serve()
    try:
        for name, (viewport, width, columns) in SCREENS.items():
            pages = browser_thread().submit(_look(served, viewport)).result()
            shown = [_shrink(page, width) for page in pages]
            (FOLDER / f"{name}.jpg").write_bytes(encode_jpeg(tile_pictures(shown, columns=columns), quality=QUALITY))
    finally:
        served.close()
    for path in sorted(FOLDER.glob("*.jpg")):
        print(f"{path.name:28}{path.stat().st_size / 1000:7.1f} kB")


def make_sheet(name: str) -> Pixels:
    """Return the steps of a tutorial as one picture."""
    log = read_log(VIDEOS / f"{name}{ENDING}")
    moments = [Fraction(str(_moment(step))) for step in log.steps]
    frames = read_frames(VIDEOS / f"{name}.mp4", Times(tuple(moments)))
    return tile_pictures(
        [_caption(_shrink(frame.pixels, STEP_PX), step.say) for frame, step in zip(frames, log.steps, strict=True)],
        columns=COLUMNS,
    )


def _moment(step: LoggedStep) -> float:
    return step.acted + RING_S if step.acted is not None else sum(step.at) / 2


def _caption(picture: Pixels, words: str) -> Pixels:
    """Return a picture with what is said below it."""
    cv2 = opencv()
    strip = np.full((LINE_PX * LINES + 6, picture.shape[1], 3), 255, np.uint8)
    for number, line in enumerate(textwrap.wrap(words, CHARS)[:LINES], start=1):
        cv2.putText(strip, line, (4, LINE_PX * number), cv2.FONT_HERSHEY_SIMPLEX, 0.36, (30, 30, 30), 1, cv2.LINE_AA)
    return np.vstack([picture, strip])


def _shrink(pixels: Pixels, width: int) -> Pixels:
    size = width, round(pixels.shape[0] * width / pixels.shape[1])
    cv2 = opencv()
    shrunk: Pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    return shrunk


async def _look(served: ServedSites, viewport: tuple[int, int]) -> list[Pixels]:
    """Return a picture of a page of each site, logged in where it has accounts."""
    cv2, sites = opencv(), served.addresses
    shown: list[Pixels] = []
    with tempfile.TemporaryDirectory() as folder:
        guard = AddressGuard.of(sites.addresses.values())
        session = await open_session(SessionOptions(guard, Path(folder), viewport=viewport), hosts=guard.hosts)
        try:
            for name, page in PAGES.items():
                if sites.account(name):
                    await log_in(session, sites, name, sites.account(name))
                await session.open(sites.expand(page))
                await settle(session)
                png = await session.page.screenshot(caret="hide", animations="disabled", scale="css")
                shown.append(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)[:, :, ::-1].copy())
        finally:
            await session.close()
    return shown


if __name__ == "__main__":
    main()
