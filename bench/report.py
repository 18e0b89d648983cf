"""Building and opening a report of many items, against Inspect View's bundle of the same logs, in one run.

    python bench/report.py [--items 20000] [--rounds 3]

A small run of colorbars is blown up to so many items: its logged samples again and again under new names, two subjects.
Both sides read the same logs. `build` is CPU seconds and bytes of the folder; media are left out on our side, since a
bundle has none. `open` is what Chromium needs from the address until the list of items is there, and the memory
that its JavaScript holds then; both are served over HTTP, because a bundle does not open from disk. Figures are
medians.
"""

import argparse
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from inspect_ai.log import read_eval_log, write_eval_log
from playwright.sync_api import sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
SUBJECTS = ("oracle", "blind")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def cpu_s(*words: str) -> float:
    """Run a command and give the CPU seconds that it and its children took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", *words], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def blown_up(folder: Path, items: int) -> Path:
    """Make a run of so many items out of a small one."""
    logs = folder / "logs"
    words = [word for subject in SUBJECTS for word in ("--subject", subject)]
    cpu_s("cutscore", "run", "colorbars", *words, "--log-dir", str(logs))
    for file in logs.rglob("*.eval"):
        log = read_eval_log(str(file))
        samples = log.samples or []
        log.samples = [
            samples[number % len(samples)].model_copy(update={"id": f"item-{number:05d}", "uuid": f"{number:022d}"})
            for number in range(items)
        ]
        log.eval.dataset.samples = items
        log.eval.dataset.sample_ids = [sample.id for sample in log.samples]
        write_eval_log(log, str(file))
    return logs


def size_mb(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def opened(folder: Path, page: str, ready: str) -> tuple[float, float]:
    """Give seconds until a page shows items, and megabytes of JavaScript's heap."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--headless", "--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1280, "height": 900})
        tab.goto(f"http://127.0.0.1:{server.server_port}/{page}")
        tab.wait_for_function(ready, timeout=120_000)
        seconds = tab.evaluate("performance.now()") / 1000
        heap = tab.evaluate("performance.memory.usedJSHeapSize") / 1e6
        browser.close()
    server.shutdown()
    server.server_close()
    return seconds, heap


def main() -> None:
    said = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    said.add_argument("--items", type=int, default=20_000)
    said.add_argument("--rounds", type=int, default=3)
    asked = said.parse_args()
    with tempfile.TemporaryDirectory(prefix="cutscore-bench-") as scratch:
        folder = Path(scratch)
        logs = blown_up(folder, asked.items)
        ours, theirs = folder / "site", folder / "bundle"
        own_s = cpu_s("cutscore", "report", str(logs), "-o", str(ours), "--media", "leave")
        # A bundle wants its logs in one folder.
        flat = folder / "flat"
        flat.mkdir()
        for file in logs.rglob("*.eval"):
            shutil.copyfile(file, flat / file.name)
        their_s = cpu_s("inspect_ai", "view", "bundle", "--log-dir", str(flat), "--output-dir", str(theirs))
        print(f"{asked.items:,} items, {len(SUBJECTS)} subjects")
        print(f"build   report {own_s:7.1f} CPU s {size_mb(ours):8.1f} MB")
        print(f"        bundle {their_s:7.1f} CPU s {size_mb(theirs):8.1f} MB (the logs themselves, and a viewer)")
        listed = "() => document.querySelectorAll('.matrix tbody tr').length > 1"
        log = next(flat.glob("*.eval")).name
        # Its grid draws rows of its own kind; whatever it is built of, the name of the first item has to be there.
        shown = "() => document.body.innerText.includes('item-00000')"
        ways = (("report", ours, "colorbars/index.html", listed), ("bundle", theirs, f"index.html#/logs/{log}", shown))
        for name, place, page, ready in ways:
            rounds = [opened(place, page, ready) for _ in range(asked.rounds)]
            seconds, heap = (statistics.median(each) for each in zip(*rounds, strict=True))
            print(f"open    {name} {seconds:7.2f} s     {heap:8.1f} MB of JavaScript")


if __name__ == "__main__":
    main()
