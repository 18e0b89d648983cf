"""`cutscore`: finds the command, runs it, prints its answer, and turns every failure into one sentence and a code.

Commands are loaded when they are called, so that `--help` and `list` stay fast: nothing here imports more than click.
"""

from __future__ import annotations

import errno
import importlib
import logging
import os
import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import click

from cutscore.cli.output import CommandOutput, Interrupted, OutputPrinter
from cutscore.cli.signals import interrupt_on_signals
from cutscore.core.errors import OK, BadInput, CutscoreError, NoRoom, RunBroken, UnknownName

# Command → the line that `cutscore --help` shows. Its code is in the file of the same name.
COMMANDS = {
    "list": "Benchmarks, subjects, judges, floors.",
    "show": "One item as a person wants to see it.",
    "demo": "Starter packs of all benchmarks, keyless subjects, report; an agent, where one is installed.",
    "run": "Run a benchmark; the same command again resumes.",
    "sweep": "Benchmarks × stacks × repeats from one TOML file.",
    "score": "Mark one deliverable offline.",
    "rescore": "Mark stored deliverables again, no subject call.",
    "compare": "Paired differences of cells, and which settings differ.",
    "tables": "Every benchmark's tables: text, CSV, JSON, Markdown, LaTeX.",
    "report": "A static site that opens from disk.",
    "pack": "A run folder as one portable file.",
    "gate": "For CI: exit code and a Markdown summary.",
    "check": "The quality gates of a benchmark or a data pack.",
    "export": "Tasks for other hands, or the marks and trajectories of a run.",
    "handout": "Tasks for people: pages to print, folders to work in.",
    "fetch": "Get the pinned files of a benchmark or a data pack.",
    "doctor": "What this machine has and what it lacks.",
    "build": "Items from own footage; the same command again resumes.",
    "import-rows": "Published rows of tasks as a data pack.",
    "annotate": "Local web studio for human labels (not in this version).",
    "optimize": "A better judge prompt from labels; the same command again resumes.",
    "judge-card": "A judge's error, from labels.",
    "agreement": "How far people agree, from labels.",
    "failures": "Why agents failed, by a judge or by people.",
    "agents": "Install agent programs, and see what they do.",
    "sites": "Websites to look at, or a web task opened for your own agent.",
}
LATER = ("annotate",)

# After these, running the same command again goes on where it was left.
RESUMING = ("run", "sweep", "demo", "build", "optimize")

# What only a disk says that something is written to, whoever forgot to say it better.
REFUSED = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG)

# One fault in a marker makes one warning for every sample; a few of them tell as much as a thousand.
MOST_ALIKE = 3

EXAMPLES = """\b
examples:
  cutscore demo                                        see everything work, without a key
  cutscore run colorbars --subject oracle              run one subject
  cutscore run colorbars --model PROVIDER/NAME         measure a model
  cutscore report logs -o site                         look at why
"""


