"""Items of a rubric as authors write them: a statement, its points, what answers it, and who can."""

from collections.abc import Sequence
from typing import Literal, Self

from pydantic import Field, model_validator

from cutscore.benchmarks.repurpose.edit_facts import Predicate
from cutscore.benchmarks.repurpose.rubric import PILLARS, RubricItem
from cutscore.benchmarks.repurpose.rubric_words import wording_faults
from cutscore.core.bundle import Delivery

# Rules of the Format pillar: those of a delivery, and that a report with words in it was handed over.
Rule = Literal["container", "codec", "size", "aspect", "rate", "length", "sound", "report"]
# What answers an item: the film's pictures, its sound, what is said in it, or the file itself.
EvidenceKind = Literal["file", "pictures", "sound", "words"]


class Criterion(RubricItem):
    """One item of a rubric, answered with yes or no.

    Args:
        text: A statement about the film, which is so or is not so; in `penalty`, a fault that it may have.
        evidence: What answers it.
        rule: Of the pillar `format` alone: which rule of the delivery it is. A program answers it.
        predicate: The same statement over the source's own time, where that is known.
    """

    text: str = Field(min_length=1, max_length=400)
    evidence: EvidenceKind = "pictures"
    rule: Rule | None = None
    predicate: Predicate | None = None

    @model_validator(mode="after")
    def _has_who_answers_it(self) -> Self:
        if (self.pillar == "format") != (self.rule is not None):
            raise ValueError(f"rubric item '{self.id}': items of the pillar format have a rule, and only they")
        if self.pillar == "format" and self.predicate is not None:
            raise ValueError(f"rubric item '{self.id}': a rule is checked by a program and needs no predicate")
        return self


def format_items(film: Delivery) -> tuple[Criterion, ...]:
    """Return the Format pillar of a film: an item for each rule of its delivery, and one for the report."""
    length_s, within_s = float(film.length_s or 0), float(film.within_s)
    texts: dict[Rule, str] = {
        "container": f"The film is a file of the type {film.container}.",
        "codec": f"The film is encoded as {', '.join(film.codecs)}.",
        "size": f"The picture has {'×'.join(map(str, film.size or ()))} pixels.",
        "aspect": f"The picture is {':'.join(map(str, film.aspect or ()))}.",
        "rate": f"The film has {float(film.rate or 0):g} pictures a second.",
        "length": f"The film lasts {length_s:g} s, within {within_s:g} s.",
        "sound": f"The film has {'sound' if film.sound else 'no sound'}.",
        "report": "A report was handed over.",
    }
    return tuple(
        Criterion(id=f"format-{rule}", pillar="format", text=text, evidence="file", rule=rule)
        for rule, text in texts.items()
        if rule == "report" or asks(film, rule)
    )


def asks(film: Delivery, rule: str) -> bool:
    """Return whether a delivery has a rule of this name."""
    field = {"codec": "codecs", "length": "length_s"}.get(rule, rule)
    return getattr(film, field) not in (None, "", ())


def faults_of_rubric(rubric: Sequence[Criterion]) -> list[str]:
    """Name what keeps a rubric from being answered with yes and no by whoever has the film; nothing when it is sound.

    Each item is one statement without taste in it (`rubric_words`), answered by what its pillar is about, and asked
    once; every pillar that earns points has an item.
    """
    faults = [fault for each in rubric for fault in wording_faults(each.id, each.text)]
    there = {each.pillar for each in rubric}
    faults += [
        f"rubric has no item of the pillar {name}" for name in PILLARS if name != "penalty" and name not in there
    ]
    for each in rubric:
        fits = {"format": ("file",), "sound": ("sound", "words")}.get(each.pillar, ("pictures", "sound", "words"))
        if each.evidence not in fits:
            faults.append(f"'{each.id}' is of the pillar {each.pillar}, and {each.evidence} does not answer it")
    asked: set[str] = set()
    for each in rubric:
        text = " ".join(each.text.casefold().split())
        faults += [f"'{each.id}' asks what another item asks"] if text in asked else []
        asked.add(text)
    return faults
