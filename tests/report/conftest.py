"""A small run made by hand: three clips to name a colour in, four subjects."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import PrivateAttr

from cutscore.bridge.rows import CellRecord
from cutscore.cells.cell import Cell
from cutscore.core.ask import Ask
from cutscore.core.card import Card, ScoreCard
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.estimate import Difference, Estimate
from cutscore.core.finding import Finding
from cutscore.core.manifest import FrameManifest, SeenFrame
from cutscore.core.row import Row
from cutscore.core.subject import SubjectSpec
from cutscore.core.table import Column, Plot, Table
from cutscore.core.usage import Usage
from cutscore.media.render import write_clip
from cutscore.report.benchmark_site import BenchmarkSite, benchmark_sites
from cutscore.report.site import build_site
from cutscore.results.benchmark import BenchmarkResult
from cutscore.results.cells import CellResult
from cutscore.results.comparison import Comparison, ScorePair
from cutscore.results.estimates import ItemScores, ScoreView
from cutscore.results.pairs import CellComparison
from cutscore.results.tables.benchmark_tables import BenchmarkTables
from cutscore.results.verdict import PairVerdict
from cutscore.stats.power import DetectableDifference
from cutscore.stats.significance import PairedTest
from cutscore.store import Store

COLOURS = {"red": (200, 40, 40), "green": (40, 160, 60), "blue": (40, 70, 200)}
ARGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Words on words, and bars or dots on words; the halo of a dot is no part of it.
OVERPRINTED = """() => [...document.querySelectorAll("main svg")].flatMap((drawing) => {
  const seen = (each) => each.checkVisibility() && each.getBoundingClientRect().width > 0;
  const words = [...drawing.querySelectorAll("text")].filter(seen);
  const marks = [...drawing.querySelectorAll(".dot line, .dot circle, .board circle")].filter(seen);
  const over = (one, other) => {
    const a = one.getBoundingClientRect(), b = other.getBoundingClientRect();
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    return across > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  };
  return words.flatMap((word, place) => [...words.slice(place + 1), ...marks].filter((other) => over(word, other))
    .map((other) => `${word.textContent} | ${other.textContent || other.outerHTML}`));
})"""
VOID = {"meta", "link", "img", "br", "hr", "input", "source"}

CARD = Card(
    name="colorbars",
    title="Colour bars",
    about="Name the colour that a clip shows after its cut.",
    version="1",
    licence="Apache-2.0",
    headline="accuracy",
    scores={
        "accuracy": ScoreCard(about="share of colours named right", floor=0.0, chance=1 / 3),
        "timing": ScoreCard(about="share of cuts placed within 0.2 s", floor=0.0),
    },
    splits={"test": 3},
)


class Page(HTMLParser):
    """A page taken apart; complains when its tags are not balanced."""

    def __init__(self, path: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.path, self.tags, self.words, self.open = path, [], [], []
        self.feed(path.read_text(encoding="utf-8"))
        self.close()
        assert not self.open, f"{path.name} leaves {self.open} open"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"{self.path.name} closes {tag} at {self.getpos()}"

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def find(self, tag: str, **wanted: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags if name == tag and wanted.items() <= attrs.items()]


class MadeCell(Cell):
    """A cell whose id is what its rows say."""

    _id: str = PrivateAttr(default="")

    @property
    def id(self) -> str:
        return self._id


@dataclass
class Run:
    """Rows, a hand to add more, and the numbers that results are made to have."""

    store: Store
    rows: list[Row] = field(default_factory=list)
    estimates: dict[str, tuple[Estimate, ...]] = field(default_factory=dict)
    differences: list[tuple[str, str, Comparison]] = field(default_factory=list)
    tables: tuple[Table, ...] = ()
    cards: dict[str, Card] = field(default_factory=lambda: {"colorbars": CARD})
    kinds: dict[str, str] = field(default_factory=dict)

    def add(self, subject: str, ask: Ask, ending: Ending, *, model: str = "", **more: Any) -> Row:
        """Add a row of the cell that subject and model name."""
        cell = f"{subject}-{hashlib.sha256((subject + model).encode()).hexdigest()[:12]}"
        plain = {"benchmark": "colorbars", "version": "1", "cell": cell, "subject": subject, "model": model}
        plain |= {"item": ask.item, "epoch": 1, "cluster": ask.item, "groups": {"colour": ask.item.split("-")[0]}}
        self.rows.append(Row(**(plain | {"ask": ask, "ending": ending} | more)))
        return self.rows[-1]

    def of(self, subject: str) -> list[Row]:
        return [row for row in self.rows if row.subject == subject]

    def results(self, **planted: Any) -> list[BenchmarkResult]:
        """Put rows together by benchmark and version; keyword arguments replace what is planted."""
        by_version: dict[tuple[str, str], dict[str, list[Row]]] = {}
        for row in planted.pop("rows", self.rows):
            by_version.setdefault((row.benchmark, row.version), {}).setdefault(row.cell, []).append(row)
        told = {"cards": self.cards, "estimates": self.estimates, "differences": self.differences}
        told |= {"tables": self.tables, "fault": "", "comparisons": (), "calibrations": ()} | planted
        return [self._result(name, list(cells.values()), **told) for (name, _), cells in by_version.items()]

    def site(self, **planted: Any) -> BenchmarkSite:
        """Lay out the only benchmark."""
        (made,) = benchmark_sites(self.results(**planted), clean=str)
        return made

    def _result(self, name: str, cells: list[list[Row]], **told: Any) -> BenchmarkResult:
        card = told["cards"].get(name) or CARD.model_copy(update={"name": name})
        result = BenchmarkResult(card, tuple(self._cell(rows) for rows in cells))
        pairs = {
            kind: tuple(
                CellComparison(*self._named(result, one, two), made)
                for one, two, made in told[kind]
                if {one, two} <= {cell.label for cell in result.cells}
            )
            for kind in ("differences", "comparisons")
        }
        tables = BenchmarkTables(result, tuple(told["tables"]), told["fault"])
        estimates = {cell.id: told["estimates"].get(cell.id, ()) for cell in result.cells}
        # What would be computed is planted instead: cached properties look here first.
        vars(result).update(pairs, tables=tables, estimates=estimates, calibrations=tuple(told["calibrations"]))
        return result

    def _named(self, result: BenchmarkResult, *labels: str) -> list[CellResult]:
        return [next(cell for cell in result.cells if cell.label == label) for label in labels]

    def _cell(self, rows: list[Row]) -> CellResult:
        first = rows[0]
        kind = self.kinds.get(first.subject, "folder")
        spec = SubjectSpec(kind=kind, spec=first.subject, label=first.subject)
        cell = MadeCell(
            benchmark=first.benchmark,
            version=first.version,
            data="0" * 64,
            subject=spec,
            model=first.model,
            input=first.input,
        )
        cell._id = first.cell
        home = self.store.root.parent
        return CellResult(CellRecord(cell, home / "logs" / "cell", home, ()), tuple(rows))


def _estimate(value: float | None, low: float | None, high: float | None, *, n: int = 3, **more: Any) -> Estimate:
    plain = {"name": "accuracy", "method": "percentile bootstrap over clusters, 10000 resamples, seed 42"}
    return Estimate(value=value, low=low, high=high, n=n, clusters=n, **(plain | more))


def _compared(
    first: str,
    second: str,
    three: tuple[float | None, ...],
    *,
    p_adjusted: float | None,
    clusters: int = 30,
    **more: Any,
) -> Comparison:
    """What was found of two cells; three are value and interval, and with 3 clusters a test can show nothing."""
    made = Difference(estimate=_estimate(*three, scale=(-1, 1)), first=first, second=second)
    test = PairedTest(p_adjusted, 3, clusters, 0, 0, "sign flips of clusters")
    reach = DetectableDifference(0.5, 0.1, 0.8, 3, 3, "m")
    scores = ScorePair(ItemScores(first, {}, {}), ItemScores(second, {}, {}), CARD, ScoreView("accuracy"))
    return Comparison(scores, made, 0, PairVerdict(test, p_adjusted, tests=1, tied=False), reach)


def _judged(value: float, because: str, *, timing: float | None = None) -> Ending:
    found = [Finding(name="accuracy", value=value, because=because, file="bars.mp4", at=(2, 4))]
    if timing is not None:
        named = "2.0" if timing else "2.9"
        found.append(Finding(name="timing", value=timing, because=f"cut named at {named} s, it is at 2.0 s", at=(2, 2)))
    return Ending(status="marked", scores={each.name: each.value for each in found}, findings=tuple(found))


def _table(rows: int, **more: Any) -> Table:
    made = {
        "id": "by-colour",
        "title": "red is the easiest colour",
        "columns": tuple(Column(name=name) for name in ("subject", "model", "red", "remark")),
        "rows": tuple((f"subject-{n}", "", _estimate(n / rows, 0.0, 1.0, unscored=n % 2), "") for n in range(rows)),
        "note": "95% by clip",
        "paper": "Table 2",
        "plot": Plot(values=("red",), labels=("subject", "model")),
    }
    return Table(**(made | more))


@pytest.fixture(scope="session")
def clips(tmp_path_factory) -> dict[str, Path]:
    """Four seconds of 160×90 each: blue to 2.0 s, then the colour of the name; blue itself comes after red."""
    folder = tmp_path_factory.mktemp("clips")
    for name in COLOURS:
        halves = ["red" if name == "blue" else "blue"] * 20 + [name] * 20
        frames = (np.full((90, 160, 3), COLOURS[each], np.uint8) for each in halves)
        write_clip(folder / f"{name}.mp4", frames, rate=Fraction(10))
    return {name: folder / f"{name}.mp4" for name in COLOURS}


@pytest.fixture
def run(tmp_path, clips) -> Run:
    """Oracle is right three times, a model twice and once unscored, blind once; null hands over nothing.

    Three tables come with it: three rows, fifty, none.
    """
    made = Run(Store(tmp_path / "store"))
    for number, (colour, path) in enumerate(clips.items(), start=1):
        ref = made.store.put(path, name="bars.mp4", media_type="video/mp4")
        brief = "Watch the clip.\nWhich colour does it show after the cut?"
        ask = Ask(item=f"{colour}-{number}", brief=brief, files=(ref,), choices=tuple(COLOURS))
        truth = f"the clip is {colour} from 2.0 s on"
        right = _judged(1, f"answered {colour}; {truth}", timing=1)
        made.add("oracle", ask, right, deliverable=Deliverable(text=colour))
        guess = _judged(float(colour == "red"), f"answered red; {truth}", timing=0)
        made.add("blind", ask, guess, deliverable=Deliverable(text="red"))
        made.add("null", ask, _judged(0, "nothing was handed over"))
        frames = [SeenFrame(at_s=Fraction(each, 2), sha256="0" * 64, width=160, height=90) for each in (1, 3, 5, 7)]
        seen = FrameManifest(clip=ref, plan="uniform=4", decoder="PyAV 18.1.0", frames=tuple(frames))
        unreachable = Ending(status="unscored", because="judge unreachable: 503 after 5 tries")
        made.add(
            "model",
            ask,
            unreachable if colour == "blue" else right,
            model="openai/x-1",
            seen=(seen,),
            deliverable=Deliverable(text=colour),
            usage=Usage(input=1204, output=31),
            cost_usd=0.0021,
            seconds=2.4,
            retries={"503": 2},
        )
    whole = {
        "oracle": _estimate(1.0, 1.0, 1.0),
        "model": _estimate(1.0, 1.0, 1.0, n=2, unscored=1, bounds=(0.667, 1.0)),
        "blind": _estimate(0.333, 0.0, 1.0),
        "null": _estimate(0.0, 0.0, 0.0),
    }
    for subject, headline in whole.items():
        parts = [
            _estimate(row.ending.scores["accuracy"], None, None, n=1, group=row.groups)
            for row in made.of(subject)
            if row.ending.scores
        ]
        timing = _estimate(headline.value, None, None, n=headline.n, name="timing")
        made.estimates[made.of(subject)[0].cell] = (headline, timing, *parts)
    made.differences = [
        ("oracle", other, _compared("oracle", other, three, p_adjusted=p_adjusted))
        for other, three, p_adjusted in (
            ("model", (0.0, 0.0, 0.0), 0.5),
            ("blind", (0.667, 0.1, 1.0), 0.01),
            ("null", (1.0, 1.0, 1.0), 0.01),
        )
    ]
    made.tables = (_table(3), _table(50, id="long"), _table(0, id="empty", title="none"))
    return made


@pytest.fixture
def compared() -> Callable[..., Comparison]:
    """Make what was found of two cells."""
    return _compared


@pytest.fixture
def build(run, tmp_path) -> Callable[..., Path]:
    """Build the run's site and return its first page; keyword arguments replace what is planted."""

    def build(out: str = "site", **more: Any) -> Path:
        ways = {name: more.pop(name) for name in ("title", "clean", "how", "on_item") if name in more}
        return build_site(run.results(**more), out=tmp_path / out, **ways)

    return build


