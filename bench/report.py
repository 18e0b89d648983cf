"""Building and opening a report of many items and films, against Inspect View's bundle of the same logs, in one run.

    python bench/report.py [--items 20000] [--films 1000] [--rounds 3]

A small run of colorbars is blown up: its logged samples again and again under new names, two subjects, and so many
different films among the items. Both sides read the same logs. `build` is CPU seconds and bytes of the folder, films
aside, since a bundle has none; the report is built twice, because what it knows of a film is kept. `films` sets the
difference against decoding every picture of the same films with PyAV and nothing else. `open` is what Chromium needs
from the address to the first paint and until items are there, the memory that its JavaScript holds then, and that
of all its processes; both are served over HTTP, because a bundle does not open from disk. `filter` is what one letter
more in the explorer's field takes until the rows are laid out, all long texts there; `front` is the first paint of a
front page of 12 benchmarks and 20 contestants. Figures are medians.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import av
import numpy as np
from playwright.sync_api import sync_playwright

import cutscore.bridge.logfile  # noqa: F401  teaches zipfile the compression that Inspect writes
from cutscore.core.card import Card
from cutscore.core.files import FileRef
from cutscore.core.subject import SubjectSpec
from cutscore.media.render import write_clip
from cutscore.registry import benchmarks
from cutscore.report.site import build_site
from cutscore.results.benchmark import BenchmarkResult
from cutscore.results.cells import CellResult, read_run
from cutscore.results.tables.benchmark_tables import BenchmarkTables
from cutscore.store import Store

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
SUBJECTS = ("oracle", "blind")
WIDTH, HEIGHT, FRAMES, RATE = 320, 180, 60, 15
HEAP = "performance.memory.usedJSHeapSize"
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


class Ranged(SimpleHTTPRequestHandler):
    """A web server as people have it: one that can send a part of a file."""

    def log_message(self, *_: object) -> None:
        pass

    def send_head(self) -> Any:
        wanted, path = self.headers.get("Range", ""), Path(self.translate_path(self.path))
        if not wanted.startswith("bytes=") or not path.is_file():
            return super().send_head()
        total = path.stat().st_size
        start, _, end = wanted.removeprefix("bytes=").partition("-")
        first, last = int(start), min(int(end or total - 1), total - 1)
        self.send_response(206)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Range", f"bytes {first}-{last}/{total}")
        self.send_header("Content-Length", str(last - first + 1))
        self.end_headers()
        with path.open("rb") as stream:
            stream.seek(first)
            self.wfile.write(stream.read(last - first + 1))
        return None


def cpu_s(*words: str) -> float:
    """Run a command and give the CPU seconds that it and its children took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", *words], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def drawn(folder: Path, store: Store, number: int) -> FileRef:
    """Put a film of four seconds into the store: a square that crosses a wall of a colour of its own."""
    wall = np.random.default_rng(number).integers(40, 200, 3)
    pictures = np.tile(wall.astype(np.uint8), (FRAMES, HEIGHT, WIDTH, 1))
    for at, picture in enumerate(pictures):
        picture[60:120, 4 * at : 4 * at + 60] = 255 - wall
    path = folder / "film.mp4"
    write_clip(path, iter(pictures), rate=Fraction(RATE))
    return store.put(path, name="film.mp4", media_type="video/mp4")


def blown_up(folder: Path, items: int, films: int) -> Path:
    """Make a run of so many items and films out of a small one."""
    logs = folder / "logs"
    words = [word for subject in SUBJECTS for word in ("--subject", subject)]
    cpu_s("cutscore", "run", "colorbars", *words, "--log-dir", str(logs))
    refs = [drawn(folder, Store(logs / "store"), number) for number in range(films)]
    for file in logs.rglob("*.eval"):
        _blow_up(file, items, refs)
    return logs


