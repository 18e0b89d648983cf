"""Secrets are taken out in every form in which they leak, and innocent text stays as it is."""

import base64
import io
import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cutscore.redaction import CHUNK_BYTES, MIN_SECRET_CHARS, Redactor, redactor

KEY = 'sk-live/Ab+"9\\ü 42'


def written_forms(value: str, around: bytes = b"") -> list[str]:
    """The ways in which a value leaks in practice, made by the encoders that do it."""
    raw = value.encode()
    return [
        value,
        json.dumps(value),
        json.dumps({"x": value}, ensure_ascii=False),
        json.dumps(json.dumps([value])),
        quote(value, safe=""),
        quote(value),
        quote_plus(value),
        quote(value, safe="").lower() if value == value.lower() else quote(value, safe=""),
        *(base64.b64encode(around[:n] + raw + around).decode() for n in range(4)),
        *(base64.urlsafe_b64encode(around[:n] + raw + around).decode() for n in range(4)),
    ]


def test_every_form_of_a_value_is_replaced_by_its_name() -> None:
    redact = Redactor({"OPENAI_API_KEY": KEY})
    for form in written_forms(KEY, b"abc"):
        assert "[redacted:OPENAI_API_KEY]" in redact.text(f"<{form}>")
        assert redact.finds(f"<{form}>".encode())
        assert redact.data(f"<{form}>".encode()) == redact.text(f"<{form}>").encode()
    assert redact.text(f"Authorization: Bearer {KEY}\n") == "Authorization: Bearer [redacted:OPENAI_API_KEY]\n"


secrets = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="[]"), min_size=8, max_size=60).filter(
    lambda value: len(value.strip()) >= MIN_SECRET_CHARS
)


@given(secrets, secrets, st.text(), st.text(), st.binary(max_size=3))
def test_after_redaction_no_form_of_a_value_is_left(one: str, two: str, before: str, after: str, around: bytes) -> None:
    assume("redacted:" not in one + two)
    redact = Redactor([one, two])
    for form in (*written_forms(one.strip(), around), *written_forms(two.strip(), around)):
        assert redact.finds(form.encode())
        clean = redact.text(f"{before}{form}{after}{one}{two}")
        assert one.strip() not in clean
        assert two.strip() not in clean
        assert not redact.finds(clean.encode())
        assert not redact.finds(redact.data(f"{before}{form}{after}".encode()))


@given(
    st.text(),
    st.recursive(st.none() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)),
)
def test_what_holds_no_secret_is_unchanged(text: str, plain: object) -> None:
    redact = Redactor({"A_TOKEN": "þþþþ-0123456789", "B_TOKEN": "ðððð-9876543210"})
    assume("þþþþ" not in text)
    assert redact.text(text) == text
    assert redact.data(text.encode()) == text.encode()
    assert redact.plain(plain) == plain


def test_plain_data_is_cleaned_to_the_bottom_and_in_its_keys() -> None:
    redact = Redactor(["hunter2hunter2"])
    dirty = {"a": ["x hunter2hunter2", ("hunter2hunter2", 1, None, 2.5)], "hunter2hunter2": {b"hunter2hunter2": True}}
    clean = redact.plain(dirty)
    assert clean == {
        "a": ["x [redacted:secret]", ("[redacted:secret]", 1, None, 2.5)],
        "[redacted:secret]": {b"[redacted:secret]": True},
    }
    assert "hunter2" in str(dirty)  # the original is not touched


def test_the_longer_value_goes_first() -> None:
    redact = Redactor({"SHORT": "abcdefgh", "LONG": "abcdefghijkl"})
    assert redact.text("abcdefghijkl abcdefgh") == "[redacted:LONG] [redacted:SHORT]"


def test_short_values_and_words_of_the_replacement_are_no_secrets() -> None:
    redact = Redactor({"A_KEY": "1234567", "B_TOKEN": "redacted", "THE_API_KEY": "THE_API_KEY", "C_KEY": "   "})
    text = "1234567 redacted THE_API_KEY"
    assert redact.text(text) == text
    assert Redactor({"K": " padded-value\n"}).text("padded-value") == "[redacted:K]"


def test_values_are_not_shown() -> None:
    redact = Redactor({"OPENAI_API_KEY": KEY, "B": "12345678"})
    assert repr(redact) == str(redact) == "Redactor(2 names)"
    assert not hasattr(redact, "__dict__")


def test_secrets_are_known_by_the_names_of_their_variables() -> None:
    secret = [
        "OPENAI_API_KEY", "HF_TOKEN", "CLIENT_SECRET", "PGPASSWORD", "DB_PASSWORD", "SIGNING_KEY", "GITHUB_PAT",
        "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "openai_api_key", "STUDIO_LOGIN", "LISTED",
    ]  # fmt: skip
    open_ = ["PATH", "PWD", "HOME", "AWS_REGION", "AWS_PROFILE", "MONKEY", "TOKENIZERS_PARALLELISM", "KEYBOARD"]
    environ = {name: f"value-of-{number:03d}" for number, name in enumerate(secret + open_)}
    redact = redactor({**environ, "CUTSCORE_SECRETS": "STUDIO_LOGIN,ABSENT"}, names=["LISTED"])
    for name in secret:
        assert redact.text(environ[name]) == f"[redacted:{name}]"
    for name in open_:
        assert redact.text(environ[name]) == environ[name]
    assert redact.text("STUDIO_LOGIN,ABSENT") == "STUDIO_LOGIN,ABSENT"


def test_the_real_environment_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MADE_UP_TOKEN", "made-up-value")
    assert redactor().text("made-up-value") == "[redacted:MADE_UP_TOKEN]"


def test_a_value_of_bytes_that_are_not_utf8_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ODD_TOKEN", "secret-\udcff\udcfe")  # as Python shows the bytes ff fe of a variable
    assert redactor().data(b"<secret-\xff\xfe>") == b"<[redacted:ODD_TOKEN]>"


@pytest.mark.parametrize("before", [0, CHUNK_BYTES - 5, CHUNK_BYTES, 3 * CHUNK_BYTES - 1])
def test_a_secret_across_two_chunks_is_found(before: int) -> None:
    redact = Redactor({"A_KEY": "sk-canary-0123456789"})
    innocent = b"x" * before
    assert redact.finds_in(io.BytesIO(innocent + b"sk-canary-0123456789" + innocent))
    assert not redact.finds_in(io.BytesIO(innocent + b"sk-canary" + innocent))
