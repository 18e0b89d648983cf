"""Secrets that a run knew are found again by digest, and the digests give nothing away."""

import io
import json
import stat
from pathlib import Path

import pytest

from cutscore.bridge.known_secrets import SECRETS_FILE, keep_known_secrets, read_known_secrets
from cutscore.redaction import CHUNK_BYTES, Redactor

KEY = "zq7Kp0Vw3LmXs9Rt5YbN2cHd8FgJ4aUe"
ODD = "wJ4lrXUtn/EMI+K7MD3NgRbPxR5iCYzA9mPl"
WHERE = [
    KEY,
    f"Bearer {KEY}\n",
    json.dumps({"said": f"line\n{KEY}\nline"}),
    json.dumps({"said": f"\u00e9{KEY}"}),
    f"http://127.0.0.1/v1?key={KEY}&x=1",
    f"http://127.0.0.1/v1?a%3D{KEY}%26",
    f"<{ODD}>",
]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    keep_known_secrets(tmp_path, Redactor({"A_KEY": KEY, "B_KEY": ODD, "SHORT_PASS": "Summer-of-2026"}))
    return tmp_path


@pytest.mark.parametrize("text", WHERE)
def test_a_secret_is_found_wherever_it_stands_unbroken(run: Path, text: str) -> None:
    assert read_known_secrets(run).find(text.encode()) == ("B_KEY" if ODD in text else "A_KEY")


def test_other_text_is_none(run: Path) -> None:
    known = read_known_secrets(run)
    for text in ("", KEY[:-1], KEY + "x", KEY.lower(), "Summer-of-2026", "plain words of no use", "a" * 32):
        assert known.find(text.encode()) == ""


@pytest.mark.parametrize("before", [0, CHUNK_BYTES - 5, CHUNK_BYTES])
def test_a_secret_across_two_chunks_is_found(run: Path, before: int) -> None:
    assert read_known_secrets(run).find_in(io.BytesIO(b"." * before + KEY.encode() + b"." * before)) == "A_KEY"


def test_the_file_is_for_its_owner_and_holds_no_value(run: Path) -> None:
    file = run / SECRETS_FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [json.loads(line)["name"] for line in file.read_text().splitlines()] == ["A_KEY", "B_KEY"]
    assert not any(KEY[at : at + 4] in file.read_text() for at in range(len(KEY) - 3))


def test_secrets_add_up_and_are_written_once(run: Path) -> None:
    keep_known_secrets(run, Redactor({"A_KEY": KEY}))
    keep_known_secrets(run, Redactor({"C_KEY": KEY[::-1]}))
    with (run / SECRETS_FILE).open("a") as torn:
        torn.write('{"salt": "odd", "name": "X", "chars": 32, "digest": ""}\n{"salt": "00')
    keep_known_secrets(run, Redactor({"D_KEY": KEY.swapcase()}))
    known = read_known_secrets(run)
    assert [each.name for each in known.entries] == ["A_KEY", "B_KEY", "C_KEY", "D_KEY"]
    assert known.find(KEY.swapcase().encode()) == "D_KEY"


def test_a_run_without_secrets_leaves_no_file(tmp_path: Path) -> None:
    keep_known_secrets(tmp_path, Redactor({}))
    assert read_known_secrets(tmp_path).find(b"anything at all, here") == ""
    assert not (tmp_path / SECRETS_FILE).exists()
