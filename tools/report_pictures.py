"""Make the pictures of README and docs/report.md anew: `python tools/report_pictures.py demo/site`, after the demo.

docs/pictures/report-front.jpg     the front page of a report, as a screen of 1440 pixels shows it
docs/pictures/report-items.jpg     the explorer, with the samples of one benchmark
docs/pictures/report-item.jpg      an item with four films
docs/pictures/report-compare.jpg   a contestant and the guess
docs/pictures/report-steps.jpg     the way that a reader went
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from cutscore.environments.browser.chromium import find_chromium

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
WIDTH, HEIGHT, QUALITY = 1440, 900, 72
# The page of each picture, and what is unfolded and brought to the top.
PICTURES = {
    "front": ("index.html", ""),
    "items": ("items.html#benchmark=vidwork", ""),
    "item": ("repair/items/clip-03.html#t=2", ""),
    "compare": ("colorbars/compare.html", ""),
    "steps": ("repair/items/clip-03.html", ".turn[open] .journey"),
}
UNFOLD = "each => { each.open = true; each.scrollIntoView() }"
QUIET_MS = 500  # films and thumbnails come after the page


def main() -> None:
    """Take the pictures of a report's pages, and print how large they are."""
    if len(sys.argv) != 2 or not (site := Path(sys.argv[1]).resolve()).joinpath("index.html").is_file():
        sys.exit("name the folder of a report: python tools/report_pictures.py demo/site")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium())
        for name, (page, unfolded) in PICTURES.items():
            shown = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
            shown.goto(f"{site.as_uri()}/{page}")
            if unfolded:
                shown.locator(unfolded).first.evaluate(UNFOLD)
            shown.wait_for_timeout(QUIET_MS)
            target = FOLDER / f"report-{name}.jpg"
            shown.screenshot(path=target, type="jpeg", quality=QUALITY)
            print(f"{target.name:28}{target.stat().st_size / 1000:7.1f} kB")
        browser.close()


if __name__ == "__main__":
    main()
