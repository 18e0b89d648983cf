"""Faults of an author's own code: what was raised, and in which line of the benchmark's folder."""

import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from cutscore.core.errors import CutscoreError, Stopped

Checked = TypeVar("Checked")


def try_author_code(call: Callable[[], Checked], folder: Path) -> tuple[Checked | None, str]:
    """Return what a call gives, or None and the fault for which it gives nothing.

    Only what this machine lacks passes on: that is nobody's fault.
    """
    try:
        return call(), ""
    except Stopped:
        raise
    except Exception as error:  # noqa: BLE001  # authors' code may raise anything
        return None, describe_fault(error, folder)


def describe_fault(error: BaseException, folder: Path) -> str:
    """Return where in a benchmark's folder an error comes from, and what it is; its notes say what was under way.

    The innermost line of the author's own counts. Where there is none, our code choked on what it was given, and the
    innermost line of all is named.
    """
    what = str(error) if isinstance(error, CutscoreError) else f"{type(error).__name__}: {error}".removesuffix(": ")
    notes = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
    lines = [place for each in _causes(error) for place in _places(each)]
    own = [(path, line) for path, line in lines if path.resolve().is_relative_to(folder.resolve())]
    if own:
        path, line = own[-1]
        return f"{folder.name}/{path.resolve().relative_to(folder.resolve()).as_posix()}:{line}: {what}{notes}"
    if isinstance(error, CutscoreError) or not lines:
        return what + notes
    path, line = lines[-1]
    return f"{what}{notes}; raised at {path.name}:{line} by what the benchmark gave"


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error after those that led to it."""
    if (before := error.__cause__ or error.__context__) is not None:
        yield from _causes(before)
    yield error


def _places(error: BaseException) -> Iterator[tuple[Path, int]]:
    """Yield files and lines that an error passed, the innermost last; a line that is no Python comes after all."""
    for frame in traceback.extract_tb(error.__traceback__):
        yield Path(frame.filename), frame.lineno or 0
    if isinstance(error, SyntaxError) and error.filename:
        yield Path(error.filename), error.lineno or 0
