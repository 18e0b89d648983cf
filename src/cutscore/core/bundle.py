"""A task that travels: what it gives, what it wants, what only the marker knows, and where its material came from.

The four families of AgenticVBench share it: an item of theirs is a bundle with a few fields more. Everything that a
subject must not see is marked as truth, so that the contract tests watch over it as over any other answer.
"""

import unicodedata
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Any, Literal, Self

from pydantic import Field, JsonValue, SerializerFunctionWrapHandler, model_serializer, model_validator

from cutscore.core.ask import Ask, RequestedFile
from cutscore.core.files import FileRef, PlainPath
from cutscore.core.frozen import Finite, FrozenModel
from cutscore.core.item import TRUTH, Item
from cutscore.core.timeline import Seconds

Modality = Literal["picture", "sound", "speech", "text"]
Tier = Literal["easy", "medium", "hard"]


class Provenance(FrozenModel):
    """Where material came from and what one may do with it.

    Args:
        licence: SPDX id, or `LicenseRef-…` with the words in `notice`.
        recipe: How to get the file where it may not be passed on: address, tool and arguments, in words.
        made_by: Builder and version for material that we made.
    """

    licence: str = Field(min_length=1)
    source: str = ""
    notice: str = ""
    recipe: str = ""
    made_by: str = ""
    seed: int | None = None


