"""Ask a judge about plain files, outside of any run.

    judge_files([Question(id="smooth", kind="yes_no", text="Is the cut in file 1 smooth?")], ["cut.mp4"],
                judge="openai/NAME", folder="judged", cost_limit_usd=1.0)

The folder keeps what a run folder keeps of a judge: `journal.jsonl`, so that the same question about the same files is
paid for once, and `ledger.jsonl`, which the cost limit counts in. Without a folder nothing is kept.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from pydantic import JsonValue

from cutscore.core.errors import BadInput
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileRef, media_type_of
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import CellJudge, Judgement, JudgeSession, JudgeSpec, Question, ask_judge
from cutscore.core.subject import SubjectSpec
from cutscore.core.tally import Tally
from cutscore.ledger.prices import Prices, require_known_prices
from cutscore.ledger.spending import Ledger
from cutscore.redaction import redactor
from cutscore.scoring.judges.choose import open_judge
from cutscore.settings import load_settings

# Who made the files is not known here, and they are the item: judges look at nothing else.
_SESSION_ITEM, _SUBJECT = "files", SubjectSpec(kind="folder", label="folder")
# Judges that look up what they say by the item of a run.
_NEED_AN_ITEM = ("truth", "stage", "people")


@dataclass(frozen=True)
class FileJudge:
    """A judge for plain files, opened once; many calls may wait side by side and share journal, purse and model."""

    cell_judge: CellJudge
    ledger: Ledger
    clean: Callable[[str], str]

    async def ask(
        self,
        questions: Sequence[Question],
        files: Sequence[str | Path] = (),
        *,
        facts: Mapping[str, JsonValue] | None = None,
        view: JudgeView = WHOLE_VIEW,
    ) -> list[Judgement]:
        """Return what the judge says to each question; see `judge_files`."""
        from anyio import from_thread, to_thread

        from cutscore.cells.judge_record import judging_threads

        def ask() -> list[Judgement]:
            store = LocalFiles()
            evidence = Evidence(files=store.add_all(files), facts=dict(facts or {})).bind(store)
            tally = Tally(purse=self.ledger.purse())
            session = JudgeSession(_SESSION_ITEM, _SUBJECT, from_thread.run, tally=tally, clean=self.clean)
            return list(ask_judge(self.cell_judge.for_sample(session), questions, evidence, view))

        return await to_thread.run_sync(ask, limiter=judging_threads())


@contextmanager
def open_file_judge(
    judge: str | JudgeSpec,
    *,
    benchmark: str = "",
    folder: str | Path | None = None,
    cost_limit_usd: float | None = None,
) -> Iterator[FileJudge]:
    """Open a judge for many calls about plain files; the arguments are those of `judge_files`."""
    with ExitStack() as ends:
        kept = Path(folder or ends.enter_context(tempfile.TemporaryDirectory(prefix="cutscore-")))
        kept.mkdir(parents=True, exist_ok=True)
        opened = _open(judge, benchmark, kept / "journal.jsonl" if folder is not None else None)
        settings, models = load_settings(), [opened.model] if opened.model else []
        prices = Prices.snapshot(models, own=settings.prices)
        require_known_prices(prices, models, cost_limit_usd)
        ledger = Ledger(prices, kept / "ledger.jsonl", limit_usd=cost_limit_usd)
        yield FileJudge(opened, ledger, redactor(names=settings.secret_env).text)


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


@dataclass
class LocalFiles:
    """Files where they are, as a store: each is hashed once and read from its own place."""

    _paths: dict[str, Path] = field(default_factory=dict)

    def add_all(self, files: Sequence[str | Path]) -> tuple[FileRef, ...]:
        """Return references to files, in their order and under names that differ."""
        several = len({Path(file).name.casefold() for file in files}) < len(files)
        return tuple(
            self.put(Path(file), name=f"{number}/{Path(file).name}" if several else Path(file).name)
            for number, file in enumerate(files, start=1)
        )

    def put(self, source: Path, *, name: str, media_type: str = "") -> FileRef:
        """Hash a regular file and return its reference; nothing is copied."""
        try:
            if not source.is_file():
                raise BadInput(f"file '{source}'", "is not there or not a regular file", "name a file")
            with source.open("rb") as stream:
                sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
                size = stream.tell()
        except OSError as error:
            fact = f"cannot be read ({error.strerror})"
            raise BadInput(f"file '{source}'", fact, "make it readable") from error
        self._paths[sha256] = source
        return FileRef(name=name, sha256=sha256, size_bytes=size, media_type=media_type or media_type_of(name))

    def put_bytes(self, data: bytes, *, name: str, media_type: str = "") -> FileRef:
        """Refuse: what has no place of its own belongs into a store."""
        raise BadInput(f"file '{name}'", "has no place on disk", "write it to a file first")

    def path(self, ref: FileRef) -> Path:
        """Return where a file is."""
        if ref.sha256 not in self._paths:
            raise BadInput(f"file '{ref.name}'", "is not among the files", "add it first")
        return self._paths[ref.sha256]
