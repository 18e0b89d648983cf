"""Ask a judge about many plain files side by side; after a kill, the same call again pays only for what is missing.

    answers = await ask_many("openai/NAME", cases, folder="asked", concurrency=8, cost_limit_usd=30.0)

or, where several prompts or roles share one folder and one purse:

    with open_call_folder("asked", cost_limit_usd=30.0) as calls:
        with open_file_judge(JudgeSpec("openai/NAME", votes=5, prompts={"judge": FILE}), folder=calls) as judge:
            answers = await ask_cases(judge, cases, concurrency=8)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cutscore.core.errors import CutscoreError
from cutscore.core.judgement import Judgement, JudgeSpec
from cutscore.core.tally import Tally
from cutscore.scoring.judges.call_folder import CallFolder
from cutscore.scoring.judges.files import FileCase, FileJudge, open_file_judge

CONCURRENCY = 8


@dataclass(frozen=True)
class CaseAnswer:
    """What a judge said about one case: a judgement for each question, in order; one without an answer says why.

    Args:
        tally: Calls and their cost, replayed ones at what they once cost. What was paid now is in the ledger.
    """

    case: FileCase
    judgements: tuple[Judgement, ...]
    tally: Tally


async def ask_many(
    judge: str | JudgeSpec,
    cases: Sequence[FileCase],
    *,
    benchmark: str = "",
    folder: str | Path | CallFolder | None = None,
    concurrency: int = CONCURRENCY,
    cost_limit_usd: float | None = None,
) -> list[CaseAnswer]:
    """Return what a judge says about each case, in their order, so many of them asked at one time.

    A reply is in the folder before it is used: whoever asks again, after a kill or for another reason, gets it from
    there. The arguments are those of `judge_files`.

    Raises:
        BadInput: A file or the judge's name is wrong, or a limit cannot be kept.
        BudgetReached: The money is spent. Calls under way were awaited and are kept.
    """
    with open_file_judge(judge, benchmark=benchmark, folder=folder, cost_limit_usd=cost_limit_usd) as opened:
        return await ask_cases(opened, cases, concurrency=concurrency)


async def ask_cases(
    judge: FileJudge,
    cases: Sequence[FileCase],
    *,
    concurrency: int = CONCURRENCY,
    on_answer: Callable[[CaseAnswer], None] = lambda answer: None,
) -> list[CaseAnswer]:
    """Do as `ask_many` with a judge that is open. `on_answer` hears of each answer as it comes.

    The first error ends it: no further case is begun, those under way come to their end and are kept.
    """
    import anyio

    made: dict[int, CaseAnswer] = {}
    failed: list[CutscoreError] = []
    waiting = iter(enumerate(cases))

    async def work() -> None:
        for number, case in waiting:
            tally = judge.calls.tally(judge.cell_judge.model, item=case.id)
            try:
                made[number] = CaseAnswer(case, tuple(await judge.ask_case(case, tally)), tally)
            except CutscoreError as error:
                failed.append(error)
            if failed:
                return
            on_answer(made[number])

    async with anyio.create_task_group() as group:
        for _ in range(min(concurrency, len(cases))):
            group.start_soon(work)
    if failed:
        raise failed[0]
    return [made[number] for number in range(len(cases))]