class Delivery(FrozenModel):
    """One file that is to be handed over, and what it has to be; whatever is empty or None is left to the subject.

    All of it stands in the brief (`brief_line`): nobody is measured by a rule that was not stated.

    Args:
        name: As the paper names it: `solution.mp4`.
        container: `mp4`, as `media.probe` calls it.
        aspect: Width to height of the picture as shown: (9, 16).
        within_s: How far the length may stray, both ends included.
        sound: Whether it is to be heard, or to have no sound at all.
        sound_hz: Samples a second of the sound that is there.
    """

    name: PlainPath
    about: str = ""
    container: str = ""
    codecs: tuple[str, ...] = ()
    size: tuple[int, int] | None = None
    aspect: tuple[Annotated[int, Field(gt=0)], Annotated[int, Field(gt=0)]] | None = None
    rate: Seconds | None = None
    length_s: Seconds | None = None
    within_s: Annotated[Seconds, Field(ge=0)] = Fraction(0)
    sound: bool | None = None
    sound_hz: Annotated[int, Field(gt=0)] | None = None

    @model_serializer(mode="wrap")
    def _as_before(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        # A delivery that says nothing of aspect and sound is written as before there were these rules.
        later = {name for name in ("aspect", "sound", "sound_hz") if getattr(self, name) is None}
        return {name: value for name, value in plain(self).items() if name not in later}

    @property
    def brief_line(self) -> str:
        """The line of the brief.

        >>> Delivery(name="a.mp4", about="the film", container="mp4", length_s=12, within_s="1/2").brief_line
        'a.mp4: the film (mp4, 12 s ± 0.5 s)'
        """
        rules = [self.container] if self.container else []
        rules += [" or ".join(self.codecs)] if self.codecs else []
        rules += [f"{self.size[0]}×{self.size[1]} pixels"] if self.size else []
        rules += [f"picture {self.aspect[0]}:{self.aspect[1]}"] if self.aspect else []
        rules += [f"{float(self.rate):g} pictures a second"] if self.rate is not None else []
        rules += [f"{float(self.length_s):g} s ± {float(self.within_s):g} s"] if self.length_s is not None else []
        rules += ["with sound" if self.sound else "without sound"] if self.sound is not None else []
        rules += [f"sampled at {self.sound_hz} Hz"] if self.sound_hz is not None else []
        about = f": {self.about}" if self.about else ""
        return f"{self.name}{about}" + (f" ({', '.join(rules)})" if rules else "")


class Bundle(Item):
    """One task with everything that is needed to run and mark it; each file is named with its sha256.

    Args:
        brief: What is wanted in this task's own words (a synopsis, a client's request); a prompt file frames it.
        verbatim: The brief is the whole ask, as somebody published it: no prompt of ours frames it.
        materials: What a subject gets, under names that tell nothing.
        media_type: What kind of footage it is: `animation`, `talk`, `advertisement`.
        human_minutes: What an editor is expected to need; None when nobody said.
        verifier: Parameters of marking (windows, tolerances, anchors measured when it was built).
        provenance: Origin and licence of single files, by name. Hidden: a title can be looked up.
        hints: What variants of the task tell beforehand, by the names of the card's `inputs`.
    """

    brief: str = Field(min_length=1)
    materials: tuple[FileRef, ...] = Field(min_length=1)
    deliveries: tuple[Delivery, ...] = Field(min_length=1)
    licence: str = Field(min_length=1)
    verbatim: bool = False
    tier: Tier = "medium"
    media_type: str = ""
    modalities: tuple[Modality, ...] = ()
    human_minutes: Annotated[Finite, Field(gt=0)] | None = None
    hidden: Annotated[tuple[FileRef, ...], TRUTH] = ()
    verifier: Annotated[dict[str, JsonValue], TRUTH] = Field(default_factory=dict)
    provenance: Annotated[dict[str, Provenance], TRUTH] = Field(default_factory=dict)
    hints: Annotated[dict[str, str], TRUTH] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        _distinct("materials", [ref.name for ref in self.materials])
        _distinct("deliveries", [each.name for each in self.deliveries])
        known = {ref.name for ref in (*self.materials, *self.hidden)}
        if strange := sorted(self.provenance.keys() - known):
            raise ValueError(f"provenance names '{strange[0]}', which is no file of the task")
        shown = {ref.sha256: ref.name for ref in self.materials}
        if leak := next((ref for ref in self.hidden if ref.sha256 in shown), None):
            raise ValueError(f"hidden file '{leak.name}' is given away as '{shown[leak.sha256]}'")
        if silent := next((name for name, text in self.hints.items() if not text.strip()), None):
            raise ValueError(f"hint '{silent}' says nothing")
        return self

    @property
    def source_names(self) -> str:
        """The clips that it was made of, as its author knows them; of many the first. Empty where nobody told."""
        names = list(dict.fromkeys(origin.source for origin in self.provenance.values() if origin.source))
        return f"{names[0]} and {len(names) - 1} more" if len(names) > 1 else "".join(names)

    @property
    def title(self) -> str:
        """Its id, and the clip that it was made of; for its author, never for a subject."""
        return f"{self.id} ({self.source_names})" if self.source_names else self.id

    def make_ask(self, brief: str, *, prompts: Mapping[str, str] = MappingProxyType({})) -> Ask:
        """Return the ask in some words: the materials, and what is to be handed over."""
        wanted = tuple(RequestedFile(name=each.name, about=each.about) for each in self.deliveries)
        return Ask(item=self.id, brief=brief, files=self.materials, wanted=wanted, prompts=dict(prompts))

    @property
    def published_ask(self) -> Ask:
        """The ask of a task whose brief is all there is to say."""
        return self.make_ask(self.brief)

    def brief_line(self, name: str) -> str:
        """Return the line of the brief on what is to be handed over under a name."""
        return next(each.brief_line for each in self.deliveries if each.name == name)

    def with_hint(self, ask: Ask, name: str) -> Ask | None:
        """Return an ask that begins with one of the hints; None where this task has none of that name."""
        hint = self.hints.get(name)
        return ask.model_copy(update={"brief": f"{hint.strip()}\n\n{ask.brief}"}) if hint else None


class UnscorableBundle(Bundle):
    """A task that was published without its truth: it can be run, exported and handed out, but not marked.

    Why is `untold`, in words for the reader; items files know it by this name.
    """

    verbatim: bool = True
    untold: str = Field(min_length=1)


def _distinct(what: str, names: list[str]) -> None:
    # As for every set of files: names that differ in case or accents alone are one file on half of the world's disks.
    folded = [unicodedata.normalize("NFC", name).casefold() for name in names]
    if len(set(folded)) != len(folded):
        twice = next(name for name in names if folded.count(unicodedata.normalize("NFC", name).casefold()) > 1)
        raise ValueError(f"{what} have '{twice}' more than once")
