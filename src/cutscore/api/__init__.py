"""cutscore from Python: what the command line stands on, typed and documented (docs/python.md).

import cutscore

results = cutscore.run("vidwork", subject="reader", limit=10)
scored = cutscore.score("repair", "clip-05", "my-fix")
pairs = cutscore.compare("logs", "other-logs")
rows = cutscore.read("logs").rows
"""

from cutscore.api.comparing import compare
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
