"""What a benchmark's files may reach by importing: marking no recipe, and subjects without a key no truth."""

from cutscore.bridge.scoring_code import STARTS, reached_from
from cutscore.registry import Benchmark

RECIPES = ("cutscore.authoring.recipe", "cutscore.stage")
TRUTH = ("dataset", "mark", "oracle", "build")


def recipes_reached(found: Benchmark) -> list[str]:
    """Name recipes that `dataset.py`, `ask.py` or `mark.py` reach: `build.py`, what recipes are made of, the stage.

    Whatever they reach is part of a cell's digest, and is loaded to score one file. Items are read from data.
    """
    recipes = (f"{found.package}.build", *RECIPES)
    problems = []
    for file in STARTS:
        reached = _reached(found, file)
        problems += [f"{file} reaches {name}, which makes items" for name in recipes if name in reached]
    return problems


def truth_reached(found: Benchmark) -> list[str]:
    """Name modules with the truth that `keyless.py` reaches, be it through another module."""
    reached = _reached(found, "keyless.py")
    names = (f"{found.package}.{part}" for part in TRUTH)
    return [f"keyless.py reaches {name}, where the truth is" for name in names if name in reached]


def _reached(found: Benchmark, file: str) -> dict[str, object]:
    path = found.folder / file
    return dict(reached_from([path], found)) if path.is_file() else {}
