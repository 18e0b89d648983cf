"""The closing line `ANSWER: …` that closed questions ask for: the one place where an answer cannot be misread."""

import re
import unicodedata

LONGEST_LINE = 200  # characters; a paragraph that begins with "answer" is no closing line

_LINE = re.compile(r"[\W_]*(?:final[\W_]+)?answer[\W_]*[:=][\W_]*(.*?)[\W_]*")


def read_closing_line(text: str) -> str | None:
    r"""Return what the last line that is not blank states after `ANSWER:`, in lower case; None when it is no such line.

    Markdown and punctuation around the words do not count. A line of that form anywhere else is not the
    answer: who goes on writing after it has not closed.

    >>> read_closing_line("It rains first.\n**ANSWER: Before.**\n")
    'before'
    >>> read_closing_line("ANSWER: before\nor maybe not") is None
    True
    """
    last = text.rstrip()[-2 * LONGEST_LINE :].rpartition("\n")[2].strip()
    return None if len(last) > LONGEST_LINE else _stated_answer(last)


def remove_answer_lines(text: str) -> str:
    """Return the text without lines of that form: one that does not close is no answer, and no sentence either."""
    return "\n".join(line for line in text.splitlines() if len(line) > LONGEST_LINE or _stated_answer(line) is None)


def _stated_answer(line: str) -> str | None:
    found = _LINE.fullmatch(unicodedata.normalize("NFKC", line).casefold())
    return found and found[1]
