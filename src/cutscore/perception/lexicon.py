"""Words for what can be seen: colours, shapes and what things do, with their synonyms and forms.

The lexicon is small and our own. Words that it does not know say nothing to the reader, and are returned as such.
"""

import re
from dataclasses import dataclass
from functools import cache

from cutscore.perception.colours import NAMES
from cutscore.perception.report import EventKind
from cutscore.perception.shapes import SHAPES

_COLOURS = {
    "grey": ("gray", "silver"),
    "red": ("crimson", "scarlet"),
    "orange": ("amber",),
    "yellow": ("golden", "gold"),
    "green": ("lime", "olive", "emerald"),
    "cyan": ("teal", "turquoise", "aqua"),
    "blue": ("navy", "azure"),
    "purple": ("violet", "indigo"),
    "magenta": ("fuchsia",),
    "pink": ("salmon",),
    "brown": ("chocolate", "wooden"),
    "beige": ("tan", "cream", "ivory", "sand"),
}
_SHAPES = {
    "circle": ("ball", "disc", "disk", "dot", "sphere", "coin", "round"),
    "ellipse": ("oval", "egg"),
    "square": ("cube", "block", "box", "tile"),
    "rectangle": ("board", "card", "brick"),
    "bar": ("stick", "rod", "stripe", "strip", "line", "plank", "beam"),
    "triangle": ("wedge", "cone", "pyramid"),
    "cross": ("plus",),
    "ring": ("hoop", "donut"),
    "blob": ("splash", "patch"),
}
_VERBS: dict[EventKind, tuple[str, ...]] = {
    "appears": ("appear", "emerge", "show up", "turn up", "pop up"),
    "disappears": ("disappear", "vanish", "is gone", "fade out"),
    "enters": ("enter", "come in", "arrive"),
    "leaves": ("leave", "exit", "go out", "drive off"),
    "starts": ("start", "begin", "set off", "set out"),
    "stops": ("stop", "halt", "rest", "come to rest"),
    "bounces": ("bounce", "rebound", "ricochet"),
    "collides": ("collide", "hit", "crash", "bump", "strike", "knock", "touch"),
    "changes colour": ("change colour", "change color", "turn", "become", "recolour"),
    "grows": ("grow", "expand", "inflate", "enlarge", "swell"),
    "shrinks": ("shrink", "contract", "deflate"),
    "rises": ("rise", "fill", "is filled", "go up", "climb"),
    "falls": ("fall", "drain", "empty", "go down", "sink"),
}


@dataclass(frozen=True)
class DescriptionTerms:
    """What a description names, each once and in the order of the words; articles and the like are not `unknown`."""

    colours: tuple[str, ...]
    shapes: tuple[str, ...]
    kinds: tuple[EventKind, ...]
    unknown: tuple[str, ...]


_SILENT = frozenset(
    re.findall(
        r"\w+",
        """a an the of in on at to and or is are was were it its one two three into from with by when what which then
        thing object there this that does do did has have had shape colour color first last""",
    )
)


def parse_description(text: str) -> DescriptionTerms:
    """Find the words of a description that the reader knows, in any common form, English spelling of either kind.

    >>> found = parse_description("The turquoise balls stopped")
    >>> found.colours, found.shapes, found.kinds
    (('cyan',), ('circle',), ('stops',))
    """
    words = re.findall(r"[a-z]+", text.lower())
    colours: dict[str, None] = {}
    shapes: dict[str, None] = {}
    kinds: dict[EventKind, None] = {}
    unknown: dict[str, None] = {}
    at = 0
    while at < len(words):
        pair = " ".join(words[at : at + 3]), " ".join(words[at : at + 2]), words[at]
        phrase = next((each for each in pair if each in _verbs()), None)
        if phrase is not None:
            kinds[_verbs()[phrase]] = None
            at += phrase.count(" ") + 1
            continue
        word = words[at]
        if word in _colours():
            colours[_colours()[word]] = None
        elif word in _shapes():
            shapes[_shapes()[word]] = None
        elif word not in _SILENT:
            unknown[word] = None
        at += 1
    return DescriptionTerms(tuple(colours), tuple(shapes), tuple(kinds), tuple(unknown))


def _forms(phrase: str) -> list[str]:
    """Return a verb in its forms: bounce, bounces, bouncing, bounced, and with its particle behind."""
    verb, _, rest = phrase.partition(" ")
    stem = verb[:-1] if verb.endswith("e") else verb
    doubled = stem + stem[-1]
    ending = "es" if verb.endswith(("s", "sh", "ch", "x", "o")) else "s"
    forms = [verb, verb + ending, stem + "ing", stem + "ed", doubled + "ing", doubled + "ed"]
    forms += [verb[:-1] + "ies", verb[:-1] + "ied"] if verb.endswith("y") else []
    return [f"{form} {rest}".strip() for form in [*forms, *_IRREGULAR.get(verb, ())]]


_IRREGULAR = {
    "is": ("are", "was", "were"),
    "become": ("became",),
    "begin": ("began", "begun"),
    "come": ("came",),
    "fall": ("fell", "fallen"),
    "go": ("went", "gone"),
    "grow": ("grew", "grown"),
    "leave": ("left the",),
    "rise": ("rose", "risen"),
    "set": (),
    "shrink": ("shrank", "shrunk"),
    "strike": ("struck",),
    "swell": ("swollen",),
    "sink": ("sank", "sunk"),
    "show": ("shown",),
}


@cache
def _verbs() -> dict[str, EventKind]:
    return {form: kind for kind, phrases in _VERBS.items() for phrase in phrases for form in _forms(phrase)}


@cache
def _colours() -> dict[str, str]:
    return {word: name for name in NAMES for word in (name, *_COLOURS.get(name, ()))}


@cache
def _shapes() -> dict[str, str]:
    singular = {word: name for name in SHAPES for word in (name, *_SHAPES.get(name, ()))}
    plural = {word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s"): name for word, name in singular.items()}
    return {**plural, **singular}
