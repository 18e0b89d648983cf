"""Make the picture of the README anew: `python tools/report_pictures.py demo/site`, after `cutscore demo`.

docs/pictures/report-front.jpg   the front page of a report, as a screen of 1440 pixels shows it
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from cutscore.environments.browser.chromium import find_chromium

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
WIDTH, HEIGHT, QUALITY = 1440, 900, 72


def main() -> None:
    """Take the picture of a report's front page, and print how large it is."""
    if len(sys.argv) != 2 or not (page := Path(sys.argv[1]) / "index.html").is_file():
        sys.exit("name the folder of a report: python tools/report_pictures.py demo/site")
    target = FOLDER / "report-front.jpg"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium())
        shown = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        shown.goto(page.resolve().as_uri())
        shown.screenshot(path=target, type="jpeg", quality=QUALITY)
        browser.close()
    print(f"{target.name:28}{target.stat().st_size / 1000:7.1f} kB")


if __name__ == "__main__":
    main()
