"""All benchmarks → the finding in one line, and what is known, what is undecided and what data would decide it.

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
    """A contestant beside the guess: by their paired test where somebody guessed, else by its interval.

    `needs` is how many clips would decide it; 0 where it is decided, and where no number of them does.
    """

    bench: BenchmarkSite
    line: CellHeadline
    place: Literal["above", "open", "not above"]
    needs: int = 0


def conclude(benches: Sequence[BenchmarkSite]) -> Conclusions:
    """Write what was found of those that compete."""
    if not any(bench.contestants for bench in benches):
        return Conclusions("nobody competed: there are references alone" if benches else "nothing was measured")
    pairs = [pair for bench in benches for pair in _pairs(bench)]
    standings = [each for bench in benches for each in _standings(bench)]
    failed = [
        f"{each.label} failed on {each.estimate.failed:,} of {count(each.estimate.n, 'sample')} of {bench.name}"
        for bench in benches
        for each in bench.contestants
        if each.estimate.mostly_failed
    ]
    differ, alike = _pair_clauses(pairs)
    return Conclusions(
        title=_title(benches, standings),
        known=_sentence(
            [
                *differ,
                *_group(_say(standings, "above", "{} is better than guessing")),
                *_group(_say(standings, "not above", "{} is no better than guessing")),
                *failed,
            ]
        ),
        undecided=_sentence([*alike, *_group(_say(standings, "open", "whether {} does better than guessing"))]),
        decide=_sentence(_needs(pairs, standings), ", if differences are as large as they look"),
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


def _pair_clauses(pairs: Sequence[_Pair]) -> tuple[list[str], list[str]]:
    """Say which pairs are decided, and which are not; of very many how many, and who wins most of them."""
    won = [each for each in pairs if each.decided]
    differ = _group((f"{each.first} is better than {each.second}", each.bench.name) for each in won)
    open_ = [each for each in pairs if not each.decided]
    alike = _group((f"whether {each.first} is better than {each.second}", each.bench.name) for each in open_)
    if len(differ) > MOST_CLAUSES:
        label, n = _most(Counter(each.first for each in won))
        differ = [
            f"{len(won):,} of {len(pairs):,} pairs of contestants differ; {label} is the better one of {n:,} of them"
        ]
    if len(alike) > MOST_CLAUSES:
        alike = [f"{len(open_):,} of {len(pairs):,} pairs of contestants show no difference yet"]
    return differ, alike


def _standings(bench: BenchmarkSite) -> list[_Standing]:
    """Place contestants beside the guess; none where it is unknown, or where most samples failed."""
    tested = {pair.first.id: pair.comparison for pair in bench.comparisons if bench.role(pair.second.id) == "guess"}
    made = []
    for each in bench.contestants:
        if each.name.arm or each.estimate.mostly_failed:
            continue
        if (found := tested.get(each.name.cell)) and (gap := found.difference.estimate.value) is not None:
            place: Literal["above", "open", "not above"] = (
                "open" if not found.separable else "above" if gap > 0 else "not above"
            )
            needs = 0 if found.separable else _clips_for(found)
            made.append(_Standing(bench, each, place, needs))
        elif (beside := _beside_level(bench, each)) is not None:
            made.append(beside)
    return made


def _beside_level(bench: BenchmarkSite, each: CellHeadline) -> _Standing | None:
    guess, made = bench.marks.get("guess"), each.estimate
    if guess is None or made.value is None or made.low is None or made.high is None:
        return None
    if made.low > guess:
        return _Standing(bench, each, "above")
    if made.high <= guess:
        return _Standing(bench, each, "not above")
    needs = _grow(made.clusters, made.value - made.low, made.value - guess) if made.value > guess else 0
    return _Standing(bench, each, "open", needs)


def _title(benches: Sequence[BenchmarkSite], standings: Sequence[_Standing]) -> str:
    """Return the finding of the whole site: who leads where several compete, else who does better than guessing."""
    if len(benches) == 1:
        return f"{benches[0].name}: {benches[0].finding}"
    contested = [bench for bench in benches if len([each for each in bench.contestants if not each.name.arm]) > 1]
    if 2 * len(contested) > len(benches):
        leads = Counter(filter(None, map(_leader, contested)))
        if not leads:
            return f"nobody is better than all others on any of {count(len(contested), 'benchmark')} yet"
        label, n = _most(leads)
        left = len(contested) - leads.total()
        open_ = f"; {left} {'is' if left == 1 else 'are'} undecided" if left else ""
        return f"{label} is better than all others on {n} of {count(len(contested), 'benchmark')}{open_}"
    if not standings:
        label, n = _most(Counter(each.label for bench in benches for each in bench.contestants))
        return f"{label} was measured on {count(n, 'benchmark')}"
    label, n = _most(Counter(each.line.label for each in standings))
    places = Counter(each.place for each in standings if each.line.label == label)
    left = places["open"]
    open_ = f"; {left} {'is' if left == 1 else 'are'} undecided" if left else ""
    return f"{label} is better than guessing on {places['above']} of {count(n, 'benchmark')} with a known guess{open_}"


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
    """Say how many clips would decide all that is open on a benchmark, if differences are as large as they look."""
    wanted: dict[str, tuple[int, int, str]] = {}
    open_ = [(pair.bench, _clips_for(pair.found), pair.found.difference.estimate) for pair in pairs if not pair.decided]
    open_ += [(each.bench, each.needs, each.line.estimate) for each in standings if each.place == "open"]
    for bench, n, made in open_:
        if n:
            before = wanted.get(bench.name, (0, 0, ""))
            wanted[bench.name] = max(before, (n, made.clusters, bench.card.cluster_noun))
    order = sorted(wanted.items(), key=lambda each: (each[1], each[0]))
    return [f"about {count(n, noun)} of {name}, where there are {has:,}" for name, (n, has, noun) in order]


def _clips_for(found: Comparison) -> int:
    made = found.difference.estimate
    return found.lacking or _grow(made.clusters, found.detectable, made.value)


def _grow(clips: int, reach: float | None, gap: float | None) -> int:
    """Return how many clips bring the reach down to the gap; 0 where no number does.

    What a study can show shrinks with the root of its clips: half of it takes four times as many.
    """
    if not gap or reach is None:
        return 0
    n = max(FEWEST, clips + 1, ceil(clips * (reach / abs(gap)) ** 2))
    return n if n <= FARTHEST else 0


def _sentence(clauses: Sequence[str], end: str = "") -> str:
    """Join clauses to a sentence; of many the first are said and the rest is counted."""
    if not clauses:
        return ""
    left = len(clauses) - MOST_CLAUSES
    shown = [*clauses[:MOST_CLAUSES], f"and {left:,} more"] if left > 1 else list(clauses)
    return f"{'; '.join(shown)}{end}."
