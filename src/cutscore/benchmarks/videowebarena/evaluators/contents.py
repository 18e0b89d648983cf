"""Rules about what pages show: `program_html`."""

from collections.abc import Mapping
from typing import Any

from cutscore.benchmarks.videowebarena.evaluators.answers import AskedWords, match_rule
from cutscore.benchmarks.videowebarena.evaluators.judged import Jury
from cutscore.benchmarks.videowebarena.evaluators.page_checks import LAST, PageCheck, PageRecord, require_readable
from cutscore.benchmarks.videowebarena.evaluators.verdict import (
    CheckOutcome,
    Mode,
    Verdict,
    all_passed,
    invalid_task,
    show_value,
    split_alternatives,
)
from cutscore.benchmarks.videowebarena.released import OR, HtmlTarget, MatchRule
from cutscore.core.errors import Unscored

# The reference looks at the first of these kinds that a target has, and at no other.
LOOKED_FOR = ("exact_match", "must_include", "must_exclude", "required_values", "fuzzy_match")
NOT_USED = "NOT USED"  # what the reference tells its judge instead of the task


def match_target(check: PageCheck, record: PageRecord, intent: str, jury: Jury) -> CheckOutcome | None:
    """Check one target; None where its locator found nothing at all, which is 0 and the end of the targets.

    The intent is for a judge; in `reference` it is told `NOT USED` instead.
    """
    require_readable(check)
    fact, target = record.fact(check), check.target
    if target is None:
        raise invalid_task(f"check {check.number}", "has no target")
    seen = located(target, fact, record)
    if seen is None:
        return None
    page = fact.get("url_after") if check.url == LAST else check.url
    where = f"{page or LAST}{f' {target.locator[:80]}' if target.locator.strip() else ''}"
    task = NOT_USED if record.mode == "reference" else intent
    made = [
        verdict
        for rule in chosen_rules(target, record.mode)
        for verdict in _match_contents(rule, _as_text(seen, rule, record.mode), task, record.mode, jury)
    ]
    thrown = f"; the locator threw: {str(fact['thrown'])[:120]}" if fact.get("thrown") else ""
    return all_passed(Verdict(each.passed, f"{where}: {each.because}{thrown}") for each in made)


def located(target: HtmlTarget, fact: Mapping[str, Any], record: PageRecord) -> object:
    """Return what a locator found, as the reference gets it; None where that is nothing.

    Of `document.…` it is text, also "None"; of `lambda:` and `func:` the value itself, of `lambda:` only a true one.
    """
    if not target.locator.strip():
        return record.html(fact.get("html"))
    if target.locator.startswith("lambda:"):
        return fact.get("raw") or None
    if target.locator.startswith("func:"):
        return fact.get("raw")
    text = fact.get("text")
    if not isinstance(text, str):
        raise Unscored(f"locator '{target.locator[:80]}'", "gave no text", "run the cell again")
    return text


def chosen_rules(target: HtmlTarget, mode: Mode) -> list[MatchRule]:
    """Return the rules of a target that count: the first kind that is looked for; in `strict` all of them."""
    if mode == "strict":
        return list(target.required_contents)
    first = next((rule for kind in LOOKED_FOR for rule in target.required_contents if rule.kind == kind), None)
    if first is None:
        kinds = ", ".join(rule.kind for rule in target.required_contents) or "nothing"
        raise invalid_task("required_contents", f"has {kinds}, and none of {', '.join(LOOKED_FOR)}")
    return [first]


def _as_text(seen: object, rule: MatchRule, mode: Mode) -> object:
    """Return what was seen as a rule takes it; in `strict` numbers are compared as text with text."""
    return seen if mode == "reference" or rule.kind == "required_values" or isinstance(seen, str) else str(seen)


def _match_contents(rule: MatchRule, seen: object, task: str, mode: Mode, jury: Jury) -> list[Verdict]:
    if rule.kind == "must_exclude" and mode == "reference" and any(OR in each for each in rule.texts):
        raise invalid_task("check 'must_exclude'", f"has alternatives ({OR.strip()}), which it cannot have")
    if rule.kind != "fuzzy_match":
        return match_rule(rule, seen, AskedWords(task, task), mode, jury)
    if not isinstance(seen, str) or not isinstance(rule.wanted, str):
        raise invalid_task("check 'fuzzy_match'", f"compares one text with text, and {show_value(seen)} was read")
    said = [jury.compare_answer(seen, each, task) for each in split_alternatives(rule.wanted, mode)]
    if mode == "reference":  # alternatives are all multiplied
        return said
    return [next((each for each in said if each.passed), said[0])]
