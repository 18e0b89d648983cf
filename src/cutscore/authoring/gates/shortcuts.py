"""Shortcuts: can a task be solved by somebody who understands nothing?

Solvers see the ask alone and look at what no viewer looks at: which clip is the middle one, how large files are, how
noisy their encoding is. They are judged over all tasks of a pack: on one task luck looks like knowledge. A solver
fails the pack when the one-sided 95% bound below its mean (Student's t over tasks) lies above chance plus `MARGIN`.
Solvers that a benchmark lists as `GUESSES` are chance themselves: what the best of them gets is printed, and fails
nothing. It is the chance of a data pack; of the benchmark's own items the card tells.
"""

import math
from collections.abc import Container, Mapping, Sequence
from statistics import fmean, stdev

from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.core.gate import Shortcut
from cutscore.core.item import Item
from cutscore.stats.resampling import t_quantile

MARGIN = 0.05  # of the headline's scale
CONFIDENCE = 0.95
FEWEST = 3  # tasks; below, nothing can be said about a mean


def shortcut_scores(bench: LoadedBenchmark, item: Item) -> dict[str, float]:
    """Return what each solver gets for one task; left out is one that only a judge could mark who is not here."""
    if not (bench.found.folder / "shortcuts.py").is_file():
        return {}
    ask = bench.found.ask(item, bench.prompts)
    made = bench.found.part("shortcuts").shortcuts(ask, bench.store)
    return {
        name: value for name, deliverable in made.items() for value in bench.headlines([bench.mark(deliverable, item)])
    }


def judge_shortcuts(bench: LoadedBenchmark, scores: Sequence[Mapping[str, float]]) -> tuple[Shortcut, ...]:
    """Sum up what solvers got for all tasks."""
    names = dict.fromkeys(name for each in scores for name in each)
    if not names:
        return ()
    card = bench.found.card.scores[bench.headline]
    part = bench.found.part("shortcuts")
    printed: Mapping[str, str] = getattr(part, "PRINTED", {})
    guesses: Container[str] = getattr(part, "GUESSES", ())
    tried = [fmean(each[name] for each in scores if name in each) for name in names if name in guesses]
    chance = max(tried) if tried and bench.data else bench.chance
    chance = card.floor if chance is None else chance
    limit = chance + MARGIN * (card.scale[1] - card.scale[0])
    found = []
    for name in names:
        values = [each[name] for each in scores if name in each]
        low = lower_bound(values) if len(values) >= FEWEST else None
        found.append(
            Shortcut(
                name=name,
                n=len(values),
                mean=fmean(values),
                low=low,
                chance=chance,
                limit=limit,
                printed=printed.get(name, ""),
                guess=name in guesses,
            )
        )
    return tuple(found)


def lower_bound(values: Sequence[float]) -> float:
    """Return what the true mean exceeds with 95%, by Student's t.

    >>> round(lower_bound([1.0, 1.0, 0.5, 1.0]), 3), lower_bound([0.5, 0.5, 0.5])
    (0.581, 0.5)
    """
    return fmean(values) - t_quantile(CONFIDENCE, len(values) - 1) * stdev(values) / math.sqrt(len(values))
