"""A judge's reply → answers. Strict about each answer, and one bad answer costs no other.

What is wrong with a reply is said in our words alone: that sentence goes into the next request, where nothing of the
submission may stand outside its fence, and a reply may well repeat the submission.
"""

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import Field, JsonValue, ValidationError

from cutscore.core.frozen import FrozenModel
from cutscore.core.judgement import Question, Weakness
from cutscore.core.strict_json import read_json
from cutscore.core.timeline import At
from cutscore.labels.files import HIGHEST, LOWEST, PREFERENCES
from cutscore.scoring.matching.cleaning import clean_weaknesses

LONGEST_REPLY = 200_000  # characters; whoever needs more does not answer what was asked
LONGEST_ID, MOST_UNKNOWN = 40, 3  # of ids that nobody asked, as they are repeated to a reader
THOUGHTS_END = "</think>"  # some models write their thinking into the reply itself

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Answer:
    """One readable answer, or what the answers of several runs come to; flags are keys of `FLAGS`."""

    answer: JsonValue
    because: str = ""
    at: At = None
    weaknesses: tuple[Weakness, ...] = ()
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class ParsedReply:
    """What could be read of a reply.

    Args:
        problem: Why an answer is missing, in our words; empty when none is.
        unknown_ids: The first ids that nobody asked, cut short. They are the model's own words.
        broken_seal: The object is well formed, and its seal is not the one of the request.
        addressed: The judge says that the submission addresses it.
    """

    answers: dict[str, Answer] = field(default_factory=dict)
    problem: str = ""
    unknown_ids: tuple[str, ...] = ()
    broken_seal: bool = False
    addressed: bool = False


class _ReplyForm(FrozenModel):
    seal: str
    addressed: bool
    answers: list[Any]


class _AnswerForm(FrozenModel):
    id: str
    because: str = Field(min_length=1)
    answer: JsonValue = None
    weaknesses: tuple[Weakness, ...] | None = None
    at: At = None


def read_reply(text: str, questions: Sequence[Question], *, seal: str) -> ParsedReply:
    """Read every answer that is there and right.

    The reply is one JSON object; words around it are let pass, since the seal says that the object is the judge's own.
    An id that was answered twice is not answered, and an id that nobody asked is left out.
    """
    try:
        whole = _ReplyForm.model_validate(read_json(json_object(text)))
    except ValidationError:
        return ParsedReply(problem="it is not an object with exactly seal, addressed and answers")
    except ValueError as fault:
        return ParsedReply(problem=f"it {fault}")
    if whole.seal != seal:
        return ParsedReply(problem="it does not repeat the seal of this request", broken_seal=True)
    asked = {question.id: question for question in questions}
    given = [_parse_answer_form(each) for each in whole.answers]
    times = Counter(each.id for each in given if each)
    answers: dict[str, Answer] = {}
    for each in given:
        answer = _answer(each, asked[each.id]) if each and each.id in asked and times[each.id] == 1 else None
        if each and answer:
            answers[each.id] = answer
    unknown = tuple(name[:LONGEST_ID] for name in times if name not in asked)[:MOST_UNKNOWN]
    return ParsedReply(answers, _problem(asked, given, times, answers), unknown, addressed=whole.addressed)


def json_object(text: str) -> str:
    """Cut the JSON object out of a reply, from its first brace to its last; thinking before it is dropped."""
    if len(text) > LONGEST_REPLY:
        raise ValueError(f"has more than {LONGEST_REPLY:,} characters")
    text = text.rpartition(THOUGHTS_END)[2]
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        raise ValueError("holds no JSON object")
    return text[start : end + 1]


def _parse_answer_form(plain: Any) -> _AnswerForm | None:
    try:
        return _AnswerForm.model_validate(plain)
    except ValidationError:
        return None


def _answer(given: _AnswerForm, question: Question) -> Answer | None:
    """Return the answer when it is one that the question allows."""
    if question.kind == "weaknesses":
        if given.weaknesses is None or given.answer is not None:
            return None
        named = clean_weaknesses(given.weaknesses, whose="judge")
        for sentence in named.dropped:
            _log.info("dropped from a reply: %s", sentence)
        return Answer("yes" if named.kept else "no", given.because, given.at, named.kept)
    value = None if given.weaknesses is not None else _allowed(given.answer, question)
    return Answer(value, given.because, given.at) if value is not None else None


def _allowed(said: JsonValue, question: Question) -> JsonValue:
    """Return an answer as the question writes it; None when it is not allowed."""
    if question.kind == "scale":
        is_point = isinstance(said, int) and not isinstance(said, bool) and LOWEST <= said <= HIGHEST
        return said if is_point else None
    if not isinstance(said, str):
        return None
    if question.kind == "short":
        words = " ".join(said.split())
        return words if 0 < len(words) <= question.max_chars else None
    return next((each for each in allowed_answers(question) if each.casefold() == said.strip().casefold()), None)


def allowed_answers(question: Question) -> tuple[str, ...]:
    """Name the answers of a closed question; none for a scale, for weaknesses and for words."""
    closed = {"yes_no": ("yes", "no"), "pairwise": PREFERENCES, "choice": question.choices}
    return closed.get(question.kind, ())


def _problem(
    asked: dict[str, Question], given: list[_AnswerForm | None], times: Counter[str], answers: dict[str, Answer]
) -> str:
    faults = []
    if missing := [name for name in asked if name not in times]:
        faults.append(f"no answer to {', '.join(missing)}")
    if twice := [name for name in asked if times[name] > 1]:
        faults.append(f"several answers to {', '.join(twice)}")
    if odd := [name for name in asked if times[name] == 1 and name not in answers]:
        faults.append(f"an answer that is not allowed to {', '.join(odd)}")
    if not faults:
        return ""  # a stray answer beside all that were asked for costs nothing
    if unknown := sum(name not in asked for name in times):
        faults.append(f"{unknown} answered that nobody asked")
    if unread := given.count(None):
        faults.append(f"{unread} not in the form that was asked for")
    return "it has " + "; ".join(faults)
