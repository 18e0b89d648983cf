"""Every error that we raise on purpose.

Each one names the thing, the fact and the next step, because the person who reads it has a clip and a
deadline, not our source code. The command line maps them to exit codes:

    CutscoreError
    ├── BadInput            2  a name, file, card or flag is wrong
    │   ├── UnknownName     2  … and near names are offered
    │   ├── BrokenCard      2  a benchmark.toml that cannot be read
    │   ├── BrokenData      2  an item, label or asset that cannot be used
    │   └── OldRecord       2  a log or run folder of a version that we cannot read
    ├── Stopped             3  this machine lacks something
    │   ├── MissingExtra    3  … an optional dependency
    │   └── NoRoom          3  … disk space or the right to write
    ├── RunBroken           4  a run ended before it was complete; the same command resumes
    │   ├── Busy            4  another runner holds the folder
    │   └── BudgetReached   4  the money that was allowed is spent
    ├── CorruptEntry        4  stored bytes do not match their name
    ├── Unscored            -  we could not mark an item (never a low score)
    └── SubjectFailed       -  the subject failed by its own doing (marked 0, with the reason)
"""

import errno
from collections.abc import Iterable
from difflib import get_close_matches

OK, GATE_FAILED, USAGE, STOPPED, BROKEN, INTERRUPTED = 0, 1, 2, 3, 4, 130


class CutscoreError(Exception):
    """Something went wrong that a person can act on.

    Args:
        what: The thing, quoted as the user knows it: `item 'adr-017'`.
        fact: What is the case: `scene.wav has sha256 3fa9…, card pins dc4e…`.
        next: What to do now: `run 'cutscore fetch repair --again'`; empty when there is nothing to add.

    >>> str(BadInput("item 'a'", "has no clip", "add one"))
    "item 'a': has no clip; add one"
    """

    exit_code = BROKEN

    def __init__(self, what: str, fact: str, next: str = "") -> None:
        super().__init__(what, fact, next)
        self.what, self.fact, self.next = what, fact, next

    @property
    def kind(self) -> str:
        """The class of the error, as the JSON contract names it."""
        return type(self).__name__

    @property
    def message(self) -> str:
        """The whole sentence; Inspect writes this attribute into its logs, where rows find it."""
        return str(self)

    def __str__(self) -> str:
        return f"{self.finding}; {self.next}" if self.next else self.finding

    @property
    def finding(self) -> str:
        """The thing and the fact alone, for pages that others read: what to do may name folders of this machine."""
        return f"{self.what}: {self.fact}" if self.fact else self.what

    def as_json(self) -> dict[str, str]:
        """Return the `error` object of the JSON contract."""
        return {"kind": self.kind, "what": self.what, "fact": self.fact, "next": self.next}


class BadInput(CutscoreError):
    """A name, file, card or flag is wrong."""

    exit_code = USAGE


class UnknownName(BadInput):
    """A name that is not known; near names are offered.

    >>> str(UnknownName.among("benchmark", "colourbars", ["colorbars", "repair"]))
    "no benchmark 'colourbars'; did you mean 'colorbars'?"
    """

    @classmethod
    def among(cls, kind: str, name: str, known: Iterable[str]) -> "UnknownName":
        """Return the error for a name that is not among the known ones."""
        names = sorted(known)
        near = get_close_matches(name, names, n=1)
        if near:
            hint = f"did you mean '{near[0]}'?"
        elif names:
            hint = f"known: {', '.join(names[:12])}" + (" …" if len(names) > 12 else "")
        else:
            hint = f"there is no {kind} yet"
        return cls(f"no {kind} '{name}'", "", hint)


class BrokenCard(BadInput):
    """A `benchmark.toml` that cannot be read."""


class BrokenData(BadInput):
    """An item, label or asset that cannot be used; of a data pack, `faults` has that of every line."""

    faults: tuple[str, ...] = ()


class OldRecord(BadInput):
    """A log or run folder of a version that we cannot read."""


class Stopped(CutscoreError):
    """This machine lacks something."""

    exit_code = STOPPED


class MissingExtra(Stopped):
    """An optional dependency is absent.

    >>> str(MissingExtra.of("VMAF", "vmaf"))
    "VMAF needs an extra: pip install 'cutscore[vmaf]'"
    """

    @classmethod
    def of(cls, what: str, extra: str) -> "MissingExtra":
        """Return the error for something that needs an extra of ours."""
        return cls(f"{what} needs an extra", f"pip install 'cutscore[{extra}]'")


WHY_NOT_WRITTEN = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file is larger than this disk or process may hold",
    errno.EROFS: "the disk is read-only",
    errno.EACCES: "no permission to write",
    errno.EPERM: "no permission to write",
    errno.EIO: "Input/output error",
}


class NoRoom(Stopped):
    """Disk space or the right to write is missing."""

    @classmethod
    def of(cls, what: str, error: OSError, next: str) -> "NoRoom":
        """Return the error for something that a disk has refused to take.

        >>> str(NoRoom.of("pack 'a.tar'", OSError(errno.EROFS, "Read-only file system"), "choose -o"))
        "pack 'a.tar': cannot be written: the disk is read-only; choose -o"
        """
        fact = WHY_NOT_WRITTEN.get(error.errno or 0, error.strerror or str(error))
        return cls(what, f"cannot be written: {fact}", next)


class RunBroken(CutscoreError):
    """A run ended before it was complete; the same command resumes it."""

    exit_code = BROKEN


class Busy(RunBroken):
    """Another runner holds the folder."""


class BudgetReached(RunBroken):
    """The money that was allowed is spent."""


class CorruptEntry(CutscoreError):
    """Stored bytes do not match their name."""

    exit_code = BROKEN


class Unscored(CutscoreError):
    """We failed to mark an item: it is counted beside the mean and never becomes a low score."""


class SubjectFailed(CutscoreError):
    """The subject failed by its own doing: marked, with 0 and this reason.

    Args:
        failure_class: One of `core.deliverable.FailureClass`.
    """

    def __init__(self, what: str, fact: str, next: str = "", *, failure_class: str = "crash") -> None:
        super().__init__(what, fact, next)
        self.failure_class = failure_class