class Commands(click.Group):
    """Loads a command only when somebody calls it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        if cmd_name in LATER:
            from cutscore.cli.later import later

            return later(cmd_name)
        command: click.Command = importlib.import_module(f"cutscore.cli.{cmd_name.replace('-', '_')}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not ctx.resilient_parsing and not args[0].startswith("-") and args[0] not in COMMANDS:
            raise UnknownName.among("command", args[0], COMMANDS)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXAMPLES)
@click.version_option(package_name="cutscore", message="cutscore %(version)s")
@click.option("--json", is_flag=True, expose_value=False, help="Print one JSON object.")
@click.option("--debug", is_flag=True, expose_value=False, help="Show where an unexpected error came from.")
def group() -> None:
    """Measure video models and video agents, and see why each number is what it is.

    Results go to standard output, everything else to standard error. Exit codes: 0 done, 1 gate failed, 2 usage or bad
    input, 3 this machine lacks something, 4 run broken, 130 interrupted; after 4 and 130 the same command resumes.
    """


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and give its exit code."""
    words = list(sys.argv[1:] if argv is None else argv) or ["--help"]
    options = words[: words.index("--")] if "--" in words else words
    name = next((word for word in words if not word.startswith("-")), "")
    screen = OutputPrinter(command=name if name in COMMANDS else "", as_json="--json" in options)
    debug = "--debug" in options or os.environ.get("CUTSCORE_DEBUG", "") not in ("", "0")
    with screen.open(), _told(screen, debug), interrupt_on_signals() as came:
        try:
            answer = group.main(words, prog_name="cutscore", standalone_mode=False)
            if not isinstance(answer, CommandOutput):
                return int(answer or OK)  # `--help` and `--version` have printed for themselves
            if isinstance(answer.error, Interrupted):
                answer = replace(answer, error=interrupted(words, name, came))
            return screen.show(answer)
        except SystemExit as done:  # click leaves so when nobody reads its help any more, or after a completion
            return OK if done.code in (None, 1) else int(str(done.code))
        except BaseException as error:  # the last stop: every failure leaves as one sentence and a code
            if debug and not isinstance(error, CutscoreError | click.ClickException):
                logging.getLogger("cutscore").error("", exc_info=error)
            return screen.show(CommandOutput(error=to_error(error, words, name, came)))


def to_error(error: BaseException, words: Sequence[str], name: str, signals: Sequence[str] = ()) -> CutscoreError:
    """Return any failure as one of ours, with a sentence that a person can act on."""
    if isinstance(error, CutscoreError):
        return error
    if isinstance(error, KeyboardInterrupt | click.Abort):
        return interrupted(words, name, signals)
    if isinstance(error, click.NoSuchOption):
        near = " or ".join(f"'{option}'" for option in (error.possibilities or ())[:2])
        usage = f"did you mean {near}?" if near else _see_help(name)
        return UnknownName(f"no option '{error.option_name}'", "", usage)
    if isinstance(error, click.ClickException):
        said = error.format_message().rstrip(".")
        return BadInput(f"cutscore {name}".strip(), said[:1].lower() + said[1:], _see_help(name))
    what = f"cutscore {name}".strip()
    if isinstance(error, OSError) and error.errno in REFUSED:
        file = f"file '{error.filename}'" if error.filename else what
        return NoRoom.of(file, error, "make room there, or choose another folder")
    return RunBroken(what, f"unexpected {type(error).__name__}: {error}".rstrip(": "), "add --debug to see where")


def interrupted(words: Sequence[str], name: str, signals: Sequence[str] = ()) -> Interrupted:
    """Return the line that says how to go on, and which signal it was where it was no Ctrl-C."""
    what = f"interrupted by {signals[0]}" if signals else "interrupted"
    if name in RESUMING:
        again = shlex.join(["cutscore", *words])
        return Interrupted(what, "", f"run the same command again to go on: {again}")
    return Interrupted(what, "")


def _see_help(name: str) -> str:
    return f"see 'cutscore {name} -h'" if name in COMMANDS else "see 'cutscore -h'"


@contextmanager
def _told(screen: OutputPrinter, debug: bool) -> Iterator[None]:
    """Show what our modules warn of as one line each on standard error; with `debug`, all of it with tracebacks."""
    handler, seen = logging.Handler(logging.WARNING), Counter[str]()

    def emit(record: logging.LogRecord) -> None:
        seen[record.msg] += 1
        if record.msg and (debug or seen[record.msg] <= MOST_ALIKE):
            screen.warn(record.getMessage())
        if debug and record.exc_info:
            screen.tell(logging.Formatter().formatException(record.exc_info))

    handler.emit = emit  # type: ignore[method-assign]
    logger = logging.getLogger("cutscore")
    # Inspect prints whatever reaches the root logger, and to standard output.
    logger.propagate, before = False, logger.propagate
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.propagate = before
        more = sum(times - MOST_ALIKE for times in seen.values() if times > MOST_ALIKE)
        if more and not debug:
            screen.warn(f"{more:,} more warnings like these; --debug shows all")
