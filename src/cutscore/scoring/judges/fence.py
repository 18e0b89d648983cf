"""The fence around everything that comes from a submission, and the seal on every reply.

Both are made from the digest of the whole request, the submission included. Whoever wants to write a fence's own mark
into a submission would have to know a digest of a text that holds that very digest. No secret is needed, and a request
that is put together again tomorrow has the same marks.
"""

import hashlib
from dataclasses import dataclass

NONCE_DIGITS, SEAL_DIGITS = 24, 8  # 96 bits keep a submission from guessing; a seal is also copied by a small model


@dataclass(frozen=True)
class Fence:
    """The marks of one request.

    Args:
        nonce: Stands on both ends of the fence, and above every piece inside: none can pass itself off as another.
        seal: Stands outside the fence, and every reply has to repeat it. A verdict that was copied out of the
            submission cannot have it.
    """

    nonce: str
    seal: str

    @classmethod
    def of(cls, request: str) -> "Fence":
        """Make the marks of a request from its digest."""
        return cls(_mark("fence", request, NONCE_DIGITS), _mark("seal", request, SEAL_DIGITS))

    @property
    def opening(self) -> str:
        """The line before the evidence."""
        return f"<<<<<<<< EVIDENCE {self.nonce}"

    @property
    def closing(self) -> str:
        """The line after the evidence."""
        return f"EVIDENCE {self.nonce} >>>>>>>>"

    def heading(self, name: str) -> str:
        """Return the line above a piece of evidence."""
        return f"======== {name} {self.nonce}"


def _mark(purpose: str, request: str, digits: int) -> str:
    return hashlib.sha256(f"{purpose} {request}".encode()).hexdigest()[:digits]
