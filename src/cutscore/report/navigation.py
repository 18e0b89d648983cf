"""The site → its one navigation: which pages there are, and which of them a benchmark has."""

from collections.abc import Sequence
from dataclasses import dataclass

from cutscore.report.benchmark_site import BenchmarkSite
from cutscore.report.compare_page import PAGE as COMPARE_PAGE
from cutscore.report.explorer import PAGE as ITEMS_PAGE
from cutscore.report.judge_page import PAGE as JUDGE_PAGE

ACROSS_PAGE = "across.html"
TABLES_PAGE = "tables.html"  # in the benchmark's folder


@dataclass(frozen=True)
class NavLink:
    """A page: the word that `place` of a page is compared with, its address from the root, and what it is called."""

    place: str
    href: str
    text: str


@dataclass(frozen=True)
class Navigation:
    """Every page that is there: those of the whole site, then those of each benchmark by its folder."""

    site: tuple[NavLink, ...] = ()
    benchmarks: tuple[NavLink, ...] = ()
    inside: dict[str, tuple[NavLink, ...]] | None = None

    def links(self, folder: str) -> tuple[NavLink, ...]:
        """Return what stands beside the choice of a benchmark: its pages, or those of the site where none is chosen."""
        return (self.inside or {}).get(folder, self.site)


def navigation(benches: Sequence[BenchmarkSite], *, across: bool) -> Navigation:
    """List the pages of a site; a page about nothing is not made, so it is not listed."""
    shared = [NavLink("items", ITEMS_PAGE, "Items")]
    return Navigation(
        site=(*shared, *([NavLink("tables", ACROSS_PAGE, "Tables")] if across else [])),
        benchmarks=tuple(NavLink(bench.folder, f"{bench.folder}/index.html", bench_title(bench)) for bench in benches),
        inside={bench.folder: _inside(bench) for bench in benches},
    )


def bench_title(bench: BenchmarkSite) -> str:
    """Name a benchmark with its version."""
    return f"{bench.name} v{bench.version}"


def items_link(bench: BenchmarkSite) -> str:
    """Return the address of a benchmark's own items in the explorer, from the root."""
    return f"{ITEMS_PAGE}#benchmark={bench.folder}"


def _inside(bench: BenchmarkSite) -> tuple[NavLink, ...]:
    here = bench.folder
    known = [
        (True, NavLink("results", f"{here}/index.html", "Results")),
        (True, NavLink("items", items_link(bench), "Items")),
        (bool(bench.comparisons), NavLink("compare", f"{here}/{COMPARE_PAGE}", "Compare")),
        (any(row.judgements for row in bench.rows), NavLink("judges", f"{here}/{JUDGE_PAGE}", "Judges")),
        (any(each.tables.tables for each in bench.results), NavLink("tables", f"{here}/{TABLES_PAGE}", "Tables")),
    ]
    return tuple(link for there, link in known if there)
