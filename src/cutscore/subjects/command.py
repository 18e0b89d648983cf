"""A program as a subject: `command:"python edit.py {source} {instruction} {output} {seed}"`. There is no shell.

Each word of the command arrives as one argument, with its blanks filled:

    {source}                the ask's file, under its own name in a folder of the sample
    {instruction}           the words of the ask: its part of that role, else the whole brief
    {output}                where the wanted file belongs; what lies there when the program has ended is handed over
    {seed} {item} {epoch}   numbers and names of the sample
    {ROLE}                  any other part of the ask: its file, else its words
    {ROLE_2}                the second part of that role, and so on

A command without `{output}` is a *worker*: it is started once, loads its model once, and takes one JSON line a job on
standard input, `{"source": …, "instruction": …, "output": …, "seed": …}`. For each it answers with one line on standard
output: `{}`, `{"error": "why"}`, or `{"refused": "why"}` where the model declines. It may say `{"ready": true}` once it
has loaded, which tells loading from work, and `{"gpu_peak_bytes": …}` with a job.

It works in the folder where the run was started, so that a script may be named as usual, and it
gets the user's environment without secrets; `env:NAME` in front of the command lets one through.
"""

import hashlib
import os
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cutscore.core.ask import Ask, AskPart
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput, CutscoreError, SubjectFailed
from cutscore.core.files import FileStore, media_type_of
from cutscore.core.frozen import digest_of
from cutscore.core.resources import Resources
from cutscore.core.subject import WorkContext
from cutscore.core.trajectory import Action
from cutscore.core.work_facts import WorkFacts
from cutscore.process import ProgramLimits, ProgramResult, UsageMeter, run
from cutscore.redaction import redactor
from cutscore.subjects.command_worker import CommandWorker
from cutscore.submissions import take_named_files

BLANK = re.compile(r"\{([a-z_][a-z0-9_]*)\}")
OUTPUT, LETS_THROUGH = "output", "env:"
GIVEN = "given"  # folder of the ask's files in a workspace
LONGEST_S = 24 * 3600.0  # where no time limit is set; the sample's own limit ends it before
MOST_SAID_BYTES = 4_000_000
QUOTED = 300  # characters of its last words that a failure quotes
DIGESTED_BYTES = 64 << 20  # of a file that the command names; a larger one is a model and goes by its name


@dataclass(frozen=True)
class CommandSubject:
    """Runs a program for every sample, or asks one that stays."""

    words: tuple[str, ...]
    passed: tuple[str, ...] = ()
    source_digest: str = ""
    needs: Resources = field(default_factory=lambda: Resources(processors=1))
    delivers: frozenset[str] = frozenset({"files"})
    _worker: CommandWorker | None = field(default=None, repr=False, compare=False)

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Lay out the files, let the program work, and take in what it wrote."""
        from anyio import to_thread

        return await to_thread.run_sync(self._work, ask, context, abandon_on_cancel=True)

    def _work(self, ask: Ask, context: WorkContext) -> Deliverable:
        job = lay_out(ask, context)
        facts = self._run(job, context) if self._worker is None else self._ask(self._worker, job, context)
        made = take_output(ask, context, by=self.words[0])
        context.meter.add(with_video(facts, made, context.store))
        return made

    def _ask(self, worker: CommandWorker, job: Mapping[str, str], context: WorkContext) -> WorkFacts:
        said = worker.ask(job, while_exists=context.workspace)
        context.steps.add(did=Action(tool="worker", arguments=dict(job)), saw=said.stderr, error=said.error)
        if said.error:
            what = "refused" if said.refused else "crash"
            raise SubjectFailed(f"worker '{self.words[0]}'", said.error, failure_class=what)
        return said.facts

    def _run(self, job: Mapping[str, str], context: WorkContext) -> WorkFacts:
        argv = fill(self.words, job)
        limits = ProgramLimits(wall_s=LONGEST_S, output_bytes=MOST_SAID_BYTES)
        with UsageMeter() as meter:
            ended = run(argv, limits=limits, env=plain_environment(self.passed), on_start=meter.watch)
        said = ended.err.decode(errors="replace").strip()
        context.steps.add(
            did=Action(tool=argv[0], arguments={"argv": list(argv[1:])}),
            saw="\n".join(filter(None, (ended.out.decode(errors="replace").strip(), said))),
            error="" if ended.ok else str(ended),
        )
        if not ended.ok:
            raise _failure(ended, said)
        # How much of it was loading, only a worker can tell.
        return WorkFacts(wall_s=ended.wall_s, peak_bytes=meter.peak_bytes, gpu_peak_bytes=meter.gpu_peak_bytes)


def open_command(spec: str) -> CommandSubject:
    """Return the subject of `command:…`; a word that is no program, or a blank that nobody fills, is said when it runs.

    Files that the command names are part of its identity: an edited script is another subject.
    """
    try:
        words = shlex.split(spec)
    except ValueError as fault:
        raise BadInput(f"subject 'command:{spec}'", f"cannot be read: {fault}", "close its quotes") from None
    passed = tuple(word.removeprefix(LETS_THROUGH) for word in words if word.startswith(LETS_THROUGH))
    argv = tuple(word for word in words if not word.startswith(LETS_THROUGH))
    if not argv:
        raise BadInput(f"subject 'command:{spec}'", "names no program", 'write command:"PROGRAM {source} {output}"')
    stays = not any(OUTPUT in BLANK.findall(word) for word in argv)
    worker = CommandWorker(argv, lambda: plain_environment(passed)) if stays else None
    files = [_digest_file(Path(word)) for word in argv]
    return CommandSubject(argv, passed, digest_of([argv, *files]), _worker=worker)


def fill(words: Sequence[str], job: Mapping[str, str]) -> tuple[str, ...]:
    """Return a command with its blanks filled; what is filled in is never looked at again.

    >>> fill(["edit", "--to={output}"], {"output": "a b; {seed}"})
    ('edit', '--to=a b; {seed}')
    """

    def value(match: re.Match[str]) -> str:
        if match[1] not in job:
            known = ", ".join(f"{{{name}}}" for name in job)
            raise BadInput(f"command '{words[0]}'", f"has the blank {match[0]}, which nothing fills", f"use {known}")
        return job[match[1]]

    return tuple(BLANK.sub(value, word) for word in words)


def lay_out(ask: Ask, context: WorkContext) -> dict[str, str]:
    """Put the ask's files into the workspace, and return what fills the blanks."""
    folder = context.workspace / GIVEN
    folder.mkdir(exist_ok=True)
    places = {}
    for ref in ask.files:
        places[ref.name] = folder / Path(ref.name).name
        # A link would let a program write into the store; films are copied by the file system where it can.
        places[ref.name].write_bytes(context.store.path(ref).read_bytes())
    roles = {name: str(places[part.file]) if part.file else part.text for name, part in number_parts(ask.parts)}
    first = {"source": str(next(iter(places.values())))} if places else {}
    wanted = next((each.name for each in ask.wanted), "answer.txt")
    numbers = {"seed": str(context.seed), "item": ask.item, "epoch": str(context.epoch)}
    own = {"instruction": ask.brief, **first, **roles, **numbers}
    output = context.workspace / wanted
    output.unlink(missing_ok=True)  # of an earlier step of the same sample
    return {**own, OUTPUT: str(output)}


