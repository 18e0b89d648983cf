"""Items of a rubric as authors write them: a statement, its points, what answers it, and who can.

Appendix D of the paper wants items that ask for one thing, can be observed in the files, and leave taste and hidden
intent out. Words do not prove that; they give away most of the items that fail. A false alarm costs an author another
wording.
"""

import re
from collections.abc import Sequence
from typing import Literal, Self

from pydantic import Field, model_validator

from cutscore.benchmarks.repurpose.rubric.points import PILLARS, RubricItem
from cutscore.benchmarks.repurpose.rubric.predicates import Predicate
from cutscore.core.bundle import Delivery

# Rules of the Format pillar: those of a delivery, and that a report with words in it was handed over.
Rule = Literal["container", "codec", "size", "aspect", "rate", "length", "sound", "report"]
# What answers an item: the film's pictures, its sound, what is said in it, or the file itself.
EvidenceKind = Literal["file", "pictures", "sound", "words"]

# Two statements in one: half of it may be so.
_JOINS = re.compile(r"\b(and|or|and/or|as well as|but also|both|neither|either|while also)\b|[;/]", re.IGNORECASE)
# Verbs that rubrics are made of; two different ones are two statements.
_VERBS = {
    **dict.fromkeys(("shows", "show", "shown"), "show"),
    **dict.fromkeys(("hears", "hear", "heard"), "hear"),
    **dict.fromkeys(("opens", "open", "begins", "begin", "starts", "start"), "open"),
    **dict.fromkeys(("ends", "end", "closes", "close"), "end"),
    **dict.fromkeys(("keeps", "keep", "retains", "preserves"), "keep"),
    **dict.fromkeys(("reveals", "reveal", "spoils", "spoil"), "reveal"),
    **dict.fromkeys(("mentions", "mention", "names", "name"), "name"),
    **dict.fromkeys(("explains", "explain", "states", "state", "tells", "tell"), "tell"),
    **dict.fromkeys(("follows", "follow", "matches", "match"), "follow"),
    **dict.fromkeys(("contains", "contain", "includes", "include"), "contain"),
    **dict.fromkeys(("lasts", "last"), "last"),
    **dict.fromkeys(("builds", "build"), "build"),
}
# Nouns and other words that look like these verbs.
_NOT_VERBS = re.compile(
    r"\b(the|a|an|its?|his|her|their|at|of|to|in|every|each|this|that|by|from|until|for)\s+"
    r"(start|end|show|name|state|match|close|last|open|build|follow|mention|tell|start)\b",
    re.IGNORECASE,
)
_TASTE = re.compile(
    r"\b(good|great|nice|beautiful\w*|engag\w+|compelling|strong(er)?|weak(er)?|effective\w*|appropriate\w*|well[- ]\w+"
    r"|interesting|exciting|satisfying|powerful\w*|better|best|pleasing|pleasant\w*|professional\w*|creative\w*|tasteful\w*|polished"
    r"|smooth\w*|cinematic|emotional\w*|memorable|high[- ]quality|quality|feels?|enjoy\w*|catchy|dynamic)\b",
    re.IGNORECASE,
)
_HIDDEN = re.compile(
    r"\b(intend\w*|intention\w*|tr(y|ies|ied) to|aims? to|wants? to|the editor|the author|effort|process|thought\w*"
    r"|in the timeline|project file|software|tool used|the agent)\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"\b(some|several|many|few|mostly|often|sufficient\w*|enough|adequate\w*|reasonabl\w+|etc)\b", re.IGNORECASE
)


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
        if rule == "report" or has_rule(film, rule)
    )


def has_rule(film: Delivery, rule: str) -> bool:
    """Return whether a delivery has a rule of this name."""
    field = {"codec": "codecs", "length": "length_s"}.get(rule, rule)
    return getattr(film, field) not in (None, "", ())


def find_rubric_faults(rubric: Sequence[Criterion], *, sound: bool = True) -> list[str]:
    """Name what keeps a rubric from being answered with yes and no by whoever has the film; nothing when it is sound.

    Each item is one statement without taste in it (`find_wording_faults`), answered by what its pillar is about, and
    asked once; every pillar that earns points has an item, that of the sound where sound is asked for.
    """
    faults = [fault for each in rubric for fault in find_wording_faults(each.id, each.text)]
    needed = [name for name in PILLARS if name != "penalty" and (sound or name != "sound")]
    lacking = [name for name in needed if all(each.pillar != name for each in rubric)]
    faults += [f"rubric has no item of the pillar {name}" for name in lacking]
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


def find_wording_faults(id: str, text: str) -> list[str]:
    """Name what in an item's words keeps it from being one yes-or-no question that the film answers.

    >>> find_wording_faults("goal", "The film shows the goal.")
    []
    >>> find_wording_faults("pace", "The pacing is good and the story flows.")
    ["'pace' joins two statements ('and')", "'pace' asks for taste ('good')"]
    """
    faults = []
    sentences = [part for part in re.split(r"[.?!]+(?:\s|$)", text) if part.strip()]
    if len(sentences) > 1:
        faults.append(f"'{id}' has {len(sentences)} sentences")
    if found := _JOINS.search(text):
        faults.append(f"'{id}' joins two statements ('{found[0]}')")
    words = re.findall(r"[a-z]+", _NOT_VERBS.sub(" ", text).casefold())
    verbs = list(dict.fromkeys(_VERBS[word] for word in words if word in _VERBS))
    if len(verbs) > 1:
        faults.append(f"'{id}' has several verbs ({', '.join(verbs)})")
    for pattern, fault in ((_TASTE, "asks for taste"), (_HIDDEN, "cannot be seen in the files"), (_VAGUE, "is vague")):
        if found := pattern.search(text):
            faults.append(f"'{id}' {fault} ('{found[0]}')")
    return faults
