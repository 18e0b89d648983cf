"""Items: a film, a creative brief and a rubric; the starter pack, or a data pack of the same shape."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal, Self, get_args

from pydantic import BeforeValidator, Field, model_validator

from cutscore.authoring.packs import read_pack
from cutscore.benchmarks.repurpose.rubric.criteria import Criterion, find_rubric_faults, has_rule
from cutscore.core.bundle import Bundle, Delivery
from cutscore.core.files import FileRef, FileStore
from cutscore.core.frozen import Finite, FrozenModel
from cutscore.core.item import TRUTH
from cutscore.core.timeline import Seconds, Span

STARTER = Path(__file__).parent / "starter"
FILM, REPORT = "final.mp4", "report.md"

Content = Literal["talk", "narrative short", "sports broadcast", "music performance"]
Form = Literal["recap", "trailer", "teaser", "social cut"]
CONTENTS: tuple[Content, ...] = get_args(Content)
FORMS: tuple[Form, ...] = get_args(Form)

_Side = Annotated[int, Field(gt=0)]


def _split_aspect(value: object) -> object:
    return tuple(value.split(":")) if isinstance(value, str) else value


class FilmTerms(FrozenModel):
    """What a film has to be, and what it is made of; its aspect, width to height, may be written `9:16`.

    Without `sound` (None) nobody asks for it, because nothing is heard in the source.
    """

    content: Content = "narrative short"
    form: Form = "trailer"
    length_s: Annotated[Seconds, Field(gt=0)] = Fraction(60)
    within_s: Annotated[Seconds, Field(ge=0)] = Fraction(2)
    aspect: Annotated[tuple[_Side, _Side], BeforeValidator(_split_aspect)] = (16, 9)
    container: Literal["mp4", "mov", "matroska", "webm"] = "mp4"
    sound: bool | None = True


class SourceCut(FrozenModel):
    """A stretch of the source in an edit, and where the middle of a narrower picture lies, as a share of its width."""

    span: Span
    middle: Annotated[Finite, Field(ge=0, le=1)] = 0.5


class SpokenLine(FrozenModel):
    """Words of the source, and when they are spoken."""

    span: Span
    text: str = Field(min_length=1)


class Commission(Bundle):
    """A film and what a client wants of it.

    Args:
        brief: The creative brief: content, audience, platform, tone; what the files have to be stands in `deliveries`.
        content: What the source is; it is the only one of the materials.
        edit: One edit that fulfils all of it, where somebody knows one.
        said: Transcript of the source, where there is one.
        drafted_by: Model that wrote brief or rubric; empty when people did. A draft is not signed off.
    """

    content: Content
    form: Form
    rubric: Annotated[tuple[Criterion, ...], TRUTH]
    edit: Annotated[tuple[SourceCut, ...], TRUTH] = ()
    said: Annotated[tuple[SpokenLine, ...], TRUTH] = ()
    drafted_by: Annotated[str, TRUTH] = ""

    @model_validator(mode="after")
    def _can_be_marked(self) -> Self:
        if len(self.materials) != 1:
            raise ValueError(f"there are {len(self.materials)} materials, a commission has one source film")
        if [each.name for each in self.deliveries] != [FILM, REPORT]:
            raise ValueError(f"deliveries are {FILM} and {REPORT}")
        ids = [each.id for each in self.rubric]
        if len(set(ids)) != len(ids):
            raise ValueError(f"rubric has '{next(id for id in ids if ids.count(id) > 1)}' twice")
        if all(each.pillar == "penalty" for each in self.rubric):
            raise ValueError("rubric has no item that earns points")
        for each in self.rubric:
            if each.rule not in (None, "report") and not has_rule(self.film, each.rule or ""):
                raise ValueError(f"rubric item '{each.id}' asks for {each.rule}, of which {FILM} says nothing")
        return self

    @property
    def source(self) -> FileRef:
        """The film to be cut."""
        return self.materials[0]

    @property
    def film(self) -> Delivery:
        """What the film that is handed over has to be."""
        return self.deliveries[0]


def deliveries(terms: FilmTerms) -> tuple[Delivery, Delivery]:
    """Describe what is to be handed over."""
    film = Delivery(
        name=FILM,
        about=f"the {terms.form}",
        container=terms.container,
        aspect=terms.aspect,
        length_s=terms.length_s,
        within_s=terms.within_s,
        sound=terms.sound,
    )
    return film, Delivery(name=REPORT, about="what you kept, what you left out and why, in a few sentences")


def authoring_faults(item: Commission) -> list[str]:
    """Name what is wrong with a rubric: items that are not atomic or cannot be answered, pillars without any item."""
    return find_rubric_faults(item.rubric, sound=item.deliveries[0].sound is True)


def items(store: FileStore, data: Path | None = None) -> Sequence[Commission]:
    """Return all items in published order: of the starter pack, or of a data pack."""
    return read_pack(data or STARTER, Commission, store, folders=("materials", "hidden"))