def _blow_up(log: Path, items: int, films: Sequence[FileRef]) -> None:
    """Write a log again with more samples. Inspect's own writer takes three minutes for what is here five seconds."""
    with zipfile.ZipFile(log) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
        packed = archive.infolist()[0].compress_type
    samples = [json.loads(members.pop(name)) for name in list(members) if name.startswith("samples/")]
    header, summaries = json.loads(members["header.json"]), json.loads(members["summaries.json"])
    summaries = {each["id"]: each for each in summaries}
    named = [(f"item-{number:05d}", samples[number % len(samples)]) for number in range(items)]
    header["eval"]["dataset"] |= {"samples": items, "sample_ids": [name for name, _ in named]}
    with zipfile.ZipFile(log, "w", packed) as archive:
        archive.writestr("_journal/start.json", members["_journal/start.json"])
        for number, (name, sample) in enumerate(named):
            ask = json.loads(sample["metadata"]["ask"])
            if films:
                ask["files"] = [films[number % len(films)].model_dump(mode="json")]
            own = {"id": name, "uuid": f"{number:022d}", "metadata": sample["metadata"] | {"ask": json.dumps(ask)}}
            archive.writestr(f"samples/{name}_epoch_1.json", json.dumps(sample | own))
        told = [summaries[sample["id"]] | {"id": name, "uuid": f"{n:022d}"} for n, (name, sample) in enumerate(named)]
        archive.writestr("summaries.json", json.dumps(told))
        archive.writestr("header.json", json.dumps(header))


def size_mb(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and path.suffix != ".mp4") / 1e6


def decode_s(store: Path) -> float:
    """Give the CPU seconds that decoding every picture of the films takes."""
    start = time.process_time()
    for path in store.rglob("*"):
        if path.is_file() and path.read_bytes()[4:8] == b"ftyp":
            with av.open(str(path)) as container:
                container.streams.video[0].thread_type = "NONE"
                for _ in container.decode(video=0):
                    pass
    return time.process_time() - start


def memory_mb(browser: Any) -> float:
    """Give what all processes of a browser hold, shared pages divided among those that share them."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    kilobytes = 0
    for process in processes:
        lines = Path(f"/proc/{process['id']}/smaps_rollup").read_text().splitlines()
        kilobytes += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return kilobytes / 1e3


def opened(folder: Path, page: str, ready: str) -> tuple[float, float, float, float]:
    """Give seconds to the first paint and until a page shows items, megabytes of JavaScript and of the browser."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Ranged, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--headless", "--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1280, "height": 900})
        tab.goto(f"http://127.0.0.1:{server.server_port}/{page}")
        tab.wait_for_function(ready, timeout=300_000)
        seconds = tab.evaluate("performance.now()") / 1000
        tab.wait_for_load_state("networkidle")
        measured = tab.evaluate(PAINT) / 1000, seconds, tab.evaluate(HEAP) / 1e6, memory_mb(browser)
        browser.close()
    server.shutdown()
    server.server_close()
    return measured


FILTER = """() => {
  const field = document.querySelector('[data-find="text"]');
  return [..."clip 19 red"].map((_, at, all) => {
    const start = performance.now();
    field.value = all.slice(0, at + 1).join("");
    field.dispatchEvent(new Event("input", { bubbles: true }));
    document.body.offsetHeight;
    return performance.now() - start;
  });
}"""


