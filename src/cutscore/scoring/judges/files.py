"""Ask a judge about plain files, outside of any run.

    judge_files([Question(id="smooth", kind="yes_no", text="Is the cut in file 1 smooth?")], ["cut.mp4"],
                judge="openai/NAME", folder="judged", cost_limit_usd=1.0)

The folder keeps what a run folder keeps of a judge: `journal.jsonl`, so that the same question about the same files is
paid for once, and `ledger.jsonl`, which the cost limit counts in. Without a folder nothing is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from pydantic import JsonValue

from cutscore.core.errors import BadInput
from cutscore.core.evidence import Evidence
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import CellJudge, Judgement, JudgeSession, JudgeSpec, Question, ask_judge
from cutscore.core.subject import SubjectSpec
from cutscore.core.tally import Tally
from cutscore.scoring.judges.call_folder import CallFolder, open_call_folder
from cutscore.scoring.judges.choose import open_judge

# Who made the files is not known here, and they are the item: judges look at nothing else.
_SESSION_ITEM, _SUBJECT = "files", SubjectSpec(kind="folder", label="folder")
# Judges that look up what they say by the item of a run.
_NEED_AN_ITEM = ("truth", "stage", "people")


@dataclass(frozen=True)
class FileCase:
    """What a judge is asked about some files; see `judge_files`.

    Args:
        id: By which the ledger knows its calls.
    """

    questions: Sequence[Question]
    files: Sequence[str | Path] = ()
    facts: Mapping[str, JsonValue] = field(default_factory=dict)
    view: JudgeView = WHOLE_VIEW
    id: str = ""


@dataclass(frozen=True)
class FileJudge:
    """A judge for plain files, opened once; many calls may wait side by side and share journal, purse and model."""

    cell_judge: CellJudge
    calls: CallFolder

    async def ask(
        self,
        questions: Sequence[Question],
        files: Sequence[str | Path] = (),
        *,
        facts: Mapping[str, JsonValue] | None = None,
        view: JudgeView = WHOLE_VIEW,
    ) -> list[Judgement]:
        """Return what the judge says to each question; see `judge_files`."""
        case = FileCase(questions, files, facts or {}, view)
        return await self.ask_case(case, self.calls.tally(self.cell_judge.model))

    async def ask_case(self, case: FileCase, tally: Tally) -> list[Judgement]:
        """Return what the judge says to each question of a case; the tally counts what it took."""
        from anyio import from_thread, to_thread

        from cutscore.cells.judge_record import judging_threads

        def ask() -> list[Judgement]:
            store = self.calls.files
            evidence = Evidence(files=store.add_all(case.files), facts=dict(case.facts)).bind(store)
            session = JudgeSession(_SESSION_ITEM, _SUBJECT, from_thread.run, tally=tally, clean=self.calls.clean)
            return list(ask_judge(self.cell_judge.for_sample(session), case.questions, evidence, case.view))

        return await to_thread.run_sync(ask, limiter=judging_threads())


@contextmanager
def open_file_judge(
    judge: str | JudgeSpec,
    *,
    benchmark: str = "",
    folder: str | Path | CallFolder | None = None,
    cost_limit_usd: float | None = None,
) -> Iterator[FileJudge]:
    """Open a judge for many calls about plain files; the arguments are those of `judge_files`.

    Whoever opens several judges in one folder (prompts to compare, a matcher beside a judge) opens the folder once,
    with `open_call_folder`, and its limit holds.
    """
    with open_call_folder(folder, cost_limit_usd=cost_limit_usd) as calls:
        opened = _open(judge, benchmark, calls.journal_file)
        calls.ledger(opened.model)  # a price that nobody knows is told before anybody is asked
        yield FileJudge(opened, calls)


def judge_files(
    questions: Sequence[Question],
    files: Sequence[str | Path] = (),
    *,
    judge: str | JudgeSpec,
    benchmark: str = "",
    facts: Mapping[str, JsonValue] | None = None,
    view: JudgeView = WHOLE_VIEW,
    folder: str | Path | None = None,
    cost_limit_usd: float | None = None,
) -> list[Judgement]:
    """Return what a judge says to each question about some files, in the order of the questions.

    Args:
        questions: Typed questions; files are `file 1`, `file 2` … to the judge, as they come. A pairwise question takes
            two files (or two facts), `A` and `B`.
        files: Clips, pictures, sounds and text files; read where they are, decoded as a stranger's.
        judge: Its name as `--judge` takes it (`openai/x`, `scripted/FILE.json`, `constant:yes`, `reader`), or a
            `JudgeSpec` for votes, prompts and a frame plan.
        benchmark: Name of the benchmark whose judge prompts, votes, frame plan and reader are used; our own prompts and
            one vote when empty.
        facts: What the judge is shown besides files, by name.
        view: What of it is shown under which label, by which prompt; everything under neutral names by default.
        folder: Where journal and ledger are kept; nothing is kept when None.
        cost_limit_usd: What may be spent in the folder altogether.

    Raises:
        BadInput: A file or the judge's name is wrong, or the judge needs an item of a benchmark.
        BudgetReached: The money is spent.
    """
    from anyio.from_thread import start_blocking_portal

    call = partial(judge_files_async, questions, files, judge=judge, benchmark=benchmark, facts=facts, view=view)
    with start_blocking_portal() as portal:  # a loop of its own: a notebook's is running already
        return portal.call(partial(call, folder=folder, cost_limit_usd=cost_limit_usd))


async def judge_files_async(
    questions: Sequence[Question],
    files: Sequence[str | Path] = (),
    *,
    judge: str | JudgeSpec,
    benchmark: str = "",
    facts: Mapping[str, JsonValue] | None = None,
    view: JudgeView = WHOLE_VIEW,
    folder: str | Path | None = None,
    cost_limit_usd: float | None = None,
) -> list[Judgement]:
    """Do as `judge_files` in a running event loop. Whoever asks often opens the judge once, with `open_file_judge`."""
    with open_file_judge(judge, benchmark=benchmark, folder=folder, cost_limit_usd=cost_limit_usd) as opened:
        return await opened.ask(questions, files, facts=facts, view=view)


def _open(judge: str | JudgeSpec, benchmark: str, journal: Path | None) -> CellJudge:
    from cutscore.models.provider import require_reachable
    from cutscore.registry import benchmark as find_benchmark

    spec = judge if isinstance(judge, JudgeSpec) else JudgeSpec(judge)
    if (kind := spec.name.partition(":")[0]) in _NEED_AN_ITEM:
        fact = f"'{kind}' looks up what it says by the item of a run, and plain files are none"
        raise BadInput(f"judge '{spec.name}'", fact, "ask a model, reader or constant:ANSWER")
    opened = open_judge(replace(spec, journal=journal), find_benchmark(benchmark) if benchmark else None)
    if opened.model:
        require_reachable(opened.model)
    return opened
