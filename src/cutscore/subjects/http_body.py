"""What a service is sent: a profile's fields with their blanks filled, however deep they lie.

A field whose name ends in `?` is left out where the ask has no such part. `{length_s:number}` is a number, not its
digits. An element of a list stands once for every part of the role that it names, and not at all without one:

    fields = { prompt = "{instruction}", "image?" = "{first_frame}", refs = [{ url = "{subject}" }] }
"""

import base64
import re
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path

from pydantic import JsonValue

from cutscore.core.errors import BadInput
from cutscore.core.files import media_type_of
from cutscore.subjects.command import BLANK, fill

OPTIONAL = "?"
NUMBER = re.compile(r"\{([a-z_][a-z0-9_]*):number\}")


def fill_body(template: JsonValue, blanks: Mapping[str, str]) -> JsonValue:
    """Return a template with its blanks filled; what is filled in is never looked at again.

    >>> blanks = {"subject": "a.png", "subject_2": "b.png", "length_s": "4"}
    >>> fill_body({"refs": [{"url": "{subject}"}], "style?": "{style}", "seconds": "{length_s:number}"}, blanks)
    {'refs': [{'url': 'a.png'}, {'url': 'b.png'}], 'seconds': 4}
    """
    if isinstance(template, str):
        match = NUMBER.fullmatch(template)
        return _number(fill([f"{{{match[1]}}}"], blanks)[0], template) if match else fill([template], blanks)[0]
    if isinstance(template, list):
        return [made for each in template for made in _for_each_part(each, blanks)]
    if isinstance(template, dict):
        fields = (
            (name, each) for name, each in template.items() if not name.endswith(OPTIONAL) or _blanks(each) <= {*blanks}
        )
        return {name.removesuffix(OPTIONAL): fill_body(each, blanks) for name, each in fields}
    return template


def _for_each_part(template: JsonValue, blanks: Mapping[str, str]) -> Iterator[JsonValue]:
    """Return an element of a list once for every part of the role that it names."""
    named = _blanks(template)
    if not named <= {*blanks}:
        return
    yield fill_body(template, blanks)
    for number in count(2):
        further = {name: blanks[key] for name in named if (key := f"{name}_{number}") in blanks}
        if not further:
            return
        yield fill_body(template, {**blanks, **further})


def _blanks(template: JsonValue) -> set[str]:
    """Name the blanks that have to be filled; those of optional fields and of lists inside need not be."""
    if isinstance(template, str):
        return {*BLANK.findall(template), *NUMBER.findall(template)}
    if isinstance(template, dict):
        needed = (each for name, each in template.items() if not name.endswith(OPTIONAL))
        return set().union(*map(_blanks, needed))
    return set()


def _number(text: str, blank: str) -> int | float:
    try:
        value = float(text)
    except ValueError:
        raise BadInput(f"field '{blank}'", f"'{text}' is no number", "leave out ':number'") from None
    return int(value) if value.is_integer() else value


def inline_files(body: JsonValue, given: Path) -> JsonValue:
    """Return a body with every file of a folder as a data URL of its type."""
    if isinstance(body, dict):
        return {name: inline_files(each, given) for name, each in body.items()}
    if isinstance(body, list):
        return [inline_files(each, given) for each in body]
    if not is_given(body, given):
        return body
    path = Path(str(body))
    data = base64.b64encode(path.read_bytes()).decode()
    return f"data:{media_type_of(path.name) or 'application/octet-stream'};base64,{data}"


def is_given(value: JsonValue, given: Path) -> bool:
    """Return whether a value is the path of a file in the job's folder; words that name any other file stay words."""
    return isinstance(value, str) and value.startswith(f"{given}/") and Path(value).parent == given
