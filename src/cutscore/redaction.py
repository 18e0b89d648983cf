"""Secrets: known by the names of their variables or by their shape, taken out wherever something is written."""

import json
import os
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import pbkdf2_hmac
from itertools import pairwise
from typing import IO, Any
from urllib.parse import quote, quote_plus, unquote

# Variables that hold a secret by the custom of their names.
_SECRET_VARIABLE = re.compile(
    r"(?:.*_)?(?:KEY|APIKEY|TOKEN|SECRET|PAT|PASS)|.*_PWD|.*(?:PASSWORD|PASSWD|PASSPHRASE)|AWS_.+", re.I
)
# Redacting a region or a profile would tear holes into ordinary text.
_NOT_SECRET = re.compile(
    r"AWS_(?:DEFAULT_)?(?:REGION|PROFILE|OUTPUT)|AWS_.*_(?:FILE|URL|URI|MODE|TYPE|DISABLED|BUNDLE)", re.I
)
# Variables that hold a secret, or say where one lies or how it is asked for: a path and a word are none.
_PERHAPS_SECRET = re.compile(r".*CREDENTIALS?|(?:.*_)?(?:AUTH|AUTHORIZATION|BEARER|COOKIE)", re.I)
_PATH_OR_WORD = re.compile(r"[A-Za-z]+|[~.]{0,2}/[^\s:@]*")
# Values that are secret whatever their variable is called: tokens with the marks of those who give them out.
_SECRET_SHAPE = re.compile(
    r"(?:sk[-_]|rk[-_]|xai-|pypi-|glpat-|nvapi-|xox[abeprs]-|AIza|ya29\.|github_pat_|gh[opsur]_|hf_|npm_|gsk_|r8_)"
    r"(?=\S*\d)[-_.A-Za-z0-9]{20,}"
    r"|(?:AKIA|ASIA)[0-9A-Z]{16}"
    r"|(?:Bearer |Basic )?eyJ[-_A-Za-z0-9]+\.[-_A-Za-z0-9]+\.[-_A-Za-z0-9]*"
    r"|(?:Bearer|Basic) \S{8,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*",
    re.S,
)
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://[^/?#@\s]*:(?P<password>[^/?#@\s]+)@\S+", re.I)
_TOKEN_CHARS = re.compile(r"[-_+/=.~A-Za-z0-9]{24,}")
_HEX = re.compile(r"(?:[0-9a-f-]{8,}|[0-9A-F-]{8,})")  # hashes and ids, also behind a prefix
# Of neighbours in a random token some 60% are of another kind (lower, upper, digit), in names and versions 30%.
_RANDOM_CHANGES = 0.4
# Shorter values ("test", "none") occur in innocent text and are no secrets worth the name.
MIN_SECRET_CHARS = 8
# A digest of a secret that people think up could be guessed from; these are the lengths of keys.
MIN_KEPT_CHARS, MIN_RUN_CHARS = 16, 12
DIGEST_ROUNDS = 2000  # a millisecond
_RUN = re.compile(rb"[-_A-Za-z0-9]+")
CHUNK_BYTES = 1 << 20
OVERLAP_BYTES = 1 << 16  # longer than any form of any secret


@dataclass(frozen=True)
class SecretDigest:
    """A secret that a run knew: its name, and length and digest of its longest run of letters, digits, `-` and `_`."""

    salt: str
    name: str
    chars: int
    digest: str


