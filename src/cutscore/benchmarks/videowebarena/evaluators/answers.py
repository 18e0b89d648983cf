"""Rules about the answer: `string_match`, for the task and for the question about its tutorial."""

from collections.abc import Sequence
from dataclasses import dataclass

from cutscore.benchmarks.videowebarena.evaluators.inequalities import match_values, parse_whole
from cutscore.benchmarks.videowebarena.evaluators.judged import Jury
from cutscore.benchmarks.videowebarena.evaluators.text import (
    clean_answer,
    is_exact,
    match_exactly,
    match_excluded,
    match_included,
    match_one_of,
    require_text,
)
from cutscore.benchmarks.videowebarena.evaluators.verdict import CheckOutcome, Mode, Verdict, invalid_task
from cutscore.benchmarks.videowebarena.released import MatchRule

NOT_POSSIBLE = "N/A"


@dataclass(frozen=True)
class AskedWords:
    """What a judge is told about an answer.

    Args:
        intent: The task.
        question: What this answer is to: the task, or the question about the tutorial.
        note: Why it cannot be done, where that is the right answer.
    """

    intent: str
    question: str
    note: str = ""


def match_answer(rules: Sequence[MatchRule], answer: str, words: AskedWords, mode: Mode, jury: Jury) -> CheckOutcome:
    """Check an answer by all rules, in their order; without any it passes, as in the reference.

    Two quirks are the reference's alone: after `required_values` the answer is a number, at which other kinds crash;
    and the verdict on a reason why something cannot be done replaces all before it.
    """
    seen: str | int | None = clean_answer(answer)
    passed, verdicts = True, list[Verdict]()
    for rule in rules:
        if rule.kind == "fuzzy_match" and rule.wanted == NOT_POSSIBLE:
            text = require_text(rule.kind, seen)
            said_so = is_exact(NOT_POSSIBLE, text) and (passed or mode == "strict")
            verdict = match_exactly(NOT_POSSIBLE, text) if said_so else _compare_reason(text, words, jury)
            made, passed = [verdict], verdict.passed and (passed or mode == "reference")
        else:
            made = match_rule(rule, seen, words, mode, jury)
            passed = passed and all(each.passed for each in made)
        verdicts += made
        if rule.kind == "required_values" and mode == "reference" and isinstance(seen, str):
            seen = parse_whole(seen)
    return CheckOutcome(passed, tuple(verdicts))


def match_rule(rule: MatchRule, seen: object, words: AskedWords, mode: Mode, jury: Jury) -> list[Verdict]:
    """Check one rule, of any kind but the reason why something cannot be done."""
    kind, wanted = rule.kind, rule.texts
    if kind == "exact_match":
        return [match_exactly(wanted[0], seen if isinstance(seen, int) else require_text(kind, seen))]
    if kind == "required_values":
        return match_values(wanted, seen, mode)
    text = require_text(kind, seen)
    if kind == "must_include":
        return [match_included(each, text, mode) for each in wanted]
    if kind == "must_exclude":
        return [match_excluded(each, text, mode) for each in wanted]
    if kind == "one_of":
        return [match_one_of(wanted, text)]
    if isinstance(rule.wanted, str):
        raise invalid_task(f"check '{kind}'", f"is the text '{rule.wanted[:60]}'; it is a list, or '{NOT_POSSIBLE}'")
    task = words.intent if mode == "reference" else words.question
    return [jury.compare_answer(text, each, task) for each in wanted]


def _compare_reason(answer: str, words: AskedWords, jury: Jury) -> Verdict:
    if not words.note:
        raise invalid_task("check 'fuzzy_match'", f"wants '{NOT_POSSIBLE}' and string_note does not say why")
    return jury.compare_reason(answer, words.note, words.question)