def number_parts(parts: Sequence[AskPart]) -> Iterator[tuple[str, AskPart]]:
    """Name parts by their role: the first by the role alone, the others with their number.

    >>> [name for name, _ in number_parts([AskPart(role="subject"), AskPart(role="style"), AskPart(role="subject")])]
    ['subject', 'style', 'subject_2']
    """
    seen: Counter[str] = Counter()
    for part in parts:
        seen[part.role] += 1
        yield part.role if seen[part.role] == 1 else f"{part.role}_{seen[part.role]}", part


def take_output(ask: Ask, context: WorkContext, *, by: str) -> Deliverable:
    """Take in the wanted files that lie in the workspace; none of them is the subject's failure."""
    names = [each.name for each in ask.wanted] or ["answer.txt"]
    taken = take_named_files(context.workspace, names, context.store)
    if not taken.files:
        fact = taken.refusal if taken.refused else f"ended well and wrote no {names[0]}"
        raise SubjectFailed(f"program '{by}'", fact, failure_class="unreadable" if taken.refused else "nothing")
    return Deliverable(files=taken.files)


def with_video(facts: WorkFacts, made: Deliverable, store: FileStore) -> WorkFacts:
    """Return facts with number and size of the frames that were made, where it is a video that can be read.

    It is looked at in the store, as marking will, which then need not look again.
    """
    from cutscore.media.deliverable import probe

    video = next((ref for ref in made.files if media_type_of(ref.name).startswith("video/")), None)
    if video is None:
        return facts
    try:
        seen = probe(store.path(video))
    except CutscoreError:
        return facts
    return facts.model_copy(update={"frames": seen.frames or None, "width": seen.width, "height": seen.height})


def plain_environment(passed: Sequence[str] = ()) -> dict[str, str]:
    """Return the environment without secrets, but for those that are let through."""
    secret = redactor()
    return {name: value for name, value in os.environ.items() if name in passed or secret.text(value) == value}


def _failure(ended: ProgramResult, said: str) -> SubjectFailed:
    words = " ".join(said[-QUOTED:].split())
    how = str(ended).removeprefix(f"program '{ended.argv[0]}' ")
    of = "exit_code" if ended.ended == "exited" else "limit" if ended.ended in ("timeout", "memory") else "crash"
    return SubjectFailed(f"program '{ended.argv[0]}'", f"{how}: {words}" if words else how, failure_class=of)


def _digest_file(path: Path) -> str:
    try:
        if not path.is_file() or path.stat().st_size > DIGESTED_BYTES:
            return ""
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return ""