class Redactor:
    """Takes secret values out of whatever is about to be written.

    A value is found as it is, escaped as in JSON (also JSON within JSON), quoted as in URLs, and inside base64 at any
    of the three alignments. Each find becomes `[redacted:NAME]`. What is cut into pieces, compressed, encrypted or
    wrapped over lines is not found: this guards against accidents, not against a thief.

    Args:
        values: Secret values, by the name that stands for them; without names, they are all called `secret`.
            Values under eight characters are left alone, and so are those that are part of a replacement.
    """

    __slots__ = ("_forms", "_values")

    def __init__(self, values: Mapping[str, str] | Iterable[str]) -> None:
        named = values.items() if isinstance(values, Mapping) else (("secret", value) for value in values)
        secrets = [(name, cut) for name, value in named if len(cut := value.strip()) >= MIN_SECRET_CHARS]
        self._values = secrets
        signs = [f"[redacted:{name}]" for name, _ in secrets]
        forms = {form: sign for (_, value), sign in zip(secrets, signs, strict=True) for form in _forms(value)}
        # Longest first: where one value holds another, the whole of it goes.
        longest_first = sorted(forms.items(), key=lambda pair: (-len(pair[0]), pair))
        self._forms = tuple(
            (form, _raw(form), sign) for form, sign in longest_first if not any(form in other for other in signs)
        )

    def __repr__(self) -> str:
        return f"Redactor({len({sign for _, _, sign in self._forms})} names)"

    def __bool__(self) -> bool:
        """Return whether there is any secret to look for."""
        return bool(self._forms)

    def text(self, text: str) -> str:
        """Return the text without secrets."""
        for form, _, sign in self._forms:
            text = text.replace(form, sign)
        return text

    def data(self, data: bytes) -> bytes:
        """Return the bytes without secrets."""
        for _, raw, sign in self._forms:
            data = data.replace(raw, sign.encode())
        return data

    def plain(self, value: Any) -> Any:
        """Return plain data without secrets, in keys too."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, bytes):
            return self.data(value)
        if isinstance(value, Mapping):
            return {self.plain(key): self.plain(inner) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            inside = [self.plain(inner) for inner in value]
            return inside if isinstance(value, list) else tuple(inside)
        return value

    def digest(self, salt: str) -> list[SecretDigest]:
        """Return by what to know the secrets again when they are not set any more; short ones cannot be kept so."""
        long = [(name, value) for name, value in self._values if len(value) >= MIN_KEPT_CHARS]
        runs = [(name, max(_RUN.findall(_raw(value)), key=len, default=b"")) for name, value in long]
        kept = [(name, run) for name, run in runs if len(run) >= MIN_RUN_CHARS]
        return [SecretDigest(salt, name, len(run), digest_run(run, bytes.fromhex(salt))) for name, run in kept]

    def finds(self, data: bytes) -> bool:
        """Return whether there is a secret in it."""
        return any(raw in data for _, raw, _ in self._forms)

    def finds_in(self, stream: IO[bytes]) -> bool:
        """Search a stream of any length in bounded memory; chunks overlap, so that no secret hides across two."""
        tail = b""
        while chunk := stream.read(CHUNK_BYTES):
            if self.finds(tail + chunk):
                return True
            tail = (tail + chunk)[-OVERLAP_BYTES:]
        return False


def redactor(environ: Mapping[str, str] | None = None, *, names: Iterable[str] = ()) -> Redactor:
    """Make a redactor of the secrets in an environment.

    Args:
        environ: The environment; the real one when left out.
        names: Variables that are secret besides those with telling names or values (`settings.secret_env`);
            `CUTSCORE_SECRETS` may list more.
    """
    environ = os.environ if environ is None else environ
    listed = {*names, *re.findall(r"[^\s,]+", environ.get("CUTSCORE_SECRETS", ""))}
    secrets: dict[str, str] = {}
    for name in sorted(environ):
        if name in listed or _is_secret(name, environ[name].strip()):
            secrets[name] = environ[name]
        if address := _ADDRESS.fullmatch(environ[name].strip()):
            secrets |= {name: environ[name], f"{name}:password": unquote(address["password"])}
    return Redactor(secrets)


def _is_secret(name: str, value: str) -> bool:
    """Return whether a variable holds a secret, by the custom of its name or by the shape of its value."""
    if _SECRET_SHAPE.fullmatch(value) or is_random_token(value):
        return True
    if _PERHAPS_SECRET.fullmatch(name):
        return not _PATH_OR_WORD.fullmatch(value)
    return bool(_SECRET_VARIABLE.fullmatch(name)) and not _NOT_SECRET.fullmatch(name)


def is_random_token(value: str) -> bool:
    """Return whether a text looks drawn at random, as keys are; hashes and ids in hex do not count.

    >>> is_random_token("zq7Kp0Vw3LmXs9Rt5YbN2cHd8FgJ4aUe"), is_random_token("9a0364b9e99bb480dd25e1f0284c8555")
    (True, False)
    >>> is_random_token("/opt/Python3.11/lib/MyProject2026"), is_random_token("CamelCaseProject2024WithLongName")
    (False, False)
    """
    value = _HEX.sub("", value)
    if not _TOKEN_CHARS.fullmatch(value):
        return False
    kinds = ["d" if each.isdigit() else "u" if each.isupper() else "l" for each in value if each.isalnum()]
    changes = sum(one != other for one, other in pairwise(kinds))
    return len({*kinds}) == 3 and changes >= _RANDOM_CHANGES * len(value)


def digest_run(run: bytes, salt: bytes) -> str:
    """Return the digest of one unbroken run of characters: slow, for whoever wants to guess it."""
    return pbkdf2_hmac("sha256", run, salt, DIGEST_ROUNDS, 16).hex()


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")  # as the environment itself decodes


def _forms(value: str) -> Iterator[str]:
    """Return the ways in which a value may be written, itself first."""
    yield value
    for escaped in (json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]):
        yield escaped
        yield escaped.replace("/", "\\/")
        yield json.dumps(escaped)[1:-1]
    raw = _raw(value)
    for quoted in (quote(raw, safe=""), quote(raw, safe="/"), quote(raw, safe="!'()*"), quote_plus(raw)):
        yield quoted
        yield re.sub("%..", lambda code: code[0].lower(), quoted)
    for encode in (b64encode, urlsafe_b64encode):
        for before in range(3):
            # Only the characters that hold bits of the value alone: its neighbours colour the first and the last.
            sure = encode(bytes(before) + raw)[-(-8 * before // 6) : 8 * (before + len(raw)) // 6]
            yield sure.decode()
