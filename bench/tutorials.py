"""Seconds that it takes to make a tutorial, against the time that it plays.

    python bench/tutorials.py [--rounds 3]

A visit of 16 clicks to a site of our own on loopback, with a sentence for each, is played, filmed, spoken and
written at 1280×720. The browser is started before, as it is for the second of several visits.

making        filming and writing, wall seconds for a second of video        wanted: at most 0.5
of that       filming alone, and writing alone (encoding)
"""

import argparse
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from cutscore.benchmarks.videowebarena.tutorials.film import write_tutorial
from cutscore.benchmarks.videowebarena.tutorials.filming import film_visit
from cutscore.benchmarks.videowebarena.tutorials.visit import ScriptedVisit
from cutscore.benchmarks.videowebarena.websites.serving import serve

HOME = "[A] [Home]"
SENTENCE = "This is step {n}, and what I say here takes about as long as people talk about a click."


def make_visit(steps: int) -> ScriptedVisit:
    """Return a visit that goes to the home page again and again, with a sentence for each click."""
    click: dict[str, Any] = {"tool": "click", "arguments": {"element": HOME}}
    written = [{"say": SENTENCE.format(n=n), "do": click} for n in range(1, steps + 1)]
    plain = {"name": "bench", "title": "Bench", "site": "homepage", "start": "__HOMEPAGE__/"}
    return ScriptedVisit.model_validate({**plain, "steps": written})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    rounds: int = parser.parse_args().rounds
    served, visit = serve(), make_visit(16)
    films, writes, length_s = [], [], 0.0
    try:
        film_visit(make_visit(1), served.addresses)
        for _ in range(rounds):
            began_s = time.perf_counter()
            filmed = film_visit(visit, served.addresses)
            films.append(time.perf_counter() - began_s)
            with tempfile.TemporaryDirectory() as folder:
                began_s = time.perf_counter()
                length_s = write_tutorial(filmed, Path(folder)).seconds
                writes.append(time.perf_counter() - began_s)
                size = (Path(folder) / "bench.mp4").stat().st_size
    finally:
        served.close()
    made_s = median(film + write for film, write in zip(films, writes, strict=True))
    print(f"{length_s:.1f} s of video, {size / 1e6 / length_s * 60:.2f} MB a minute")
    print(f"making    {made_s / length_s:.2f} s a second of video   wanted: at most 0.5")
    print(f"filming   {median(films) / length_s:.2f}")
    print(f"writing   {median(writes) / length_s:.2f}")


if __name__ == "__main__":
    main()
