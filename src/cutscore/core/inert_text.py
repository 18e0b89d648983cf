"""Text of models and files made inert and honest for a page.

Escaping keeps markup from acting; this keeps characters from lying. What a reader cannot see (control codes,
direction overrides, invisible tags) is written out, so that two texts that look alike are alike.
"""

import re
from collections.abc import Callable

Clean = Callable[[str], str]

# Colours of terminals say nothing on a page; every other escape sequence stays, with its ESC made visible.
_COLOUR = re.compile("(?:\x1b\\[|\x9b)[0-9;:]*m")

_SPELLED_OUT = (
    *range(0x80, 0xA0),  # C1 controls
    0x180E,
    0x200B,
    *range(0x202A, 0x202F),  # direction embeddings and overrides
    *range(0x2060, 0x206A),  # word joiner, invisible operators, direction isolates
    0xFEFF,
    *range(0xFFF9, 0xFFFC),
    *range(0xE0000, 0xE01F0),  # tags and variation selectors: text that nobody sees and models read
)


def _table() -> dict[int, str]:
    shown = {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\t\n"}
    shown[0x7F] = "\u2421"
    shown |= {code: f"⟨U+{code:04X}⟩" for code in _SPELLED_OUT}
    shown |= {0x2028: "\n", 0x2029: "\n", 0xFFFE: "\ufffd", 0xFFFF: "\ufffd"}
    return shown | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")  # lone surrogates cannot be written as UTF-8


_SHOWN = _table()


def make_visible(text: str) -> str:
    r"""Return text in which nothing is hidden and nothing acts on the reader's screen.

    Line breaks become `\n`; a lone carriage return is shown, because it overwrites what stands before it.

    >>> make_visible("ok\x1b[31m red\x07 \u202egpj.exe")
    'ok red␇ ⟨U+202E⟩gpj.exe'
    """
    if text.isprintable():
        return text
    return _COLOUR.sub("", text.replace("\r\n", "\n")).translate(_SHOWN)


def make_inert(text: str, clean: Clean) -> str:
    """Return text without secrets and without hidden characters.

    Cleaned before and after: a secret that was broken up by colour codes is whole again once they are gone.
    """
    return clean(make_visible(clean(text)))


def truncate(text: str, limit: int) -> tuple[str, int]:
    """Return the first `limit` characters and how many were left out."""
    return text[:limit], max(0, len(text) - limit)


def escape_markdown(text: str) -> str:
    r"""Write text so that it stays inside its cell of a Markdown table and is no markup.

    >>> escape_markdown("a | <b>")
    'a \\| \\<b\\>'
    """
    plain = " ".join(make_visible(text).split())
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>|#!" else letter for letter in plain)
