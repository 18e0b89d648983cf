"""Secrets are taken out in every form in which they leak, and innocent text stays as it is."""

import base64
import io
import json
import random
import string
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cutscore.redaction import CHUNK_BYTES, MIN_SECRET_CHARS, Redactor, is_random_token, redactor

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
        "MY_DB_PASS", "MYSQL_PWD", "RENDER_CREDENTIALS", "REGISTRY_AUTH", "SESSION_COOKIE", "CREDENTIAL",
    ]  # fmt: skip
    open_ = ["PATH", "PWD", "HOME", "AWS_REGION", "AWS_PROFILE", "MONKEY", "TOKENIZERS_PARALLELISM", "KEYBOARD"]
    environ = {name: f"value-of-{number:03d}" for number, name in enumerate(secret + open_)}
    redact = redactor({**environ, "CUTSCORE_SECRETS": "STUDIO_LOGIN,ABSENT"}, names=["LISTED"])
    for name in secret:
        assert redact.text(environ[name]) == f"[redacted:{name}]"
    for name in open_:
        assert redact.text(environ[name]) == environ[name]
    assert redact.text("STUDIO_LOGIN,ABSENT") == "STUDIO_LOGIN,ABSENT"


TOKENS = [
    "sk-proj-abcdefghij0123456789", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "AKIAIOSFODNN7EXAMPLE",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N", "hf_AbCdEfGhIjKlMnOpQrStUvWx12",
    "xoxb-123456789012-abcdefghijkl", "AIzaSyA1234567890abcdefghijklmnopqrstuv", "Bearer 0123456789",
    "wJ4lrXUtn/EMI+K7MD3Ng/bPxR5iCYzA9mPl", "zq7Kp0Vw3LmXs9Rt5YbN2cHd8FgJ4aUe", "glpat-a1b2c3d4e5f6g7h8i9j0",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----",
]  # fmt: skip


@pytest.mark.parametrize("token", TOKENS)
def test_secrets_are_known_by_their_shape(token: str) -> None:
    assert redactor({"STUDIO_THING": token}).text(f"it was <{token}>") == "it was <[redacted:STUDIO_THING]>"


def test_the_password_in_an_address_is_a_secret_by_itself() -> None:
    redact = redactor({"DATABASE_URL": "postgres://me:pa55%2Fword@db:5432/films", "HTTP_PROXY": "http://proxy:3128"})
    assert redact.text("pa55/word failed") == "[redacted:DATABASE_URL:password] failed"
    assert redact.text("postgres://me:pa55%2Fword@db:5432/films http://proxy:3128").endswith("http://proxy:3128")
    assert "pa55" not in redact.text("postgres://me:pa55%2Fword@db:5432/films")


HONEST = {
    "PATH": "/usr/local/bin:/usr/bin:/home/me/.local/share/Python3.11Tools2026/bin",
    "HOME": "/home/me",
    "LANG": "en_GB.UTF-8",
    "PWD": "/home/me/Projects2026/FilmCuts/v3Final",
    "OLDPWD": "/home/me",
    "SHELL": "/bin/bash",
    "TERM": "xterm-256color",
    "EDITOR": "nvim",
    "USER": "somebody-else",
    "HOSTNAME": "render-node-17a4",
    "GITHUB_SHA": "9fceb02d0ae598e95dc970b74767f19372d61af8",
    "GIT_COMMIT": "9fceb02d0ae5",
    "INVOCATION_ID": "0f3c9a2b7d8e4f5a9b1c2d3e4f5a6b7c",
    "SESSION_UUID": "F47AC10B-58CC-4372-A567-0E02B2C3D479",
    "IMAGE": "registry.example.org/team/Image2026:sha256-2c26b46b68ffc68ff99b453c1d304134",
    "POD_NAME": "cutscore-worker-7d9f8c6b5-x2x4k",
    "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/1000/bus",
    "SSH_AUTH_SOCK": "/tmp/ssh-XXXXaB3dE5/agent.1234",
    "LS_COLORS": "rs=0:di=01;34:ln=01;36:mh=00:pi=40;33",
    "JAVA_HOME": "/usr/lib/jvm/java-21-openjdk-amd64",
    "PYTHONHASHSEED": "1234567890123456789012345678",
    "CONDA_DEFAULT_ENV": "sk-learn-with-many-words",
    "PS1": "[\\u@\\h \\W]\\$ ",
    "DISPLAY": "localhost:10.0",
    "GOOGLE_APPLICATION_CREDENTIALS": "/home/me/.config/gcloud/key.json",
    "SVN_AUTH": "required",
    "PROXY_AUTH": "negotiate",
    "AWS_REGION": "eu-central-1",
    "TOKENIZERS_PARALLELISM": "false-for-now",
    "KEYBOARD": "de-latin1-nodeadkeys",
    "PROJECT": "CamelCaseProject2024WithLongName",
    "DATE": "2026-11-16T08:44:54+00:00",
    "SSH_ASKPASS": "/usr/bin/ksshaskpass",
    "CUDA_VISIBLE_DEVICES": "GPU-8f2b1c3d-4e5f-6a7b-8c9d-0e1f2a3b4c5d",
    "MODEL": "openai-api/loopback/Qwen2.5-VL-72B-Instruct",
    "BUILD_TAG": "jenkins-Film-Cuts-Nightly-1742-linux",
    "HF_HOME": "/data/hub",
    "WHEEL": "numpy-2.1.3-cp311-manylinux_2_17",
}


@pytest.mark.parametrize("name", HONEST)
def test_ordinary_variables_stay_as_they_are(name: str) -> None:
    assert redactor({name: HONEST[name]}).text(HONEST[name]) == HONEST[name]


@given(st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", min_size=24, max_size=40))
def test_words_without_digits_are_no_tokens(word: str) -> None:
    assert not is_random_token(word)


def test_random_tokens_are_seldom_missed() -> None:
    draw, letters = random.Random(5), string.ascii_letters + string.digits
    drawn = ["".join(draw.choices(letters, k=32)) for _ in range(500)]
    assert sum(map(is_random_token, drawn)) > 480


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
