"""cutscore measures video models and video agents, and shows why each number is what it is.

    results = cutscore.run("colorbars", subject="reader", limit=10)
    scored = cutscore.score("repair", "clip-05", "my-fix")

Names are loaded when they are used, so that importing the package costs next to nothing. docs/python.md has examples.
"""

import importlib
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cutscore.api.comparing import PairedResults, compare
    from cutscore.api.reading import Results, read
    from cutscore.api.running import run, run_async
    from cutscore.api.scoring import Score, score
    from cutscore.core.ask import Ask
    from cutscore.core.deliverable import Deliverable
    from cutscore.core.estimate import Estimate
    from cutscore.core.finding import Finding
    from cutscore.core.judgement import Judgement, Question
    from cutscore.core.row import Row
    from cutscore.core.subject import WorkContext
    from cutscore.scoring.judges.files import judge_files, judge_files_async
    from cutscore.scoring.metrics.measure import measure

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
    "PairedResults",
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

_HOMES = {
    "api.comparing": ("PairedResults", "compare"),
    "api.reading": ("Results", "read"),
    "api.running": ("run", "run_async"),
    "api.scoring": ("Score", "score"),
    "core.ask": ("Ask",),
    "core.deliverable": ("Deliverable",),
    "core.estimate": ("Estimate",),
    "core.finding": ("Finding",),
    "core.judgement": ("Judgement", "Question"),
    "core.row": ("Row",),
    "core.subject": ("WorkContext",),
    "scoring.judges.files": ("judge_files", "judge_files_async"),
    "scoring.metrics.measure": ("measure",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'cutscore' has no attribute {name!r}")
    return getattr(importlib.import_module(f"cutscore.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
