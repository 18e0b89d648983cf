"""Can an item of a rubric be answered with yes or no, by anybody who has the film? Read from its words.

Appendix D of the paper wants items that ask for one thing, can be observed in the files, and leave taste and hidden
intent out. Words do not prove that; they give away most of the items that fail. A false alarm costs an author another
wording.
"""

import re

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


def wording_faults(id: str, text: str) -> list[str]:
    """Describe what in an item's words keeps it from being one yes-or-no question that the film answers.

    >>> wording_faults("goal", "The film shows the goal.")
    []
    >>> wording_faults("pace", "The pacing is good and the story flows.")
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
