"""The way from one prompt to another, rule by rule."""

import re
from dataclasses import dataclass

FULL_LINE = 60  # characters: who writes less on a line has ended it on purpose
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")
_SENTENCE = re.compile(r"(?<=[.!?。])\s+(?=[^\s])")


@dataclass(frozen=True)
class PromptChange:
    """What a prompt says that the one before did not, and the other way round."""

    added: tuple[str, ...]
    removed: tuple[str, ...]


def rules_of(text: str) -> list[str]:
    r"""Return what a prompt says, a rule at a time: a bullet, a line, or a sentence of a paragraph.

    A line that is full goes on in the next one; so do bullets whose next line is indented.

    >>> rules_of("Be strict. Be fair.\n\n- Hands melt.\n- Cups\n  float.\nlook twice\nlook thrice")
    ['Be strict.', 'Be fair.', 'Hands melt.', 'Cups float.', 'look twice', 'look thrice']
    """
    blocks: list[list[str]] = [[]]
    before = ""
    for line in text.splitlines():
        goes_on = len(before) >= FULL_LINE or line.startswith((" ", "\t"))
        if not line.strip() or line.startswith("#") or _BULLET.match(line) or not goes_on:
            blocks.append([])
        if line.strip():
            blocks[-1].append(_BULLET.sub("", line).strip())
        before = "" if line.startswith("#") else line
    return [rule for block in blocks for rule in _SENTENCE.split(" ".join(block)) if rule]


def prompt_change(before: str, after: str) -> PromptChange:
    """Return which rules came and which went.

    >>> prompt_change("Be strict. Be fair.", "Be fair. Look twice.")
    PromptChange(added=('Look twice.',), removed=('Be strict.',))
    """
    old, new = rules_of(before), rules_of(after)
    return PromptChange(tuple(each for each in new if each not in old), tuple(each for each in old if each not in new))
