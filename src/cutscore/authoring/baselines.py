"""Baselines answer a pack before it is filtered, by the same machinery as any run; what all of them know is too easy.

DIR/.work/unfiltered/    the pack that they answer
DIR/.work/logs/          their run folder: a build that goes on asks nothing twice
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from cutscore.authoring.build_folder import Output
from cutscore.bridge.run import CellRequest, prepare, run_cell
from cutscore.bridge.run_context import RunContext
from cutscore.core.errors import RunBroken
from cutscore.core.finding import score_key
from cutscore.core.subject import SubjectSpec
from cutscore.models.fingerprint import fingerprint
from cutscore.redaction import redactor
from cutscore.registry import benchmark as find_benchmark
from cutscore.settings import load_settings

LOGS = "logs"

# By baseline, then by item; None where nothing could be marked.
Marks = Mapping[str, Mapping[str, float | None]]


def baseline_request(word: str, *, benchmark: str, data: Path) -> CellRequest:
    """Read a baseline: a subject as `run` takes it, or a model by its name.

    >>> [baseline_request(word, benchmark="vidwork", data=Path("pack")).model for word in ("openai/x", "blind")]
    ['openai/x', '']
    """
    if "/" in SubjectSpec.parse(word).kind:
        return CellRequest(benchmark, "model", model=word, data=str(data), source_digest=fingerprint(word))
    return CellRequest(benchmark, word, data=str(data))


def run_baselines(
    baselines: Sequence[str],
    data: Path,
    out: Output,
    *,
    benchmark: str,
    cost_limit_usd: float | None = None,
    tell: Callable[[str], None],
) -> Marks:
    """Let each baseline answer every item of a pack, and give the headline score of each.

    Raises:
        RunBroken: A baseline did not get through; the same command goes on.
    """
    card = find_benchmark(benchmark).card
    key, made = score_key(card.headline, card.mode(None)), {}
    settings = load_settings()
    context = RunContext(run=out.work / LOGS, redact=redactor(names=settings.secret_env))
    for number, word in enumerate(baselines, start=1):
        tell(f"baseline {number} of {len(baselines)}: {word}")
        request = baseline_request(word, benchmark=benchmark, data=data)
        ran = run_cell(prepare(request, context), settings=settings, cost_limit_usd=cost_limit_usd)
        if ran.interrupted:
            raise KeyboardInterrupt
        if ran.missing:
            raise RunBroken(
                f"baseline '{word}'", f"{ran.missing} items were not answered", "run the same command again"
            )
        made[word] = {row.item: row.ending.scores.get(key) for row in ran.rows}
    return made
