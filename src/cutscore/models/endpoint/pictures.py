"""Pictures that reach a model in requests: each goes into the store once, with the number of the call that brought it.

Every request of an agent has all earlier pictures again, so they are told apart by their text, and only new ones are
decoded and kept.
"""

import base64
from collections.abc import Callable
from dataclasses import dataclass, field

from cutscore.core.files import FileRef
from cutscore.models.endpoint.wire import Body, Wire

MOST_PICTURES = 2_000  # of a sample; further ones are counted
KeepPicture = Callable[[bytes, str], FileRef]


@dataclass(frozen=True)
class RequestPicture:
    """A picture, and the first call that had it."""

    call: int
    file: FileRef


@dataclass
class PictureBook:
    """The pictures of one sample's requests; without `keep` none are noted."""

    keep: KeepPicture | None = None
    pictures: list[RequestPicture] = field(default_factory=list)
    left_out: int = 0
    _known: set[tuple[int, int]] = field(default_factory=set)

    def find_new(self, wire: Wire, body: Body) -> list[tuple[str, str]]:
        """Return the pictures of a request that no earlier one had, each as its media type and base64."""
        if self.keep is None:
            return []
        try:
            found = wire.pictures(body)
        except (KeyError, TypeError, AttributeError):  # a request of another shape is answered with an error
            return []
        new = []
        for media_type, data in found:
            if not isinstance(data, str):
                continue
            # Megabytes with every request: Python's keyed hash takes a quarter of the time of a sha256.
            key = (len(data), hash(data))
            if key not in self._known:
                self._known.add(key)
                new.append((media_type, data))
        return new

    def note(self, call: int, new: list[tuple[str, str]]) -> None:
        """Take new pictures of a call into the store; what is no base64 of a picture is left out and counted."""
        for media_type, data in new:
            picture = decode_picture(media_type, data)
            if picture is None or self.keep is None or len(self.pictures) >= MOST_PICTURES:
                self.left_out += 1
            else:
                self.pictures.append(RequestPicture(call, self.keep(picture, media_type)))


def decode_picture(media_type: str, data: str) -> bytes | None:
    """Return the bytes of a picture; None for what is none.

    >>> decode_picture("image/png", "aGk="), decode_picture("application/pdf", "aGk="), decode_picture("image/png", "a")
    (b'hi', None, None)
    """
    if not isinstance(media_type, str) or not media_type.startswith("image/"):
        return None
    try:
        return base64.b64decode(data, validate=True)
    except ValueError:
        return None
