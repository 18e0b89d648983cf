"""What a session sends is written without secrets, also where it is cut short, and a long word costs no time."""

import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from cutscore.environments.browser.network_log import HIDDEN, MAX_BODY_CHARS, NetworkLog, hide_secret_fields

KEY = "hunter2"


@pytest.mark.parametrize(
    "text",
    [
        f"user=emma&password={KEY}&x=1",
        f"login%5Bpassword%5D={KEY}",
        f"user[password]={KEY}",
        f"http://h/a?next=/login?token={KEY}",
        f"http://h/a#access_token={KEY}",
        f"http://emma:{KEY}@h/a",
        f'{{"Password": "{KEY}\\"{KEY}", "n": 1}}',
        f'{{"password": "{KEY}',
        f'Content-Disposition: form-data; name="pwd"\r\n\r\n{KEY}\r\n--b',
        f"csrfmiddlewaretoken={KEY}&sessionid={KEY}&form_key={KEY}",
    ],
)
def test_values_of_secret_fields_are_hidden(text: str) -> None:
    made = hide_secret_fields(text)
    assert KEY not in made
    assert HIDDEN in made


@pytest.mark.parametrize("text", ["q=a+keyboard&page=2", '{"name": "emma", "n": 1}', "http://h:7770/a@b", "x=y=z"])
def test_everything_else_stays(text: str) -> None:
    assert hide_secret_fields(text) == text


@pytest.mark.parametrize("word", ["a", "pass", "token", "http://a:"])
def test_a_page_cannot_make_it_slow(word: str) -> None:
    text = (word * MAX_BODY_CHARS)[:MAX_BODY_CHARS]
    began_s = time.process_time()
    for _ in range(10):
        hide_secret_fields(text)
    assert time.process_time() - began_s < 0.3


@dataclass(frozen=True)
class Asked:
    resource_type: str


def test_what_a_page_is_made_of_is_waited_for_and_a_stream_is_not(tmp_path: Path) -> None:
    log = NetworkLog(tmp_path / "network.jsonl")
    log.pending = {Asked("fetch"): time.monotonic() - 5, Asked("xhr"): time.monotonic()}
    assert log.pending_since(2.0) == 1
    log.pending = {Asked(each): time.monotonic() - 5 for each in ("image", "font", "stylesheet")}
    assert log.pending_since(2.0) == 3
    log.close()
