"""What marking reads: recorded once, when the subject has stopped, by a plan that it never saw.

Evidence is bound to a store before marking, so that a marker asks for `evidence.path("fixed.mp4")` and never
learns where things are kept. The binding is not part of the value: two evidences with equal content are equal.
"""

from pathlib import Path
from typing import Any, Self

from pydantic import Field, JsonValue, PrivateAttr

from cutscore.core.errors import BadInput, Unscored
from cutscore.core.files import Files, FileStore
from cutscore.core.turn import Turn

# An answer file longer than this is not an answer; what follows is not read.
MAX_TEXT_BYTES = 1_000_000


class Evidence(Files):
    """Files and facts that stay when the world they came from is gone.

    Args:
        files: Copies of the deliverable's files and whatever else the plan recorded (final page, screenshots). Of
            several turns each has its files as `turn-N/NAME`, too.
        facts: Small measured values by name (final URL, exit code, duration).
        errors: Why a read of the plan gave nothing, by its name.
        reads: Digest of every read of the plan that was tried, by its name, so that a plan that was mended since can
            tell what is not there.
        turns: What was asked and answered, turn by turn, where something answered back.
        live: Names of facts and files that come from something with a clock of its own; canonical rows are without
            them, and without the words of findings, which may quote them.
    """

    facts: dict[str, JsonValue] = Field(default_factory=dict)
    errors: dict[str, str] = Field(default_factory=dict)
    reads: dict[str, str] = Field(default_factory=dict)
    turns: tuple[Turn, ...] = ()
    live: tuple[str, ...] = ()

    _store: FileStore | None = PrivateAttr(default=None)

    def bind(self, store: FileStore) -> Self:
        """Return the same evidence, with its files readable from a store."""
        bound = self.model_copy()
        bound._store = store
        return bound

    def path(self, name: str) -> Path:
        """Return a readable path of a recorded file."""
        ref = self.file(name)
        if ref is None:
            known = ", ".join(file.name for file in self.files) or "nothing"
            raise BadInput(f"file '{name}'", "was not recorded", f"recorded: {known}")
        return self.store.path(ref)

    def fact(self, name: str) -> JsonValue:
        """Return what a read of the plan gave; Unscored where it failed, which is no fault of the subject's."""
        if name in self.errors:
            raise Unscored(f"evidence '{name}'", self.errors[name], "run the same command again")
        if name not in self.facts:
            known = ", ".join(self.facts) or "nothing"
            raise Unscored(f"evidence '{name}'", "was not recorded", f"recorded: {known}")
        return self.facts[name]

    @property
    def store(self) -> FileStore:
        """Where its files are kept."""
        if self._store is None:
            raise BadInput("evidence", "cannot be read", "bind the evidence to a store first")
        return self._store

    def text(self, name: str) -> str | None:
        """Return the start of a recorded file as text, or None when it was not recorded.

        Bytes that are not UTF-8 become replacement characters: a marker compares, it does not crash.
        """
        if self.file(name) is None:
            return None
        with self.path(name).open("rb") as stream:
            return stream.read(MAX_TEXT_BYTES).decode("utf-8", errors="replace")

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Evidence) and self.model_dump() == other.model_dump()

    __hash__ = None  # type: ignore[assignment]  # facts are a mapping
