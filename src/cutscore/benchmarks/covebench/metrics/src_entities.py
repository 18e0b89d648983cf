"""Which things SRC looks for: noun phrases from a file, else from the questions on preservation by a plain rule.

The released code lets a model write the phrases. Its `stage1_cache` metadata can be given as they are:

    {"17": ["the white vase", "a yellow cube"]}                              phrases by task
    {"17": {"preserved_entities": [{"description": "the white vase"}]}}      the released metadata by task

The rule takes what a question asks about ("how well is the white vase preserved?"), without what stands in brackets,
and leaves out what is no thing that a box could hold: cameras, light, motion, style, layout.
"""

import re
from pathlib import Path

from pydantic import JsonValue

from cutscore.benchmarks.covebench.checklist import Checklist
from cutscore.core.errors import BadInput
from cutscore.core.strict_json import first_fault, read_json

_ASKED = re.compile(r"\bhow \w+ (?:is|are) (.+?) (?:preserved|kept|maintained|retained)\b", re.IGNORECASE)
_BRACKETS = re.compile(r"\s*\([^)]*\)")
_PROPERTY = re.compile(
    r"^(?:the )?(?:[\w-]+ )*?(?:appearance|clothing|structure|identity|layout|texture|shape|colou?r|design|details?)"
    r"(?: and [\w-]+)* of ",
    re.IGNORECASE,
)
_BESIDE = re.compile(r" in the (?:back|fore)ground$|'s (?:visual )?identity$", re.IGNORECASE)
_NO_THING = re.compile(
    r"\b(?:angle|atmosphere|background|behaviors?|behaviours?|brightness|camera|composition|daylight|environment|framing|gait|grading"
    r"|layout|light|lighting|motion|movement|pace|perspective|scene|shot|speed|style|tone|weather)\b",
    re.IGNORECASE,
)


def read_entities(file: Path) -> dict[str, tuple[str, ...]]:
    """Return the phrases of each task that a file names."""
    try:
        plain = read_json(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadInput(f"entities '{file.name}'", f"cannot be read: {error.strerror}", "name a file") from error
    except ValueError as error:
        raise BadInput(f"entities '{file.name}'", f"is not JSON: {first_fault(error)}", "correct it") from error
    if not isinstance(plain, dict):
        raise BadInput(f"entities '{file.name}'", "is no object of tasks", 'write {"TASK": ["a phrase"]}')
    return {task: _phrases(task, said, file) for task, said in plain.items()}


def _phrases(task: str, said: JsonValue, file: Path) -> tuple[str, ...]:
    listed = said.get("preserved_entities", []) if isinstance(said, dict) else said
    each_said = listed if isinstance(listed, list) else [None]
    found = [each.get("description") if isinstance(each, dict) else each for each in each_said]
    if not all(isinstance(each, str) and each.strip() for each in found):
        raise BadInput(f"entities '{file.name}'", f"task '{task}' has something else than phrases", "write a list")
    return tuple(str(each).strip() for each in found)


def name_entities(checklist: Checklist) -> tuple[str, ...]:
    """Return the things that the questions on preservation are about, each once."""
    asked = (each.text for each in checklist.questions if each.measure == "sem")
    return tuple(dict.fromkeys(phrase for text in asked for phrase in phrases_of(text)))


def phrases_of(question: str) -> list[str]:
    """Return the things that one question asks about; none where it is about no thing.

    >>> phrases_of("Comparing Video A and Video B, how well are the white vase and the yellow flowers preserved?")
    ['white vase', 'yellow flowers']
    >>> phrases_of("How accurately is the appearance and clothing of the man on the rope swing preserved?")
    ['man on the rope swing']
    >>> phrases_of("How well is the static camera angle and framing preserved?")
    []
    """
    match = _ASKED.search(question)
    if not match:
        return []
    things = re.split(r",? and the ", _PROPERTY.sub("", _BRACKETS.sub("", match[1])))
    plain = (re.sub(r"^(?:the|a|an) ", "", _BESIDE.sub("", each.strip()), flags=re.IGNORECASE) for each in things)
    return [each for each in plain if each and not _NO_THING.search(each)]
