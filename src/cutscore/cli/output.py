"""The two streams: results on standard output, all else on standard error, both without secrets and inert."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, TextIO

from cutscore.core.errors import INTERRUPTED, OK, CutscoreError, NoRoom
from cutscore.core.inert_text import make_visible

if TYPE_CHECKING:
    from cutscore.redaction import Redactor

RED, YELLOW = "31", "33"
LAST_COLUMN = 0.8  # of a screen: a column that begins further right has no room to hang in
_AS_JSON: ContextVar[bool] = ContextVar("as_json", default=False)


class Interrupted(CutscoreError):
    """Somebody pressed Ctrl-C."""

    exit_code = INTERRUPTED


@dataclass(frozen=True)
class CommandOutput:
    """What a command has to say.

    Args:
        plain: Its JSON object, without `schema`.
        warnings: Sentences for standard error, also with `--json`.
        error: Why it is not what was asked for. What there is, is printed all the same.
        code: Exit code when there is no error.
        verbatim: Its text is for programs, or fits the screen by itself: no line of it is broken.
    """

    plain: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    warnings: tuple[str, ...] = ()
    error: CutscoreError | None = None
    code: int = OK
    verbatim: bool = False


@dataclass(frozen=True)
class OutputPrinter:
    """Where the answers of a command go; without one of that name, their `schema` is that of an error."""

    command: str
    as_json: bool = False

    @cached_property
    def _redact(self) -> Redactor:
        from cutscore.redaction import redactor
        from cutscore.settings import load_settings

        names: tuple[str, ...] = ()
        with suppress(CutscoreError):  # a broken settings file is said by whoever needs its values
            names = load_settings().secret_env
        return redactor(names=names)

    @contextmanager
    def open(self) -> Iterator[None]:
        """Make both streams able to carry any text, whatever the locale says."""
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        before = _AS_JSON.set(self.as_json)
        try:
            yield
        finally:
            _AS_JSON.reset(before)

    def show(self, answer: CommandOutput) -> int:
        """Print an answer and give the exit code."""
        for warning in answer.warnings:
            self.warn(warning)
        try:
            if self.as_json:
                self._print(self._json(answer))
            elif answer.text:
                shown = self._inert(as_typed(answer.text).rstrip("\n"))
                width = 0 if answer.verbatim else shutil.get_terminal_size((0, 0)).columns
                self._print(fit_lines(shown, width))
        except CutscoreError as error:
            self._say_error(error)
            return (answer.error or error).exit_code  # a terminal that is closed interrupts, and cannot be told so
        if answer.error is None:
            return answer.code
        if not self.as_json or isinstance(answer.error, Interrupted):
            self._say_error(answer.error)
        return answer.error.exit_code

    def warn(self, text: str) -> None:
        """Print a warning of one line."""
        self.tell(f"{colour_text('warning:', YELLOW, sys.stderr)} {self._inert(one_line(text))}", inert=True)

    def tell(self, text: str, *, inert: bool = False) -> None:
        """Print a line to standard error. That nobody listens there is no reason to stop."""
        shown = text if inert else self._inert(text)
        if is_terminal(sys.stderr):
            shown = fit_lines(shown, shutil.get_terminal_size((0, 0)).columns)
        with suppress(OSError, ValueError):
            print(shown, file=sys.stderr, flush=True)  # noqa: T201

    def _say_error(self, error: CutscoreError) -> None:
        head = "" if isinstance(error, Interrupted) else colour_text("error:", RED, sys.stderr) + " "
        self.tell(head + self._inert(one_line(str(error))), inert=True)

    def _inert(self, text: str) -> str:
        # Cleaned twice: a secret that control characters had broken up is whole again once they are gone.
        return self._redact.text(make_visible(self._redact.text(text)))

    def _json(self, answer: CommandOutput) -> str:
        schema = f"cutscore.{self.command or 'error'}/1"
        plain = {"schema": schema, **answer.plain}
        if answer.error is not None:
            plain["error"] = answer.error.as_json()
        ascii_only = not (sys.stdout.encoding or "").lower().startswith("utf")
        return json.dumps(self._redact.plain(plain), ensure_ascii=ascii_only, allow_nan=False)

    def _print(self, text: str) -> None:
        try:
            print(text, flush=True)  # noqa: T201
        except BrokenPipeError:
            # The reader (`| head`) has seen enough. What is left in the buffer must not complain at exit either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except OSError as error:
            with suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise NoRoom("standard output", error.strerror or str(error), "send it somewhere else") from error


def as_typed(text: str) -> str:
    """Write commands of `next:` lines so that they can be typed here, where a shell does not find us by our name."""
    called = sys.argv[0]
    if Path(called).name != "cutscore" or shutil.which("cutscore") is not None:
        return text
    return re.sub(r"(?m)\bnext: .*$", lambda line: re.sub(r"\bcutscore (?=[a-z])", f"{quote(called)} ", line[0]), text)


def fit_lines(text: str, width: int) -> str:
    """Break lines that are longer than a screen between words; the last column of a table hangs under itself.

    Commands to be typed stay whole. A width of 0 is that of a pipe, where nothing has to fit.

    >>> print(fit_lines("web  pages, addresses and answers", 20))
    web  pages,
         addresses and
         answers
    """
    return "\n".join(_fit(line, width) for line in text.split("\n")) if width else text


def _fit(line: str, width: int) -> str:
    if len(line) <= width or line.startswith("next: "):
        return line
    head = len(line) - len(line.lstrip())
    starts = [found.end() for found in re.finditer(r"\S {2,}(?=\S)", line) if found.end() <= width * LAST_COLUMN]
    indent = " " * (starts[-1] if starts else head + 2)
    return "\n".join(
        textwrap.wrap(
            line,
            width,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
            expand_tabs=False,
            replace_whitespace=False,
        )
    )


def one_line(text: str) -> str:
    """Fold a text of several lines into one."""
    return " ".join(text.split())


def wants_json() -> bool:
    """Return whether the command that runs was asked for JSON."""
    return _AS_JSON.get()


def is_terminal(stream: TextIO) -> bool:
    """Return whether a person looks at a stream."""
    try:
        return stream.isatty() and os.environ.get("TERM") != "dumb"
    except ValueError:  # closed
        return False


def colour_text(text: str, colour: str, stream: TextIO) -> str:
    """Colour a word of ours on a terminal, unless NO_COLOR is set."""
    if not is_terminal(stream) or os.environ.get("NO_COLOR"):
        return text
    return f"\x1b[{colour}m{text}\x1b[0m"
