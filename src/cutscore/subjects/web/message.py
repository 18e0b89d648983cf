"""Parts of a message to a model: words, and pictures by reference."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cutscore.core.files import FileRef
from cutscore.models.references import content_for

if TYPE_CHECKING:
    from inspect_ai.model import Content


def text_part(words: str) -> Content:
    """Return words as a part."""
    from inspect_ai.model import ContentText

    return ContentText(text=words)


def named_pictures(pictures: Iterable[FileRef]) -> list[Content]:
    """Return pictures, each behind its name."""
    return [part for each in pictures for part in (text_part(f"{each.name}:"), content_for(each))]
