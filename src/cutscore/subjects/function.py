"""A Python function as a subject: `python:pkg.mod:fn`, called as `fn(ask, context)`."""

import hashlib
import importlib
import inspect
import sys
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput, CutscoreError, SubjectFailed
from cutscore.core.files import FileRef, media_type_of
from cutscore.core.resources import Resources
from cutscore.core.subject import AcceptedInput, WorkContext


@dataclass(frozen=True)
class FunctionSubject:
    """Calls a function for every sample.

    Args:
        call: Plain functions run in worker threads, several at once; coroutines run on the loop.
        source_digest: Digest of the file that defines it. What that file imports is not in it: name a version
            (`python@2:pkg.mod:fn`) when something behind it has changed.
        in_turn: Samples about one clip wait for each other: what a plain function keeps of a clip is made once, and not
            by every thread that finds it missing at the same moment.
        needs, delivers, takes: What one call takes, what it can hand over and take in; None when nobody said. A
            function may have attributes of these names.
    """

    name: str
    call: Callable[[Ask, WorkContext], Any]
    source_digest: str = ""
    in_turn: bool = False
    needs: Resources | None = None
    delivers: Collection[str] | None = None
    takes: AcceptedInput | None = None
    _turns: dict[str, AbstractAsyncContextManager[Any]] = field(default_factory=dict, init=False, repr=False)

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        """Call the function, and make a deliverable of what it returns; what it raises is its failure."""
        from cutscore.models.door import count_model_calls

        try:
            with count_model_calls(context):
                result = await self._called(ask, context)
            return make_deliverable(result, context)
        except Exception as error:
            if _is_ours(error):
                raise
            if isinstance(error, SubjectFailed):
                raise SubjectFailed(f"subject '{self.name}'", error.fact, failure_class=error.failure_class) from error
            raise SubjectFailed(f"subject '{self.name}'", f"raised {type(error).__name__}: {error}") from error

    async def _called(self, ask: Ask, context: WorkContext) -> Any:
        from anyio import to_thread

        if inspect.iscoroutinefunction(self.call):
            return await self.call(ask, context)
        # A thread cannot be stopped, but the sample can go on without it: time limits hold for plain functions, too.
        # Programs that it runs end with the sample (`process/scope.py`); anyio hands the scope on to the thread.
        async with self._turn(ask):
            result = await to_thread.run_sync(self.call, ask, context, abandon_on_cancel=True)
        return await result if inspect.isawaitable(result) else result

    def _turn(self, ask: Ask) -> AbstractAsyncContextManager[Any]:
        """Return the lock of the sample's first file."""
        from anyio import Lock

        return self._turns.setdefault(ask.files[0].sha256, Lock()) if self.in_turn and ask.files else nullcontext()


def open_function(spec: str) -> FunctionSubject:
    """Import the function of `pkg.mod:fn`; modules in the current folder are found, too."""
    name = f"python:{spec}"
    module, colon, path = spec.partition(":")
    if not (colon and module and path):
        raise BadInput(f"subject '{name}'", "names no function", "write python:pkg.mod:fn")
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))  # last: a file of the user's never hides an installed module
    try:
        call: Any = importlib.import_module(module)
        for step in path.split("."):
            call = getattr(call, step)
    except (ImportError, AttributeError) as error:
        raise BadInput(f"subject '{name}'", f"cannot be imported: {error}", "write python:pkg.mod:fn") from error
    if not callable(call):
        raise BadInput(f"subject '{name}'", f"is a {type(call).__name__}", "name a function of (ask, context)")
    return subject_from(call, name=name)


def subject_from(call: Callable[[Ask, WorkContext], Any], *, name: str) -> FunctionSubject:
    """Return a function as a subject, known by the file that defines it, or by its own lines where there is none."""
    said: dict[str, Any] = {each: getattr(call, each, None) for each in ("needs", "delivers", "takes")}
    return FunctionSubject(name, call, _source_digest(call), **said)


def make_deliverable(result: object, context: WorkContext) -> Deliverable:
    """Make a deliverable of what a function returned: one, text, or paths inside its workspace.

    A plain text is the answer, never a path; a path alone or a list of them is files.
    """
    if isinstance(result, Deliverable):
        return result
    if isinstance(result, str):
        return Deliverable(text=result)
    paths = [result] if isinstance(result, Path) else result
    if isinstance(paths, Sequence) and all(isinstance(path, str | Path) for path in paths):
        return Deliverable(files=tuple(_take_file(Path(path), context) for path in paths))
    fact = f"returned a {type(result).__name__}, not text, a list of paths or a Deliverable"
    raise SubjectFailed("subject", fact)


def _take_file(path: Path, context: WorkContext) -> FileRef:
    home = context.workspace.resolve()
    # The folder is resolved and the name is not: the store itself refuses a link as the last step.
    place = (home / path).parent.resolve() / path.name
    if not place.is_relative_to(home):
        outside = f"returned '{path}', which is outside its workspace"
        raise SubjectFailed("subject", outside, failure_class="unreadable")
    name = place.relative_to(home).as_posix()
    try:
        return context.store.put(place, name=name, media_type=media_type_of(name))
    except (BadInput, OSError) as error:
        fact = error.fact if isinstance(error, BadInput) else error.strerror
        raise SubjectFailed("subject", f"returned '{name}', which {fact}", failure_class="unreadable") from error


def _is_ours(error: Exception) -> bool:
    """Return whether an error of a function is no failing of its own: our errors, and Inspect's limits."""
    from inspect_ai.util import LimitExceededError

    mine = isinstance(error, CutscoreError) and not isinstance(error, BadInput | SubjectFailed)
    return mine or isinstance(error, LimitExceededError)


def _source_digest(call: object) -> str:
    """Return the digest of the file that defines a function; of its own lines where it was typed into a notebook."""
    plain = inspect.unwrap(call)  # type: ignore[arg-type]
    try:
        file = inspect.getsourcefile(plain)
    except TypeError:  # built in, or an object with __call__
        file = inspect.getsourcefile(type(call)) if type(call).__module__ != "builtins" else None
    if file and Path(file).is_file():
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    try:
        return hashlib.sha256(inspect.getsource(plain).encode()).hexdigest()
    except (OSError, TypeError):  # nobody kept its lines
        return ""
