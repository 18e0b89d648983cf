"""Answers to closed questions, read with some tolerance and no trust."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cutscore.core.deliverable import Deliverable
from cutscore.core.evidence import Evidence
from cutscore.core.strict_json import read_json

ANSWER_FILE = "answer.json"
LONGEST = 2_000  # characters; whoever needs more did not choose
MOST_BYTES = 100_000  # of the file; more is not looked at
QUOTED = 40  # characters of an answer that a sentence repeats


@dataclass(frozen=True)
class ChoiceAnswer:
    """What a subject chose, or None, what it did as the start of a sentence, and whether its file cannot be read."""

    choice: str | None
    message: str
    unreadable: bool = False


def read_choice(deliverable: Deliverable, evidence: Evidence, choices: Sequence[str]) -> ChoiceAnswer:
    """Read which of the choices a deliverable names.

    The answer is the text, or `{"answer": "…"}` in `answer.json`. The file wins when both are there, also when
    it cannot be read.

    It is searched for the choices as whole words, whatever their case and the punctuation around them; a choice
    inside a longer choice does not count. When the first line begins with `Answer:`, that line alone counts.
    Naming several choices chooses none of them, and so does naming none or writing more than 2,000 characters.
    A sentence is searched and not understood: "not red" names red.
    """
    try:
        answer = _answer_text(deliverable, evidence)
        return ChoiceAnswer(_find_choice(answer, choices), f"answered {_quote(answer)}")
    except _UnreadableFile as fault:
        return ChoiceAnswer(None, str(fault), unreadable=True)
    except ValueError as fault:
        return ChoiceAnswer(None, str(fault))


class _UnreadableFile(ValueError):
    """An answer file that holds no answer."""


def _answer_text(deliverable: Deliverable, evidence: Evidence) -> str:
    file = evidence.file(ANSWER_FILE)
    if file is None:
        if not deliverable.text.strip():
            raise ValueError("nothing was delivered" + (deliverable.failure and f" ({deliverable.failure})"))
        return deliverable.text.strip()
    if file.size_bytes > MOST_BYTES:
        raise _UnreadableFile(f"{ANSWER_FILE} has {file.size_bytes:,} bytes, more than {MOST_BYTES:,}")
    try:
        content = read_json(evidence.text(ANSWER_FILE) or "")
    except ValueError as fault:
        raise _UnreadableFile(f"{ANSWER_FILE} {fault}") from None
    answer = content.get("answer") if isinstance(content, dict) else None
    if not isinstance(answer, str):
        raise _UnreadableFile(f'{ANSWER_FILE} is not {{"answer": "one of the choices"}}')
    return answer.strip()


def _find_choice(answer: str, choices: Sequence[str]) -> str:
    if len(answer) > LONGEST:
        raise ValueError(f"the answer has {len(answer):,} characters, more than {LONGEST:,}")
    text = answer.casefold()
    first = text.partition("\n")[0]
    text = first if first.startswith("answer:") else text
    named = []
    for choice in sorted(choices, key=len, reverse=True):
        text, found = re.subn(rf"(?<!\w){re.escape(choice.casefold())}(?!\w)", " · ", text)
        named += [choice] if found else []
    if len(named) != 1:
        raise ValueError(f"answered {_quote(answer)}, which names {len(named) or 'none'} of the choices")
    return named[0]


def _quote(answer: str) -> str:
    return repr(answer if len(answer) <= QUOTED else answer[: QUOTED - 1] + "…")
