"""The base of every type here, and the one way to turn its values into bytes.

Values are frozen and refuse unknown fields, so that a typing error in a card or a task file is an error and not a
silent default. `canonical_json` returns equal bytes for equal content, whatever order or locale it was made in; digests
stand on it.
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints, model_validator

# Safe as a file name on every system we run on, and inert in a shell, a URL and a page.
SAFE_NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"

SafeName = Annotated[str, StringConstraints(pattern=SAFE_NAME)]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(f"{value} is not a finite number")
    return value + 0.0  # there is one zero: -0.0 would be other bytes for the same score


Finite = Annotated[float, AfterValidator(_finite)]


class FrozenModel(BaseModel):
    """A frozen, validated value that refuses fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, hide_input_in_errors=True)

    @model_validator(mode="before")
    @classmethod
    def _replace_half_characters(cls, data: Any) -> Any:
        # A model's answer that was cut off in the middle of an emoji must not keep a record from being written.
        if not isinstance(data, dict):
            return data
        others = _model_valued_fields(cls)  # models inside mend themselves
        plain = all(_is_ascii(value) for name, value in data.items() if name not in others)
        return data if plain else {name: value if name in others else _mend(value) for name, value in data.items()}

    def digest(self) -> str:
        """Return the sha256 of the canonical JSON of this value."""
        return digest_of(self.model_dump(mode="json"))


def canonical_json(value: object) -> bytes:
    """Serialise plain data to the same bytes every time: sorted keys, UTF-8, no spaces, no NaN.

    >>> canonical_json({"b": 1, "a": [1.0, "é"]}).decode()
    '{"a":[1.0,"é"],"b":1}'
    """
    return json.dumps(
        _plain(value), sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    ).encode()


def digest_of(value: object) -> str:
    """Return the sha256 of the canonical JSON of plain data."""
    return hashlib.sha256(canonical_json(value)).hexdigest()


@cache
def _model_valued_fields(kind: type[BaseModel]) -> frozenset[str]:
    """Name the fields that hold models, at whatever depth of their type."""

    def mentions(annotation: Any) -> bool:
        here = isinstance(annotation, type) and not get_args(annotation) and issubclass(annotation, BaseModel)
        return here or any(map(mentions, get_args(annotation)))

    return frozenset(name for name, field in kind.model_fields.items() if mentions(field.annotation))


def _is_ascii(value: Any) -> bool:
    """Return whether there is nothing to mend; much faster than mending, and mostly the end of it."""
    if isinstance(value, str):
        return value.isascii()
    if isinstance(value, dict):
        return all(map(_is_ascii, value)) and all(map(_is_ascii, value.values()))
    return all(map(_is_ascii, value)) if type(value) in (list, tuple) else True


def _mend(value: Any) -> Any:
    """Replace half characters (lone surrogates), which no UTF-8 file can hold, by U+FFFD."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_mend(key): _mend(inner) for key, inner in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(_mend, value))
    return value


def _plain(value: object) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_plain(inner) for inner in value]
    return value
