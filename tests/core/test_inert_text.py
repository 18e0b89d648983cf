"""What a model wrote is shown as it is, hides nothing and does nothing."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.inert_text import make_inert, make_visible, truncate


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("über 你好 🏴", "über 你好 🏴"),
        ("a\r\nb\tc", "a\nb\tc"),
        ("10%\r20%", "10%␍20%"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x9b31mred", "red"),
        ("\x1b]8;;http://x\x07click\x1b]8;;\x07", "␛]8;;http://x␇click␛]8;;␇"),
        ("\x1b[2J\x00\x7f", "␛[2J␀␡"),
        ("user\u202etxt.exe", "user⟨U+202E⟩txt.exe"),
        ("a\u2066b\u2069", "a⟨U+2066⟩b⟨U+2069⟩"),
        ("sec\u200bret\ufeff", "sec⟨U+200B⟩ret⟨U+FEFF⟩"),
        ("hi\U000e0041", "hi⟨U+E0041⟩"),
        ("a\u2028b", "a\nb"),
        ("\ud800", "\ufffd"),
    ],
)
def test_nothing_is_hidden(text, shown):
    assert make_visible(text) == shown


@given(st.text(alphabet=st.characters(), max_size=60))
def test_what_is_shown_has_no_control_and_can_be_written(text):
    shown = make_visible(text)
    shown.encode("utf-8")
    assert all(unicodedata.category(each) not in ("Cc", "Cs") or each in "\t\n" for each in shown)
    assert not set(shown) & {chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}
    assert make_visible(shown) == shown


def test_a_secret_broken_by_colour_codes_is_taken_out():
    def clean(text: str) -> str:
        return text.replace("sk-12345", "[secret]")

    assert make_inert("key sk-\x1b[1m12345 and sk-12345", clean) == "key [secret] and [secret]"


def test_cut_says_how_much_was_left_out():
    assert truncate("abcdef", 4) == ("abcd", 2)
    assert truncate("abc", 4) == ("abc", 0)
