"""What comes with the published benchmark: cases that are left out, and what released result files hold."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from cutscore.benchmarks.clvg_turns.dataset import SCRIPTED, InteractionCase, find_left_out
from cutscore.benchmarks.clvg_turns.released_results import ResultCounts, count_results, read_results

RESULTS = "results/*.jsonl"


def remarks(items: Sequence[InteractionCase], data: Path) -> list[str]:
    """Return what a reader should know of a folder: bad and odd cases, and the counts of result files beside them."""
    turns_of = {item.id.removeprefix("case_"): len(item.paths[SCRIPTED]) for item in items}
    told = [describe_results(path.name, path, turns_of) for path in sorted(data.glob(RESULTS))]
    return [*find_left_out(data), *told]


def describe_results(name: str, path: Path, turns_of: Mapping[str, int]) -> str:
    """Return the counts of a result file in words, each with what it is a share of."""
    counts = count_results(read_results(path), turns_of)
    turns = "; ".join(f"turn {turn}: {describe_turn(counts, turn)}" for turn in counts.turns)
    absent = len(turns_of) - counts.cases
    return (
        f"results '{name}': {turns}; {counts.cases_passed} of {counts.cases} cases pass"
        f" ({absent} of {len(turns_of)} are not there)"
    )


def describe_turn(counts: ResultCounts, turn: int) -> str:
    """Return how a turn went: of all lines, and of the verdicts among them.

    >>> from cutscore.benchmarks.clvg_turns.released_results import TurnCount
    >>> describe_turn(ResultCounts({2: TurnCount(2, 48, 47)}, 48, 1), 2)
    '2 of 48 pass, 2 of 47 real verdicts'
    """
    found = counts.turns[turn]
    return f"{found.passed} of {found.lines} pass, {found.passed} of {found.verdicts} real verdicts"
