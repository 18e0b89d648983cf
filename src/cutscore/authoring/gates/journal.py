"""The journal of a pack's gates: each task's result is in it as soon as the task is through, and is found again.

It lies in the pack as `gates.jsonl`. A result holds for a task with one content, for the code that tried it and for the
decoder that it was tried with; whatever changes of these, the task is checked again. Sign-offs are read anew each time.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.cells.scoring_code import OURS, STARTS, reached_digest
from cutscore.core.bundle import Bundle
from cutscore.core.frozen import FrozenModel, digest_of
from cutscore.core.gate import ItemGates
from cutscore.journal import KeyedJournal
from cutscore.media.frames import decoder_version

JOURNAL_FILE = "gates.jsonl"
# Files of a benchmark folder that are tried, or try, at a gate.
_PARTS = (*STARTS, "hostile.py", "oracle.py", "shortcuts.py")
# What this machine could not do may be done tomorrow: such a result is not kept.
_PASSING = ("is stopped", "is unscored")


class CheckedItem(FrozenModel):
    """One task at its gates, and what shortcut solvers got for it."""

    gates: ItemGates
    shortcuts: dict[str, float]


@dataclass(frozen=True)
class GateJournal:
    """Results of tasks by their key."""

    lines: KeyedJournal
    code: str

    def find(self, item: Bundle) -> CheckedItem | None:
        """Return what was found out about a task, None when it, or what tries it, is another now."""
        try:
            return CheckedItem.model_validate(self.lines.find(self._key(item)))
        except ValidationError:  # there is none, or an older version wrote it
            return None

    def put(self, item: Bundle, checked: CheckedItem) -> None:
        """Write down a result; when this returns, a kill cannot take it away."""
        if not any(trial.fault.startswith(_PASSING) for trial in checked.gates.trials):
            self.lines.put(self._key(item), checked.model_dump(mode="json"))

    def _key(self, item: Bundle) -> str:
        return digest_of([item.id, item.digest(), self.code])


def open_gate_journal(bench: LoadedBenchmark) -> GateJournal | None:
    """Return the journal of a pack, None for a benchmark's own items: nothing is written into a package."""
    if bench.data is None:
        return None
    return GateJournal(KeyedJournal(bench.data / JOURNAL_FILE), digest_of(list(_tried_with(bench))))


def _tried_with(bench: LoadedBenchmark) -> Iterator[Any]:
    """Return all that a result depends on, beside the task itself."""
    folder = bench.found.folder
    starts = [folder / name for name in _PARTS if (folder / name).is_file()]
    yield reached_digest([*starts, OURS / "authoring/gates/card.py"], bench.found)
    yield hashlib.sha256((folder / "benchmark.toml").read_bytes()).hexdigest()
    yield sorted((name, prompt.digest) for name, prompt in bench.prompts.items())
    yield decoder_version()