def filter_ms(folder: Path) -> list[float]:
    """Give the milliseconds that each letter takes, typed into the explorer once all of its texts are there."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--headless", "--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1280, "height": 900})
        tab.goto((folder / "items.html").as_uri())
        tab.wait_for_function("() => document.querySelector('.samples tbody tr')", timeout=300_000)
        told = "() => !document.querySelector('.explorer output').textContent.includes('files are here')"
        tab.wait_for_function(told, timeout=300_000)
        took: list[float] = tab.evaluate(FILTER)
        browser.close()
    return took


def crowded(cell: CellResult, place: int, card: Card, n: int) -> CellResult:
    """Return a cell as another contestant of another benchmark, with other scores."""
    own = cell.record.cell.model_copy(
        update={
            "benchmark": card.name,
            "version": str(n),
            "subject": SubjectSpec(kind="model", label="model"),
            "model": f"laboratory-{place % 5}/model-{place}",
            "mode": "",
        }
    )
    low, high = card.scores[card.headline].scale
    draw = np.random.default_rng([n, place])
    rows = []
    for row in cell.rows:
        scores = {card.headline: float(low + (high - low) * draw.random())}
        ending = row.ending.model_copy(update={"scores": scores, "findings": ()})
        told = {"benchmark": card.name, "version": str(n), "cell": own.id, "subject": "model", "model": own.model}
        rows.append(row.model_copy(update={**told, "ending": ending, "judgements": ()}))
    return CellResult(replace(cell.record, cell=own), tuple(rows))


def crowd(logs: Path, out: Path, *, columns: int = 12, lines: int = 20) -> Path:
    """Build the report of so many benchmarks and contestants out of a small run."""
    cell = next(each for each in read_run(logs) if each.label == "blind")
    cell = replace(cell, rows=cell.rows[:8])
    cards = [found.card.model_copy(update={"planted": ()}) for found in benchmarks().values()]
    results = [
        BenchmarkResult(card, tuple(crowded(cell, place, card, n) for place in range(lines)))
        for n, card in enumerate((cards * columns)[:columns])
    ]
    for result in results:
        vars(result)["tables"] = BenchmarkTables(result)  # those of the benchmarks want rows of their own
    return build_site(results, out=out, how="leave").parent


def main() -> None:
    said = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    said.add_argument("--items", type=int, default=20_000)
    said.add_argument("--films", type=int, default=1_000)
    said.add_argument("--rounds", type=int, default=3)
    asked = said.parse_args()
    with tempfile.TemporaryDirectory(prefix="cutscore-bench-") as scratch:
        folder = Path(scratch)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        words = [word for subject in SUBJECTS for word in ("--subject", subject)]
        cpu_s("cutscore", "run", "colorbars", *words, "--log-dir", str(folder / "small"))
        many = crowd(folder / "small", folder / "crowd")
        paints = [opened(many, "index.html", "() => document.querySelector('.board')")[0] for _ in range(asked.rounds)]
        print(f"front   12 × 20: first paint {statistics.median(paints):.2f} s", flush=True)
        logs = blown_up(folder, asked.items, asked.films)
        print(f"{asked.items:,} items, {len(SUBJECTS)} subjects, {asked.films:,} films", flush=True)
        ours, theirs = folder / "site", folder / "bundle"
        first_s, again_s = (cpu_s("cutscore", "report", str(logs), "-o", str(ours)) for _ in range(2))
        print(f"build   report {again_s:7.1f} CPU s {size_mb(ours):8.1f} MB", flush=True)
        # A bundle wants its logs in one folder.
        flat = folder / "flat"
        flat.mkdir()
        for file in logs.rglob("*.eval"):
            shutil.copyfile(file, flat / file.name)
        their_s = cpu_s("inspect_ai", "view", "bundle", "--log-dir", str(flat), "--output-dir", str(theirs))
        print(f"        bundle {their_s:7.1f} CPU s {size_mb(theirs):8.1f} MB (the logs themselves, and a viewer)")
        if asked.films:
            plain_s = decode_s(logs / "store")
            print(f"films   seen   {first_s - again_s:7.1f} CPU s, once; decoding alone {plain_s:.1f} s", flush=True)
        took = filter_ms(ours)
        rows = asked.items * len(SUBJECTS)
        print(f"filter  {rows:,} rows: {statistics.median(took):.0f} ms a letter, at most {max(took):.0f}", flush=True)
        listed = "() => document.querySelectorAll('.samples tbody tr').length > 1"
        log = next(flat.glob("*.eval")).name
        # Its grid draws rows of its own kind; whatever it is built of, the name of the first item has to be there.
        shown = "() => document.body.innerText.includes('item-00000')"
        ways = (
            ("report", ours, "items.html", listed),
            ("bundle", theirs, f"index.html#/logs/{log}", shown),
        )
        for name, place, page, ready in ways:
            rounds = [opened(place, page, ready) for _ in range(asked.rounds)]
            paint, seconds, heap, whole = (statistics.median(each) for each in zip(*rounds, strict=True))
            print(
                f"open    {name} first paint {paint:5.2f} s, items {seconds:6.2f} s, JavaScript {heap:6.1f} MB, "
                f"browser {whole:6.0f} MB",
                flush=True,
            )


if __name__ == "__main__":
    main()
