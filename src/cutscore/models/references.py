"""Clips in messages, by reference.

Inspect wants media inline at the model boundary and writes what it gets into the log. So a message carries a
tiny data URI that names the file and its hash; `boundary.py` swaps it for frames or bytes in the last moment
before the provider is called, and the log keeps the reference.

    data:video/vnd.cutscore.ref+json;base64,eyJuYW1lIjoi…
    data:video/vnd.cutscore.silent+json;base64,…              the same without its sound
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

from pydantic import ValidationError

from cutscore.core.errors import BrokenData
from cutscore.core.files import FileRef

if TYPE_CHECKING:
    from inspect_ai.model import ContentAudio, ContentImage, ContentVideo

    Media = ContentAudio | ContentImage | ContentVideo

SUBTYPE, SILENT = "vnd.cutscore.ref+json", "vnd.cutscore.silent+json"


def reference_uri(ref: FileRef, family: str, *, sound: bool = True) -> str:
    """Write a reference as a data URI of a media family (`video`, `image`, `audio`)."""
    payload = base64.b64encode(ref.model_dump_json().encode()).decode()
    return f"data:{family}/{SUBTYPE if sound else SILENT};base64,{payload}"


def read_reference(uri: str) -> FileRef | None:
    """Read a reference back; None when the URI is something else.

    >>> read_reference("data:video/mp4;base64,AAAA") is None
    True
    """
    head, _, payload = uri.partition(",")
    if not (head.startswith("data:") and head.endswith((f"/{SUBTYPE};base64", f"/{SILENT};base64"))):
        return None
    try:
        return FileRef.model_validate_json(base64.b64decode(payload, validate=True))
    except (binascii.Error, ValidationError) as error:
        raise BrokenData("media reference", "cannot be read", "the message was changed on its way") from error


def is_silent(uri: str) -> bool:
    """Return whether a reference asks for a clip without its sound."""
    return uri.partition(",")[0].endswith(f"/{SILENT};base64")


def content_for(ref: FileRef, *, sound: bool = True) -> Media:
    """Return the message content that stands for a file; a clip may be shown without its sound."""
    from inspect_ai.model import ContentAudio, ContentImage, ContentVideo

    family = ref.media_type.partition("/")[0]
    if family == "video":
        uri = reference_uri(ref, "video", sound=sound)
        return ContentVideo(video=uri, format="mov" if "quicktime" in ref.media_type else "mp4")
    if family == "image":
        return ContentImage(image=reference_uri(ref, "image"))
    if family == "audio":
        return ContentAudio(audio=reference_uri(ref, "audio"), format="mp3" if "mpeg" in ref.media_type else "wav")
    raise BrokenData(f"file '{ref.name}'", f"is '{ref.media_type or 'of unknown type'}'", "only media can be shown")