@pytest.fixture
def read() -> type[Page]:
    """Take a page apart."""
    return Page


@pytest.fixture
def overprinted() -> str:
    """A script that tells which words of a page's drawings lie on other words, on bars or on dots."""
    return OVERPRINTED


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGS)
        yield browser
        browser.close()


class Watched:
    """A page that remembers every complaint and every request."""

    def __init__(self, page: Any) -> None:
        self.page, self.complaints, self.requests = page, [], []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("requestfailed", lambda request: self.complaints.append(f"failed: {request.url} {request.failure}"))
        page.on("request", lambda request: self.requests.append(request.url))

    def check(self, root: str) -> None:
        # A player that has seen enough of a clip drops the rest of the transfer; that is no fault.
        assert [each for each in self.complaints if "net::ERR_ABORTED" not in each] == []
        assert [url for url in self.requests if not url.startswith((root, f"blob:{root}", "blob:null"))] == []

    def at(self, seconds: float) -> None:
        """Wait until the first player stands at a second, and check that it is paused there.

        Films stand in the middle of a frame, here half of a tenth of a second after its beginning.
        """
        self.page.wait_for_function(
            "at => { const video = document.querySelector('video');"
            " return !video.seeking && video.readyState >= 2 && Math.abs(video.currentTime - at) < 0.01 }",
            arg=seconds,
        )
        assert self.page.eval_on_selector("video", "video => video.paused")


@pytest.fixture
def watch(browser) -> Iterator[Callable[..., Watched]]:
    contexts = []

    def watch(**options: Any) -> Watched:
        contexts.append(browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | options)))
        contexts[-1].set_default_timeout(20_000)
        return Watched(contexts[-1].new_page())

    yield watch
    for context in contexts:
        context.close()
