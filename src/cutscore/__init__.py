"""cutscore measures video models and video agents, and shows why each number is what it is.

    results = cutscore.run("colorbars", subject="reader", limit=10)
    scored = cutscore.score("repair", "clip-05", "my-fix")

Names are loaded when they are used, so that importing the package costs next to nothing. docs/python.md has examples.
"""

import importlib
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cutscore.api import (
        Ask,
        Deliverable,
        Estimate,
        Finding,
        Judgement,
        Question,
        Results,
        Row,
        Score,
        WorkContext,
        compare,
        judge_files,
        judge_files_async,
        measure,
        read,
        run,
        run_async,
        score,
    )

try:
    __version__ = version("cutscore")
except PackageNotFoundError:  # a checkout on the path without an install
    __version__ = "0+unknown"

__all__ = [
    "Ask",
    "Deliverable",
    "Estimate",
    "Finding",
    "Judgement",
    "Question",
    "Results",
    "Row",
    "Score",
    "WorkContext",
    "compare",
    "judge_files",
    "judge_files_async",
    "measure",
    "read",
    "run",
    "run_async",
    "score",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(importlib.import_module("cutscore.api"), name)
    raise AttributeError(f"module 'cutscore' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
