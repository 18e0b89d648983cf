"""The secrets that a run knew, by salted digest: `pack` looks for them also when they are not set any more.

    RUN/secrets.jsonl      one line a secret: salt, name, length, digest; for its owner alone, never packed

A secret is found again where it stands unbroken, not inside base64. Those under 16 characters are not kept: a digest
would help to guess them.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO

from pydantic import TypeAdapter

from cutscore.journal import append_line
from cutscore.redaction import CHUNK_BYTES, MIN_RUN_CHARS, OVERLAP_BYTES, Redactor, SecretDigest, digest_run

SECRETS_FILE = "secrets.jsonl"
_RUNS = re.compile(rb"[-_A-Za-z0-9]{%d,}" % MIN_RUN_CHARS)
# What an escape of JSON or of an address leaves at the beginning of a run: \n, \u00e9, %3D.
_ESCAPES = {b"\\": (1, 5), b"%": (2,)}
_ENTRY = TypeAdapter(SecretDigest)


@dataclass(frozen=True)
class KnownSecrets:
    """What a run knew as secret."""

    entries: tuple[SecretDigest, ...] = ()
    _seen: dict[bytes, str] = field(default_factory=dict, repr=False, compare=False)

    def find(self, data: bytes) -> str:
        """Name a secret that stands in it; nothing when there is none."""
        lengths = {entry.chars for entry in self.entries}
        runs = {run for run in _runs(data) if len(run) in lengths} if lengths else set()
        return next((name for run in sorted(runs) if (name := self._name_of(run))), "")

    def find_in(self, stream: IO[bytes]) -> str:
        """Search a stream of any length in bounded memory."""
        tail = b""
        while self.entries and (chunk := stream.read(CHUNK_BYTES)):
            if name := self.find(tail + chunk):
                return name
            tail = (tail + chunk)[-OVERLAP_BYTES:]
        return ""

    def _name_of(self, run: bytes) -> str:
        if run not in self._seen:  # digests and ids come often
            digests = {salt: digest_run(run, bytes.fromhex(salt)) for salt in {each.salt for each in self.entries}}
            found = (each.name for each in self.entries if each.digest == digests[each.salt])
            self._seen[run] = next(found, "")
        return self._seen[run]


def _runs(data: bytes) -> Iterator[bytes]:
    """Return every unbroken run of characters, also without the escape before it."""
    for found in _RUNS.finditer(data):
        yield found[0]
        for chars in _ESCAPES.get(data[found.start() - 1 : found.start()], ()):
            yield found[0][chars:]


def read_known_secrets(run: Path) -> KnownSecrets:
    """Return what a run folder knew as secret; a line that nobody can read, as a kill leaves one, is passed over."""
    entries, file = [], run / SECRETS_FILE
    for line in file.read_bytes().splitlines() if file.is_file() else ():
        with suppress(ValueError):
            entry = _ENTRY.validate_json(line)
            bytes.fromhex(entry.salt)
            entries.append(entry)
    return KnownSecrets(tuple(entries))


def keep_known_secrets(run: Path, redact: Redactor) -> None:
    """Write down which secrets are known now, besides those that were before."""
    if not redact:
        return
    known = read_known_secrets(run).entries
    salt = known[0].salt if known else secrets.token_hex(16)
    for entry in redact.digest(salt):
        if entry not in known:
            with suppress(OSError):  # whoever appends says what is wrong with the place
                os.close(os.open(run / SECRETS_FILE, os.O_WRONLY | os.O_CREAT, 0o600))
            append_line(run / SECRETS_FILE, asdict(entry))
