"""What a kind of staged case brings: its context, right films, films with one known weakness, and a verifier.

A kind is one module of `staged/kinds/` with a `KIND`; cases of one kind share drawing and verifying and differ in their
settings. The verifier sees settings and delivered pixels, and never who delivered them or what was said of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from cutscore.benchmarks.clvg.dataset import ContextPart
from cutscore.core.files import FileRef, FileStore
from cutscore.core.frozen import FrozenModel, SafeName
from cutscore.core.judgement import Weakness
from cutscore.media.footage import Footage

Settings = Mapping[str, JsonValue]


class StagedCase(FrozenModel):
    """One case as data; all of it is truth but the instruction.

    Args:
        kind: Module of `staged/kinds/` that draws and verifies it.
        settings: What that module draws it from: seeds, colours, ways.
    """

    name: SafeName
    kind: SafeName
    subcategory: SafeName
    instruction: str
    settings: dict[str, JsonValue]
    shots: int = 1
    subjects: int = 1


class StagedContext(FrozenModel):
    """The files of a case and what each is for, as its kind has drawn them."""

    files: tuple[FileRef, ...] = ()
    parts: tuple[ContextPart, ...] = ()


@dataclass(frozen=True)
class StagedKind:
    """One kind of staged case.

    Args:
        cases: Its cases in the starter pack.
        context: Draws the files that a generator is given, into a store.
        film: Makes a right film; variants 0 and 1 are both right and differ in what the request leaves open.
        plants: Codes of weaknesses for which `spoil` makes a film with that weakness and no other.
        spoil: Makes a film with one weakness by code.
        verify: Names every weakness of a delivered film, by its code and place; none when it is right.
    """

    cases: Sequence[StagedCase]
    context: Callable[[Settings, FileStore], StagedContext]
    film: Callable[[Settings, int], Footage]
    plants: Sequence[str]
    spoil: Callable[[Settings, str], Footage]
    verify: Callable[[Path, Settings], Sequence[Weakness]]
