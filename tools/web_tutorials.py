"""Record the tutorials of VideoWebArena's own pack on its sites: video, transcript and log of each visit.

    python tools/web_tutorials.py                       # all of own/visits/
    python tools/web_tutorials.py forum_first_post      # some
    python tools/web_tutorials.py --sheets docs/web     # and a contact sheet of each, for people

For whoever changes a visit or a site; `git status` tells what moved.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import cutscore.benchmarks.videowebarena as home
from cutscore.benchmarks.videowebarena.tutorials.film import make_sheet, write_tutorial
from cutscore.benchmarks.videowebarena.tutorials.filming import film_visit
from cutscore.benchmarks.videowebarena.tutorials.visit import read_visit
from cutscore.benchmarks.videowebarena.websites.pack_seed import read_seed
from cutscore.benchmarks.videowebarena.websites.serving import serve
from cutscore.media.frames import encode_jpeg

OWN = Path(home.__file__).parent / "own"
QUALITY = 70


def main() -> None:
    """Serve the sites, film each visit on fresh ones, and print how long each video is and how large."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="*", help="A visit; all of them when none is named.")
    parser.add_argument("--sheets", type=Path, metavar="DIR", help="Where contact sheets go.")
    given = parser.parse_args()
    names = given.name or sorted(file.stem for file in (OWN / "visits").glob("*.json"))
    served = serve(seed=read_seed(OWN) or 1)
    try:
        for name in names:
            began_s = time.monotonic()
            served.reset()
            uploads = OWN / "visits" / "uploads"
            visit = read_visit(OWN / "visits" / f"{name}.json")
            filmed = film_visit(visit, served.addresses, uploads=uploads if uploads.is_dir() else None)
            log = write_tutorial(filmed, OWN / "videos")
            size = (OWN / "videos" / f"{visit.name}.mp4").stat().st_size
            took_s = time.monotonic() - began_s
            print(f"{name:32} {log.seconds:6.1f} s {size / 1e6:6.2f} MB   made in {took_s:5.1f} s", flush=True)
            if given.sheets:
                given.sheets.mkdir(parents=True, exist_ok=True)
                sheet = encode_jpeg(make_sheet(filmed), quality=QUALITY)
                (given.sheets / f"{visit.name}.jpg").write_bytes(sheet)
    finally:
        served.close()


if __name__ == "__main__":
    main()
