"""All benchmarks → the finding in one line, and three sentences: what is known, what is undecided, what would decide it.

They speak of those that compete alone. That an answer key wins, and that doing nothing loses, is true before anything
was measured, so neither is a finding.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Literal

from cutscore.report.benchmark_site import BenchmarkSite
from cutscore.results.comparison import Comparison
from cutscore.results.headline import CellHeadline
from cutscore.results.wording import count, names

MOST_NAMED = 8  # benchmarks by name in a clause; more are counted
MOST_CLAUSES = 4  # of a sentence; the rest is on the pages of the benchmarks
FEWEST = 6  # clips; with fewer no test of one pair can show anything (2 / 2⁵ is above 5%)
FARTHEST = 1_000_000  # clips; a difference that needs more is as good as none


@dataclass(frozen=True)
class Conclusions:
    """What the front page says in words; a sentence about nothing is empty."""

    title: str
    known: str = ""
    undecided: str = ""
    decide: str = ""


@dataclass(frozen=True)
class _Pair:
    """Two contestants on one benchmark, by name, the higher one first."""

    bench: BenchmarkSite
    first: str
    second: str
    found: Comparison

    @property
    def decided(self) -> bool:
        return self.found.separable is True


@dataclass(frozen=True)
class _Standing:
    """Where the interval of a contestant lies beside the level of guessing."""

    bench: BenchmarkSite
    line: CellHeadline
    place: Literal["above", "open", "not above"]


def conclude(benches: Sequence[BenchmarkSite]) -> Conclusions:
    """Say what was found of those that compete."""
    if not any(bench.contestants for bench in benches):
        return Conclusions("nobody competes yet, there are references alone" if benches else "nothing was measured")
    pairs = [pair for bench in benches for pair in _pairs(bench)]
    standings = [each for bench in benches for each in _standings(bench)]
    failed = [
        f"{each.label} failed on {each.estimate.failed:,} of {count(each.estimate.n, 'sample')} of {bench.name}"
        for bench in benches
        for each in bench.contestants
        if each.estimate.mostly_failed
    ]
    known = [(f"{each.first} is better than {each.second}", each.bench.name) for each in pairs if each.decided]
    open_ = [
        (f"whether {each.first} is better than {each.second}", each.bench.name) for each in pairs if not each.decided
    ]
    return Conclusions(
        title=_title(benches, standings),
        known=_sentence(
            [
                *_group(known),
                *_group(_say(standings, "above", "{} is better than guessing")),
                *_group(_say(standings, "not above", "{} is no better than guessing")),
                *failed,
            ]
        ),
        undecided=_sentence([*_group(open_), *_group(_say(standings, "open", "whether {} does better than guessing"))]),
        decide=_sentence(_needs(pairs, standings)),
    )


def _pairs(bench: BenchmarkSite) -> list[_Pair]:
    rivals = {each.name.cell for each in bench.contestants if not each.name.arm}
    made = []
    for pair in bench.comparisons:
        gap = pair.comparison.difference.estimate.value
        if {pair.first.id, pair.second.id} <= rivals and gap is not None:
            first, second = bench.labels[pair.first.id], bench.labels[pair.second.id]
            made.append(_Pair(bench, *((second, first) if gap < 0 else (first, second)), pair.comparison))
    return made


def _standings(bench: BenchmarkSite) -> list[_Standing]:
    """Place contestants beside the level of guessing; none where either is unknown, or where most samples failed."""
    guess, made = bench.marks.get("guess"), []
    for each in bench.contestants:
        low, high = each.estimate.low, each.estimate.high
        if guess is not None and low is not None and high is not None and not each.estimate.mostly_failed:
            made.append(_Standing(bench, each, "above" if low > guess else "not above" if high <= guess else "open"))
    return [each for each in made if not each.line.name.arm]


def _title(benches: Sequence[BenchmarkSite], standings: Sequence[_Standing]) -> str:
    """Return the finding of the whole site: who leads where several compete, else who does better than guessing."""
    if len(benches) == 1:
        return f"{benches[0].name}: {benches[0].finding}"
    contested = [bench for bench in benches if len([each for each in bench.contestants if not each.name.arm]) > 1]
    if 2 * len(contested) > len(benches):
        leads = Counter(filter(None, map(_leader, contested)))
        if not leads:
            return f"nobody leads on any of {count(len(contested), 'benchmark')} yet"
        label, n = _most(leads)
        left = len(contested) - leads.total()
        open_ = f"; {left} {'is' if left == 1 else 'are'} undecided" if left else ""
        return f"{label} leads on {n} of {count(len(contested), 'benchmark')}{open_}"
    if not standings:
        label, n = _most(Counter(each.label for bench in benches for each in bench.contestants))
        return f"{label} was measured on {count(n, 'benchmark')}"
    label, n = _most(Counter(each.line.label for each in standings))
    above = sum(each.line.label == label and each.place == "above" for each in standings)
    return f"{label} is better than guessing on {above} of {count(n, 'benchmark')} with a known guess"


def _most(counted: "Counter[str]") -> tuple[str, int]:
    return min(counted.items(), key=lambda each: (-each[1], each[0]))


def _leader(bench: BenchmarkSite) -> str:
    """Return the contestant that is better than all others; empty where that is undecided."""
    best = next((each.label for each in bench.contestants if not each.name.arm), "")
    own = [pair for pair in _pairs(bench) if best in (pair.first, pair.second)]
    return best if own and all(pair.decided and pair.first == best for pair in own) else ""


def _say(standings: Iterable[_Standing], place: str, said: str) -> list[tuple[str, str]]:
    return [(said.format(each.line.label), each.bench.name) for each in standings if each.place == place]


def _group(clauses: Iterable[tuple[str, str]]) -> list[str]:
    """Put what holds on several benchmarks into one clause, the widest first."""
    found: dict[str, list[str]] = {}
    for said, bench in clauses:
        found.setdefault(said, []).append(bench)
    order = sorted(found.items(), key=lambda each: (-len(each[1]), each[0]))
    return [f"{said} on {names(where, most=MOST_NAMED, thing='benchmark')}" for said, where in order]


def _needs(pairs: Iterable[_Pair], standings: Iterable[_Standing]) -> list[str]:
    """Say how many clips would decide what is open on a benchmark, if a difference is as large as it looks.

    An interval shrinks with the root of the clips: one that is half as wide takes four times as many.
    """
    wanted: dict[str, tuple[int, int]] = {}
    for pair in pairs:
        made = pair.found.difference.estimate
        if not pair.decided and (n := pair.found.lacking or _grow(made.clusters, pair.found.detectable, made.value)):
            wanted[pair.bench.name] = max(wanted.get(pair.bench.name, (0, 0)), (n, made.clusters))
    for each in standings:
        made, guess = each.line.estimate, each.bench.marks["guess"]
        gap, half = (made.value or 0.0) - guess, (made.value or 0.0) - (made.low or 0.0)
        if each.place == "open" and gap > 0 and (n := _grow(made.clusters, half, gap)):
            wanted[each.bench.name] = max(wanted.get(each.bench.name, (0, 0)), (n, made.clusters))
    order = sorted(wanted.items(), key=lambda each: (each[1], each[0]))
    return [f"{name} needs about {count(n, 'clip')}, it has {has:,}" for name, (n, has) in order]


def _grow(clips: int, reach: float | None, gap: float | None) -> int:
    """Return how many clips bring the reach down to the gap; 0 where no number does."""
    if not gap or reach is None:
        return 0
    n = max(FEWEST, clips + 1, ceil(clips * (reach / abs(gap)) ** 2))
    return n if n <= FARTHEST else 0


def _sentence(clauses: Sequence[str]) -> str:
    """Join clauses to a sentence; of many the first are said and the rest is counted."""
    if not clauses:
        return ""
    left = len(clauses) - MOST_CLAUSES
    shown = [*clauses[:MOST_CLAUSES], f"and {left:,} more"] if left > 1 else list(clauses)
    return f"{'; '.join(shown)}."
