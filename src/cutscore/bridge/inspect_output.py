"""What Inspect writes by itself while it works for us: no notices, no traces, no secrets.

Inspect logs errors, tracebacks, arguments and ids that a server sent, also of calls that we never see. All of it passes
a redactor before it is written, so a kill at any time leaves no secret behind.
"""

from __future__ import annotations

import logging
import os
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cutscore.redaction import Redactor

TRACE_FILE = "INSPECT_TRACE_FILE"


@contextmanager
def quiet_inspect(redact: Redactor) -> Iterator[None]:
    """Keep standard output for results, and secrets out of whatever Inspect writes.

    Its notices are dropped, and what a subject prints goes to stderr.
    """
    import rich

    console = rich.get_console()
    quiet, console.quiet = console.quiet, True
    try:
        with redirect_stdout(sys.stderr), _redact_logs(redact), _redact_messages(redact), _redact_warnings(redact):
            yield
    finally:
        console.quiet = quiet


@contextmanager
def _redact_logs(redact: Redactor) -> Iterator[None]:
    """Let every record of a log pass the redactor before it is compressed."""
    from inspect_ai.log._recorders.eval import ZipLogFile

    open_zip = ZipLogFile._open

    def open_redacting(log: Any) -> None:
        open_zip(log)
        write = log._zip.writestr
        log._zip.writestr = lambda name, data, **rest: write(name, redact.data(data), **rest)

    ZipLogFile._open = open_redacting  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        ZipLogFile._open = open_zip  # type: ignore[method-assign]


@contextmanager
def _redact_messages(redact: Redactor) -> Iterator[None]:
    """Let every message of Inspect's logger pass the redactor, and keep no traces of them in the user's home.

    Whoever sets INSPECT_TRACE_FILE gets the traces there.
    """
    from inspect_ai._util.logger import _logHandler, init_logger

    if _logHandler["handler"] is None:
        with TemporaryDirectory() as folder:  # it opens a file at once
            init_logger(None, trace_dir=Path(folder))
            if not os.environ.get(TRACE_FILE):
                _close_traces(_logHandler["handler"])
    handler, clean = _logHandler["handler"], MessageFilter(redact)
    handler.addFilter(clean)  # type: ignore[union-attr]
    try:
        yield
    finally:
        handler.removeFilter(clean)  # type: ignore[union-attr]


def _close_traces(handler: Any) -> None:
    handler.trace_logger.close()
    handler.trace_logger = None


class MessageFilter(logging.Filter):
    """Takes secrets out of a message of a logger, and out of all that came with it."""

    def __init__(self, redact: Redactor) -> None:
        super().__init__()
        self._redact = redact

    def filter(self, record: logging.LogRecord) -> bool:
        """Clean a message; it is always kept."""
        record.msg, record.args = record.getMessage(), None
        if record.exc_info and record.exc_info[0]:
            record.exc_text, record.exc_info = "".join(traceback.format_exception(*record.exc_info)), None
        for name, value in vars(record).items():
            if isinstance(value, str | list | tuple | dict):
                setattr(record, name, self._redact.plain(value))
        return True


@contextmanager
def _redact_warnings(redact: Redactor) -> Iterator[None]:
    """Show the first line of a warning, without secrets: in the others pydantic shows pieces of the data."""
    format_warning = warnings.formatwarning

    def format_first_line(message: Warning | str, *place: Any, **rest: Any) -> str:
        return redact.text(format_warning(str(message).partition("\n")[0], *place, **rest))

    warnings.formatwarning = format_first_line
    try:
        yield
    finally:
        warnings.formatwarning = format_warning
