"""A task that travels: public half, hidden half, licence and provenance in one value."""

from pydantic import Field, JsonValue

from cutscore.core.ask import Ask
from cutscore.core.files import FileRef
from cutscore.core.noun import Noun


class Provenance(Noun):
    """Where material came from and what one may do with it.

    Args:
        licence: SPDX id, or `LicenseRef-…` with the words in `notice`.
        recipe: How to get the file where it may not be passed on: address, tool and arguments, in words.
        made_by: Builder and version for material that we made.
        seed: Seed of that builder.
    """

    licence: str = Field(min_length=1)
    source: str = ""
    notice: str = ""
    recipe: str = ""
    made_by: str = ""
    seed: int | None = None


class Bundle(Noun):
    """One task with everything that is needed to run and mark it.

    Args:
        ask: The public half, the only part that leaves for the subject.
        truth: What the marker knows; never written beside the materials.
        hidden: Files of the hidden half (golden clips), by reference.
        verifier: Parameters of marking (windows, tolerances, anchors measured at build time).
        provenance: Licence and origin of each file, by file name.
    """

    ask: Ask
    truth: dict[str, JsonValue] = Field(default_factory=dict)
    hidden: tuple[FileRef, ...] = ()
    verifier: dict[str, JsonValue] = Field(default_factory=dict)
    provenance: dict[str, Provenance] = Field(default_factory=dict)
